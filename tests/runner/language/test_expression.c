/* test_expression.c - the notation inside of $( ): its operators, what it
 * leaves alone, its errors and where they stand. */
#include <stdio.h>

#include "tests/rows.h"
#include "tests/runner/language/expression_names.h"

static struct expression_test values[] = {
    {"decimal", "42", "42"},
    {"zero", "0", "0"},
    {"hexadecimal_in_either_case", "0xfF", "255"},
    {"greatest_number", "18446744073709551615", "18446744073709551615"},
    {"greatest_in_hexadecimal", "0xffffffffffffffff", "18446744073709551615"},
    {"least_number", "-9223372036854775808", "-9223372036854775808"},
    {"name", "n", "5"},
    {"name_of_a_function", "len + 1", "12"},
    {"path", "x.0.Member", "7"},
    {"truth", "true", "true"},
    {"falsehood", "false", "false"},
    {"text", "'a b_c.d-e*9?'", "'a b_c.d-e*9?'"},
    {"empty_text", "''", "''"},
    {"text_beyond_ascii", "'\xC3\xA9t\xC3\xA9'", "'\xC3\xA9t\xC3\xA9'"},
    {"list", "list", "a list of 3"},
    {"status_by_name", "st", "STATUS_INVALID_PARAMETER"},
    {"version_by_name", "os", "WIN11"},
    {"architecture_by_name", "arch", "x64"},
    {"blanks", "  1  +  1  ", "2"},
    {"brackets", "((3))", "3"},
    {"sum", "2 + 3", "5"},
    {"difference", "2 - 3", "-1"},
    {"differences_from_the_left", "10 - 3 - 2", "5"},
    {"product", "6 * 7", "42"},
    {"product_before_sum", "2 + 3 * 4", "14"},
    {"product_before_sum_from_behind", "2 * 3 + 4", "10"},
    {"brackets_before_product", "(2 + 3) * 4", "20"},
    {"quotient_towards_zero", "7 / 2", "3"},
    {"quotient_of_a_negative_towards_zero", "-7 / 2", "-3"},
    {"quotients_from_the_left", "100 / 5 / 2", "10"},
    {"remainder", "7 % 3", "1"},
    {"remainder_has_the_sign_of_the_left", "-7 % 3", "-1"},
    {"common_bits", "12 & 10", "8"},
    {"bits_of_either", "12 | 3", "15"},
    {"bits_at_one_level_from_the_left", "1 | 2 & 2", "2"},
    {"bits_before_sums", "1 + 2 | 4", "7"},
    {"shift_left", "1 << 40", "1099511627776"},
    {"shift_by_nothing", "5 << 0", "5"},
    {"shift_to_the_top", "1 << 63", "9223372036854775808"},
    {"shift_right", "0xff00 >> 8", "255"},
    {"shift_right_out", "1 >> 63", "0"},
    {"inverted", "~0", "18446744073709551615"},
    {"inverted_bits", "~0xff & 0xfff", "3840"},
    {"negated", "-n", "-5"},
    {"negated_negative", "-neg", "3"},
    {"bit", "bit(0)", "1"},
    {"highest_bit", "bit(63)", "9223372036854775808"},
    {"bit_of_an_expression", "bit(n + 1) | 1", "65"},
    {"length", "len(list) * 2", "6"},
    {"function_behind_blanks", "len (list)", "3"},
    {"equal", "2 == 2", "true"},
    {"unequal", "2 != 2", "false"},
    {"below", "-1 < 0", "true"},
    {"not_below_itself", "1 < 1", "false"},
    {"at_most_itself", "1 <= 1", "true"},
    {"above", "big > neg", "true"},
    {"at_least", "1 >= 2", "false"},
    {"comparison_behind_sums", "1 + 1 == 4 - 2", "true"},
    {"texts_are_equal", "word == 'ab'", "true"},
    {"texts_differ", "word != 'abc'", "true"},
    {"truths_are_equal", "t == true", "true"},
    {"truths_differ", "t != f", "true"},
    {"joined_texts", "'cpu' + '0'", "'cpu0'"},
    {"joined_number", "'cpu' + n + 1", "'cpu51'"},
    {"joined_sum", "'cpu' + (n + 1)", "'cpu6'"},
    {"joined_negative", "word + neg", "'ab-3'"},
    {"statuses", "st == other", "false"},
    {"status_and_number", "st == 0xC000000D", "true"},
    {"levels_have_an_order", "level > dispatch", "true"},
    {"level_and_number", "level >= 15", "true"},
    {"versions_have_an_order", "os >= WIN8", "true"},
    {"architectures_are_one_or_not", "arch != arm64", "true"},
    {"not", "not f", "true"},
    {"not_holds_for_the_comparison", "not 1 == 2", "true"},
    {"and", "t and t", "true"},
    {"and_false", "t and f", "false"},
    {"or", "f or t", "true"},
    {"or_false", "f or f", "false"},
    {"and_before_or", "t or t and f", "true"},
    {"and_before_or_from_behind", "f and f or t", "true"},
    {"brackets_before_and", "(t or t) and f", "false"},
    {"not_before_and", "not f and f", "false"},
    {"words_end_at_brackets", "not(f)and(t)", "true"},
};

