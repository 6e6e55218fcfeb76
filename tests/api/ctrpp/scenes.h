/* scenes.h - manifests as the reader would give them, each with a name: what is
 * generated of them is compiled (headers/NAME.c) and looked at. */
#ifndef TESTS_API_CTRPP_SCENES_H
#define TESTS_API_CTRPP_SCENES_H

#include "api/ctrpp/generate.h"

#define SCENE_GUID(last)                                                       \
    {                                                                          \
        0x5AF80A04, 0x2B1C, 0x4D3E,                                            \
        {                                                                      \
            0x8F, 0x01, 0, 0xA0, 0xC9, 0x11, 0x22, (last)                      \
        }                                                                      \
    }

#define SCENE_COUNTER(counter_id, counter_type, in, of)                        \
    {                                                                          \
        .id = (counter_id), .type = COUNTER_TYPE_##counter_type,               \
        .structure = (in), .field = (of)                                       \
    }

/* A schema 1.1 manifest of a kernel provider with those sets. */
#define SCENE_KERNEL(sets, count)                                              \
    {                                                                          \
        .schema = MANIFEST_SCHEMA_1_1, .guid = SCENE_GUID(0),                  \
        .kernel_mode = true, .resource_base = 1, .set = (sets),                \
        .set_count = (count)                                                   \
    }

struct scene {
    const char *name, *prefix;
    struct manifest manifest;
    bool backcompat;
};

enum { SCENE_MANY_SETS = 40, SCENE_MANY_COUNTERS = 30 };

/* Fills the sets of the last scene, whose texts are children of `context`, and
 * gives all of them. */
const struct scene *scenes_all(void *context, size_t *count);

/* The scene of that name. */
const struct scene *scene_find(void *context, const char *name);

#endif
