/* syscall_filter.c - the filter of system calls in a sandbox: what refuses the
 * guest's code, by hand, because libseccomp does not test the instruction
 * pointer; and behind it, for all code, libseccomp's (syscall_policy.h). One
 * program, because the host translates each. */
#define _GNU_SOURCE
#include "scenarios/runner/run/syscall_filter.h"

#include <errno.h>

#ifdef __x86_64__

#include <assert.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scenarios/runner/run/syscall_policy.h"

enum {
    SYSCALL_BYTES = 2, /* of the instruction that the pointer is behind */
};

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offset))
#define LOAD_IP_LOW LOAD(offsetof(struct seccomp_data, instruction_pointer))
#define LOAD_IP_HIGH                                                           \
    LOAD(offsetof(struct seccomp_data, instruction_pointer) + 4)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
/* How many instructions are skipped when it is so, and when not. */
#define WHEN(test, value, yes, no)                                             \
    BPF_JUMP(BPF_JMP | (test) | BPF_K, (uint32_t)(value), (yes), (no))

enum { GUEST_STEPS = 19 };

/* What refuses the guest, and goes on behind itself for others. The pointer has
 * 64 bits and BPF has 32, so each bound takes two tests, and so does the gate.
 */
static void refuse_guest(struct sock_filter code[GUEST_STEPS], uint64_t low,
    uint64_t high, uint64_t gate)
{
    const struct sock_filter filter[] = {
        /*  0 */ LOAD_IP_LOW,
        /*  1 */ WHEN(BPF_JEQ, gate, 0, 6),
        /*  2 */ LOAD_IP_HIGH,
        /*  3 */ WHEN(BPF_JEQ, gate >> 32, 0, 5),
        /*  4 */ LOAD(offsetof(struct seccomp_data, nr)),
        /*  5 */ WHEN(BPF_JEQ, SYS_prctl, 0, 12),
        /*  6 */ LOAD(offsetof(struct seccomp_data, args[0])),
        /*  7 */ WHEN(BPF_JEQ, PR_GET_TIMERSLACK, 11, 10),
        /*  8 */ LOAD_IP_HIGH,
        /*  9 */ WHEN(BPF_JGT, low >> 32, 3, 0),
        /* 10 */ WHEN(BPF_JEQ, low >> 32, 0, 8),
        /* 11 */ LOAD_IP_LOW,
        /* 12 */ WHEN(BPF_JGE, low, 0, 6),
        /* 13 */ LOAD_IP_HIGH,
        /* 14 */ WHEN(BPF_JGT, high >> 32, 4, 0),
        /* 15 */ WHEN(BPF_JEQ, high >> 32, 0, 2),
        /* 16 */ LOAD_IP_LOW,
        /* 17 */ WHEN(BPF_JGE, high, 1, 0),
        /* 18 */ RETURN(SECCOMP_RET_TRAP),
    };

    _Static_assert(sizeof(filter) == GUEST_STEPS * sizeof(filter[0]), "whole");
    memcpy(code, filter, sizeof(filter));
}

bool syscall_filter_install(const struct syscall_guest *guest)
{
    struct sock_filter code[GUEST_STEPS + SYSCALL_POLICY_MOST];
    struct sock_fprog program = {0, code};
    struct syscall_policy policy;

    assert(guest->low <= guest->high);
    assert(guest->high < UINT64_MAX - SYSCALL_BYTES);
    if (!syscall_policy_make()) {
        return false;
    }
    if (guest->low < guest->high) {
        refuse_guest(code, guest->low + SYSCALL_BYTES,
            guest->high + SYSCALL_BYTES, guest->gate + SYSCALL_BYTES);
        program.len = GUEST_STEPS;
    }
    policy = syscall_policy_of(getpid());
    memcpy(
        code + program.len, policy.code, policy.count * sizeof(policy.code[0]));
    program.len = (unsigned short)(program.len + policy.count);
    /* Without the flag some hosts slow down everything that follows. */
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
               SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0;
}

#else

bool syscall_filter_install(const struct syscall_guest *guest)
{
    (void)guest;
    errno = ENOSYS;
    return false;
}

#endif
