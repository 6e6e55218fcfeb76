/* test_child_end.c - however a child ends, that is a result, and its last words
 * arrive. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/image/guest.h"
#include "scenarios/runner/run/account.h"
#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/samples.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "sim/base/asan_fiber.h"
#include "tests/runner/run/run_result.h"

static struct verdict *aborts(
    void *context, struct session *session, const struct instance *instance)
{
    abort();
    return run_instance(context, session, instance);
}

/* What assert() makes of it. */
_Noreturn void __assert_fail(const char *text, const char *file,
    unsigned int line, const char *function);

static struct verdict *asserts(
    void *context, struct session *session, const struct instance *instance)
{
    crash_report_step("7");
    __assert_fail(
        "2 + 2 == 5", "tests/runner/run/test_child_end.c", 1, "asserts");
    return run_instance(context, session, instance);
}

static struct verdict *faults(
    void *context, struct session *session, const struct instance *instance)
{
    signal(SIGSEGV, SIG_DFL); /* cmocka's handler, or a sanitizer's */
    crash_report_step("7");
    raise(SIGSEGV);
    return run_instance(context, session, instance);
}

static struct verdict *is_killed(
    void *context, struct session *session, const struct instance *instance)
{
    raise(SIGKILL);
    return run_instance(context, session, instance);
}

static struct verdict *leaves(
    void *context, struct session *session, const struct instance *instance)
{
    _exit(0);
    return run_instance(context, session, instance);
}

static struct verdict *leaves_with_7(
    void *context, struct session *session, const struct instance *instance)
{
    guest_has_run = true;
    crash_report_step("8");
    _exit(7);
    return run_instance(context, session, instance);
}

static struct verdict *loops(
    void *context, struct session *session, const struct instance *instance)
{
    volatile uint64_t turns = 1;

    while (turns != 0) {
        turns++;
    }
    return run_instance(context, session, instance);
}

static struct verdict *waits(
    void *context, struct session *session, const struct instance *instance)
{
    int never = 0;

    syscall(SYS_futex, &never, 0 /* FUTEX_WAIT */, 0, NULL);
    return run_instance(context, session, instance);
}

/* Into the pipe, which is at 0. */
static struct verdict *babbles(
    void *context, struct session *session, const struct instance *instance)
{
    ssize_t written = write(0, "PASS", 4);

    assert_int_equal(written, 4);
    return run_instance(context, session, instance);
}

static struct verdict *floods(
    void *context, struct session *session, const struct instance *instance)
{
    static char zeros[1 << 16];

    while (write(0, zeros, sizeof(zeros)) > 0) {
    }
    return run_instance(context, session, instance);
}

static struct verdict *tells_of_a_fault_with_us(
    void *context, struct session *session, const struct instance *instance)
{
    account_of_failure(session->account->facts.out, instance, "ours");
    return verdict_failed(context, instance, RESULT_PASS, "nothing");
}

static struct end_row {
    const char *name;
    child_body *body;
    uint64_t cpu_us, wall_ms;
    enum result want;
    const char *want_message, *want_step;
} end_rows[] = {
    {"assertion_is_internal", asserts, 5000000, 60000, RESULT_INTERNAL,
        "ntpmu itself failed: tests/runner/run/test_child_end.c:1: asserts: "
        "Assertion `2 + 2 == 5' failed.",
        "7"},
    {"fault_is_internal", faults, 5000000, 60000, RESULT_INTERNAL,
        "ntpmu itself failed: its process was ended by SIGSEGV", "7"},
    {"kill_is_internal", is_killed, 5000000, 60000, RESULT_INTERNAL,
        "ntpmu itself failed: its process was ended by SIGKILL", ""},
    {"exit_is_a_crash", leaves, 5000000, 60000, RESULT_CRASH,
        "its process gave no whole account: it ends too early", ""},
    {"exit_with_a_status_is_internal", leaves_with_7, 5000000, 60000,
        RESULT_INTERNAL,
        "ntpmu itself failed: its process ended with status 7 and no verdict; "
        "a "
        "driver's code had run before",
        "8"},
    {"other_bytes_are_a_crash", babbles, 5000000, 60000, RESULT_CRASH,
        "its process gave no whole account: it does not begin as one", ""},
    {"endless_bytes_are_a_crash", floods, 60000000, 120000, RESULT_CRASH,
        "its process sent more than 268435456 bytes", ""},
    {"endless_loop_is_a_timeout", loops, 200000, 60000, RESULT_TIMEOUT,
        "no end after 0.2 s of processor time; --timeout allows more", ""},
    {"endless_wait_is_a_timeout", waits, 5000000, 100, RESULT_TIMEOUT,
        "no end after 0.1 s by the clock; --timeout allows more", ""},
    {"failure_of_ours_stays_one", tells_of_a_fault_with_us, 5000000, 60000,
        RESULT_INTERNAL, "ours", ""},
};

static void end_row(void **state)
{
    const struct end_row *row = *state;
    struct child_limits limits = child_limits_of(row->cpu_us);
    struct scenario_run made;
    struct run_result child;

    limits.wall_ms = row->wall_ms;
    scenario_run_init(&made, HEAD STEPS_OK);
    child = run_child(&made, &limits, row->body);
    assert_string_equal(child.verdict->failure[0].message, row->want_message);
    assert_string_equal(child.verdict->failure[0].step, row->want_step);
    assert_int_equal(child.verdict->result, row->want);
    assert_int_equal(child.verdict->out_of_time, row->want == RESULT_TIMEOUT);
    assert_int_equal(child.verdict->failure_count, 1);
    assert_ptr_equal(child.verdict->failure[0].place, made.text.scenario->root);
    assert_int_equal(
        child.trace[0] == '\0', row->body != tells_of_a_fault_with_us);
    /* Nothing of it is left. */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(run_here(&made).verdict->result, RESULT_PASS);
    scenario_run_release(&made);
}

