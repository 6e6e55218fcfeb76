/* test_facts.c - facts arrive as they were told, and what cannot have been told
 * is refused. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/facts.h"

#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "tests/rows.h"

/* Told into a text, heard out of a block of just that size. */
struct exchange {
    struct facts told, heard;
    char *text;
    size_t length;
    uint8_t *bytes;
};

static void tell_begin(struct exchange *exchange)
{
    *exchange = (struct exchange){.text = NULL};
    exchange->told.out = open_memstream(&exchange->text, &exchange->length);
    assert_non_null(exchange->told.out);
}

static void hear_begin(struct exchange *exchange)
{
    fclose(exchange->told.out);
    exchange->bytes = malloc(exchange->length + 1);
    assert_non_null(exchange->bytes);
    memcpy(exchange->bytes + 1, exchange->text, exchange->length);
    exchange->heard = (struct facts){.at = exchange->bytes + 1,
        .left = exchange->length,
        .context = talloc_new(NULL)};
}

static void release(struct exchange *exchange)
{
    talloc_free(exchange->heard.context);
    free(exchange->bytes);
    free(exchange->text);
}

static struct number_row {
    const char *name;
    uint64_t number;
    size_t bytes;
} number_rows[] = {
    {"zero", 0, 1},
    {"the_last_of_one_byte", 127, 1},
    {"the_first_of_two_bytes", 128, 2},
    {"the_last_of_two_bytes", 16383, 2},
    {"the_first_of_three_bytes", 16384, 3},
    {"of_63_bits", INT64_MAX, 9},
    {"of_64_bits", UINT64_C(1) << 63, 10},
    {"the_largest", UINT64_MAX, 10},
};

static void number_row(void **state)
{
    const struct number_row *row = *state;
    struct exchange exchange;

    tell_begin(&exchange);
    assert_int_equal(facts_number(&exchange.told, row->number), row->number);
    facts_number(&exchange.told, 5);
    hear_begin(&exchange);
    assert_int_equal(exchange.length, row->bytes + 1);
    assert_int_equal(facts_number(&exchange.heard, 77), row->number);
    assert_int_equal(facts_number(&exchange.heard, 77), 5);
    assert_int_equal(exchange.heard.left, 0);
    assert_null(exchange.heard.problem);
    release(&exchange);
}

/* Of what whoever hears has itself nothing counts. */
static void all_kinds_arrive(void **state)
{
    struct exchange exchange;
    struct facts *told = &exchange.told, *heard = &exchange.heard;

    (void)state;
    tell_begin(&exchange);
    assert_false(facts_heard(told));
    assert_true(facts_flag(told, true));
    assert_false(facts_flag(told, false));
    assert_int_equal(facts_below(told, 3, 4), 3);
    assert_string_equal(facts_text(told, "one"), "one");
    assert_string_equal(facts_text_or_none(told, ""), "");
    assert_null(facts_text_or_none(told, NULL));
    assert_string_equal(facts_utf8(told, "\xC3\xA9"), "\xC3\xA9");
    assert_int_equal(facts_count(told, 2), 2);
    assert_memory_equal(facts_bytes(told, (const uint8_t *)"a\0c", 3), "a", 2);
    hear_begin(&exchange);
    assert_true(facts_heard(heard));
    assert_true(facts_flag(heard, false));
    assert_false(facts_flag(heard, true));
    assert_int_equal(facts_below(heard, 0, 4), 3);
    assert_string_equal(facts_text(heard, "other"), "one");
    assert_string_equal(facts_text_or_none(heard, NULL), "");
    assert_null(facts_text_or_none(heard, "other"));
    assert_string_equal(facts_utf8(heard, ""), "\xC3\xA9");
    assert_int_equal(facts_count(heard, 0), 2);
    assert_memory_equal(facts_bytes(heard, NULL, 3), "a\0c", 3);
    assert_null(heard->problem);
    assert_int_equal(heard->left, 0);
    release(&exchange);
}

static void without_facts_all_is_as_it_is(void **state)
{
    const uint8_t bytes[] = {1, 2};

    (void)state;
    assert_false(facts_heard(NULL));
    assert_int_equal(facts_number(NULL, 9), 9);
    assert_true(facts_flag(NULL, true));
    assert_int_equal(facts_below(NULL, 9, 4), 9);
    assert_int_equal(facts_count(NULL, 9), 9);
    assert_string_equal(facts_text(NULL, "one"), "one");
    assert_null(facts_text_or_none(NULL, NULL));
    assert_ptr_equal(facts_bytes(NULL, bytes, 2), bytes);
}

