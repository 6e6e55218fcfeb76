/* bench_trace.c - the family trace: what it costs that a run is traced. */
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/run/batch.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/driver_scene.h"
#include "tests/bench/resident.h"
#include "tests/bench/runner_scene.h"
#include "tests/bench/stopwatch.h"

enum { INSTANCES = 4000, MANY = 100000, FEW = 1000, CALLS = 100000 };

/* Runs each scenario that often, in this process, and with a trace writes it to
 * a file as `run` does. */
static void run_text(const char *text, uint32_t repeat, bool traced)
{
    struct run_settings *settings = talloc_zero(NULL, struct run_settings);
    char *path = talloc_strdup(
        settings, runner_scene_file(settings, text, strlen(text)));
    struct suite *suite = suite_read(settings, &language_kinds, &path, 1);
    FILE *out = traced ? tmpfile() : NULL;
    struct job job = {.requirements = suite->requirements};
    struct session session;

    assert(suite->instances->count == 1 && traced == (out != NULL));
    settings->traced = traced;
    settings->budget = UINT64_MAX;
    job.settings = *settings;
    if (!job_open_session(&job, &session)) {
        assert(false && "the host gives no address space");
    }
    for (uint32_t i = 0; i < repeat; i++) {
        struct verdict *verdict =
            job_run(NULL, &job, &session, &suite->instances->item[0], out);

        assert(verdict->result == RESULT_PASS);
        talloc_free(verdict);
    }
    session_close(&session);
    if (out != NULL) {
        fclose(out);
    }
    talloc_free(settings);
}

static double time_of(const char *text, uint32_t repeat, bool traced)
{
    double start = stopwatch_ns();

    run_text(text, repeat, traced);
    return (stopwatch_ns() - start) / repeat;
}

double trace_instance(void)
{
    return time_of(runner_scene_overflow(), INSTANCES, true);
}

double trace_instance_untraced(void)
{
    return time_of(runner_scene_overflow(), INSTANCES, false);
}

/* One run with that many overflows. */
static char *overflows_text(void *context, unsigned count)
{
    return talloc_asprintf(context,
        "ntpmu: 1\n"
        "id: bench.overflows\n"
        "title: As many overflows as wanted\n"
        "callbacks:\n"
        "  ovf:\n"
        "    type: PPHYSICAL_COUNTER_OVERFLOW_HANDLER\n"
        "    do:\n"
        "      - wrmsr: {index: IA32_PMC0, value: 0xFFFFFC18}\n"
        "steps:\n"
        "  - call: HalAllocateHardwareCounters\n"
        "    args:\n"
        "      GroupAffinty: null\n"
        "      GroupCount: 0\n"
        "      ResourceList:\n"
        "        Descriptors:\n"
        "          - {Type: ResourceTypeSingle, u: {CounterIndex: 0}}\n"
        "          - {Type: ResourceTypeOverflow, u: {OverflowHandler: "
        "$ovf}}\n"
        "    save: {set: out.CounterSetHandle}\n"
        "    expect: {status: STATUS_SUCCESS, covers: [HAL-ALLOC-12]}\n"
        "  - wrmsr: {cpu: 0, index: IA32_PMC0, value: 0xFFFFFC18}\n"
        "  - wrmsr: {cpu: 0, index: IA32_PERFEVTSEL0, value: 0x5100C0}\n"
        "  - run: {cpu: 0, cycles: %u}\n"
        "  - wrmsr: {cpu: 0, index: IA32_PERFEVTSEL0, value: 0}\n"
        "  - call: HalFreeHardwareCounters\n"
        "    args: {CounterSetHandle: $set}\n"
        "    expect: {status: STATUS_SUCCESS, covers: [HAL-FREE-01]}\n",
        count * 1000);
}

double trace_call(void)
{
    return driver_scene_traced_time("calls.sys", "call_kernel", CALLS, 0);
}

static void trace_overflows(const void *count)
{
    char *text = overflows_text(NULL, *(const unsigned *)count);

    run_text(text, 1, true);
    talloc_free(text);
}

double trace_overflow(void)
{
    double start = stopwatch_ns();

    trace_overflows(&(unsigned){MANY});
    return (stopwatch_ns() - start) / MANY;
}

double trace_resident_many(void)
{
    return resident_after(trace_overflows, &(unsigned){MANY});
}

double trace_resident_few(void)
{
    return resident_after(trace_overflows, &(unsigned){FEW});
}
