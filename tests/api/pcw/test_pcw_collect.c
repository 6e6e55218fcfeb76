/* test_pcw_collect.c - what a collection of created instances gives: values,
 * masks, filters (facts.md 5.1, 5.4, 5.7). */
#include "tests/api/pcw/pcw_scene.h"

/* Every size, and ids on both sides of a mask's end. */
static const PCW_COUNTER_DESCRIPTOR counters[] = {
    {.Id = 0, .StructIndex = 0, .Offset = 0, .Size = 4},
    {.Id = 63, .StructIndex = 0, .Offset = 8, .Size = 8},
    {.Id = 64, .StructIndex = 0, .Offset = 4, .Size = 4},
    {.Id = 65535, .StructIndex = 0, .Offset = 12, .Size = 2},
};

static const struct pcw_set disk = {
    .name = PCW_TEXT_ROW(u"Disk"), .counter = counters, .count = 4};

static const uint8_t bytes[16] = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0xF1, 0xF2, 0xF3, 0xF4};

static struct mask_row {
    const char *name;
    enum ruled ruled;
    uint64_t mask;
    unsigned want; /* bit n: descriptor n */
} mask_rows[] = {
    {"all_ones_is_all_counters", PCW_USUAL, UINT64_MAX, 0xF},
    {"no_counters", PCW_USUAL, 0, 0},
    {"lowest_counter", PCW_USUAL, 1, 1},
    {"highest_counter_of_a_mask", PCW_USUAL, UINT64_C(1) << 63, 2},
    {"all_but_one_has_none_above_63", PCW_USUAL, ~UINT64_C(2), 3},
    {"counters_above_63_always", RULED_PCW_TYPE_06b_always, 0, 0xC},
    {"counters_above_63_never", RULED_PCW_TYPE_06b_never, UINT64_MAX, 3},
};

static void mask_row(void **state)
{
    static const struct pcw_value want[] = {
        {0, 4, 0x04030201},
        {63, 8, 0xF4F3F2F10C0B0A09},
        {64, 4, 0x08070605},
        {65535, 2, 0xF2F1},
    };
    const struct mask_row *row = *state;
    struct booted_kernel booted;
    struct pcw_consumer consumer;
    const struct pcw_result *result;
    size_t count = 0;

    booted_init_usual(&booted);
    pcw_create(&booted, pcw_register(&booted, &disk), PCW_TEXT(u"C:"),
        booted_copy(&booted, bytes, 16), 16);
    pcw_flip(&booted, row->ruled);
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"disk"));
    consumer.filter.counters = row->mask;
    result = pcw_collect_once(&booted, &consumer);
    assert_false(result->cancelled);
    assert_int_equal(result->row_count, 1);
    pcw_assert_text(result->row[0].name, PCW_TEXT(u"C:"));
    assert_int_equal(result->row[0].id, 0);
    assert_int_equal(result->row[0].registration, 1);
    for (unsigned i = 0; i < 4; i++) {
        if ((row->want >> i & 1) != 0) {
            struct pcw_value value = pcw_row_value(&result->row[0], count++);

            assert_int_equal(value.counter, want[i].counter);
            assert_int_equal(value.bytes, want[i].bytes);
            assert_int_equal(value.value, want[i].value);
        }
    }
    assert_int_equal(result->row[0].value_count, count);
    booted_release(&booted);
}

static struct size_row {
    const char *name;
    USHORT size;
    uint16_t want_bytes;
    uint64_t want;
} size_rows[] = {
    {"no_bytes_are_no_value", 0, 0, 0},
    {"one_byte", 1, 1, 0xF1},
    {"three_bytes_are_zero_extended", 3, 3, 0xF3F2F1},
    {"seven_bytes", 7, 7, 0x77F6F5F4F3F2F1},
    {"nine_bytes_are_the_first_eight", 9, 9, 0xF877F6F5F4F3F2F1},
    {"highest_size_is_its_first_eight_bytes", 65535, 65535, 0xF877F6F5F4F3F2F1},
};

