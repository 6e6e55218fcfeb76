/* test_wish.c - whether what instances want of one expected value goes
 * together, and what is said when it does not. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/language/wish.h"
#include "tests/runner/text_file.h"

/* A wish a word for instances called 1, 2, ..: = is met by what is there, "x";
 * a letter wants that; +a is met and wants that elsewhere; *a wants several;
 * - wants what has no text; !a fails as it is expected to, with that. */
static struct group_row {
    const char *name;
    const char *wishes;
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
    wishes_print_conflict(argument, out);
}

static void add_wishes(
    struct text_file *file, struct wishes *wishes, const char *text)
{
    for (size_t i = 0; *text != '\0'; i++) {
        struct wish wish = {
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
            wish.actual = talloc_strndup(file->memory, text, 1);
        }
        wishes_add(file->memory, wishes, &wish);
        text += text[1] == ' ' ? 2 : 1;
    }
}

static void group_row(void **state)
{
    const struct group_row *row = *state;
    struct wishes wishes = {.count = 0};
    struct text_file file;
    struct wish_group group;
    const struct wish *wish;

    text_file_init(&file, "key x");
    add_wishes(&file, &wishes, row->wishes);
    wishes_sort(&wishes);
    group = wishes_group(&wishes, 0);
    assert_int_equal(group.count, wishes.count);
    wish = wishes_unmet(&group);
    assert_non_null(wish);
    assert_true(wish->differs && !wish->expected);
    assert_int_equal(wishes_agree(&group, wish), row->want);
    assert_string_equal(
        text_of(file.memory, print_conflict, &group), row->want_text);
    text_file_release(&file);
}

static void what_is_met_or_expected_to_fail_wants_nothing(void **state)
{
    struct wishes wishes = {.count = 0};
    struct text_file file;
    struct wish_group group;

    (void)state;
    text_file_init(&file, "key x");
    add_wishes(&file, &wishes, "= !a =");
    group = wishes_group(&wishes, 0);
    assert_null(wishes_unmet(&group));
    text_file_release(&file);
}

static void groups_come_in_order_of_their_places(void **state)
{
    struct wishes wishes = {.count = 0};
    struct source *source[2];
    void *memory = talloc_new(NULL);
    static const struct {
        size_t file, offset;
    } places[] = {{1, 3}, {0, 9}, {1, 2}, {0, 9}, {1, 3}};
    struct wish_group group;

    (void)state;
    source[0] = source_from_text(memory, "a.yaml", "", 0);
    source[1] = source_from_text(memory, "b.yaml", "", 0);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        wishes_add(memory, &wishes,
            &(struct wish){.source = source[places[i].file],
                .place = {.offset = places[i].offset},
                .result = i});
    }
    wishes_sort(&wishes);
    group = wishes_group(&wishes, 0);
    assert_int_equal(group.count, 2);
    assert_ptr_equal(group.first->source, source[0]);
    assert_int_equal(group.first->result, 1);
    group = wishes_group(&wishes, 2);
    assert_int_equal(group.count, 1);
    assert_int_equal(group.first->place.offset, 2);
    group = wishes_group(&wishes, 3);
    assert_int_equal(group.count, 2);
    assert_int_equal(group.first[0].result, 0);
    assert_int_equal(group.first[1].result, 4);
    talloc_free(memory);
}

TEST_FILE(test_wish)
{
    TEST_ADD_ROWS(list, group_row, group_rows);
    test_add(list, "what_is_met_or_expected_to_fail_wants_nothing",
        what_is_met_or_expected_to_fail_wants_nothing, NULL);
    test_add(list, "groups_come_in_order_of_their_places",
        groups_come_in_order_of_their_places, NULL);
}
