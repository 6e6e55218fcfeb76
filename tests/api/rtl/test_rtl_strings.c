/* test_rtl_strings.c - counted strings and blocks of bytes (pages
 * RtlInitUnicodeString, RtlInitAnsiString, RtlCopyUnicodeString,
 * RtlEqualUnicodeString, RtlCompareMemory). */
#include "api/boot/exports.h"
#include "tests/api/io/io_scene.h"

/* A call on the driver's memory, by whatever function the test has. */
struct call {
    struct booted_kernel booted;
    PUNICODE_STRING first, second;
    uint8_t *bytes, *other;
    size_t size;
    int32_t fill;
    uint64_t result;
    bool raised;
    struct exception_record record;
    void (*code)(void *argument);
};

static void call_caught(void *argument)
{
    struct call *call = argument;

    call->raised = booted_catch(call->code, call, &call->record);
}

static void call_run(struct call *call, void (*code)(void *argument))
{
    call->code = code;
    booted_run(&call->booted, 0, call_caught, call);
}

static void init_unicode(void *argument)
{
    struct call *call = argument;

    RtlInitUnicodeString(call->first, (PCWSTR)(void *)call->bytes);
}

static void init_ansi(void *argument)
{
    struct call *call = argument;

    RtlInitAnsiString((PANSI_STRING)(void *)call->first, (PCSTR)call->bytes);
}

static struct init_row {
    const char *name;
    bool wide;
    size_t characters;
    uint16_t want_length, want_maximum;
} init_rows[] = {
    {"unicode_of_nothing", true, 0, 0, 2},
    {"unicode_of_3", true, 3, 6, 8},
    {"unicode_over_a_page", true, 3000, 6000, 6002},
    {"unicode_of_the_most", true, 32766, 0xFFFC, 0xFFFE},
    {"unicode_that_is_cut", true, 40000, 0xFFFC, 0xFFFE},
    {"ansi_of_nothing", false, 0, 0, 1},
    {"ansi_of_3", false, 3, 3, 4},
    {"ansi_of_the_most", false, 65534, 0xFFFE, 0xFFFF},
    {"ansi_that_is_cut", false, 70000, 0xFFFE, 0xFFFF},
};

static void init_row(void **state)
{
    const struct init_row *row = *state;
    size_t unit = row->wide ? 2 : 1;
    struct call call = {.size = 0};

    booted_init_usual(&call.booted);
    call.first = booted_block(&call.booted, 16, 0xEE);
    call.bytes = booted_block(&call.booted, (row->characters + 1) * unit, 'x');
    memset(call.bytes + row->characters * unit, 0, unit);
    call_run(&call, row->wide ? init_unicode : init_ansi);
    assert_false(call.raised);
    assert_int_equal(call.first->Length, row->want_length);
    assert_int_equal(call.first->MaximumLength, row->want_maximum);
    assert_ptr_equal(call.first->Buffer, call.bytes);
    booted_release(&call.booted);
}

static struct null_row {
    const char *name;
    void (*code)(void *argument);
} null_rows[] = {
    {"unicode_of_null", init_unicode},
    {"ansi_of_null", init_ansi},
};

static void null_row(void **state)
{
    const struct null_row *row = *state;
    struct call call = {.bytes = NULL};

    booted_init_usual(&call.booted);
    call.first = booted_block(&call.booted, 16, 0xEE);
    call_run(&call, row->code);
    assert_int_equal(call.first->Length, 0);
    assert_int_equal(call.first->MaximumLength, 0);
    assert_null(call.first->Buffer);
    booted_release(&call.booted);
}

static void text_without_an_end_raises_at_its_end(void **state)
{
    struct call call = {.size = 0};

    (void)state;
    booted_init_usual(&call.booted);
    call.first = booted_block(&call.booted, 16, 0xEE);
    call.bytes = booted_block(&call.booted, 10, 'x');
    call_run(&call, init_unicode);
    assert_true(call.raised);
    assert_ptr_equal(call.record.address, call.bytes + 10);
    assert_int_equal(call.first->Length, 0xEEEE);
    booted_release(&call.booted);
}

