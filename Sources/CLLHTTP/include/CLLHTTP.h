#ifndef WEIR_CLLHTTP_H
#define WEIR_CLLHTTP_H
/* llhttp, Node.js' HTTP/1.1 parser, as Debian's node-llhttp installs it; nothing is copied into this project. */
#include <stddef.h>
#ifndef LLHTTP_STRICT_MODE
#define LLHTTP_STRICT_MODE 1
#endif
#include "/usr/share/include/llhttp/llhttp.h"
#endif
