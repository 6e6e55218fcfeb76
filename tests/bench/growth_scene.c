/* growth_scene.c - the machine that growths are measured on. */
#include "tests/bench/growth_scene.h"

#include <assert.h>

double growth_scene_run(
    uint32_t processors, uint64_t size, void (*work)(void *scene))
{
    static struct growth_scene scene;

    scene = (struct growth_scene){.size = size, .ns = -1};
    kernel_scene_init(&scene.booted, processors, MODEL_INTEL_V4);
    kernel_scene_spawn(&scene.booted, 0, work, &scene);
    kernel_scene_run(&scene.booted);
    assert(scene.ns >= 0);
    kernel_scene_release(&scene.booted);
    return scene.ns;
}
