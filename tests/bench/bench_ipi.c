/* bench_ipi.c - the family ipi: KeIpiGenericCall on machines of several sizes,
 * per processor. */
#include <assert.h>

#include "api/boot/exports.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/kernel_scene.h"
#include "tests/bench/stopwatch.h"

enum { WORKERS = 20480 }; /* in all, however many processors there are */

struct scene {
    struct kernel_scene booted;
    unsigned workers;
    double ns;
};

static struct scene scene;

static ULONG_PTR NTAPI work(ULONG_PTR context)
{
    scene.workers++;
    return context;
}

static void broadcast(void *argument)
{
    uint32_t processors = scene.booted.machine.config.processors;
    double start;

    (void)argument;
    KeIpiGenericCall(work, 1); /* every processor has its stack */
    scene.workers = 0;
    start = stopwatch_ns();
    for (unsigned i = 0; i < WORKERS / processors; i++) {
        KeIpiGenericCall(work, i);
    }
    scene.ns = (stopwatch_ns() - start) / WORKERS;
    assert(scene.workers == WORKERS);
}

static double time_on(uint32_t processors)
{
    scene = (struct scene){.workers = 0};
    kernel_scene_init(&scene.booted, processors, MODEL_INTEL_V4);
    kernel_scene_spawn(&scene.booted, 0, broadcast, NULL);
    kernel_scene_run(&scene.booted);
    kernel_scene_release(&scene.booted);
    return scene.ns;
}

double ipi_1(void)
{
    return time_on(1);
}

double ipi_64(void)
{
    return time_on(64);
}

double ipi_256(void)
{
    return time_on(256);
}

double ipi_2048(void)
{
    return time_on(2048);
}
