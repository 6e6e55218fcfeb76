/* syscall_policy.c - the sandbox's seccomp filter: made once by libseccomp,
 * which takes longer than all else, and kept. */
#define _GNU_SOURCE
#include "scenarios/runner/run/syscall_policy.h"

#include <assert.h>
#include <errno.h>

#ifdef __x86_64__

#include <fcntl.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

enum arguments { ANY, OWN_PROCESS, PRIVATE_MAP, SETS_SLACK, GETS_SLACK };

static const struct {
    int number;
    enum arguments arguments;
} calls[] = {
#define SYSCALL(name, arguments) {SCMP_SYS(name), arguments},
#include "scenarios/runner/run/syscalls.def"
};

enum {
    CALLS = sizeof(calls) / sizeof(calls[0]),
    FIRST_PRIORITY = 255,
    NO_PROCESS = 0x7FFFFF01, /* larger than any; the process's own instead */
};

_Static_assert(CALLS <= FIRST_PRIORITY, "each call has a priority of its own");

static struct syscall_policy known;
static size_t own_at; /* the instruction that compares with NO_PROCESS */

/* Those before it in the table are asked for first. Returns 0, or -errno. */
static int allow_call(scmp_filter_ctx filter, size_t n)
{
    const struct scmp_arg_cmp wanted[] = {
        [OWN_PROCESS] = {0, SCMP_CMP_EQ, NO_PROCESS, 0},
        [PRIVATE_MAP] = {3, SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_PRIVATE,
            MAP_PRIVATE},
        [SETS_SLACK] = {0, SCMP_CMP_EQ, PR_SET_TIMERSLACK, 0},
        [GETS_SLACK] = {0, SCMP_CMP_EQ, PR_GET_TIMERSLACK, 0},
    };
    enum arguments arguments = calls[n].arguments;
    int problem = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW,
        calls[n].number, arguments == ANY ? 0 : 1, &wanted[arguments]);

    return problem != 0 ? problem
                        : seccomp_syscall_priority(filter, calls[n].number,
                              (uint8_t)(FIRST_PRIORITY - n));
}

static int describe(scmp_filter_ctx filter)
{
    /* A number means what we think in one ABI only. */
    int problem =
        seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_TRAP);

    for (size_t i = 0; i < CALLS && problem == 0; i++) {
        problem = allow_call(filter, i);
    }
    return problem;
}

/* Where a process's own number belongs, which is in one place. */
static bool find_own(const struct syscall_policy *policy, size_t *at)
{
    size_t found = 0;

    for (size_t i = 0; i < policy->count; i++) {
        if (policy->code[i].k == NO_PROCESS) {
            assert(policy->code[i].code == (BPF_JMP | BPF_JEQ | BPF_K));
            *at = i;
            found++;
        }
    }
    return found == 1;
}

/* Reads the program that libseccomp has written. */
static int take(int from)
{
    struct syscall_policy policy;
    ssize_t bytes = read(from, policy.code, sizeof(policy.code));

    if (bytes <= 0 || bytes == sizeof(policy.code)) {
        return bytes < 0 ? -errno : -ENOSPC;
    }
    policy.count = (unsigned short)((size_t)bytes / sizeof(policy.code[0]));
    if (!find_own(&policy, &own_at)) {
        return -EINVAL;
    }
    known = policy;
    return 0;
}

/* libseccomp writes into a descriptor only. A pipe has room for it, and no
 * limit of files' sizes counts there. */
static int make(scmp_filter_ctx filter)
{
    int ends[2];
    int problem = describe(filter);

    if (problem != 0) {
        return problem;
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return -errno;
    }
    problem = seccomp_export_bpf(filter, ends[1]);
    if (problem == 0) {
        problem = take(ends[0]);
    }
    close(ends[0]);
    close(ends[1]);
    return problem;
}

bool syscall_policy_make(void)
{
    scmp_filter_ctx filter;
    int problem;

    if (known.count > 0) {
        return true;
    }
    filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter == NULL) {
        errno = ENOMEM;
        return false;
    }
    problem = make(filter);
    seccomp_release(filter);
    errno = -problem;
    return problem == 0;
}

struct syscall_policy syscall_policy_of(pid_t own)
{
    struct syscall_policy policy = known;

    assert(policy.count > 0 && policy.code[own_at].k == NO_PROCESS);
    policy.code[own_at].k = (uint32_t)own;
    return policy;
}

#else

bool syscall_policy_make(void)
{
    errno = ENOSYS;
    return false;
}

struct syscall_policy syscall_policy_of(pid_t own)
{
    (void)own;
    return (struct syscall_policy){.count = 0};
}

#endif
