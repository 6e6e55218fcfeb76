/* test_schema.c - keys of mappings, and values of the simplest types. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/schema.h"
#include "tests/runner/text_file.h"

static struct schema schema_of(const struct text_file *file)
{
    return (struct schema){file->diagnostics};
}

/* A mapping of the language, and the first error in it. */
static struct mapping_row {
    const char *name;
    enum mapping mapping;
    const char *text;
    size_t want_errors;
    const char *want;
} mapping_rows[] = {
    {"required_key_alone_is_enough", MAPPING_RUN, "{cycles: 1}", 0, ""},
    {"optional_keys_may_be_there", MAPPING_RUN,
        "{cycles: 1, cpu: 0, ring: user, rates: {}, halted: true}", 0, ""},
    {"required_key_is_missed", MAPPING_OVERFLOW, "{cpu: 0}", 1,
        "t.yaml:1:1: error[NTP0204]: missing key 'counters'\n"},
    {"every_required_key_is_missed", MAPPING_WRMSR, "{cpu: 0}", 2,
        "t.yaml:1:1: error[NTP0204]: missing key 'index'\n"},
    {"unknown_key_has_a_suggestion", MAPPING_RUN, "{cycels: 1, cycles: 1}", 1,
        "t.yaml:1:2: error[NTP0202]: unknown key 'cycels'\n"
        "    1 | {cycels: 1, cycles: 1}\n"
        "      |  ^~~~~~ did you mean 'cycles'?\n"},
    {"unknown_key_without_a_near_one_lists_all", MAPPING_WRMSR,
        "{cpu: 0, index: 1, value: 2, elephant: 3}", 1,
        "t.yaml:1:30: error[NTP0202]: unknown key 'elephant'\n"
        "    1 | {cpu: 0, index: 1, value: 2, elephant: 3}\n"
        "      |                              ^~~~~~~~ there is: cpu, index, "
        "value\n"},
    {"key_of_another_mapping_is_unknown", MAPPING_RUN, "{cycles: 1, index: 1}",
        1, "t.yaml:1:13: error[NTP0202]"},
    {"refused_key_is_known", MAPPING_STATE, "{instances: true, is: 0}", 1,
        "t.yaml:1:2: error[NTP0207]: 'instances' is not supported by this "
        "version\n"
        "    1 | {instances: true, is: 0}\n"
        "      |  ^~~~~~~~~ see docs/fidelity.md\n"},
    {"list_is_no_mapping", MAPPING_RUN, "[cycles]", 1,
        "t.yaml:1:1: error[NTP0205]: expected a mapping, {key: value}\n"},
    {"value_is_no_mapping", MAPPING_RUN, "cycles", 1,
        "t.yaml:1:1: error[NTP0205]"},
    {"every_wrong_key_is_reported", MAPPING_MACHINE, "{x1: 1, seed: 2, y1: 3}",
        3, "t.yaml:1:2: error[NTP0202]"},
};

static void mapping_row(void **state)
{
    const struct mapping_row *row = *state;
    struct text_file file;
    struct schema schema;
    const struct node *node;

    text_file_init(&file, row->text);
    schema = schema_of(&file);
    node = text_file_tree(&file);
    assert_int_equal(schema_mapping(&schema, node, row->mapping, node),
        node->kind == NODE_MAPPING);
    text_file_assert_errors(&file, row->want);
    assert_int_equal(diagnostics_errors(file.diagnostics), row->want_errors);
    text_file_release(&file);
}

static struct kind_row {
    const char *name;
    const char *text;
    bool none_allowed;
    const char *want_kind; /* NULL: none */
    const char *want;
} kind_rows[] = {
    {"one_kind_is_found", "{as: drv, call: X}", false, "call", ""},
    {"kind_is_found_wherever_it_stands", "{rdmsr: {}, note: x}", false, "rdmsr",
        ""},
    {"two_kinds_exclude_each_other", "{call: X, run: {}}", false, NULL,
        "t.yaml:1:11: error[NTP0214]: 'call' and 'run' exclude each other\n"},
    {"no_kind_is_an_error", "{note: x}", false, NULL,
        "t.yaml:1:1: error[NTP0204]: nothing here says what it is\n"
        "    1 | {note: x}\n"
        "      | ^ write one of: call, run, "},
    {"no_kind_may_be_allowed", "{note: x}", true, NULL, ""},
    {"unknown_key_in_its_place_is_enough_of_an_error", "{cal: X}", false, NULL,
        ""},
};

