// A disk that fails when it is told to: SQLite's own file layer with a counter in front of what
// changes a file. Only files below one folder are counted, so that tests may run beside each other.
#ifndef WEIR_FAULTY_DISK_H
#define WEIR_FAULTY_DISK_H

#include <stdbool.h>

/// Puts the layer before SQLite's default one. Once a process, before the first file is opened.
void faulty_disk_install(void);

/// From now on the `failing`-th write, sync, truncation or removal below `folder` fails, counted from
/// 1; with `for_ever` every later one does too. 0: they are only counted.
void faulty_disk_arm(const char *folder, long failing, bool for_ever);

/// Makes the disk whole again, and returns how many such calls there were since it was armed.
long faulty_disk_disarm(void);

#endif
