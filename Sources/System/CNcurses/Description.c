// Compiles a terminal's description with additions to it, in the format of term(5) with 32-bit
// numbers, as text for the variable TERMINFO ("hex:…", ncurses 6.1 and later).
#define _XOPEN_SOURCE_EXTENDED 1
#define _DEFAULT_SOURCE 1
#define _DARWIN_C_SOURCE 1

#include "Description.h"

#include <stdlib.h>
#include <string.h>

#include <ncurses.h>
#include <term.h>

enum { entry_limit = 32768, string_limit = 600 };

struct buffer {
  uint8_t bytes[entry_limit];
  size_t length;
  bool overflows;
};

static void put_bytes(struct buffer *to, const void *bytes, size_t count) {
  if (count > sizeof to->bytes - to->length) {
    to->overflows = true;
    return;
  }
  memcpy(to->bytes + to->length, bytes, count);
  to->length += count;
}

static void put_byte(struct buffer *to, int value) {
  uint8_t byte = (uint8_t)value;
  put_bytes(to, &byte, 1);
}

static void put_short(struct buffer *to, int value) {
  put_byte(to, value & 0xFF);
  put_byte(to, value >> 8 & 0xFF);
}

static void put_number(struct buffer *to, int value) {
  put_short(to, value & 0xFFFF);
  put_short(to, value >> 16 & 0xFFFF);
}

static void put_text(struct buffer *to, const char *text) {
  put_bytes(to, text, strlen(text) + 1);
}

/// Pads to an even offset, at which tables begin.
static void align(struct buffer *to) {
  if (to->length % 2) put_byte(to, 0);
}

// A colour below 2^24 is a palette index; any other is 2^24 plus its red, green and blue.
#define COLOR(plain, bright, extended)                                                             \
  "\033[%?%p1%{8}%<%t" plain "%p1%d%e%p1%{16}%<%t" bright "%p1%{8}%-%d%e%p1%{16777216}%<%t"        \
  extended ";5;%p1%d%e" extended                                                                   \
  ";2;%p1%{65536}%/%{255}%&%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m"

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names; names++) {
    if (strcmp(name, *names) == 0) return true;
  }
  return false;
}

static const char *described(const char *name) {
  const char *value = tigetstr((char *)name);
  return value == (char *)-1 ? NULL : value;
}

static const char *string_value(const char *name, struct weir_additions with) {
  // Excluded capabilities. The terminal shifts or repeats cells by its own measure of clusters,
  // which may differ from ncurses'. Moved rows would take along the overlay, which ncurses does not
  // know. Tab stops and the palette are the user's. One string for all attributes (sgr) is expanded
  // at each change of style, while the strings of single attributes are copied.
  static const char *const unused[] = {
    "rep", "ich", "ich1", "dch", "dch1", "smir", "rmir", "smdc", "rmdc", "csr", "il", "il1", "dl",
    "dl1", "ind", "indn", "ri", "rin", "ht", "cbt", "hts", "sgr", "initc", "initp", "oc", NULL,
  };
  if (is_one_of(name, unused)) return NULL;
  // ncurses would expand all of these at each cursor movement and pick the shortest, which took a
  // sixth of the time for a frame. "cup" alone takes some bytes more.
  static const char *const relative[] = {
    "cub", "cub1", "cud", "cud1", "cuf", "cuf1", "cuu", "cuu1", "home", "hpa", "ll", "vpa", NULL,
  };
  if (with.private_modes) {
    if (is_one_of(name, relative)) return NULL;
    if (strcmp(name, "kmous") == 0) return "\033[<";
    // Draws the last cell of the last row, which otherwise stays blank.
    if (!described("rmam") || !described("smam")) {
      if (strcmp(name, "rmam") == 0) return "\033[?7l";
      if (strcmp(name, "smam") == 0) return "\033[?7h";
    }
  }
  if (with.direct_color) {
    if (strcmp(name, "setf") == 0 || strcmp(name, "setb") == 0) return NULL;
    if (strcmp(name, "setaf") == 0) return COLOR("3", "9", "38");
    if (strcmp(name, "setab") == 0) return COLOR("4", "10", "48");
  }
  return described(name);
}

static int number_value(const char *name, struct weir_additions with) {
  if (with.direct_color && strcmp(name, "colors") == 0) return WEIR_DIRECT_COLORS;
  if (with.direct_color && strcmp(name, "pairs") == 0) return 65536;
  int value = tigetnum((char *)name);
  return value < 0 ? -1 : value;
}

