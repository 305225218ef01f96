// Functions of SQLite's C interface that GRDB does not offer. Only CSQLite.c includes <sqlite3.h>.
#ifndef WEIR_CSQLITE_H
#define WEIR_CSQLITE_H

#include <stddef.h>
#include <stdint.h>

/// Turns off SQLite's memory statistics, for which all threads share a lock. Has an effect only
/// before the process's first connection. sqlite3_config is variadic, which Swift cannot call.
/// https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus
/// - Returns: SQLITE_OK (0) or an error code.
int weir_sqlite_configure(void);

/// Returns the version of the library in use: "3.40.1".
const char *weir_sqlite_version(void);

/// Denies a connection what no statement needs and a malicious file could misuse: writing to the
/// schema and to shadow tables of virtual tables, rows of more than 128 MiB, unlimited trigger
/// recursion. sqlite3_db_config is variadic too.
/// https://www.sqlite.org/c3ref/c_dbconfig_defensive.html
/// - Returns: SQLITE_OK (0) or an error code.
int weir_sqlite_defend(void *connection);

/// Frees the pages that a connection (sqlite3 *) keeps, and gives freed memory back to the system.
void weir_sqlite_release_memory(void *connection);

/// Returns the bytes of a text without reading it: SQL's length() reads all of a text, and
/// octet_length() requires SQLite 3.43. https://www.sqlite.org/c3ref/blob_bytes.html
/// - Parameters:
///   - row: the row's integer key.
///   - reader: NULL for the first row, then passed on from row to row, and at the end to
///     `weir_sqlite_end_lengths`.
/// - Returns: -1 if there is no such row, or no text in it.
long long weir_sqlite_length(
    void *connection, const char *table, const char *column, long long row, void **reader);
void weir_sqlite_end_lengths(void *reader);

/// Functions that bind and step a statement (sqlite3_stmt *), for the few that run once per
/// article. Places count from 1, columns from 0. All return SQLite's code unless stated otherwise.
/// https://www.sqlite.org/c3ref/bind_blob.html
int weir_sqlite_bind_integer(void *statement, int place, int64_t value);
int weir_sqlite_bind_null(void *statement, int place);
/// Binds UTF-8. Bytes that are not copied must stay valid until the place is bound again.
int weir_sqlite_bind_text(
    void *statement, int place, const uint8_t *bytes, size_t count, int copies);
/// - Returns: SQLITE_ROW (100), SQLITE_DONE (101), or an error code.
int weir_sqlite_step(void *statement);
int weir_sqlite_reset(void *statement);
/// - Returns: 1 for NULL, else 0.
int weir_sqlite_column_is_null(void *statement, int column);
int64_t weir_sqlite_column_integer(void *statement, int column);
/// - Parameter count: set to the text's length in bytes.
/// - Returns: UTF-8, valid until the next step; NULL for NULL.
const uint8_t *weir_sqlite_column_text(void *statement, int column, size_t *count);

#endif
