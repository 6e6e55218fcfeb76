/* test_exception.c - frames that catch, and what is left when none does
 * (facts.md 1.6, GEN-PTR-01). */
#include "tests/api/booted_kernel.h"

/* An exception that is raised by a routine, or by an instruction. */
struct raised {
    struct exception_record record;
    bool passed; /* the code after it ran */
};

static void raise(void *argument)
{
    struct raised *raised = argument;

    exception_raise(kernel_current(), &raised->record);
}

static struct exception_record wild_write(void)
{
    return (struct exception_record){.code = STATUS_ACCESS_VIOLATION,
        .routine = ROUTINE_HalAllocateHardwareCounters,
        .address = (const void *)(uintptr_t)0x1234,
        .write = true};
}

/* A frame around a frame: what each caught. */
struct nest {
    struct raised raised;
    bool again; /* the inner frame's handler raises once more */
    bool inner_caught, outer_caught;
    struct exception_record inner, outer;
};

static void inner_frame(void *argument)
{
    struct nest *nest = argument;

    nest->inner_caught = booted_catch(raise, &nest->raised, &nest->inner);
    if (nest->again) {
        nest->raised.record.write = false;
        raise(&nest->raised);
    }
}

static void outer_frame(void *argument)
{
    struct nest *nest = argument;

    nest->outer_caught = booted_catch(inner_frame, nest, &nest->outer);
}

static void frame_gets_the_record(void **state)
{
    struct booted_kernel booted;
    struct nest nest = {.raised = {.record = wild_write()}};

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, inner_frame, &nest);
    assert_true(nest.inner_caught);
    assert_int_equal((uint32_t)nest.inner.code, 0xC0000005);
    assert_int_equal(nest.inner.routine, ROUTINE_HalAllocateHardwareCounters);
    assert_int_equal((uintptr_t)nest.inner.address, 0x1234);
    assert_true(nest.inner.write);
    assert_int_equal(booted.kernel.rules.count, 0);
    assert_int_equal(booted.kernel.bugcheck.code, BUGCHECK_NONE);
    booted_release(&booted);
}

static void innermost_frame_catches(void **state)
{
    struct booted_kernel booted;
    struct nest nest = {.raised = {.record = wild_write()}};

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, outer_frame, &nest);
    assert_true(nest.inner_caught);
    assert_false(nest.outer_caught);
    booted_release(&booted);
}

static void frame_that_was_left_does_not_catch_again(void **state)
{
    struct booted_kernel booted;
    struct nest nest = {.raised = {.record = wild_write()}, .again = true};

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, outer_frame, &nest);
    assert_true(nest.inner_caught);
    assert_true(nest.inner.write);
    assert_true(nest.outer_caught);
    assert_false(nest.outer.write);
    booted_release(&booted);
}

static void frame_that_was_left_leaves_nobody_to_catch(void **state)
{
    struct booted_kernel booted;
    struct nest nest = {.raised = {.record = wild_write()}, .again = true};

    (void)state;
    booted_init_usual(&booted);
    booted_run_to_stop(&booted, 0, inner_frame, &nest);
    assert_true(nest.inner_caught);
    assert_int_equal(booted.kernel.bugcheck.code, 0x1E);
    booted_release(&booted);
}

/* Raises at 500 cycles, without a frame of its own. */
static void raise_later(void *argument)
{
    cpu_spend(kernel_cpu(kernel_current()), 500, 1);
    cpu_checkpoint(kernel_cpu(kernel_current()));
    raise(argument);
}

static void wait_long(void *argument)
{
    (void)argument;
    cpu_spend(kernel_cpu(kernel_current()), 300, 1);
    cpu_checkpoint(kernel_cpu(kernel_current()));
    cpu_spend(kernel_cpu(kernel_current()), 9000, 1);
    cpu_checkpoint(kernel_cpu(kernel_current()));
}

static void wait_in_a_frame(void *argument)
{
    struct exception_record record;
    bool *caught = argument;

    *caught = booted_catch(wait_long, NULL, &record);
}

static void frame_of_another_thread_does_not_catch(void **state)
{
    struct booted_kernel booted;
    struct raised raised = {.record = wild_write()};
    bool caught = false;

    (void)state;
    booted_init_usual(&booted);
    booted_spawn(&booted, 0, wait_in_a_frame, &caught);
    booted_spawn(&booted, 1, raise_later, &raised);
    assert_int_equal(machine_run(&booted.machine), MACHINE_STOPPED);
    assert_false(caught);
    assert_int_equal(booted.kernel.bugcheck.code, 0x1E);
    assert_int_equal(booted.kernel.bugcheck.processor, 1);
    booted_release(&booted);
}

/* As an interrupt does: the frame is out of sight, then back. */
struct hidden {
    struct raised raised;
    bool show;
    bool none_seen; /* while it was hidden */
};

static void raise_hidden(void *argument)
{
    struct hidden *made = argument;
    struct kernel *kernel = kernel_current();
    struct exception_frame *hidden = exception_hide(kernel);

    made->none_seen = exception_hide(kernel) == NULL;
    if (made->show) {
        exception_show(kernel, hidden);
    }
    raise(&made->raised);
}

static void raise_hidden_in_a_frame(void *argument)
{
    struct hidden *made = argument;
    struct exception_record record;

    made->raised.passed = booted_catch(raise_hidden, made, &record);
}

