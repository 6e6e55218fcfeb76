/* test_syscall_filter.c - system calls of our own code and of the guest's, from
 * inside of a sandbox. */
#define _GNU_SOURCE
#include "scenarios/runner/run/syscall_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "tests/host_of_32_bits.h"
#include "tests/runner/run/confined.h"

enum { PAGE = 4096, AT = 256 };

/* A system call, and the errno that it fails with; 0: it succeeds. None of the
 * refused ones could do harm where it is let through. */
static struct call_row {
    const char *name;
    long number;
    long argument[4];
    int want;
} call_rows[] = {
    {"open_is_refused", SYS_open, {0, O_RDONLY}, EPERM},
    {"openat_is_refused", SYS_openat, {AT_FDCWD, 0, O_RDONLY}, EPERM},
    {"close_is_refused", SYS_close, {0}, EPERM},
    {"dup_is_refused", SYS_dup, {2}, EPERM},
    {"socket_is_refused", SYS_socket, {AF_INET, SOCK_STREAM}, EPERM},
    {"pipe_is_refused", SYS_pipe2, {0}, EPERM},
    {"execve_is_refused", SYS_execve, {0}, EPERM},
    {"fork_is_refused", SYS_fork, {0}, EPERM},
    {"clone_is_refused", SYS_clone, {SIGCHLD}, EPERM},
    {"clone3_is_refused", SYS_clone3, {0}, EPERM},
    {"kill_is_refused", SYS_kill, {0, 0}, EPERM},
    {"ptrace_is_refused", SYS_ptrace, {0}, EPERM},
    {"prctl_is_refused", SYS_prctl, {0}, EPERM},
    {"prlimit_is_refused", SYS_prlimit64, {0, RLIMIT_CPU}, EPERM},
    {"signal_to_another_process_is_refused", SYS_tgkill, {1, 1, 0}, EPERM},
    {"call_that_does_not_exist_is_refused", 100000, {0}, EPERM},
    {"getpid_is_allowed", SYS_getpid, {0}, 0},
    {"gettid_is_allowed", SYS_gettid, {0}, 0},
    {"sched_yield_is_allowed", SYS_sched_yield, {0}, 0},
    {"write_of_nothing_is_allowed", SYS_write, {2, 0, 0}, 0},
    {"private_mmap_is_allowed_and_checks_its_arguments", SYS_mmap,
        {0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS}, EINVAL},
    {"shared_mmap_is_refused", SYS_mmap,
        {0, PAGE, PROT_READ, MAP_SHARED | MAP_ANONYMOUS}, EPERM},
    {"shared_and_validated_mmap_is_refused", SYS_mmap,
        {0, PAGE, PROT_READ, MAP_SHARED_VALIDATE | MAP_ANONYMOUS}, EPERM},
    {"timer_slack_can_be_set", SYS_prctl, {PR_SET_TIMERSLACK, 0x123456789}, 0},
    {"timer_slack_can_be_asked_for", SYS_prctl, {PR_GET_TIMERSLACK}, 0},
    {"name_can_not_be_asked_for", SYS_prctl, {PR_GET_NAME}, EPERM},
};

static int make_call(const void *argument)
{
    const struct call_row *row = argument;
    const long *with = row->argument;
    long result = syscall(row->number, with[0], with[1], with[2], with[3]);

    return result < 0 ? errno : 0;
}

static void call_row(void **state)
{
    const struct call_row *row = *state;
    int status = confined_status(confine(&confined_limits, make_call, row));

    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), row->want);
}

/* getpid() at byte AT of a page, and the guest's range from there; the
 * instruction that makes the call lies 5 bytes behind. */
#define GIB4 (INT64_C(1) << 32)

