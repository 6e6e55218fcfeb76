/* campaign.c - rounds of runs, done by workers: first every instance as it is,
 * then in each round all places of calls that the round before has met. Results
 * are taken in the order of instances and places, whoever has come to them, so
 * that what follows is the same each time. */
#include "scenarios/runner/failures/campaign.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "api/text/fnv.h"
#include "scenarios/runner/failures/failure_log.h"
#include "scenarios/runner/failures/planted.h"
#include "scenarios/runner/failures/site_message.h"
#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/run/batch.h"
#include "scenarios/runner/run/verdict_pipe.h"
#include "scenarios/runner/run/worker_pool.h"
#include "scenarios/runner/scenario/instances.h"
#include "scenarios/runner/scenario/node_number.h"
#include "scenarios/runner/text/key_index.h"
#include "sim/base/splitmix.h"

/* A call that can fail. */
struct campaign_site {
    const char *name;
    const struct campaign_site *behind; /* the one whose failure leads to it;
                                           NULL: it comes by itself */
    struct verdict *verdict;            /* NULL: it was not made to fail */
    uint64_t draw; /* where there are too many, the lowest are taken */
};

struct campaign_instance {
    struct verdict *first;
    struct campaign_site **site; /* in the order in which they were met */
    size_t count;
    struct key_index *names;
    size_t tried;
};

/* One run. */
struct campaign_task {
    size_t instance;
    struct campaign_site *site; /* NULL: nothing fails */
    const char *key;            /* in the log */
    const uint8_t *known;       /* from there; NULL: it is to be run */
    size_t length;
};

struct campaign_round {
    struct campaign_task *task;
    size_t count;
    size_t *asked; /* of the workers, in their order */
    size_t asked_count;
    size_t done;
};

static const struct instance *instance_of(
    const struct campaign *campaign, size_t n)
{
    return &campaign->batch->suite->instances->item[n];
}

/* The calls that fail in a run of the site, the first that fails first. */
static struct run_words calls_of(
    void *context, const struct campaign_site *site)
{
    struct run_words words = {.count = 0};
    const char **item;

    for (const struct campaign_site *at = site; at != NULL; at = at->behind) {
        words.count++;
    }
    item = talloc_array(context, const char *, (unsigned)words.count + 1);
    assert(item != NULL);
    for (size_t i = words.count; site != NULL; site = site->behind) {
        item[--i] = site->name;
    }
    words.item = item;
    return words;
}

/* In a worker: runs, and answers with what is new, and the verdict. */
static void work(void *context, size_t number, FILE *answer)
{
    struct campaign *campaign = context;
    const struct campaign_round *round = campaign->round;
    const struct campaign_task *task = &round->task[round->asked[number]];
    const struct campaign_instance *of = &campaign->instance[task->instance];
    struct batch *batch = campaign->batch;
    void *memory = talloc_new(NULL);
    struct job job = batch->job;
    struct planted *planted = planted_new(memory);
    const struct instance *instance = instance_of(campaign, task->instance);
    struct verdict *verdict;

    if (planted == NULL) {
        verdict = verdict_failed(NULL, instance, RESULT_INTERNAL,
            "the host gives no memory to note calls in");
        site_message_send(answer, NULL, NULL);
    } else {
        job.settings.fail = calls_of(memory, task->site);
        job.fail = planted_run;
        job.fail_context = planted;
        verdict = job_run(NULL, &job, &batch->session, instance, NULL);
        site_message_send(answer, planted->log, of->names);
    }
    verdict_send(answer, verdict);
    talloc_free(verdict);
    talloc_free(memory);
}

static void begin_worker(void *context)
{
    const struct campaign *campaign = context;

    batch_begin_worker(campaign->batch);
}

static void tell(void *context)
{
    struct campaign *campaign = context;
    const struct campaign_round *round = campaign->round;

    if (campaign->coming != NULL && round->done < round->count) {
        campaign->coming(campaign->coming_context, round->done, round->count,
            instance_of(campaign, round->task[round->done].instance)->id);
    }
}

static void add_site(struct campaign *campaign,
    const struct campaign_task *task, const char *name)
{
    struct campaign_instance *of = &campaign->instance[task->instance];
    struct campaign_site *site;
    struct splitmix stream = {campaign->seed ^ fnv1a(name)};
    size_t at, depth = 1;

    for (const struct campaign_site *up = task->site; up != NULL;
         up = up->behind) {
        depth++;
    }
    if (depth > PLANTED_MOST ||
        key_index_find(of->names, name, strlen(name), &at)) {
        return;
    }
    site = talloc(campaign->instance, struct campaign_site);
    of->site = talloc_realloc(campaign->instance, of->site,
        struct campaign_site *, (unsigned)of->count + 1);
    assert(site != NULL && of->site != NULL);
    *site = (struct campaign_site){
        .behind = task->site, .draw = splitmix_next(&stream)};
    site->name = talloc_strdup(site, name);
    key_index_add(of->names, name, strlen(name), of->count);
    of->site[of->count++] = site;
}

