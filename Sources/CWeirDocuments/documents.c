#include "CWeirDocuments.h"

// The function of one document; documents.S says where it begins and ends.
#define DOCUMENT(name)                                                       \
    extern const unsigned char cweirdocuments_##name##_start[];              \
    extern const unsigned char cweirdocuments_##name##_end[];                \
    CWeirDocument cweirdocuments_##name(void) {                              \
        CWeirDocument document = {                                           \
            cweirdocuments_##name##_start,                                   \
            (size_t)(cweirdocuments_##name##_end - cweirdocuments_##name##_start), \
        };                                                                   \
        return document;                                                     \
    }

DOCUMENT(adapter)
DOCUMENT(adapter_library)
DOCUMENT(inspector)
DOCUMENT(openapi)
DOCUMENT(player)