/* What and, or decide without. */
static struct expression_test skipped[] = {
    {"division_by_zero", "zero != 0 and 10 / zero == 1", "false"},
    {"division_by_a_zero_that_is_written", "f and 1 / 0 == 1", "false"},
    {"remainder_behind_or", "t or 1 % zero == 0", "true"},
    {"overflow", "f and big + 1 == 0", "false"},
    {"shift", "f and 1 << 64 == 0", "false"},
    {"bit", "f and bit(64) == 0", "false"},
    {"inverted", "f and ~neg == 0", "false"},
    {"inverted_number", "f and ~(-3) == 0", "false"},
    {"negated", "f and -big == 0", "false"},
    {"unset_name", "f and unset == 1", "false"},
    {"unset_name_in_a_sum", "t or unset + 1 == 2", "true"},
    {"unset_part", "f and gone.0", "false"},
    {"unset_name_in_brackets", "f and (unset == 1 or t)", "false"},
    {"the_rest_of_a_chain", "f and t and unset == 1", "false"},
    {"what_comes_behind_is_needed_again", "f and unset == 1 or n == 5", "true"},
    {"unset_name_is_needed", "t and unset == 1", "6+5 has no value"},
    {"unset_name_comes_first", "unset == 1 and f", "0+5 has no value"},
    {"division_is_needed_behind_an_or", "f and t or 1 / 0 == 1",
        "13+1 division by zero"},
    {"kinds_are_checked_all_the_same", "f and n",
        "2+3 'and' is for what is true or false"},
    {"names_are_checked_all_the_same", "t or nothing", "5+7 no 'nothing'"},
};

/* While a file is checked no name has a value; kinds are checked all the
 * same. */
static struct expression_test unknown[] = {
    {"number", "n + 1", "unknown number"},
    {"comparison", "n == 1", "unknown truth value"},
    {"text", "word + n", "unknown text"},
    {"length", "len(list)", "unknown number"},
    {"status", "st", "unknown NTSTATUS"},
    {"version", "os > WIN8", "unknown truth value"},
    {"bit", "bit(n)", "unknown number"},
    {"inverted", "~n & 1", "unknown number"},
    {"unset_name", "unset", "unknown number"},
    {"division_by_what_may_be_zero", "1 / zero", "unknown number"},
    {"what_is_written_is_known", "1 + 1", "2"},
    {"and_false_is_false", "n == 1 and false", "false"},
    {"false_and_is_false", "false and n == 1", "false"},
    {"or_true_is_true", "n == 1 or true", "true"},
    {"and_true_depends", "n == 1 and true", "unknown truth value"},
    {"or_false_depends", "n == 1 or false", "unknown truth value"},
    {"not_depends", "not t", "unknown truth value"},
    {"division_by_zero", "n / 0", "unknown number"},
    {"division_of_what_is_written", "t and 1 / 0 == 1", "8+1 division by zero"},
    {"kinds", "n == 'a'", "2+2 '==' does not take number and text"},
    {"domains", "st == level", "3+2 '==' does not take NTSTATUS and KIRQL"},
    {"unknown_name", "nothing", "0+7 no 'nothing'"},
};

static struct expression_test tags[] = {
    {"tag_that_is_there", "tag(hal)", "true"},
    {"tag_that_is_not", "tag( smoke-1.x ) or f", "false"},
    {"tag_without_a_name", "tag()", "4+1 expected a tag's name"},
    {"tag_in_quotes", "tag('hal')", "4+1 expected a tag's name"},
    {"tag_open", "tag(hal", "3+1 this ( is not closed"},
};

static void check(void **state, bool is_unknown, bool has_tags)
{
    const struct expression_test *row = *state;
    struct expression_set set = {talloc_new(NULL), is_unknown, has_tags};

    assert_string_equal(expression_result(&set, row->text), row->want);
    talloc_free(set.memory);
}

static void known_row(void **state)
{
    check(state, false, false);
}

static void unknown_row(void **state)
{
    check(state, true, false);
}

static void tag_row(void **state)
{
    check(state, false, true);
}

/* `count` times one text, then another, then `count` times a third. */
static char *nested(void *memory, const char *before, size_t count,
    const char *middle, const char *after)
{
    char *text = talloc_strdup(memory, "");

    for (size_t i = 0; i < count; i++) {
        text = talloc_strdup_append_buffer(text, before);
    }
    text = talloc_strdup_append_buffer(text, middle);
    for (size_t i = 0; i < count; i++) {
        text = talloc_strdup_append_buffer(text, after);
    }
    return text;
}

