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

/// The adapter of docs/adapters.md: Tests/DocsTests/ExampleAdapter.swift.
CWeirDocument cweirdocuments_adapter(void);

/// What makes a Python program an adapter: Adapters/Examples/Python/weir_adapter.py.
CWeirDocument cweirdocuments_adapter_library(void);

/// The inspector: HTML with its style and script.
CWeirDocument cweirdocuments_inspector(void);

/// The web player: HTML with its style and script.
CWeirDocument cweirdocuments_player(void);

#endif
