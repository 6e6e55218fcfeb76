/* syscall_policy.h - the filter that libseccomp makes of syscalls.def, as a
 * program of the kernel's. It is made once, by whoever forks; each process has
 * it with its own number in it. Knows nothing of guests. */
#ifndef RUNNER_RUN_SYSCALL_POLICY_H
#define RUNNER_RUN_SYSCALL_POLICY_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { SYSCALL_POLICY_MOST = 256 };

struct syscall_policy {
    struct sock_filter code[SYSCALL_POLICY_MOST];
    unsigned short count;
};

/* Makes it, where that was not done before; it takes descriptors and files that
 * a sandbox does not have. Returns false, with errno set, when libseccomp or
 * the host refuses. */
bool syscall_policy_make(void);

/* The policy of the process `own`. It was made. */
struct syscall_policy syscall_policy_of(pid_t own);

#endif
