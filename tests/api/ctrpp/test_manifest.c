/* test_manifest.c - what a manifest says is what is read, whatever its encoding
 * (CTR-MAN-01, CTR-MAN-03b). */
#define _POSIX_C_SOURCE 200809L
#include "tests/api/ctrpp/manifest_scene.h"

static void read_file(struct manifest_scene *scene, const char *name)
{
    char path[4096];
    char *bytes = NULL;
    size_t size = 0;
    FILE *file;

    snprintf(path, sizeof(path), "%s/tests/manifests/%s", REPOSITORY, name);
    file = fopen(path, "rb");
    assert_non_null(file);
    bytes = malloc(1 << 20);
    assert_non_null(bytes);
    size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    scene_read(scene, bytes, size);
    free(bytes);
    assert_string_equal(scene_problems(scene), "");
    assert_non_null(scene->manifest);
}

static void provider_is_read(void **state)
{
    static const struct manifest_guid guid = {0x5A0D1F60, 0x4C3E, 0x4B59,
        {0x9F, 0x0E, 0x0C, 0x5D, 0x4A, 0x1B, 0x7E, 0x21}};
    struct manifest_scene scene;

    (void)state;
    read_file(&scene, "valid_1_1.man");
    assert_int_equal(scene.manifest->schema, MANIFEST_SCHEMA_1_1);
    assert_memory_equal(&scene.manifest->guid, &guid, sizeof(guid));
    assert_string_equal(scene.manifest->application_identity, "sampler.sys");
    assert_string_equal(scene.manifest->name, "Sampler");
    assert_null(scene.manifest->symbol);
    assert_true(scene.manifest->kernel_mode);
    assert_true(scene.manifest->custom_callback);
    assert_int_equal(scene.manifest->resource_base, 100);
    assert_int_equal(scene.manifest->place.line, 10);
    assert_int_equal(scene.manifest->place.column, 8);
    assert_int_equal(scene.manifest->place.width, 8);
    assert_int_equal(scene.manifest->set_count, 2);
    scene_release(&scene);
}

static void set_is_read(void **state)
{
    struct manifest_scene scene;
    const struct manifest_set *set;

    (void)state;
    read_file(&scene, "valid_1_1.man");
    set = &scene.manifest->set[0];
    assert_int_equal(set->guid.data1, 0x8E5E8A10);
    assert_string_equal(set->symbol, "Samples");
    assert_string_equal(set->uri, "Sampler.Samples");
    assert_string_equal(set->name, "Processor samples");
    assert_string_equal(set->description,
        "What the sampler counted on each processor & thread.");
    assert_false(set->name_id.given);
    assert_int_equal(set->instances, MANIFEST_MULTIPLE_AGGREGATE);
    assert_int_equal(set->structure_count, 2);
    assert_string_equal(set->structure[0].name, "Counts");
    assert_string_equal(set->structure[0].type, "SAMPLER_COUNTS");
    assert_string_equal(set->structure[1].name, "Times");
    assert_int_equal(set->counter_count, 3);
    assert_int_equal(scene.manifest->set[1].instances, MANIFEST_SINGLE);
    scene_release(&scene);
}

static void counter_is_read(void **state)
{
    struct manifest_scene scene;
    const struct manifest_counter *counter;

    (void)state;
    read_file(&scene, "valid_1_1.man");
    counter = manifest_counter_by_id(&scene.manifest->set[0], 0);
    assert_non_null(counter);
    assert_int_equal(counter->type, COUNTER_TYPE_BULK_COUNT);
    assert_string_equal(counter->symbol, "SamplesTaken");
    assert_int_equal(counter->default_scale, -2); /* A23 */
    assert_int_equal(counter->aggregate, MANIFEST_SUM);
    assert_false(counter->advanced);
    assert_false(counter->base_id.given);
    assert_int_equal(counter->attributes, 0);
    assert_int_equal(counter->structure, 0);
    assert_string_equal(counter->field, "Taken");
    counter = manifest_counter_by_id(&scene.manifest->set[0], 1);
    assert_true(counter->advanced);
    assert_true(counter->base_id.given);
    assert_int_equal(counter->base_id.value, 2);
    assert_int_equal(
        counter->attributes, MANIFEST_REFERENCE | MANIFEST_DISPLAY_AS_REAL);
    assert_int_equal(counter->structure, 1);
    assert_null(manifest_counter_by_id(&scene.manifest->set[0], 3));
    scene_release(&scene);
}

