#define _XOPEN_SOURCE_EXTENDED 1
#define _DEFAULT_SOURCE 1
#define _DARWIN_C_SOURCE 1

#include "CNcurses.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

// Locale

const char *weir_curses_version(void) { return curses_version(); }

static bool is_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

static const char *locale_name(void) {
  static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < 3; i++) {
    const char *value = getenv(variables[i]);
    if (value && *value) return value;
  }
  return "";
}

bool weir_locale(void) {
  const char *name = locale_name();
  bool taken = setlocale(LC_ALL, "") != NULL;
  if (taken && is_utf8()) return true;
  bool says_utf8 = strstr(name, "UTF-8") || strstr(name, "utf8") || strstr(name, "UTF8");
  // ncurses reads keys as UTF-8 in any case.
  bool has_utf8 =
      (setlocale(LC_CTYPE, "C.UTF-8") || setlocale(LC_CTYPE, "en_US.UTF-8")) && is_utf8();
  // The names C and POSIX request ASCII; a missing name does not.
  return has_utf8 && (!*name || says_utf8);
}

bool weir_reads_utf8(void) { return is_utf8(); }

// Opening and closing

bool weir_is_terminal(void) { return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO); }

enum weir_description weir_describe(const char *type) {
  int error = 0;
  use_extended_names(TRUE);
  if (setupterm(type, STDOUT_FILENO, &error) != OK || error != 1) return WEIR_UNKNOWN_TYPE;
  bool addresses = weir_string("cup") != NULL && !weir_flag("hc");
  if (!addresses) del_curterm(cur_term);
  return addresses ? WEIR_DESCRIBED : WEIR_NO_CURSOR_ADDRESSING;
}

// The terminal's description

const char *weir_string(const char *name) {
  const char *value = tigetstr((char *)name);
  return value == (char *)-1 || !value || !*value ? NULL : value;
}

int weir_number(const char *name) {
  int value = tigetnum((char *)name);
  return value < 0 ? -1 : value;
}

bool weir_flag(const char *name) { return tigetflag((char *)name) > 0; }

// Bytes

ptrdiff_t weir_read(uint8_t *buffer, size_t size) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  int ready;
  do ready = poll(&input, 1, 0);
  while (ready < 0 && errno == EINTR);
  if (ready == 0) return 0;
  if (ready < 0) return -1;
  ptrdiff_t count = read(STDIN_FILENO, buffer, size);
  if (count > 0) return count;
  // Returns -1 at the end of the file, and for EIO after the terminal was disconnected.
  return count < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
}

int weir_output(void) {
  char name[256];
  if (ttyname_r(STDOUT_FILENO, name, sizeof name) == 0) {
    int descriptor = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor >= 0) return descriptor;
  }
  return STDOUT_FILENO;
}

ptrdiff_t weir_write(int descriptor, const uint8_t *bytes, size_t size) {
  ptrdiff_t count;
  do count = write(descriptor, bytes, size);
  while (count < 0 && errno == EINTR);
  if (count >= 0) return count;
  return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
}

bool weir_wait_writable(int descriptor, int milliseconds) {
  struct pollfd output = {.fd = descriptor, .events = POLLOUT};
  int ready = poll(&output, 1, milliseconds);
  return (ready > 0 && (output.revents & POLLOUT)) || (ready < 0 && errno == EINTR);
}

// Signals

static const int caught[] = {
    [WEIR_RESIZED] = SIGWINCH, [WEIR_STOP] = SIGTSTP,      [WEIR_CONTINUED] = SIGCONT,
    [WEIR_HANG_UP] = SIGHUP,   [WEIR_TERMINATE] = SIGTERM, [WEIR_INTERRUPT] = SIGINT,
};
enum { caught_count = sizeof caught / sizeof *caught };
static struct sigaction before[caught_count];
static int signal_pipe[2] = {-1, -1};

static void catch_signal(int number) {
  int saved = errno;
  for (uint8_t i = 0; i < caught_count; i++) {
    // A full pipe holds thousands of unread signals, so that this one can be dropped.
    if (caught[i] == number && write(signal_pipe[1], &i, 1) < 0) break;
  }
  if (number == SIGHUP || number == SIGTERM || number == SIGINT) weir_end_soon(number);
  errno = saved;
}

static void handle(int number) {
  struct sigaction action = {.sa_handler = catch_signal, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

int weir_watch_signals(void) {
  if (signal_pipe[0] < 0) {
    if (pipe(signal_pipe) < 0) return -1;
    for (int i = 0; i < 2; i++) {
      fcntl(signal_pipe[i], F_SETFD, FD_CLOEXEC);
      fcntl(signal_pipe[i], F_SETFL, O_NONBLOCK);
    }
  }
  sigset_t ours;
  sigemptyset(&ours);
  for (int i = 0; i < caught_count; i++) {
    sigaction(caught[i], NULL, &before[i]);
    sigaddset(&ours, caught[i]);
    // Signals that nohup or a shell without job control ignores stay ignored.
    bool may_be_ignored = i == WEIR_HANG_UP || i == WEIR_STOP || i == WEIR_INTERRUPT;
    if (before[i].sa_handler != SIG_IGN || !may_be_ignored) handle(caught[i]);
  }
  // Unblocks signals whose blocked state was inherited from the parent.
  pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
  return signal_pipe[0];
}

int weir_next_signal(void) {
  uint8_t which;
  return signal_pipe[0] >= 0 && read(signal_pipe[0], &which, 1) == 1 ? which : -1;
}

void weir_unwatch_signals(void) {
  if (signal_pipe[0] < 0) return;
  weir_end_soon(0);
  for (int i = 0; i < caught_count; i++) sigaction(caught[i], &before[i], NULL);
  close(signal_pipe[0]);
  close(signal_pipe[1]);
  signal_pipe[0] = signal_pipe[1] = -1;
}

void weir_stop_job(void) {
  struct sigaction standard = {.sa_handler = SIG_DFL}, on_stop, on_continue;
  sigaction(SIGTSTP, &standard, &on_stop);
  sigaction(SIGCONT, &standard, &on_continue);
  // Stops the whole job, as the terminal would: unless a waiting parent such as make stops too, the
  // shell does not notice. Without job control, the kernel drops the signal.
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &on_stop, NULL);
  sigaction(SIGCONT, &on_continue, NULL);
}
