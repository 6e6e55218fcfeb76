/* test_mutants.c - which defects a text can have, and that each is planted
 * alone. */
#include <string.h>
#include <talloc.h>

#include "tests/mutation/mutants.h"
#include "tests/rows.h"

/* `want` has the mutants in their order, as kind:line:column:text they make of
 * what stood there, each in angle brackets. */
static struct find_row {
    const char *name, *text, *want;
} find_rows[] = {
    {"nothing_in_nothing", "", ""},
    {"nothing_in_names", "int f(int x);", ""},

    {"less_has_a_bound_and_a_reverse", "a < b",
        "<comparison:1:3:<=><comparison:1:3:>=>"},
    {"at_most_has_a_bound_and_a_reverse", "a <= b",
        "<comparison:1:3:<><comparison:1:3:>>"},
    {"greater_has_a_bound_and_a_reverse", "a > b",
        "<comparison:1:3:<=><comparison:1:3:>=>"},
    {"at_least_has_a_bound_and_a_reverse", "a >= b",
        "<comparison:1:3:<><comparison:1:3:>>"},
    {"equal_becomes_not_equal", "a == b", "<comparison:1:3:!=>"},
    {"not_equal_becomes_equal", "a != b", "<comparison:1:3:==>"},
    {"arrow_is_no_comparison", "a->b", ""},
    {"assignment_is_no_comparison", "a = b", ""},

    {"and_becomes_or", "a && b", "<condition:1:3:||>"},
    {"or_becomes_and", "a || b", "<condition:1:3:&&>"},
    {"mask_becomes_join", "a & b", "<mask:1:3:|>"},
    {"join_becomes_mask", "a | b", "<mask:1:3:&>"},
    {"shifts_change_direction", "a << b >> c", "<mask:1:3:>>><mask:1:8:<<>"},
    {"masking_assignments", "a &= b |= c", "<mask:1:3:|=><mask:1:8:&=>"},
    {"complement_is_removed", "~a", "<mask:1:1:>"},
    {"address_is_no_mask", "f(&a)", ""},
    {"sum_becomes_difference", "a + b", "<sum:1:3:->"},
    {"difference_becomes_sum", "a - b", "<sum:1:3:+>"},
    {"sums_that_assign", "a += b -= c", "<sum:1:3:-=><sum:1:8:+=>"},
    {"sign_is_no_difference", "-a", ""},
    {"steps_are_no_sums", "a++", ""},
    {"operator_at_the_end_of_a_line", "a +\n    b", "<sum:1:3:->"},

    {"constants_have_two_neighbours", "f(7)",
        "<constant:1:3:6><constant:1:3:8>"},
    {"zero_has_one_neighbour", "f(0)", "<constant:1:3:1>"},
    {"hexadecimal_stays_so", "f(0x0F)",
        "<constant:1:3:0x10><constant:1:3:0xE>"},
    {"suffix_stays", "f(1ULL)", "<constant:1:3:0ULL><constant:1:3:2ULL>"},
    {"largest_number_has_one_neighbour", "f(0xFFFFFFFFFFFFFFFF)",
        "<constant:1:3:0xFFFFFFFFFFFFFFFE>"},
    {"fractions_stay", "f(1.5)", ""},
    {"exponents_stay", "f(1e-5)", ""},
    {"size_of_an_array_stays", "int a[6];", ""},
    {"index_of_an_array_does_not", "= a[0]", "<constant:1:5:1>"},
    {"returned_index_does_not", "return a[0];", "<constant:1:10:1>"},

    {"status_becomes_the_next", "STATUS_A, STATUS_B",
        "<status:1:1:STATUS_B><status:1:11:STATUS_A>"},
    {"status_becomes_another", "STATUS_A, STATUS_A, STATUS_B",
        "<status:1:1:STATUS_B><status:1:11:STATUS_B><status:1:21:STATUS_A>"},
    {"only_status_of_a_file_stays", "STATUS_A, STATUS_A", ""},

    {"condition_is_negated", "void f(void)\n{\n    if (a)\n}",
        "<condition:3:9:!(a)>"},
    {"loop_is_negated", "void f(void)\n{\n    while (f(a))\n}",
        "<condition:3:12:!(f(a))>"},
    {"one_comparison_is_reversed_once", "void f(void)\n{\n    if (a == b)\n}",
        "<comparison:3:11:!=>"},
    {"call_is_removed", "void f(void)\n{\n    g(a, b);\n}",
        "<statement:3:5:;>"},
    {"assignment_is_removed", "void f(void)\n{\n    a->b = c;\n}",
        "<statement:3:5:;>"},
    {"assignment_through_a_pointer_is_removed",
        "void f(void)\n{\n    *a = c;\n}", "<statement:3:5:;>"},
    {"step_is_removed", "void f(void)\n{\n    a++;\n}", "<statement:3:5:;>"},
    {"statement_after_else_is_removed",
        "void f(void)\n{\n    if (a) {\n    } else {\n        b();\n    }\n}",
        "<condition:3:9:!(a)><statement:5:9:;>"},
    {"statement_of_a_case_is_removed",
        "void f(void)\n{\n    switch (a) {\n    case B:\n        b();\n"
        "        break;\n    default:\n        c();\n    }\n}",
        "<statement:5:9:;><statement:8:9:;>"},
    {"removed_statement_keeps_its_lines", "void f(void)\n{\n    g(a,\n b);\n}",
        "<statement:3:5:;\n>"},
    {"declarations_stay",
        "void f(void)\n{\n    int a = b;\n    x_t *c = &a;\n    x_t d[2] = "
        "{a};\n}",
        ""},
    {"unused_value_stays", "void f(void)\n{\n    (void)a;\n}", ""},
    {"goto_and_break_stay", "void f(void)\n{\n    break;\n    goto a;\n}", ""},
    {"returned_true_becomes_false", "int f(void)\n{\n    return true;\n}",
        "<result:3:12:false>"},
    {"returned_false_becomes_true", "int f(void)\n{\n    return false;\n}",
        "<result:3:12:true>"},
    {"returned_value_becomes_zero", "int f(void)\n{\n    return g(a);\n}",
        "<result:3:12:0>"},
    {"returned_null_stays", "int f(void)\n{\n    return NULL;\n}", ""},
    {"returned_success_stays", "int f(void)\n{\n    return ERROR_SUCCESS;\n}",
        ""},
    {"returned_error_becomes_success",
        "int f(void)\n{\n    return ERROR_BUSY;\n}", "<result:3:12:0>"},
    {"returned_structure_stays", "int f(void)\n{\n    return (struct a){b};\n}",
        ""},
    {"members_of_a_structure_are_no_statements", "struct a {\n    int b;\n};",
        ""},
    {"initialiser_is_no_body", "int a[] = {f(b)};", ""},

    {"comment_stays", "/* a < 1 */ // b == 2\n", ""},
    {"comment_over_lines_stays", "/* a\n * < 1 */", ""},
    {"comment_in_a_string_is_text", "f(\"/*\") < a",
        "<comparison:1:9:<=><comparison:1:9:>=>"},
    {"string_stays", "\"a < 1 STATUS_A\" STATUS_A", ""},
    {"quote_in_a_string_stays", "\"\\\" < 1\"", ""},
    {"character_stays", "'<' '\\'' '0'", ""},
    {"assertion_stays", "void f(void)\n{\n    assert(a < 1 && f(2));\n}", ""},
    {"assertion_of_a_check_stays",
        "void f(void)\n{\n    assert(a_check(b + 1));\n}", ""},
    {"check_of_a_structure_stays",
        "bool a_check(const struct a *a)\n{\n    if (a->b > 0) {\n"
        "        assert(a->c < 1);\n        g(a);\n    }\n    return true;\n}",
        ""},
    {"check_that_is_static_stays",
        "static inline bool a_check(const struct a *a)\n{\n    g(a + 1);\n"
        "    return true;\n}",
        ""},
    {"after_a_check_it_goes_on",
        "bool a_check(const struct a *a)\n{\n    g(a);\n    return true;\n}\n"
        "bool b = c == d;",
        "<comparison:6:12:!=>"},
    {"check_of_input_is_behaviour",
        "bool a_check(const struct a *a)\n{\n    if (a->b) {\n"
        "        return false;\n    }\n    return true;\n}",
        "<condition:3:9:!(a->b)><result:4:16:true><result:6:12:false>"},
    {"check_that_changes_is_behaviour",
        "bool a_check(struct a *a)\n{\n    g(a);\n    return true;\n}",
        "<statement:3:5:;><result:4:12:false>"},
    {"call_of_a_check_is_behaviour", "void f(void)\n{\n    a_check(b);\n}",
        "<statement:3:5:;>"},
    {"hint_to_a_sanitizer_stays",
        "void f(void)\n{\n    asan_fiber_enter(a, 1);\n}", ""},
    {"hint_to_the_caches_stays",
        "void f(void)\n{\n    __builtin_prefetch(a + 1);\n}", ""},
    {"static_assertion_stays", "_Static_assert(A == 1, \"a\");", ""},
    {"attribute_stays", "__attribute__((format(printf, 1, 2))) int f(void);",
        ""},
    {"after_an_assertion_it_goes_on", "assert(a < 1); b == c",
        "<comparison:1:18:!=>"},
    {"directive_stays", "#if A < 1\n  # define B 2\n#endif\n", ""},
    {"directive_goes_on_after_a_backslash", "#define A \\\n    1 < 2\nb == c",
        "<comparison:3:3:!=>"},
    {"comment_after_a_directive_goes_on",
        "#include <a.h> /* 1 <\n 2 < */\nb == c", "<comparison:3:3:!=>"},
    {"column_after_a_comment", "/* 1 */ a == b", "<comparison:1:11:!=>"},
};

