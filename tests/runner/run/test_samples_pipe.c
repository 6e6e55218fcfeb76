/* test_samples_pipe.c - samples through bytes and back, and bytes that are
 * none. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/run/samples_pipe.h"

#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/core/rules.h"
#include "tests/rows.h"

/* Two samples of one set, with two instances each; and their bytes. */
struct exchange {
    void *memory;
    char *bytes;
    size_t length;
};

static struct rows *make_rows(void *context, uint64_t cycles)
{
    static const uint16_t name[] = {'a', 0xD800, ','};
    struct rows *rows = talloc_zero(context, struct rows);

    rows->cycles = cycles;
    rows->count = 2;
    rows->item = talloc_zero_array(rows, struct row, 2);
    rows->item[0] = (struct row){.wide = {name, 3}, .id = 7, .value_count = 2};
    rows->item[0].value = talloc_zero_array(rows, struct row_value, 2);
    rows->item[0].value[0] =
        (struct row_value){.counter = 1, .size = 4, .value = 5};
    rows->item[0].value[1] = (struct row_value){
        .counter = 65535, .size = 65535, .value = UINT64_MAX};
    rows->item[1] = (struct row){.wide = {name, 0}, .id = UINT32_MAX};
    return rows;
}

static const struct sample_mark marks[] = {
    {.cycles = UINT64_MAX / 5, .processor = 7, .what = UINT32_MAX},
    {.cycles = 6, .processor = 8, .is_rule = true, .what = RULE_COUNT - 1},
};

static void exchange_init(struct exchange *exchange)
{
    struct samples *samples;
    FILE *out;

    exchange->memory = talloc_new(NULL);
    samples = samples_new(exchange->memory);
    samples_add_name(samples, "One");
    samples_add_name(samples, "Two");
    samples_add_note(samples, "%s", "a note");
    samples_add_note(samples, "%s", "a note");
    for (uint64_t i = 1; i <= 2; i++) {
        samples_add_sample(samples);
        samples_add_set(samples, 1, make_rows(samples, 1000 * i + 7));
        samples_end_sample(samples);
    }
    samples_add_mark(samples, &marks[0]);
    samples_add_mark(samples, &marks[1]);
    out = open_memstream(&exchange->bytes, &exchange->length);
    assert_non_null(out);
    samples_send(out, samples, true);
    fclose(out);
}

/* The same in three parts: the first sample with its names, the second with a
 * note, and nothing more. */
static void exchange_init_parts(struct exchange *exchange, size_t ends[2])
{
    struct samples *samples;
    FILE *out;

    exchange->memory = talloc_new(NULL);
    samples = samples_new(exchange->memory);
    out = open_memstream(&exchange->bytes, &exchange->length);
    assert_non_null(out);
    samples_add_name(samples, "One");
    for (uint64_t i = 1; i <= 2; i++) {
        if (i == 2) {
            samples_add_name(samples, "Two");
        }
        samples_add_note(samples, "%s", "a note");
        samples_add_sample(samples);
        samples_add_set(samples, i - 1, make_rows(samples, 1000 * i + 7));
        samples_end_sample(samples);
        samples_send(out, samples, false);
        fflush(out);
        ends[i - 1] = exchange->length;
    }
    samples_send(out, samples, true);
    fclose(out);
}

static void exchange_release(struct exchange *exchange)
{
    free(exchange->bytes);
    talloc_free(exchange->memory);
}

static struct samples *receive(
    const struct exchange *exchange, size_t length, const char **problem)
{
    /* Of exactly that length, so that nothing behind it is read unseen. */
    uint8_t *bytes = malloc(length + 1);
    uint8_t *shifted = bytes + 1;
    size_t taken = 0;
    struct samples *samples;

    assert_non_null(bytes);
    memcpy(shifted, exchange->bytes, length);
    samples =
        samples_receive(exchange->memory, shifted, length, &taken, problem);
    free(bytes);
    assert_true(samples == NULL || taken <= length);
    return samples;
}

static void what_was_sent_is_received(void **state)
{
    struct exchange exchange;
    const char *problem;
    struct samples *samples;
    const struct row *row;

    (void)state;
    exchange_init(&exchange);
    samples = receive(&exchange, exchange.length, &problem);
    assert_non_null(samples);
    assert_null(problem);
    assert_int_equal(samples->appeared_count, 2);
    assert_string_equal(samples->appeared[1], "Two");
    assert_int_equal(samples->note_count, 1);
    assert_string_equal(samples->note[0].text, "a note");
    assert_int_equal(samples->note[0].times, 2);
    assert_int_equal(samples->count, 2);
    assert_int_equal(samples->item[1].set_count, 1);
    assert_int_equal(samples->item[1].set[0].appeared, 1);
    assert_int_equal(samples->item[1].set[0].rows->cycles, 2007);
    row = &samples->item[1].set[0].rows->item[0];
    assert_int_equal(row->wide.length, 3);
    assert_int_equal(row->wide.at[1], 0xD800);
    assert_string_equal(row->name, "a\xEF\xBF\xBD,");
    assert_int_equal(row->id, 7);
    assert_int_equal(row->value_count, 2);
    assert_int_equal(row->value[1].counter, 65535);
    assert_int_equal(row->value[0].size, 4);
    assert_int_equal(row->value[1].size, 65535);
    assert_int_equal(row->value[1].value, UINT64_MAX);
    assert_int_equal(samples->mark_count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(samples->mark[i].cycles, marks[i].cycles);
        assert_int_equal(samples->mark[i].processor, marks[i].processor);
        assert_int_equal(samples->mark[i].is_rule, marks[i].is_rule);
        assert_int_equal(samples->mark[i].what, marks[i].what);
    }
    row = &samples->item[1].set[0].rows->item[1];
    assert_string_equal(row->name, "");
    assert_int_equal(row->value_count, 0);
    exchange_release(&exchange);
}

