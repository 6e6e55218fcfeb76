/* explore.c - the schedules of an instance, one after another, until one fails;
 * what is said of all of them together. */
#include "scenarios/runner/explore/explore.h"

#include <assert.h>
#include <talloc.h>

#include "scenarios/runner/explore/explore_apart.h"
#include "scenarios/runner/explore/random_schedule.h"
#include "scenarios/runner/explore/search.h"
#include "scenarios/runner/explore/shrink.h"
#include "scenarios/runner/explore/sometimes.h"
#include "scenarios/runner/explore/tried.h"
#include "scenarios/runner/run/job.h"
#include "scenarios/runner/run/schedule_progress.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/scenario.h"

struct exploration {
    struct exploring asked;
    struct tried *tried;
    const struct scenario *scenario;
    bool *sometimes; /* by number: it held in some schedule */
    struct explored explored;
    struct deviations failing;
    struct shrink_aim aim;
    const struct search *search; /* that goes on; NULL: none */
    uint64_t coming;             /* random ones that are not tried so far */
    uint64_t said;               /* to be left, to those who watch */
    bool fails;
    bool by_time; /* in the order that ntpmu run has */
};

/* What the command line says counts. */
static struct exploring what_is_asked(
    const struct job *job, const struct scenario *scenario)
{
    const struct exploring_words *words = &job->settings.exploring;
    struct exploring asked = scenario->exploring;

    if (words->mode != EXPLORE_MODE_COUNT &&
        (!asked.asked || words->mode != asked.mode)) {
        asked.max_schedules = 0;
        asked.mode = words->mode;
    }
    if (!asked.asked) {
        asked.preemptions = EXPLORE_PREEMPTIONS;
    }
    if (words->preemptions != UINT32_MAX) {
        asked.preemptions = words->preemptions;
    }
    if (words->max_schedules != 0) {
        asked.max_schedules = words->max_schedules;
    }
    if (asked.max_schedules == 0) {
        asked.max_schedules = explore_is_random(asked.mode)
                                  ? EXPLORE_RANDOM_SCHEDULES
                                  : EXPLORE_SCHEDULES;
    }
    asked.seed = words->seeded ? words->seed : asked.seed;
    return asked;
}

/* Returns whether the schedule fails. */
static bool hear(void *context, const struct verdict *verdict)
{
    struct exploration *exploration = context;
    size_t count = exploration->scenario->sometimes_count;

    for (size_t i = 0; verdict->sometimes != NULL && i < count; i++) {
        exploration->sometimes[i] |= verdict->sometimes[i];
    }
    schedule_progress_tried(exploration->tried->job->progress,
        &exploration->said,
        exploration->search != NULL ? exploration->search->coming
                                    : exploration->coming);
    exploration->fails = verdict_result_failed(verdict->result);
    exploration->tried->late = verdict->out_of_time;
    exploration->aim = shrink_aim(verdict);
    return exploration->fails;
}

static void search_all(void *context, struct exploration *exploration)
{
    const struct run_settings *settings = &exploration->tried->job->settings;
    struct search search = {
        .tried = exploration->tried,
        .preemptions = exploration->asked.preemptions,
        .max_schedules = exploration->asked.max_schedules,
        .every = exploration->asked.mode == EXPLORE_EVERY,
        .part = settings->part,
        .parts = settings->parts,
        .heard = hear,
        .context = exploration,
    };

    exploration->search = &search;
    search_run(context, &search, &exploration->failing);
    exploration->search = NULL;
    exploration->explored.schedules += search.schedules;
    exploration->explored.shared += search.shared;
    exploration->explored.left = exploration->fails ? 0 : search.left;
}

/* As ntpmu run has it, which goes by time. Returns whether it fails. */
static bool try_by_time(void *context, struct exploration *exploration)
{
    struct verdict *verdict =
        tried_run_by_time(context, exploration->tried, NULL);

    exploration->by_time = hear(exploration, verdict);
    exploration->explored.schedules = 1;
    exploration->explored.shared = 1;
    talloc_free(verdict);
    return exploration->by_time;
}

/* The usual schedule comes first: it says how long one is. */
static bool try_usual(void *context, struct exploration *exploration)
{
    const struct deviations none = {0};
    struct verdict *verdict =
        tried_replay(context, exploration->tried, &none, NULL);
    bool fails = hear(exploration, verdict);

    talloc_free(verdict);
    exploration->explored.schedules++;
    exploration->explored.shared++;
    return fails;
}

/* Where the usual schedule came to no choice there is no other. */
static uint64_t count_random(const struct exploration *exploration)
{
    const struct exploring *asked = &exploration->asked;

    if (exploration->tried->log->count == 0) {
        return 1;
    }
    return explore_is_limited(asked->mode) ? asked->max_schedules : 2;
}

static void try_random(void *context, struct exploration *exploration)
{
    struct random_schedule *schedule =
        talloc_zero(context, struct random_schedule);
    const struct exploring *asked = &exploration->asked;
    struct tried *tried = exploration->tried;
    const struct run_settings *settings = &tried->job->settings;
    bool fails = try_usual(context, exploration);
    uint32_t choices = (uint32_t)tried->log->count;
    uint64_t count = count_random(exploration);

    assert(schedule != NULL);
    for (uint64_t n = 1; n < count && !fails; n++) {
        struct verdict *verdict;

        if (settings->parts != 0 && n % settings->parts != settings->part - 1) {
            continue;
        }
        exploration->coming =
            (count - n - 1) / (settings->parts == 0 ? 1 : settings->parts);
        random_schedule_begin(schedule, tried, asked->mode, asked->seed, n,
            asked->preemptions, choices);
        verdict = tried_run(context, tried, NULL);
        fails = hear(exploration, verdict);
        talloc_free(verdict);
        exploration->explored.schedules++;
        exploration->explored.number = fails ? n : 0;
    }
    if (!fails) {
        return;
    }
    exploration->failing = tried_deviations(context, tried);
    shrink(context, tried, &exploration->aim, &exploration->failing);
    exploration->fails = true;
}

