/* scenes.c - the manifests of scenes.h. */
#include "tests/api/ctrpp/scenes.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

static struct manifest_counter wave_counters[] = {
    {.id = 1,
        .type = COUNTER_TYPE_RAWCOUNT,
        .name = "Triangle",
        .description = "A triangle wave.",
        .symbol = "KCS_TRIANGLE",
        .field = "Triangle"},
    {.id = 7,
        .type = COUNTER_TYPE_LARGE_RAWCOUNT,
        .name = "Square",
        .description = "A square wave.",
        .symbol = "KCS_SQUARE",
        .field = "Square"},
};

static struct manifest_struct wave_structs[] = {
    {.name = "Values", .type = "WAVE_VALUES"},
};

static struct manifest_set wave_sets[] = {
    {.guid = SCENE_GUID(1),
        .symbol = "GeometricWave",
        .name = "Geometric Waves",
        .description = "Waves of a few shapes.",
        .structure = wave_structs,
        .structure_count = 1,
        .counter = wave_counters,
        .counter_count = 2},
};

static struct manifest_counter device_counters[] = {
    SCENE_COUNTER(0, COUNTER, 2, "Reads"),
    SCENE_COUNTER(3, BULK_COUNT, 0, "Bytes[1]"),
    SCENE_COUNTER(65535, LARGE_DELTA, 1, "Inner.Delta"),
    SCENE_COUNTER(2, TEXT, 2, "Text"),
};

static struct manifest_struct device_structs[] = {
    {.name = "Totals", .type = "DEVICE_TOTALS"},
    {.name = "Details", .type = "DEVICE_DETAILS"},
    {.name = "State", .type = "DEVICE_STATE"},
};

static struct manifest_set device_sets[] = {
    {.guid = SCENE_GUID(2),
        .symbol = "MyDevice",
        .name = "My Device",
        .description = "What it does.",
        .structure = device_structs,
        .structure_count = 3,
        .counter = device_counters,
        .counter_count = 4},
};

/* Whatever a generated function calls something by itself. */
static struct manifest_counter awkward_counters[] = {
    {.id = 5,
        .type = COUNTER_TYPE_RAWCOUNT,
        .name = "\"50%\" \\ Z\xC3\xA4hler ?\?/",
        .structure = 0,
        .field = "Name"},
    SCENE_COUNTER(6, RAWCOUNT, 1, "Name"),
    SCENE_COUNTER(8, RAWCOUNT, 2, "Name"),
};

static struct manifest_struct awkward_structs[] = {
    {.name = "Name", .type = "Name"},
    {.name = "Data", .type = "Data"},
    {.name = "int", .type = "Context"},
    {.name = "Instance", .type = "Name"},
    {.name = "Instance_", .type = "Name"},
    {.name = "Id", .type = "Name"},
    {.name = "NULL", .type = "Name"},
    {.name = "Information", .type = "Name"},
    {.name = "_", .type = "Name"},
    {.name = "", .type = "Name"},
    {.name = "Part", .type = "MyBuffer"},
};

static struct manifest_set awkward_sets[] = {
    {.guid = SCENE_GUID(3),
        .symbol = "Information",
        .name = "\xF0\x9F\x98\x80 \"?\?/\" \\n */ /* %d {\xC3\xA4}\tx",
        .description = "\\",
        .structure = awkward_structs,
        .structure_count = sizeof(awkward_structs) / sizeof(awkward_structs[0]),
        .counter = awkward_counters,
        .counter_count = 3},
};

/* A structure is called as each word that generated code or a Windows header
 * has. */
static struct manifest_struct reserved_structs[] = {
#define RESERVED_WORD(kind, word) {.name = word, .type = "RESERVED_BLOCK"},
#include "api/ctrpp/reserved_words.def"
};

static struct manifest_counter reserved_counters[] = {
    SCENE_COUNTER(1, RAWCOUNT, 0, "Value"),
};

static struct manifest_set reserved_sets[] = {
    {.guid = SCENE_GUID(4),
        .symbol = "Reserved",
        .name = "Reserved",
        .description = "Words.",
        .structure = reserved_structs,
        .structure_count =
            sizeof(reserved_structs) / sizeof(reserved_structs[0]),
        .counter = reserved_counters,
        .counter_count = 1},
};

static struct manifest_struct many_structs[] = {
    {.name = "Block", .type = "MANY_BLOCK"},
};

static struct manifest_set many_sets[SCENE_MANY_SETS];

static struct scene scenes[] = {
    {"one_struct", "Kcs", SCENE_KERNEL(wave_sets, 1), false},
    {"three_structs", "", SCENE_KERNEL(device_sets, 1), false},
    {"awkward", "", SCENE_KERNEL(awkward_sets, 1), false},
    {"reserved", "", SCENE_KERNEL(reserved_sets, 1), false},
    {"reserved_backcompat", "", SCENE_KERNEL(reserved_sets, 1), true},
    {"no_sets", "", SCENE_KERNEL(NULL, 0), false},
    {"many", "p_", SCENE_KERNEL(many_sets, SCENE_MANY_SETS), false},
    {"backcompat", "Kcs", SCENE_KERNEL(wave_sets, 1), true},
};

static void fill_set(void *context, size_t index)
{
    struct manifest_set *set = &many_sets[index];

    *set = (struct manifest_set){.guid = SCENE_GUID((uint8_t)(0x10 + index)),
        .symbol = talloc_asprintf(context, "Set%zu", index),
        .name = talloc_asprintf(context, "Set %zu", index),
        .description = "One of many.",
        .structure = many_structs,
        .structure_count = 1,
        .counter = talloc_zero_array(
            context, struct manifest_counter, SCENE_MANY_COUNTERS),
        .counter_count = SCENE_MANY_COUNTERS};
    assert(set->symbol != NULL && set->name != NULL && set->counter != NULL);
    for (uint32_t i = 0; i < SCENE_MANY_COUNTERS; i++) {
        set->counter[i] =
            (struct manifest_counter)SCENE_COUNTER(i, LARGE_RAWCOUNT, 0, NULL);
        set->counter[i].field = talloc_asprintf(context, "Value[%u]", i);
    }
}

const struct scene *scenes_all(void *context, size_t *count)
{
    for (size_t i = 0; i < SCENE_MANY_SETS; i++) {
        fill_set(context, i);
    }
    *count = sizeof(scenes) / sizeof(scenes[0]);
    return scenes;
}

const struct scene *scene_find(void *context, const char *name)
{
    size_t count;
    const struct scene *all = scenes_all(context, &count);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].name, name) == 0) {
            return &all[i];
        }
    }
    assert(false && "no such scene");
    return NULL;
}
