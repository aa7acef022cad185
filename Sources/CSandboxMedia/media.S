// Puts the files of media/ into the executable, so that the sandbox needs nothing beside it.
// scripts/make-sandbox-media.sh makes them; the search path of this target finds them.

    .section .rodata

    .global csandboxmedia_film_start, csandboxmedia_film_end
    .balign 16
csandboxmedia_film_start:
    .incbin "film.mp4"
csandboxmedia_film_end:

    .global csandboxmedia_feature_start, csandboxmedia_feature_end
    .balign 16
csandboxmedia_feature_start:
    .incbin "feature.mp4"
csandboxmedia_feature_end:

    .global csandboxmedia_jingle_start, csandboxmedia_jingle_end
    .balign 16
csandboxmedia_jingle_start:
    .incbin "jingle.mp3"
csandboxmedia_jingle_end:

    .global csandboxmedia_companion_start, csandboxmedia_companion_end
    .balign 16
csandboxmedia_companion_start:
    .incbin "companion.png"
csandboxmedia_companion_end:

    .section .note.GNU-stack, "", %progbits