/* A19: a counter that is not displayed has no name. */
static void counter_without_a_name(void **state)
{
    struct manifest_scene scene;
    const struct manifest_counter *counter;

    (void)state;
    read_file(&scene, "valid_1_1.man");
    counter = manifest_counter_by_id(&scene.manifest->set[0], 2);
    assert_null(counter->name);
    assert_null(counter->description);
    assert_int_equal(counter->attributes, MANIFEST_NO_DISPLAY);
    scene_release(&scene);
}

/* CTR-MAN-03b, CTR-MAN-03c: the only struct is that of counters that name
 * none. CTR-MAN-01: a number in hex. */
static void only_struct_is_meant(void **state)
{
    struct manifest_scene scene;
    const struct manifest_counter *counter;

    (void)state;
    read_file(&scene, "valid_1_1.man");
    counter = &scene.manifest->set[1].counter[0];
    assert_int_equal(counter->id, 63);
    assert_int_equal(counter->structure, 0);
    assert_string_equal(counter->field, "Used");
    scene_release(&scene);
}

static void schema_2_0_is_read(void **state)
{
    struct manifest_scene scene;
    const struct manifest_counter *counter;

    (void)state;
    read_file(&scene, "valid_2_0.man");
    assert_int_equal(scene.manifest->schema, MANIFEST_SCHEMA_2_0);
    assert_string_equal(scene.manifest->name, "Counters");
    assert_string_equal(scene.manifest->symbol, "");
    assert_false(scene.manifest->custom_callback);
    assert_int_equal(scene.manifest->set[0].name_id.value, 2);
    assert_int_equal(scene.manifest->set[0].description_id.value, 4);
    counter = &scene.manifest->set[0].counter[0];
    assert_true(counter->name_id.given);
    assert_int_equal(counter->name_id.value, 6);
    assert_int_equal(counter->description_id.value, 8);
    assert_int_equal(counter->perf_time_id.value, 2);
    assert_int_equal(counter->perf_freq_id.value, 3);
    assert_false(counter->multi_counter_id.given);
    scene_release(&scene);
}

/* The text of a set in each encoding, as UTF-8. */
static struct encoding_row {
    const char *name, *file;
    const char *want_name, *want_description;
} encoding_rows[] = {
    {"utf8_with_a_mark", "valid_utf8_mark.man", "Clock",
        "Wie lange \xE2\x80\x93 gr\xC3\xB6\xC3\x9F"
        "er"},
    {"latin1_as_declared", "valid_latin1.man", "Clock",
        "Gr\xC3\xB6\xC3\x9F"
        "e"},
    {"utf16_with_a_pair_of_surrogates", "valid_utf16.man",
        "Proben je Prozessor \xE2\x80\x93 gr\xC3\xB6\xC3\x9F"
        "er \xF0\x9F\x99\x82",
        "What the sampler counted on each processor & thread."},
    {"utf16_of_the_other_order", "valid_utf16_big.man", "Clock", "How long."},
};

static void encoding_row(void **state)
{
    const struct encoding_row *row = *state;
    struct manifest_scene scene;

    read_file(&scene, row->file);
    assert_string_equal(scene.manifest->set[0].name, row->want_name);
    assert_string_equal(
        scene.manifest->set[0].description, row->want_description);
    scene_release(&scene);
}

TEST_FILE(test_manifest)
{
    test_add(list, "provider_is_read", provider_is_read, NULL);
    test_add(list, "set_is_read", set_is_read, NULL);
    test_add(list, "counter_is_read", counter_is_read, NULL);
    test_add(list, "counter_without_a_name", counter_without_a_name, NULL);
    test_add(list, "only_struct_is_meant", only_struct_is_meant, NULL);
    test_add(list, "schema_2_0_is_read", schema_2_0_is_read, NULL);
    TEST_ADD_ROWS(list, encoding_row, encoding_rows);
}
