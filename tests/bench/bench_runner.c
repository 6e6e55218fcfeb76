/* bench_runner.c - the family runner: scenarios read, and run in process. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>
#include <yaml.h>

#include "api/boot/kernel_boot.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/suite.h"
#include "scenarios/runner/selection/language_kinds.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/resident.h"
#include "tests/bench/runner_scene.h"
#include "tests/bench/stopwatch.h"

enum { INSTANCES = 10000, FEW_INSTANCES = 1000 };

/* One instance, and a session to run it in. */
struct runner {
    void *memory;
    struct suite *suite;
    struct session session;
};

static void runner_init(struct runner *runner)
{
    const char *text = runner_scene_overflow();
    void *file = talloc_new(NULL);
    char *path;

    runner->memory = talloc_new(NULL);
    path = talloc_strdup(
        runner->memory, runner_scene_file(file, text, strlen(text)));
    runner->suite = suite_read(runner->memory, &language_kinds, &path, 1);
    talloc_free(file); /* not left to whoever ends without clearing up */
    assert(runner->suite->instances->count == 1);
    if (!session_open(&runner->session, runner->suite->requirements)) {
        assert(false && "the host gives no address space");
    }
}

static void runner_release(struct runner *runner)
{
    session_close(&runner->session);
    talloc_free(runner->memory);
}

static void run_often(struct runner *runner, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *context = talloc_new(NULL);
        const struct instance instance =
            instance_open(context, &runner->suite->instances->item[0]);
        const struct verdict *verdict =
            run_instance(context, &runner->session, &instance);

        assert(verdict->result == RESULT_PASS);
        talloc_free(context);
    }
}

/* Not of one instance but of all 10,000. */
double runner_10000(void)
{
    struct runner runner;
    double start, ns;

    runner_init(&runner);
    start = stopwatch_ns();
    run_often(&runner, INSTANCES);
    ns = stopwatch_ns() - start;
    runner_release(&runner);
    return ns;
}

/* Its scenario read as an instance has it, without running it. */
double runner_instance_read(void)
{
    struct runner runner;
    double start, ns;

    runner_init(&runner);
    start = stopwatch_ns();
    for (size_t i = 0; i < INSTANCES; i++) {
        void *context = talloc_new(NULL);

        instance_open(context, &runner.suite->instances->item[0]);
        talloc_free(context);
    }
    ns = (stopwatch_ns() - start) / INSTANCES;
    runner_release(&runner);
    return ns;
}

/* What is needed before the first step. */
double runner_boots(void)
{
    const struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};
    struct runner runner;
    double start, ns;

    runner_init(&runner);
    start = stopwatch_ns();
    for (int i = 0; i < INSTANCES; i++) {
        machine_reset(&runner.session.machine, &config);
        kernel_boot(&runner.session.kernel, &runner.session.machine, OS_WIN11,
            ARCH_X64);
    }
    ns = stopwatch_ns() - start;
    runner_release(&runner);
    return ns;
}

static void run_instances(const void *count)
{
    struct runner runner;

    runner_init(&runner);
    run_often(&runner, *(const size_t *)count);
}

double runner_resident_10000(void)
{
    return resident_after(run_instances, &(size_t){INSTANCES});
}

double runner_resident_1000(void)
{
    return resident_after(run_instances, &(size_t){FEW_INSTANCES});
}

/* Reads one file as `validate` does, with the errors printed. */
static double validate(
    char *make(void *context, size_t *length), size_t want_scenarios)
{
    void *memory = talloc_new(NULL);
    FILE *out = fopen("/dev/null", "w");
    size_t length;
    char *text = make(memory, &length);
    char *path = talloc_strdup(memory, runner_scene_file(memory, text, length));
    double start = stopwatch_ns(), ns;
    const struct suite *suite = suite_read(memory, &language_kinds, &path, 1);

    assert(out != NULL);
    diagnostics_print(suite->diagnostics, out);
    ns = stopwatch_ns() - start;
    assert(suite->scenario_count == want_scenarios);
    fclose(out);
    talloc_free(memory);
    return ns;
}

double validate_large(void)
{
    return validate(runner_scene_large, 1);
}

double validate_brackets(void)
{
    return validate(runner_scene_brackets, 0);
}

/* The least that reading costs: libyaml's events of the same text. */
double validate_events(void)
{
    void *memory = talloc_new(NULL);
    size_t length;
    const char *text = runner_scene_large(memory, &length);
    double start = stopwatch_ns(), ns;
    yaml_parser_t parser;
    yaml_event_t event;
    bool end = false;

    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    while (!end && yaml_parser_parse(&parser, &event) != 0) {
        end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    assert(end);
    yaml_parser_delete(&parser);
    ns = stopwatch_ns() - start;
    talloc_free(memory);
    return ns;
}

/* Looking at each of its bytes once. */
double validate_bytes(void)
{
    void *memory = talloc_new(NULL);
    size_t length, other = 0;
    const char *text = runner_scene_brackets(memory, &length);
    double start = stopwatch_ns(), ns;

    for (size_t i = 0; i < length; i++) {
        other += ((const volatile char *)text)[i] != '[';
    }
    ns = stopwatch_ns() - start;
    assert(other == 0);
    talloc_free(memory);
    return ns;
}
