/* test_trace.c - records, their text, and what is kept or forgotten. */
#include <stdio.h>
#include <string.h>

#include "sim/base/trace.h"
#include "tests/rows.h"

static struct format_row {
    const char *name;
    uint64_t time;
    uint32_t processor;
    struct trace_kind kind;
    uint64_t value[TRACE_VALUES];
    const char *want;
} format_rows[] = {
    {"hexadecimal_has_its_prefix", 0, 0, {"wrmsr", "value=%x"}, {0x5300C0},
        "0 cpu0 wrmsr value=0x5300c0"},
    {"hexadecimal_zero_has_its_prefix", 0, 0, {"wrmsr", "value=%x"}, {0},
        "0 cpu0 wrmsr value=0x0"},
    {"hexadecimal_has_64_bits", 0, 0, {"wrmsr", "value=%x"},
        {0xFFFFFFFFFFFFFFFF}, "0 cpu0 wrmsr value=0xffffffffffffffff"},
    {"decimal_has_64_bits", 0, 0, {"segment", "cycles=%u"},
        {0xFFFFFFFFFFFFFFFF}, "0 cpu0 segment cycles=18446744073709551615"},
    {"time_and_processor_come_first", 123456789012, 2047, {"pmi", "vector=%x"},
        {0xFE}, "123456789012 cpu2047 pmi vector=0xfe"},
    {"four_values_come_in_their_order", 1, 2, {"call", "a=%u b=%x c=%u d=%u"},
        {10, 11, 12, 13}, "1 cpu2 call a=10 b=0xb c=12 d=13"},
    {"text_stands_beside_values", 7, 1, {"wrmsr", "index=%x fault=#GP"},
        {0x38E}, "7 cpu1 wrmsr index=0x38e fault=#GP"},
    {"meaning_is_not_written", 7, 1, {"irql", "from=%Lu to=%Lu"}, {0, 15},
        "7 cpu1 irql from=0 to=15"},
    {"name_in_braces_is_not_written", 7, 1, {"call", "%{api}Ax%{n}u n=%u"},
        {10, 11, 12}, "7 cpu1 call 0xa11 n=12"},
};

static void format_row(void **state)
{
    const struct format_row *row = *state;
    struct trace trace = {0};
    char line[100];
    size_t length;

    trace_add(&trace, row->time, row->processor, &row->kind, row->value);
    length = trace_format(&trace, 0, line, sizeof(line));

    assert_string_equal(line, row->want);
    assert_int_equal(length, strlen(row->want));
    trace_release(&trace);
}

static const struct trace_kind number = {"number", "n=%u"};
static const struct trace_kind name = {"name", "name=%s other=%s"};

static void add_number(struct trace *trace, uint64_t n)
{
    const uint64_t value[TRACE_VALUES] = {n};

    trace_add(trace, n, 0, &number, value);
}

static struct cut_row {
    const char *name;
    size_t size;
    const char *want; /* of "42 cpu0 number n=42", 19 bytes */
} cut_rows[] = {
    {"line_that_just_fits_is_whole", 20, "42 cpu0 number n=42"},
    {"line_one_byte_too_long_loses_one", 19, "42 cpu0 number n=4"},
    {"line_is_cut_within_its_head", 5, "42 c"},
    {"line_of_one_byte_is_its_end", 1, ""},
};

static void cut_row(void **state)
{
    const struct cut_row *row = *state;
    struct trace trace = {0};
    char line[24];

    memset(line, '~', sizeof(line));
    add_number(&trace, 42);
    assert_int_equal(trace_format(&trace, 0, line, row->size), 19);
    assert_string_equal(line, row->want);
    assert_int_equal(line[row->size], '~');
    trace_release(&trace);
}

static void no_room_at_all_still_tells_the_length(void **state)
{
    struct trace trace = {0};

    (void)state;
    add_number(&trace, 42);
    assert_int_equal(trace_format(&trace, 0, NULL, 0), 19);
    trace_release(&trace);
}

static void records_keep_their_order_past_every_growth(void **state)
{
    struct trace trace = {0};
    char line[40];

    (void)state;
    for (uint64_t n = 0; n < 1000; n++) {
        add_number(&trace, n);
    }
    assert_int_equal(trace.count, 1000);
    trace_format(&trace, 255, line, sizeof(line));
    assert_string_equal(line, "255 cpu0 number n=255");
    trace_format(&trace, 256, line, sizeof(line));
    assert_string_equal(line, "256 cpu0 number n=256");
    trace_format(&trace, 999, line, sizeof(line));
    assert_string_equal(line, "999 cpu0 number n=999");
    trace_release(&trace);
}

