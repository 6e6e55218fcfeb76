/* driver_scene.c - the machine, and the way into the driver's functions. */
#include "tests/bench/driver_scene.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/boot/kernel_boot.h"
#include "api/image/image.h"
#include "api/image/trap.h"
#include "api/ke/code.h"
#include "sim/machine/strand.h"
#include "tests/bench/stopwatch.h"

enum { WARM_UP_PART = 10 };

/* A call of a driver's function. */
struct timed_call {
    struct kernel *kernel;
    uint64_t address;
    uint64_t count, argument;
    double ns; /* that it took */
};

static void read_file(struct driver_scene *scene, const char *file)
{
    FILE *stream;
    char path[512];
    long size;

    snprintf(path, sizeof(path), "%s/%s", BENCH_DRIVERS, file);
    stream = fopen(path, "rb");
    assert(stream != NULL);
    fseek(stream, 0, SEEK_END);
    size = ftell(stream);
    rewind(stream);
    assert(size > 0);
    scene->size = (size_t)size;
    scene->bytes = malloc(scene->size);
    assert(scene->bytes != NULL);
    if (fread(scene->bytes, 1, scene->size, stream) != scene->size) {
        assert(false && "the file became shorter");
    }
    fclose(stream);
}

void driver_scene_init(struct driver_scene *scene, const char *file)
{
    const struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};
    bool ready;

    *scene = (struct driver_scene){.driver = {.name = "bench"}};
    read_file(scene, file);
    ready = machine_reserve(&scene->machine);
    assert(ready);
    machine_reset(&scene->machine, &config);
    scene->machine.trace.off = true;
    kernel_boot(&scene->kernel, &scene->machine, OS_WIN11, ARCH_X64);
    ready = trap_install();
    assert(ready);
    (void)ready;
}

void driver_scene_release(struct driver_scene *scene)
{
    trap_remove();
    kernel_release(&scene->kernel);
    machine_release(&scene->machine);
    free(scene->bytes);
}

struct image *driver_scene_load(struct driver_scene *scene)
{
    struct pe_problems problems;
    struct image *image = image_load(&scene->kernel, "bench.sys",
        &scene->driver, scene->bytes, scene->size, NULL, &problems);

    assert(image != NULL);
    return image;
}

void driver_scene_run(struct driver_scene *scene,
    void (*function)(void *argument), void *argument)
{
    struct strand *strand = strand_spawn(
        machine_cpu(&scene->machine, 0), function, argument, &scene->driver);
    enum machine_end end;

    assert(strand != NULL);
    end = machine_run(&scene->machine);
    assert(end == MACHINE_IDLE);
    (void)strand;
    (void)end;
}

static double timed(const struct timed_call *call, uint64_t count)
{
    const uint64_t argument[CODE_ARGUMENTS] = {count, call->argument};
    double start = stopwatch_ns();

    code_call(call->kernel, call->address, argument);
    return stopwatch_ns() - start;
}

static void run_timed(void *argument)
{
    struct timed_call *call = argument;

    timed(call, call->count / WARM_UP_PART);
    call->ns = timed(call, call->count);
}

static void make_lines(void *context, const struct trace *trace)
{
    char line[256];

    (void)context;
    for (size_t i = 0; i < trace->count; i++) {
        trace_format(trace, i, line, sizeof(line));
    }
}

static double time_of(const char *file, const char *function, uint64_t count,
    uint64_t argument, bool traced)
{
    struct driver_scene scene;
    struct timed_call call = {
        .kernel = &scene.kernel, .count = count, .argument = argument};
    struct image *image;
    uint32_t rva;
    bool found;

    driver_scene_init(&scene, file);
    scene.machine.trace.off = !traced;
    scene.machine.trace.reader = (struct trace_reader){make_lines, NULL};
    image = driver_scene_load(&scene);
    found = symbols_find(pe_symbols(&image->pe), function, &rva);
    assert(found);
    (void)found;
    call.address = (uintptr_t)image->base + rva;
    driver_scene_run(&scene, run_timed, &call);
    driver_scene_release(&scene);
    return call.ns / (double)count;
}

double driver_scene_time(
    const char *file, const char *function, uint64_t count, uint64_t argument)
{
    return time_of(file, function, count, argument, false);
}

double driver_scene_traced_time(
    const char *file, const char *function, uint64_t count, uint64_t argument)
{
    return time_of(file, function, count, argument, true);
}
