/* test_driven.c - what several images came to, in few lines. */
#define _GNU_SOURCE
#include "scenarios/runner/commands/drive/driven.h"
#include "tests/rows.h"

#include <stdlib.h>
#include <talloc.h>

static struct images_row {
    const char *name;
    size_t named;
    struct {
        const char *path;
        enum result result;
        const char *failures;
    } image[4];
    const char *want;
} images_rows[] = {
    {"of_one_image_all_is_said", 1, {{"a.sys", RESULT_FAIL, "  x\n"}}, ""},
    {"passes_are_counted", 2,
        {{"a.sys", RESULT_PASS, ""}, {"b.sys", RESULT_PASS, ""}},
        "2 images: 2 passed, 0 failed\n"},
    {"same_failures_are_one", 3,
        {{"a.sys", RESULT_FAIL, "  x\n"}, {"b.sys", RESULT_PASS, ""},
            {"c.sys", RESULT_FAIL, "  x\n"}},
        "3 images: 1 passed, 2 failed\nFAIL: a.sys, c.sys\n  x\n"},
    {"other_failures_are_apart", 3,
        {{"a.sys", RESULT_FAIL, "  x\n"}, {"b.sys", RESULT_FAIL, "  y\n"},
            {"c.sys", RESULT_FAIL, "  x\n"}},
        "3 images: 0 passed, 3 failed\nFAIL: a.sys, c.sys\n  x\n"
        "FAIL: b.sys\n  y\n"},
    {"other_results_are_apart", 2,
        {{"a.sys", RESULT_FAIL, "  x\n"}, {"b.sys", RESULT_CRASH, "  x\n"}},
        "2 images: 0 passed, 2 failed\nFAIL: a.sys\n  x\n"
        "CRASH: b.sys\n  x\n"},
    {"images_that_were_not_driven_are_counted", 3, {{"a.sys", RESULT_PASS, ""}},
        "3 images: 1 passed, 0 failed, 2 not driven\n"},
    {"names_are_escaped", 2,
        {{"a\033.sys", RESULT_FAIL, "  x\n"},
            {"b\n.sys", RESULT_FAIL, "  x\n"}},
        "2 images: 0 passed, 2 failed\nFAIL: a\\u001b.sys, b\\n.sys\n  x\n"},
};

static void images_row(void **state)
{
    const struct images_row *row = *state;
    struct driven *driven = driven_new(NULL, row->named);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    assert_non_null(out);
    for (size_t i = 0; i < 4 && row->image[i].path != NULL; i++) {
        driven_add(driven, row->image[i].path, row->image[i].result,
            row->image[i].failures);
    }
    driven_print(driven, out);
    fclose(out);
    assert_string_equal(text, row->want);
    free(text);
    talloc_free(driven);
}

TEST_FILE(test_driven)
{
    TEST_ADD_ROWS(list, images_row, images_rows);
}