static struct verdict *runs_and_is_killed(
    void *context, struct session *session, const struct instance *instance)
{
    struct verdict *verdict = run_instance(context, session, instance);

    raise(SIGKILL);
    return verdict;
}

/* Before it came to a verdict of its own. */
static void samples_of_a_child_that_dies_arrive(void **state)
{
    const struct child_limits limits = child_limits_of(5000000);
    const struct sampling sampling = {.every_us = 1000};
    struct scenario_run made;
    const struct verdict *verdict;

    (void)state;
    scenario_run_init(&made,
        "ntpmu: 1\nid: t\ntitle: T\nmachine: {pmu: {mhz: 1000}}\n"
        "memory: {block: {bytes: 8}}\nsteps:\n"
        "- {call: PcwRegister, args: {Info: {Version: PCW_VERSION_1, Name: "
        "Set, Counters: [{Id: 3, Size: 8}]}}, save: {reg: out.Registration}}\n"
        "- {call: PcwCreateInstance, args: {Registration: $reg, Name: one, "
        "Count: 1, Data: [{Data: $block, Size: 8}]}, expect: {status: "
        "STATUS_SUCCESS, covers: [T-01]}}\n"
        "- {advance: {cycles: 2500000}}\n");
    made.session.sampling = &sampling;
    verdict = run_child(&made, &limits, runs_and_is_killed).verdict;
    assert_int_equal(verdict->result, RESULT_INTERNAL);
    assert_non_null(verdict->samples);
    assert_int_equal(verdict->samples->count, 3);
    assert_int_equal(verdict->samples->item[1].set[0].rows->cycles, 2000000);
    assert_string_equal(verdict->samples->appeared[0], "Set");
    verdict = run_child(&made, &limits, aborts).verdict;
    assert_int_equal(verdict->result, RESULT_INTERNAL);
    assert_int_equal(verdict->samples->count, 0);
    scenario_run_release(&made);
}

static struct verdict *speaks_and_aborts(
    void *context, struct session *session, const struct instance *instance)
{
    fprintf(stderr, "words before the end\n");
    abort();
    return run_instance(context, session, instance);
}

#ifdef ASAN_FIBER
/* cmocka has taken the signals, so by a read that the compiler checks. */
static struct verdict *dies_of_a_sanitizer(
    void *context, struct session *session, const struct instance *instance)
{
    volatile char *block = calloc(1, 8);

    block[0] = block[8];
    return run_instance(context, session, instance);
}

static const char sanitizer_words[] = "heap-buffer-overflow";
#else
#define dies_of_a_sanitizer speaks_and_aborts

static const char sanitizer_words[] = "words before the end";
#endif

static struct words_row {
    const char *name;
    child_body *body;
    const char *want;
} words_rows[] = {
    {"last_words_of_a_child", speaks_and_aborts, "words before the end"},
    {"last_words_of_a_sanitizer", dies_of_a_sanitizer, sanitizer_words},
};

/* The error output is a file here, which is the harder case. */
static void words_row(void **state)
{
    const struct words_row *row = *state;
    const struct child_limits limits = child_limits_of(5000000);
    struct scenario_run made;
    FILE *file = tmpfile();
    int saved = dup(STDERR_FILENO);
    static char text[65536];
    struct run_result child;

    assert_non_null(file);
    scenario_run_init(&made, HEAD STEPS_OK);
    dup2(fileno(file), STDERR_FILENO);
    child = run_child(&made, &limits, row->body);
    dup2(saved, STDERR_FILENO);
    close(saved);
    rewind(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    assert_non_null(strstr(text, row->want));
    assert_int_equal(child.verdict->result, RESULT_INTERNAL);
    scenario_run_release(&made);
}

static void ignored_signal_of_a_child_s_end_does_no_harm(void **state)
{
    const struct child_limits limits = child_limits_of(5000000);
    struct scenario_run made;

    (void)state;
    scenario_run_init(&made, HEAD STEPS_OK);
    signal(SIGCHLD, SIG_IGN);
    assert_int_equal(run_child(&made, &limits, leaves_with_7).verdict->result,
        RESULT_INTERNAL);
    scenario_run_release(&made);
}

/* As the program does; it is not the child's. */
static int install_crash_report(void **state)
{
    (void)state;
    crash_report_install(4);
    return 0;
}

static int remove_crash_report(void **state)
{
    (void)state;
    crash_report_remove();
    return 0;
}

TEST_FILE(test_child_end)
{
    test_fixture(list, install_crash_report, remove_crash_report);
    TEST_ADD_ROWS(list, end_row, end_rows);
    test_add(list, "samples_of_a_child_that_dies_arrive",
        samples_of_a_child_that_dies_arrive, NULL);
    TEST_ADD_ROWS(list, words_row, words_rows);
    test_add(list, "ignored_signal_of_a_child_s_end_does_no_harm",
        ignored_signal_of_a_child_s_end_does_no_harm, NULL);
}
