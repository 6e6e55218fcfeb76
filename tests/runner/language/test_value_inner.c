/* test_value_inner.c - counted texts, and blocks behind the pointers inside of
 * structures: where they lie and what they hold (docs/scenarios.md). */
#define _POSIX_C_SOURCE 200809L
#include "api/nt/nt.h"
#include "scenarios/runner/language/value.h"
#include "sim/machine/machine.h"
#include "tests/runner/language/values_scope.h"

struct inner_scene {
    struct machine machine;
    struct values_scope values;
    struct value_block block;
};

/* Checks the value, then makes it. */
static void scene_init(
    struct inner_scene *scene, const char *text, enum nt_type type, bool array)
{
    const struct machine_config config = {
        .processors = 1, .groups = 1, .pmu = pmu_models[MODEL_INTEL_V2]};
    const struct node *node;

    *scene = (struct inner_scene){.block = {.size = 0}};
    assert_true(machine_reserve(&scene->machine));
    machine_reset(&scene->machine, &config);
    scope_init(&scene->values, text);
    node = text_file_tree(&scene->values.file);
    assert_true(value_block(&scene->values.scope, scene->values.file.memory,
        node, type, array, &scene->block));
    text_file_assert_errors(&scene->values.file, "");
    scope_run(&scene->values);
    scene->values.scope.memory = &scene->machine.memory;
    assert_true(value_block(&scene->values.scope, scene->values.file.memory,
        node, type, array, &scene->block));
}

static void scene_release(struct inner_scene *scene)
{
    scope_release(&scene->values);
    machine_release(&scene->machine);
}

static const UNICODE_STRING *string_at(
    const struct inner_scene *scene, size_t n)
{
    return (const UNICODE_STRING *)(const void *)(scene->block.bytes +
                                                  n * sizeof(UNICODE_STRING));
}

/* A block of its own, which ends at its last byte. */
static void assert_block(
    const struct inner_scene *scene, const void *at, size_t size)
{
    const struct memory_block *block = memory_find(&scene->machine.memory, at);

    assert_non_null(block);
    assert_ptr_equal(block->start, at);
    assert_int_equal(block->size, size);
}

static struct text_row {
    const char *name;
    const char *text;
    enum nt_type type;
    size_t want_bytes;
    uint8_t want[8];
} text_rows[] = {
    {"plain_text", "ab", NT_UNICODE_STRING, 4, {0x61, 0, 0x62, 0}},
    {"text_in_quotes", "\"a b\"", NT_UNICODE_STRING, 6,
        {0x61, 0, 0x20, 0, 0x62, 0}},
    {"quoted_null_is_text", "\"null\"", NT_UNICODE_STRING, 8,
        {0x6E, 0, 0x75, 0, 0x6C, 0, 0x6C, 0}},
    {"quoted_name_is_text", "\"$h\"", NT_UNICODE_STRING, 4, {0x24, 0, 0x68, 0}},
    {"digits_are_text", "16", NT_UNICODE_STRING, 4, {0x31, 0, 0x36, 0}},
    {"character_of_two_bytes_of_utf8", "\xC3\xBC", NT_UNICODE_STRING, 2,
        {0xFC, 0}},
    {"character_of_three_bytes_of_utf8", "\xE2\x82\xAC", NT_UNICODE_STRING, 2,
        {0xAC, 0x20}},
    {"character_of_four_bytes_is_a_pair", "\xF0\x9F\x98\x80", NT_UNICODE_STRING,
        4, {0x3D, 0xD8, 0x00, 0xDE}},
    {"bytes_of_a_string", "\"abc\"", NT_STRING, 3, {0x61, 0x62, 0x63}},
    {"empty_text", "\"\"", NT_UNICODE_STRING, 0, {0}},
};

static void text_row(void **state)
{
    const struct text_row *row = *state;
    struct inner_scene scene;
    const UNICODE_STRING *string;

    scene_init(&scene, row->text, row->type, false);
    string = string_at(&scene, 0);
    assert_int_equal(scene.block.size, 16);
    assert_int_equal(string->Length, row->want_bytes);
    assert_int_equal(string->MaximumLength, row->want_bytes);
    assert_non_null(string->Buffer);
    assert_memory_equal(string->Buffer, row->want, row->want_bytes);
    if (row->want_bytes > 0) {
        assert_block(&scene, string->Buffer, row->want_bytes);
    }
    scene_release(&scene);
}

static void member_is_a_text(void **state)
{
    struct inner_scene scene;
    DRIVER_EXTENSION extension;

    (void)state;
    scene_init(
        &scene, "{Count: 3, ServiceKeyName: key}", NT_DRIVER_EXTENSION, false);
    memcpy(&extension, scene.block.bytes, sizeof(extension));
    assert_int_equal(extension.Count, 3);
    assert_int_equal(extension.ServiceKeyName.Length, 6);
    assert_memory_equal(extension.ServiceKeyName.Buffer, "k\0e\0y\0", 6);
    scene_release(&scene);
}