static void hidden_frame_does_not_catch(void **state)
{
    struct booted_kernel booted;
    struct hidden hidden = {.raised = {.record = wild_write()}};

    (void)state;
    booted_init_usual(&booted);
    booted_run_to_stop(&booted, 0, raise_hidden_in_a_frame, &hidden);
    assert_true(hidden.none_seen);
    assert_false(hidden.raised.passed);
    assert_int_equal(booted.kernel.bugcheck.code, 0x1E);
    booted_release(&booted);
}

static void shown_frame_catches_again(void **state)
{
    struct booted_kernel booted;
    struct hidden hidden = {.raised = {.record = wild_write()}, .show = true};

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, raise_hidden_in_a_frame, &hidden);
    assert_true(hidden.none_seen);
    assert_true(hidden.raised.passed);
    booted_release(&booted);
}

/* What touches what, on processor 1. */
static struct unhandled_row {
    const char *name;
    uint32_t code;
    enum routine routine;
    uintptr_t address; /* 1: the end of a block */
    bool write;
    const char *want_rule, *want_code, *want_routine;
    uint64_t want_write;
    const char *want_address;
} unhandled_rows[] = {
    {"read_of_null", 0xC0000005, ROUTINE_HalFreeHardwareCounters, 0, false,
        "pointer.fault", "STATUS_ACCESS_VIOLATION", "HalFreeHardwareCounters",
        0, "NULL"},
    {"write_to_null", 0xC0000005, ROUTINE_KeQueryHardwareCounterConfiguration,
        0, true, "pointer.fault", "STATUS_ACCESS_VIOLATION",
        "KeQueryHardwareCounterConfiguration", 1, "NULL"},
    {"write_past_a_block", 0xC0000005,
        ROUTINE_KeQueryHardwareCounterConfiguration, 1, true, "pointer.fault",
        "STATUS_ACCESS_VIOLATION", "KeQueryHardwareCounterConfiguration", 1,
        "end of a block"},
    {"read_of_no_memory", 0xC0000005, ROUTINE_KeSetHardwareCounterConfiguration,
        0x10, false, "pointer.fault", "STATUS_ACCESS_VIOLATION",
        "KeSetHardwareCounterConfiguration", 0, "no memory"},
    {"instruction", 0xC0000096, ROUTINE_COUNT, 0, false, "msr.fault",
        "STATUS_PRIVILEGED_INSTRUCTION", NULL, 0, NULL},
};

static void assert_text(const char *actual, const char *want)
{
    if (want == NULL) {
        assert_null(actual);
    } else {
        assert_non_null(actual);
        assert_string_equal(actual, want);
    }
}

/* Bug check 0x1E: exception code, where, and of an access violation whether it
 * was a write, and at what. */
static void unhandled_row(void **state)
{
    const struct unhandled_row *row = *state;
    struct booted_kernel booted;
    const struct bugcheck *bugcheck = &booted.kernel.bugcheck;
    struct raised raised = {.record = {.code = (NTSTATUS)row->code,
                                .routine = row->routine,
                                .write = row->write}};

    booted_init_usual(&booted);
    raised.record.address = (const void *)row->address;
    if (row->address == 1) {
        raised.record.address =
            (const uint8_t *)booted_block(&booted, 8, 0) + 8;
    }
    booted_run_to_stop(&booted, 1, raise, &raised);
    assert_int_equal(bugcheck->code, 0x1E);
    assert_int_equal(bugcheck->processor, 1);
    assert_int_equal(bugcheck->parameter[0].value, row->code);
    assert_text(bugcheck->parameter[0].name, row->want_code);
    assert_text(bugcheck->parameter[1].name, row->want_routine);
    assert_int_equal(bugcheck->parameter[2].value, row->want_write);
    assert_text(bugcheck->parameter[3].name, row->want_address);
    assert_int_equal(booted.kernel.rules.count, 1);
    assert_text(
        rule_rows[booted.kernel.rules.event[0].rule].id, row->want_rule);
    booted_release(&booted);
}

static void exception_is_in_the_trace_without_addresses(void **state)
{
    struct booted_kernel booted;
    struct nest nest = {.raised = {.record = wild_write()}};
    char line[300];

    (void)state;
    booted_init_usual(&booted);
    trace_reset(&booted.machine.trace);
    booted_run(&booted, 0, inner_frame, &nest);
    assert_int_equal(booted.machine.trace.count, 1);
    trace_format(&booted.machine.trace, 0, line, sizeof(line));
    assert_string_equal(line,
        "200 cpu0 exception code=STATUS_ACCESS_VIOLATION "
        "api=HalAllocateHardwareCounters address=no memory");
    booted_release(&booted);
}

TEST_FILE(test_exception)
{
    TEST_ADD_ROWS(list, unhandled_row, unhandled_rows);
    test_add(list, "frame_gets_the_record", frame_gets_the_record, NULL);
    test_add(list, "innermost_frame_catches", innermost_frame_catches, NULL);
    test_add(list, "frame_that_was_left_does_not_catch_again",
        frame_that_was_left_does_not_catch_again, NULL);
    test_add(list, "frame_that_was_left_leaves_nobody_to_catch",
        frame_that_was_left_leaves_nobody_to_catch, NULL);
    test_add(list, "frame_of_another_thread_does_not_catch",
        frame_of_another_thread_does_not_catch, NULL);
    test_add(
        list, "hidden_frame_does_not_catch", hidden_frame_does_not_catch, NULL);
    test_add(
        list, "shown_frame_catches_again", shown_frame_catches_again, NULL);
    test_add(list, "exception_is_in_the_trace_without_addresses",
        exception_is_in_the_trace_without_addresses, NULL);
}