/* What the last of its switches decided. */
static const char *order_text(
    struct verdict *verdict, const struct tried *tried)
{
    const struct tried_log *log = tried->log;

    if (log->went[0] == '\0') {
        return NULL;
    }
    return talloc_asprintf(
        verdict, "%s goes on before %s", log->went, log->kept);
}

/* Of a schedule that failed, and has not done so again. Within the host's time
 * that is a fault of ours: all of a run follows from its schedule. */
static struct verdict *ended_otherwise(void *context,
    const struct exploration *exploration, const struct verdict *verdict,
    const struct instance *instance)
{
    return exploration->tried->late || verdict->out_of_time
               ? verdict_failed(context, instance, RESULT_ERROR,
                     "a schedule did not always end in the time that the host "
                     "has for one: --timeout allows more, and with fewer jobs "
                     "(-j) each gets more of the host")
               : verdict_failed(context, instance, RESULT_INTERNAL,
                     "the schedule that failed ended otherwise when it was run "
                     "again");
}

/* Once more, with its trace. It has to come to the same. */
static struct verdict *conclude(void *context, struct exploration *exploration,
    const struct instance *instance, FILE *trace)
{
    struct tried *tried = exploration->tried;
    struct verdict *verdict =
        exploration->by_time || !exploration->fails
            ? tried_run_by_time(context, tried, trace)
            : tried_replay(context, tried, &exploration->failing, trace);

    if (exploration->fails && !shrink_is_aim(&exploration->aim, verdict)) {
        struct verdict *otherwise =
            ended_otherwise(context, exploration, verdict, instance);

        talloc_free(verdict);
        return otherwise;
    }
    if (exploration->fails && !exploration->by_time) {
        exploration->failing.choices = (uint32_t)tried->log->count;
        exploration->explored.schedule =
            schedule_text(verdict, &exploration->failing);
        exploration->explored.order = order_text(verdict, tried);
    }
    verdict->explored = exploration->explored;
    verdict->sometimes =
        talloc_reparent(exploration, verdict, exploration->sometimes);
    verdict->sometimes_count = exploration->scenario->sometimes_count;
    if (tried->job->settings.parts == 0) {
        sometimes_judge(exploration->scenario, verdict);
    }
    return verdict;
}

static struct verdict *explore(void *context, const struct job *job,
    struct exploration *exploration, const struct instance *instance,
    FILE *trace)
{
    const struct scenario *scenario = instance->scenario;

    exploration->asked = what_is_asked(job, scenario);
    exploration->scenario = scenario;
    exploration->sometimes = talloc_zero_array(
        exploration, bool, (unsigned)scenario->sometimes_count + 1);
    if (try_by_time(exploration, exploration) ||
        scenario->exploring.bound != NULL) {
        return conclude(context, exploration, instance, trace);
    }
    if (exploration->asked.mode == EXPLORE_EXHAUSTIVE ||
        exploration->asked.mode == EXPLORE_EVERY) {
        search_all(exploration, exploration);
    } else {
        try_random(exploration, exploration);
    }
    return conclude(context, exploration, instance, trace);
}

/* Whether the run had the choices of the schedule. */
static bool fits(const struct tried *tried, const struct deviations *schedule)
{
    return tried_fits(tried) &&
           (schedule->broken_off ? tried->log->count >= schedule->choices
                                 : tried->log->count == schedule->choices);
}

/* In one schedule, which somebody has copied. */
static struct verdict *replay(void *context, const char *text,
    struct exploration *exploration, const struct instance *instance,
    FILE *trace)
{
    struct tried *tried = exploration->tried;
    const char *problem =
        schedule_text_read(exploration, text, &exploration->failing);
    struct verdict *verdict;

    if (problem != NULL) {
        return verdict_failed(context, instance, RESULT_ERROR,
            "'%s' is no schedule: %s", text, problem);
    }
    verdict = tried_replay(exploration, tried, &exploration->failing, trace);
    if (!verdict->out_of_time && !fits(tried, &exploration->failing)) {
        return verdict_failed(context, instance, RESULT_ERROR,
            "schedule %s is not one of this scenario, which came to %u choices "
            "in it: it was of other steps, parameters or drivers; ntpmu "
            "explore finds one anew",
            text, (unsigned)tried->log->count);
    }
    talloc_reparent(exploration, context, verdict);
    verdict->explored = (struct explored){.schedules = 1,
        .schedule = talloc_strdup(verdict, text),
        .order = order_text(verdict, tried)};
    return verdict;
}

struct verdict *explore_instance(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace)
{
    struct exploration *exploration;
    struct verdict *verdict;

    verdict = instance->native
                  ? explore_apart(context, job, session, instance, trace)
                  : NULL;
    if (verdict != NULL) {
        return verdict;
    }
    exploration = talloc_zero(context, struct exploration);
    assert(exploration != NULL);
    exploration->tried = tried_new(exploration, job, session, instance);
    if (exploration->tried == NULL) {
        verdict = verdict_failed(context, instance, RESULT_INTERNAL,
            "the host gives no memory to note schedules in");
    } else if (job->settings.schedule != NULL) {
        verdict = replay(
            context, job->settings.schedule, exploration, instance, trace);
    } else {
        verdict = explore(context, job, exploration, instance, trace);
    }
    schedule_progress_end(job->progress, &exploration->said);
    talloc_free(exploration);
    return verdict;
}
