/* test_syscall_policy.c - what the policy answers to each system call, worked
 * out from its program as the kernel does. */
#define _GNU_SOURCE
#include "scenarios/runner/run/syscall_policy.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "tests/runner/run/confined.h"

enum { NUMBERS = 1024, OWN = 4711, X32 = 0x40000000 };

enum arguments { ANY, OWN_PROCESS, PRIVATE_MAP, SETS_SLACK, GETS_SLACK };

static const struct {
    long number;
    enum arguments arguments;
} allowed[] = {
#define SYSCALL(name, arguments) {SYS_##name, arguments},
#include "scenarios/runner/run/syscalls.def"
};

static uint32_t word_at(const struct seccomp_data *data, uint32_t offset)
{
    uint32_t word;

    assert_true(offset % 4 == 0 && offset < sizeof(*data));
    memcpy(&word, (const char *)data + offset, sizeof(word));
    return word;
}

static bool holds(uint16_t test, uint32_t left, uint32_t right)
{
    switch (test) {
    case BPF_JEQ:
        return left == right;
    case BPF_JGT:
        return left > right;
    case BPF_JGE:
        return left >= right;
    default:
        assert_int_equal(test, BPF_JSET);
        return (left & right) != 0;
    }
}

/* The action for the call. */
static uint32_t answer(
    const struct syscall_policy *policy, const struct seccomp_data *data)
{
    uint32_t word = 0;

    for (size_t at = 0; at < policy->count; at++) {
        const struct sock_filter *code = &policy->code[at];

        switch (BPF_CLASS(code->code)) {
        case BPF_RET:
            return code->k;
        case BPF_LD:
            assert_int_equal(code->code, BPF_LD | BPF_W | BPF_ABS);
            word = word_at(data, code->k);
            break;
        case BPF_ALU:
            assert_int_equal(code->code, BPF_ALU | BPF_AND | BPF_K);
            word &= code->k;
            break;
        default:
            assert_int_equal(BPF_CLASS(code->code), BPF_JMP);
            at += BPF_OP(code->code) == BPF_JA               ? code->k
                  : holds(BPF_OP(code->code), word, code->k) ? code->jt
                                                             : code->jf;
            break;
        }
    }
    fail_msg("the program has no end");
    return 0;
}

static uint32_t answer_to(long number, uint64_t first, uint64_t fourth)
{
    const struct syscall_policy policy = syscall_policy_of(OWN);
    const struct seccomp_data data = {.nr = (int)number,
        .arch = AUDIT_ARCH_X86_64,
        .args = {first, 1, 2, fourth}};

    return answer(&policy, &data);
}

static uint32_t want_of(long number, uint64_t first, uint64_t fourth)
{
    for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
        const bool fits[] = {
            [ANY] = true,
            [OWN_PROCESS] = first == OWN,
            [PRIVATE_MAP] =
                (fourth & (MAP_SHARED | MAP_PRIVATE)) == MAP_PRIVATE,
            [SETS_SLACK] = first == PR_SET_TIMERSLACK,
            [GETS_SLACK] = first == PR_GET_TIMERSLACK,
        };

        if (allowed[i].number == number && fits[allowed[i].arguments]) {
            return SECCOMP_RET_ALLOW;
        }
    }
    return SECCOMP_RET_ERRNO | EPERM;
}

static struct argument_row {
    const char *name;
    uint64_t first, fourth;
} argument_rows[] = {
    {"zeros", 0, 0},
    {"own_process_and_private_memory", OWN, MAP_PRIVATE | MAP_ANONYMOUS},
    {"another_process_and_shared_memory", OWN + 1, MAP_SHARED},
    {"own_number_with_more_bits", OWN | UINT64_C(1) << 32, MAP_SHARED_VALIDATE},
    {"number_that_the_policy_is_made_with", 0x7FFFFF01, MAP_PRIVATE},
    {"slack_that_is_set", PR_SET_TIMERSLACK, MAP_FIXED | MAP_PRIVATE},
    {"slack_that_is_asked_for", PR_GET_TIMERSLACK, 0},
    {"slack_with_more_bits", PR_SET_TIMERSLACK | UINT64_C(1) << 63, 0},
};

/* Of every number that there is, and more. */
static void argument_row(void **state)
{
    const struct argument_row *row = *state;

    assert_true(syscall_policy_make());
    for (long number = 0; number < NUMBERS; number++) {
        uint32_t got = answer_to(number, row->first, row->fourth);
        uint32_t want = want_of(number, row->first, row->fourth);

        if (got != want) {
            fail_msg(
                "system call %ld: action 0x%x, not 0x%x", number, got, want);
        }
    }
}

static struct abi_row {
    const char *name;
    uint32_t arch;
    int bits; /* of the number */
} abi_rows[] = {
    {"abi_of_32_bits", AUDIT_ARCH_I386, 0},
    {"x32", AUDIT_ARCH_X86_64, X32},
    {"abi_of_another_processor", AUDIT_ARCH_AARCH64, 0},
};

static void abi_row(void **state)
{
    const struct abi_row *row = *state;
    struct syscall_policy policy;

    assert_true(syscall_policy_make());
    policy = syscall_policy_of(OWN);
    for (int number = 0; number < NUMBERS; number++) {
        const struct seccomp_data data = {
            .nr = number | row->bits, .arch = row->arch};

        assert_int_equal(answer(&policy, &data), SECCOMP_RET_TRAP);
    }
}

static struct signal_row {
    const char *name;
    pid_t (*to)(void);
    int want;
} signal_rows[] = {
    {"signal_to_itself_is_allowed", getpid, 0},
    {"signal_to_its_parent_is_refused", getppid, EPERM},
};

static int signal_to(const void *argument)
{
    const struct signal_row *row = argument;
    pid_t process = row->to();

    return syscall(SYS_tgkill, process, process, 0) == 0 ? 0 : errno;
}

/* The policy is its parent's, but for the number. */
static void signal_row(void **state)
{
    int status;

    assert_true(syscall_policy_make());
    status = confined_status(confine(&confined_limits, signal_to, *state));
    assert_true(WIFEXITED(status));
    assert_int_equal(
        WEXITSTATUS(status), ((const struct signal_row *)*state)->want);
}

TEST_FILE(test_syscall_policy)
{
    TEST_ADD_ROWS(list, argument_row, argument_rows);
    TEST_ADD_ROWS(list, abi_row, abi_rows);
    TEST_ADD_ROWS(list, signal_row, signal_rows);
}
