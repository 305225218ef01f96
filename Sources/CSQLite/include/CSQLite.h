// What GRDB does not reach of SQLite's C interface. CSQLite.c is the only file that includes
// <sqlite3.h>.
#ifndef WEIR_CSQLITE_H
#define WEIR_CSQLITE_H

/// Takes from a connection what no statement of ours needs and a doctored file could misuse: writing
/// to the schema and to the shadow tables of virtual tables. sqlite3_db_config is variadic, which
/// Swift cannot call.
/// https://www.sqlite.org/c3ref/c_dbconfig_defensive.html
/// - Returns: SQLITE_OK (0), or why not.
int weir_sqlite_defend(void *connection);

#endif
