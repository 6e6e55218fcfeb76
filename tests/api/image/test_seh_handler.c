/* test_seh_handler.c - a language handler of the image's own: each disposition
 * in each phase, what it is told, and stacks that it must not be called for. */
#include "tests/api/image/seh_scene.h"

static struct disposition_row {
    const char *name;
    uint32_t disposition;
    ULONG flags;
    enum outcome want;
    const char *want_log;
    uint32_t want_code; /* in the end */
} disposition_rows[] = {
    {"continue_execution", 0, 0, CONTINUED, "H0@70100 ", 0xC0000005},
    {"continue_search", 1, 0, UNHANDLED, "H0@70100 ", 0xC0000005},
    {"nested_exception_goes_on", 2, 0, UNHANDLED, "H0@70100 ", 0xC0000005},
    {"collided_unwind_is_not_a_handlers_to_say", 3, 0, BROKEN, "H0@70100 ",
        0xC0000005},
    {"unknown_disposition", 4, 0, BROKEN, "H0@70100 ", 0xC0000005},
    {"noncontinuable_search_is_as_any", 1, 1, UNHANDLED, "H1@70100 ",
        0xC0000005},
    {"noncontinuable_is_raised_anew_and_not_twice", 0, 1, UNHANDLED,
        "H1@70100 H1@70100 ", 0xC0000025},
};

static void disposition_row(void **state)
{
    const struct disposition_row *row = *state;
    static const uint32_t frame[GUEST_FRAMES] = {0x4010, 0x1010};
    struct guest guest;

    guest_init(&guest);
    guest.handler.returns = row->disposition;
    guest.records[0].record.ExceptionFlags = row->flags;
    guest_fault(&guest, frame);
    assert_int_equal(guest_dispatch(&guest), row->want);
    assert_string_equal(guest.log, row->want_log);
    assert_int_equal(
        (uint32_t)guest.records[0].record.ExceptionCode, row->want_code);
    assert_null(guest.innermost);
}

static void take_the_second(struct guest *guest)
{
    const EXCEPTION_RECORD *record = &guest->records[0].record;

    guest->a.returns = 0xFFFFFFFF;
    if (record->ExceptionCode == STATUS_NONCONTINUABLE_EXCEPTION) {
        assert_int_equal(
            record->ExceptionRecord->ExceptionCode, STATUS_ACCESS_VIOLATION);
        guest->a.returns = 1;
    }
}

static void noncontinuable_exception_can_be_handled(void **state)
{
    static const uint32_t frame[GUEST_FRAMES] = {0x2010};
    static const struct guest_scope scope[GUEST_SCOPES] = {
        {0x2004, 0x2020, GUEST_A, 0x2080}};
    struct guest guest;

    (void)state;
    guest_init(&guest);
    guest_scopes(&guest, 1, scope);
    guest.a.act = take_the_second;
    guest.records[0].record.ExceptionFlags = EXCEPTION_NONCONTINUABLE;
    guest_fault(&guest, frame);
    assert_int_equal(guest_dispatch(&guest), RESUMED);
    assert_string_equal(guest.log, "A?70100 A?70100 ");
    assert_int_equal(guest.resumed_to.Rax, 0xC0000025);
}

static void take_noncontinuable(struct guest *guest)
{
    guest->a.returns = guest->records[0].record.ExceptionCode ==
                       STATUS_NONCONTINUABLE_EXCEPTION;
}

/* The innermost frame's, which let the first one pass. */
static void noncontinuable_exception_begins_at_the_innermost_frame(void **state)
{
    static const uint32_t frame[GUEST_FRAMES] = {0x2010, 0x3010};
    static const struct guest_scope f_scope[GUEST_SCOPES] = {
        {0x2004, 0x2020, GUEST_A, 0x2080}};
    static const struct guest_scope g_scope[GUEST_SCOPES] = {
        {0x3004, 0x3020, GUEST_B, 0x3080}};
    struct guest guest;

    (void)state;
    guest_init(&guest);
    guest_scopes(&guest, 1, f_scope);
    guest_scopes(&guest, 2, g_scope);
    guest.a.act = take_noncontinuable;
    guest.b.returns = 0xFFFFFFFF;
    guest.records[0].record.ExceptionFlags = EXCEPTION_NONCONTINUABLE;
    guest_fault(&guest, frame);
    assert_int_equal(guest_dispatch(&guest), RESUMED);
    assert_string_equal(guest.log, "A?70100 B?70128 A?70100 ");
    assert_int_equal(guest.resumed_to.Rip, GUEST_BASE + 0x2080);
}

