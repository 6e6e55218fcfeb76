/* test_seh.c - the first phase: which filters are asked, and what their answers
 * come to ("x64 exception handling", unwind procedure). The innermost frame is
 * at 0x70100, one of five words above it at 0x70128. */
#include "tests/api/image/seh_scene.h"

static struct dispatch_row {
    const char *name;
    uint32_t frame[GUEST_FRAMES];
    struct guest_scope f[GUEST_SCOPES], g[GUEST_SCOPES];
    uint64_t a, b, c; /* what they return */
    enum outcome want;
    const char *want_log;
    uint64_t want_rip, want_rsp; /* when resumed */
} dispatch_rows[] = {
    {"without_handlers_it_is_unhandled", {0x1010, 0x1020}, {{0}}, {{0}}, 0, 0,
        0, UNHANDLED, "", 0, 0},
    {"filter_executes_the_except_block", {0x2010},
        {{0x2004, 0x2020, GUEST_A, 0x2080}}, {{0}}, 1, 0, 0, RESUMED,
        "A?70100 ", 0x140002080, 0x70100},
    {"filter_of_a_caller_is_asked", {0x1010, 0x2010},
        {{0x2004, 0x2020, GUEST_A, 0x2080}}, {{0}}, 1, 0, 0, RESUMED,
        "A?70128 ", 0x140002080, 0x70128},
    {"any_positive_answer_executes", {0x2010},
        {{0x2004, 0x2020, GUEST_A, 0x2080}}, {{0}}, 0x7FFFFFFF, 0, 0, RESUMED,
        "A?70100 ", 0x140002080, 0x70100},
    {"constant_filter_is_not_called", {0x1010, 0x2010},
        {{0x2004, 0x2020, 1, 0x2080}}, {{0}}, 0, 0, 0, RESUMED, "", 0x140002080,
        0x70128},
    {"filter_continues_execution", {0x1010, 0x2010},
        {{0x2004, 0x2020, GUEST_A, 0x2080}}, {{0}}, 0xFFFFFFFF, 0, 0, CONTINUED,
        "A?70128 ", 0, 0},
    {"upper_half_of_an_answer_does_not_count", {0x1010, 0x2010},
        {{0x2004, 0x2020, GUEST_A, 0x2080}}, {{0}}, 0xFFFFFFFF00000000, 0, 0,
        UNHANDLED, "A?70128 ", 0, 0},
    {"search_goes_on_to_the_outer_frame", {0x2010, 0x3010},
        {{0x2004, 0x2020, GUEST_A, 0x2080}},
        {{0x3004, 0x3020, GUEST_B, 0x3080}}, 0, 1, 0, RESUMED,
        "A?70100 B?70128 ", 0x140003080, 0x70128},
    {"search_without_a_taker_is_unhandled", {0x2010, 0x3010},
        {{0x2004, 0x2020, GUEST_A, 0x2080}},
        {{0x3004, 0x3020, GUEST_B, 0x3080}}, 0, 0, 0, UNHANDLED,
        "A?70100 B?70128 ", 0, 0},
    {"scopes_are_asked_from_the_innermost", {0x2010},
        {{0x2008, 0x2020, GUEST_A, 0x2080}, {0x2004, 0x2040, GUEST_B, 0x2090}},
        {{0}}, 0, 1, 0, RESUMED, "A?70100 B?70100 ", 0x140002090, 0x70100},
    {"scope_begins_at_its_first_byte", {0x2010},
        {{0x2010, 0x2020, GUEST_A, 0x2080}}, {{0}}, 1, 0, 0, RESUMED,
        "A?70100 ", 0x140002080, 0x70100},
    {"scope_ends_before_its_last", {0x2010},
        {{0x2004, 0x2010, GUEST_A, 0x2080}}, {{0}}, 1, 0, 0, UNHANDLED, "", 0,
        0},
    {"same_function_twice_has_a_filter_for_each_frame", {0x2010, 0x2018},
        {{0x2004, 0x2020, GUEST_A, 0x2080}}, {{0}}, 0, 0, 0, UNHANDLED,
        "A?70100 A?70128 ", 0, 0},
    {"finally_is_not_run_when_nobody_handles", {0x2010},
        {{0x2004, 0x2020, GUEST_A, 0}}, {{0}}, 0, 0, 0, UNHANDLED, "", 0, 0},
    {"finally_is_not_run_when_execution_continues", {0x2010, 0x3010},
        {{0x2004, 0x2020, GUEST_A, 0}}, {{0x3004, 0x3020, GUEST_B, 0x3080}}, 0,
        0xFFFFFFFF, 0, CONTINUED, "B?70128 ", 0, 0},
    {"finally_of_a_callee_runs_after_the_filter", {0x2010, 0x3010},
        {{0x2004, 0x2020, GUEST_A, 0}}, {{0x3004, 0x3020, GUEST_B, 0x3080}}, 0,
        1, 0, RESUMED, "B?70128 A!70100 ", 0x140003080, 0x70128},
    {"finally_inside_of_the_try_runs", {0x2010},
        {{0x2008, 0x2020, GUEST_B, 0}, {0x2004, 0x2040, GUEST_A, 0x2080}},
        {{0}}, 1, 0, 0, RESUMED, "A?70100 B!70100 ", 0x140002080, 0x70100},
    {"finally_around_the_except_does_not_run", {0x2010},
        {{0x2008, 0x2020, GUEST_A, 0x2080}, {0x2004, 0x20C0, GUEST_B, 0}},
        {{0}}, 1, 0, 0, RESUMED, "A?70100 ", 0x140002080, 0x70100},
    {"finally_around_an_except_block_elsewhere_does_not_run", {0x2010},
        {{0x2008, 0x2020, GUEST_A, 0x2080}, {0x2004, 0x2040, GUEST_B, 0}},
        {{0}}, 1, 0, 0, RESUMED, "A?70100 ", 0x140002080, 0x70100},
    {"finallys_run_from_the_innermost", {0x2010, 0x2018, 0x3010},
        {{0x2014, 0x2020, GUEST_A, 0}, {0x2004, 0x2020, GUEST_B, 0}},
        {{0x3004, 0x3020, GUEST_C, 0x3080}}, 0, 0, 1, RESUMED,
        "C?70150 B!70100 A!70128 B!70128 ", 0x140003080, 0x70150},
    {"leaf_has_its_callers_filter", {0x7010, 0x2010},
        {{0x2004, 0x2020, GUEST_A, 0x2080}}, {{0}}, 1, 0, 0, RESUMED,
        "A?70108 ", 0x140002080, 0x70108},
    {"jump_to_null_has_its_callers_filter", {0, 0x2010},
        {{0x2004, 0x2020, GUEST_A, 0x2080}}, {{0}}, 1, 0, 0, RESUMED,
        "A?70108 ", 0x140002080, 0x70108},
    {"prologue_is_not_guarded", {0x2000, 0x3010},
        {{0x2000, 0x2020, GUEST_A, 0x2080}},
        {{0x3004, 0x3020, GUEST_B, 0x3080}}, 1, 1, 0, RESUMED, "B?70108 ",
        0x140003080, 0x70108},
    {"first_instruction_after_the_prologue_is_guarded", {0x2004},
        {{0x2004, 0x2020, GUEST_A, 0x2080}}, {{0}}, 1, 0, 0, RESUMED,
        "A?70100 ", 0x140002080, 0x70100},
    {"epilogue_is_not_guarded", {0x2050, 0x3010},
        {{0x2000, 0x2080, GUEST_A, 0x2080}},
        {{0x3004, 0x3020, GUEST_B, 0x3080}}, 1, 1, 0, RESUMED, "B?70108 ",
        0x140003080, 0x70108},
    {"filter_that_is_no_code_is_broken", {0x2010},
        {{0x2004, 0x2020, 0x8500, 0x2080}}, {{0}}, 1, 0, 0, BROKEN, "", 0, 0},
    {"except_block_that_is_no_code_is_broken", {0x2010},
        {{0x2004, 0x2020, GUEST_A, 0x8500}}, {{0}}, 1, 0, 0, BROKEN, "A?70100 ",
        0, 0},
    {"finally_that_is_no_code_is_broken", {0x2010, 0x3010},
        {{0x2004, 0x2020, 0x8500, 0}}, {{0x3004, 0x3020, 1, 0x3080}}, 0, 0, 0,
        BROKEN, "", 0, 0},
};

static void dispatch_row(void **state)
{
    const struct dispatch_row *row = *state;
    struct guest guest;

    guest_init(&guest);
    guest_scopes(&guest, 1, row->f);
    guest_scopes(&guest, 2, row->g);
    guest.a.returns = row->a;
    guest.b.returns = row->b;
    guest.c.returns = row->c;
    guest_fault(&guest, row->frame);
    assert_int_equal(guest_dispatch(&guest), row->want);
    assert_string_equal(guest.log, row->want_log);
    assert_null(guest.innermost);
    if (row->want == RESUMED) {
        assert_int_equal(guest.resumed_to.Rip, row->want_rip);
        assert_int_equal(guest.resumed_to.Rsp, row->want_rsp);
        assert_int_equal(guest.resumed_to.Rax, 0xC0000005);
        assert_int_equal(guest.resumed_to.Rbx, 0xB0B);
    }
}

TEST_FILE(test_seh)
{
    TEST_ADD_ROWS(list, dispatch_row, dispatch_rows);
}
