/* test_search.c - which schedules are tried, which are left out as the same,
 * and which are too many, of a machine whose choices a test makes up. */
#include "scenarios/runner/explore/search.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/explore/tried.h"
#include "scenarios/runner/run/verdict.h"
#include "tests/rows.h"
#include "tests/runner/explore/played_replay.h"

/* The choices that there are in each schedule, a letter each: between which
 * processors, who goes on usually, whether one alone does up to the next
 * choice, and whether it touches what others touch. */
static const struct kind {
    char letter;
    uint32_t usual, other;
    bool alone, touches;
} kinds[] = {
    {'m', 0, 1, false, false}, {'a', 0, 1, true, false},
    {'t', 0, 1, true, true},
    {'u', 1, 0, true, false}, /* the other one goes on usually */
    {'z', 0, 2, true, false}, /* a third one could */
};

static const char *choices;

static const struct kind *kind_of(char letter)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (kinds[i].letter == letter) {
            return &kinds[i];
        }
    }
    fail_msg("no choice is called %c", letter);
    return NULL;
}

static void note(struct tried_log *log, const struct kind *kind)
{
    struct tried_choice *choice = &log->choice[log->count++];

    *choice = (struct tried_choice){.usual = kind->usual,
        .taken = kind->usual,
        .run = 1,
        .first = (uint32_t)log->candidates,
        .count = 2,
        .alone = kind->alone,
        .touched = {.reads = kind->touches, .writes = kind->touches}};
    log->candidate[log->candidates++] = kind->usual;
    log->candidate[log->candidates++] = kind->other;
}

static struct verdict *play(
    void *context, struct tried *tried, const struct deviations *deviations)
{
    struct tried_log *log = tried->log;
    struct verdict *verdict = talloc_zero(context, struct verdict);

    assert_non_null(verdict);
    log->count = log->candidates = 0;
    for (const char *at = choices; *at != '\0'; at++) {
        note(log, kind_of(*at));
    }
    for (size_t i = 0; i < deviations->count; i++) {
        const struct deviation *item = &deviations->item[i];

        assert_true(tried_could(tried, item->choice, item->processor));
        log->choice[item->choice].taken = item->processor;
    }
    return verdict;
}

static bool hear(void *context, const struct verdict *verdict)
{
    (void)context;
    (void)verdict;
    return false;
}

static struct searched_row {
    const char *name, *choices;
    uint32_t preemptions;
    bool every;
    uint64_t max_schedules;
    uint64_t want, same, left;
} searched_rows[] = {
    {"no_choice", "", 1, false, 9, 1, 0, 0},
    {"each_once", "mmm", 1, false, 9, 4, 0, 0},
    {"two_at_once", "mmm", 2, false, 9, 7, 0, 0},
    {"too_many", "mmm", 1, false, 3, 3, 0, 1},
    /* The last of those in a row stands for all. */
    {"the_same", "aaaa", 1, false, 9, 2, 3, 0},
    {"not_the_same", "tttt", 1, false, 9, 5, 0, 0},
    {"the_same_as_well", "aaaa", 1, true, 9, 5, 0, 0},
    {"another_is_kept", "au", 1, false, 9, 3, 0, 0},
    {"another_goes_on", "az", 1, false, 9, 3, 0, 0},
    /* Those that are the same take no place of others: 9 stands for 5 to 8, and
     * then there are 4 and 3. */
    {"the_same_take_no_place", "mmmmmaaaaa", 1, false, 4, 4, 4, 3},
    {"the_same_take_no_place_behind_two", "mmmmmaaaaa", 2, false, 7, 7, 4, 35},
    /* Those that only could be take one as soon as they are tried. */
    {"those_that_differ_take_a_place", "tttt", 1, false, 4, 4, 0, 1},
    {"those_that_differ_take_a_place_of_children", "tttt", 2, false, 5, 5, 0,
        6},
};

/* Goes through all of them and finds none. */
static void search_in(void *context, struct search *search, const char *made_up)
{
    struct deviations found;

    choices = made_up;
    search->heard = hear;
    search->tried = tried_new(context, NULL, NULL, NULL);
    assert_non_null(search->tried);
    played_replay = play;
    assert_false(search_run(context, search, &found));
    played_replay = NULL;
}

static void searched_row(void **state)
{
    const struct searched_row *row = *state;
    void *context = talloc_new(NULL);
    struct search search = {.preemptions = row->preemptions,
        .max_schedules = row->max_schedules,
        .every = row->every};

    search_in(context, &search, row->choices);
    assert_int_equal(search.schedules, row->want);
    assert_int_equal(search.same, row->same);
    assert_int_equal(search.left, row->left);
    talloc_free(context);
}

/* What is known and not tried when the last one is. */
static struct kept_row {
    const char *name, *choices;
    uint64_t max_schedules, want;
} kept_rows[] = {
    /* Behind usual, 3, 2, and 1 there are 0 and the one child of 2; children of
     * 1 are not kept, because these five are as many as may be. */
    {"those_that_are_too_many", "tttt", 5, 1},
    /* Nor is the one of 1, because 0 is like none: the third one of 1 cannot go
     * on there. */
    {"one_behind_another_processor", "azm", 4, 0},
};

static void kept_row(void **state)
{
    const struct kept_row *row = *state;
    void *context = talloc_new(NULL);
    struct search search = {
        .preemptions = 2, .max_schedules = row->max_schedules};

    search_in(context, &search, row->choices);
    assert_int_equal(search.coming, row->want);
    talloc_free(context);
}

/* Of "mmm" with two at once: usual, 2, 1 and 0 in every part, in this order; of
 * those behind them 1+2 is a child of 1, and 0+2 and 0+1 are children of 0. */
static struct part_row {
    const char *name;
    uint32_t part, parts;
    uint64_t max_schedules;
    uint64_t want, shared, left;
} part_rows[] = {
    {"first_of_two", 1, 2, 9, 5, 4, 0},
    {"second_of_two", 2, 2, 9, 6, 4, 0},
    {"first_of_three", 1, 3, 9, 6, 4, 0},
    {"second_of_three", 2, 3, 9, 4, 4, 0},
    {"third_of_three", 3, 3, 9, 5, 4, 0},
    /* Two and one of the three that each has to itself may be tried. */
    {"first_with_its_share", 1, 2, 7, 5, 4, 0},
    {"second_with_its_share", 2, 2, 7, 5, 4, 1},
    {"second_whose_share_is_nothing", 2, 2, 5, 4, 4, 2},
    /* What nobody tries, 0 and 1+2, is counted once. */
    {"first_with_less_than_all_share", 1, 2, 3, 3, 3, 2},
    {"second_with_less_than_all_share", 2, 2, 3, 3, 3, 0},
};

static void part_row(void **state)
{
    const struct part_row *row = *state;
    void *context = talloc_new(NULL);
    struct search search = {.preemptions = 2,
        .max_schedules = row->max_schedules,
        .part = row->part,
        .parts = row->parts};

    search_in(context, &search, "mmm");
    assert_int_equal(search.schedules, row->want);
    assert_int_equal(search.shared, row->shared);
    assert_int_equal(search.left, row->left);
    talloc_free(context);
}

TEST_FILE(test_search)
{
    TEST_ADD_ROWS(list, part_row, part_rows);
    TEST_ADD_GROUP(list, "kept", kept_row, kept_rows);
    TEST_ADD_ROWS(list, searched_row, searched_rows);
}