static void text_is_copied(void **state)
{
    struct trace trace = {0};
    char text[] = "set#1";
    uint64_t value;

    (void)state;
    value = trace_text(&trace, text);
    text[4] = '2';
    assert_string_equal(trace_text_at(&trace, value), "set#1");
    trace_release(&trace);
}

static void texts_appear_in_their_record(void **state)
{
    struct trace trace = {0};
    uint64_t value[TRACE_VALUES] = {0};
    char line[40];

    (void)state;
    value[1] = trace_text(&trace, "second");
    value[0] = trace_text(&trace, "");
    trace_add(&trace, 5, 1, &name, value);
    trace_format(&trace, 0, line, sizeof(line));
    assert_string_equal(line, "5 cpu1 name name= other=second");
    trace_release(&trace);
}

static void texts_survive_every_growth(void **state)
{
    struct trace trace = {0};
    uint64_t value[300];

    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        char text[16];

        snprintf(text, sizeof(text), "thread#%u", i);
        value[i] = trace_text(&trace, text);
    }
    assert_string_equal(trace_text_at(&trace, value[0]), "thread#0");
    assert_string_equal(trace_text_at(&trace, value[123]), "thread#123");
    assert_string_equal(trace_text_at(&trace, value[299]), "thread#299");
    trace_release(&trace);
}

static void text_longer_than_the_first_room_is_kept(void **state)
{
    struct trace trace = {0};
    char text[2000];
    uint64_t value;

    (void)state;
    memset(text, 'x', sizeof(text));
    text[1999] = '\0';
    value = trace_text(&trace, text);
    assert_string_equal(trace_text_at(&trace, value), text);
    trace_release(&trace);
}

static void trace_that_is_off_records_nothing(void **state)
{
    struct trace trace = {.off = true};

    (void)state;
    add_number(&trace, 1);
    trace_text(&trace, "text");
    assert_int_equal(trace.count, 0);
    assert_int_equal(trace.text_used, 0);
    assert_null(trace.record);
    trace_release(&trace);
}

static void trace_switched_on_again_goes_on(void **state)
{
    struct trace trace = {0};
    char line[40];

    (void)state;
    add_number(&trace, 1);
    trace.off = true;
    add_number(&trace, 2);
    trace.off = false;
    add_number(&trace, 3);
    assert_int_equal(trace.count, 2);
    trace_format(&trace, 1, line, sizeof(line));
    assert_string_equal(line, "3 cpu0 number n=3");
    trace_release(&trace);
}

static void reset_forgets_records_and_texts(void **state)
{
    struct trace trace = {0};
    char line[40];

    (void)state;
    trace_text(&trace, "old");
    add_number(&trace, 1);
    trace_reset(&trace);
    assert_int_equal(trace.count, 0);
    assert_int_equal(trace_text(&trace, "new"), 0);
    assert_string_equal(trace_text_at(&trace, 0), "new");
    add_number(&trace, 2);
    trace_format(&trace, 0, line, sizeof(line));
    assert_string_equal(line, "2 cpu0 number n=2");
    trace_release(&trace);
}

static void reset_keeps_the_memory(void **state)
{
    struct trace trace = {0};

    (void)state;
    for (uint64_t n = 0; n < 300; n++) {
        add_number(&trace, n);
    }
    trace_reset(&trace);
    add_number(&trace, 1);
    assert_int_equal(trace.capacity, 512);
    trace_release(&trace);
}

static const struct trace_kind fields = {
    "fields", "%{api}As%{args}s set=set#%u text=\"%s\" fault=#GP to=%Lu"};

static struct field_row {
    const char *name; /* of the field */
    unsigned n;
    char meaning, conversion;
    unsigned value;
    const char *want_word; /* NULL: a value */
} field_rows[] = {
    {"api", 0, 'A', 's', 0, NULL},
    {"args", 1, 0, 's', 1, NULL},
    {"set", 2, 0, 'u', 2, NULL},
    {"text", 3, 0, 's', 3, NULL},
    {"fault", 4, 0, 0, 4, "#GP"},
    {"to", 5, 'L', 'u', 4, NULL},
};

static void field_row(void **state)
{
    const struct field_row *row = *state;
    struct trace_field field;

    assert_true(trace_field(&fields, row->n, &field));
    assert_int_equal(field.name_length, strlen(row->name));
    assert_memory_equal(field.name, row->name, field.name_length);
    assert_int_equal(field.meaning, row->meaning);
    assert_int_equal(field.conversion, row->conversion);
    assert_int_equal(field.value, row->value);
    if (row->want_word != NULL) {
        assert_int_equal(field.word_length, strlen(row->want_word));
        assert_memory_equal(field.word, row->want_word, field.word_length);
    }
}

