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
        "\n\nfile: b.c\nbefore: f();\nafter:\nbefore: g();\nafter: h();\n"
        "by: t.yaml\nproves: C-03\n\n" PLANT
        "file: c.c\nbefore: g();\nafter: h();\nby: t.yaml\nproves: C-04\n",
        &problem);

    (void)state;
    assert_non_null(proofs);
    assert_int_equal(proofs->count, 3);
    assert_string_equal(proofs->item[0].place[0].file, "a.c");
    assert_string_equal(proofs->item[0].place[0].before, "x < y");
    assert_string_equal(proofs->item[0].place[0].after, "x > y");
    assert_null(proofs->item[0].place[1].file);
    assert_string_equal(proofs->item[0].by, "s.yaml");
    assert_string_equal(proofs->item[0].proves[0], "A-01");
    assert_string_equal(proofs->item[0].proves[1], "B-02");
    assert_null(proofs->item[0].proves[2]);
    assert_int_equal(proofs->item[0].line, 2);
    assert_string_equal(proofs->item[1].place[0].after, "");
    assert_string_equal(proofs->item[1].place[1].file, "b.c");
    assert_string_equal(proofs->item[1].place[1].before, "g();");
    assert_string_equal(proofs->item[1].place[1].after, "h();");
    assert_int_equal(proofs->item[1].line, 9);
    assert_string_equal(proofs->item[2].place[0].file, "a.c");
    assert_string_equal(proofs->item[2].place[1].file, "c.c");
    assert_string_equal(proof_file(&proofs->item[2], 1), "c.c");
    assert_null(proof_file(&proofs->item[2], 2));
    assert_string_equal(proof_file(&proofs->item[1], 0), "b.c");
    assert_null(proof_file(&proofs->item[1], 1));
    talloc_free(memory);
}

#define WHOLE                                                                  \
    " an entry has each of file:, before:, after:, by: and proves: (up to 3 "  \
    "requirements) once, another file: before: and after: at most"

static struct refuse_row {
    const char *name, *text, *want;
} refuse_rows[] = {
    {"unknown_key", "file: a.c\nkind: x\n", "s:2:" WHOLE},
    {"key_twice", "file: a.c\nfile: b.c\n", "s:2:" WHOLE},
    {"key_without_value", "file:\n", "s:1:" WHOLE},
    {"no_scenario", PLANT "proves: A-01\n", "s:1:" WHOLE},
    {"no_requirement", PLANT "by: s.yaml\n", "s:1:" WHOLE},
    {"before_without_file", "before: x\n", "s:1:" WHOLE},
    {"second_file_alone", PLANT "file: b.c\nby: s.yaml\nproves: A-01\n",
        "s:1:" WHOLE},
    {"after_without_before", "file: a.c\nafter: y\n", "s:2:" WHOLE},
    {"before_twice", "file: a.c\nbefore: x\nbefore: z\n", "s:3:" WHOLE},
    {"after_twice", PLANT "after: z\n", "s:4:" WHOLE},
    {"second_place_not_whole", PLANT "before: z\nby: s.yaml\nproves: A-01\n",
        "s:1:" WHOLE},
    {"three_places", PLANT "before: z\nafter: z\nbefore: w\nafter: w\n" ENTRY,
        "s:6:" WHOLE},
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
    const struct proof proof = {
        .place = {{"a.c", "x < y", "x > y"}}, .line = 9};
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    struct mutant mutant;

    if (row->problem == NULL) {
        assert_true(proof_locate(
            memory, &proof, "a.c", "s", row->text, &mutant, &problem));
        assert_int_equal(mutant.at, row->at);
        assert_int_equal(mutant.length, row->length);
        assert_string_equal(mutant.after, "x > y");
    } else {
        assert_false(proof_locate(
            memory, &proof, "a.c", "s", row->text, &mutant, &problem));
        assert_string_equal(problem, row->problem);
    }
    talloc_free(memory);
}

