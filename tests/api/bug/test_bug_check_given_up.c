/* test_bug_check_given_up.c - a bug check callback that is given up: what it
 * had of its thread is not there for the next one (BUG-08). */
#include "api/boot/exports.h"
#include "api/bug/bug_check_callback.h"
#include "api/core/thread.h"
#include "tests/api/booted_kernel.h"

static unsigned given_up, next_calls;

static void allocate(void *argument)
{
    (void)argument;
    given_up++;
    ExAllocatePoolWithTag(NonPagedPool, 64, 0x41);
    fail();
}

/* What it would catch is its own. */
static VOID NTAPI on_first(PVOID Buffer, ULONG Length)
{
    struct exception_record record;

    (void)Buffer;
    (void)Length;
    assert_null(thread_current(kernel_current())->frames);
    booted_catch(allocate, NULL, &record);
    fail();
}

static VOID NTAPI on_next(PVOID Buffer, ULONG Length)
{
    (void)Buffer;
    (void)Length;
    assert_null(thread_current(kernel_current())->frames);
    next_calls++;
}

static struct left_row {
    const char *name;
    bool another; /* is given up behind the one that returns */
    unsigned want_given_up;
} left_rows[] = {
    {"nothing_is_left_of_the_last_given_up", true, 2},
    {"nothing_is_left_of_the_last_that_returns", false, 1},
};

static void register_and_stop(void *argument)
{
    const struct left_row *row = argument;
    struct memory *memory = &kernel_current()->machine->memory;
    UCHAR *name = memory_alloc(memory, 4, 0);
    KBUGCHECK_CALLBACK_RECORD *first = memory_alloc(memory, sizeof(*first), 0);
    KBUGCHECK_CALLBACK_RECORD *next = memory_alloc(memory, sizeof(*next), 0);
    KBUGCHECK_CALLBACK_RECORD *last = memory_alloc(memory, sizeof(*last), 0);

    assert_true(KeRegisterBugCheckCallback(first, on_first, NULL, 0, name));
    assert_true(KeRegisterBugCheckCallback(next, on_next, NULL, 0, name));
    if (row->another) {
        assert_true(KeRegisterBugCheckCallback(last, on_first, NULL, 0, name));
    }
    KeBugCheck(0xFE);
}

static void left_row(void **state)
{
    struct left_row *row = *state;
    struct booted_kernel booted;
    const struct processor *processor;

    given_up = 0;
    next_calls = 0;
    booted_init_usual(&booted);
    booted_run_to_stop(&booted, 0, register_and_stop, row);
    assert_int_equal(booted.kernel.bugcheck.code, 0xFE);
    assert_int_equal(given_up, row->want_given_up);
    assert_int_equal(next_calls, 1);
    processor = kernel_processor(&booted.kernel, booted_cpu(&booted, 0));
    assert_null(processor->handler_of);
    assert_true(processor->before_call == NULL);
    assert_null(booted.kernel.bug_check_callbacks->leaves);
    booted_release(&booted);
}

TEST_FILE(test_bug_check_given_up)
{
    TEST_ADD_ROWS(list, left_row, left_rows);
}
