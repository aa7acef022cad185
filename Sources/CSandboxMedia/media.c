#include "CSandboxMedia.h"

// The labels of media.S: the first byte of each file, and the first behind it.
extern const unsigned char csandboxmedia_film_start[], csandboxmedia_film_end[];
extern const unsigned char csandboxmedia_feature_start[], csandboxmedia_feature_end[];
extern const unsigned char csandboxmedia_jingle_start[], csandboxmedia_jingle_end[];
extern const unsigned char csandboxmedia_companion_start[], csandboxmedia_companion_end[];

static CSandboxMediaFile file(const unsigned char *start, const unsigned char *end) {
    return (CSandboxMediaFile){start, (size_t)(end - start)};
}

CSandboxMediaFile csandboxmedia_film(void) { return file(csandboxmedia_film_start, csandboxmedia_film_end); }

CSandboxMediaFile csandboxmedia_feature(void) { return file(csandboxmedia_feature_start, csandboxmedia_feature_end); }

CSandboxMediaFile csandboxmedia_jingle(void) { return file(csandboxmedia_jingle_start, csandboxmedia_jingle_end); }

CSandboxMediaFile csandboxmedia_companion(void) {
    return file(csandboxmedia_companion_start, csandboxmedia_companion_end);
}
