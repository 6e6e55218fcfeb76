/* kernel_scene.c - boots Windows for a benchmark, and runs its threads. */
#include "tests/bench/kernel_scene.h"

#include <assert.h>

#include "api/boot/kernel_boot.h"
#include "sim/machine/strand.h"

void kernel_scene_init(
    struct kernel_scene *scene, uint32_t processors, enum model model)
{
    const struct machine_config config = {.processors = processors,
        .groups =
            (processors + LIMIT_GROUP_PROCESSORS - 1) / LIMIT_GROUP_PROCESSORS,
        .pmu = pmu_models[model]};
    bool ready;

    *scene = (struct kernel_scene){.driver = {.name = "bench"}};
    ready = machine_reserve(&scene->machine);
    assert(ready);
    (void)ready;
    machine_reset(&scene->machine, &config);
    scene->machine.trace.off = true;
    scene->machine.budget = UINT64_MAX;
    kernel_boot(&scene->kernel, &scene->machine, OS_WIN11, ARCH_X64);
}

void kernel_scene_release(struct kernel_scene *scene)
{
    kernel_release(&scene->kernel);
    machine_release(&scene->machine);
}

void *kernel_scene_memory(struct kernel_scene *scene, size_t bytes)
{
    void *memory = memory_alloc(&scene->machine.memory, bytes, 0);

    assert(memory != NULL);
    return memory;
}

void kernel_scene_spawn(struct kernel_scene *scene, uint32_t processor,
    void (*function)(void *argument), void *argument)
{
    const struct strand *strand =
        strand_spawn(machine_cpu(&scene->machine, processor), function,
            argument, &scene->driver);

    assert(strand != NULL);
    (void)strand;
}

void kernel_scene_run(struct kernel_scene *scene)
{
    enum machine_end end = machine_run(&scene->machine);

    assert(end == MACHINE_IDLE);
    (void)end;
}
