/* driver_scene.h - a driver of tests/bench/drivers on a machine of its own,
 * without a trace. What cannot fail here is asserted. */
#ifndef TESTS_BENCH_DRIVER_SCENE_H
#define TESTS_BENCH_DRIVER_SCENE_H

#include <stddef.h>
#include <stdint.h>

#include "api/core/kernel.h"

struct image;

struct driver_scene {
    struct machine machine;
    struct kernel kernel;
    struct driver driver;
    uint8_t *bytes; /* the file */
    size_t size;
};

/* Boots Windows and reads the file; the image is not loaded yet. */
void driver_scene_init(struct driver_scene *scene, const char *file);
void driver_scene_release(struct driver_scene *scene);

struct image *driver_scene_load(struct driver_scene *scene);

/* Runs function(argument) as code of the driver's thread, to its end. */
void driver_scene_run(struct driver_scene *scene,
    void (*function)(void *argument), void *argument);

/* Loads the file and returns the nanoseconds that function(count, argument) of
 * the driver took for each of `count`, which it did before for a tenth. */
double driver_scene_time(
    const char *file, const char *function, uint64_t count, uint64_t argument);

/* The same with a trace, whose lines are made and thrown away. */
double driver_scene_traced_time(
    const char *file, const char *function, uint64_t count, uint64_t argument);

#endif