static void parts_are_one(void **state)
{
    struct exchange exchange;
    size_t ends[2];
    const char *problem;
    struct samples *samples;

    (void)state;
    exchange_init_parts(&exchange, ends);
    samples = receive(&exchange, exchange.length, &problem);
    assert_non_null(samples);
    assert_int_equal(samples->appeared_count, 2);
    assert_string_equal(samples->appeared[1], "Two");
    assert_int_equal(samples->note_count, 1);
    assert_int_equal(samples->note[0].times, 2);
    assert_int_equal(samples->count, 2);
    assert_int_equal(samples->item[1].set[0].rows->cycles, 2007);
    assert_int_equal(samples->item[1].set[0].appeared, 1);
    exchange_release(&exchange);
}

/* Wherever they end, the samples of the parts before are there. */
static void whole_parts_of_what_was_cut(void **state)
{
    struct exchange exchange;
    size_t ends[2];

    (void)state;
    exchange_init_parts(&exchange, ends);
    for (size_t length = 0; length <= exchange.length; length++) {
        uint8_t *bytes = malloc(length + 1);
        struct samples *samples;

        assert_non_null(bytes);
        memcpy(bytes + 1, exchange.bytes, length);
        samples = samples_receive_cut(exchange.memory, bytes + 1, length);
        free(bytes);
        assert_int_equal(samples->count,
            (size_t)(length >= ends[0]) + (size_t)(length >= ends[1]));
        assert_int_equal(samples->note_count, length >= ends[0]);
        talloc_free(samples);
    }
    exchange_release(&exchange);
}

static void what_ends_too_early_is_refused_wherever_it_ends(void **state)
{
    struct exchange exchange;
    const char *problem;

    (void)state;
    exchange_init(&exchange);
    for (size_t length = 0; length < exchange.length; length++) {
        assert_null(receive(&exchange, length, &problem));
        assert_non_null(problem);
    }
    exchange_release(&exchange);
}

/* A number at a place of the bytes is another one. */
static struct changed_row {
    const char *name;
    size_t at;
    uint32_t number;
    const char *want;
} changed_rows[] = {
    {"head", 0, 1, "its samples do not begin as such"},
    {"more_names_than_bytes", 4, UINT32_MAX, "its samples end too early"},
    {"name_longer_than_the_bytes", 8, 1 << 20,
        "a text of its samples is too long"},
    {"name_longer_than_any", 8, UINT32_MAX,
        "a text of its samples is too long"},
    {"name_that_holds_a_nul", 12, 0x00650000,
        "a text of its samples holds a NUL"},
    {"more_samples_than_bytes", 40, UINT32_MAX, "its samples end too early"},
    {"sample_of_no_sets", 44, 0, "a sample is empty"},
    {"more_sets_than_bytes", 44, UINT32_MAX, "its samples end too early"},
    {"set_that_did_not_appear", 48, 2,
        "a counter set of its samples does not exist"},
    {"more_instances_than_bytes", 60, UINT32_MAX, "its samples end too early"},
    {"instance_with_a_name_longer_than_any", 64, 0x8001,
        "a name of an instance is too long"},
    {"more_values_than_bytes", 78, UINT32_MAX, "its samples end too early"},
    {"counter_that_cannot_be", 82, 0x10000,
        "a counter of its samples does not exist"},
    {"counter_of_a_size_that_cannot_be", 86, 0x10000,
        "a counter of its samples is too large"},
};

static void changed_row(void **state)
{
    const struct changed_row *row = *state;
    struct exchange exchange;
    const char *problem = "";

    exchange_init(&exchange);
    memcpy(exchange.bytes + row->at, &row->number, sizeof(row->number));
    assert_null(receive(&exchange, exchange.length, &problem));
    assert_string_equal(problem, row->want);
    exchange_release(&exchange);
}

static void rule_that_cannot_be_is_refused(void **state)
{
    struct exchange exchange;
    uint32_t rule = RULE_COUNT;
    const char *problem = "";

    (void)state;
    exchange_init(&exchange);
    memcpy(
        exchange.bytes + exchange.length - sizeof(rule), &rule, sizeof(rule));
    assert_null(receive(&exchange, exchange.length, &problem));
    assert_string_equal(problem, "a rule of its samples does not exist");
    exchange_release(&exchange);
}

static void any_byte_may_be_another(void **state)
{
    struct exchange exchange;

    (void)state;
    exchange_init(&exchange);
    for (size_t at = 0; at < exchange.length; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            const char *problem = NULL;
            const struct samples *samples;

            exchange.bytes[at] = (char)(exchange.bytes[at] ^ (1 << bit));
            samples = receive(&exchange, exchange.length, &problem);
            assert_true((samples == NULL) == (problem != NULL));
            exchange.bytes[at] = (char)(exchange.bytes[at] ^ (1 << bit));
        }
    }
    exchange_release(&exchange);
}

TEST_FILE(test_samples_pipe)
{
    test_add(
        list, "what_was_sent_is_received", what_was_sent_is_received, NULL);
    test_add(list, "what_ends_too_early_is_refused_wherever_it_ends",
        what_ends_too_early_is_refused_wherever_it_ends, NULL);
    test_add(list, "parts_are_one", parts_are_one, NULL);
    test_add(
        list, "whole_parts_of_what_was_cut", whole_parts_of_what_was_cut, NULL);
    TEST_ADD_ROWS(list, changed_row, changed_rows);
    test_add(list, "rule_that_cannot_be_is_refused",
        rule_that_cannot_be_is_refused, NULL);
    test_add(list, "any_byte_may_be_another", any_byte_may_be_another, NULL);
}
