#ifndef WEIR_CUV_SHIM_H
#define WEIR_CUV_SHIM_H
#include <uv.h>
#endif
