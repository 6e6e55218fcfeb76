/* test_seh_nested.c - exceptions and unwinds out of filters, __finally blocks
 * and handlers: what was under way is nested or collided with. The exception
 * inside has its innermost frame at 0x70080. */
#include "api/image/seh_walk.h"
#include "tests/api/image/seh_scene.h"

static bool raised_inside(const struct guest *guest)
{
    return guest->records[1].record.ExceptionCode != 0;
}

/* The first time that it runs, the block itself faults. */
static void fault_once(struct guest *guest)
{
    static const uint32_t frame[GUEST_FRAMES] = {0x6010};

    if (!raised_inside(guest)) {
        guest_fault_inside(guest, 1, frame);
        guest->nested = seh_dispatch(&guest->ops, &guest->records[1]);
    }
}

/* It calls GUEST_F, which faults. */
static void fault_in_f(struct guest *guest)
{
    static const uint32_t frame[GUEST_FRAMES] = {0x2010, 0x6010};

    guest_fault_inside(guest, 1, frame);
    guest->nested = seh_dispatch(&guest->ops, &guest->records[1]);
}

static void fault_in_f_for_good(struct guest *guest)
{
    static const uint32_t frame[GUEST_FRAMES] = {0x2010, 0x6010};

    if (!raised_inside(guest)) {
        guest_fault_inside(guest, 1, frame);
        guest->records[1].record.ExceptionFlags = EXCEPTION_NONCONTINUABLE;
        guest->nested = seh_dispatch(&guest->ops, &guest->records[1]);
    }
}

static void refuse_the_second(struct guest *guest)
{
    if (guest->records[1].record.ExceptionCode ==
        STATUS_NONCONTINUABLE_EXCEPTION) {
        guest->b.returns = 0;
    }
}

/* It faults in a callback of the kernel's, for which the stack ends sooner. */
static void fault_in_callback(struct guest *guest)
{
    uint64_t end = guest->end;

    guest->end = 0x700A8;
    fault_once(guest);
    guest->end = end;
}

static void fault_when_unwinding(struct guest *guest)
{
    if ((guest->records[0].record.ExceptionFlags & EXCEPTION_UNWINDING) != 0) {
        fault_once(guest);
    }
}

static void unwind_to(struct guest *guest, uint64_t frame, uint64_t ip)
{
    static const uint32_t frames[GUEST_FRAMES] = {0x6010};

    guest_fault_inside(guest, 1, frames);
    guest->nested =
        seh_unwind(&guest->ops, frame, ip, NULL, 0, &guest->records[1]);
}

static void goto_out_of_finally(struct guest *guest)
{
    unwind_to(guest, 0x70100, 0x140002030);
}

static void goto_out_of_filter(struct guest *guest)
{
    unwind_to(guest, 0x70128, 0x140003080);
}

