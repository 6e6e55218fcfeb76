/* test_cm_relative.c - RtlWriteRegistryValue and its kin where a scenario does
 * not get: no room for a key or its value, the longest name of a value, memory
 * that is not there (REG-11a to REG-11e). */
#include "api/boot/exports.h"
#include "api/cm/registry.h"

#include "tests/api/booted_kernel.h"

enum { SERVICES = 1, LONGEST = 16383 };

/* A call of one of the routines about Services\Mill, and what came of it. */
struct relative_scene {
    struct booted_kernel booted;
    const struct relative_row *row;
    WCHAR *path, *name;
    ULONG length;
    const void *data;
    NTSTATUS status;
    struct exception_record record;
    bool raised;
};

struct relative_row {
    const char *name;
    void (*prepare)(struct relative_scene *scene);
    NTSTATUS (*call)(struct relative_scene *scene);
    NTSTATUS want_status;
    bool want_key, want_value, want_raised;
};

static WCHAR *text(struct relative_scene *scene, const char *from)
{
    size_t length = strlen(from) + 1;
    WCHAR *to = booted_block(&scene->booted, length * sizeof(WCHAR), 0);

    for (size_t i = 0; i < length; i++) {
        to[i] = (uint8_t)from[i];
    }
    return to;
}

static NTSTATUS write_value(struct relative_scene *scene)
{
    return RtlWriteRegistryValue(SERVICES, scene->path, scene->name, 3,
        (PVOID)(uintptr_t)scene->data, scene->length);
}

static NTSTATUS delete_value(struct relative_scene *scene)
{
    return RtlDeleteRegistryValue(SERVICES, scene->path, scene->name);
}

static NTSTATUS create_key(struct relative_scene *scene)
{
    return RtlCreateRegistryKey(SERVICES, scene->path);
}

/* It is written before. */
static NTSTATUS delete_written(struct relative_scene *scene)
{
    assert_int_equal(write_value(scene), STATUS_SUCCESS);
    return delete_value(scene);
}

static NTSTATUS delete_of_key(struct relative_scene *scene)
{
    assert_int_equal(create_key(scene), STATUS_SUCCESS);
    return delete_value(scene);
}

static void nothing_else(struct relative_scene *scene)
{
    (void)scene;
}

/* The arena has its reserve left, which is not for guests, and this. */
static void leave(struct relative_scene *scene, size_t bytes)
{
    struct arena *arena = &scene->booted.machine.arena;

    arena->reserve = arena->limit - arena->used - bytes;
}

static void no_room(struct relative_scene *scene)
{
    leave(scene, 0);
}

/* For the key and its name. */
static void room_for_the_key(struct relative_scene *scene)
{
    leave(scene, sizeof(struct registry_key) + 64);
}

static void name_of(struct relative_scene *scene, size_t length)
{
    scene->name =
        booted_block(&scene->booted, (length + 1) * sizeof(WCHAR), 'a');
    scene->name[length] = 0;
}

static void longest_name(struct relative_scene *scene)
{
    name_of(scene, LONGEST);
}

static void name_too_long(struct relative_scene *scene)
{
    name_of(scene, LONGEST + 1);
}

static void data_too_short(struct relative_scene *scene)
{
    scene->data = booted_block(&scene->booted, 4096, 7);
    scene->length = 4097;
}

static void largest_data(struct relative_scene *scene)
{
    scene->length = 1 << 20;
    scene->data = booted_block(&scene->booted, scene->length, 7);
}

static struct relative_row relative_rows[] = {
    {"value_is_written", nothing_else, write_value, 0, true, true, false},
    {"key_is_made", nothing_else, create_key, 0, true, false, false},
    {"no_room_for_a_key", no_room, create_key, (NTSTATUS)0xC000009A, false,
        false, false},
    {"no_room_for_a_key_of_a_value", no_room, write_value, (NTSTATUS)0xC000009A,
        false, false, false},
    {"no_room_for_a_value", room_for_the_key, write_value, (NTSTATUS)0xC000009A,
        true, false, false},
    {"longest_name", longest_name, write_value, 0, true, true, false},
    {"name_too_long", name_too_long, write_value, (NTSTATUS)0xC000000D, false,
        false, false},
    {"largest_data", largest_data, write_value, 0, true, true, false},
    {"data_too_short", data_too_short, write_value, 0, false, false, true},
    {"longest_name_is_deleted", longest_name, delete_written, 0, true, false,
        false},
    {"name_too_long_to_delete", name_too_long, delete_of_key,
        (NTSTATUS)0xC000000D, true, false, false},
    {"nothing_to_delete", nothing_else, delete_value, (NTSTATUS)0xC0000034,
        false, false, false},
};

static void call(void *argument)
{
    struct relative_scene *scene = argument;

    scene->status = scene->row->call(scene);
}

static void run(void *argument)
{
    struct relative_scene *scene = argument;

    registry_root(&scene->booted.kernel);
    scene->path = text(scene, "Mill");
    scene->name = text(scene, "Speed");
    scene->data = text(scene, "abc");
    scene->length = 8;
    RtlCheckRegistryKey(SERVICES, scene->path); /* what it keeps for itself */
    scene->row->prepare(scene);
    scene->raised = booted_catch(call, scene, &scene->record);
}

static void relative_row(void **state)
{
    struct relative_scene scene = {.row = *state};
    const struct relative_row *row = scene.row;
    const struct registry_key *key;

    booted_init_usual(&scene.booted);
    booted_run(&scene.booted, 0, run, &scene);
    assert_int_equal(scene.raised, row->want_raised);
    assert_int_equal(scene.status, row->want_status);
    key = registry_find_path(registry_root(&scene.booted.kernel),
        "machine\\system\\currentcontrolset\\services\\mill");
    assert_int_equal(key != NULL, row->want_key);
    assert_int_equal(
        key != NULL && registry_nth_value(key, 0) != NULL, row->want_value);
    booted_release(&scene.booted);
}

TEST_FILE(test_cm_relative)
{
    TEST_ADD_ROWS(list, relative_row, relative_rows);
}