static void keep_verdict(struct campaign *campaign,
    const struct campaign_task *task, struct verdict *verdict)
{
    struct campaign_instance *of = &campaign->instance[task->instance];

    talloc_reparent(NULL, campaign->instance, verdict);
    if (task->site == NULL) {
        of->first = verdict;
    } else {
        task->site->verdict = verdict;
        of->tried++;
    }
}

/* Takes an answer apart. False: it is none, and *problem says why. */
static bool take(struct campaign *campaign, const struct campaign_task *task,
    const uint8_t *bytes, size_t length, const char **problem)
{
    void *memory = talloc_new(NULL);
    struct site_message message =
        site_message_read(memory, bytes, length, problem);
    struct verdict *verdict = NULL;

    if (*problem == NULL) {
        verdict = verdict_receive(NULL, instance_of(campaign, task->instance),
            campaign->batch->job.requirements, bytes + message.taken,
            length - message.taken, problem);
    }
    if (verdict != NULL) {
        for (size_t i = 0; i < message.count; i++) {
            add_site(campaign, task, message.name[i]);
        }
        keep_verdict(campaign, task, verdict);
    }
    talloc_free(memory);
    return verdict != NULL;
}

/* The worker's answer to the next task that it was asked. False: the program is
 * to end, or the log cannot be written to. */
static bool take_answer(struct campaign *campaign, struct worker_pool *pool,
    const struct campaign_task *task, FILE *errors)
{
    struct worker_answer answer = worker_pool_next(pool);
    const struct instance *instance = instance_of(campaign, task->instance);
    const char *problem = NULL;
    bool written = true;

    if (answer.bytes == NULL && interruption_noted() != 0) {
        return false;
    }
    if (answer.bytes == NULL) {
        keep_verdict(campaign, task, batch_worker_died(instance, &answer));
        free(answer.note);
        return true;
    }
    if (!take(campaign, task, answer.bytes, answer.length, &problem)) {
        keep_verdict(campaign, task,
            verdict_failed(NULL, instance, RESULT_INTERNAL,
                "the process that ran it sent no whole verdict: %s", problem));
    } else if (campaign->log != NULL) {
        written = failure_log_add(
            campaign->log, task->key, answer.bytes, answer.length);
    }
    free(answer.bytes);
    if (!written) {
        fprintf(
            errors, "ntpmu: cannot write --fail-log: %s\n", strerror(errno));
    }
    return written;
}

static struct campaign_task *add_task(
    struct campaign *campaign, size_t instance, struct campaign_site *site)
{
    struct campaign_round *round = campaign->round;
    struct campaign_task *task;

    round->task = talloc_realloc(
        round, round->task, struct campaign_task, (unsigned)round->count + 1);
    assert(round->task != NULL);
    task = &round->task[round->count++];
    *task = (struct campaign_task){
        .instance = instance,
        .site = site,
        .key = talloc_asprintf(round, "%s\n%s",
            instance_of(campaign, instance)->id,
            site == NULL ? "" : site->name),
    };
    return task;
}

static bool is_drawn(const struct campaign *campaign,
    const struct campaign_instance *of, const struct campaign_site *site)
{
    size_t before = of->tried;

    for (size_t i = 0; i < of->count && campaign->most != 0; i++) {
        before +=
            of->site[i]->verdict == NULL && of->site[i]->draw < site->draw;
    }
    return campaign->most == 0 || before < campaign->most;
}

/* What is to be run next: everything as it is, then what has been met. */
static void make_round(void *context, struct campaign *campaign, bool first)
{
    size_t instances = campaign->batch->suite->instances->count;

    campaign->round = talloc_zero(context, struct campaign_round);
    assert(campaign->round != NULL);
    for (size_t n = 0; n < instances; n++) {
        const struct campaign_instance *of = &campaign->instance[n];

        if (first) {
            add_task(campaign, n, NULL);
            continue;
        }
        for (size_t i = 0; i < of->count; i++) {
            if (of->first->result == RESULT_PASS &&
                of->site[i]->verdict == NULL &&
                is_drawn(campaign, of, of->site[i])) {
                add_task(campaign, n, of->site[i]);
            }
        }
    }
}

/* What the log has need not be run. */
static void look_up(struct campaign *campaign)
{
    struct campaign_round *round = campaign->round;

    round->asked = talloc_array(round, size_t, (unsigned)round->count + 1);
    assert(round->asked != NULL);
    for (size_t i = 0; i < round->count; i++) {
        struct campaign_task *task = &round->task[i];

        task->known = campaign->log == NULL ? NULL
                                            : failure_log_find(campaign->log,
                                                  task->key, &task->length);
        if (task->known == NULL) {
            round->asked[round->asked_count++] = i;
        }
    }
}