/* Enumerated first, which reads no data. */
static void size_row(void **state)
{
    static const uint8_t first[] = {
        0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0x77, 0xF8};
    const struct size_row *row = *state;
    const PCW_COUNTER_DESCRIPTOR counter = {.Id = 1, .Size = row->size};
    const struct pcw_set set = {
        .name = PCW_TEXT(u"Disk"), .counter = &counter, .count = 1};
    struct booted_kernel booted;
    struct pcw_consumer consumer;
    const struct pcw_result *result;
    uint8_t *block;

    booted_init_usual(&booted);
    block = booted_block(&booted, 65535, 0);
    memcpy(block, first, sizeof(first));
    pcw_create(
        &booted, pcw_register(&booted, &set), PCW_TEXT(u"C:"), block, 65535);
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"Disk"));
    booted_run(&booted, 0, pcw_consumer_open, &consumer);
    booted_run(&booted, 0, pcw_consumer_enumerate, &consumer);
    assert_int_equal(consumer.result->row_count, 1);
    assert_int_equal(consumer.result->row[0].value_count, 0);
    result = pcw_collect_once(&booted, &consumer);
    assert_int_equal(result->row_count, 1);
    assert_int_equal(result->row[0].value_count, 1);
    assert_int_equal(result->row[0].column->bytes, row->want_bytes);
    assert_int_equal(*result->row[0].value, row->want);
    booted_release(&booted);
}

static void counter_of_no_bytes_needs_no_block(void **state)
{
    static const PCW_COUNTER_DESCRIPTOR counter = {.Id = 1};
    const struct pcw_set set = {
        .name = PCW_TEXT(u"Disk"), .counter = &counter, .count = 1};
    struct booted_kernel booted;
    struct pcw_consumer consumer;
    uint64_t *handle;
    const PCW_DATA data = {0};
    struct pcw_job job = {.routine = ROUTINE_PcwCreateInstance};

    (void)state;
    booted_init_usual(&booted);
    handle = booted_block(&booted, 8, 0);
    job.argument[0] = pcw_value(handle);
    job.argument[1] = pcw_register(&booted, &set);
    job.argument[2] = pcw_value(pcw_name(&booted, PCW_TEXT(u"C:")));
    job.argument[3] = 1;
    job.argument[4] = pcw_value(booted_copy(&booted, &data, sizeof(data)));
    pcw_run(&booted, &job);
    assert_int_equal(job.status, 0x00000000);
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"Disk"));
    pcw_collect_once(&booted, &consumer);
    assert_int_equal(consumer.result->row_count, 1);
    assert_int_equal(consumer.result->row[0].column->bytes, 0);
    booted_release(&booted);
}

/* The instances "C:" (0), "D:" (1), "d:x" (2) and "" (3). */
static struct filter_row {
    const char *name;
    struct pcw_text mask;
    uint32_t id;
    bool single;
    unsigned want; /* bit n: instance n */
} filter_rows[] = {
    {"star_is_all", PCW_TEXT_ROW(u"*"), 0xFFFFFFFF, false, 0xF},
    {"name_without_case", PCW_TEXT_ROW(u"d:"), 0xFFFFFFFF, false, 2},
    {"beginning", PCW_TEXT_ROW(u"D:*"), 0xFFFFFFFF, false, 6},
    {"any_one_character", PCW_TEXT_ROW(u"?:"), 0xFFFFFFFF, false, 3},
    {"empty_mask_is_the_empty_name", PCW_TEXT_ROW(u""), 0xFFFFFFFF, false, 8},
    {"nobody", PCW_TEXT_ROW(u"E:"), 0xFFFFFFFF, false, 0},
    {"id", PCW_TEXT_ROW(u"*"), 2, false, 4},
    {"id_0", PCW_TEXT_ROW(u"*"), 0, false, 1},
    {"id_of_another_name", PCW_TEXT_ROW(u"C:"), 1, false, 0},
    {"id_and_name", PCW_TEXT_ROW(u"d:"), 1, false, 2},
    {"id_that_nobody_has", PCW_TEXT_ROW(u"*"), 4, false, 0},
    {"reserved_id_is_not_any", PCW_TEXT_ROW(u"*"), 0xFFFFFFFE, false, 0},
    {"single_is_the_first", PCW_TEXT_ROW(u"*"), 0xFFFFFFFF, true, 1},
    {"single_is_the_first_that_matches", PCW_TEXT_ROW(u"d*"), 0xFFFFFFFF, true,
        2},
    {"single_without_a_name_is_the_first", PCW_TEXT_ROW(u""), 0xFFFFFFFF, true,
        1},
};

