/* test_scope.c - variables and callbacks by name: who sees them, what they may
 * stand for, and what is wrong with the others. */
#define _POSIX_C_SOURCE 200809L
#include "tests/runner/language/values_scope.h"

/* `$name` in a field, in branch 0, while checking and while running. */
static struct lookup_row {
    const char *name;
    const char *text;
    enum nt_type type;
    uint64_t want_value;
    const char *want; /* the error; "": none */
} lookup_rows[] = {
    {"variable_in_a_field_of_its_type", "$count", NT_ULONG, 3, ""},
    {"number_in_a_wider_field", "$count", NT_ULONG64, 3, ""},
    {"number_in_a_field_that_is_shown_in_hexadecimal", "$count", NT_ULONGLONG,
        3, ""},
    {"wide_number_in_its_own_field", "$wide", NT_ULONG64, 10000000000, ""},
    {"handle_in_a_handle", "$h", NT_HANDLE, 0x1004, ""},
    {"number_as_wide_as_a_handle", "$wide", NT_HANDLE, 10000000000, ""},
    {"status_in_a_status", "$st", NT_NTSTATUS, 0xC000000D, ""},
    {"callback_is_its_address", "$ovf", NT_PPHYSICAL_COUNTER_OVERFLOW_HANDLER,
        0x1234, ""},
    {"number_in_a_narrower_field", "$wide", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0205]: $wide is a ULONG64, expected ULONG\n"},
    {"number_in_a_level", "$count", NT_KIRQL, 0,
        "t.yaml:1:1: error[NTP0205]: $count is a ULONG, expected KIRQL\n"},
    {"number_in_a_handle", "$count", NT_HANDLE, 0,
        "t.yaml:1:1: error[NTP0205]"},
    {"handle_in_a_number", "$h", NT_ULONG64, 0, "t.yaml:1:1: error[NTP0205]"},
    {"status_in_a_number", "$st", NT_ULONG, 0, "t.yaml:1:1: error[NTP0205]"},
    {"callback_in_a_number", "$ovf", NT_ULONG64, 0,
        "t.yaml:1:1: error[NTP0205]: $ovf is a "
        "PPHYSICAL_COUNTER_OVERFLOW_HANDLER, expected ULONG64\n"},
    {"unknown_name_has_a_suggestion", "$cuont", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0208]: no variable 'cuont' is set before this "
        "place\n"
        "    1 | $cuont\n"
        "      | ^~~~~~ did you mean '$count'?\n"},
    {"unknown_name_without_a_near_one", "$elephant", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0208]: no variable 'elephant' is set before this "
        "place\n"
        "    1 | $elephant\n"
        "      | ^~~~~~~~~ an earlier step sets it: save: {elephant: "
        "out.Name}\n"},
    {"variable_of_another_branch", "$own", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0208]: no variable 'own' is set before this "
        "place\n"
        "    1 | $own\n"
        "      | ^~~~ it belongs to another branch of parallel, to a "
        "fragment or to a callback\n"},
    {"index_outside_of_a_repeat", "$i", NT_ULONG, 0,
        "t.yaml:1:1: error[NTP0208]"},
    {"name_in_other_case", "$Count", NT_ULONG, 0, "t.yaml:1:1: error[NTP0208]"},
};

static void lookup_row(void **state)
{
    const struct lookup_row *row = *state;
    struct values_scope made;
    const struct node *node;
    uint64_t value = 99;
    bool right = row->want[0] == '\0';

    scope_init(&made, row->text);
    node = text_file_tree(&made.file);
    assert_true(scope_checks(&made.scope));
    assert_int_equal(scope_lookup(&made.scope, node, row->type, &value), right);
    text_file_assert_errors(&made.file, row->want);

    scope_run(&made);
    assert_false(scope_checks(&made.scope));
    assert_int_equal(scope_lookup(&made.scope, node, row->type, &value), right);
    if (right) {
        assert_int_equal(value, row->want_value);
        assert_null(made.scope.failure);
    } else {
        assert_non_null(made.scope.failure);
    }
    scope_release(&made);
}

