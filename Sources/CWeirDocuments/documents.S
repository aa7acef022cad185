// Puts the files of documents/ into the executable; the search path of this target finds them.

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

    .global cweirdocuments_radio_start, cweirdocuments_radio_end
    .balign 16
cweirdocuments_radio_start:
    .incbin "radio.html"
cweirdocuments_radio_end:

    .section .note.GNU-stack, "", %progbits
