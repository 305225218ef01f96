// Functions for the terminal. Only this target includes <ncurses.h>.
//
// ncurses handles the terminal's description (terminfo), its modes and the full-screen mode, draws
// the cells and decodes the keys. It never waits for the terminal: its output is collected in
// memory (`weir_remove_drawn`), and its input comes from a pipe (`weir_feed`).
#ifndef WEIR_CNCURSES_H
#define WEIR_CNCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Locale

/// Sets the environment's locale. Returns true if text is written as UTF-8: in a UTF-8 locale, and
/// if no locale or a missing UTF-8 locale is named while C.UTF-8 or en_US.UTF-8 is installed. Uses
/// these for LC_CTYPE in all other cases, too: ncurses reads and measures characters by it.
bool weir_locale(void);
/// True if ncurses reads UTF-8.
bool weir_reads_utf8(void);

// Opening and closing

/// Returns the library's version: "ncurses 6.4.20221231".
const char *weir_curses_version(void);

/// True if both standard input and standard output are terminals.
bool weir_is_terminal(void);

enum weir_description { WEIR_DESCRIBED, WEIR_UNKNOWN_TYPE, WEIR_NO_CURSOR_ADDRESSING };
/// Looks a terminal type up in terminfo, without writing to the terminal. If the type is described,
/// its capabilities can be read until `weir_open` is called.
enum weir_description weir_describe(const char *type);

enum { WEIR_DIRECT_COLORS = 1 << 25 };

/// Capabilities of the terminal that its description lacks.
struct weir_additions {
  /// Shows any red, green and blue (SGR 38;2). A colour is then a number below 256 of the palette,
  /// or 2^24 plus red, green and blue of 8 bits each.
  bool direct_color;
  /// Ignores unknown private modes (DECSET), so that it can be sent the modes for mouse reports in
  /// decimal numbers (1000, 1006) and for no wrapping (7).
  bool private_modes;
};
/// Opens the described terminal (newterm) and sets its modes: raw, no echo, application keypad.
/// Returns false if it cannot be opened.
bool weir_open(const char *type, struct weir_additions with);
/// Starts full-screen mode, also again after `weir_give`. Its output is in `weir_remove_drawn`.
void weir_take(void);
/// Ends full-screen mode. The caller writes the output (`weir_remove_drawn`), then sets the shell's
/// modes.
void weir_give(void);
/// Closes the terminal, restores the shell's modes and frees the screen.
void weir_close(void);

/// Gets the columns and rows from the kernel, else from ncurses, else 80 × 24; at least 1 × 1.
void weir_size(int *width, int *height);
/// Gets the pixels of one cell. Returns false if the terminal does not report them.
bool weir_cell_pixels(int *width, int *height);
/// Returns the process identifier.
int weir_process(void);
/// Sets the size that ncurses draws for.
void weir_resize(int width, int height);

// The terminal's description (terminfo names)

/// Returns a string capability, or NULL if there is none. It may contain parameters and padding:
/// see `weir_expand`.
const char *weir_string(const char *name);
/// Returns a numeric capability, or -1 if there is none.
int weir_number(const char *name);
bool weir_flag(const char *name);
/// Writes a capability with its parameters filled in and its padding as bytes. Returns the length,
/// or 0 if the buffer is too small.
size_t weir_expand(const char *capability, long first, long second, uint8_t *buffer, size_t size);

// Drawing

/// Returns the maximum number of colour pairs; 0 if there are no colours.
int weir_pairs(void);
/// Sets the colours of a pair (from 1); -1 is the terminal's default.
void weir_set_pair(int pair, int foreground, int background);

enum weir_attribute {
  WEIR_BOLD = 1, WEIR_DIM = 2, WEIR_ITALIC = 4, WEIR_UNDERLINE = 8, WEIR_REVERSE = 16
};