static void kind_row(void **state)
{
    const struct kind_row *row = *state;
    struct text_file file;
    struct schema schema;
    const struct node *kind;

    text_file_init(&file, row->text);
    schema = schema_of(&file);
    kind = schema_kind(
        &schema, text_file_tree(&file), MAPPING_STEP, row->none_allowed);
    text_file_assert_errors(&file, row->want);
    if (row->want_kind == NULL) {
        assert_null(kind);
    } else {
        assert_string_equal(kind->text, row->want_kind);
    }
    text_file_release(&file);
}

static struct number_row {
    const char *name;
    const char *text;
    uint64_t want_number; /* 99: it stays as it was */
    const char *want;
} number_rows[] = {
    {"lowest_of_the_range", "5", 5, ""},
    {"highest_of_the_range", "0x10", 16, ""},
    {"below_the_range", "4", 99,
        "t.yaml:1:1: error[NTP0206]: 4 is not from 5 to 16\n"},
    {"above_the_range", "17", 99,
        "t.yaml:1:1: error[NTP0206]: 17 is not from 5 to 16\n"},
    {"number_in_quotes", "\"7\"", 99,
        "t.yaml:1:1: error[NTP0205]: expected a whole number\n"},
    {"word_for_a_number", "seven", 99, "t.yaml:1:1: error[NTP0205]"},
    {"list_for_a_number", "[7]", 99, "t.yaml:1:1: error[NTP0205]"},
    {"leading_zero_for_a_number", "07", 99, "t.yaml:1:1: error[NTP0205]"},
};

static void number_row(void **state)
{
    const struct number_row *row = *state;
    struct text_file file;
    struct schema schema;
    uint64_t number = 99;

    text_file_init(&file, row->text);
    schema = schema_of(&file);
    assert_int_equal(
        schema_number(&schema, text_file_tree(&file), 5, 16, &number),
        row->want[0] == '\0');
    assert_int_equal(number, row->want_number);
    text_file_assert_errors(&file, row->want);
    text_file_release(&file);
}

enum simple { SIMPLE_BOOL, SIMPLE_TEXT, SIMPLE_LIST };

static struct simple_row {
    const char *name;
    enum simple type;
    const char *text;
    const char *want; /* "": no error */
} simple_rows[] = {
    {"true_is_a_bool", SIMPLE_BOOL, "true", ""},
    {"false_is_a_bool", SIMPLE_BOOL, "false", ""},
    {"yes_is_no_bool", SIMPLE_BOOL, "yes",
        "t.yaml:1:1: error[NTP0205]: expected true or false\n"},
    {"true_in_quotes_is_no_bool", SIMPLE_BOOL, "\"true\"",
        "t.yaml:1:1: error[NTP0205]"},
    {"one_is_no_bool", SIMPLE_BOOL, "1", "t.yaml:1:1: error[NTP0205]"},
    {"word_is_a_text", SIMPLE_TEXT, "word", ""},
    {"quoted_words_are_a_text", SIMPLE_TEXT, "\"two words\"", ""},
    {"empty_text_is_none", SIMPLE_TEXT, "\"\"",
        "t.yaml:1:1: error[NTP0205]: expected a text\n"},
    {"list_is_no_text", SIMPLE_TEXT, "[a]", "t.yaml:1:1: error[NTP0205]"},
    {"list_is_a_list", SIMPLE_LIST, "[a]", ""},
    {"empty_list_is_none", SIMPLE_LIST, "[]",
        "t.yaml:1:1: error[NTP0205]: an empty list\n"},
    {"word_is_no_list", SIMPLE_LIST, "a",
        "t.yaml:1:1: error[NTP0205]: expected a list, [a, b]\n"},
    {"mapping_is_no_list", SIMPLE_LIST, "{a: 1}", "t.yaml:1:1: error[NTP0205]"},
};