static void variable_of_the_own_branch_is_seen(void **state)
{
    struct values_scope made;
    uint64_t value = 0;

    (void)state;
    scope_init(&made, "$own");
    scope_run(&made);
    made.scope.branch = 2;
    assert_true(scope_lookup(
        &made.scope, text_file_tree(&made.file), NT_ULONG, &value));
    assert_int_equal(value, 5);
    scope_release(&made);
}

static void index_of_a_repeat_is_seen_inside_of_it(void **state)
{
    struct values_scope made;
    uint64_t value = 0;

    (void)state;
    scope_init(&made, "$i");
    scope_run(&made);
    made.scope.in_repeat = true;
    made.scope.repeat_index = 65535;
    assert_true(scope_lookup(
        &made.scope, text_file_tree(&made.file), NT_ULONG64, &value));
    assert_int_equal(value, 65535);
    scope_release(&made);
}

static void looking_up_makes_used(void **state)
{
    struct values_scope made;
    uint64_t value;

    (void)state;
    scope_init(&made, "[$count, $ovf]");
    scope_lookup(
        &made.scope, text_file_tree(&made.file)->item[0], NT_ULONG, &value);
    assert_true(made.variable[0].used);
    assert_false(made.variable[1].used);
    assert_false(made.callback.used);
    scope_lookup(&made.scope, text_file_tree(&made.file)->item[1],
        NT_PPHYSICAL_COUNTER_OVERFLOW_HANDLER, &value);
    assert_true(made.callback.used);
    scope_release(&made);
}

static void variable_that_no_step_has_set_has_no_value(void **state)
{
    struct values_scope made;
    uint64_t value = 99;

    (void)state;
    scope_init(&made, "$count");
    scope_run(&made);
    made.binding[0].set = false;
    assert_false(scope_lookup(
        &made.scope, text_file_tree(&made.file), NT_ULONG, &value));
    assert_string_equal(
        made.scope.failure, "$count is read before a step has set it");
    text_file_assert_errors(&made.file, ""); /* the file is right */
    scope_release(&made);
}

static void first_failure_of_a_run_is_kept(void **state)
{
    struct values_scope made;
    struct node *node;

    (void)state;
    scope_init(&made, "x");
    node = text_file_tree(&made.file);
    scope_run(&made);
    scope_error(&made.scope, DIAGNOSTIC_LIMIT, node, "first %d", 1);
    scope_error(&made.scope, DIAGNOSTIC_LIMIT, node, "second");
    assert_string_equal(made.scope.failure, "first 1");
    scope_release(&made);
}

/* A name that a step wants to set, in a branch. */
static struct define_row {
    const char *name;
    const char *text;
    unsigned branch;
    const char *want; /* the error; "": none */
} define_rows[] = {
    {"new_name", "handle2", 0, ""},
    {"name_with_capitals_inside", "counterSet_1", 0, ""},
    {"name_that_is_set_already", "count", 0,
        "t.yaml:1:1: error[NTP0214]: variable 'count' is set twice\n"},
    {"name_that_is_set_outside_of_the_branch", "count", 2,
        "t.yaml:1:1: error[NTP0214]"},
    {"name_that_the_same_branch_has_set", "own", 2,
        "t.yaml:1:1: error[NTP0214]"},
    {"name_that_another_branch_has_set", "own", 3, ""},
    {"name_of_a_callback", "ovf", 0, "t.yaml:1:1: error[NTP0214]"},
    {"name_of_the_index", "i", 0, "t.yaml:1:1: error[NTP0203]"},
    {"name_that_begins_with_a_capital", "Handle", 0,
        "t.yaml:1:1: error[NTP0203]: 'Handle' is not a variable's name\n"
        "    1 | Handle\n"
        "      | ^~~~~~ a lower-case letter, then letters, digits and _; not a "
        "word of the language\n"},
    {"name_that_begins_with_a_digit", "1st", 0, "t.yaml:1:1: error[NTP0203]"},
    {"name_with_a_dash", "my-handle", 0, "t.yaml:1:1: error[NTP0203]"},
    {"name_with_a_point", "drv.h", 0, "t.yaml:1:1: error[NTP0203]"},
    {"name_with_a_dollar", "$h", 0, "t.yaml:1:1: error[NTP0203]"},
};