/* A wide character that lies across the end of a page. */
static void misaligned_text_is_read_across_pages(void **state)
{
    struct call call = {.size = 0};

    (void)state;
    booted_init_usual(&call.booted);
    call.first = booted_block(&call.booted, 16, 0xEE);
    call.bytes = booted_block(&call.booted, 4096 + 5, 'x');
    memset(call.bytes + 4096 + 3, 0, 2);
    call.bytes += 1;
    call_run(&call, init_unicode);
    assert_false(call.raised);
    assert_int_equal(call.first->Length, 4098);
    booted_release(&call.booted);
}

static void copy(void *argument)
{
    struct call *call = argument;

    RtlCopyUnicodeString(call->first, call->second);
}

static struct copy_row {
    const char *name;
    const char *to, *from; /* from NULL: no source */
    uint16_t maximum;
    const char *want; /* `|` is a NUL */
    uint16_t want_length;
} copy_rows[] = {
    {"shorter_one", "......", "abc", 12, "abc|..", 6},
    {"one_that_leaves_room_for_a_nul", "......", "abc", 8, "abc|..", 6},
    {"one_that_leaves_half_a_unit", "......", "abc", 7, "abc...", 6},
    {"one_that_leaves_no_room", "......", "abc", 6, "abc...", 6},
    {"one_that_is_cut", "......", "abcdef", 4, "ab....", 4},
    {"empty_one", "......", "", 12, "|.....", 0},
    {"none", "......", NULL, 12, "|.....", 0},
    {"into_no_room", "......", "abc", 0, "......", 0},
};

static void copy_row(void **state)
{
    const struct copy_row *row = *state;
    struct call call = {.size = 0};
    const uint16_t *text;

    booted_init_usual(&call.booted);
    call.first = scene_string(&call.booted, row->to);
    call.first->MaximumLength = row->maximum;
    call.second = scene_string(&call.booted, row->from);
    text = call.first->Buffer;
    call_run(&call, copy);
    assert_false(call.raised);
    assert_int_equal(call.first->Length, row->want_length);
    assert_int_equal(call.first->MaximumLength, row->maximum);
    for (size_t i = 0; i < strlen(row->want); i++) {
        assert_int_equal(text[i], row->want[i] == '|' ? 0 : row->want[i]);
    }
    booted_release(&call.booted);
}

static void equal_exactly(void *argument)
{
    struct call *call = argument;

    call->result = RtlEqualUnicodeString(call->first, call->second, 0);
}

static void equal_roughly(void *argument)
{
    struct call *call = argument;

    call->result = RtlEqualUnicodeString(call->first, call->second, 1);
}

static struct equal_row {
    const char *name;
    const char *first, *second;
    uint64_t want_exactly, want_roughly;
} equal_rows[] = {
    {"same", "Abc", "Abc", 1, 1},
    {"other_case", "Abc", "aBC", 0, 1},
    {"other_letter", "Abc", "Abd", 0, 0},
    {"longer", "Abc", "Abcd", 0, 0},
    {"both_empty", "", "", 1, 1},
    {"brackets_are_no_letters", "[", "{", 0, 0},
    {"letters_beyond_ascii", "\xE9", "\xC9", 0, 1},
};

static void equal_row(void **state)
{
    const struct equal_row *row = *state;
    struct call call = {.result = 99};

    booted_init_usual(&call.booted);
    call.first = scene_string(&call.booted, row->first);
    call.second = scene_string(&call.booted, row->second);
    call_run(&call, equal_exactly);
    assert_int_equal(call.result, row->want_exactly);
    call_run(&call, equal_roughly);
    assert_int_equal(call.result, row->want_roughly);
    booted_release(&call.booted);
}

static void compare(void *argument)
{
    struct call *call = argument;

    call->result = RtlCompareMemory(call->bytes, call->other, call->size);
}

static void compare_by_compiler(void *argument)
{
    struct call *call = argument;

    call->result =
        (uint64_t)(int64_t)crt_memcmp(call->bytes, call->other, call->size);
}

static struct compare_row {
    const char *name;
    const char *first, *second;
    size_t size;
    uint64_t want_same;
    int64_t want_order;
} compare_rows[] = {
    {"same_bytes", "abcd", "abcd", 4, 4, 0},
    {"first_differs", "xbcd", "abcd", 4, 0, 1},
    {"last_differs", "abcc", "abcd", 4, 3, -1},
    {"bytes_have_no_sign", "\xFF...", "\x01...", 4, 0, 1},
    {"no_bytes", "abcd", "wxyz", 0, 0, 0},
};

