/* test_seh_unwind.c - the second phase by itself, RtlUnwindEx: which __finally
 * blocks run on the way to a target, and targets that are none. */
#include "tests/api/image/seh_scene.h"

static enum outcome unwind(
    struct guest *guest, uint64_t frame, uint64_t ip, EXCEPTION_RECORD *record)
{
    if (setjmp(guest->resumed) != 0) {
        return RESUMED;
    }
    return (enum outcome)seh_unwind(
        &guest->ops, frame, ip, record, 0x5151, &guest->records[0]);
}

static struct unwind_row {
    const char *name;
    uint32_t frame[GUEST_FRAMES];
    struct guest_scope f[GUEST_SCOPES];
    uint64_t target, ip;
    uint64_t disposition; /* of the image's own handler */
    enum outcome want;
    const char *want_log;
} unwind_rows[] = {
    {"frame_without_a_handler_is_reached", {0x1010, 0x1020}, {{0}}, 0x70128,
        0x140001080, 1, RESUMED, ""},
    {"leaf_is_passed", {0x7010, 0x1020}, {{0}}, 0x70108, 0x140001080, 1,
        RESUMED, ""},
    {"goto_out_of_a_try_runs_its_finally", {0x1010, 0x2010},
        {{0x2004, 0x2020, GUEST_A, 0}}, 0x70128, 0x140002080, 1, RESUMED,
        "A!70128 "},
    {"goto_within_a_try_does_not", {0x1010, 0x2010},
        {{0x2004, 0x2020, GUEST_A, 0}}, 0x70128, 0x140002018, 1, RESUMED, ""},
    {"goto_within_the_outer_try_runs_the_inner_finally", {0x1010, 0x2010},
        {{0x2008, 0x2014, GUEST_A, 0}, {0x2004, 0x2040, GUEST_B, 0}}, 0x70128,
        0x140002030, 1, RESUMED, "A!70128 "},
    {"goto_out_of_both_runs_both", {0x1010, 0x2010},
        {{0x2008, 0x2014, GUEST_A, 0}, {0x2004, 0x2040, GUEST_B, 0}}, 0x70128,
        0x140002080, 1, RESUMED, "A!70128 B!70128 "},
    {"goto_between_the_parts_of_a_try_runs_nothing", {0x1010, 0x2010},
        {{0x2004, 0x2014, GUEST_A, 0}, {0x2020, 0x2040, GUEST_A, 0}}, 0x70128,
        0x140002030, 1, RESUMED, ""},
    {"goto_into_the_try_of_another_finally_runs_its_own", {0x1010, 0x2010},
        {{0x2004, 0x2014, GUEST_A, 0}, {0x2020, 0x2040, GUEST_B, 0}}, 0x70128,
        0x140002030, 1, RESUMED, "A!70128 "},
    {"goto_into_a_try_whose_filter_is_the_finally_runs_it", {0x1010, 0x2010},
        {{0x2004, 0x2014, GUEST_A, 0}, {0x2020, 0x2040, GUEST_A, 0x2080}},
        0x70128, 0x140002030, 1, RESUMED, "A!70128 "},
    {"filters_are_not_asked", {0x2010, 0x1020},
        {{0x2004, 0x2020, GUEST_A, 0x2080}}, 0x70128, 0x140001080, 1, RESUMED,
        ""},
    {"every_finally_of_a_callee_runs", {0x2010, 0x1020},
        {{0x2008, 0x2020, GUEST_A, 0}, {0x2004, 0x2020, 1, 0x2080},
            {0x2004, 0x2040, GUEST_B, 0}},
        0x70128, 0x140001080, 1, RESUMED, "A!70100 B!70100 "},
    {"finally_of_a_callee_runs_whatever_the_target_is", {0x2010, 0x1020},
        {{0x2004, 0x2020, GUEST_A, 0}}, 0x70128, 0x140002018, 1, RESUMED,
        "A!70100 "},
    {"prologue_has_no_finally", {0x2000, 0x1020},
        {{0x2000, 0x2020, GUEST_A, 0}}, 0x70108, 0x140001080, 1, RESUMED, ""},
    {"target_is_told_that_it_is", {0x4010, 0x4018, 0x4020}, {{0}}, 0x70128,
        0x140004080, 1, RESUMED, "H2@70100 H22@70128 "},
    {"exit_unwind_ends_the_stack", {0x4010, 0x2010},
        {{0x2004, 0x2020, GUEST_A, 0}}, 0, 0, 1, UNHANDLED,
        "H6@70100 A!70128 "},
    {"continue_execution_is_no_answer", {0x4010, 0x1010}, {{0}}, 0x70128,
        0x140001080, 0, BROKEN, "H2@70100 "},
    {"nested_exception_is_no_answer", {0x4010, 0x1010}, {{0}}, 0x70128,
        0x140001080, 2, BROKEN, "H2@70100 "},
    {"collided_unwind_is_no_answer_of_a_handler", {0x4010, 0x1010}, {{0}},
        0x70128, 0x140001080, 3, BROKEN, "H2@70100 "},
    {"target_between_two_frames", {0x1010, 0x1020, 0x4010}, {{0}}, 0x70130,
        0x140001080, 1, BROKEN, ""},
    {"target_below_the_stack_pointer", {0x4010}, {{0}}, 0x700F8, 0x140001080, 1,
        BROKEN, ""},
    {"target_above_the_stack", {0x1010, 0x1020}, {{0}}, 0x70200, 0x140001080, 1,
        BROKEN, ""},
    {"target_ip_that_is_no_code", {0x4010, 0x1020}, {{0}}, 0x70128, 0x140008500,
        1, BROKEN, ""},
};

