// The curses screen. ncurses writes to a file in memory and reads from a pipe, so that it never
// waits for the terminal.
#define _GNU_SOURCE 1
#define _XOPEN_SOURCE_EXTENDED 1
#define _DARWIN_C_SOURCE 1

#include "CNcurses.h"
#include "Description.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

#include <ncurses.h>
#include <term.h>

static SCREEN *screen;
/// Pad that keys are read from; reading from a window would refresh the window.
static WINDOW *input_window;
static FILE *curses_output, *curses_input;
static int frame = -1;
static int keys = -1;
static bool has_default_colors;

// Opening and closing

static int memory_file(void) {
#ifdef __linux__
  return memfd_create("weir-frame", MFD_CLOEXEC);
#else
  FILE *file = tmpfile();
  int descriptor = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
  if (file) fclose(file);
  return descriptor;
#endif
}

/// Opens the terminal, whose modes ncurses sets, and a pipe. Later ncurses writes to memory.
static bool open_files(void) {
  int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  int input[2] = {-1, -1};
  frame = memory_file();
  if (output >= 0 && frame >= 0 && pipe(input) == 0) {
    for (int i = 0; i < 2; i++) {
      fcntl(input[i], F_SETFD, FD_CLOEXEC);
      fcntl(input[i], F_SETFL, O_NONBLOCK);
    }
    keys = input[1];
    curses_output = fdopen(output, "w");
    curses_input = fdopen(input[0], "r");
    if (curses_output && curses_input) return true;
  }
  return false;
}

static void close_files(void) {
  if (curses_output) fclose(curses_output);
  if (curses_input) fclose(curses_input);
  if (frame >= 0) close(frame);
  if (keys >= 0) close(keys);
  curses_output = curses_input = NULL;
  frame = keys = -1;
}

static SCREEN *new_screen(const char *type, struct weir_additions with) {
  char *description = weir_completed_description(type, with);
  del_curterm(cur_term);
  if (description) {
    const char *current = getenv("TERMINFO");
    char *former = current ? strdup(current) : NULL;
    setenv("TERMINFO", description, 1);
    free(description);
    SCREEN *result = newterm(type, curses_output, curses_input);
    if (former) {
      setenv("TERMINFO", former, 1);
      free(former);
    } else {
      unsetenv("TERMINFO");
    }
    if (result) return result;
  }
  return newterm(type, curses_output, curses_input);
}

bool weir_open(const char *type, struct weir_additions with) {
#if NCURSES_VERSION_PATCH >= 20120714
  // Uses the kernel's size: COLUMNS and LINES may belong to another terminal or be wrong.
  use_tioctl(TRUE);
#endif
  if (open_files()) screen = new_screen(type, with);
  if (!screen) {
    close_files();
    return false;
  }
  // Reads Ctrl-C and Ctrl-Z as keys, and keeps Ctrl-S from stopping the output.
  raw();
  noecho();
  nonl();
  weir_keep_program_modes();
  dup2(frame, fileno(curses_output));
  fcntl(fileno(curses_output), F_SETFD, FD_CLOEXEC);
  if (start_color() == OK) has_default_colors = use_default_colors() == OK;
  typeahead(-1);
  // Only whole sequences are written to the pipe, so that no delay is needed.
  set_escdelay(0);
  input_window = newpad(1, 1);
  keypad(input_window, TRUE);
  nodelay(input_window, TRUE);
  if (with.private_modes) {
    mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0);
  }
  // Before full-screen mode has ended once, ncurses flushes its file after each movement of the
  // cursor: some thirty system calls for a frame. `weir_take` begins the mode.
  endwin();
  lseek(frame, 0, SEEK_SET);
  return true;
}

void weir_take(void) {
  weir_set_program_modes();
  weir_erase();
  refresh();
  // `weir_give` resets the keypad's mode, and ncurses would set it only at the next key.
  keypad(input_window, TRUE);
}

void weir_give(void) { endwin(); }

void weir_close(void) {
  if (!screen) return;
  if (!isendwin()) endwin();
  weir_set_shell_modes();
  delwin(input_window);
  delscreen(screen);
  screen = NULL;
  close_files();
}

void weir_size(int *width, int *height) {
  struct winsize size;
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  *width = known && size.ws_col > 0 ? size.ws_col : COLS > 0 ? COLS : 80;
  *height = known && size.ws_row > 0 ? size.ws_row : LINES > 0 ? LINES : 24;
}

bool weir_cell_pixels(int *width, int *height) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
    return false;
  }
  *width = size.ws_xpixel / size.ws_col;
  *height = size.ws_ypixel / size.ws_row;
  return *width > 1 && *height > 1;
}

int weir_process(void) { return (int)getpid(); }

void weir_resize(int width, int height) { resize_term(height, width); }

// Drawing

int weir_pairs(void) { return has_colors() ? COLOR_PAIRS : 0; }

void weir_set_pair(int pair, int foreground, int background) {
  if (!has_default_colors) {
    if (foreground < 0) foreground = COLOR_WHITE;
    if (background < 0) background = COLOR_BLACK;
  }
  init_extended_pair(pair, foreground, background);
}

