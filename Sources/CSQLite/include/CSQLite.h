// The two things of SQLite's C interface that GRDB does not reach. CSQLite.c is the only file that
// includes <sqlite3.h>.
#ifndef WEIR_CSQLITE_H
#define WEIR_CSQLITE_H

/// Takes from a connection what no statement of ours needs and a doctored file could misuse: writing
/// to the schema and to the shadow tables of virtual tables. sqlite3_db_config is variadic, which
/// Swift cannot call.
/// https://www.sqlite.org/c3ref/c_dbconfig_defensive.html
/// - Returns: SQLITE_OK (0), or why not.
int weir_sqlite_defend(void *connection);

/// The errno of the system call that failed last on a connection, 0 where none did.
/// https://www.sqlite.org/c3ref/system_errno.html
int weir_sqlite_system_error(void *connection);

#endif
