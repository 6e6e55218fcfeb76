/* test_expression_errors.c - what is wrong with an expression, and where. */
#include "tests/rows.h"
#include "tests/runner/language/expression_names.h"

#define LEAVES "the result leaves 64 bits"
#define NEGATIVE_BITS "bits of a negative number mean nothing here"
#define DUE " (a number, a name, 'text' or ( ))"

static struct expression_test errors[] = {
    {"empty", "", "0+1 the expression ends where a value is due" DUE},
    {"only_blanks", "  ", "2+1 the expression ends where a value is due" DUE},
    {"unknown_name", "n + nothing", "4+7 no 'nothing'"},
    {"part_of_nothing", "n.x", "0+3 no 'n.x'"},
    {"dot_at_the_end", "n.", "0+2 a name or a number is missing at a dot"},
    {"two_dots", "x..y", "0+4 a name or a number is missing at a dot"},
    {"value_missing", "1 +",
        "3+1 the expression ends where a value is due" DUE},
    {"operator_twice", "1 + * 2", "4+1 expected a value here" DUE},
    {"sign_twice", "--1", "1+1 expected a value here" DUE},
    {"operator_missing", "1 2", "2+1 the expression should end here"},
    {"bracket_open", "(1 + 2", "0+1 this ( is not closed"},
    {"bracket_of_a_function_open", "1 + bit(2", "7+1 this ( is not closed"},
    {"bracket_too_many", "1)", "1+1 the expression should end here"},
    {"dollar", "1 + $n",
        "4+1 expected a value here (names have no $ inside of $( ))"},
    {"double_quotes", "\"a\"",
        "0+1 expected a value here (texts are written 'so')"},
    {"word_of_logic_as_a_value", "t and or", "6+2 expected a value here" DUE},
    {"not_twice", "not not t", "4+3 expected a value here" DUE},
    {"assignment", "n = 5",
        "2+1 the expression should end here (write == to compare)"},
    {"c_and", "t && t", "2+1 the expression should end here (write 'and')"},
    {"c_or", "t || t", "2+1 the expression should end here (write 'or')"},
    {"c_not", "!t", "0+1 expected a value here" DUE},
    {"comparison_of_a_comparison", "1 < 2 < 3",
        "6+1 the expression should end here (one comparison only; join two "
        "with 'and')"},
    {"equality_of_an_equality", "1 == 1 == 1",
        "7+1 the expression should end here (one comparison only; join two "
        "with 'and')"},
    {"inequality_of_an_inequality", "1 != 1 != 1",
        "7+1 the expression should end here (one comparison only; join two "
        "with 'and')"},
    {"leading_zero", "010",
        "0+3 this is not a number (decimal without leading zeros or _, or "
        "0x...)"},
    {"underscore_in_a_number", "1_000",
        "0+5 this is not a number (decimal without leading zeros or _, or "
        "0x...)"},
    {"no_digits", "0x",
        "0+2 this is not a number (decimal without leading zeros or _, or "
        "0x...)"},
    {"number_and_letter", "12ab",
        "0+4 this is not a number (decimal without leading zeros or _, or "
        "0x...)"},
    {"number_too_large", "18446744073709551616",
        "0+20 a number has at most 64 bits"},
    {"text_open", "'ab",
        "0+3 a text ends with ' and holds letters, digits, blanks, _ . - * ?"},
    {"text_with_a_sign", "'a+b'",
        "0+2 a text ends with ' and holds letters, digits, blanks, _ . - * ?"},
    {"sum_too_large", "big + 1", "4+1 " LEAVES},
    {"sum_of_both_ends", "9223372036854775808 + big", "20+1 " LEAVES},
    {"difference_too_small", "-9223372036854775808 - 1", "21+1 " LEAVES},
    {"product_too_large", "big * big", "4+1 " LEAVES},
    {"product_too_small", "-2 * 9223372036854775808", "3+1 " LEAVES},
    {"negation_too_small", "-big", "0+1 " LEAVES},
    {"shift_over_the_top", "2 << 63", "2+2 " LEAVES},
    {"division_by_zero", "n / 0", "2+1 division by zero"},
    {"remainder_of_zero", "n % zero", "2+1 division by zero"},
    {"shift_too_far", "1 << 64", "2+2 a shift is by 0 to 63 bits"},
    {"shift_right_too_far", "1 >> big", "2+2 a shift is by 0 to 63 bits"},
    {"shift_backwards", "1 << neg", "2+2 " NEGATIVE_BITS},
    {"shift_of_a_negative", "neg >> 1", "4+2 " NEGATIVE_BITS},
    {"bits_of_a_negative", "1 & neg", "2+1 " NEGATIVE_BITS},
    {"bits_of_a_negative_or", "neg | 1", "4+1 " NEGATIVE_BITS},
    {"inverted_negative", "~neg", "0+1 " NEGATIVE_BITS},
    {"inverted_truth", "~t", "0+1 '~' is for numbers"},
    {"negated_text", "-word", "0+1 '-' is for numbers"},
    {"negated_status", "1 + -st", "4+1 '-' is for numbers"},
    {"not_of_a_number", "not n", "0+3 'not' is for what is true or false"},
    {"and_of_numbers", "1 and 2", "2+3 'and' is for what is true or false"},
    {"or_of_a_number_behind", "f or 1",
        "2+2 'or' is for what is true or false"},
    {"number_and_text", "n == 'a'", "2+2 '==' does not take number and text"},
    {"text_and_number", "word < 1", "5+1 '<' does not take text and number"},
    {"number_before_a_text", "1 + 'a'",
        "2+1 '+' does not take number and text"},
    {"text_and_status", "'a' + st", "4+1 '+' does not take text and NTSTATUS"},
    {"order_of_texts", "'a' < 'b'", "4+1 '<' does not take text and text"},
    {"order_of_truths", "t < f",
        "2+1 '<' does not take truth value and truth value"},
    {"sum_of_truths", "t + f",
        "2+1 '+' does not take truth value and truth value"},
    {"lists", "list == list", "5+2 '==' does not take list and list"},
    {"status_and_level", "st == level",
        "3+2 '==' does not take NTSTATUS and KIRQL"},
    {"order_of_statuses", "st < other",
        "3+1 '<' does not take NTSTATUS and NTSTATUS"},
    {"sum_of_a_status", "st + 1", "3+1 '+' does not take NTSTATUS and number"},
    {"version_and_number", "os == 5",
        "3+2 '==' does not take Windows version and number"},
    {"version_and_architecture", "os == arch",
        "3+2 '==' does not take Windows version and architecture"},
    {"order_of_architectures", "arch < arm64",
        "5+1 '<' does not take architecture and architecture"},
    {"length_of_a_text", "len(word)", "0+3 len() is for lists"},
    {"length_of_nothing", "len()", "4+1 expected a value here" DUE},
    {"bit_too_high", "1 + bit(64)", "4+3 bit() takes a number from 0 to 63"},
    {"bit_below_zero", "bit(neg)", "0+3 bit() takes a number from 0 to 63"},
    {"bit_of_a_level", "bit(level)", "0+3 bit() takes a number from 0 to 63"},
    {"tag_where_there_are_none", "tag(hal)",
        "0+3 tag() is for the command line's -e"},
    {"bytes_that_are_no_letters", "1 + \xC3\xA4",
        "4+1 expected a value here" DUE},
};

static void error_row(void **state)
{
    const struct expression_test *row = *state;
    struct expression_set set = {.memory = talloc_new(NULL)};

    assert_string_equal(expression_result(&set, row->text), row->want);
    talloc_free(set.memory);
}

TEST_FILE(test_expression_errors)
{
    TEST_ADD_ROWS(list, error_row, errors);
}
