/* syscall_filter.h - which system calls this process may still make, by a
 * seccomp filter. Knows addresses, and not what lies there. */
#ifndef RUNNER_RUN_SYSCALL_FILTER_H
#define RUNNER_RUN_SYSCALL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

/* From now on and for good: an instruction in [guest_low, guest_high) that
 * makes any system call gets SIGSYS, and so does one by another ABI than
 * x86-64's anywhere; elsewhere the calls of syscalls.def are allowed and all
 * others fail with EPERM. An empty range has no guest. Needs
 * PR_SET_NO_NEW_PRIVS. Returns false, with errno set, when the host has no such
 * filters. */
bool syscall_filter_install(uintptr_t guest_low, uintptr_t guest_high);

#endif
