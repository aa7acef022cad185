/* Three units, one installed file each: their static prototypes conflict when compiled as one. */
#include "CLLHTTP.h"
#if LLHTTP_VERSION_MAJOR != 8 || LLHTTP_VERSION_MINOR != 1
#error "Weir is checked against llhttp 8.1 (Debian 12, node-llhttp)"
#endif
#include "/usr/share/llhttp/llhttp.c"
