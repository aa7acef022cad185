/* The sources say #include "llhttp.h", but their header is installed elsewhere. */
#include "CLLHTTP.h"
