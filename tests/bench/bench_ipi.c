/* bench_ipi.c - the family ipi: KeIpiGenericCall on machines of several sizes,
 * per processor. */
#include <assert.h>

#include "api/boot/exports.h"
#include "api/boot/kernel_boot.h"
#include "api/core/kernel.h"
#include "sim/machine/strand.h"
#include "tests/bench/benchmarks.h"
#include "tests/bench/stopwatch.h"

enum { WORKERS = 20480 }; /* in all, however many processors there are */

struct scene {
    struct machine machine;
    struct kernel kernel;
    struct driver driver;
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
    uint32_t processors = scene.machine.config.processors;
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
    const struct machine_config config = {.processors = processors,
        .groups =
            (processors + LIMIT_GROUP_PROCESSORS - 1) / LIMIT_GROUP_PROCESSORS,
        .pmu = pmu_models[MODEL_INTEL_V4]};
    enum machine_end end;
    bool ready;

    scene = (struct scene){.driver = {.name = "bench"}};
    ready = machine_reserve(&scene.machine);
    assert(ready);
    (void)ready;
    machine_reset(&scene.machine, &config);
    scene.machine.trace.off = true;
    kernel_boot(&scene.kernel, &scene.machine, OS_WIN11, ARCH_X64);
    strand_spawn(
        machine_cpu(&scene.machine, 0), broadcast, NULL, &scene.driver);
    end = machine_run(&scene.machine);
    assert(end == MACHINE_IDLE);
    (void)end;
    kernel_release(&scene.kernel);
    machine_release(&scene.machine);
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