static void there_is_no_field_after_the_last(void **state)
{
    struct trace_field field;

    (void)state;
    assert_false(trace_field(&fields, 6, &field));
    assert_false(trace_field(&number, 1, &field));
}

/* What a reader was given. */
struct reading {
    size_t calls, records;
    uint64_t last;  /* the last record's first value */
    char text[100]; /* of the last record */
};

static void take(void *context, const struct trace *trace)
{
    struct reading *reading = context;

    reading->calls++;
    reading->records += trace->count;
    reading->last = trace->record[trace->count - 1].value[0];
    trace_format(trace, trace->count - 1, reading->text, sizeof(reading->text));
}

static void reader_gets_every_record_and_few_are_kept(void **state)
{
    struct reading reading = {0};
    struct trace trace = {.reader = {take, &reading}};

    (void)state;
    for (uint64_t n = 0; n < 10000; n++) {
        add_number(&trace, n);
        assert_true(trace.count < TRACE_HELD);
    }
    assert_int_equal(reading.calls, 2);
    assert_int_equal(reading.records, 8192);
    assert_int_equal(reading.last, 8191);
    trace_hand_on(&trace);
    assert_int_equal(reading.records, 10000);
    assert_int_equal(reading.last, 9999);
    assert_string_equal(reading.text, "9999 cpu0 number n=9999");
    trace_release(&trace);
}

static void reader_gets_the_texts_of_the_last_record(void **state)
{
    struct reading reading = {0};
    struct trace trace = {.reader = {take, &reading}};

    (void)state;
    for (unsigned n = 0; n < TRACE_HELD; n++) {
        const uint64_t value[TRACE_VALUES] = {
            trace_text(&trace, "one"), trace_text(&trace, "two")};

        trace_add(&trace, n, 0, &name, value);
    }
    assert_int_equal(reading.calls, 1);
    assert_string_equal(reading.text, "4095 cpu0 name name=one other=two");
    assert_int_equal(trace.text_used, 0);
    trace_release(&trace);
}

static void records_that_are_looked_at_stay(void **state)
{
    struct reading reading = {0};
    struct trace trace = {.reader = {take, &reading}, .looked_at = true};

    (void)state;
    for (uint64_t n = 0; n < 10000; n++) {
        add_number(&trace, n);
    }
    assert_int_equal(trace.count, 10000);
    assert_int_equal(reading.calls, 0);
    trace_hand_on(&trace);
    assert_int_equal(reading.records, 10000);
    assert_int_equal(trace.count, 0);
    trace_release(&trace);
}

static void records_that_nobody_reads_stay(void **state)
{
    struct trace trace = {0};

    (void)state;
    for (uint64_t n = 0; n < 10000; n++) {
        add_number(&trace, n);
    }
    trace_hand_on(&trace);
    assert_int_equal(trace.count, 10000);
    trace_release(&trace);
}

TEST_FILE(test_trace)
{
    TEST_ADD_ROWS(list, format_row, format_rows);
    TEST_ADD_ROWS(list, cut_row, cut_rows);
    TEST_ADD_ROWS(list, field_row, field_rows);
    test_add(list, "there_is_no_field_after_the_last",
        there_is_no_field_after_the_last, NULL);
    test_add(list, "no_room_at_all_still_tells_the_length",
        no_room_at_all_still_tells_the_length, NULL);
    test_add(list, "records_keep_their_order_past_every_growth",
        records_keep_their_order_past_every_growth, NULL);
    test_add(list, "text_is_copied", text_is_copied, NULL);
    test_add(list, "texts_appear_in_their_record", texts_appear_in_their_record,
        NULL);
    test_add(
        list, "texts_survive_every_growth", texts_survive_every_growth, NULL);
    test_add(list, "text_longer_than_the_first_room_is_kept",
        text_longer_than_the_first_room_is_kept, NULL);
    test_add(list, "trace_that_is_off_records_nothing",
        trace_that_is_off_records_nothing, NULL);
    test_add(list, "trace_switched_on_again_goes_on",
        trace_switched_on_again_goes_on, NULL);
    test_add(list, "reset_forgets_records_and_texts",
        reset_forgets_records_and_texts, NULL);
    test_add(list, "reset_keeps_the_memory", reset_keeps_the_memory, NULL);
    test_add(list, "reader_gets_every_record_and_few_are_kept",
        reader_gets_every_record_and_few_are_kept, NULL);
    test_add(list, "reader_gets_the_texts_of_the_last_record",
        reader_gets_the_texts_of_the_last_record, NULL);
    test_add(list, "records_that_are_looked_at_stay",
        records_that_are_looked_at_stay, NULL);
    test_add(list, "records_that_nobody_reads_stay",
        records_that_nobody_reads_stay, NULL);
}
