/* growth_scene.c - the machine that growths are measured on. */
#include "tests/bench/growth_scene.h"

#include <assert.h>

#include "api/boot/kernel_boot.h"
#include "sim/machine/strand.h"

double growth_scene_run(
    uint32_t processors, uint64_t size, void (*work)(void *scene))
{
    static struct growth_scene scene;
    const struct machine_config config = {.processors = processors,
        .groups =
            (processors + LIMIT_GROUP_PROCESSORS - 1) / LIMIT_GROUP_PROCESSORS,
        .pmu = pmu_models[MODEL_INTEL_V4]};
    enum machine_end end;
    bool ready;

    scene = (struct growth_scene){
        .driver = {.name = "bench"}, .size = size, .ns = -1};
    ready = machine_reserve(&scene.machine);
    assert(ready);
    (void)ready;
    machine_reset(&scene.machine, &config);
    scene.machine.trace.off = true;
    scene.machine.budget = UINT64_MAX;
    kernel_boot(&scene.kernel, &scene.machine, OS_WIN11, ARCH_X64);
    strand_spawn(machine_cpu(&scene.machine, 0), work, &scene, &scene.driver);
    end = machine_run(&scene.machine);
    assert(end == MACHINE_IDLE && scene.ns >= 0);
    (void)end;
    kernel_release(&scene.kernel);
    machine_release(&scene.machine);
    return scene.ns;
}

void *growth_scene_memory(struct growth_scene *scene, size_t bytes)
{
    void *memory = memory_alloc(&scene->machine.memory, bytes, 0);

    assert(memory != NULL);
    return memory;
}
