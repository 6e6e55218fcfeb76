/* test_proofs.c - the record of proofs. */
#include <talloc.h>

#include "tests/mutation/proofs.h"
#include "tests/rows.h"

#define PLANT "file: a.c\nbefore: x < y\nafter: x > y\n"
#define ENTRY PLANT "by: s.yaml\nproves: A-01 B-02\n"

static void entries_are_read(void **state)
{
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    const struct proofs *proofs = proofs_read(memory, "s",
        "# of the arbiter\n" ENTRY
        "\n\nfile: b.c\nbefore: f();\nafter:\nby: t.yaml\nproves: C-03\n",
        &problem);

    (void)state;
    assert_non_null(proofs);
    assert_int_equal(proofs->count, 2);
    assert_string_equal(proofs->item[0].file, "a.c");
    assert_string_equal(proofs->item[0].before, "x < y");
    assert_string_equal(proofs->item[0].after, "x > y");
    assert_string_equal(proofs->item[0].by, "s.yaml");
    assert_string_equal(proofs->item[0].proves[0], "A-01");
    assert_string_equal(proofs->item[0].proves[1], "B-02");
    assert_null(proofs->item[0].proves[2]);
    assert_int_equal(proofs->item[0].line, 2);
    assert_string_equal(proofs->item[1].after, "");
    assert_int_equal(proofs->item[1].line, 9);
    talloc_free(memory);
}

#define WHOLE                                                                  \
    " an entry has each of file:, before:, after:, by: and proves: (up to 3 "  \
    "requirements) once"

static struct refuse_row {
    const char *name, *text, *want;
} refuse_rows[] = {
    {"unknown_key", "file: a.c\nkind: x\n", "s:2:" WHOLE},
    {"key_twice", "file: a.c\nfile: b.c\n", "s:2:" WHOLE},
    {"key_without_value", "file:\n", "s:1:" WHOLE},
    {"no_scenario", PLANT "proves: A-01\n", "s:1:" WHOLE},
    {"no_requirement", PLANT "by: s.yaml\n", "s:1:" WHOLE},
    {"key_missing_before_the_next", "file: a.c\nbefore: x\n\n" ENTRY,
        "s:3:" WHOLE},
    {"four_requirements", "proves: A-01 B-01 C-01 D-01\n", "s:1:" WHOLE},
    {"no_requirement_s_id", "proves: A\n", "s:1:" WHOLE},
};

static void refuse_row(void **state)
{
    const struct refuse_row *row = *state;
    void *memory = talloc_new(NULL);
    const char *problem = NULL;

    assert_null(proofs_read(memory, "s", row->text, &problem));
    assert_non_null(problem);
    assert_string_equal(problem, row->want);
    talloc_free(memory);
}

static struct locate_row {
    const char *name, *text;
    size_t at, length; /* where `problem` is NULL */
    const char *problem;
} locate_rows[] = {
    {"at_the_start", "x < y", 0, 5, NULL},
    {"after_lines_that_moved_it", "\n\n    x < y;", 6, 5, NULL},
    {"over_two_lines", "f(x <\n      y);", 2, 11, NULL},
    {"gone", "x <= y", 0, 0,
        "s:9: 'x < y' stands no longer in a.c: name text that stands there "
        "once, or choose another defect"},
    {"without_its_blanks", "x<y", 0, 0,
        "s:9: 'x < y' stands no longer in a.c: name text that stands there "
        "once, or choose another defect"},
    {"cut_off", "x <", 0, 0,
        "s:9: 'x < y' stands no longer in a.c: name text that stands there "
        "once, or choose another defect"},
    {"twice", "x < y x <  y", 0, 0,
        "s:9: 'x < y' stands more than once in a.c: name text that stands "
        "there once, or choose another defect"},
};

static void locate_row(void **state)
{
    const struct locate_row *row = *state;
    const struct proof proof = {.file = "a.c", .before = "x < y", .line = 9};
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    size_t at = 99, length = 99;

    if (row->problem == NULL) {
        assert_true(proof_locate(
            memory, &proof, "s", row->text, &at, &length, &problem));
        assert_int_equal(at, row->at);
        assert_int_equal(length, row->length);
    } else {
        assert_false(proof_locate(
            memory, &proof, "s", row->text, &at, &length, &problem));
        assert_string_equal(problem, row->problem);
    }
    talloc_free(memory);
}

static struct cited_row {
    const char *name, *text, *problem;
} cited_rows[] = {
    {"cites_both", "covers: [B-02, A-01]}", NULL},
    {"one_is_missing", "covers: [A-01]",
        "s:9: t.yaml no longer cites B-02: name a scenario that does"},
    {"a_longer_id_is_another", "covers: [A-01a, B-02]",
        "s:9: t.yaml no longer cites A-01: name a scenario that does"},
    {"the_end_of_one_is_another", "covers: [HA-01, B-02]",
        "s:9: t.yaml no longer cites A-01: name a scenario that does"},
    {"the_end_of_a_family_s_is_another", "covers: [H-A-01, B-02]",
        "s:9: t.yaml no longer cites A-01: name a scenario that does"},
};

static void cited_row(void **state)
{
    const struct cited_row *row = *state;
    const struct proof proof = {
        .by = "t.yaml", .proves = {"A-01", "B-02"}, .line = 9};
    void *memory = talloc_new(NULL);
    const char *problem = NULL;

    assert_int_equal(proof_is_cited(memory, &proof, "s", row->text, &problem),
        row->problem == NULL);
    if (row->problem != NULL) {
        assert_string_equal(problem, row->problem);
    }
    talloc_free(memory);
}

static void those_with_an_id_are_asked_for(void **state)
{
    const struct proof proof = {.proves = {"A-01", "B-02"}};
    char *const asked[] = {"C-01", "B-02"};

    (void)state;
    assert_true(proof_is_asked_for(&proof, asked, 0));
    assert_false(proof_is_asked_for(&proof, asked, 1));
    assert_true(proof_is_asked_for(&proof, asked, 2));
}

static void first_of_a_family_is_that_of_its_first_requirement(void **state)
{
    struct proof item[] = {{.proves = {"A-B-01", "C-01"}}, {.proves = {"A-02"}},
        {.proves = {"A-B-07"}}, {.proves = {"C-02"}}};
    const struct proofs proofs = {item, 4};

    (void)state;
    assert_true(proofs_is_first(&proofs, 0));
    assert_true(proofs_is_first(&proofs, 1));
    assert_false(proofs_is_first(&proofs, 2));
    assert_true(proofs_is_first(&proofs, 3));
}

TEST_FILE(test_proofs)
{
    test_add(list, "entries_are_read", entries_are_read, NULL);
    TEST_ADD_ROWS(list, refuse_row, refuse_rows);
    TEST_ADD_ROWS(list, locate_row, locate_rows);
    TEST_ADD_ROWS(list, cited_row, cited_rows);
    test_add(list, "those_with_an_id_are_asked_for",
        those_with_an_id_are_asked_for, NULL);
    test_add(list, "first_of_a_family_is_that_of_its_first_requirement",
        first_of_a_family_is_that_of_its_first_requirement, NULL);
}
