/* test_correction.c - whether what instances want of one expected value goes
 * together, and what is said when it does not. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/commands/run/correction.h"
#include "tests/runner/text_file.h"

/* A correction a word for instances called 1, 2, ..: = is met by what is there,
 * "x"; a letter wants that; +a is met and wants that elsewhere; *a wants
 * several;
 * - wants what has no text; !a fails as it is expected to, with that. */
static struct group_row {
    const char *name;
    const char *corrections;
    bool want; /* they agree */
    const char *want_text;
} group_rows[] = {
    {"one", "a", true, "a in 1"},
    {"the_same", "a a a", true, "a in 1"},
    {"another_value", "a b", false, "a in 1, b in 2"},
    {"the_value_that_is_there", "= a", false, "x in 1, a in 2"},
    {"both_in_one", "+a", false, "several values in 1"},
    {"several_in_one", "*a a", false, "several values in 1, a in 2"},
    {"what_has_no_text", "a -", false, "a in 1, another value in 2"},
    {"what_has_no_text_alone", "-", false, "another value in 1"},
    {"expected_to_fail_otherwise", "a !b", true, "a in 1, anything but b in 2"},
    {"expected_to_fail_without_text", "a !-", true,
        "a in 1, anything but what was there in 2"},
    {"would_not_fail_any_more", "!a a", false, "anything but a in 1, a in 2"},
    {"no_more_than_four_are_shown", "a b c a d e f", false,
        "a in 1, b in 2, c in 3, d in 5, ..."},
};

static void print_conflict(const void *argument, FILE *out)
{
    corrections_print_conflict(argument, out);
}

static void add_corrections(
    struct text_file *file, struct corrections *corrections, const char *text)
{
    for (size_t i = 0; *text != '\0'; i++) {
        struct correction correction = {
            .source = file->source,
            .place = {.offset = 4, .length = 1},
            .id = talloc_asprintf(file->memory, "%zu", i + 1),
            .result = i,
            .met = *text == '=' || *text == '+',
            .differs = *text != '=',
            .several = *text == '*',
            .expected = *text == '!',
        };

        text += *text == '+' || *text == '*' || *text == '!';
        if (*text != '-' && *text != '=') {
            correction.actual = talloc_strndup(file->memory, text, 1);
        }
        corrections_add(file->memory, corrections, &correction);
        text += text[1] == ' ' ? 2 : 1;
    }
}

static void group_row(void **state)
{
    const struct group_row *row = *state;
    struct corrections corrections = {.count = 0};
    struct text_file file;
    struct correction_group group;
    const struct correction *correction;

    text_file_init(&file, "key x");
    add_corrections(&file, &corrections, row->corrections);
    corrections_sort(&corrections);
    group = corrections_group(&corrections, 0);
    assert_int_equal(group.count, corrections.count);
    correction = corrections_unmet(&group);
    assert_non_null(correction);
    assert_true(correction->differs && !correction->expected);
    assert_int_equal(corrections_agree(&group, correction), row->want);
    assert_string_equal(
        text_of(file.memory, print_conflict, &group), row->want_text);
    text_file_release(&file);
}

static void what_is_met_or_expected_to_fail_wants_nothing(void **state)
{
    struct corrections corrections = {.count = 0};
    struct text_file file;
    struct correction_group group;

    (void)state;
    text_file_init(&file, "key x");
    add_corrections(&file, &corrections, "= !a =");
    group = corrections_group(&corrections, 0);
    assert_null(corrections_unmet(&group));
    text_file_release(&file);
}

static void groups_come_in_order_of_their_places(void **state)
{
    struct corrections corrections = {.count = 0};
    struct source *source[2];
    void *memory = talloc_new(NULL);
    static const struct {
        size_t file, offset;
    } places[] = {{1, 3}, {0, 9}, {1, 2}, {0, 9}, {1, 3}};
    struct correction_group group;

    (void)state;
    source[0] = source_from_text(memory, "a.yaml", "", 0);
    source[1] = source_from_text(memory, "b.yaml", "", 0);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        corrections_add(memory, &corrections,
            &(struct correction){.source = source[places[i].file],
                .place = {.offset = places[i].offset},
                .result = i});
    }
    corrections_sort(&corrections);
    group = corrections_group(&corrections, 0);
    assert_int_equal(group.count, 2);
    assert_ptr_equal(group.first->source, source[0]);
    assert_int_equal(group.first->result, 1);
    group = corrections_group(&corrections, 2);
    assert_int_equal(group.count, 1);
    assert_int_equal(group.first->place.offset, 2);
    group = corrections_group(&corrections, 3);
    assert_int_equal(group.count, 2);
    assert_int_equal(group.first[0].result, 0);
    assert_int_equal(group.first[1].result, 4);
    talloc_free(memory);
}

TEST_FILE(test_correction)
{
    TEST_ADD_ROWS(list, group_row, group_rows);
    test_add(list, "what_is_met_or_expected_to_fail_wants_nothing",
        what_is_met_or_expected_to_fail_wants_nothing, NULL);
    test_add(list, "groups_come_in_order_of_their_places",
        groups_come_in_order_of_their_places, NULL);
}