static bool flag_value(const char *name) {
  if (strcmp(name, "ccc") == 0) return false;
  // The code does not rely on where the cursor is after the last column.
  if (strcmp(name, "xenl") == 0) return true;
  return tigetflag((char *)name) > 0;
}

static size_t count_of(NCURSES_CONST char *const *names) {
  size_t count = 0;
  while (names[count]) count++;
  return count;
}

/// Writes capabilities that have no standard name in terminfo.
static void put_extensions(struct buffer *to, struct weir_additions with) {
  const char *names[8], *values[8];
  size_t flags = 0, strings = 0;
  if (tigetflag("AX") > 0) names[flags++] = "AX";
  if (with.direct_color) names[flags++] = "RGB";
  struct {
    const char *name, *value;
  } const extended[] = {
    // Mouse mode: presses, releases and the wheel, as decimal numbers.
    {"XM", with.private_modes ? "\033[?1006;1000%?%p1%{1}%=%th%el%;" : described("XM")},
    {"smxx", described("smxx")},
    {"rmxx", described("rmxx")},
  };
  for (size_t i = 0; i < sizeof extended / sizeof *extended; i++) {
    if (!extended[i].value) continue;
    names[flags + strings] = extended[i].name;
    values[strings++] = extended[i].value;
  }
  size_t size = 0;
  for (size_t i = 0; i < strings; i++) size += strlen(values[i]) + 1;
  for (size_t i = 0; i < flags + strings; i++) size += strlen(names[i]) + 1;

  align(to);
  put_short(to, (int)flags);
  put_short(to, 0);
  put_short(to, (int)strings);
  put_short(to, (int)(strings + flags + strings));
  put_short(to, (int)size);
  for (size_t i = 0; i < flags; i++) put_byte(to, 1);
  align(to);
  int offset = 0;
  for (size_t i = 0; i < strings; i++) {
    put_short(to, offset);
    offset += (int)strlen(values[i]) + 1;
  }
  offset = 0;
  for (size_t i = 0; i < flags + strings; i++) {
    put_short(to, offset);
    offset += (int)strlen(names[i]) + 1;
  }
  for (size_t i = 0; i < strings; i++) put_text(to, values[i]);
  for (size_t i = 0; i < flags + strings; i++) put_text(to, names[i]);
}

static void compile(struct buffer *entry, const char *type, struct weir_additions with) {
  static struct buffer table;
  table.length = 0;
  table.overflows = false;
  size_t flags = count_of(boolnames), numbers = count_of(numnames), strings = count_of(strnames);
  int offsets[string_limit];
  if (strings > string_limit) {
    entry->overflows = true;
    return;
  }
  for (size_t i = 0; i < strings; i++) {
    const char *value = string_value(strnames[i], with);
    offsets[i] = value ? (int)table.length : -1;
    if (value) put_text(&table, value);
  }

  put_short(entry, 01036);
  put_short(entry, (int)strlen(type) + 1);
  put_short(entry, (int)flags);
  put_short(entry, (int)numbers);
  put_short(entry, (int)strings);
  put_short(entry, (int)table.length);
  put_text(entry, type);
  for (size_t i = 0; i < flags; i++) put_byte(entry, flag_value(boolnames[i]));
  align(entry);
  for (size_t i = 0; i < numbers; i++) put_number(entry, number_value(numnames[i], with));
  for (size_t i = 0; i < strings; i++) put_short(entry, offsets[i]);
  put_bytes(entry, table.bytes, table.length);
  put_extensions(entry, with);
  entry->overflows |= table.overflows;
}

char *weir_completed_description(const char *type, struct weir_additions with) {
  static struct buffer entry;
  entry.length = 0;
  entry.overflows = false;
  compile(&entry, type, with);
  if (entry.overflows) return NULL;
  char *text = malloc(4 + 2 * entry.length + 1);
  if (!text) return NULL;
  memcpy(text, "hex:", 4);
  for (size_t i = 0; i < entry.length; i++) {
    static const char digits[] = "0123456789ABCDEF";
    text[4 + 2 * i] = digits[entry.bytes[i] >> 4];
    text[5 + 2 * i] = digits[entry.bytes[i] & 15];
  }
  text[4 + 2 * entry.length] = 0;
  return text;
}
