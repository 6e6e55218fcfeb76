/* batch.c - all instances that were selected, one result after another in their
 * order, from this process or from workers. A worker's answer is the trace's
 * text or its beginning, where the rest of it lies in the spool, the message of
 * verdict_pipe.h, and what is how long, so that nothing is copied. */
#define _GNU_SOURCE
#include "scenarios/runner/run/batch.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/output/interruption.h"
#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/judge.h"
#include "scenarios/runner/run/sandbox.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/standstill.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/run/verdict_pipe.h"
#include "scenarios/runner/run/worker_pool.h"
#include "scenarios/runner/text/visible_text.h"

static const struct instance *instance_of(
    const struct batch *batch, size_t task)
{
    const struct instances *instances = batch->suite->instances;

    return &instances->item[task % instances->count];
}

/* The result of the next task, come to in this process. */
static void run_here(struct batch *batch, struct batch_result *result)
{
    FILE *trace = NULL;

    if (batch->job.settings.traced) {
        trace = open_memstream(&result->trace, &result->trace_length);
        assert(trace != NULL);
    }
    result->verdict =
        job_run(NULL, &batch->job, &batch->session, result->instance, trace);
    if (trace != NULL) {
        fclose(trace);
    }
}

enum {
    WORKER_DATA_GIB = 4,
    STANDSTILL_US = 30 * 1000 * 1000, /* nothing of a run takes as long */
};

void batch_begin_worker(struct batch *batch)
{
    if (!sandbox_bound_memory((uint64_t)WORKER_DATA_GIB << 30) ||
        !job_open_session(&batch->job, &batch->session)) {
        session_say_refused(stderr);
        _exit(EXIT_INTERNAL);
    }
    standstill_watch(&batch->session.machine, STANDSTILL_US);
    if (batch->spool != NULL) {
        trace_spool_hide(batch->spool);
    }
}

static void begin_worker(void *context)
{
    batch_begin_worker(context);
}

static void end_worker(void *context)
{
    struct batch *batch = context;

    session_close(&batch->session);
}

/* The end of an answer. */
struct lengths {
    uint64_t trace; /* of the answer's bytes */
    uint64_t rest;  /* parts of the spool, which stand before this */
};

/* The instance, with its trace on its way. */
static struct verdict *run_traced(struct batch *batch,
    const struct instance *instance, struct trace_writer *writer,
    const struct trace_extent **rest, size_t *count)
{
    struct verdict *verdict = job_run(NULL, &batch->job, &batch->session,
        instance, trace_writer_stream(writer));
    struct verdict *failed;

    if (trace_writer_end(writer, rest, count)) {
        return verdict;
    }
    failed = verdict_failed(NULL, instance, RESULT_INTERNAL,
        "the host keeps no trace: %s", strerror(errno));
    talloc_free(verdict);
    return failed;
}

static void work(void *context, size_t task, FILE *answer)
{
    struct batch *batch = context;
    const struct instance *instance = instance_of(batch, task);
    struct trace_writer *writer = NULL;
    const struct trace_extent *rest = NULL;
    struct lengths lengths = {0};
    struct verdict *verdict;
    size_t count = 0;

    if (batch->spool == NULL) {
        verdict = job_run(NULL, &batch->job, &batch->session, instance, NULL);
    } else {
        writer = trace_writer_new(NULL, batch->spool, answer);
        verdict = run_traced(batch, instance, writer, &rest, &count);
        lengths = (struct lengths){(uint64_t)ftello(answer), count};
    }
    verdict_send(answer, verdict);
    if (count > 0) {
        fwrite(rest, sizeof(*rest), count, answer);
    }
    fwrite(&lengths, sizeof(lengths), 1, answer);
    talloc_free(verdict);
    talloc_free(writer);
}

struct verdict *batch_worker_died(
    const struct instance *instance, const struct worker_answer *answer)
{
    int status = answer->status;
    struct verdict *verdict;
    const char *schedule;
    void *context;
    char how[64];

    if (status == -1) {
        return verdict_failed(NULL, instance, RESULT_INTERNAL,
            "the host gives no process to run it in");
    }
    if (WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));

        snprintf(how, sizeof(how), "its process was ended by SIG%s",
            name == NULL ? "RT" : name);
    } else {
        snprintf(how, sizeof(how), "its process ended with status %d",
            WEXITSTATUS(status));
    }
    context = talloc_new(NULL);
    verdict = verdict_failed(NULL, instance, RESULT_INTERNAL, "%s",
        crash_note_text(context, answer->note, how));
    verdict->failure[0].step = crash_note_step(verdict, answer->note);
    schedule = crash_note_schedule(verdict, answer->note);
    if (schedule[0] != '\0') {
        verdict->explored = (struct explored){
            .schedules = answer->note->schedules, .schedule = schedule};
    }
    talloc_free(context);
    return verdict;
}