static void find_row(void **state)
{
    const struct find_row *row = *state;
    void *memory = talloc_new(NULL);
    const struct mutants *mutants = mutants_find(memory, row->text);
    char *got = talloc_strdup(memory, "");

    for (size_t i = 0; i < mutants->count; i++) {
        const struct mutant *mutant = &mutants->item[i];

        got = talloc_asprintf_append(got, "<%s:%u:%u:%s>",
            mutant_kind_name(mutant->kind), mutant->line, mutant->column,
            mutant->after);
    }
    assert_string_equal(got, row->want);
    talloc_free(memory);
}

/* `nth` of the text's mutants makes `want` of it. */
static struct apply_row {
    const char *name, *text;
    size_t nth;
    const char *want;
} apply_rows[] = {
    {"one_of_two_equal_operators", "a < b < c", 2, "a < b <= c"},
    {"first_token", "STATUS_A STATUS_B", 0, "STATUS_B STATUS_B"},
    {"last_token", "f + 1", 2, "f + 2"},
    {"comment_within_stays", "a /* < */ < b /* < */", 0,
        "a /* < */ <= b /* < */"},
    {"condition", "int f(int a)\n{\n    if (a) {\n    }\n}", 0,
        "int f(int a)\n{\n    if (!(a)) {\n    }\n}"},
    {"statement_and_no_other",
        "void f(void)\n{\n    a();\n    b(\n);\n    c();}", 1,
        "void f(void)\n{\n    a();\n    ;\n\n    c();}"},
};

static void apply_row(void **state)
{
    const struct apply_row *row = *state;
    void *memory = talloc_new(NULL);
    const struct mutants *mutants = mutants_find(memory, row->text);

    assert_true(row->nth < mutants->count);
    assert_string_equal(
        mutant_apply(memory, row->text, &mutants->item[row->nth]), row->want);
    talloc_free(memory);
}

TEST_FILE(test_mutants)
{
    TEST_ADD_ROWS(list, find_row, find_rows);
    TEST_ADD_ROWS(list, apply_row, apply_rows);
}
