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
    {"first_and_last_printable", " ~", 0, "text=\" ~\""},
    {"beside_the_printable", "\x1F\x7F", 0, "text=\"\\x1F\\x7F\""},
    {"newline_alone", "\n", 0, "text=\"\""},
    {"return_at_the_end_stays", "a\r", 0, "text=\"a\\r\""},
    {"escaped_ones_in_a_row", "\t\t\"x\n-", 0, "text=\"\\t\\t\\\"x\\n-\""},
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

static void print_nothing_behind_a_text(void *argument)
{
    struct print *print = argument;

    print_now(print);
    print->format += strlen(print->format);
    print_now(print);
}

static void nothing_is_printed_of_what_was_before(void **state)
{
    struct print print;
    char line[200];

    (void)state;
    print_init(&print, "before", 0);
    booted_run(&print.booted, 0, print_nothing_behind_a_text, &print);
    find_record(&print, "print", line, sizeof(line));
    assert_string_equal(strstr(line, "text="), "text=\"\"");
    booted_release(&print.booted);
}

/* Four characters of each byte, and a NUL. */
static void all_of_the_most_are_escaped(void **state)
{
    struct print print;
    char line[2200];
    const char *text;

    (void)state;
    print_init(&print, "%.512s", 0);
    *print.argument = (uint64_t)(uintptr_t)booted_block(&print.booted, 600, 1);
    booted_run(&print.booted, 0, print_now, &print);
    find_record(&print, "print", line, sizeof(line));
    text = strstr(line, "text=\"");
    assert_non_null(text);
    assert_int_equal(strlen(text), strlen("text=\"\"") + 2048);
    for (size_t i = 0; i < 2048; i++) {
        assert_int_equal(text[6 + i], "\\x01"[i % 4]);
    }
    booted_release(&print.booted);
}

struct failed {
    char *assertion, *file, *message;
    bool raised;
    struct exception_record record;
};

static void assert_now(void *argument)
{
    struct failed *failed = argument;

    RtlAssert(failed->assertion, failed->file, 4294967295, failed->message);
}

static void assert_caught(void *argument)
{
    struct failed *failed = argument;

    failed->raised = booted_catch(assert_now, failed, &failed->record);
}

/* All that is printed is 512 bytes at most (RTL-41). */
static struct failed_row {
    const char *name;
    size_t message, assertion, file; /* characters; message 0: NULL */
    const char *want_last;
    size_t want_length;
} failed_rows[] = {
    {"no_message", 0, 3, 4, "failed: aaa, file ffff, line 4294967295", 49},
    {"message", 2, 3, 4, "mm aaa, file ffff, line 4294967295", 52},
    {"file_without_a_name", 2, 3, 0, "mm aaa, file , line 4294967295", 48},
    {"line_that_just_fits", 0, 3, 467, "f, line 4294967295", 512},
    {"line_that_is_cut", 0, 3, 468, "f, line 429496729", 512},
    {"file_that_just_fits", 0, 3, 484, "f", 512},
    {"file_that_is_cut", 0, 3, 485, "f", 512},
    {"message_that_just_fits", 494, 3, 4, "m", 512},
    {"message_that_is_cut", 600, 3, 4, "m", 512},
    {"blank_behind_a_message_that_fits", 493, 3, 4, "m ", 512},
};

static void failed_row(void **state)
{
    const struct failed_row *row = *state;
    struct print print;
    struct failed failed = {.raised = false};
    char line[700];
    char *text;

    print_init(&print, "", 0);
    failed.assertion = booted_block(&print.booted, row->assertion + 1, 'a');
    failed.assertion[row->assertion] = '\0';
    failed.file = booted_block(&print.booted, row->file + 1, 'f');
    failed.file[row->file] = '\0';
    if (row->message > 0) {
        failed.message = booted_block(&print.booted, row->message + 1, 'm');
        failed.message[row->message] = '\0';
    }
    booted_run(&print.booted, 0, assert_caught, &failed);
    assert_true(failed.raised);
    assert_int_equal((uint32_t)failed.record.code, 0x80000003);
    assert_int_equal(failed.record.routine, ROUTINE_RtlAssert);
    find_record(&print, "print", line, sizeof(line));
    text = strstr(line, "text=\"Assertion failed: ");
    assert_non_null(text);
    text += strlen("text=\"");
    assert_int_equal(strlen(text) - 1, row->want_length);
    text[row->want_length] = '\0';
    assert_string_equal(
        text + row->want_length - strlen(row->want_last), row->want_last);
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
    TEST_ADD_ROWS(list, failed_row, failed_rows);
    test_add(list, "unreadable_string_raises_and_prints_nothing",
        unreadable_string_raises_and_prints_nothing, NULL);
    test_add(list, "nothing_is_printed_of_what_was_before",
        nothing_is_printed_of_what_was_before, NULL);
    test_add(
        list, "all_of_the_most_are_escaped", all_of_the_most_are_escaped, NULL);
    test_add(list, "unreadable_format_raises", unreadable_format_raises, NULL);
    test_add(list, "call_is_shown_with_its_format",
        call_is_shown_with_its_format, NULL);
    test_add(list, "strings_are_shown_by_their_text",
        strings_are_shown_by_their_text, NULL);
}
