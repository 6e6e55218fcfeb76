/* kernel_scene.h - Windows on a machine, without a trace, and a driver whose
 * code is measured on it. What cannot fail here is asserted. */
#ifndef TESTS_BENCH_KERNEL_SCENE_H
#define TESTS_BENCH_KERNEL_SCENE_H

#include <stddef.h>
#include <stdint.h>

#include "api/core/kernel.h"

struct kernel_scene {
    struct machine machine;
    struct kernel kernel;
    struct driver driver;
};

/* Boots Windows 11 on so many processors. No budget ends what it runs. */
void kernel_scene_init(
    struct kernel_scene *scene, uint32_t processors, enum model model);
void kernel_scene_release(struct kernel_scene *scene);

/* Guest memory of so many bytes, all zero. */
void *kernel_scene_memory(struct kernel_scene *scene, size_t bytes);

/* Makes function(argument) a thread of the driver's on that processor. */
void kernel_scene_spawn(struct kernel_scene *scene, uint32_t processor,
    void (*function)(void *argument), void *argument);

/* Runs the threads to their ends. */
void kernel_scene_run(struct kernel_scene *scene);

#endif
