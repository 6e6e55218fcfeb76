/* syscall_filter.h - which system calls this process may still make, by a
 * seccomp filter. Knows addresses, and not what lies there. */
#ifndef RUNNER_RUN_SYSCALL_FILTER_H
#define RUNNER_RUN_SYSCALL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

/* Where a guest's code lies, which makes no system call: [low, high), an empty
 * range when there is none; but for the instruction at `gate`, inside of the
 * range or not, which may be prctl(PR_GET_TIMERSLACK) and nothing else. */
struct syscall_guest {
    uintptr_t low, high;
    uintptr_t gate;
};

/* From now on and for good: a guest's instruction that makes a system call gets
 * SIGSYS, and so does one by another ABI than x86-64's anywhere; elsewhere the
 * calls of syscalls.def are allowed and all others fail with EPERM. Needs
 * PR_SET_NO_NEW_PRIVS. Returns false, with errno set, when the host has no such
 * filters. */
bool syscall_filter_install(const struct syscall_guest *guest);

#endif
