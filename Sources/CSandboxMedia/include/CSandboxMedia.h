#ifndef CSANDBOXMEDIA_H
#define CSANDBOXMEDIA_H

#include <stddef.h>

/// Bytes that live in the executable itself, for as long as it runs.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} CSandboxMediaFile;

/// Five seconds of H.264 and AAC, 640 by 360.
CSandboxMediaFile csandboxmedia_film(void);

/// Twenty-four seconds of H.264 and AAC, 640 by 360.
CSandboxMediaFile csandboxmedia_feature(void);

/// Five seconds of MP3.
CSandboxMediaFile csandboxmedia_jingle(void);

/// A PNG image, 300 by 250.
CSandboxMediaFile csandboxmedia_companion(void);

#endif
