// The terminal as some forty functions. Only this target includes <ncurses.h>.
//
// ncurses owns the terminal's description (terminfo), its modes and the full-screen mode, draws
// the cells and reads the keys. It never waits for the terminal: what it writes is collected in
// memory (`weir_take_drawn`), what it reads is written to a pipe (`weir_feed`).
#ifndef WEIR_CNCURSES_H
#define WEIR_CNCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Locale

/// Sets the environment's locale, or C.UTF-8 where it names none or one that is not installed but
/// says UTF-8. True where text goes out as UTF-8. Characters are those of C.UTF-8 in any case, where
/// that is installed: ncurses reads and measures by them.
bool weir_locale(void);
/// Whether ncurses reads UTF-8.
bool weir_reads_utf8(void);

// Opening and closing

/// The library's version: "ncurses 6.4.20221231".
const char *weir_curses_version(void);

/// Whether standard input and output both are terminals.
bool weir_is_terminal(void);

enum weir_description { WEIR_DESCRIBED, WEIR_UNKNOWN_TYPE, WEIR_NO_CURSOR_ADDRESSING };
/// What terminfo knows of a terminal type. Writes nothing to it. The description of one that is
/// described can be asked for until `weir_open` takes it.
enum weir_description weir_describe(const char *type);

enum { WEIR_DIRECT_COLORS = 1 << 25 };

/// What the terminal can do although its description does not say so.
struct weir_additions {
  /// Shows any red, green and blue (SGR 38;2). A colour is then a number below 256 of the palette,
  /// or 2^24 plus red, green and blue of 8 bits each.
  bool direct_color;
  /// Ignores private modes (DECSET) that it does not know, so that it can be asked for the mouse in
  /// decimal numbers (1000, 1006) and for no wrapping (7).
  bool private_modes;
};
/// Opens the described terminal (newterm) and sets its modes: raw, no echo, application keypad.
/// False where it cannot be opened.
bool weir_open(const char *type, struct weir_additions with);
/// Full-screen mode: the first time, and again after `weir_give`. What it writes is drawn.
void weir_take(void);
/// Ends full-screen mode. What it writes is drawn; then the shell's modes are to be set.
void weir_give(void);
/// Gives the terminal back for good and frees it.
void weir_close(void);

/// Columns and rows as the kernel has them, or terminfo where it has none; at least 1 × 1.
void weir_size(int *width, int *height);
/// Pixels of one cell. False where the terminal does not say.
bool weir_cell_pixels(int *width, int *height);
/// The number of this process.
int weir_process(void);
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

// Drawing

/// How many pairs of colours there can be; 0 where there are no colours.
int weir_pairs(void);
/// Gives a pair from 1 its colours; -1 is the terminal's own.
void weir_set_pair(int pair, int foreground, int background);

enum weir_attribute {
  WEIR_BOLD = 1, WEIR_DIM = 2, WEIR_ITALIC = 4, WEIR_UNDERLINE = 8, WEIR_REVERSE = 16
};

/// What one curses cell holds: a spacing character with at most four marks.
struct weir_cell {
  uint32_t base;
  uint32_t marks[4];
  int pair;
  uint8_t width;
  /// Of `enum weir_attribute`.
  uint8_t attributes;
};
/// Puts neighbouring cells on the window.
void weir_put(int x, int y, const struct weir_cell *cells, size_t count);
/// The columns that curses gives a character: wcwidth(3).
int weir_columns(uint32_t character);
/// Blanks the window, and has the next update draw all of it.
void weir_erase(void);
/// Draws what has changed (doupdate) and leaves the cursor there.
void weir_update(int x, int y);
void weir_show_cursor(bool shown);
/// The number of bytes that ncurses has written and nobody has taken.
size_t weir_drawn(void);
/// Takes them. Gives their number; what does not fit in the buffer is lost.
size_t weir_take_drawn(uint8_t *buffer, size_t size);
/// What brings the terminal from the style that was set last to another one, as ncurses would after
/// an update, which leaves it plain. Gives the length; what does not fit in the buffer is nothing.
size_t weir_style(uint8_t attributes, int pair, uint8_t *buffer, size_t size);

// Keys

/// Has ncurses read a sequence as the key of this number, from 0.
void weir_define_key(const char *bytes, int number);
/// Gives ncurses bytes to read: whole characters of UTF-8 and whole sequences only, as it would
/// wait for the rest of a mouse report and lose half a character. False where the pipe is full.
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
/// What stands next in the bytes that were fed (wget_wch).
struct weir_input weir_next_input(void);

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
/// Remembers the modes as they are: after `weir_open` has changed them.
void weir_keep_program_modes(void);
void weir_set_shell_modes(void);
void weir_set_program_modes(void);
/// From now on whatever kills the process (SIGSEGV, SIGABRT, a failed check, SIGQUIT …) first sends the
/// farewell to `descriptor`, sets the shell's modes, and then kills as it would have.
void weir_watch_crashes(int descriptor);
void weir_unwatch_crashes(void);
/// What brings the terminal back as it was; none while the shell has it. At most 1 KiB.
void weir_set_farewell(const uint8_t *bytes, size_t size);

#endif
