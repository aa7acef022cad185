#ifndef CWEIRDOCUMENTS_H
#define CWEIRDOCUMENTS_H

#include <stddef.h>

/// Bytes that live in the executable itself, for as long as it runs.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} CWeirDocument;

/// The description of the HTTP API: OpenAPI 3.1, JSON.
CWeirDocument cweirdocuments_openapi(void);

/// The inspector: HTML with its style and script.
CWeirDocument cweirdocuments_inspector(void);

/// The web player: HTML with its style and script.
CWeirDocument cweirdocuments_player(void);

#endif
