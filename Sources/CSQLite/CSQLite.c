#include "CSQLite.h"

#include <sqlite3.h>

int weir_sqlite_configure(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

int weir_sqlite_defend(void *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
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
  // After a failure a handle cannot be moved any more.
  sqlite3_blob_close(blob);
  *reader = 0;
  return -1;
}

void weir_sqlite_end_lengths(void *reader) { sqlite3_blob_close(reader); }
