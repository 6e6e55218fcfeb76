/* native_scene.h - a driver's image on a booted kernel, whose functions a test
 * calls by name. */
#ifndef TESTS_API_IMAGE_NATIVE_SCENE_H
#define TESTS_API_IMAGE_NATIVE_SCENE_H

#include <stdio.h>
#include <stdlib.h>

#include "api/core/place.h"
#include "api/image/guest.h"
#include "api/image/image.h"
#include "api/image/native.h"
#include "api/image/trap.h"
#include "api/ke/code.h"
#include "tests/api/booted_kernel.h"

/* Where the build puts drivers; a test program is told. */
#ifndef NATIVE_DRIVERS
#define NATIVE_DRIVERS "."
#endif

struct native_scene {
    struct booted_kernel booted;
    uint8_t *bytes;
    size_t size;
    struct image *image;
    uint64_t address; /* of the function that is called */
    uint64_t argument[CODE_ARGUMENTS];
    uint64_t result;
};

static inline void native_read_file(
    struct native_scene *scene, const char *path)
{
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    scene->size = (size_t)ftell(file);
    rewind(file);
    scene->bytes = malloc(scene->size);
    assert_non_null(scene->bytes);
    assert_int_equal(fread(scene->bytes, 1, scene->size, file), scene->size);
    fclose(file);
}

/* The image of the directory that the build names, on a version of Windows. */
static inline void native_init_os(
    struct native_scene *scene, const char *name, enum os os)
{
    struct pe_problems problems;
    char path[512];

    snprintf(path, sizeof(path), "%s/%s", NATIVE_DRIVERS, name);
    native_read_file(scene, path);
    booted_init(&scene->booted, os, ARCH_X64, 2, 1);
    assert_true(trap_install());
    scene->image = image_load(&scene->booted.kernel, name,
        &scene->booted.driver, scene->bytes, scene->size, NULL, &problems);
    for (size_t i = 0; i < problems.count; i++) {
        print_error("%s\n", problems.item[i].text);
    }
    assert_non_null(scene->image);
}

static inline void native_init(struct native_scene *scene, const char *name)
{
    native_init_os(scene, name, OS_WIN11);
}

static inline void native_release(struct native_scene *scene)
{
    trap_remove();
    booted_release(&scene->booted);
    free(scene->bytes);
}

static inline void native_run(void *argument)
{
    struct native_scene *scene = argument;

    scene->result =
        code_call(&scene->booted.kernel, scene->address, scene->argument);
}

static inline void native_prepare_call(struct native_scene *scene,
    const char *function, uint64_t first, uint64_t second)
{
    uint32_t rva;

    assert_true(symbols_find(pe_symbols(&scene->image->pe), function, &rva));
    scene->address = (uintptr_t)scene->image->base + rva;
    scene->argument[0] = first;
    scene->argument[1] = second;
    scene->result = 0xDEAD;
}

/* What stopped the machine, for whoever reads a failing test. */
static inline void native_show_stop(struct native_scene *scene)
{
    struct kernel *kernel = &scene->booted.kernel;
    char place[PLACE_BYTES];

    for (size_t i = 0; i < kernel->rules.count; i++) {
        place_name(kernel, kernel->rules.event[i].place, place, sizeof(place));
        print_error(
            "%s at %s\n", rule_rows[kernel->rules.event[i].rule].id, place);
    }
    print_error("%s\n", kernel->end.reason);
}

/* Calls function(first, second) to its end and returns its result. */
static inline uint64_t native_call(struct native_scene *scene,
    const char *function, uint64_t first, uint64_t second)
{
    native_prepare_call(scene, function, first, second);
    booted_spawn(&scene->booted, 0, native_run, scene);
    if (machine_run(&scene->booted.machine) != MACHINE_IDLE) {
        native_show_stop(scene);
        fail();
    }
    return scene->result;
}

/* The same for a function that stops the machine. */
static inline void native_call_to_stop(struct native_scene *scene,
    const char *function, uint64_t first, uint64_t second)
{
    native_prepare_call(scene, function, first, second);
    booted_run_to_stop(&scene->booted, 0, native_run, scene);
}

#endif