static struct places_row {
    const char *name, *text;
    const char *want; /* what becomes of it; NULL: nothing, for the problem */
    unsigned line;
    const char *problem;
} places_rows[] = {
    {"in_order", "1\nkeep; 2\n3 use; 4", "1\nkept; 2\n3 used; 4", 2, NULL},
    {"the_other_way_round", "use;\n keep; 4", "used;\n kept; 4", 1, NULL},
    {"the_first_is_gone", "use;", NULL, 0,
        "s:9: 'keep;' stands no longer in a.c: name text that stands there "
        "once, or choose another defect"},
    {"the_second_is_there_twice", "keep; use; use;", NULL, 0,
        "s:9: 'use;' stands more than once in a.c: name text that stands "
        "there once, or choose another defect"},
};

static void places_row(void **state)
{
    const struct places_row *row = *state;
    const struct proof proof = {
        .place = {{"a.c", "keep;", "kept;"}, {"a.c", "use;", "used;"}},
        .line = 9};
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    struct mutant mutant;
    bool located =
        proof_locate(memory, &proof, "a.c", "s", row->text, &mutant, &problem);

    assert_int_equal(located, row->want != NULL);
    if (located) {
        assert_string_equal(
            mutant_apply(memory, row->text, &mutant), row->want);
        assert_int_equal(mutant.line, row->line);
    } else {
        assert_string_equal(problem, row->problem);
    }
    talloc_free(memory);
}

static void each_file_has_its_own_places(void **state)
{
    const struct proof proof = {
        .place = {{"a.c", "keep;", "kept;"}, {"b.c", "use;", "used;"}},
        .line = 9};
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    struct mutant mutant;

    (void)state;
    assert_true(proof_locate(
        memory, &proof, "b.c", "s", "keep; use;", &mutant, &problem));
    assert_string_equal(
        mutant_apply(memory, "keep; use;", &mutant), "keep; used;");
    talloc_free(memory);
}

static void places_that_overlap_are_refused(void **state)
{
    const struct proof proof = {
        .place = {{"a.c", "a b", "x"}, {"a.c", "b c", "y"}}, .line = 9};
    void *memory = talloc_new(NULL);
    const char *problem = NULL;
    struct mutant mutant;

    (void)state;
    assert_false(
        proof_locate(memory, &proof, "a.c", "s", "a b c", &mutant, &problem));
    assert_string_equal(
        problem, "s:9: the two places in a.c overlap: make them one");
    talloc_free(memory);
}

static struct source_row {
    const char *name, *by, *want;
    bool unit;
} source_rows[] = {
    {"scenario", "scenarios/hal/a.yaml", "scenarios/hal/a.yaml", false},
    {"unit_test", "api.ctrpp.test_header.row", "tests/api/ctrpp/test_header.c",
        true},
    {"row_of_a_group", "sim.pmu.test_pmc.group.row", "tests/sim/pmu/test_pmc.c",
        true},
    {"of_a_room_below_no_other", "mutation.test_walk.row",
        "tests/mutation/test_walk.c", true},
    {"neither", "word", "word", false},
};

static void source_row(void **state)
{
    const struct source_row *row = *state;
    const struct proof proof = {.by = row->by};
    char *source = proof_source(NULL, &proof);

    assert_string_equal(source, row->want);
    assert_int_equal(proof_is_by_unit(&proof), row->unit);
    talloc_free(source);
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

static void unit_test_that_no_longer_cites_is_named(void **state)
{
    const struct proof proof = {
        .by = "api.test_t.row", .proves = {"A-01"}, .line = 9};
    void *memory = talloc_new(NULL);
    const char *problem = NULL;

    (void)state;
    assert_false(proof_is_cited(memory, &proof, "s", "/* B-02 */", &problem));
    assert_string_equal(problem, "s:9: api.test_t.row no longer cites A-01: "
                                 "name a unit test that does");
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
    TEST_ADD_ROWS(list, places_row, places_rows);
    test_add(list, "each_file_has_its_own_places", each_file_has_its_own_places,
        NULL);
    test_add(list, "places_that_overlap_are_refused",
        places_that_overlap_are_refused, NULL);
    TEST_ADD_ROWS(list, source_row, source_rows);
    test_add(list, "unit_test_that_no_longer_cites_is_named",
        unit_test_that_no_longer_cites_is_named, NULL);
    test_add(list, "those_with_an_id_are_asked_for",
        those_with_an_id_are_asked_for, NULL);
    test_add(list, "first_of_a_family_is_that_of_its_first_requirement",
        first_of_a_family_is_that_of_its_first_requirement, NULL);
}
