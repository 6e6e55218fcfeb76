/* test_function_at.c - the function that each place of a text is in. */
#include <string.h>
#include <talloc.h>

#include "tests/mutation/function_at.h"
#include "tests/rows.h"

/* The place is that of the mark @, which is not part of the text. */
static struct function_row {
    const char *name, *text, *want;
} function_rows[] = {
    {"body", "int f(int x)\n{\n    return @x;\n}\n", "f"},
    {"last_bracket", "int f(void) { @}", "f"},
    {"behind_the_last_bracket", "int f(void) { }@ int y;", NULL},
    {"parameters", "int f(int @x) { return x; }", "f"},
    {"second_of_two", "int f(void) { } int g(void) { return @1; }", "g"},
    {"inner_block", "int f(void) { if (x) { @y(); } }", "f"},
    {"call_inside", "int f(void) { g(@1); }", "f"},
    {"attribute_before", "__attribute__((noinline)) int f(void) { @x(); }",
        "f"},
    {"declaration", "int f(int @x); int g(void) { }", NULL},
    {"table", "int a[] = {1, @2}; int f(void) { }", NULL},
    {"table_behind_a_function", "int f(void) { } int a[] = {g(@1)};", NULL},
    {"macro_in_a_table", "int a[] = {ROW(@1) {2}};", NULL},
    {"comment_with_a_bracket", "int f(void) { /* } */ @x(); }", "f"},
    {"pointer_to_a_function", "int (*f)(int @x) = g; int h(void) { }", NULL},
    {"nothing", "@", NULL},
    {"bracket_that_nothing_closes", "int f(void) { @x();", NULL},
};

static void function_row(void **state)
{
    const struct function_row *row = *state;
    void *memory = talloc_new(NULL);
    const char *mark = strchr(row->text, '@');
    char *text = talloc_asprintf(
        memory, "%.*s%s", (int)(mark - row->text), row->text, mark + 1);
    const char *found = function_at(memory, text, (size_t)(mark - row->text));

    if (row->want == NULL) {
        assert_null(found);
    } else {
        assert_non_null(found);
        assert_string_equal(found, row->want);
    }
    talloc_free(memory);
}

TEST_FILE(test_function_at)
{
    TEST_ADD_ROWS(list, function_row, function_rows);
}