enum fact { NUMBER, FLAG, BELOW_4, COUNT, TEXT, TEXT_OR_NONE, UTF8, BYTES_3 };

static struct refused_row {
    const char *name;
    enum fact fact;
    const char *bytes;
    size_t length;
    const char *want;
} refused_rows[] = {
    {"number_of_nothing", NUMBER, "", 0, "it ends too early"},
    {"number_that_goes_on", NUMBER, "\x80", 1, "it ends too early"},
    {"number_of_eleven_bytes", NUMBER,
        "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11,
        "a number is too long"},
    {"flag_of_two", FLAG, "\2", 1, "a number is too large"},
    {"number_at_its_end", BELOW_4, "\4", 1, "a number is too large"},
    {"more_than_can_follow", COUNT, "\4abc", 4, "it ends too early"},
    {"text_longer_than_all", TEXT, "\4abc", 4, "it ends too early"},
    {"text_with_a_nul", TEXT, "\3a\0c", 4, "a text holds a NUL"},
    {"neither_a_text_nor_none", TEXT_OR_NONE, "\2", 1, "a number is too large"},
    {"text_that_is_no_utf_8", UTF8, "\1\xFF", 2, "a text is no UTF-8"},
    {"too_few_bytes", BYTES_3, "ab", 2, "it ends too early"},
};

static void hear_fact(struct facts *facts, enum fact fact)
{
    switch (fact) {
    case NUMBER:
        assert_int_equal(facts_number(facts, 7), 0);
        break;
    case FLAG:
        assert_false(facts_flag(facts, true));
        break;
    case BELOW_4:
        assert_int_equal(facts_below(facts, 3, 4), 0);
        break;
    case COUNT:
        assert_int_equal(facts_count(facts, 3), 0);
        break;
    case TEXT:
        assert_non_null(facts_text(facts, "one"));
        break;
    case TEXT_OR_NONE:
        assert_null(facts_text_or_none(facts, "one"));
        break;
    case UTF8:
        assert_string_equal(facts_utf8(facts, "one"), "");
        break;
    case BYTES_3:
        assert_memory_equal(facts_bytes(facts, NULL, 3), "\0\0\0", 3);
        break;
    }
}

static void refused_row(void **state)
{
    const struct refused_row *row = *state;
    uint8_t *bytes = malloc(row->length + 1);
    struct facts facts = {.left = row->length, .context = talloc_new(NULL)};

    assert_non_null(bytes);
    memcpy(bytes + 1, row->bytes, row->length);
    facts.at = bytes + 1;
    hear_fact(&facts, row->fact);
    assert_string_equal(facts.problem, row->want);
    /* Nothing comes behind it, and the first problem stays. */
    assert_int_equal(facts_number(&facts, 7), 0);
    assert_string_equal(facts_text(&facts, "one"), "");
    assert_string_equal(facts.problem, row->want);
    talloc_free(facts.context);
    free(bytes);
}

static void longest_text_is_cut(void **state)
{
    struct exchange exchange;
    char *text = malloc(FACTS_TEXT_BYTES + 2);

    (void)state;
    assert_non_null(text);
    memset(text, 'm', FACTS_TEXT_BYTES + 1);
    text[FACTS_TEXT_BYTES + 1] = '\0';
    tell_begin(&exchange);
    facts_text(&exchange.told, text);
    hear_begin(&exchange);
    assert_int_equal(strlen(facts_text(&exchange.heard, "")), 1048576);
    assert_null(exchange.heard.problem);
    release(&exchange);
    free(text);
}

TEST_FILE(test_facts)
{
    TEST_ADD_ROWS(list, number_row, number_rows);
    TEST_ADD_ROWS(list, refused_row, refused_rows);
    test_add(list, "all_kinds_arrive", all_kinds_arrive, NULL);
    test_add(list, "without_facts_all_is_as_it_is",
        without_facts_all_is_as_it_is, NULL);
    test_add(list, "longest_text_is_cut", longest_text_is_cut, NULL);
}