static bool take_task(struct campaign *campaign, struct worker_pool *pool,
    const struct campaign_task *task, bool *broken, FILE *errors)
{
    const char *problem = NULL;

    if (task->known == NULL) {
        if (take_answer(campaign, pool, task, errors)) {
            return true;
        }
        *broken = interruption_noted() == 0;
        return false;
    }
    if (take(campaign, task, task->known, task->length, &problem)) {
        return true;
    }
    fprintf(errors,
        "ntpmu: --fail-log has a result that is damaged: %s\n"
        "       remove the file to begin anew\n",
        problem);
    *broken = true;
    return false;
}

static bool run_round(struct campaign *campaign, bool *broken, FILE *errors)
{
    struct campaign_round *round = campaign->round;
    struct worker_pool *pool = NULL;
    bool going = true;

    look_up(campaign);
    if (round->asked_count > 0) {
        const struct worker_job workers = {
            .tasks = round->asked_count,
            .workers = campaign->batch->job.settings.jobs,
            .begin = begin_worker,
            .work = work,
            .context = campaign,
            .waiting = tell,
        };

        pool = worker_pool_new(round, &workers);
    }
    while (going && round->done < round->count) {
        tell(campaign);
        going = interruption_noted() == 0 &&
                take_task(
                    campaign, pool, &round->task[round->done], broken, errors);
        round->done++;
    }
    talloc_free(pool);
    return going;
}

bool campaign_run(
    void *context, struct campaign *campaign, bool *broken, FILE *errors)
{
    size_t instances = campaign->batch->suite->instances->count;
    bool first = true, going = true;

    *broken = false;
    campaign->instance = talloc_zero_array(
        context, struct campaign_instance, (unsigned)instances + 1);
    assert(campaign->instance != NULL);
    for (size_t n = 0; n < instances; n++) {
        campaign->instance[n].names = key_index_new(campaign->instance);
    }
    make_round(context, campaign, first);
    while (going && campaign->round->count > 0) {
        going = run_round(campaign, broken, errors);
        talloc_free(campaign->round);
        make_round(context, campaign, false);
    }
    return going;
}

/* The failures of a run, with the worst result so far. Both are of scenarios of
 * their own, which are the same. */
static void join(struct verdict *into, struct verdict *verdict)
{
    if (into->scenario == NULL) {
        into->scenario = verdict->scenario;
    }
    for (size_t i = 0;
         i < verdict->failure_count && into->scenario != verdict->scenario;
         i++) {
        verdict->failure[i].place = node_number_find(into->scenario,
            node_number(verdict->scenario, verdict->failure[i].place));
    }
    into->result =
        verdict->result > into->result ? verdict->result : into->result;
    into->failure = talloc_realloc(into, into->failure, struct failure,
        (unsigned)(into->failure_count + verdict->failure_count));
    assert(into->failure != NULL);
    memcpy(&into->failure[into->failure_count], verdict->failure,
        verdict->failure_count * sizeof(*verdict->failure));
    into->failure_count += verdict->failure_count;
}

/* A line for people: what came of a call. */
static void list_site(struct verdict *verdict, const struct campaign_site *site)
{
    const char *before = verdict->calls.list;
    const char *unjudged =
        site->verdict == NULL ? NULL : site->verdict->unjudged;

    verdict->calls.list = talloc_asprintf(verdict, "%s%-8s   %s%s%s%s%s\n",
        before == NULL ? "" : before,
        site->verdict == NULL ? "LEFT"
                              : verdict_result_name(site->verdict->result),
        site->name, site->behind == NULL ? "" : " behind ",
        site->behind == NULL ? "" : site->behind->name,
        unjudged == NULL ? "" : ", not judged for leaks: ",
        unjudged == NULL ? "" : unjudged);
    talloc_free((void *)(uintptr_t)before);
}

struct verdict *campaign_verdict(struct campaign *campaign, size_t n)
{
    struct campaign_instance *of = &campaign->instance[n];
    struct verdict *verdict = of->first;
    bool passed = verdict->result == RESULT_PASS;

    of->first = NULL;
    talloc_reparent(campaign->instance, NULL, verdict);
    for (size_t i = 0; i < of->count && passed; i++) {
        struct campaign_site *site = of->site[i];

        list_site(verdict, site);
        if (site->verdict == NULL) {
            verdict->calls.left++;
            continue;
        }
        verdict->calls.sites++;
        verdict->calls.unjudged += site->verdict->unjudged != NULL;
        if (verdict_result_failed(site->verdict->result)) {
            verdict->calls.failed++;
            join(verdict, site->verdict);
            talloc_reparent(campaign->instance, verdict, site->verdict);
        }
    }
    verdict_trim(verdict);
    return verdict;
}
