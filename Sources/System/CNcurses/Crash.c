// Restores the terminal when the process crashes. All code here that runs in a signal handler is
// async-signal-safe (POSIX.1-2017, System Interfaces 2.4.3): no ncurses, no allocation, no lock.
#define _DEFAULT_SOURCE 1
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE 1

#include "CNcurses.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>

// Signals that end a process by default, except those that weir_watch_signals turns into an orderly
// exit. A failed check in Swift raises SIGILL or SIGTRAP.
static const int deadly[] = {
    SIGSEGV, SIGBUS, SIGILL,  SIGTRAP, SIGABRT, SIGFPE,
    SIGSYS,  SIGQUIT, SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2,
};
enum { deadly_count = sizeof deadly / sizeof *deadly };
static struct sigaction former[deadly_count];
static bool is_caught[deadly_count];

static uint8_t farewell[1024];
static atomic_size_t farewell_length;
static struct termios shell_modes, program_modes;
static bool knows_shell_modes, knows_program_modes;
static int output = STDOUT_FILENO;

// Stack of the handler after a stack overflow. Only the thread that calls `weir_watch_crashes` has
// one; an overflow in another thread ends the process without a farewell.
static uint8_t spare_stack[64 << 10];

static void say_farewell(void) {
  size_t length = atomic_exchange(&farewell_length, 0);
  if (length == 0) return;
  size_t sent = 0;
  struct pollfd terminal = {.fd = output, .events = POLLOUT};
  // The timeout keeps a terminal that does not read from delaying the end of the process.
  while (sent < length && poll(&terminal, 1, 200) > 0) {
    ptrdiff_t count = weir_write(output, farewell + sent, length - sent);
    if (count < 0) break;
    sent += (size_t)count;
  }
  weir_set_shell_modes();
}

static volatile sig_atomic_t ending;

static void die(int number) {
  int saved = errno;
  say_farewell();
  if (number == SIGALRM && ending > 0) _exit(128 + ending);
  for (int i = 0; i < deadly_count; i++) {
    if (deadly[i] == number) sigaction(number, &former[i], NULL);
  }
  // The signal is blocked until the handler returns; then the former action runs.
  raise(number);
  errno = saved;
}

void weir_end_soon(int number) {
  struct itimerval grace = {.it_value = {.tv_usec = number > 0 ? 700000 : 0}};
  ending = number == SIGINT ? SIGTERM : number;
  setitimer(ITIMER_REAL, &grace, NULL);
}

void weir_keep_shell_modes(void) {
  knows_shell_modes = tcgetattr(STDIN_FILENO, &shell_modes) == 0;
}

void weir_keep_program_modes(void) {
  knows_program_modes = tcgetattr(STDIN_FILENO, &program_modes) == 0;
}

// Sets the modes at once: the kernel has applied the output modes to the bytes that it accepted.
void weir_set_shell_modes(void) {
  if (knows_shell_modes) tcsetattr(STDIN_FILENO, TCSANOW, &shell_modes);
}

void weir_set_line_modes(void) {
  if (!knows_shell_modes) return;
  struct termios modes = shell_modes;
  modes.c_iflag &= ~(tcflag_t)IXON;
  modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSANOW, &modes);
}

void weir_set_program_modes(void) {
  if (knows_program_modes) tcsetattr(STDIN_FILENO, TCSANOW, &program_modes);
}

void weir_watch_crashes(int descriptor) {
  output = descriptor;
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE)) {
    stack_t spare = {.ss_sp = spare_stack, .ss_size = sizeof spare_stack};
    sigaltstack(&spare, NULL);
  }
  struct sigaction action = {.sa_handler = die, .sa_flags = SA_ONSTACK};
  // Blocks all signals, also SIGTTOU, so that a job in the background may set the modes.
  sigfillset(&action.sa_mask);
  for (int i = 0; i < deadly_count; i++) {
    sigaction(deadly[i], NULL, &former[i]);
    is_caught[i] = former[i].sa_handler != SIG_IGN;
    if (is_caught[i]) sigaction(deadly[i], &action, NULL);
  }
}

void weir_unwatch_crashes(void) {
  for (int i = 0; i < deadly_count; i++) {
    if (is_caught[i]) sigaction(deadly[i], &former[i], NULL);
    is_caught[i] = false;
  }
  output = STDOUT_FILENO;
}

void weir_set_farewell(const uint8_t *bytes, size_t size) {
  // The length is 0 meanwhile, so that a crash of another thread sends no part of the bytes.
  atomic_store(&farewell_length, 0);
  if (size > sizeof farewell) return;
  if (size > 0) memcpy(farewell, bytes, size);
  atomic_store(&farewell_length, size);
}
