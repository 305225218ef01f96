// Limits of a process that decodes untrusted bytes.
#define _GNU_SOURCE 1
#define _DARWIN_C_SOURCE 1

#include "CPictures.h"

#include <stddef.h>
#include <sys/resource.h>

#ifdef __linux__
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

// Sanitisers map terabytes that they never touch.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WEIR_SANITIZED 1
#endif
#endif

static bool limit(int resource, rlim_t most) {
  struct rlimit value;
  if (getrlimit(resource, &value) != 0) return false;
  if (value.rlim_max != RLIM_INFINITY && value.rlim_max < most) most = value.rlim_max;
  value.rlim_cur = value.rlim_max = most;
  return setrlimit(resource, &value) == 0;
}

#ifdef __linux__

#if defined(__x86_64__)
#define WEIR_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define WEIR_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW(name)                                  \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/// Makes all other calls fail with EPERM: no file is opened, no socket or process created. On a
/// kernel without seccomp only the limits apply.
static void filter_calls(void) {
#ifdef WEIR_AUDIT_ARCH
  struct sock_filter filter[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, WEIR_AUDIT_ARCH, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
      ALLOW(read), ALLOW(write), ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(mprotect),
      ALLOW(madvise), ALLOW(brk), ALLOW(futex), ALLOW(exit), ALLOW(exit_group),
      ALLOW(rt_sigreturn), ALLOW(rt_sigprocmask), ALLOW(clock_gettime), ALLOW(getrandom),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
  };
  struct sock_fprog program = {
      .len = (unsigned short)(sizeof filter / sizeof *filter),
      .filter = filter,
  };
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}
#endif

bool weir_picture_confine(unsigned seconds) {
  bool is_limited = limit(RLIMIT_CPU, seconds) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0);
#if !defined(WEIR_SANITIZED)
  // Darwin accepts this limit but does not enforce it; there the checks of sizes bound the memory.
  is_limited = limit(RLIMIT_AS, 600ul << 20) && is_limited;
#endif
  limit(RLIMIT_NPROC, 0);
  is_limited = limit(RLIMIT_NOFILE, 0) && is_limited;
#ifdef __linux__
  filter_calls();
#endif
  return is_limited;
}
