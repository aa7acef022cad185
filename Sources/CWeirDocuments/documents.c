#include "CWeirDocuments.h"

extern const unsigned char cweirdocuments_openapi_start[];
extern const unsigned char cweirdocuments_openapi_end[];

CWeirDocument cweirdocuments_openapi(void) {
    CWeirDocument document = {
        cweirdocuments_openapi_start,
        (size_t)(cweirdocuments_openapi_end - cweirdocuments_openapi_start),
    };
    return document;
}

extern const unsigned char cweirdocuments_player_start[];
extern const unsigned char cweirdocuments_player_end[];

CWeirDocument cweirdocuments_player(void) {
    CWeirDocument document = {
        cweirdocuments_player_start,
        (size_t)(cweirdocuments_player_end - cweirdocuments_player_start),
    };
    return document;
}

extern const unsigned char cweirdocuments_radio_start[];
extern const unsigned char cweirdocuments_radio_end[];

CWeirDocument cweirdocuments_radio(void) {
    CWeirDocument document = {
        cweirdocuments_radio_start,
        (size_t)(cweirdocuments_radio_end - cweirdocuments_radio_start),
    };
    return document;
}
