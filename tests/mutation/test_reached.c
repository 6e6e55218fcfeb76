/* test_reached.c - names of functions that ran. */
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "tests/mutation/reached.h"
#include "tests/rows.h"

/* `noted` has a digit for each sixteen bytes of the program. */
static struct reached_row {
    const char *name, *listing, *noted, *want;
} reached_rows[] = {
    {"first_and_last", "1000 R __executable_start\n1010 t f\n1030 T g\n",
        "0101", "f x\ng x\n"},
    {"those_that_did_not_run", "0 R __executable_start\n10 t f\n20 t g\n",
        "001", "g x\n"},
    {"copies_have_its_name", "0 R __executable_start\n10 t f.part.0\n20 t f\n",
        "011", "f x\nf x\n"},
    {"data_is_none", "0 R __executable_start\n10 d f\n20 b g\n", "111", ""},
    {"within_its_sixteen_bytes", "0 R __executable_start\n18 t f\n", "01",
        "f x\n"},
    {"what_is_elsewhere", "         U abort\n0 R __executable_start\n10 t f\n",
        "01", "f x\n"},
    {"behind_what_is_noted", "0 R __executable_start\n20 t f\n", "11", ""},
};

static void reached_row(void **state)
{
    const struct reached_row *row = *state;
    void *memory = talloc_new(NULL);
    const struct reached_names *names =
        reached_names_read(memory, row->listing);
    size_t size = strlen(row->noted), length;
    uint8_t noted[8] = {0};
    char *said;
    FILE *out = open_memstream(&said, &length);

    assert_non_null(names);
    assert_non_null(out);
    for (size_t i = 0; i < size; i++) {
        noted[i] = row->noted[i] == '1';
    }
    reached_print(names, noted, size, "x", out);
    fclose(out);
    assert_string_equal(said, row->want);
    free(said);
    talloc_free(memory);
}

static void needs_its_beginning(void **state)
{
    void *memory = talloc_new(NULL);

    (void)state;
    assert_null(reached_names_read(memory, "10 t f\n"));
    talloc_free(memory);
}

TEST_FILE(test_reached)
{
    TEST_ADD_ROWS(list, reached_row, reached_rows);
    test_add(list, "program_without_a_beginning", needs_its_beginning, NULL);
}
