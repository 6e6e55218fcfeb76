/* explored_text.c - the directory of such a scenario, and its batch. */
#define _GNU_SOURCE
#include "tests/runner/explore/explored_text.h"

#include "scenarios/runner/explore/explore.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/rows.h"
#include "tests/runner/directory.h"

const char explored_two_actors[] =
    "ntpmu: 1\nid: two\ntitle: Test\nmachine: {cpus: 2}\n"
    "actors: [drvA, drvB]\nsteps:\n"
    "- each: [drvA, drvB]\n"
    "  do:\n"
    "  - {call: KeGetCurrentIrql, expect: {returns: 0}}\n"
    "  - {call: KeGetCurrentIrql}\n";

void explored_text_run(struct explored_text *explored, const char *text,
    struct run_settings settings)
{
    struct suite *suite;

    *explored = (struct explored_text){.memory = talloc_new(NULL)};
    settings.jobs = settings.repeat = 1;
    settings.budget = 1000000;
    settings.timeout_us = 10000000;
    settings.explores = true;
    explored->directory = directory_new(explored->memory);
    directory_write(explored->directory, "a.yaml", text);
    suite =
        suite_read(explored->memory, &language_kinds, &explored->directory, 1);
    assert_int_equal(suite->instances->count, 1);
    assert_int_equal(
        batch_open(&explored->batch, suite, &settings, stderr), EXIT_OK);
    explored->batch.job.explore = explore_instance;
    assert_true(batch_next(&explored->batch, &explored->result));
}

void explored_text_release(struct explored_text *explored)
{
    batch_release(&explored->result);
    batch_close(&explored->batch);
    directory_remove(explored->directory);
    talloc_free(explored->memory);
}
