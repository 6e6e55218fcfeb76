/* growth_scene.h - a machine with Windows on which code of a driver runs,
 * without a trace. */
#ifndef TESTS_BENCH_GROWTH_SCENE_H
#define TESTS_BENCH_GROWTH_SCENE_H

#include <stddef.h>

#include "api/core/kernel.h"

struct growth_scene {
    struct machine machine;
    struct kernel kernel;
    struct driver driver;
    uint64_t size;
    double ns; /* what the work took; the work says so */
};

/* Runs work(scene) as code of a driver on processor 0 of so many, and returns
 * the ns that it left. */
double growth_scene_run(
    uint32_t processors, uint64_t size, void (*work)(void *scene));

/* Guest memory of so many bytes, all zero. */
void *growth_scene_memory(struct growth_scene *scene, size_t bytes);

#endif
