/* test_host.c - the self-test of the host, and the judgement of its results. */
#define _XOPEN_SOURCE 700
#include <signal.h>
#include <string.h>

#include "api/image/host.h"
#include "tests/rows.h"

static struct host_traps fit(void)
{
    struct host_traps traps = {.x86_64 = true, .tested = true};

    for (unsigned i = 0; i < HOST_PROBES; i++) {
        traps.trap[i] =
            (struct host_trap){.traps = true, .signal = SIGSEGV, .trap = 13};
    }
    traps.trap[HOST_INT3] =
        (struct host_trap){.traps = true, .signal = SIGTRAP, .trap = 3};
    traps.trap[HOST_UD2] =
        (struct host_trap){.traps = true, .signal = SIGILL, .trap = 6};
    traps.trap[HOST_KUSER].trap = 14;
    return traps;
}

static struct silent_row {
    const char *name;
    enum host_probe probe;
    const char *want; /* NULL: it is fit all the same */
} silent_rows[] = {
    {"rdmsr_has_to_trap", HOST_RDMSR,
        "this host executes RDMSR without a trap"},
    {"wrmsr_has_to_trap", HOST_WRMSR,
        "this host executes WRMSR without a trap"},
    {"rdpmc_can_be_patched", HOST_RDPMC, NULL},
    {"cr8_read_has_to_trap", HOST_CR8_READ,
        "this host executes MOV RAX, CR8 without a trap"},
    {"cr8_write_has_to_trap", HOST_CR8_WRITE,
        "this host executes MOV CR8, RAX without a trap"},
    {"cli_has_to_trap", HOST_CLI, "this host executes CLI without a trap"},
    {"sti_has_to_trap", HOST_STI, "this host executes STI without a trap"},
    {"hlt_has_to_trap", HOST_HLT, "this host executes HLT without a trap"},
    {"int_40_has_to_trap", HOST_INT_40,
        "this host executes INT 40h without a trap"},
    {"int3_has_to_trap", HOST_INT3, "this host executes INT3 without a trap"},
    {"ud2_has_to_trap", HOST_UD2, "this host executes UD2 without a trap"},
    {"kuser_has_to_trap", HOST_KUSER,
        "this host executes a read of 0xFFFFF78000000320 without a trap"},
};

static void silent_row(void **state)
{
    const struct silent_row *row = *state;
    struct host_traps traps = fit();
    char why[200] = "";

    traps.trap[row->probe] = (struct host_trap){.traps = false};
    assert_int_equal(host_is_fit(&traps, why, sizeof(why)), row->want == NULL);
    assert_string_equal(why, row->want != NULL ? row->want : "");
}

static void another_exception_is_unfit(void **state)
{
    struct host_traps traps = fit();
    char why[200];

    (void)state;
    traps.trap[HOST_CLI].trap = 14;
    assert_false(host_is_fit(&traps, why, sizeof(why)));
    assert_string_equal(why,
        "this host answers CLI with signal 11, exception 14, and not with "
        "signal 11, exception 13");
}

static void another_processor_is_unfit(void **state)
{
    struct host_traps traps = fit();
    char why[200];

    (void)state;
    traps.x86_64 = false;
    assert_false(host_is_fit(&traps, why, sizeof(why)));
    assert_string_equal(
        why, "drivers are x86-64 code, and this host's processor is none");
}

static void untested_is_unfit(void **state)
{
    struct host_traps traps = fit();
    char why[200];

    (void)state;
    traps.tested = false;
    assert_false(host_is_fit(&traps, why, sizeof(why)));
    assert_string_equal(
        why, "there is no memory for the self-test of the host");
}

static void a_short_buffer_is_kept(void **state)
{
    struct host_traps traps = fit();
    char why[8] = "1234567";

    (void)state;
    traps.trap[HOST_HLT].traps = false;
    assert_false(host_is_fit(&traps, why, 5));
    assert_memory_equal(why, "this\00067", 8);
}

#if defined(__x86_64__)

enum { RESTORER = 0x04000000 }; /* the C library adds it to what it sets */

/* What every x86-64 processor does at CPL 3 with these. */
static void this_host_traps(void **state)
{
    struct host_traps traps;
    char why[200] = "";

    (void)state;
    host_test(&traps);
    assert_true(traps.x86_64);
    assert_true(traps.tested);
    if (!host_is_fit(&traps, why, sizeof(why))) {
        fail_msg("%s", why);
    }
    assert_true(traps.trap[HOST_INT_40].traps);
    assert_int_equal(traps.trap[HOST_INT_40].error, 0x202);
    assert_int_equal(traps.trap[HOST_RDMSR].error, 0);
    assert_int_equal(traps.patch_rdpmc, !traps.trap[HOST_RDPMC].traps);
}

static void handlers_and_stack_come_back(void **state)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP};
    struct sigaction before[4], after;
    stack_t stack_before, stack_after;
    struct host_traps traps;

    (void)state;
    sigaltstack(NULL, &stack_before);
    for (unsigned i = 0; i < 4; i++) {
        sigaction(signals[i], NULL, &before[i]);
    }
    host_test(&traps);
    for (unsigned i = 0; i < 4; i++) {
        sigaction(signals[i], NULL, &after);
        assert_true(after.sa_handler == before[i].sa_handler);
        assert_int_equal(
            after.sa_flags & ~RESTORER, before[i].sa_flags & ~RESTORER);
    }
    sigaltstack(NULL, &stack_after);
    assert_ptr_equal(stack_after.ss_sp, stack_before.ss_sp);
    assert_int_equal(stack_after.ss_flags, stack_before.ss_flags);
}

static void add_own(struct test_list *list)
{
    test_add(list, "this_host_traps", this_host_traps, NULL);
    test_add(list, "handlers_and_stack_come_back", handlers_and_stack_come_back,
        NULL);
}

#else

static void this_host_has_no_traps(void **state)
{
    struct host_traps traps;

    (void)state;
    host_test(&traps);
    assert_false(traps.x86_64);
}

static void add_own(struct test_list *list)
{
    test_add(list, "this_host_has_no_traps", this_host_has_no_traps, NULL);
}

#endif

TEST_FILE(test_host)
{
    TEST_ADD_ROWS(list, silent_row, silent_rows);
    test_add(
        list, "another_exception_is_unfit", another_exception_is_unfit, NULL);
    test_add(
        list, "another_processor_is_unfit", another_processor_is_unfit, NULL);
    test_add(list, "untested_is_unfit", untested_is_unfit, NULL);
    test_add(list, "a_short_buffer_is_kept", a_short_buffer_is_kept, NULL);
    add_own(list);
}