static struct guest_row {
    const char *name;
    int64_t low, high; /* from the instruction */
    int want;          /* signal; 0: none */
} guest_rows[] = {
    {"code_in_the_guest_gets_a_signal", -261, 3835, SIGSYS},
    {"first_byte_of_the_guest", 0, 64, SIGSYS},
    {"last_byte_of_the_guest", -64, 1, SIGSYS},
    {"only_byte_of_the_guest", 0, 1, SIGSYS},
    {"byte_before_the_guest", 1, 64, 0},
    {"byte_behind_the_guest", -64, 0, 0},
    {"no_guest", 0, 0, 0},
    {"guest_that_begins_4_gib_below", -GIB4, 64, SIGSYS},
    {"guest_that_ends_4_gib_above", 0, GIB4, SIGSYS},
    {"guest_of_8_gib_around", -GIB4, GIB4, SIGSYS},
    {"guest_of_8_gib_around_with_smaller_low_halves", -GIB4 - 64, GIB4 - 64,
        SIGSYS},
    {"guest_4_gib_below", -GIB4 - 64, -GIB4 + 64, 0},
    {"guest_4_gib_above", GIB4 - 64, GIB4 + 64, 0},
    {"guest_that_begins_4_gib_above", GIB4, 2 * GIB4, 0},
    {"guest_that_ends_4_gib_below", -2 * GIB4, -GIB4, 0},
};

static const uint8_t getpid_code[] = {
    0xB8, 39, 0, 0, 0, /* mov eax, 39 */
    0x0F, 0x05,        /* syscall */
    0xC3,              /* ret */
};

static const uint8_t getpid32_code[] = {
    0xB8, 20, 0, 0, 0, /* mov eax, 20 */
    0xCD, 0x80,        /* int 80h: the ABI of 32 bits */
    0xC3,              /* ret */
};

static const uint8_t getpid_x32_code[] = {
    0xB8, 39, 0, 0, 0x40, /* mov eax, 40000027h */
    0x0F, 0x05,           /* syscall */
    0xC3,                 /* ret */
};

/* A page with this code at AT. */
static uint8_t *code_page(const uint8_t *code, size_t size)
{
    uint8_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(page != MAP_FAILED);
    memcpy(page + AT, code, size);
    return page;
}

static int run_code(const void *page)
{
    const uint8_t *at = (const uint8_t *)page + AT;
    int (*code)(void);

    memcpy(&code, &at, sizeof(code));
    return code() == getpid() ? 0 : 1;
}

static void guest_row(void **state)
{
    const struct guest_row *row = *state;
    uint8_t *page = code_page(getpid_code, sizeof(getpid_code));
    uint64_t instruction = (uintptr_t)page + AT + 5;
    struct sandbox_limits own = confined_limits;
    int status;

    own.guest.low = instruction + (uint64_t)row->low;
    own.guest.high = instruction + (uint64_t)row->high;
    status = confined_status(confine(&own, run_code, page));
    munmap(page, PAGE);
    assert_int_equal(WIFSIGNALED(status) ? WTERMSIG(status) : 0, row->want);
    assert_int_equal(WIFEXITED(status) ? WEXITSTATUS(status) : 0, 0);
}

/* prctl(PR_GET_TIMERSLACK): whether it gives what was set. */
static const uint8_t slack_code[] = {
    0xBF, 30, 0, 0, 0,  /* mov edi, 30 */
    0xB8, 157, 0, 0, 0, /* mov eax, 157 */
    0x0F, 0x05,         /* syscall */
    0xC3,               /* ret */
};

/* prctl(PR_SET_TIMERSLACK) */
static const uint8_t set_slack_code[] = {
    0xBF, 29, 0, 0, 0,  /* mov edi, 29 */
    0xB8, 157, 0, 0, 0, /* mov eax, 157 */
    0x0F, 0x05,         /* syscall */
    0xC3,               /* ret */
};

/* getpid() */
static const uint8_t own_code[] = {
    0xBF, 30, 0, 0, 0, /* mov edi, 30 */
    0xB8, 39, 0, 0, 0, /* mov eax, 39 */
    0x0F, 0x05,        /* syscall */
    0xC3,              /* ret */
};

