/* test_broken_off.c - a fault of ours in one of the schedules that are tried:
 * it is known which one it was, as it is of a failure. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/runner/explore/tried.h"
#include "tests/rows.h"
#include "tests/runner/explore/explored_text.h"
#include "tests/runner/explore/played_replay.h"

enum { BREAKS_BEHIND = 5 };

/* Where it deviates from the usual schedule, and how it breaks off: by a
 * signal, at the choice with number 5. */
static struct deviation deviates;
static size_t deviating;
static int breaks_by;

static uint32_t pick(struct tried *tried, const struct schedule_choice *choice)
{
    size_t number = tried->log->count - 1;

    if (number == BREAKS_BEHIND) {
        raise(breaks_by);
    }
    return deviating > 0 && number == deviates.choice ? deviates.processor
                                                      : choice->usual;
}

/* Every run that has a schedule goes so. */
static struct verdict *play(
    void *context, struct tried *tried, const struct deviations *deviations)
{
    (void)deviations;
    tried->pick = pick;
    return tried_run(context, tried, NULL);
}

static struct broken_row {
    const char *name;
    size_t deviating;
    int breaks_by;
    const char *want, *want_message;
} broken_rows[] = {
    {"usual", 0, SIGABRT, "v1:/6+", "ntpmu itself failed: SIGABRT"},
    {"deviating", 1, SIGABRT, "v1:3.1/6+", "ntpmu itself failed: SIGABRT"},
    /* Nobody is asked then. */
    {"killed", 1, SIGKILL, NULL,
        "ntpmu itself failed: its process was ended by SIGKILL"},
};

static void broken_row(void **state)
{
    const struct broken_row *row = *state;
    struct run_settings settings = {.exploring = exploring_words_none};
    struct explored_text explored;
    const struct verdict *verdict;

    deviates = (struct deviation){3, 1};
    deviating = row->deviating;
    breaks_by = row->breaks_by;
    played_replay = play;
    explored_text_run(&explored, explored_two_actors, settings);
    played_replay = NULL;
    verdict = explored.result.verdict;
    assert_int_equal(verdict->result, RESULT_INTERNAL);
    assert_memory_equal(verdict->failure[0].message, row->want_message,
        strlen(row->want_message));
    if (row->want == NULL) {
        assert_null(verdict->explored.schedule);
        assert_int_equal(verdict->explored.schedules, 0);
    } else {
        assert_string_equal(verdict->explored.schedule, row->want);
        assert_int_equal(verdict->explored.schedules, 2);
    }
    explored_text_release(&explored);
}

TEST_FILE(test_broken_off)
{
    TEST_ADD_ROWS(list, broken_row, broken_rows);
}
