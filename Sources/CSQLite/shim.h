#ifndef WEIR_CSQLite_SHIM_H
#define WEIR_CSQLite_SHIM_H
#include <sqlite3.h>
#endif