static bool read_simple(const struct schema *schema, const struct node *node,
    const struct simple_row *row)
{
    const char *text = NULL;
    bool value = false;

    switch (row->type) {
    case SIMPLE_BOOL:
        if (schema_bool(schema, node, &value)) {
            assert_int_equal(value, strcmp(row->text, "true") == 0);
            return true;
        }
        return false;
    case SIMPLE_TEXT:
        return schema_text(schema, node, &text) && text != NULL;
    case SIMPLE_LIST:
        return schema_sequence(schema, node);
    }
    return false;
}

static void simple_row(void **state)
{
    const struct simple_row *row = *state;
    struct text_file file;
    struct schema schema;

    text_file_init(&file, row->text);
    schema = schema_of(&file);
    assert_int_equal(
        read_simple(&schema, text_file_tree(&file), row), row->want[0] == '\0');
    text_file_assert_errors(&file, row->want);
    text_file_release(&file);
}

/* A number of a key, in the limits that keys.def has for it. */
static struct key_number_row {
    const char *name;
    enum mapping mapping;
    const char *key, *text;
    uint64_t want_number; /* 99: it stays as it was */
    const char *want;
} key_number_rows[] = {
    {"least_counters", MAPPING_PMU, "general", "1", 1, ""},
    {"most_counters", MAPPING_PMU, "general", "8", 8, ""},
    {"too_many_counters", MAPPING_PMU, "general", "32", 99,
        "t.yaml:1:1: error[NTP0206]: 32 is not from 0 to 31\n"},
    {"highest_selector", MAPPING_RDPMC, "index", "0xFFFFFFFF", 0xFFFFFFFF, ""},
    {"no_repetition_at_all", MAPPING_RUN, "repeat", "0", 99,
        "t.yaml:1:1: error[NTP0206]: 0 is not from 1 to 1000000\n"},
};

static void key_number_row(void **state)
{
    const struct key_number_row *row = *state;
    struct text_file file;
    struct schema schema;
    uint64_t number = 99;

    text_file_init(&file, row->text);
    schema = schema_of(&file);
    assert_int_equal(schema_key_number(&schema, row->mapping, row->key,
                         text_file_tree(&file), &number),
        row->want_number != 99);
    assert_int_equal(number, row->want_number);
    text_file_assert_errors(&file, row->want);
    text_file_release(&file);
}

/* A word of a key, of those that keys.def has for it. */
static struct key_word_row {
    const char *name;
    const char *text;
    size_t want_index; /* 99: it stays as it was */
    const char *want;
} key_word_rows[] = {
    {"first_word", "FAIL", 0, ""},
    {"last_word", "TIMEOUT", 2, ""},
    {"word_in_quotes_is_none", "\"FAIL\"", 99, "t.yaml:1:1: error[NTP0203]"},
    {"wrong_word_lists_all", "PASS", 99,
        "t.yaml:1:1: error[NTP0203]: expected FAIL, CRASH or TIMEOUT\n"},
};

static void key_word_row(void **state)
{
    const struct key_word_row *row = *state;
    struct text_file file;
    struct schema schema;
    size_t index = 99;

    text_file_init(&file, row->text);
    schema = schema_of(&file);
    assert_int_equal(schema_key_word(&schema, MAPPING_XFAIL, "result",
                         text_file_tree(&file), &index),
        row->want_index != 99);
    assert_int_equal(index, row->want_index);
    text_file_assert_errors(&file, row->want);
    text_file_release(&file);
}

TEST_FILE(test_schema)
{
    TEST_ADD_ROWS(list, mapping_row, mapping_rows);
    TEST_ADD_ROWS(list, kind_row, kind_rows);
    TEST_ADD_ROWS(list, number_row, number_rows);
    TEST_ADD_ROWS(list, simple_row, simple_rows);
    TEST_ADD_ROWS(list, key_number_row, key_number_rows);
    TEST_ADD_ROWS(list, key_word_row, key_word_rows);
}
