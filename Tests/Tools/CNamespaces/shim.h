// Linux calls that Swift's C library module hides, for the network lab.
#ifndef WEIR_CNAMESPACES_SHIM_H
#define WEIR_CNAMESPACES_SHIM_H
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Puts the calling thread into a network namespace.
static inline int weir_enter_network(int descriptor) {
  return (int)syscall(SYS_setns, descriptor, 0x40000000 /* CLONE_NEWNET */);
}

// Calls ppoll with a timeout in nanoseconds.
static inline void weir_poll(struct pollfd *pollers, int count, long nanoseconds) {
  struct timespec patience = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  syscall(SYS_ppoll, pollers, count, &patience, (void *)0, 0);
}

// Sets the niceness of the calling thread.
static inline void weir_set_niceness(int value) { setpriority(PRIO_PROCESS, 0, value); }
#endif