static struct phase_row {
    const char *name;
    uint8_t flags; /* UNW_FLAG_EHANDLER 1, UNW_FLAG_UHANDLER 2 */
    const char *want_log;
} phase_rows[] = {
    {"no_handler_is_not_called", 0, "A?70128 "},
    {"exception_handler_is_called_in_the_first_phase", 1, "H0@70100 A?70128 "},
    {"termination_handler_is_called_in_the_second", 2, "A?70128 H2@70100 "},
    {"handler_of_both_kinds_is_called_in_both", 3,
        "H0@70100 A?70128 H2@70100 "},
};

static void phase_row(void **state)
{
    const struct phase_row *row = *state;
    static const uint32_t frame[GUEST_FRAMES] = {0x4010, 0x2010};
    static const struct guest_scope scope[GUEST_SCOPES] = {
        {0x2004, 0x2020, GUEST_A, 0x2080}};
    struct guest guest;

    guest_init(&guest);
    guest_scopes(&guest, 1, scope);
    guest.image[GUEST_INFO + 0x300] = (uint8_t)(1 | row->flags << 3);
    guest.a.returns = 1;
    guest.handler.returns = ExceptionContinueSearch;
    guest_fault(&guest, frame);
    assert_int_equal(guest_dispatch(&guest), RESUMED);
    assert_string_equal(guest.log, row->want_log);
}

static void check_dispatcher(struct guest *guest)
{
    const struct seh_records *records = &guest->records[0];
    const DISPATCHER_CONTEXT *dispatcher = &records->dispatcher;

    assert_int_equal(dispatcher->ControlPc, 0x140004010);
    assert_int_equal(dispatcher->ImageBase, 0x140000000);
    assert_int_equal((uintptr_t)dispatcher->FunctionEntry, 0x140008F24);
    assert_int_equal(dispatcher->EstablisherFrame, 0x70128);
    assert_ptr_equal(dispatcher->ContextRecord, &records->unwound);
    assert_int_equal((uintptr_t)dispatcher->LanguageHandler, 0x140009100);
    assert_int_equal((uintptr_t)dispatcher->HandlerData, 0x14000830C);
    assert_null(dispatcher->HistoryTable);
    assert_int_equal(dispatcher->ScopeIndex, 0);
    if ((records->record.ExceptionFlags & EXCEPTION_UNWINDING) == 0) {
        assert_int_equal(dispatcher->TargetIp, 0);
        assert_int_equal(records->unwound.Rip, 0x140002010);
        assert_int_equal(records->unwound.Rsp, 0x70150);
    } else {
        assert_int_equal(dispatcher->TargetIp, 0x140002080);
        assert_int_equal(records->unwound.Rip, 0x140004010);
        assert_int_equal(records->unwound.Rsp, 0x70128);
        assert_int_equal(records->unwound.Rax, 0xC0000005);
    }
    assert_int_equal(records->context.Rip, 0x140001010);
}

static void handler_is_told_of_its_frame(void **state)
{
    static const uint32_t frame[GUEST_FRAMES] = {0x1010, 0x4010, 0x2010};
    static const struct guest_scope scope[GUEST_SCOPES] = {
        {0x2004, 0x2020, 1, 0x2080}};
    struct guest guest;

    (void)state;
    guest_init(&guest);
    guest_scopes(&guest, 1, scope);
    guest.handler.returns = ExceptionContinueSearch;
    guest.handler.act = check_dispatcher;
    guest_fault(&guest, frame);
    assert_int_equal(guest_dispatch(&guest), RESUMED);
    assert_string_equal(guest.log, "H0@70128 H2@70128 ");
}

static void check_pointers(struct guest *guest)
{
    const struct seh_records *records = &guest->records[0];

    assert_ptr_equal(records->pointers.ExceptionRecord, &records->record);
    assert_ptr_equal(records->pointers.ContextRecord, &records->context);
    assert_int_equal(records->context.Rip, 0x140001010);
    guest->records[0].context.Rip = 0x140001012;
}

