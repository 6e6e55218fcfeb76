/* test_shrink.c - which switches of a schedule that fails are left out, when
 * runs and the search for fewer come to what the test says. */
#include "scenarios/runner/explore/shrink.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/explore/search.h"
#include "scenarios/runner/explore/tried.h"
#include "scenarios/runner/run/verdict.h"
#include "tests/rows.h"
#include "tests/runner/explore/played_replay.h"

enum { MOST = 8 };

/* A failure's place is known by its address alone. */
static const char here, elsewhere;

/* What a run comes to: it fails where all of `needed` are had, and those of
 * `unheard` never come to be. Bit n is the choice n. */
struct world {
    uint32_t needed, unheard;
    const void *without; /* where it fails all the same; NULL: nowhere */
    enum result without_result;
    uint64_t runs;
    uint32_t last; /* choices that the last run had */
    /* Of the search: whether it is asked, what it is asked, what it finds. */
    bool searched;
    struct search asked;
    uint32_t finds;
    bool heard_here, heard_elsewhere;
};

static struct world *world;

struct deviations __wrap_tried_deviations(void *context, const struct tried *t);
bool __wrap_search_run(
    void *context, struct search *search, struct deviations *found);
struct deviations __real_tried_deviations(void *context, const struct tried *t);
bool __real_search_run(
    void *context, struct search *search, struct deviations *found);

static struct verdict *verdict_at(
    void *context, enum result result, const void *place)
{
    struct verdict *verdict = talloc_zero(context, struct verdict);

    assert_non_null(verdict);
    verdict->result = result;
    if (place != NULL) {
        verdict->failure = talloc_zero(verdict, struct failure);
        assert_non_null(verdict->failure);
        verdict->failure->place = place;
        verdict->failure_count = 1;
    }
    return verdict;
}

static struct deviations deviations_of(void *context, uint32_t choices)
{
    struct deviations made = {
        .item = talloc_array(context, struct deviation, MOST)};

    assert_non_null(made.item);
    for (uint32_t i = 0; i < 32; i++) {
        if ((choices >> i & 1) != 0) {
            made.item[made.count++] = (struct deviation){i, 1};
        }
    }
    return made;
}

static uint32_t choices_of(const struct deviations *deviations)
{
    uint32_t choices = 0;

    for (size_t i = 0; i < deviations->count; i++) {
        assert_int_equal(
            choices >> deviations->item[i].choice, 0); /* in order */
        choices |= 1u << deviations->item[i].choice;
    }
    return choices;
}

static struct verdict *play(
    void *context, struct tried *tried, const struct deviations *deviations)
{
    (void)tried;
    world->runs++;
    world->last = choices_of(deviations) & ~world->unheard;
    if ((world->last & world->needed) == world->needed) {
        return verdict_at(context, RESULT_FAIL, &here);
    }
    return world->without == NULL
               ? verdict_at(context, RESULT_PASS, NULL)
               : verdict_at(context, world->without_result, world->without);
}

struct deviations __wrap_tried_deviations(void *context, const struct tried *t)
{
    return world == NULL ? __real_tried_deviations(context, t)
                         : deviations_of(context, world->last);
}

bool __wrap_search_run(
    void *context, struct search *search, struct deviations *found)
{
    struct verdict *verdict;

    if (world == NULL) {
        return __real_search_run(context, search, found);
    }
    assert_false(world->searched);
    world->searched = true;
    world->asked = *search;
    verdict = verdict_at(context, RESULT_FAIL, &here);
    world->heard_here = search->heard(search->context, verdict);
    verdict = verdict_at(context, RESULT_FAIL, &elsewhere);
    world->heard_elsewhere = search->heard(search->context, verdict);
    search->schedules = 100;
    if (world->finds == 0) {
        return false;
    }
    *found = deviations_of(context, world->finds);
    return true;
}

static struct shrunk_row {
    const char *name;
    struct world world;
    uint32_t from, want; /* choices */
    uint64_t schedules;  /* 100 of them the search's */
    uint32_t fewer;      /* that the search may have; 0: none is made */
} shrunk_rows[] = {
    {"none_is_needed", {.needed = 0}, 0x0F, 0, 2, 0},
    {"a_lone_one_is_not", {.needed = 0}, 0x01, 0, 1, 0},
    {"the_first", {.needed = 0x01}, 0x0F, 0x01, 4, 0},
    {"the_last", {.needed = 0x08}, 0x0F, 0x08, 4, 0},
    {"one_in_the_middle_of_five", {.needed = 0x04}, 0x1F, 0x04, 6, 0},
    {"first_and_last", {.needed = 0x11}, 0x1F, 0x11, 106, 1},
    {"all", {.needed = 0x07}, 0x07, 0x07, 104, 2},
    {"fewer_are_found", {.needed = 0x07, .finds = 0x40}, 0x07, 0x40, 104, 2},
    {"one_that_never_comes", {.needed = 0x02, .unheard = 0x04}, 0x07, 0x02, 3,
        0},
    {"otherwise_it_fails_elsewhere",
        {.needed = 0x02, .without = &elsewhere, .without_result = RESULT_FAIL},
        0x03, 0x02, 2, 0},
    {"otherwise_there_is_an_error",
        {.needed = 0x02, .without = &here, .without_result = RESULT_ERROR},
        0x03, 0x02, 2, 0},
};

static void shrunk_row(void **state)
{
    const struct shrunk_row *row = *state;
    void *context = talloc_new(NULL);
    struct world now = row->world;
    struct deviations deviations = deviations_of(context, row->from);
    const struct shrink_aim aim = {RESULT_FAIL, &here};
    uint64_t schedules;

    world = &now;
    played_replay = play;
    schedules = shrink(context, NULL, &aim, &deviations);
    world = NULL;
    played_replay = NULL;
    assert_int_equal(choices_of(&deviations), row->want);
    assert_int_equal(schedules, row->schedules);
    assert_int_equal(now.searched, row->fewer > 0);
    if (now.searched) {
        assert_int_equal(now.asked.preemptions, row->fewer);
        assert_int_equal(now.asked.max_schedules, 2000);
        assert_true(now.heard_here);
        assert_false(now.heard_elsewhere);
    }
    talloc_free(context);
}

/* A run that ends badly without a place is known by its result. */
static void an_aim_without_a_place(void **state)
{
    void *context = talloc_new(NULL);
    struct shrink_aim aim = shrink_aim(verdict_at(context, RESULT_ERROR, NULL));

    (void)state;
    assert_int_equal(aim.result, RESULT_ERROR);
    assert_null(aim.place);
    assert_true(shrink_is_aim(&aim, verdict_at(context, RESULT_ERROR, NULL)));
    assert_false(shrink_is_aim(&aim, verdict_at(context, RESULT_ERROR, &here)));
    assert_false(shrink_is_aim(&aim, verdict_at(context, RESULT_FAIL, NULL)));
    talloc_free(context);
}

TEST_FILE(test_shrink)
{
    TEST_ADD_ROWS(list, shrunk_row, shrunk_rows);
    test_add(list, "an_aim_without_a_place", an_aim_without_a_place, NULL);
}