enum { GATE_AT = AT + 10, SLACK = 77777 };

static struct gate_row {
    const char *name;
    const uint8_t *code;
    int64_t gate; /* from the instruction */
    int want_signal;
} gate_rows[] = {
    {"gate_asks_for_the_slack", slack_code, 0, 0},
    {"gate_does_not_set_the_slack", set_slack_code, 0, SIGSYS},
    {"gate_makes_no_other_call", own_code, 0, SIGSYS},
    {"guest_before_the_gate_asks_for_nothing", slack_code, 1, SIGSYS},
    {"guest_behind_the_gate_asks_for_nothing", slack_code, -1, SIGSYS},
    {"guest_4_gib_from_the_gate_asks_for_nothing", slack_code, GIB4, SIGSYS},
};

static int ask_for_slack(const void *page)
{
    const uint8_t *at = (const uint8_t *)page + AT;
    long (*code)(void);

    memcpy(&code, &at, sizeof(code));
    return syscall(SYS_prctl, PR_SET_TIMERSLACK, SLACK, 0, 0, 0) == 0 &&
                   code() == SLACK
               ? 0
               : 1;
}

static void gate_row(void **state)
{
    const struct gate_row *row = *state;
    uint8_t *page = code_page(row->code, sizeof(slack_code));
    struct sandbox_limits own = confined_limits;
    int status;

    own.guest = (struct syscall_guest){.low = (uintptr_t)page,
        .high = (uintptr_t)page + PAGE,
        .gate = (uintptr_t)page + GATE_AT + (uint64_t)row->gate};
    status = confined_status(confine(&own, ask_for_slack, page));
    munmap(page, PAGE);
    assert_int_equal(
        WIFSIGNALED(status) ? WTERMSIG(status) : 0, row->want_signal);
    assert_int_equal(WIFEXITED(status) ? WEXITSTATUS(status) : 0, 0);
}

static struct abi_row {
    const char *name;
    const uint8_t *code;
    size_t size;
} abi_rows[] = {
    {"call_by_the_abi_of_32_bits_kills", getpid32_code, sizeof(getpid32_code)},
    {"call_by_x32_kills", getpid_x32_code, sizeof(getpid_x32_code)},
};

/* Skips what this host cannot even try. */
static void skip_without_abi(const struct abi_row *row)
{
    if (row->code == getpid32_code && !host_of_32_bits()) {
        skip();
    }
}

static void abi_row(void **state)
{
    const struct abi_row *row = *state;
    uint8_t *page;
    int status;

    skip_without_abi(row);
    page = code_page(row->code, row->size);
    status = confined_status(confine(&confined_limits, run_code, page));

    munmap(page, PAGE);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSYS);
}

static struct abi_row handled_rows[] = {
    {"call_by_the_abi_of_32_bits_is_a_signal", getpid32_code,
        sizeof(getpid32_code)},
    {"call_by_x32_is_a_signal", getpid_x32_code, sizeof(getpid_x32_code)},
};

enum { HANDLED = 7 };

static void leave(int number)
{
    (void)number;
    _exit(HANDLED);
}

static int run_code_handled(const void *page)
{
    signal(SIGSYS, leave);
    return run_code(page);
}

/* A driver's code may get there; the machine stops then, not the process. */
static void abi_handled_row(void **state)
{
    const struct abi_row *row = *state;
    uint8_t *page;
    int status;

    skip_without_abi(row);
    page = code_page(row->code, row->size);
    status = confined_status(confine(&confined_limits, run_code_handled, page));

    munmap(page, PAGE);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), HANDLED);
}

TEST_FILE(test_syscall_filter)
{
    TEST_ADD_ROWS(list, call_row, call_rows);
    TEST_ADD_ROWS(list, guest_row, guest_rows);
    TEST_ADD_ROWS(list, gate_row, gate_rows);
    TEST_ADD_ROWS(list, abi_row, abi_rows);
    TEST_ADD_ROWS(list, abi_handled_row, handled_rows);
}
