#ifndef WEIR_CSQLite_SHIM_H
#define WEIR_CSQLite_SHIM_H
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift cannot import: SQLite copies the text. */
static inline int weir_sqlite3_bind_text(sqlite3_stmt *statement, int place, const char *text, sqlite3_uint64 length) {
    return sqlite3_bind_text64(statement, place, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}
#endif