static void compare_row(void **state)
{
    const struct compare_row *row = *state;
    struct call call = {.size = row->size};

    booted_init_usual(&call.booted);
    call.bytes = booted_copy(&call.booted, row->first, 4);
    call.other = booted_copy(&call.booted, row->second, 4);
    call_run(&call, compare);
    assert_int_equal(call.result, row->want_same);
    call_run(&call, compare_by_compiler);
    assert_int_equal((int64_t)call.result, row->want_order);
    booted_release(&call.booted);
}

static void set(void *argument)
{
    struct call *call = argument;

    call->result =
        (uint64_t)(uintptr_t)crt_memset(call->bytes, call->fill, call->size);
}

static void move(void *argument)
{
    struct call *call = argument;

    call->result =
        (uint64_t)(uintptr_t)crt_memmove(call->bytes, call->other, call->size);
}

static void copy_bytes(void *argument)
{
    struct call *call = argument;

    call->result =
        (uint64_t)(uintptr_t)crt_memcpy(call->bytes, call->other, call->size);
}

static struct bytes_row {
    const char *name;
    void (*code)(void *argument);
    size_t to, from, size;
    int32_t fill;
    bool want_raised;
    const char *want; /* of "abcdefgh" */
} bytes_rows[] = {
    {"set_of_3", set, 2, 0, 3, '.', false, "ab...fgh"},
    {"set_takes_a_byte_of_the_word", set, 0, 0, 1, 0x12E, false, ".bcdefgh"},
    {"set_of_nothing", set, 8, 0, 0, '.', false, "abcdefgh"},
    {"set_beyond_the_end", set, 6, 0, 3, '.', true, "abcdefgh"},
    {"copy_of_3", copy_bytes, 5, 0, 3, 0, false, "abcdeabc"},
    {"copy_from_beyond_the_end", copy_bytes, 0, 6, 3, 0, true, "abcdefgh"},
    {"move_up_over_itself", move, 2, 0, 6, 0, false, "ababcdef"},
    {"move_down_over_itself", move, 0, 2, 6, 0, false, "cdefghgh"},
    {"move_to_beyond_the_end", move, 4, 0, 5, 0, true, "abcdefgh"},
};

static void bytes_row(void **state)
{
    const struct bytes_row *row = *state;
    struct call call = {.size = row->size, .fill = row->fill};
    uint8_t *block;

    booted_init_usual(&call.booted);
    block = booted_copy(&call.booted, "abcdefgh", 8);
    call.bytes = block + row->to;
    call.other = block + row->from;
    call_run(&call, row->code);
    assert_int_equal(call.raised, row->want_raised);
    if (!row->want_raised) {
        assert_int_equal(call.result, (uint64_t)(uintptr_t)call.bytes);
    }
    assert_memory_equal(block, row->want, 8);
    booted_release(&call.booted);
}

/* Whether a copy is a call is the compiler's choice, so no trace has it. */
static void compiler_s_calls_leave_no_trace_and_cost_nothing(void **state)
{
    struct call call = {.size = 4, .fill = '.'};
    uint64_t before;

    (void)state;
    booted_init_usual(&call.booted);
    call.bytes = booted_block(&call.booted, 4, 0);
    before = booted_cpu(&call.booted, 0)->time;
    trace_reset(&call.booted.machine.trace);
    call_run(&call, set);
    assert_int_equal(call.booted.machine.trace.count, 0);
    assert_int_equal(booted_cpu(&call.booted, 0)->time, before);
    booted_release(&call.booted);
}

TEST_FILE(test_rtl_strings)
{
    TEST_ADD_ROWS(list, init_row, init_rows);
    TEST_ADD_ROWS(list, null_row, null_rows);
    TEST_ADD_ROWS(list, copy_row, copy_rows);
    TEST_ADD_ROWS(list, equal_row, equal_rows);
    TEST_ADD_ROWS(list, compare_row, compare_rows);
    TEST_ADD_ROWS(list, bytes_row, bytes_rows);
    test_add(list, "text_without_an_end_raises_at_its_end",
        text_without_an_end_raises_at_its_end, NULL);
    test_add(list, "misaligned_text_is_read_across_pages",
        misaligned_text_is_read_across_pages, NULL);
    test_add(list, "compiler_s_calls_leave_no_trace_and_cost_nothing",
        compiler_s_calls_leave_no_trace_and_cost_nothing, NULL);
}
