/* test_text_columns.c - cells below each other. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/text/text_columns.h"

#include <stdlib.h>

#include "scenarios/runner/text/markup_text.h"
#include "tests/rows.h"

static void cells_stand_below_each_other(void **state)
{
    static const char *const lines[][3] = {
        {"a", "12", "x"}, {"\u00e9\u00e9\u00e9", "", "y"}, {"", "7", ""}};
    struct text_column column[] = {
        {"name", false, 0}, {"n", true, 0}, {"", false, 0}};
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    (void)state;
    text_columns_widen_heads(column, 3);
    for (size_t i = 0; i < 3; i++) {
        text_columns_widen(column, 3, lines[i]);
    }
    text_columns_print_heads(column, 3, out);
    for (size_t i = 0; i < 3; i++) {
        text_columns_print(column, 3, lines[i], out);
    }
    fclose(out);
    assert_string_equal(text, "name   n\n"
                              "a     12  x\n"
                              "\u00e9\u00e9\u00e9       y\n"
                              "       7\n");
    free(text);
}

static void markup_is_text(void **state)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    (void)state;
    markup_text_print("<a href='x'>\"1\" & \u00e9</a>", out);
    fclose(out);
    assert_string_equal(
        text, "&lt;a href=&#39;x&#39;&gt;&quot;1&quot; &amp; \u00e9&lt;/a&gt;");
    free(text);
}

TEST_FILE(test_text_columns)
{
    test_add(list, "cells_stand_below_each_other", cells_stand_below_each_other,
        NULL);
    test_add(list, "markup_is_text", markup_is_text, NULL);
}