static void define_row(void **state)
{
    const struct define_row *row = *state;
    struct values_scope made;
    struct variable *variable;

    scope_init(&made, row->text);
    /* The list grows with talloc. */
    made.scope.variables = talloc_zero(made.file.memory, struct variables);
    made.scope.variables->item = talloc_memdup(made.scope.variables,
        made.variable, made.variables.count * sizeof(*made.variable));
    made.scope.variables->count = made.variables.count;
    made.scope.branch = row->branch;
    variable = scope_define(&made.scope, text_file_tree(&made.file), NT_HANDLE);
    text_file_assert_errors(&made.file, row->want);
    if (row->want[0] == '\0') {
        assert_non_null(variable);
        assert_string_equal(variable->name, row->text);
        assert_int_equal(variable->type, NT_HANDLE);
        assert_int_equal(variable->branch, row->branch);
        assert_false(variable->used);
        assert_int_equal(made.scope.variables->count, 6);
    } else {
        assert_null(variable);
        assert_int_equal(made.scope.variables->count, 5);
    }
    scope_release(&made);
}

/* What an actor or a callback may be called. */
static struct name_row {
    const char *name;
    const char *text;
    bool want;
} name_rows[] = {
    {"name_of_letters", "sampler", true},
    {"name_of_capitals_digits_and_underscores", "Sampler_2x", true},
    {"name_that_begins_with_an_underscore", "_x", true},
    {"name_that_only_begins_like_a_word", "anybody", true},
    {"word_in_other_case", "All", true},
    {"number_as_a_name", "1st", false},
    {"dash_in_a_name", "my-driver", false},
    {"point_in_a_name", "my.driver", false},
    {"blank_in_a_name", "my driver", false},
    {"dollar_in_a_name", "$h", false},
    {"letter_that_is_not_ascii", "tr\xC3\xA9iber", false},
    {"index_as_a_name", "i", false},
    {"all_as_a_name", "all", false},
    {"any_as_a_name", "any", false},
    {"nobody_as_a_name", "nobody", false},
    {"null_as_a_name", "null", false},
    {"true_as_a_name", "true", false},
    {"false_as_a_name", "false", false},
    {"unchanged_as_a_name", "unchanged", false},
    {"first_parameter_of_a_callback_as_a_name", "OverflowBits", false},
    {"second_parameter_of_a_callback_as_a_name", "OwningHandle", false},
};

static void name_row(void **state)
{
    const struct name_row *row = *state;
    struct values_scope made;
    char want[120];

    scope_init(&made, row->text);
    assert_int_equal(
        scope_check_name(&made.scope, text_file_tree(&made.file), "an actor"),
        row->want);
    snprintf(want, sizeof(want),
        "t.yaml:1:1: error[NTP0203]: '%s' cannot be the name of an actor\n",
        row->text);
    text_file_assert_errors(&made.file, row->want ? "" : want);
    scope_release(&made);
}

TEST_FILE(test_scope)
{
    TEST_ADD_ROWS(list, lookup_row, lookup_rows);
    TEST_ADD_ROWS(list, define_row, define_rows);
    test_add(list, "variable_of_the_own_branch_is_seen",
        variable_of_the_own_branch_is_seen, NULL);
    test_add(list, "index_of_a_repeat_is_seen_inside_of_it",
        index_of_a_repeat_is_seen_inside_of_it, NULL);
    test_add(list, "looking_up_makes_used", looking_up_makes_used, NULL);
    test_add(list, "variable_that_no_step_has_set_has_no_value",
        variable_that_no_step_has_set_has_no_value, NULL);
    test_add(list, "first_failure_of_a_run_is_kept",
        first_failure_of_a_run_is_kept, NULL);
    TEST_ADD_ROWS(list, name_row, name_rows);
}
