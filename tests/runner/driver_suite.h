/* driver_suite.h - scenarios that load drivers, in a directory of a test's own,
 * and a job and a session to run them with. Who includes it defines
 * _GNU_SOURCE.
 */
#ifndef TESTS_RUNNER_DRIVER_SUITE_H
#define TESTS_RUNNER_DRIVER_SUITE_H

#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/job.h"
#include "scenarios/runner/run/nursery.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/runner/directory.h"

enum { DRIVER_SUITE_SECOND_US = 1000000 };

struct driver_suite {
    void *memory;
    char *directory;
    const char *allowed[1]; /* the directory of its drivers */
    struct suite *suite;
    struct job job;
    struct session session;
};

/* Everything but its files and the nursery: `settings` with ten seconds of
 * time, a trace, and the drivers of a directory. `given`, a value of the
 * command line; NULL: none. */
static inline void driver_suite_init(struct driver_suite *scene,
    const char *drivers, struct run_settings settings, const char *const *given)
{
    *scene =
        (struct driver_suite){.memory = talloc_new(NULL), .allowed = {drivers}};
    scene->directory = directory_new(scene->memory);
    settings.timeout_us = 10 * DRIVER_SUITE_SECOND_US;
    settings.budget = 1000000;
    settings.traced = true;
    settings.given = (struct run_words){given, given != NULL};
    settings.allowed = (struct run_words){scene->allowed, 1};
    scene->job = (struct job){.settings = settings,
        .drivers = driver_files_new(scene->memory, scene->allowed, 1)};
}

static inline void driver_suite_open(
    struct driver_suite *scene, nursery_explorer *explorer)
{
    const struct run_words *given = &scene->job.settings.given;

    scene->job.nursery = nursery_open(scene->memory,
        &(struct nursery_home){&language_kinds, &scene->job.settings, explorer,
            scene->job.progress});
    assert_non_null(scene->job.nursery);
    scene->suite = suite_read_so(scene->memory, &language_kinds,
        &scene->directory, 1,
        &(struct suite_way){.given = given->item, .given_count = given->count});
    scene->job.requirements = scene->suite->requirements;
    assert_true(job_open_session(&scene->job, &scene->session));
}

static inline void driver_suite_release(struct driver_suite *scene)
{
    session_close(&scene->session);
    directory_remove(scene->directory);
    talloc_free(scene->memory);
}

/* Runs the n-th instance. The verdict is the suite's; the trace's text is to be
 * freed. */
static inline struct verdict *driver_suite_run(
    struct driver_suite *scene, size_t n, char **trace)
{
    size_t length = 0;
    FILE *stream = open_memstream(trace, &length);
    struct verdict *verdict = job_run(scene->memory, &scene->job,
        &scene->session, &scene->suite->instances->item[n], stream);

    assert_int_equal(fclose(stream), 0);
    return verdict;
}

#endif
