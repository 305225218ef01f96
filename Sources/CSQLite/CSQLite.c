#include "CSQLite.h"

#include <sqlite3.h>

int weir_sqlite_configure(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

int weir_sqlite_defend(void *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

int weir_sqlite_bind_integer(void *statement, int place, int64_t value) {
  return sqlite3_bind_int64(statement, place, value);
}

int weir_sqlite_bind_null(void *statement, int place) {
  return sqlite3_bind_null(statement, place);
}

int weir_sqlite_bind_text(
    void *statement, int place, const uint8_t *bytes, size_t count, int copies) {
  // No bytes have no address in Swift, and no address would be NULL here.
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
