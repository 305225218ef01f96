// The terminal as some thirty functions. CNcurses.c is the only file that includes <ncurses.h>.
//
// ncurses owns the terminal's modes, its description (terminfo) and the full-screen mode. It draws
// nothing: a curses window gives a cell one spacing character with marks, as wide as wcwidth(3) of
// the C library says, so that it can neither hold an emoji of several scalars nor mend a row after
// one that the terminal shows wider or narrower. The rows are written by NcursesTerminal.
#ifndef WEIR_CNCURSES_H
#define WEIR_CNCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Locale

/// Takes the environment's locale, or C.UTF-8 where it names none or one that is not installed but
/// says UTF-8. True where text goes out as UTF-8.
bool weir_locale(void);

// Opening and closing

/// Whether standard input and output both are terminals.
bool weir_is_terminal(void);

enum weir_description { WEIR_DESCRIBED, WEIR_UNKNOWN_TYPE, WEIR_NO_CURSOR_ADDRESSING };
/// What terminfo knows of a terminal type. Writes nothing to it.
enum weir_description weir_describe(const char *type);

/// Opens the terminal (newterm) and sets its modes: raw, no echo, application keypad. It shows the
/// alternate screen, cleared, when `weir_take` returns. False where it cannot be opened.
bool weir_open(const char *type);
/// Full-screen mode: the first time, and again after `weir_give`.
void weir_take(void);
/// The shell's modes and screen.
void weir_give(void);
/// Gives the terminal back for good and frees it.
void weir_close(void);

/// Columns and rows as the kernel has them, or terminfo where it has none; at least 1 × 1.
void weir_size(int *width, int *height);
/// Tells ncurses of a new size.
void weir_resize(int width, int height);

// The terminal's description (terminfo names)

/// A string capability, NULL where there is none. It may hold parameters and padding: see
/// `weir_expand`.
const char *weir_string(const char *name);
/// A number, -1 where there is none.
int weir_number(const char *name);
bool weir_flag(const char *name);
/// A capability with its parameters filled in and its padding as bytes. Gives the length; what does
/// not fit in the buffer is nothing.
size_t weir_expand(const char *capability, long first, long second, uint8_t *buffer, size_t size);

// Bytes

/// What has arrived, without waiting: a count, 0 for nothing, -1 where the terminal is gone.
ptrdiff_t weir_read(uint8_t *buffer, size_t size);
/// A descriptor of the terminal's own that never blocks, so that a terminal that does not read
/// stops nobody; standard output, which may block, where it cannot be had. (Making standard output
/// itself non-blocking would do so for the shell and all who share it.)
int weir_output(void);
/// Writes what can be written at once: a count, 0 where the terminal takes nothing now, -1 where it
/// is gone.
ptrdiff_t weir_write(int descriptor, const uint8_t *bytes, size_t size);
/// Waits until the terminal takes bytes, at most so long. False where it does not.
bool weir_wait_writable(int descriptor, int milliseconds);

// Signals

enum weir_signal {
  WEIR_RESIZED, WEIR_STOP, WEIR_CONTINUED, WEIR_HANG_UP, WEIR_TERMINATE, WEIR_INTERRUPT
};
/// Catches SIGWINCH, SIGTSTP, SIGCONT, SIGHUP, SIGTERM and SIGINT in all threads; gives a
/// descriptor to read them from, -1 on failure. (Handlers are reset in programs that are started,
/// where a blocked mask would be inherited.)
int weir_watch_signals(void);
/// The next caught signal of `enum weir_signal`, -1 for none.
int weir_next_signal(void);
/// Restores what the signals did before.
void weir_unwatch_signals(void);
/// Stops the whole job as the terminal's own Ctrl-Z does, returns when it is continued; returns at
/// once where there is no shell to continue it.
void weir_stop_job(void);

// Crashes

/// Remembers the terminal's modes as the shell left them: before `weir_open` changes them.
void weir_keep_shell_modes(void);
/// From now on whatever kills the process (SIGSEGV, SIGABRT, a failed check, SIGQUIT …) first sends the
/// farewell to `descriptor`, sets the shell's modes, and then kills as it would have.
void weir_watch_crashes(int descriptor);
void weir_unwatch_crashes(void);
/// What brings the terminal back as it was; none while the shell has it. At most 1 KiB.
void weir_set_farewell(const uint8_t *bytes, size_t size);

#endif