static void brackets_nest_to_the_limit(void **state)
{
    struct expression_set set = {talloc_new(NULL), false, false};

    (void)state;
    assert_string_equal(
        expression_result(&set, nested(set.memory, "(", 31, "7", ")")), "7");
    assert_string_equal(
        expression_result(&set, nested(set.memory, "(", 32, "7", ")")),
        "32+1 an expression is nested at most 32 deep");
    assert_string_equal(
        expression_result(&set, nested(set.memory, "bit(", 32, "0", ")")),
        "128+1 an expression is nested at most 32 deep");
    talloc_free(set.memory);
}

static void length_is_limited(void **state)
{
    struct expression_set set = {talloc_new(NULL), false, false};
    char *text = nested(set.memory, "1+", 249, "10", "");

    (void)state;
    assert_int_equal(strlen(text), 500);
    assert_string_equal(expression_result(&set, text), "259");
    text = talloc_strdup_append_buffer(text, "0");
    assert_string_equal(expression_result(&set, text),
        "0+501 an expression has at most 500 characters");
    text = nested(set.memory, "a", 128, "", "");
    assert_string_equal(
        expression_result(&set, text), "0+128 this name is too long");
    talloc_free(set.memory);
}

/* A tree of sums, differences, products and comparisons, written down with
 * brackets where it needs them and where it does not, and computed here. */
struct random {
    uint64_t seed;
    char text[EXPRESSION_BYTES];
    size_t length;
};

static unsigned draw(struct random *random, unsigned below)
{
    random->seed =
        random->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(random->seed >> 33) % below;
}

static void put(struct random *random, const char *text)
{
    size_t length = strlen(text);

    assert_true(random->length + length < sizeof(random->text));
    memcpy(random->text + random->length, text, length + 1);
    random->length += length;
}

static int64_t put_number(struct random *random)
{
    char digits[8];
    int number = (int)draw(random, 20);

    snprintf(digits, sizeof(digits), "%d", number);
    put(random, digits);
    return number;
}

/* Numbers below 20, two factors and three terms at most: no overflow. */
static int64_t put_product(struct random *random, unsigned depth);

static int64_t put_sum(struct random *random, unsigned depth)
{
    int64_t value = put_product(random, depth);

    for (unsigned i = draw(random, 3); i > 0; i--) {
        bool minus = draw(random, 2) == 0;
        int64_t right;

        put(random, minus ? " - " : "+");
        right = put_product(random, depth);
        value = minus ? value - right : value + right;
    }
    return value;
}

static int64_t put_factor(struct random *random, unsigned depth)
{
    int64_t value;

    if (depth == 0 || draw(random, 3) > 0) {
        return put_number(random);
    }
    put(random, draw(random, 2) == 0 ? "(" : "( ");
    value = put_sum(random, depth - 1);
    put(random, ")");
    return value;
}

static int64_t put_product(struct random *random, unsigned depth)
{
    int64_t value = put_factor(random, depth);

    for (unsigned i = draw(random, 2); i > 0; i--) {
        put(random, " * ");
        value *= put_factor(random, depth);
    }
    return value;
}

static bool put_comparison(struct random *random)
{
    static const char *const words[] = {
        " == ", " != ", " < ", "<=", " > ", ">="};
    int64_t left = put_sum(random, 2), right;
    unsigned word = draw(random, 6);

    put(random, words[word]);
    right = put_sum(random, 2);
    switch (word) {
    case 0:
        return left == right;
    case 1:
        return left != right;
    case 2:
        return left < right;
    case 3:
        return left <= right;
    case 4:
        return left > right;
    default:
        return left >= right;
    }
}

static void random_expressions_have_their_values(void **state)
{
    struct random random = {.seed = 4};

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        struct expression_set set = {talloc_new(NULL), false, false};
        char number[32];

        random.length = 0;
        if (i % 2 == 0) {
            snprintf(
                number, sizeof(number), "%lld", (long long)put_sum(&random, 2));
        } else {
            snprintf(number, sizeof(number), "%s",
                put_comparison(&random) ? "true" : "false");
        }
        if (strcmp(expression_result(&set, random.text), number) != 0) {
            assert_string_equal(random.text, number); /* shows both */
        }
        talloc_free(set.memory);
    }
}

TEST_FILE(test_expression)
{
    TEST_ADD_GROUP(list, "value", known_row, values);
    TEST_ADD_GROUP(list, "skipped", known_row, skipped);
    TEST_ADD_GROUP(list, "unknown", unknown_row, unknown);
    TEST_ADD_GROUP(list, "tag", tag_row, tags);
    test_add(
        list, "brackets_nest_to_the_limit", brackets_nest_to_the_limit, NULL);
    test_add(list, "length_is_limited", length_is_limited, NULL);
    test_add(list, "random_expressions_have_their_values",
        random_expressions_have_their_values, NULL);
}
