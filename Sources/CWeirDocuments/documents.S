// Puts the files of documents/, and two that are kept where they are tested, into the executable; the search path of this
// target finds them.
//
// The build does not see that a document has changed, only that this file has. So it names the contents, and a test says
// what to write here:
// openapi.json 3e7364e2946b5dca
// inspector.html fc588c9696125250
// player.html c57a4c7faea8bcd1
// weir_adapter.py 51d3db4c828048b8
// ExampleAdapter.swift 95b69e00ec299158

    .section .rodata

    .global cweirdocuments_openapi_start, cweirdocuments_openapi_end
    .balign 16
cweirdocuments_openapi_start:
    .incbin "openapi.json"
cweirdocuments_openapi_end:

    .global cweirdocuments_player_start, cweirdocuments_player_end
    .balign 16
cweirdocuments_player_start:
    .incbin "player.html"
cweirdocuments_player_end:

    .global cweirdocuments_adapter_start, cweirdocuments_adapter_end
    .balign 16
cweirdocuments_adapter_start:
    .incbin "ExampleAdapter.swift"
cweirdocuments_adapter_end:

    .global cweirdocuments_adapter_library_start, cweirdocuments_adapter_library_end
    .balign 16
cweirdocuments_adapter_library_start:
    .incbin "weir_adapter.py"
cweirdocuments_adapter_library_end:

    .global cweirdocuments_inspector_start, cweirdocuments_inspector_end
    .balign 16
cweirdocuments_inspector_start:
    .incbin "inspector.html"
cweirdocuments_inspector_end:

    .section .note.GNU-stack, "", %progbits