static void filter_may_change_the_context(void **state)
{
    static const uint32_t frame[GUEST_FRAMES] = {0x1010, 0x2010};
    static const struct guest_scope scope[GUEST_SCOPES] = {
        {0x2004, 0x2020, GUEST_A, 0x2080}};
    struct guest guest;

    (void)state;
    guest_init(&guest);
    guest_scopes(&guest, 1, scope);
    guest.a = (struct guest_callee){0xFFFFFFFF, check_pointers};
    guest_fault(&guest, frame);
    assert_int_equal(guest_dispatch(&guest), CONTINUED);
    assert_int_equal(guest.records[0].context.Rip, 0x140001012);
}

/* What is written into the scene before the exception: one word of the stack,
 * or four bytes of the image. */
static struct stack_row {
    const char *name;
    uint32_t frame[GUEST_FRAMES];
    unsigned word; /* of the stack, from 0x70000 */
    uint64_t value;
    uint32_t rva, patch;
    uint64_t rsp, end; /* 0: as laid out */
    enum outcome want;
    ULONG want_flags;
} stack_rows[] = {
    {"stack_that_ends_is_unhandled", {0x1010, 0x1020}, 0, 0, 0, 0, 0, 0,
        UNHANDLED, 0},
    {"return_to_nowhere_within_the_stack", {0x1010, 0x1020}, 0x24, 0x77, 0, 0,
        0, 0, BROKEN, 8},
    {"return_to_code_outside_of_images_is_a_leafs", {0x1010}, 0x24, 0x6000, 0,
        0, 0, 0x70130, UNHANDLED, 0},
    {"stack_pointer_not_aligned", {0x1010}, 0, 0, 0, 0, 0x70104, 0, BROKEN, 8},
    {"stack_pointer_below_the_stack", {0x1010}, 0, 0, 0, 0, 0x6FFF8, 0, BROKEN,
        8},
    {"stack_pointer_above_the_stack", {0x1010}, 0, 0, 0, 0, 0x70900, 0, BROKEN,
        8},
    {"unwind_data_of_an_unknown_version", {0x1010}, 0, 0, 0x8000, 0x00010407, 0,
        0, BROKEN, 8},
    {"handler_that_is_no_code", {0x4010}, 0, 0, 0x8308, 0x8800, 0, 0, BROKEN,
        8},
    {"scope_table_outside_of_the_image", {0x2010}, 0, 0, 0x810C, 0xFFFFFFFF, 0,
        0, BROKEN, 0},
    {"scope_table_longer_than_the_image", {0x2010}, 0, 0, 0x810C, 0xA00, 0, 0,
        BROKEN, 0},
};

static void stack_row(void **state)
{
    const struct stack_row *row = *state;
    static const struct guest_scope scope[GUEST_SCOPES] = {
        {0x2020, 0x2030, GUEST_A, 0x2080}};
    struct guest guest;

    guest_init(&guest);
    guest_scopes(&guest, 1, scope);
    guest_fault(&guest, row->frame);
    if (row->word != 0) {
        guest.stack[row->word] = row->value;
    }
    if (row->rva != 0) {
        memcpy(guest.image + row->rva, &row->patch, sizeof(row->patch));
    }
    if (row->rsp != 0) {
        guest.records[0].context.Rsp = row->rsp;
    }
    if (row->end != 0) {
        guest.end = row->end;
    }
    assert_int_equal(guest_dispatch(&guest), row->want);
    assert_int_equal(guest.records[0].record.ExceptionFlags, row->want_flags);
    assert_string_equal(guest.log, "");
    assert_null(guest.innermost);
}

static void machine_frame_that_goes_down_is_broken(void **state)
{
    static const uint32_t frame[GUEST_FRAMES] = {0x1010};
    static const uint8_t info[] = {0x01, 0, 1, 0, 0, 0x0A};
    struct guest guest;

    (void)state;
    guest_init(&guest);
    guest_fault(&guest, frame);
    memcpy(guest.image + GUEST_INFO, info, sizeof(info));
    guest.stack[0x20] = 0x140004010;
    guest.stack[0x23] = 0x70080;
    assert_int_equal(guest_dispatch(&guest), BROKEN);
    assert_string_equal(guest.log, "");
}

/* A handler's frame by the frame register rbp; the stack pointer is 0x70100,
 * the caller's 0x70128. */
