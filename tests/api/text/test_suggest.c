/* test_suggest.c - edit distance, and the nearest of the known names. */
#include "api/text/suggest.h"
#include "tests/rows.h"

static struct distance_row {
    const char *name;
    const char *a, *b;
    size_t want;
} distance_rows[] = {
    {"same_names_are_0_apart", "status", "status", 0},
    {"empty_names_are_0_apart", "", "", 0},
    {"added_letter_is_1", "status", "statuss", 1},
    {"missing_letter_is_1", "status", "statu", 1},
    {"changed_letter_is_1", "status", "statxs", 1},
    {"swapped_neighbours_are_1", "status", "sttaus", 1},
    {"swapped_neighbours_at_the_start_are_1", "status", "tsatus", 1},
    {"case_does_not_count", "STATUS_SUCCESS", "status_success", 0},
    {"everything_is_missing", "abc", "", 3},
    {"everything_is_added", "", "abcd", 4},
    {"kitten_is_3_from_sitting", "kitten", "sitting", 3},
    {"letters_that_are_not_neighbours_are_not_swapped", "ca", "abc", 3},
    {"parameter_with_one_letter_changed", "STATUS_INVALID_PARAMATER",
        "STATUS_INVALID_PARAMETER", 1},
};

static void distance_row(void **state)
{
    const struct distance_row *row = *state;

    assert_int_equal(suggest_distance(row->a, row->b), row->want);
    assert_int_equal(suggest_distance(row->b, row->a), row->want);
}

/* 64 letters are the most that have near names. */
static const char letters_64[] =
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char letters_65[] =
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

static void longest_name_has_a_distance(void **state)
{
    (void)state;
    assert_int_equal(sizeof(letters_64) - 1, 64);
    assert_int_equal(suggest_distance(letters_64, letters_64), 0);
    assert_int_equal(suggest_distance(letters_64, "a"), 63);
}

static void longer_name_has_no_near_one(void **state)
{
    struct suggestion suggestion = suggest_for(letters_65);

    (void)state;
    suggest_offer(&suggestion, letters_64);
    assert_null(suggestion.nearest);
}

/* What is offered, in this order. */
static struct offer_row {
    const char *name;
    const char *wrong;
    const char *offers[3];
    const char *want; /* NULL: none */
} offer_rows[] = {
    {"nothing_offered_is_no_suggestion", "status", {NULL}, NULL},
    {"near_name_is_suggested", "statsu", {"status"}, "status"},
    {"far_name_is_not_suggested", "status", {"handler"}, NULL},
    {"nearest_of_several_is_suggested", "returnx", {"retry", "returns", "runs"},
        "returns"},
    {"first_of_equally_near_ones_is_suggested", "cat", {"bat", "hat"}, "bat"},
    {"short_name_allows_one_edit", "ab", {"ac"}, "ac"},
    {"short_name_does_not_allow_two_edits", "ab", {"cd"}, NULL},
    {"six_letters_allow_three_edits", "abcdef", {"abcxyz"}, "abcxyz"},
    {"six_letters_do_not_allow_four_edits", "abcdef", {"abwxyz"}, NULL},
    {"name_in_other_case_is_suggested", "pmccounter", {"PMCCounter"},
        "PMCCounter"},
    {"beginning_of_a_name_is_enough", "HalFree", {"HalFreeHardwareCounters"},
        "HalFreeHardwareCounters"},
    {"beginning_of_four_letters_is_enough", "PERF", {"PERF_GLOBAL_CTRL"},
        "PERF_GLOBAL_CTRL"},
    {"beginning_of_three_letters_is_not", "PMC", {"PMCCounter"}, NULL},
    {"beginning_in_other_case_is_not", "perf", {"PERF_GLOBAL_CTRL"}, NULL},
    {"spelling_of_the_wdk_is_suggested", "GroupAffinity",
        {"GroupCount", "GroupAffinty"}, "GroupAffinty"},
};

static void offer_row(void **state)
{
    const struct offer_row *row = *state;
    struct suggestion suggestion = suggest_for(row->wrong);

    for (unsigned i = 0; i < 3 && row->offers[i] != NULL; i++) {
        suggest_offer(&suggestion, row->offers[i]);
    }
    if (row->want == NULL) {
        assert_null(suggestion.nearest);
    } else {
        assert_non_null(suggestion.nearest);
        assert_string_equal(suggestion.nearest, row->want);
    }
}

static void candidates_are_counted_and_the_first_eight_are_kept(void **state)
{
    static const char *const names[] = {
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    struct suggestion suggestion = suggest_for("somewhat");

    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        suggest_offer(&suggestion, names[i]);
    }
    assert_int_equal(suggestion.count, 10);
    assert_string_equal(suggestion.offered[0], "a");
    assert_string_equal(suggestion.offered[7], "h");
}

TEST_FILE(test_suggest)
{
    TEST_ADD_ROWS(list, distance_row, distance_rows);
    TEST_ADD_ROWS(list, offer_row, offer_rows);
    test_add(
        list, "longest_name_has_a_distance", longest_name_has_a_distance, NULL);
    test_add(list, "candidates_are_counted_and_the_first_eight_are_kept",
        candidates_are_counted_and_the_first_eight_are_kept, NULL);
    test_add(
        list, "longer_name_has_no_near_one", longer_name_has_no_near_one, NULL);
}
