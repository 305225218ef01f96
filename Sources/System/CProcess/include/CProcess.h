#ifndef CPROCESS_H
#define CPROCESS_H

/// Limits the number of arenas that threads allocate from. Has no effect outside the GNU C library.
void weir_limit_arenas(int most);

/// Keeps the memory of this process out of core files and from other processes of the user. Does
/// not affect programs that it starts (prctl(2), PR_SET_DUMPABLE). Linux only; macOS writes no core
/// files by default.
void weir_hide_memory(void);

#endif