static struct frame_row {
    const char *name;
    uint64_t rbp;
    enum outcome want;
    const char *want_log;
} frame_rows[] = {
    {"frame_is_the_frame_registers", 0x70110, UNHANDLED, "H0@70110 "},
    {"frame_not_aligned", 0x70114, BROKEN, ""},
    {"frame_below_the_stack_pointer", 0x700F8, BROKEN, ""},
    {"frame_of_the_caller", 0x70128, BROKEN, ""},
};

static void frame_row(void **state)
{
    const struct frame_row *row = *state;
    static const uint32_t frame[GUEST_FRAMES] = {0x4010, 0x1010};
    struct guest guest;

    guest_init(&guest);
    guest.image[GUEST_INFO + 0x303] = 0x05;
    guest.handler.returns = ExceptionContinueSearch;
    guest_fault(&guest, frame);
    guest.records[0].context.Rbp = row->rbp;
    assert_int_equal(guest_dispatch(&guest), row->want);
    assert_string_equal(guest.log, row->want_log);
}

static struct length_row {
    const char *name;
    unsigned frames;
    enum outcome want;
} length_rows[] = {
    {"stack_of_1023_frames_is_walked", 1023, UNHANDLED},
    {"stack_of_1025_frames_is_not", 1025, BROKEN},
};

static void length_row(void **state)
{
    const struct length_row *row = *state;
    struct guest guest;

    guest_init(&guest);
    for (unsigned i = 0; i < row->frames - 1; i++) {
        guest.stack[i] = GUEST_BASE + GUEST_LEAF;
    }
    guest.stack[row->frames - 1] = GUEST_OUTSIDE;
    guest.end = GUEST_STACK + 8 * (uint64_t)row->frames;
    guest.records[0].context.Rip = GUEST_BASE + GUEST_LEAF;
    guest.records[0].context.Rsp = GUEST_STACK;
    assert_int_equal(guest_dispatch(&guest), row->want);
}

static struct foreign_row {
    const char *name;
    bool in_dispatch;
} foreign_rows[] = {
    {"c_specific_handler_outside_of_a_dispatch", false},
    {"c_specific_handler_with_other_pointers", true},
};

static void call_with_other_pointers(struct guest *guest)
{
    static EXCEPTION_RECORD record;
    struct seh_records *records = &guest->records[0];

    assert_int_equal(seh_c_specific_handler(&guest->ops, &record, 0x70100,
                         &records->context, &records->dispatcher),
        0xFFFFFFFF);
    assert_int_equal(seh_c_specific_handler(&guest->ops, &records->record,
                         0x70100, NULL, &records->dispatcher),
        0xFFFFFFFF);
    assert_int_equal(seh_c_specific_handler(&guest->ops, &records->record,
                         0x70100, &records->context, NULL),
        0xFFFFFFFF);
}

static void foreign_row(void **state)
{
    const struct foreign_row *row = *state;
    static const uint32_t frame[GUEST_FRAMES] = {0x4010};
    struct guest guest;

    guest_init(&guest);
    guest_fault(&guest, frame);
    if (!row->in_dispatch) {
        call_with_other_pointers(&guest);
        return;
    }
    guest.handler = (struct guest_callee){
        ExceptionContinueSearch, call_with_other_pointers};
    assert_int_equal(guest_dispatch(&guest), UNHANDLED);
    assert_string_equal(guest.log, "H0@70100 ");
}

TEST_FILE(test_seh_handler)
{
    TEST_ADD_ROWS(list, disposition_row, disposition_rows);
    TEST_ADD_ROWS(list, phase_row, phase_rows);
    TEST_ADD_ROWS(list, stack_row, stack_rows);
    TEST_ADD_ROWS(list, frame_row, frame_rows);
    TEST_ADD_ROWS(list, length_row, length_rows);
    TEST_ADD_ROWS(list, foreign_row, foreign_rows);
    test_add(list, "machine_frame_that_goes_down_is_broken",
        machine_frame_that_goes_down_is_broken, NULL);
    test_add(list, "noncontinuable_exception_can_be_handled",
        noncontinuable_exception_can_be_handled, NULL);
    test_add(list, "noncontinuable_exception_begins_at_the_innermost_frame",
        noncontinuable_exception_begins_at_the_innermost_frame, NULL);
    test_add(list, "handler_is_told_of_its_frame", handler_is_told_of_its_frame,
        NULL);
    test_add(list, "filter_may_change_the_context",
        filter_may_change_the_context, NULL);
}
