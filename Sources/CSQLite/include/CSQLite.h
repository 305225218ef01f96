// What GRDB does not reach of SQLite's C interface. CSQLite.c is the only file that includes
// <sqlite3.h>.
#ifndef WEIR_CSQLITE_H
#define WEIR_CSQLITE_H

/// Lets SQLite allocate without counting how much, for which all its threads would take turns. Before the
/// first connection of the process; later it changes nothing. sqlite3_config is variadic, which Swift
/// cannot call.
/// https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus
/// - Returns: SQLITE_OK (0), or why not.
int weir_sqlite_configure(void);

/// Takes from a connection what no statement of ours needs and a doctored file could misuse: writing
/// to the schema and to the shadow tables of virtual tables. sqlite3_db_config is variadic too.
/// https://www.sqlite.org/c3ref/c_dbconfig_defensive.html
/// - Returns: SQLITE_OK (0), or why not.
int weir_sqlite_defend(void *connection);

/// The bytes of a text, without reading it: in SQL, length() reads all of a text, and octet_length() does not
/// exist before SQLite 3.43. https://www.sqlite.org/c3ref/blob_bytes.html
/// - Parameters:
///   - row: the row's integer key.
///   - reader: begins as NULL, is kept from one row to the next, and is given to
///     `weir_sqlite_end_lengths` at the end.
/// - Returns: -1 where there is no such row, or no text in it.
long long weir_sqlite_length(
    void *connection, const char *table, const char *column, long long row, void **reader);
void weir_sqlite_end_lengths(void *reader);

#endif