static void unwind_row(void **state)
{
    const struct unwind_row *row = *state;
    struct guest guest;

    guest_init(&guest);
    guest_scopes(&guest, 1, row->f);
    guest.handler.returns = row->disposition;
    guest_fault(&guest, row->frame);
    assert_int_equal(unwind(&guest, row->target, row->ip, NULL), row->want);
    assert_string_equal(guest.log, row->want_log);
    assert_null(guest.innermost);
    if (row->want == RESUMED) {
        assert_int_equal(guest.resumed_to.Rip, row->ip);
        assert_int_equal(guest.resumed_to.Rsp, row->target);
        assert_int_equal(guest.resumed_to.Rax, 0x5151);
    }
}

static void without_a_record_it_is_status_unwind(void **state)
{
    static const uint32_t frame[GUEST_FRAMES] = {0x1010, 0x1020};
    struct guest guest;
    const EXCEPTION_RECORD *record = &guest.records[0].record;

    (void)state;
    guest_init(&guest);
    guest_fault(&guest, frame);
    assert_int_equal(unwind(&guest, 0x70128, 0x140001080, NULL), RESUMED);
    assert_int_equal((uint32_t)record->ExceptionCode, 0xC0000027);
    assert_int_equal(record->ExceptionFlags, 0x2);
    assert_int_equal((uintptr_t)record->ExceptionAddress, 0x140001010);
}

static void record_of_the_guest_is_used(void **state)
{
    static const uint32_t frame[GUEST_FRAMES] = {0x1010, 0x1020};
    struct guest guest;
    const EXCEPTION_RECORD *record = &guest.records[0].record;

    (void)state;
    guest_init(&guest);
    guest_fault(&guest, frame);
    guest.records[1].record.ExceptionCode = STATUS_INTEGER_OVERFLOW;
    assert_int_equal(
        unwind(&guest, 0x70128, 0x140001080, &guest.records[1].record),
        RESUMED);
    assert_int_equal((uint32_t)record->ExceptionCode, 0xC0000095);
    assert_int_equal(record->ExceptionFlags, 0x2);
}

static void record_that_is_unreadable_is_broken(void **state)
{
    static const uint32_t frame[GUEST_FRAMES] = {0x4010, 0x1020};
    struct guest guest;

    (void)state;
    guest_init(&guest);
    guest_fault(&guest, frame);
    assert_int_equal(unwind(&guest, 0x70128, 0x140001080,
                         (EXCEPTION_RECORD *)(uintptr_t)0x10),
        BROKEN);
    assert_string_equal(guest.log, "");
}

TEST_FILE(test_seh_unwind)
{
    TEST_ADD_ROWS(list, unwind_row, unwind_rows);
    test_add(list, "without_a_record_it_is_status_unwind",
        without_a_record_it_is_status_unwind, NULL);
    test_add(
        list, "record_of_the_guest_is_used", record_of_the_guest_is_used, NULL);
    test_add(list, "record_that_is_unreadable_is_broken",
        record_that_is_unreadable_is_broken, NULL);
}
