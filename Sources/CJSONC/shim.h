#ifndef WEIR_CJSONC_SHIM_H
#define WEIR_CJSONC_SHIM_H
#include <json-c/json.h>
#endif
