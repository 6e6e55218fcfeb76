/* test_equivalents.c - the list of defects that are none. */
#include <string.h>
#include <talloc.h>

#include "tests/mutation/equivalents.h"
#include "tests/rows.h"

/* A file of one function, with two comparisons on a line and one on another. */
static const char source[] = "static int f(int a, int b)\n{\n"
                             "    if (a < b && b < 7) {\n"
                             "        return a > 4;\n    }\n    return b;\n}\n";

#define ENTRY(text, before, after)                                             \
    "file: a.c\ntext: " text "\nbefore: " before "\nafter: " after             \
    "\nreason: so\n"

static struct walk *small_walk(void *memory)
{
    struct walk *walk = talloc_zero(memory, struct walk);

    walk->file = talloc_zero(walk, struct walk_file);
    walk->file_count = 1;
    walk->file->path = "a.c";
    walk->file->text = talloc_strdup(walk, source);
    walk->file->mutants = mutants_find(walk, source);
    walk->file->equivalent =
        talloc_zero_array(walk, bool, (unsigned)walk->file->mutants->count);
    return walk;
}

static void marks_the_one_that_is_meant(void **state)
{
    void *memory = talloc_new(NULL);
    struct walk *walk = small_walk(memory);
    const struct walk_file *file = walk->file;
    const char *problem = NULL;
    const struct equivalents *list = equivalents_read(memory, "e",
        ENTRY("b < 7", "<", "<=") "\nfile: other.c\ntext: none\nbefore: "
                                  "x\nafter:\nreason: elsewhere\n",
        &problem);
    size_t marked = 0;

    (void)state;
    assert_non_null(list);
    assert_int_equal(list->count, 2);
    assert_true(equivalents_mark(list, "e", walk, &problem));
    for (size_t i = 0; i < file->mutants->count; i++) {
        if (file->equivalent[i]) {
            assert_int_equal(
                file->mutants->item[i].at, strstr(source, "< 7") - source);
            assert_string_equal(file->mutants->item[i].after, "<=");
            marked++;
        }
    }
    assert_int_equal(marked, 1);
    talloc_free(memory);
}

static struct refuse_row {
    const char *name, *text, *want;
} refuse_rows[] = {
    {"text_that_is_gone", ENTRY("b < 8", "<", "<="),
        "e:1: 'b < 8' stands no longer in a.c: name text that stands there "
        "once, or choose another mutant"},
    {"text_that_stands_twice", ENTRY("return", "a > 4", "0"),
        "e:1: 'return' stands more than once in a.c: name text that stands "
        "there once, or choose another mutant"},
    {"defect_that_is_not_planted", ENTRY("b < 7", "<", "=="),
        "e:1: 0 defects of a.c make '==' of '<' in 'b < 7', and it has to be "
        "one"},
    {"defects_that_are_two", ENTRY("a < b && b < 7", "<", "<="),
        "e:1: 2 defects of a.c make '<=' of '<' in 'a < b && b < 7', and it "
        "has to be one"},
    {"no_reason", "file: a.c\ntext: b < 7\nbefore: <\nafter: <=\n",
        "e:1: an entry has each of file:, text:, before:, after: and reason: "
        "once"},
    {"unknown_key", "file: a.c\nwhy: so\n",
        "e:2: an entry has each of file:, text:, before:, after: and reason: "
        "once"},
};

static void refuse_row(void **state)
{
    const struct refuse_row *row = *state;
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    const struct equivalents *list =
        equivalents_read(memory, "e", row->text, &problem);

    assert_true(list == NULL ||
                !equivalents_mark(list, "e", small_walk(memory), &problem));
    assert_non_null(problem);
    assert_string_equal(problem, row->want);
    talloc_free(memory);
}

TEST_FILE(test_equivalents)
{
    test_add(
        list, "marks_the_one_that_is_meant", marks_the_one_that_is_meant, NULL);
    TEST_ADD_ROWS(list, refuse_row, refuse_rows);
}
