/* test_record.c - what is known from calls before, and what is not any more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>
#include <unistd.h>

#include "tests/mutation/record.h"
#include "tests/rows.h"

#define SUM "000000000000000a"
#define LINE(file, index, sum, tree, end)                                      \
    "{\"file\":\"" file "\",\"index\":" index ",\"sum\":\"" sum                \
    "\",\"tree\":\"" tree "\",\"end\":\"" end "\"}\n"

/* Two files of two mutants each; the second of b.c makes no difference. */
static struct walk *small_walk(void *memory)
{
    static struct mutants mutants = {.count = 2};
    static bool none[] = {false, false}, second[] = {false, true};
    struct walk *walk = talloc_zero(memory, struct walk);

    walk->file = talloc_zero_array(walk, struct walk_file, 2);
    walk->file[0] = (struct walk_file){
        .path = "a.c", .sum = 0xA, .mutants = &mutants, .equivalent = none};
    walk->file[1] = (struct walk_file){
        .path = "b.c", .sum = 0xB, .mutants = &mutants, .equivalent = second};
    walk->file_count = 2;
    walk->site = talloc_zero_array(walk, struct walk_site, 4);
    for (size_t i = 0; i < 4; i++) {
        walk->site[i] = (struct walk_site){i / 2, i % 2, 0};
    }
    walk->site_count = 4;
    return walk;
}

static json_t *record_with(const char *text)
{
    char path[] = "/tmp/ntpmu-record-XXXXXX";
    int file = mkstemp(path);
    json_t *record;

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    record = record_read(path);
    unlink(path);
    return record;
}

/* `wanted` and `survivors` say of each of the four whether it is tried. */
static struct wants_row {
    const char *name, *text, *wanted, *survivors;
} wants_rows[] = {
    {"nothing_is_known", "", "yyyn", "nnnn"},
    {"one_was_caught", LINE("a.c", "0", SUM, "old", "caught"), "nyyn", "nnnn"},
    {"one_survived", LINE("a.c", "1", SUM, "old", "survived"), "ynyn", "nynn"},
    {"one_survived_these_tests", LINE("a.c", "1", SUM, "now", "survived"),
        "ynyn", "nnnn"},
    {"one_survived_and_was_caught_later",
        LINE("a.c", "1", SUM, "old", "survived")
            LINE("a.c", "1", SUM, "now", "caught"),
        "ynyn", "nnnn"},
    {"its_file_was_another",
        LINE("a.c", "0", "000000000000000b", "old", "survived"), "yyyn",
        "nnnn"},
    {"another_file_was_another",
        LINE("a.c", "0", SUM, "old", "caught")
            LINE("b.c", "0", "0000000000000001", "old", "caught"),
        "nyyn", "nnnn"},
    {"equivalent_that_survived",
        LINE("b.c", "1", "000000000000000b", "old", "survived"), "yyyn",
        "nnnn"},
    {"line_that_broke_off",
        LINE("a.c", "0", SUM, "old", "caught") "{\"file\":\"a.c\",\"ind",
        "nyyn", "nnnn"},
};

static void wants_row(void **state)
{
    const struct wants_row *row = *state;
    void *memory = talloc_new(NULL);
    const struct walk *walk = small_walk(memory);
    json_t *record = record_with(row->text);

    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(
            record_wants(record, walk, &walk->site[i], RECORD_NEW, "now"),
            row->wanted[i] == 'y');
        assert_int_equal(
            record_wants(record, walk, &walk->site[i], RECORD_SURVIVORS, "now"),
            row->survivors[i] == 'y');
    }
    json_decref(record);
    talloc_free(memory);
}

static void lines_are_of_the_walk_and_in_its_order(void **state)
{
    void *memory = talloc_new(NULL);
    const struct walk *walk = small_walk(memory);
    json_t *record = record_with(LINE("b.c", "1", "000000000000000b", "x", "e")
            LINE("b.c", "0", "000000000000000b", "x", "f")
                LINE("c.c", "0", SUM, "x", "g") LINE("a.c", "0", SUM, "x", "h")
                    LINE("a.c", "1", "0000000000000001", "x", "i"));
    json_t *lines = record_lines(record, walk);

    (void)state;
    assert_int_equal(json_array_size(lines), 2);
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(lines, 0), "end")),
        "h");
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(lines, 1), "end")),
        "f");
    json_decref(lines);
    json_decref(record);
    talloc_free(memory);
}

/* What is written of a mutant is found again. */
static void marks_are_found(void **state)
{
    void *memory = talloc_new(NULL);
    const struct walk *walk = small_walk(memory);
    json_t *line = record_marks(&walk->file[1], "now");
    json_t *record = json_object();

    (void)state;
    json_object_set_new(record, "b.c#7", line);
    assert_ptr_equal(record_of(record, &walk->file[1], 7), line);
    assert_null(record_of(record, &walk->file[1], 6));
    assert_null(record_of(record, &walk->file[0], 7));
    assert_string_equal(
        json_string_value(json_object_get(line, "tree")), "now");
    json_decref(record);
    talloc_free(memory);
}

static void record_that_is_not_there_is_empty(void **state)
{
    json_t *record = record_read("/tmp/ntpmu/no/such/record");

    (void)state;
    assert_int_equal(json_object_size(record), 0);
    json_decref(record);
}

TEST_FILE(test_record)
{
    TEST_ADD_ROWS(list, wants_row, wants_rows);
    test_add(list, "lines_are_of_the_walk_and_in_its_order",
        lines_are_of_the_walk_and_in_its_order, NULL);
    test_add(list, "marks_are_found", marks_are_found, NULL);
    test_add(list, "record_that_is_not_there_is_empty",
        record_that_is_not_there_is_empty, NULL);
}