static attr_t curses_attributes(uint8_t attributes) {
  return (attributes & WEIR_BOLD ? A_BOLD : 0) | (attributes & WEIR_DIM ? A_DIM : 0) |
         (attributes & WEIR_ITALIC ? A_ITALIC : 0) |
         (attributes & WEIR_UNDERLINE ? A_UNDERLINE : 0) |
         (attributes & WEIR_REVERSE ? A_REVERSE : 0);
}

void weir_put(int x, int y, const struct weir_cell *cells, size_t count) {
  enum { at_once = 256 };
  cchar_t drawn[at_once];
  while (count > 0) {
    int part = count < at_once ? (int)count : at_once, width = 0;
    for (int i = 0; i < part; i++) {
      wchar_t text[6] = {(wchar_t)cells[i].base};
      for (int mark = 0; mark < 4; mark++) text[mark + 1] = (wchar_t)cells[i].marks[mark];
      int pair = cells[i].pair;
      setcchar(&drawn[i], text, curses_attributes(cells[i].attributes), 0, &pair);
      width += cells[i].width;
    }
    mvwadd_wchnstr(stdscr, y, x, drawn, part);
    x += width;
    cells += part;
    count -= (size_t)part;
  }
}

int weir_columns(uint32_t character) { return wcwidth((wchar_t)character); }

void weir_erase(void) {
  werase(stdscr);
  clearok(curscr, TRUE);
}

void weir_update(int x, int y) {
  wmove(stdscr, y, x);
  wnoutrefresh(stdscr);
  doupdate();
}

void weir_show_cursor(bool shown) { curs_set(shown); }

size_t weir_drawn(void) {
  off_t length = lseek(frame, 0, SEEK_CUR);
  return length > 0 ? (size_t)length : 0;
}

size_t weir_remove_drawn(uint8_t *buffer, size_t size) {
  size_t length = 0;
  while (length < size) {
    ssize_t count = pread(frame, buffer + length, size - length, (off_t)length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    length += (size_t)count;
  }
  // The next frame overwrites this one: a truncated file would have to allocate its memory again.
  lseek(frame, 0, SEEK_SET);
  return length;
}

static uint8_t *collected;
static size_t collected_room, collected_length;

static int collect_byte(int byte) {
  if (collected_length < collected_room) collected[collected_length] = (uint8_t)byte;
  collected_length++;
  return byte;
}

static size_t collect(uint8_t *buffer, size_t size) {
  collected = buffer;
  collected_room = size;
  collected_length = 0;
  return size;
}

size_t weir_style(uint8_t attributes, int pair, uint8_t *buffer, size_t size) {
  collect(buffer, size);
  // vid_puts keeps the colours when it changes from a colour pair to pair 0: it starts plain.
  vid_puts(A_NORMAL, 0, &(int){0}, collect_byte);
  collect(buffer, size);
  if (exit_attribute_mode) tputs(exit_attribute_mode, 1, collect_byte);
  vid_puts(curses_attributes(attributes), 0, &pair, collect_byte);
  return collected_length <= size ? collected_length : 0;
}

size_t weir_expand(const char *capability, long first, long second, uint8_t *buffer, size_t size) {
  const char *expanded =
      tparm((char *)capability, first, second, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
  if (!expanded) return 0;
  collect(buffer, size);
  tputs(expanded, 1, collect_byte);
  return collected_length <= size ? collected_length : 0;
}

// Keys

void weir_define_key(const char *bytes, int number) { define_key(bytes, KEY_MAX + 1 + number); }

bool weir_feed(const uint8_t *bytes, size_t size) {
  return write(keys, bytes, size) == (ssize_t)size;
}

static struct weir_input mouse_input(void) {
  struct weir_input input = {.kind = WEIR_UNKNOWN};
  MEVENT event;
  if (getmouse(&event) != OK) return input;
  input.x = event.x;
  input.y = event.y;
  if (event.bstate & BUTTON1_PRESSED) input.kind = WEIR_PRESS;
  if (event.bstate & BUTTON1_RELEASED) input.kind = WEIR_RELEASE;
  if (event.bstate & BUTTON4_PRESSED) input.kind = WEIR_WHEEL_UP;
  if (event.bstate & BUTTON5_PRESSED) input.kind = WEIR_WHEEL_DOWN;
  return input;
}

struct weir_input weir_next_input(void) {
  struct weir_input input = {.kind = WEIR_NONE};
  wint_t value = 0;
  int code = wget_wch(input_window, &value);
  if (code == ERR) return input;
  if (code != KEY_CODE_YES) {
    input.kind = WEIR_CHARACTER;
    input.value = (uint32_t)value;
  } else if (value == KEY_MOUSE) {
    input = mouse_input();
  } else {
    input.kind = value > KEY_MAX ? WEIR_KEY : WEIR_UNKNOWN;
    input.value = (uint32_t)value - KEY_MAX - 1;
  }
  return input;
}
