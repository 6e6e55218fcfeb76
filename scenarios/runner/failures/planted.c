/* planted.c - one run in which chosen calls fail: the kernel asks of each call
 * that could, which is noted by its place. */
#define _GNU_SOURCE
#include "scenarios/runner/failures/planted.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <talloc.h>

#include "api/core/kernel.h"
#include "api/text/fnv.h"
#include "api/text/suggest.h"
#include "scenarios/runner/run/job.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/scenario/scenario.h"

/* Whether the site was noted before; notes it otherwise, and *number says
 * where, from 1; 0: there is no room. */
static bool was_noted(
    struct planted_log *log, const struct call_site *site, uint32_t *number)
{
    uint64_t hash = fnv1a(site->name);

    for (uint32_t i = 0; i < log->count; i++) {
        if (log->hash[i] == hash &&
            strcmp(log->site[i].name, site->name) == 0) {
            *number = i + 1;
            return true;
        }
    }
    *number = 0;
    if (log->count < PLANTED_SITES) {
        log->hash[log->count] = hash;
        log->site[log->count++] = *site;
        *number = log->count;
    }
    return false;
}

/* Of a program there is nothing to find out. */
static bool is_a_drivers(struct kernel *kernel)
{
    const struct driver *driver = kernel_driver(kernel, kernel_cpu(kernel));

    return driver != NULL && !driver->user;
}

static bool fails(struct fault_chooser *chooser, struct kernel *kernel,
    enum routine routine, const struct fault_way *way)
{
    struct planted *planted = (struct planted *)(void *)chooser;
    struct call_site site;
    uint32_t number;

    if (!is_a_drivers(kernel) || !fault_scope_has(&planted->scope, kernel,
                                     routine, planted->session->own_step)) {
        return false;
    }
    call_site_make(&site, kernel, planted->scenario, routine, way);
    if (was_noted(planted->log, &site, &number)) {
        return false;
    }
    for (size_t i = 0; i < planted->fail.count; i++) {
        if (strcmp(planted->fail.item[i], site.name) == 0) {
            planted->log->reached[i] = number;
            return true;
        }
    }
    return false;
}

static int give_back(struct planted *planted)
{
    munmap(planted->log, sizeof(*planted->log));
    return 0;
}

struct planted *planted_new(void *context)
{
    struct planted *planted = talloc_zero(context, struct planted);

    assert(planted != NULL);
    planted->chooser.fails = fails;
    planted->log = mmap(NULL, sizeof(*planted->log), PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (planted->log == MAP_FAILED) {
        talloc_free(planted);
        return NULL;
    }
    talloc_set_destructor(planted, give_back);
    return planted;
}

/* What a driver has spoilt is no site. */
static void check_log(struct planted_log *log)
{
    uint32_t sound = 0;

    while (sound < log->count && sound < PLANTED_SITES) {
        struct call_site *site = &log->site[sound];

        site->name[CALL_SITE_NAME_BYTES - 1] = '\0';
        site->place[CALL_SITE_BYTES - 1] = '\0';
        if (log->hash[sound] != fnv1a(site->name) ||
            strchr(site->name, ' ') != NULL) {
            break;
        }
        sound++;
    }
    log->count = sound;
    for (size_t i = 0; i < PLANTED_MOST; i++) {
        log->reached[i] = log->reached[i] > sound ? 0 : log->reached[i];
    }
}

/* All that failed, in the order in which it did. */
static void name_calls(struct verdict *verdict, const struct planted *planted)
{
    const struct planted_log *log = planted->log;
    char *names = talloc_strdup(verdict, "");
    char *places = talloc_strdup(verdict, "");

    for (size_t i = 0; i < planted->fail.count; i++) {
        names = talloc_asprintf_append_buffer(
            names, "%s%s", i == 0 ? "" : " ", planted->fail.item[i]);
        if (log->reached[i] > 0) {
            places = talloc_asprintf_append_buffer(places, "%s%s",
                places[0] == '\0' ? "" : "; then ",
                log->site[log->reached[i] - 1].place);
        }
    }
    for (size_t i = 0; i < verdict->failure_count; i++) {
        verdict->failure[i].failed_calls = names;
        verdict->failure[i].failed_at = places;
    }
}

/* The verdict where a call that was to fail never came; NULL: all have. */
static struct verdict *not_reached(void *context, const struct planted *planted,
    const struct instance *instance)
{
    const struct planted_log *log = planted->log;
    struct suggestion suggestion;
    size_t missing = 0;

    while (missing < planted->fail.count && log->reached[missing] > 0) {
        missing++;
    }
    if (missing == planted->fail.count) {
        return NULL;
    }
    suggestion = suggest_for(planted->fail.item[missing]);
    for (uint32_t i = 0; i < log->count; i++) {
        suggest_offer(&suggestion, log->site[i].name);
    }
    return verdict_failed(context, instance, RESULT_ERROR,
        "no call that can fail is '%s' in this run, which has %u of "
        "them%s%s%s; "
        "ntpmu run --fail-each finds them all",
        planted->fail.item[missing], (unsigned)log->count,
        suggestion.nearest == NULL ? "" : "; the nearest is '",
        suggestion.nearest == NULL ? "" : suggestion.nearest,
        suggestion.nearest == NULL ? "" : "'");
}

static bool fails_steps(const struct planted *planted)
{
    bool of_step = false;

    for (size_t i = 0; i < planted->fail.count; i++) {
        of_step |= call_site_is_step(planted->fail.item[i]);
    }
    return of_step;
}

static struct verdict *run_planted(void *context, struct planted *planted,
    const struct job *job, const struct instance *instance, FILE *trace)
{
    struct session *session = planted->session;
    struct verdict *verdict, *missing = NULL;

    session->chooser = &planted->chooser;
    session->forgives = planted->fail.count > 0;
    session->fails_steps = fails_steps(planted);
    verdict = job_run_schedule(context, job, session, instance, trace);
    session->chooser = NULL;
    session->forgives = session->fails_steps = false;
    session->kernel.faults.chooser = NULL;
    check_log(planted->log);
    if (verdict->result <= RESULT_FAIL && verdict->result != RESULT_SKIP) {
        missing = not_reached(context, planted, instance);
    }
    if (missing != NULL) {
        talloc_free(verdict);
        return missing;
    }
    if (planted->fail.count > 0) {
        verdict->checks++; /* that nothing wrong comes of it */
        name_calls(verdict, planted);
    }
    return verdict;
}

struct verdict *planted_run(void *context, const struct job *job,
    struct session *session, const struct instance *instance, FILE *trace)
{
    void *memory = talloc_new(NULL);
    struct planted *planted =
        job->fail_context != NULL ? job->fail_context : planted_new(memory);
    struct verdict *verdict;
    const char *problem;

    if (planted == NULL) {
        talloc_free(memory);
        return verdict_failed(context, instance, RESULT_INTERNAL,
            "the host gives no memory to note calls in");
    }
    assert(job->settings.fail.count <= PLANTED_MOST);
    planted->session = session;
    planted->scenario = instance->scenario;
    planted->fail = job->settings.fail;
    planted->log->count = 0;
    memset(planted->log->reached, 0, sizeof(planted->log->reached));
    problem = fault_scope_open(
        memory, &planted->scope, &job->settings.fail_scope, instance->scenario);
    verdict =
        problem != NULL
            ? verdict_failed(context, instance, RESULT_ERROR, "%s", problem)
            : run_planted(context, planted, job, instance, trace);
    talloc_free(memory);
    return verdict;
}
