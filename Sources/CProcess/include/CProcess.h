#ifndef CPROCESS_H
#define CPROCESS_H

/// Sets the most arenas that threads allocate from. Does nothing outside of the GNU C library.
void weir_limit_arenas(int most);

/// Keeps the memory of this process out of core files and away from other processes of the user.
/// Programs that it starts are not affected (prctl(2), PR_SET_DUMPABLE). Linux only; macOS writes
/// no core files by default.
void weir_hide_memory(void);

#endif
