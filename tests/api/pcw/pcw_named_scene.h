/* pcw_named_scene.h - a counter set without counters, whose callback adds
 * instances of these names and ids. */
#ifndef TESTS_API_PCW_PCW_NAMED_SCENE_H
#define TESTS_API_PCW_PCW_NAMED_SCENE_H

#include "tests/api/pcw/pcw_scene.h"

struct scene {
    struct booted_kernel booted;
    struct pcw_provider provider;
    struct pcw_consumer consumer;
    uint64_t registration;
};

/* A set without counters. */
static inline void scene_init(struct scene *scene)
{
    const struct pcw_set set = {.name = PCW_TEXT(u"Disk"),
        .callback = pcw_callback_of_scene,
        .context = &scene->provider};

    *scene = (struct scene){.registration = 0};
    booted_init_usual(&scene->booted);
    scene->consumer = pcw_consumer_of(&scene->booted, PCW_TEXT(u"Disk"));
    scene->registration = pcw_register(&scene->booted, &set);
}

/* An instance: its name and id. */
struct named {
    struct pcw_text name;
    ULONG id;
};

#define NAMED(literal, id)                                                     \
    {                                                                          \
        PCW_TEXT_ROW(literal), (id)                                            \
    }
#define END                                                                    \
    {                                                                          \
        {NULL, 0}, 0                                                           \
    }

enum { INSTANCES = 6 };

/* What the callback adds from now on. */
static inline void plan(struct scene *scene, const struct named *named)
{
    scene->provider.adds = 0;
    for (unsigned i = 0; i < INSTANCES && named[i].name.at != NULL; i++) {
        pcw_provider_add(&scene->provider,
            pcw_name(&scene->booted, named[i].name), named[i].id, 0, NULL);
    }
}

#endif
