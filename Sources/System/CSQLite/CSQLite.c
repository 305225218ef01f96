#include "CSQLite.h"

#include <sqlite3.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

int weir_sqlite_configure(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

const char *weir_sqlite_version(void) { return sqlite3_libversion(); }

int weir_sqlite_defend(void *connection) {
  // The largest row is that of an article, whose document has at most 15 MiB.
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 128 << 20);
  sqlite3_limit(connection, SQLITE_LIMIT_TRIGGER_DEPTH, 50);
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

void weir_sqlite_release_memory(void *connection) {
  sqlite3_db_release_memory(connection);
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

long long weir_sqlite_length(
    void *connection, const char *table, const char *column, long long row, void **reader) {
  sqlite3_blob *blob = *reader;
  int result = blob ? sqlite3_blob_reopen(blob, row)
                    : sqlite3_blob_open(connection, "main", table, column, row, 0, &blob);
  if (result == SQLITE_OK) {
    *reader = blob;
    return sqlite3_blob_bytes(blob);
  }
  // After a failure, a handle cannot be moved to another row.
  sqlite3_blob_close(blob);
  *reader = 0;
  return -1;
}

void weir_sqlite_end_lengths(void *reader) { sqlite3_blob_close(reader); }

int weir_sqlite_bind_integer(void *statement, int place, int64_t value) {
  return sqlite3_bind_int64(statement, place, value);
}

int weir_sqlite_bind_null(void *statement, int place) {
  return sqlite3_bind_null(statement, place);
}

int weir_sqlite_bind_text(
    void *statement, int place, const uint8_t *bytes, size_t count, int copies) {
  // Swift passes no address for no bytes, and SQLite would bind NULL.
  return sqlite3_bind_text64(
      statement, place, bytes ? (const char *)bytes : "", count,
      copies ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
}

int weir_sqlite_step(void *statement) { return sqlite3_step(statement); }

int weir_sqlite_reset(void *statement) { return sqlite3_reset(statement); }

int weir_sqlite_column_is_null(void *statement, int column) {
  return sqlite3_column_type(statement, column) == SQLITE_NULL;
}

int64_t weir_sqlite_column_integer(void *statement, int column) {
  return sqlite3_column_int64(statement, column);
}

const uint8_t *weir_sqlite_column_text(void *statement, int column, size_t *count) {
  const unsigned char *text = sqlite3_column_text(statement, column);
  *count = (size_t)sqlite3_column_bytes(statement, column);
  return text;
}