static void filter_row(void **state)
{
    static const struct pcw_text names[] = {PCW_TEXT_ROW(u"C:"),
        PCW_TEXT_ROW(u"D:"), PCW_TEXT_ROW(u"d:x"), PCW_TEXT_ROW(u"")};
    const struct filter_row *row = *state;
    struct booted_kernel booted;
    struct pcw_consumer consumer;
    const void *block;
    uint64_t registration;
    size_t count = 0;

    booted_init_usual(&booted);
    registration = pcw_register(&booted, &disk);
    block = booted_copy(&booted, bytes, 16);
    for (unsigned i = 0; i < 4; i++) {
        pcw_create(&booted, registration, names[i], block, 16);
    }
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"Disk"));
    consumer.filter.instance = row->mask;
    consumer.filter.id = row->id;
    consumer.filter.multiple = !row->single;
    pcw_collect_once(&booted, &consumer);
    for (unsigned i = 0; i < 4; i++) {
        if ((row->want >> i & 1) != 0) {
            assert_true(count < consumer.result->row_count);
            pcw_assert_text(consumer.result->row[count].name, names[i]);
            assert_int_equal(consumer.result->row[count++].id, i);
        }
    }
    assert_int_equal(consumer.result->row_count, count);
    booted_release(&booted);
}

static void values_are_those_of_the_moment(void **state)
{
    struct booted_kernel booted;
    struct pcw_consumer consumer;
    uint8_t *block;

    (void)state;
    booted_init_usual(&booted);
    block = booted_copy(&booted, bytes, 16);
    pcw_create(
        &booted, pcw_register(&booted, &disk), PCW_TEXT(u"C:"), block, 16);
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"Disk"));
    pcw_collect_once(&booted, &consumer);
    assert_int_equal(consumer.result->row[0].value[0], 0x04030201);
    block[0] = 0xFF;
    assert_int_equal(consumer.result->row[0].value[0], 0x04030201);
    pcw_collect_once(&booted, &consumer);
    assert_int_equal(consumer.result->row[0].value[0], 0x040302FF);
    assert_int_equal(consumer.result->row_count, 1);
    booted_release(&booted);
}

/* 150 cycles for an instance, 4 for a counter that is asked for, as collect.c
 * says; an enumeration reads none. The result has the time at which it began,
 * after 5 cycles of KeGetCurrentIrql. */
static void collecting_takes_time(void **state)
{
    struct booted_kernel booted;
    struct pcw_consumer consumer;
    uint64_t registration, before;

    (void)state;
    booted_init_usual(&booted);
    registration = pcw_register(&booted, &disk);
    for (unsigned i = 0; i < 3; i++) {
        pcw_create(&booted, registration, PCW_TEXT(u"C:"),
            booted_copy(&booted, bytes, 16), 16);
    }
    consumer = pcw_consumer_of(&booted, PCW_TEXT(u"Disk"));
    consumer.filter.counters = 1;
    booted_run(&booted, 1, pcw_consumer_open, &consumer);
    before = booted_cpu(&booted, 1)->time;
    booted_run(&booted, 1, pcw_consumer_collect, &consumer);
    assert_int_equal(consumer.result->cycles, before + 5);
    assert_int_equal(booted_cpu(&booted, 1)->time - before, 5 + 3 * 154);
    before = booted_cpu(&booted, 1)->time;
    booted_run(&booted, 1, pcw_consumer_enumerate, &consumer);
    assert_int_equal(consumer.result->cycles, before);
    assert_int_equal(booted_cpu(&booted, 1)->time - before, 3 * 150);
    booted_release(&booted);
}

TEST_FILE(test_pcw_collect)
{
    TEST_ADD_ROWS(list, mask_row, mask_rows);
    TEST_ADD_ROWS(list, size_row, size_rows);
    TEST_ADD_ROWS(list, filter_row, filter_rows);
    test_add(list, "counter_of_no_bytes_needs_no_block",
        counter_of_no_bytes_needs_no_block, NULL);
    test_add(list, "collecting_takes_time", collecting_takes_time, NULL);
    test_add(list, "values_are_those_of_the_moment",
        values_are_those_of_the_moment, NULL);
}
