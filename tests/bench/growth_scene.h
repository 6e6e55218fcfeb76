/* growth_scene.h - Windows on a machine, and what a growth is measured of. */
#ifndef TESTS_BENCH_GROWTH_SCENE_H
#define TESTS_BENCH_GROWTH_SCENE_H

#include <stdint.h>

#include "tests/bench/kernel_scene.h"

struct growth_scene {
    struct kernel_scene booted;
    uint64_t size;
    double ns; /* what the work took; the work says so */
};

/* Runs work(scene) as code of a driver on processor 0 of so many, and returns
 * the ns that it left. */
double growth_scene_run(
    uint32_t processors, uint64_t size, void (*work)(void *scene));

#endif