/* Takes an answer apart. NULL, and *problem, when it is none. */
static struct verdict *take_apart(struct batch *batch,
    struct batch_result *result, const struct worker_answer *answer,
    const char **problem)
{
    struct lengths lengths = {0};
    size_t left = answer->length;
    struct verdict *verdict;

    *problem = "it ends too early";
    if (left < sizeof(lengths)) {
        return NULL;
    }
    left -= sizeof(lengths);
    memcpy(&lengths, answer->bytes + left, sizeof(lengths));
    if (lengths.trace > left ||
        lengths.rest > (left - lengths.trace) / sizeof(*result->rest)) {
        return NULL;
    }
    left -= (size_t)lengths.rest * sizeof(*result->rest);
    result->trace_length = (size_t)lengths.trace;
    verdict = verdict_receive(NULL, result->instance, batch->job.requirements,
        answer->bytes + lengths.trace, left - (size_t)lengths.trace, problem);
    if (verdict != NULL && lengths.rest > 0) {
        result->rest_count = (size_t)lengths.rest;
        result->rest = talloc_memdup(verdict, answer->bytes + left,
            result->rest_count * sizeof(*result->rest));
        assert(result->rest != NULL);
    }
    return verdict;
}

/* The result of the next task, come to by a worker; no verdict when the program
 * is to end. */
static void receive(struct batch *batch, struct batch_result *result)
{
    struct worker_answer answer = worker_pool_next(batch->pool);
    const char *problem;

    if (answer.bytes == NULL && interruption_noted() != 0) {
        return;
    }
    if (answer.bytes == NULL) {
        result->verdict = batch_worker_died(result->instance, &answer);
        free(answer.note);
        return;
    }
    result->trace = (char *)answer.bytes; /* it comes first */
    result->verdict = take_apart(batch, result, &answer, &problem);
    if (result->verdict == NULL) {
        result->verdict =
            verdict_failed(NULL, result->instance, RESULT_INTERNAL,
                "the process that ran it sent no whole verdict: %s", problem);
    }
}

static void wait_on(void *context)
{
    struct batch *batch = context;

    if (batch->waiting != NULL) {
        batch->waiting(batch->waiting_context, batch);
    }
}

/* False: the host gives no address space. */
static bool open_here_or_there(struct batch *batch)
{
    const struct run_settings *settings = &batch->job.settings;
    struct worker_job workers = {
        .tasks = batch->results,
        .workers = settings->jobs,
        .begin = begin_worker,
        .end = end_worker,
        .work = work,
        .context = batch,
        .waiting = wait_on,
    };

    /* Asked for here, so that it is told once. */
    if (!job_open_session(&batch->job, &batch->session)) {
        return false;
    }
    if (settings->watched) {
        return true;
    }
    session_close(&batch->session);
    batch->session = (struct session){.requirements = batch->job.requirements};
    batch->session.drivers = batch->job.drivers;
    batch->session.given = settings->given;
    batch->session.fail_scope = settings->fail_scope;
    batch->session.documented = settings->documented;
    batch->session.step_drivers = settings->exploring.step_drivers;
    batch->session.strict_imports = settings->strict_imports;
    batch->pool = worker_pool_new(NULL, &workers);
    return true;
}

enum exit_code batch_open(struct batch *batch, struct suite *suite,
    const struct run_settings *settings, FILE *errors)
{
    struct trace_spool *spool = NULL;
    struct driver_files *drivers = driver_files_new(
        suite, settings->allowed.item, settings->allowed.count);

    if (driver_files_missing(drivers) != NULL) {
        fprintf(errors, "ntpmu: cannot read '%s': %s\n",
            visible_name(driver_files_missing(drivers)), strerror(errno));
        return EXIT_USAGE;
    }
    if (settings->traced && !settings->watched) {
        spool = trace_spool_new(NULL);
        if (spool == NULL) {
            fprintf(errors,
                "ntpmu: the host gives no file to keep traces in: %s; TMPDIR "
                "names another directory\n",
                strerror(errno));
            return EXIT_INTERNAL;
        }
    }
    *batch = (struct batch){
        .job = {.settings = *settings,
            .drivers = drivers,
            .requirements = suite->requirements},
        .suite = suite,
        .spool = spool,
        .results = suite->instances->count * settings->repeat,
    };
    if (!open_here_or_there(batch)) {
        session_say_refused(errors);
        return EXIT_INTERNAL;
    }
    return EXIT_OK;
}

const struct instance *batch_coming(const struct batch *batch)
{
    assert(batch->next < batch->results);
    return instance_of(batch, batch->next);
}

bool batch_next(struct batch *batch, struct batch_result *result)
{
    if (interruption_noted() != 0) {
        return false;
    }
    *result = (struct batch_result){
        .instance = batch_coming(batch),
        .round = batch->next / batch->suite->instances->count,
    };
    if (batch->pool == NULL) {
        run_here(batch, result);
    } else {
        receive(batch, result);
    }
    if (result->verdict == NULL || result->verdict->interrupted) {
        batch_release(result);
        return false;
    }
    if (batch->heard != NULL) {
        batch->heard(batch->heard_context, result->instance, result->verdict);
    }
    judge_expected(result->instance, result->verdict);
    batch->next++;
    return true;
}

bool batch_write_trace(
    const struct batch *batch, struct batch_result *result, FILE *out)
{
    bool whole = true;

    fwrite(result->trace, 1, result->trace_length, out);
    for (size_t i = 0; i < result->rest_count && whole; i++) {
        whole = trace_spool_take(batch->spool, &result->rest[i], out);
    }
    result->rest_count = 0;
    return whole;
}

void batch_release(struct batch_result *result)
{
    talloc_free(result->verdict);
    free(result->trace);
}

void batch_close(struct batch *batch)
{
    if (batch->pool == NULL) {
        session_close(&batch->session);
    }
    talloc_free(batch->pool);
    talloc_free(batch->spool);
}