/// Contents of one curses cell: a spacing character with at most four marks.
struct weir_cell {
  uint32_t base;
  uint32_t marks[4];
  int pair;
  uint8_t width;
  /// Flags of `enum weir_attribute`.
  uint8_t attributes;
};
/// Puts adjacent cells on the window.
void weir_put(int x, int y, const struct weir_cell *cells, size_t count);
/// Returns the columns that curses gives a character: wcwidth(3).
int weir_columns(uint32_t character);
/// Blanks the window; the next update redraws all of it.
void weir_erase(void);
/// Draws the changes (doupdate) and leaves the cursor at this place.
void weir_update(int x, int y);
void weir_show_cursor(bool shown);
/// Returns the number of bytes written by ncurses and not yet collected.
size_t weir_drawn(void);
/// Collects these bytes and returns their number; those that do not fit in the buffer are lost.
size_t weir_remove_drawn(uint8_t *buffer, size_t size);
/// Writes the sequences that reset the style and set another, as ncurses does after an update,
/// which leaves the style plain. Returns the length, or 0 if the buffer is too small.
size_t weir_style(uint8_t attributes, int pair, uint8_t *buffer, size_t size);

// Keys

/// Makes ncurses read a sequence as the key of this number, from 0.
void weir_define_key(const char *bytes, int number);
/// Writes bytes for ncurses to read: whole UTF-8 characters and whole sequences only, as ncurses
/// would wait for the rest of a mouse report and lose half a character. Returns false if the pipe
/// is full.
bool weir_feed(const uint8_t *bytes, size_t size);

enum weir_input_kind {
  WEIR_NONE, WEIR_CHARACTER, WEIR_KEY, WEIR_PRESS, WEIR_RELEASE, WEIR_WHEEL_UP, WEIR_WHEEL_DOWN,
  /// A key that was not defined, or another button.
  WEIR_UNKNOWN
};
struct weir_input {
  enum weir_input_kind kind;
  /// The character, or the number of the key.
  uint32_t value;
  /// The cell of a mouse event.
  int x, y;
};
/// Returns the next input event from the bytes that were fed (wget_wch).
struct weir_input weir_next_input(void);

// Bytes

/// Reads the available bytes without waiting. Returns their number: 0 if there are none, -1 if the
/// terminal is gone.
ptrdiff_t weir_read(uint8_t *buffer, size_t size);
/// Opens a non-blocking descriptor of the terminal, so that a terminal that does not read blocks no
/// thread. Returns standard output, which may block, if that fails. (Making standard output itself
/// non-blocking would affect the shell and every process that shares it.)
int weir_output(void);
/// Writes as many bytes as possible at once. Returns their number: 0 if the terminal accepts none
/// now, -1 if it is gone.
ptrdiff_t weir_write(int descriptor, const uint8_t *bytes, size_t size);
/// Waits until the terminal accepts bytes. Returns false after the timeout.
bool weir_wait_writable(int descriptor, int milliseconds);

// Signals

enum weir_signal {
  WEIR_RESIZED, WEIR_STOP, WEIR_CONTINUED, WEIR_HANG_UP, WEIR_TERMINATE, WEIR_INTERRUPT
};
/// Catches SIGWINCH, SIGTSTP, SIGCONT, SIGHUP, SIGTERM and SIGINT in all threads. Returns a
/// descriptor to read them from, or -1 on failure. (Started programs reset handlers, but would
/// inherit a blocked mask.)
int weir_watch_signals(void);
/// Returns the next caught signal of `enum weir_signal`, or -1 if there is none.
int weir_next_signal(void);
/// Restores the previous actions of the signals, and cancels `weir_end_soon`.
void weir_unwatch_signals(void);
/// Restores the terminal and exits with the code of the signal after 0.7 s, even if no thread does
/// anything about the signal; 0 cancels that. Async-signal-safe.
void weir_end_soon(int number);
/// Stops the whole job, as Ctrl-Z in the terminal does, and returns when it is continued. Returns
/// at once if no shell could continue it.
void weir_stop_job(void);

// Crashes

/// Saves the shell's terminal modes; call it before `weir_open` changes them.
void weir_keep_shell_modes(void);
/// Saves the current modes; call it after `weir_open` has changed them.
void weir_keep_program_modes(void);
void weir_set_shell_modes(void);
/// Sets the shell's modes without echo, editing of lines and signals of keys, for a program that
/// writes lines. Call `weir_keep_shell_modes` first.
void weir_set_line_modes(void);
void weir_set_program_modes(void);
/// Handles fatal signals (SIGSEGV, SIGABRT, a failed check, SIGQUIT …): sends the farewell to
/// `descriptor`, sets the shell's modes, and then lets the signal kill the process.
void weir_watch_crashes(int descriptor);
void weir_unwatch_crashes(void);
/// Sets the sequences that restore the terminal; empty while the shell uses it. At most 1 KiB.
void weir_set_farewell(const uint8_t *bytes, size_t size);

#endif
