/* bench_explore.c - the family explore: a schedule of two actors with ten steps
 * each, and one of a driver's machine code, which is run in a child. */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/explore/explore.h"
#include "scenarios/runner/explore/explore_apart.h"
#include "scenarios/runner/run/driver_files.h"
#include "scenarios/runner/run/job.h"
#include "scenarios/runner/run/nursery.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/driver_scene.h"
#include "tests/bench/processor_time.h"
#include "tests/bench/runner_scene.h"

enum { SCHEDULES = 4000, NATIVE_SCHEDULES = 100 };

/* Two locks, two blocks of pool, and levels between. */
static const char actors_text[] =
    "ntpmu: 1\n"
    "id: bench.explore\n"
    "title: Two actors with ten steps each\n"
    "machine: {cpus: 2}\n"
    "actors: [drvA, drvB]\n"
    "memory: {lock: {type: KSPIN_LOCK, values: [{ULONG64: 0}]}}\n"
    "steps:\n"
    "  - each: [drvA, drvB]\n"
    "    do:\n"
    "      - {call: KeAcquireSpinLockRaiseToDpc, args: {SpinLock: $lock}, "
    "save: {old: returns}}\n"
    "      - {call: KeGetCurrentIrql, expect: {returns: 2}}\n"
    "      - {call: KeReleaseSpinLock, args: {SpinLock: $lock, NewIrql: "
    "$old}}\n"
    "      - {call: KeQueryActiveGroupCount}\n"
    "      - {call: ExAllocatePool2, args: {Flags: 0x40, NumberOfBytes: 64, "
    "Tag: 0x41414141}, save: {p: returns}}\n"
    "      - {call: ExFreePoolWithTag, args: {P: $p, Tag: 0x41414141}}\n"
    "      - {call: KeAcquireSpinLockRaiseToDpc, args: {SpinLock: $lock}, "
    "save: {again: returns}}\n"
    "      - {call: KeGetCurrentIrql}\n"
    "      - {call: KeReleaseSpinLock, args: {SpinLock: $lock, NewIrql: "
    "$again}}\n"
    "      - {call: KeGetCurrentIrql}\n";

static const char native_text[] =
    "ntpmu: 1\n"
    "id: bench.explore_native\n"
    "title: A driver is loaded, and unloaded while another one runs\n"
    "driver: {image: resting.sys, as: resting}\n"
    "actors: [other]\n"
    "machine: {cpus: 2}\n"
    "steps:\n"
    "  - as: resting\n"
    "    driver: load\n"
    "    expect: {status: STATUS_SUCCESS, covers: [IRQL-03]}\n"
    "  - parallel:\n"
    "      resting:\n"
    "        - {driver: unload, expect: {status: STATUS_SUCCESS}}\n"
    "      other:\n"
    "        - {call: KeGetCurrentIrql}\n"
    "        - {call: KeGetCurrentIrql}\n";

/* Of one schedule, chosen at random. */
static double time_schedule(const char *text, uint64_t schedules)
{
    static const char *const allowed[] = {BENCH_DRIVERS};
    void *memory = talloc_new(NULL);
    struct job job = {.settings = {.timeout_us = 10000000,
                          .budget = 1000000,
                          .explores = true,
                          .exploring = exploring_words_none,
                          .allowed = {allowed, 1}},
        .drivers = driver_files_new(memory, allowed, 1),
        .explore = explore_instance};
    char *path =
        talloc_strdup(memory, runner_scene_file(memory, text, strlen(text)));
    const struct suite *suite;
    struct session session;
    struct verdict *verdict;
    bool ready;
    double start;

    job.settings.exploring.mode = EXPLORE_RANDOM;
    job.settings.exploring.max_schedules = schedules;
    job.nursery =
        nursery_open(memory, &(struct nursery_home){&language_kinds,
                                 &job.settings, explore_for_others, NULL});
    suite = suite_read(memory, &language_kinds, &path, 1);
    job.requirements = suite->requirements;
    ready = job_open_session(&job, &session);
    assert(ready);
    (void)ready;
    start = processor_time_ns();
    verdict = job_run(NULL, &job, &session, &suite->instances->item[0], NULL);
    TALLOC_FREE(job.nursery); /* its time counts */
    start = processor_time_ns() - start;
    assert(verdict->result == RESULT_PASS);
    assert(verdict->explored.schedules >= schedules);
    start /= (double)verdict->explored.schedules;
    talloc_free(verdict);
    session_close(&session);
    talloc_free(memory);
    return start;
}

double explore_schedule(void)
{
    return time_schedule(actors_text, SCHEDULES);
}

double explore_native_here(void)
{
    return time_schedule(native_text, NATIVE_SCHEDULES);
}

double explore_native_schedule(void)
{
    return native_time_apart("explore");
}
