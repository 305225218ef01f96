// What GRDB does not reach of SQLite's C interface. CSQLite.c is the only file that includes
// <sqlite3.h>.
#ifndef WEIR_CSQLITE_H
#define WEIR_CSQLITE_H

#include <stddef.h>
#include <stdint.h>

/// Lets SQLite allocate without counting how much, for which all its threads would take turns. Before the
/// first connection of the process; later it changes nothing. sqlite3_config is variadic, which Swift
/// cannot call.
/// https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus
/// - Returns: SQLITE_OK (0), or why not.
int weir_sqlite_configure(void);

/// The version of the library in use: "3.40.1".
const char *weir_sqlite_version(void);

/// Takes from a connection what no statement of ours needs and a malicious file could misuse: writing
/// to the schema and to the shadow tables of virtual tables, rows of more than 128 MiB, triggers without
/// end. sqlite3_db_config is variadic too.
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

/// What binds and steps a statement (sqlite3_stmt *), for the few that run once for each article.
/// Places count from 1, columns from 0. All return SQLite's code unless they say otherwise.
/// https://www.sqlite.org/c3ref/bind_blob.html
int weir_sqlite_bind_integer(void *statement, int place, int64_t value);
int weir_sqlite_bind_null(void *statement, int place);
/// UTF-8. Unless it is copied it must stay where it is until something else is bound there.
int weir_sqlite_bind_text(
    void *statement, int place, const uint8_t *bytes, size_t count, int copies);
/// - Returns: SQLITE_ROW (100), SQLITE_DONE (101), or why not.
int weir_sqlite_step(void *statement);
int weir_sqlite_reset(void *statement);
/// - Returns: 1 for NULL, else 0.
int weir_sqlite_column_is_null(void *statement, int column);
int64_t weir_sqlite_column_integer(void *statement, int column);

#endif
