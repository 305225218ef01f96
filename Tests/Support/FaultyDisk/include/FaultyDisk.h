// A disk that fails on request: SQLite's own file layer behind a counter of the calls that change a
// file. Only files below one folder are counted, so that tests can run in parallel.
#ifndef WEIR_FAULTY_DISK_H
#define WEIR_FAULTY_DISK_H

#include <stdbool.h>

/// Installs the layer before SQLite's default one. Call it once, before the first file is opened.
void faulty_disk_install(void);

/// Lets the `failing`-th write, sync, truncation or removal below `folder` fail, counted from 1,
/// and with `for_ever` every later one too. If `failing` is 0, the calls are only counted.
void faulty_disk_arm(const char *folder, long failing, bool for_ever);

/// Ends the failures and returns the number of such calls since the disk was armed.
long faulty_disk_disarm(void);

#endif
