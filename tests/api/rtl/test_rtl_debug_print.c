/* test_rtl_debug_print.c - DbgPrint and its companions: the trace, the levels,
 * bad pointers, and how calls with strings are shown (page DbgPrint). */
#include "api/boot/exports.h"
#include "api/core/show.h"
#include "tests/api/io/io_scene.h"

struct print {
    struct booted_kernel booted;
    char *format;
    uint64_t *argument;
    KIRQL level;
    ULONG result;
    bool raised;
    struct exception_record record;
};

static void print_now(void *argument)
{
    struct print *print = argument;

    print->result = DbgPrint(print->format, print->argument);
}

static void print_ex_now(void *argument)
{
    struct print *print = argument;

    print->result = DbgPrintEx(77, 3, print->format, print->argument);
}

static void print_list_now(void *argument)
{
    struct print *print = argument;

    print->result = vDbgPrintEx(77, 3, print->format, print->argument);
}

static void print_caught(void *argument)
{
    struct print *print = argument;

    print->raised = booted_catch(print_now, print, &print->record);
}

static void print_raised(void *argument)
{
    struct print *print = argument;
    KIRQL old = KfRaiseIrql(print->level);

    print_now(print);
    KeLowerIrql(old);
}

static void print_init(struct print *print, const char *format, uint64_t value)
{
    *print = (struct print){.result = 99};
    booted_init_usual(&print->booted);
    print->format = booted_copy(&print->booted, format, strlen(format) + 1);
    print->argument = booted_copy(&print->booted, &value, sizeof(value));
    trace_reset(&print->booted.machine.trace);
}

/* The one record of the kind; "" when there is none. */
static void find_record(
    const struct print *print, const char *kind, char *line, size_t size)
{
    const struct trace *trace = &print->booted.machine.trace;

    line[0] = '\0';
    for (size_t i = 0; i < trace->count; i++) {
        if (strcmp(trace->record[i].kind->name, kind) == 0) {
            trace_format(trace, i, line, size);
        }
    }
}

static struct text_row {
    const char *name;
    const char *format;
    uint64_t value;
    const char *want;
} text_rows[] = {
    {"text", "hello", 0, "text=\"hello\""},
    {"newline_at_the_end_is_dropped", "hello\n", 0, "text=\"hello\""},
    {"only_the_last_newline_is_dropped", "a\n\n", 0, "text=\"a\\n\""},
    {"argument", "x=%d\n", 7, "text=\"x=7\""},
    {"nothing", "", 0, "text=\"\""},
    {"controls_are_escaped", "a\tb\r\x01", 0, "text=\"a\\tb\\r\\x01\""},
    {"bytes_beyond_ascii_are_escaped", "\xE9", 0, "text=\"\\xE9\""},
    {"quotes_and_backslashes_are_escaped", "\"\\", 0, "text=\"\\\"\\\\\""},
    {"nul_is_escaped", "a%cb", 0, "text=\"a\\x00b\""},
};

static void text_row(void **state)
{
    const struct text_row *row = *state;
    struct print print;
    char line[200];

    print_init(&print, row->format, row->value);
    booted_run(&print.booted, 0, print_now, &print);
    find_record(&print, "print", line, sizeof(line));
    assert_int_equal(print.result, 0);
    assert_non_null(strstr(line, row->want));
    assert_string_equal(strstr(line, "text="), row->want);
    booted_release(&print.booted);
}

static struct way_row {
    const char *name;
    void (*code)(void *argument);
} way_rows[] = {
    {"DbgPrintEx_prints", print_ex_now},
    {"vDbgPrintEx_prints", print_list_now},
};

static void way_row(void **state)
{
    const struct way_row *row = *state;
    struct print print;
    char line[200];

    print_init(&print, "x=%u", 7);
    booted_run(&print.booted, 0, row->code, &print);
    find_record(&print, "print", line, sizeof(line));
    assert_int_equal(print.result, 0);
    assert_string_equal(strstr(line, "text="), "text=\"x=7\"");
    booted_release(&print.booted);
}

