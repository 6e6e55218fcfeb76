/* job.c - one instance run as the settings ask, in this process or in one of
 * its own; run twice, and the two runs compared. */
#include "scenarios/runner/run/job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/run/crash_report.h"
#include "scenarios/runner/run/instance_trace.h"
#include "scenarios/runner/run/judge.h"
#include "scenarios/runner/run/native_instance.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/scenario.h"

bool job_open_session(const struct job *job, struct session *session)
{
    if (!session_open(session, job->requirements)) {
        return false;
    }
    session->budget = job->settings.budget;
    session->drivers = job->drivers;
    session->nursery = job->nursery;
    session->literals = job->settings.updates;
    session->keep_going = job->settings.updates;
    session->given = job->settings.given;
    session->fail_scope = job->settings.fail_scope;
    session->documented = job->settings.documented;
    session->step_drivers = job->settings.exploring.step_drivers;
    session->strict_imports = job->settings.strict_imports;
    session->machine.trace.off =
        !job->settings.traced && !job->settings.twice && !job->settings.watched;
    return true;
}

static struct verdict *run_traced(void *context, struct session *session,
    const struct instance *instance, FILE *trace)
{
    struct verdict *verdict;

    if (trace == NULL) {
        return run_instance(context, session, instance);
    }
    instance_trace_begin(instance, &session->machine.trace, trace);
    verdict = run_instance(context, session, instance);
    instance_trace_end(&session->machine.trace);
    return verdict;
}

/* Native code runs in a process of its own. */
struct verdict *job_run_schedule(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace)
{
    return instance->native ? native_instance_run(context, session, instance,
                                  job->settings.timeout_us, trace)
                            : run_traced(context, session, instance, trace);
}

bool job_explores(const struct job *job, const struct instance *instance)
{
    /* Who watches steps wants to see one run of them. */
    return job->explore != NULL && !job->settings.watched &&
           (job->settings.explores || job->settings.schedule != NULL ||
               instance->scenario->exploring.asked);
}

static struct verdict *run_once(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace)
{
    struct verdict *verdict = judge_skipped(context, instance);

    if (verdict != NULL) {
        return verdict;
    }
    crash_report_running(instance->id);
    verdict = job->fail != NULL
                  ? job->fail(context, job, session, instance, trace)
              : job_explores(job, instance)
                  ? job->explore(context, job, session, instance, trace)
                  : job_run_schedule(context, job, session, instance, trace);
    crash_report_running(NULL);
    verdict_trim(verdict);
    return verdict;
}

static void run_kept(void *context, const struct job *job,
    struct session *session, const struct instance *instance,
    struct job_run *kept)
{
    FILE *trace;

    *kept = (struct job_run){.trace = NULL};
    trace = open_memstream(&kept->trace, &kept->length);
    assert(trace != NULL);
    kept->verdict = run_once(context, job, session, instance, trace);
    fclose(trace);
}

/* The line of the first difference, "(none)" behind the end. */
static const char *line_at(void *context, const char *text, size_t line)
{
    for (size_t i = 1; i < line && *text != '\0'; i++) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return *text == '\0' ? "(none)"
                         : talloc_strndup(context, text, strcspn(text, "\n"));
}

struct verdict *job_compare(void *context, const struct instance *instance,
    const struct job_run *first, const struct job_run *second)
{
    size_t line = 1;

    for (size_t i = 0; i < first->length && i < second->length &&
                       first->trace[i] == second->trace[i];
         i++) {
        line += first->trace[i] == '\n';
    }
    if (first->length != second->length ||
        memcmp(first->trace, second->trace, first->length) != 0) {
        return verdict_failed(context, instance, RESULT_INTERNAL,
            "the second run has another trace: line %zu was '%s', then '%s'",
            line, line_at(context, first->trace, line),
            line_at(context, second->trace, line));
    }
    if (first->verdict->result != second->verdict->result) {
        return verdict_failed(context, instance, RESULT_INTERNAL,
            "the first run ended as %s, the second as %s",
            verdict_result_name(first->verdict->result),
            verdict_result_name(second->verdict->result));
    }
    return NULL;
}

static struct verdict *run_opened(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace)
{
    struct job_run first, second;
    struct verdict *differs;

    if (!job->settings.twice) {
        return run_once(context, job, session, instance, trace);
    }
    run_kept(context, job, session, instance, &first);
    run_kept(context, job, session, instance, &second);
    differs = job_compare(context, instance, &first, &second);
    if (trace != NULL) {
        fwrite(first.trace, 1, first.length, trace);
    }
    free(first.trace);
    free(second.trace);
    talloc_free(second.verdict);
    if (differs == NULL) {
        return first.verdict;
    }
    talloc_free(first.verdict);
    return differs;
}

struct verdict *job_run(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace)
{
    struct instance *opened = talloc(NULL, struct instance);
    struct verdict *verdict;

    assert(opened != NULL);
    *opened = instance_open(opened, instance);
    verdict = run_opened(context, job, session, opened, trace);
    /* Its failures are in the scenario. */
    talloc_reparent(NULL, verdict, opened);
    return verdict;
}