/* Each element of a repeat has a block of its own. */
static void repeated_structures_have_blocks_each(void **state)
{
    struct inner_scene scene;

    (void)state;
    scene_init(&scene,
        "{repeat: 3, item: {Length: $i, Buffer: {buffer: $count}}}",
        NT_UNICODE_STRING, true);
    assert_int_equal(scene.block.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(string_at(&scene, i)->Length, i);
        assert_block(&scene, string_at(&scene, i)->Buffer, 3);
        assert_memory_equal(string_at(&scene, i)->Buffer, "\xA5\xA5\xA5", 3);
    }
    assert_ptr_not_equal(
        string_at(&scene, 0)->Buffer, string_at(&scene, 1)->Buffer);
    scene_release(&scene);
}

static struct pointer_row {
    const char *name;
    const char *text;
    uint64_t want;
} pointer_rows[] = {
    {"pointer_that_is_left_out", "{Length: 2}", 0},
    {"null_pointer", "{Buffer: null}", 0},
    {"wild_address", "{Buffer: {at: 0x10}}", 0x10},
    {"number_is_an_address", "{Buffer: 0x20}", 0x20},
};

static void pointer_row(void **state)
{
    const struct pointer_row *row = *state;
    struct inner_scene scene;

    scene_init(&scene, row->text, NT_UNICODE_STRING, false);
    assert_int_equal((uintptr_t)string_at(&scene, 0)->Buffer, row->want);
    scene_release(&scene);
}

static void bytes_are_as_they_are_written(void **state)
{
    struct inner_scene scene;

    (void)state;
    scene_init(&scene, "{Length: 8, Buffer: {bytes: [1, 2, 0xFF]}}",
        NT_UNICODE_STRING, false);
    assert_int_equal(string_at(&scene, 0)->Length, 8);
    assert_block(&scene, string_at(&scene, 0)->Buffer, 3);
    assert_memory_equal(string_at(&scene, 0)->Buffer, "\x01\x02\xFF", 3);
    scene_release(&scene);
}

static void bad_block_is_bad(void **state)
{
    struct inner_scene scene;

    (void)state;
    scene_init(&scene, "{Buffer: {value: {buffer: 8}, but: short}}",
        NT_UNICODE_STRING, false);
    assert_block(&scene, string_at(&scene, 0)->Buffer, 7);
    scene_release(&scene);
}

/* `length` times the letter a, of which each takes two bytes. */
static void long_text(size_t length, const char *want)
{
    char *text = talloc_zero_array(NULL, char, (unsigned)length + 1);
    struct values_scope made;
    struct value_block block;

    memset(text, 'a', length);
    scope_init(&made, text);
    assert_int_equal(
        value_block(&made.scope, made.file.memory, text_file_tree(&made.file),
            NT_UNICODE_STRING, false, &block),
        want[0] == '\0');
    text_file_assert_errors(&made.file, want);
    scope_release(&made);
    talloc_free(text);
}

static void longest_text(void **state)
{
    (void)state;
    long_text(32767, "");
}

static void text_that_is_too_long(void **state)
{
    (void)state;
    long_text(32768, "t.yaml:1:1: error[NTP0109]: a counted text has at most "
                     "65534 bytes, and this has 65536\n");
}

static void string_of_bytes_is_ascii(void **state)
{
    struct values_scope made;
    struct value_block block;

    (void)state;
    scope_init(&made, "\"\xC3\xBC\"");
    assert_false(value_block(&made.scope, made.file.memory,
        text_file_tree(&made.file), NT_STRING, false, &block));
    text_file_assert_errors(&made.file,
        "t.yaml:1:1: error[NTP0205]: a text of bytes has ASCII characters "
        "only");
    scope_release(&made);
}

static void used_up_memory_is_a_failure_of_the_step(void **state)
{
    struct inner_scene scene;
    struct value_block block;

    (void)state;
    scene_init(&scene, "ab", NT_UNICODE_STRING, false);
    while (memory_alloc(&scene.machine.memory, 1 << 20, 0) != NULL) {
    }
    while (memory_alloc(&scene.machine.memory, 1, 0) != NULL) {
    }
    assert_false(value_block(&scene.values.scope, scene.values.file.memory,
        text_file_tree(&scene.values.file), NT_UNICODE_STRING, false, &block));
    assert_string_equal(scene.values.scope.failure,
        "the scenario has used up the guest's memory");
    scene_release(&scene);
}

TEST_FILE(test_value_inner)
{
    TEST_ADD_ROWS(list, text_row, text_rows);
    TEST_ADD_ROWS(list, pointer_row, pointer_rows);
    test_add(list, "member_is_a_text", member_is_a_text, NULL);
    test_add(list, "repeated_structures_have_blocks_each",
        repeated_structures_have_blocks_each, NULL);
    test_add(list, "bytes_are_as_they_are_written",
        bytes_are_as_they_are_written, NULL);
    test_add(list, "bad_block_is_bad", bad_block_is_bad, NULL);
    test_add(list, "longest_text", longest_text, NULL);
    test_add(list, "text_that_is_too_long", text_that_is_too_long, NULL);
    test_add(list, "string_of_bytes_is_ascii", string_of_bytes_is_ascii, NULL);
    test_add(list, "used_up_memory_is_a_failure_of_the_step",
        used_up_memory_is_a_failure_of_the_step, NULL);
}