static struct level_row {
    const char *name;
    const char *format;
    KIRQL level;
    const char *want_rule;
} level_rows[] = {
    {"plain_at_passive", "a", 0, NULL},
    {"plain_at_dispatch", "a", 2, NULL},
    {"plain_at_device_level", "a", 12, NULL},
    {"plain_at_clock_level", "a", 13, "dbgprint.irql"},
    {"plain_at_high_level", "a", 15, "dbgprint.irql"},
    {"unicode_at_passive", "%C", 0, NULL},
    {"unicode_at_apc", "%C", 1, "dbgprint.unicode_irql"},
    {"unicode_at_dispatch", "%C", 2, "dbgprint.unicode_irql"},
    {"floating_point", "%f", 0, "dbgprint.format"},
};

static void level_row(void **state)
{
    const struct level_row *row = *state;
    struct print print;
    const struct rule_log *rules = &print.booted.kernel.rules;

    print_init(&print, row->format, 'x');
    print.level = row->level;
    booted_run(&print.booted, 0, print_raised, &print);
    if (row->want_rule == NULL) {
        assert_int_equal(rules->count, 0);
    } else {
        assert_int_equal(rules->count, 1);
        assert_string_equal(rule_rows[rules->event[0].rule].id, row->want_rule);
        assert_int_equal(rules->event[0].routine, ROUTINE_DbgPrint);
    }
    booted_release(&print.booted);
}

static void unreadable_string_raises_and_prints_nothing(void **state)
{
    struct print print;
    char line[200];

    (void)state;
    print_init(&print, "a%s", 0x10);
    booted_run(&print.booted, 0, print_caught, &print);
    find_record(&print, "print", line, sizeof(line));
    assert_true(print.raised);
    assert_int_equal((uint32_t)print.record.code, 0xC0000005);
    assert_int_equal(print.record.routine, ROUTINE_DbgPrint);
    assert_string_equal(line, "");
    booted_release(&print.booted);
}

static void unreadable_format_raises(void **state)
{
    struct print print;

    (void)state;
    print_init(&print, "", 0);
    print.format = NULL;
    booted_run(&print.booted, 0, print_caught, &print);
    assert_true(print.raised);
    booted_release(&print.booted);
}

static void call_is_shown_with_its_format(void **state)
{
    struct print print;
    char line[200];

    (void)state;
    print_init(&print, "x=%d\n", 7);
    booted_run(&print.booted, 0, print_now, &print);
    find_record(&print, "call", line, sizeof(line));
    assert_non_null(strstr(line, "DbgPrint(Format=\"x=%d.\", Arguments=...)"));
    booted_release(&print.booted);
}

/* A string by its text, not by where in an image it lies. */
static void strings_are_shown_by_their_text(void **state)
{
    struct booted_kernel booted;
    char text[SHOW_CALL_BYTES];
    uint64_t argument[7] = {0};
    PUNICODE_STRING string;

    (void)state;
    booted_init_usual(&booted);
    string = scene_string(&booted, "\\Device\\A");
    argument[0] = (uint64_t)(uintptr_t)string;
    show_call(&booted.kernel, ROUTINE_IoDeleteSymbolicLink, argument, text,
        sizeof(text));
    assert_string_equal(
        text, "IoDeleteSymbolicLink(SymbolicLinkName=\"\\Device\\A\")");
    argument[1] = (uint64_t)(uintptr_t)string->Buffer;
    show_call(&booted.kernel, ROUTINE_RtlInitUnicodeString, argument, text,
        sizeof(text));
    assert_string_equal(text,
        "RtlInitUnicodeString(DestinationString=block(16), "
        "SourceString=\"\\Device\\A\")");
    argument[1] = 0x10;
    show_call(&booted.kernel, ROUTINE_RtlInitUnicodeString, argument, text,
        sizeof(text));
    assert_string_equal(text,
        "RtlInitUnicodeString(DestinationString=block(16), SourceString=wild)");
    booted_release(&booted);
}

TEST_FILE(test_rtl_debug_print)
{
    TEST_ADD_ROWS(list, text_row, text_rows);
    TEST_ADD_ROWS(list, way_row, way_rows);
    TEST_ADD_ROWS(list, level_row, level_rows);
    test_add(list, "unreadable_string_raises_and_prints_nothing",
        unreadable_string_raises_and_prints_nothing, NULL);
    test_add(list, "unreadable_format_raises", unreadable_format_raises, NULL);
    test_add(list, "call_is_shown_with_its_format",
        call_is_shown_with_its_format, NULL);
    test_add(list, "strings_are_shown_by_their_text",
        strings_are_shown_by_their_text, NULL);
}
