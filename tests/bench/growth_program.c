/* growth_program.c - growths of what is given to the program: files, instances,
 * steps, traces, and runs before it. */
#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/growths.h"
#include "tests/bench/program_scene.h"
#include "tests/bench/runner_scene.h"

enum {
    PATH_BYTES = 64,
    KEPT = 64, /* inputs that were made, each once */
    AXIS = 100,
    FILE_INSTANCES = 10000,
    REPEAT_STEPS = 50,
};

#define ONE_STEP                                                               \
    "- {call: KeGetCurrentIrql, expect: {returns: 0, covers: "                 \
    "[IRQL-GEN-01]}}\n"

/* Whether this is the first time that it is asked for. */
static bool is_new(const char *path)
{
    static char made[KEPT][PATH_BYTES];
    size_t i = 0;

    for (; i < KEPT && made[i][0] != '\0'; i++) {
        if (strcmp(made[i], path) == 0) {
            return false;
        }
    }
    assert(i < KEPT);
    snprintf(made[i], PATH_BYTES, "%s", path);
    return true;
}

/* WHAT and the size, and what it ends with. */
static void name(
    char path[PATH_BYTES], const char *what, uint64_t size, const char *ending)
{
    snprintf(path, PATH_BYTES, "%s%" PRIu64 "%s", what, size, ending);
}

/* Which differ in their ids. */
static void write_files(const char *directory, uint64_t count)
{
    const char *text = runner_scene_overflow();
    const char *id = strstr(text, ".overflow\n");

    for (uint64_t i = 0; i < count; i++) {
        char path[2 * PATH_BYTES];
        FILE *file;

        snprintf(path, sizeof(path), "%s/n%" PRIu64 ".yaml", directory, i);
        file = program_scene_file(path);
        fprintf(file, "%.*s.n%" PRIu64 "%s", (int)(id - text), text, i, id);
        fclose(file);
    }
}

double growth_files(uint64_t size)
{
    char directory[PATH_BYTES];
    const char *const arguments[] = {"run", directory, NULL};

    name(directory, "files", size, "");
    if (is_new(directory)) {
        write_files(directory, size == 0 ? 1 : size);
    }
    return program_scene_run("cache", arguments);
}

static void write_axis(FILE *file, const char *axis, uint64_t values)
{
    fprintf(file, "  %s: [0", axis);
    for (uint64_t i = 1; i < values; i++) {
        fprintf(file, ", %" PRIu64, i);
    }
    fputs("]\n", file);
}

static void write_instances(const char *path, uint64_t count, unsigned number)
{
    FILE *file = program_scene_file(path);

    fprintf(file, "ntpmu: 1\nid: bench.instances%u\ntitle: Bench\nmatrix:\n",
        number);
    write_axis(file, "a", count < AXIS ? 1 : AXIS);
    write_axis(file, "b", count < AXIS ? 1 : count / AXIS);
    fputs("steps:\n  - {call: KeStallExecutionProcessor, args: {MicroSeconds: "
          "$(a + b)}}\n  " ONE_STEP,
        file);
    fclose(file);
}

double growth_instances(uint64_t size)
{
    char path[PATH_BYTES];
    const char *const arguments[] = {"run", path, NULL};

    name(path, "instances", size, ".yaml");
    if (is_new(path)) {
        write_instances(path, size, 0);
    }
    return program_scene_run("cache", arguments);
}

static void write_steps(const char *path, uint64_t count)
{
    FILE *file = program_scene_file(path);

    fputs("ntpmu: 1\nid: bench.steps\ntitle: Bench\nsteps:\n", file);
    for (uint64_t i = 0; i < count; i++) {
        fputs("  " ONE_STEP, file);
    }
    fclose(file);
}

double growth_steps(uint64_t size)
{
    char path[PATH_BYTES], repeat[PATH_BYTES];
    const char *const arguments[] = {"run", path, "--repeat", repeat, NULL};

    name(path, "steps", size, ".yaml");
    snprintf(repeat, sizeof(repeat), "%d", REPEAT_STEPS);
    if (is_new(path)) {
        write_steps(path, size == 0 ? 1 : size);
    }
    return program_scene_run("cache", arguments);
}

/* In files of as many as one may have. */
static void write_many_instances(const char *directory, uint64_t count)
{
    for (unsigned i = 0; count > 0; i++) {
        uint64_t of_file = count < FILE_INSTANCES ? count : FILE_INSTANCES;
        char path[2 * PATH_BYTES];

        snprintf(path, sizeof(path), "%s/n%u.yaml", directory, i);
        write_instances(path, of_file, i);
        count -= of_file;
    }
}

/* What one run takes where so many instances ran before. */
double growth_history(uint64_t size)
{
    char directory[PATH_BYTES], cache[PATH_BYTES];
    const char *const before[] = {"run", directory, NULL};
    const char *const arguments[] = {"run", "one.yaml", NULL};

    name(directory, "before", size, "");
    name(cache, "cache", size, "");
    if (is_new("one.yaml")) {
        write_steps("one.yaml", 1);
    }
    if (is_new(directory)) {
        write_many_instances(directory, size);
        program_scene_run(cache, before);
    }
    return program_scene_run(cache, arguments);
}

/* Overflows one after the other, each in the trace with what its handler does.
 */
static void write_overflows(const char *path, uint64_t count)
{
    FILE *file = program_scene_file(path);

    fprintf(file,
        "ntpmu: 1\nid: bench.trace\ntitle: Bench\n"
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
        "  - wrmsr: {cpu: 0, index: IA32_PERFEVTSEL0, value: 0x51003C}\n"
        "  - run: {cycles: %" PRIu64 "}\n"
        "  - wrmsr: {cpu: 0, index: IA32_PERFEVTSEL0, value: 0}\n"
        "  - call: HalFreeHardwareCounters\n"
        "    args: {CounterSetHandle: $set}\n"
        "    expect: {status: STATUS_SUCCESS, covers: [HAL-FREE-01]}\n",
        count * 1000 + 1);
    fclose(file);
}

double growth_trace(uint64_t size)
{
    char path[PATH_BYTES];
    const char *const arguments[] = {
        "run", path, "--budget", "1000000000", "--trace", "trace.txt", NULL};

    name(path, "trace", size, ".yaml");
    if (is_new(path)) {
        write_overflows(path, size);
    }
    return program_scene_run("cache", arguments);
}
