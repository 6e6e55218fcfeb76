/* syscall_filter.c - the filters of system calls in a sandbox: one for the
 * guest's code, by hand, because libseccomp does not test the instruction
 * pointer; and libseccomp's for all code. What is stricter of two counts. */
#define _GNU_SOURCE
#include "scenarios/runner/run/syscall_filter.h"

#include <errno.h>

#ifdef __x86_64__

#include <assert.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
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
    SYSCALL_BYTES = 2, /* of the instruction that the pointer is behind */
};

_Static_assert(CALLS <= FIRST_PRIORITY, "each call has a priority of its own");

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offset))
#define LOAD_IP_LOW LOAD(offsetof(struct seccomp_data, instruction_pointer))
#define LOAD_IP_HIGH                                                           \
    LOAD(offsetof(struct seccomp_data, instruction_pointer) + 4)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
/* How many instructions are skipped when it is so, and when not. */
#define WHEN(test, value, yes, no)                                             \
    BPF_JUMP(BPF_JMP | (test) | BPF_K, (uint32_t)(value), (yes), (no))

/* The pointer has 64 bits and BPF has 32, so each bound takes two tests, and so
 * does the gate. */
static bool refuse_guest(uint64_t low, uint64_t high, uint64_t gate)
{
    struct sock_filter filter[] = {
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
        /* 19 */ RETURN(SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {
        sizeof(filter) / sizeof(filter[0]), filter};

    /* Without the flag some hosts slow down everything that follows. */
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
               SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0;
}

/* Those before it in the table are asked for first. Returns 0, or -errno. */
static int allow_call(scmp_filter_ctx filter, size_t n)
{
    const struct scmp_arg_cmp wanted[] = {
        [OWN_PROCESS] = {0, SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0},
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

static int load(scmp_filter_ctx filter)
{
    /* A number means what we think in one ABI only. */
    int problem =
        seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_TRAP);

    if (problem == 0) {
        problem = seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
    }
    for (size_t i = 0; i < CALLS && problem == 0; i++) {
        problem = allow_call(filter, i);
    }
    return problem != 0 ? problem : seccomp_load(filter);
}

static bool refuse_others(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int problem;

    if (filter == NULL) {
        errno = ENOMEM;
        return false;
    }
    problem = load(filter);
    seccomp_release(filter);
    errno = -problem;
    return problem == 0;
}

bool syscall_filter_install(const struct syscall_guest *guest)
{
    assert(guest->low <= guest->high);
    assert(guest->high < UINT64_MAX - SYSCALL_BYTES);
    if (guest->low < guest->high &&
        !refuse_guest(guest->low + SYSCALL_BYTES, guest->high + SYSCALL_BYTES,
            guest->gate + SYSCALL_BYTES)) {
        return false;
    }
    return refuse_others();
}

#else

bool syscall_filter_install(const struct syscall_guest *guest)
{
    (void)guest;
    errno = ENOSYS;
    return false;
}

#endif
