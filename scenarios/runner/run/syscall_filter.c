/* syscall_filter.c - the filter in classic BPF. By hand, because libseccomp
 * does not test the instruction pointer. */
#define _GNU_SOURCE
#include "scenarios/runner/run/syscall_filter.h"

#include <errno.h>

#ifdef __x86_64__

#include <assert.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum arguments { ANY, OWN_PROCESS };

static const struct {
    uint32_t number;
    enum arguments arguments;
} calls[] = {
#define SYSCALL(name, arguments) {__NR_##name, arguments},
#include "scenarios/runner/run/syscalls.def"
};

enum {
    FILTER_CALLS = sizeof(calls) / sizeof(calls[0]),
    FILTER_LENGTH = 24 + 5 * FILTER_CALLS,
    X32_BIT = 0x40000000,
    SYSCALL_BYTES = 2, /* of the instruction that the pointer is behind */
};

struct filter {
    struct sock_filter at[FILTER_LENGTH];
    unsigned short count;
};

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offset))
#define LOAD_FIELD(field) LOAD(offsetof(struct seccomp_data, field))
#define LOAD_IP_LOW LOAD(offsetof(struct seccomp_data, instruction_pointer))
#define LOAD_IP_HIGH                                                           \
    LOAD(offsetof(struct seccomp_data, instruction_pointer) + 4)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
/* How many instructions are skipped when it is so, and when not. */
#define WHEN(test, value, yes, no)                                             \
    BPF_JUMP(BPF_JMP | (test) | BPF_K, (uint32_t)(value), (yes), (no))

static void append(
    struct filter *filter, const struct sock_filter *part, size_t count)
{
    assert(filter->count + count <= FILTER_LENGTH);
    memcpy(filter->at + filter->count, part, count * sizeof(*part));
    filter->count = (unsigned short)(filter->count + count);
}

#define APPEND(filter, part)                                                   \
    append((filter), (part), sizeof(part) / sizeof((part)[0]))

/* A number means what we think in one ABI only. */
static void append_abi(struct filter *filter)
{
    static const struct sock_filter part[] = {
        LOAD_FIELD(arch),
        WHEN(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0),
        RETURN(SECCOMP_RET_TRAP),
        LOAD_FIELD(nr),
        WHEN(BPF_JGE, X32_BIT, 0, 1),
        RETURN(SECCOMP_RET_TRAP),
    };

    APPEND(filter, part);
}

/* The pointer has 64 bits and BPF has 32, so each bound takes two tests. */
static void append_guest(struct filter *filter, uint64_t low, uint64_t high)
{
    const struct sock_filter part[] = {
        /*  0 */ LOAD_IP_HIGH,
        /*  1 */ WHEN(BPF_JGT, low >> 32, 3, 0),
        /*  2 */ WHEN(BPF_JEQ, low >> 32, 0, 8),
        /*  3 */ LOAD_IP_LOW,
        /*  4 */ WHEN(BPF_JGE, low, 0, 6),
        /*  5 */ LOAD_IP_HIGH,
        /*  6 */ WHEN(BPF_JGT, high >> 32, 4, 0),
        /*  7 */ WHEN(BPF_JEQ, high >> 32, 0, 2),
        /*  8 */ LOAD_IP_LOW,
        /*  9 */ WHEN(BPF_JGE, high, 1, 0),
        /* 10 */ RETURN(SECCOMP_RET_TRAP),
        /* 11: outside */
    };

    APPEND(filter, part);
}

static void append_calls(struct filter *filter)
{
    static const struct sock_filter load[] = {LOAD_FIELD(nr)};
    static const struct sock_filter refuse[] = {
        RETURN(SECCOMP_RET_ERRNO | EPERM)};

    APPEND(filter, load);
    for (size_t i = 0; i < FILTER_CALLS; i++) {
        const struct sock_filter any[] = {
            WHEN(BPF_JEQ, calls[i].number, 0, 1),
            RETURN(SECCOMP_RET_ALLOW),
        };
        const struct sock_filter own_process[] = {
            WHEN(BPF_JEQ, calls[i].number, 0, 4),
            LOAD_FIELD(args[0]),
            WHEN(BPF_JEQ, getpid(), 0, 1),
            RETURN(SECCOMP_RET_ALLOW),
            RETURN(SECCOMP_RET_ERRNO | EPERM),
        };

        switch (calls[i].arguments) {
        case ANY:
            APPEND(filter, any);
            break;
        case OWN_PROCESS:
            APPEND(filter, own_process);
            break;
        }
    }
    APPEND(filter, refuse);
}

bool syscall_filter_install(uintptr_t guest_low, uintptr_t guest_high)
{
    struct filter filter = {.count = 0};
    struct sock_fprog program;

    assert(guest_low <= guest_high && guest_high < UINT64_MAX - SYSCALL_BYTES);
    append_abi(&filter);
    if (guest_low < guest_high) {
        append_guest(
            &filter, guest_low + SYSCALL_BYTES, guest_high + SYSCALL_BYTES);
    }
    append_calls(&filter);
    program = (struct sock_fprog){filter.count, filter.at};
    /* Without the flag some hosts slow down everything that follows. */
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
               SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0;
}

#else

bool syscall_filter_install(uintptr_t guest_low, uintptr_t guest_high)
{
    (void)guest_low;
    (void)guest_high;
    errno = ENOSYS;
    return false;
}

#endif