static struct nested_row {
    const char *name;
    uint32_t frame[GUEST_FRAMES];
    struct guest_scope f[GUEST_SCOPES], g[GUEST_SCOPES];
    struct guest_callee a, b, handler;
    enum outcome want;
    enum seh_result want_nested; /* when it returned */
    const char *want_log;
    uint64_t want_rip, want_rsp, want_rax;
} nested_rows[] = {
    {"filter_that_faults_is_asked_about_that", {0x3010}, {{0}},
        {{0x3004, 0x3020, GUEST_A, 0x3080}}, {1, fault_once}, {0, NULL},
        {1, NULL}, RESUMED, SEH_CONTINUE, "A?70100 A?70100 ", 0x140003080,
        0x70100, 0xC0000096},
    {"fault_of_a_filter_that_nobody_takes", {0x3010}, {{0}},
        {{0x3004, 0x3020, GUEST_A, 0x3080}}, {0, fault_once}, {0, NULL},
        {1, NULL}, UNHANDLED, SEH_UNHANDLED, "A?70100 A?70100 ", 0, 0, 0},
    {"fault_of_a_filter_goes_to_the_outer_frames", {0x2010, 0x3010},
        {{0x2004, 0x2020, GUEST_A, 0x2080}},
        {{0x3004, 0x3020, GUEST_B, 0x3080}}, {0, fault_once}, {1, NULL},
        {1, NULL}, RESUMED, SEH_CONTINUE, "A?70100 A?70100 B?70128 ",
        0x140003080, 0x70128, 0xC0000096},
    {"filters_callee_handles_its_own", {0x3010},
        {{0x2004, 0x2020, GUEST_B, 0x2080}},
        {{0x3004, 0x3020, GUEST_A, 0x3080}}, {0, fault_in_f}, {1, NULL},
        {1, NULL}, RESUMED, SEH_CONTINUE, "A?70100 B?70080 ", 0x140002080,
        0x70080, 0xC0000096},
    {"filter_goes_on_after_its_callee_did", {0x3010},
        {{0x2004, 0x2020, GUEST_B, 0x2080}},
        {{0x3004, 0x3020, GUEST_A, 0x3080}}, {1, fault_in_f},
        {0xFFFFFFFF, NULL}, {1, NULL}, RESUMED, SEH_CONTINUE,
        "A?70100 B?70080 ", 0x140003080, 0x70100, 0xC0000005},
    {"frames_below_the_filters_see_a_nested_call", {0x4010, 0x3010, 0x4010},
        {{0}}, {{0x3004, 0x3020, GUEST_A, 0x3080}}, {0, fault_once}, {0, NULL},
        {1, NULL}, UNHANDLED, SEH_UNHANDLED,
        "H0@70100 A?70128 H10@70100 A?70128 H0@70150 H0@70150 ", 0, 0, 0},
    {"both_frames_below_the_filters_do", {0x4010, 0x4010, 0x3010, 0x4010},
        {{0}}, {{0x3004, 0x3020, GUEST_A, 0x3080}}, {0, fault_once}, {0, NULL},
        {1, NULL}, UNHANDLED, SEH_UNHANDLED,
        "H0@70100 H0@70128 A?70150 H10@70100 H10@70128 A?70150 H0@70178 "
        "H0@70178 ",
        0, 0, 0},
    {"callback_from_a_filter_ends_its_own_stack", {0x3010}, {{0}},
        {{0x3004, 0x3020, GUEST_A, 0x3080}}, {1, fault_in_callback}, {0, NULL},
        {1, NULL}, RESUMED, SEH_UNHANDLED, "A?70100 ", 0x140003080, 0x70100,
        0xC0000005},
    {"finally_that_faults_is_not_run_again", {0x2010, 0x3010},
        {{0x2004, 0x2020, GUEST_A, 0}}, {{0x3004, 0x3020, GUEST_B, 0x3080}},
        {0, fault_once}, {1, NULL}, {1, NULL}, RESUMED, SEH_CONTINUE,
        "B?70128 A!70100 B?70128 ", 0x140003080, 0x70128, 0xC0000096},
    {"finally_around_the_one_that_faults_runs", {0x2010, 0x3010},
        {{0x2008, 0x2020, GUEST_A, 0}, {0x2004, 0x2020, GUEST_C, 0}},
        {{0x3004, 0x3020, GUEST_B, 0x3080}}, {0, fault_once}, {1, NULL},
        {1, NULL}, RESUMED, SEH_CONTINUE, "B?70128 A!70100 B?70128 C!70100 ",
        0x140003080, 0x70128, 0xC0000096},
    {"filter_around_the_finally_that_faults_is_asked", {0x2010, 0x3010},
        {{0x2008, 0x2020, GUEST_A, 0}, {0x2004, 0x2020, 1, 0x2080}},
        {{0x3004, 0x3020, GUEST_B, 0x3080}}, {0, fault_once}, {1, NULL},
        {1, NULL}, RESUMED, SEH_CONTINUE, "A!70100 ", 0x140002080, 0x70100,
        0xC0000096},
    {"handler_that_faults_is_told_of_the_collision", {0x4010, 0x4010, 0x3010},
        {{0}}, {{0x3004, 0x3020, GUEST_A, 0x3080}}, {1, NULL}, {0, NULL},
        {1, fault_when_unwinding}, RESUMED, SEH_CONTINUE,
        "H0@70100 H0@70128 A?70150 H2@70100 "
        "H0@70100 H0@70128 A?70150 H42@70100 H2@70128 ",
        0x140003080, 0x70150, 0xC0000096},
    {"fault_of_a_filter_after_a_jump_to_null", {0, 0x3010}, {{0}},
        {{0x3004, 0x3020, GUEST_A, 0x3080}}, {1, fault_once}, {0, NULL},
        {1, NULL}, RESUMED, SEH_CONTINUE, "A?70108 A?70108 ", 0x140003080,
        0x70108, 0xC0000096},
    {"noncontinuable_fault_of_a_filters_callee", {0x3010},
        {{0x2004, 0x2020, GUEST_B, 0x2080}},
        {{0x3004, 0x3020, GUEST_A, 0x3080}}, {1, fault_in_f_for_good},
        {0xFFFFFFFF, refuse_the_second}, {1, NULL}, RESUMED, SEH_CONTINUE,
        "A?70100 B?70080 B?70080 A?70100 ", 0x140003080, 0x70100, 0xC0000025},
    {"goto_out_of_a_finally", {0x2010, 0x3010},
        {{0x2008, 0x2020, GUEST_A, 0}, {0x2004, 0x2040, GUEST_C, 0}},
        {{0x3004, 0x3020, GUEST_B, 0x3080}}, {0, goto_out_of_finally},
        {1, NULL}, {1, NULL}, RESUMED, SEH_CONTINUE, "B?70128 A!70100 ",
        0x140002030, 0x70100, 0},
    {"goto_out_of_a_filter", {0x2010, 0x3010}, {{0x2004, 0x2020, GUEST_C, 0}},
        {{0x3004, 0x3020, GUEST_A, 0x3080}}, {0, goto_out_of_filter}, {0, NULL},
        {1, NULL}, RESUMED, SEH_CONTINUE, "A?70128 C!70100 ", 0x140003080,
        0x70128, 0},
};

static void nested_row(void **state)
{
    const struct nested_row *row = *state;
    struct guest guest;

    guest_init(&guest);
    guest_scopes(&guest, 1, row->f);
    guest_scopes(&guest, 2, row->g);
    guest.a = row->a;
    guest.b = row->b;
    guest.handler = row->handler;
    guest_fault(&guest, row->frame);
    assert_int_equal(guest_dispatch(&guest), row->want);
    assert_string_equal(guest.log, row->want_log);
    assert_int_equal(guest.nested, row->want_nested);
    if (row->want == RESUMED) {
        assert_int_equal(guest.resumed_to.Rip, row->want_rip);
        assert_int_equal(guest.resumed_to.Rsp, row->want_rsp);
        assert_int_equal(guest.resumed_to.Rax, row->want_rax);
    }
    /* A filter that has been gone back into is still being asked. */
    assert_int_equal(guest.innermost != NULL,
        row->want == RESUMED && row->want_rsp < 0x70100);
}

static struct depth_row {
    const char *name;
    unsigned active;
    enum outcome want;
} depth_rows[] = {
    {"thirty_second_inside_of_the_others", 31, UNHANDLED},
    {"thirty_third_is_broken", 32, BROKEN},
};

static void depth_row(void **state)
{
    const struct depth_row *row = *state;
    static const uint32_t frame[GUEST_FRAMES] = {0x1010};
    struct seh_activation active[32];
    struct guest guest;

    guest_init(&guest);
    for (unsigned i = 0; i < row->active; i++) {
        active[i] = (struct seh_activation){.outer = guest.innermost};
        guest.innermost = &active[i];
    }
    guest_fault(&guest, frame);
    assert_int_equal(guest_dispatch(&guest), row->want);
    assert_ptr_equal(guest.innermost, &active[row->active - 1]);
}

TEST_FILE(test_seh_nested)
{
    TEST_ADD_ROWS(list, nested_row, nested_rows);
    TEST_ADD_ROWS(list, depth_row, depth_rows);
}
