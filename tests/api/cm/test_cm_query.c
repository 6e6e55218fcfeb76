/* test_cm_query.c - RtlQueryRegistryValues where a scenario does not get: bad
 * pointers in a table, memory that runs out, strings that are too long, and
 * routines that change the key (REG-10b to REG-10k). */
#include "api/boot/exports.h"
#include "api/cm/registry.h"
#include "api/ex/pool.h"

#include "tests/api/booted_kernel.h"

enum { ENTRIES = 3, DIRECT = 0x20, DELETES = 0x40, UNTOUCHED = 0x55 };

/* A call of the routine, about Machine\Software, and what came of it. */
struct query_scene {
    struct booted_kernel booted;
    const struct query_row *row;
    struct registry_key *key;
    RTL_QUERY_REGISTRY_TABLE *table; /* the driver's */
    WCHAR *path;
    void *environment;
    NTSTATUS status;
    unsigned calls;
    ULONG length;
    struct exception_record record;
    bool raised;
    uint8_t *behind; /* nothing is written there; NULL: nobody looks */
};

struct query_row {
    const char *name;
    void (*prepare)(struct query_scene *scene);
    NTSTATUS want_status;
    unsigned want_calls, want_blocks;
    bool want_raised;
};

static struct query_scene *scene_now;

static void *text(struct query_scene *scene, const char *from)
{
    size_t length = strlen(from) + 1;
    WCHAR *to = booted_block(&scene->booted, length * sizeof(WCHAR), 0);

    for (size_t i = 0; i < length; i++) {
        to[i] = (uint8_t)from[i];
    }
    return to;
}

static void set(struct query_scene *scene, const char *name, ULONG type,
    const void *data, size_t size)
{
    WCHAR unit[32];
    struct registry_name value = {unit, strlen(name)};

    for (size_t i = 0; i < value.length; i++) {
        unit[i] = (uint8_t)name[i];
    }
    assert_true(registry_set_value(
        &scene->booted.kernel, scene->key, &value, type, data, size));
}

static struct registry_value *get(struct query_scene *scene, const char *name)
{
    WCHAR unit[32];
    struct registry_name value = {unit, strlen(name)};

    for (size_t i = 0; i < value.length; i++) {
        unit[i] = (uint8_t)name[i];
    }
    return registry_find_value(scene->key, &value);
}

static int32_t NTAPI note(uint16_t *ValueName, uint32_t ValueType,
    void *ValueData, uint32_t ValueLength, void *Context, void *EntryContext)
{
    (void)ValueName, (void)ValueType, (void)ValueData;
    (void)Context, (void)EntryContext;
    scene_now->calls++;
    scene_now->length = ValueLength;
    return STATUS_SUCCESS;
}

/* One value goes, another comes. */
static int32_t NTAPI change(uint16_t *ValueName, uint32_t ValueType,
    void *ValueData, uint32_t ValueLength, void *Context, void *EntryContext)
{
    (void)ValueName, (void)ValueType, (void)ValueData, (void)ValueLength;
    (void)Context, (void)EntryContext;
    if (scene_now->calls++ == 0) {
        registry_delete_value(scene_now->key, get(scene_now, "Speed"));
    }
    set(scene_now, scene_now->calls == 1 ? "New" : "Newer", 4, "abcd", 4);
    return STATUS_SUCCESS;
}

/* Nothing is left behind it. */
static int32_t NTAPI empty(uint16_t *ValueName, uint32_t ValueType,
    void *ValueData, uint32_t ValueLength, void *Context, void *EntryContext)
{
    (void)ValueName, (void)ValueType, (void)ValueData, (void)ValueLength;
    (void)Context, (void)EntryContext;
    scene_now->calls++;
    while (scene_now->key->values != NULL) {
        registry_delete_value(scene_now->key, scene_now->key->values);
    }
    return STATUS_SUCCESS;
}

static void *counted(struct query_scene *scene, USHORT maximum, void *buffer)
{
    const UNICODE_STRING string = {.MaximumLength = maximum, .Buffer = buffer};

    return booted_copy(&scene->booted, &string, sizeof(string));
}

/* The first entry is about this value, and is stored. */
static void direct(struct query_scene *scene, const char *name, void *to)
{
    scene->table[0] = (RTL_QUERY_REGISTRY_TABLE){
        .Flags = DIRECT, .Name = text(scene, name), .EntryContext = to};
}

static void reported(struct query_scene *scene, const char *name)
{
    scene->table[0] = (RTL_QUERY_REGISTRY_TABLE){
        .QueryRoutine = note, .Name = text(scene, name)};
}

static void no_end_of_the_table(struct query_scene *scene)
{
    scene->table = booted_block(&scene->booted, sizeof(*scene->table), 0);
    scene->table->QueryRoutine = note;
    scene->table->Flags = 8; /* a call without a value */
}

static void name_that_is_nowhere(struct query_scene *scene)
{
    reported(scene, "Speed");
    scene->table[0].Name = (WCHAR *)(uintptr_t)8;
}

static void path_that_is_nowhere(struct query_scene *scene)
{
    reported(scene, "Speed");
    scene->path = NULL;
}

static void number_goes_nowhere(struct query_scene *scene)
{
    direct(scene, "Speed", NULL);
}

static void string_goes_nowhere(struct query_scene *scene)
{
    direct(scene, "Title", NULL);
}

static void buffer_of_a_string_is_nowhere(struct query_scene *scene)
{
    direct(scene, "Title", counted(scene, 100, (void *)(uintptr_t)8));
}

static void large_data_go_nowhere(struct query_scene *scene)
{
    static const LONG length = -100;

    direct(
        scene, "Large", booted_copy(&scene->booted, &length, sizeof(length)));
}

/* Its length and its type on a page that can be read alone, its data behind. */
static void head_of_large_data_stays(struct query_scene *scene)
{
    const LONG length = 16;
    uint8_t *pages =
        booted_block(&scene->booted, 2 * MEMORY_PAGE_BYTES, UNTOUCHED);

    scene->behind = pages + MEMORY_PAGE_BYTES;
    memcpy(scene->behind - 8, &length, sizeof(length));
    direct(scene, "Large", scene->behind - 8);
    assert_true(memory_set(
        &scene->booted.machine.memory, pages, 1, MEMORY_READ, false));
}

static void least_length_is_enough(struct query_scene *scene)
{
    const LONG length[4] = {INT32_MIN};

    direct(scene, "Large", booted_copy(&scene->booted, length, sizeof(length)));
}

static void default_that_is_nowhere(struct query_scene *scene)
{
    reported(scene, "None");
    scene->table[0].DefaultType = 3;
    scene->table[0].DefaultLength = 16;
}

static void default_string_that_is_nowhere(struct query_scene *scene)
{
    direct(scene, "None", counted(scene, 0, NULL));
    scene->table[0].DefaultType = 1;
}

static void default_with_a_length_beyond_it(struct query_scene *scene)
{
    direct(scene, "None", counted(scene, 0, NULL));
    scene->table[0].DefaultType = 1;
    scene->table[0].DefaultData = text(scene, "ab");
    scene->table[0].DefaultLength = 1000;
}

static void default_list_comes_singly(struct query_scene *scene)
{
    static const WCHAR list[] = {'a', 0, 'b', 'c', 0, 0};

    reported(scene, "None");
    scene->table[0].DefaultType = 7;
    scene->table[0].DefaultData =
        booted_copy(&scene->booted, list, sizeof(list));
}

static void default_is_expanded(struct query_scene *scene)
{
    reported(scene, "None");
    scene->table[0].DefaultType = 2;
    scene->table[0].DefaultData = text(scene, "%a%");
}

static void environment_that_is_nowhere(struct query_scene *scene)
{
    default_is_expanded(scene);
    scene->environment = (void *)(uintptr_t)8;
}

static void list_without_an_end(struct query_scene *scene)
{
    set(scene, "List", 7, "a\0\0\0b", 5); /* half a character, too */
    reported(scene, "List");
}

static void list_that_is_empty(struct query_scene *scene)
{
    set(scene, "List", 7, "", 0);
    reported(scene, "List");
}

static void string_that_is_empty(struct query_scene *scene)
{
    set(scene, "Title", 1, "", 0);
    direct(scene, "Title", counted(scene, 0, NULL));
}

/* So many characters, and no NUL. */
static void set_long(struct query_scene *scene, ULONG type, size_t length)
{
    static WCHAR unit[0x8000];

    assert_in_range(length, 1, 0x8000);
    for (size_t i = 0; i < length; i++) {
        unit[i] = 'a';
    }
    set(scene, "Title", type, unit, length * sizeof(WCHAR));
}

static void string_that_is_too_long(struct query_scene *scene)
{
    set_long(scene, 1, 0x7FFF);
    direct(scene, "Title", counted(scene, 0, NULL));
}

static void longest_string(struct query_scene *scene)
{
    set_long(scene, 1, 0x7FFE);
    direct(scene, "Title", counted(scene, 0, NULL));
}

static void longest_expanded_string(struct query_scene *scene)
{
    set_long(scene, 2, 0x7FFF);
    reported(scene, "Title");
}

static void expanded_string_that_is_too_long(struct query_scene *scene)
{
    set_long(scene, 2, 0x8000);
    reported(scene, "Title");
}

static void name_of_a_value_that_is_too_long(struct query_scene *scene)
{
    WCHAR *name = booted_block(&scene->booted, 0x8002, 'a');

    name[0x4000] = 0;
    reported(scene, "Speed");
    scene->table[0].Name = name;
}

static void routine_changes_the_key(struct query_scene *scene)
{
    scene->table[0].QueryRoutine = change;
}

static void routine_empties_the_key(struct query_scene *scene)
{
    scene->table[0].QueryRoutine = empty;
    scene->table[0].Flags = DELETES;
}

static void routine_changes_what_is_deleted(struct query_scene *scene)
{
    scene->table[0].QueryRoutine = change;
    scene->table[0].Flags = DELETES;
    scene->table[0].Name = text(scene, "Speed");
}

/* As many blocks as there are, and no more. */
static void use_up_memory(struct query_scene *scene)
{
    struct memory *memory = &scene->booted.machine.memory;

    memory->live_most = memory->live;
}

static void no_pool(struct query_scene *scene)
{
    direct(scene, "Title", counted(scene, 0, NULL));
    use_up_memory(scene);
}

static void no_memory_for_copies(struct query_scene *scene)
{
    reported(scene, "Title");
    use_up_memory(scene);
}

static void no_memory_for_names(struct query_scene *scene)
{
    scene->table[0].QueryRoutine = note;
    use_up_memory(scene);
}

static struct query_row query_rows[] = {
    {"no_end_of_the_table", no_end_of_the_table, 0, 1, 0, true},
    {"name_that_is_nowhere", name_that_is_nowhere, 0, 0, 0, true},
    {"path_that_is_nowhere", path_that_is_nowhere, 0, 0, 0, true},
    {"number_goes_nowhere", number_goes_nowhere, 0, 0, 0, true},
    {"string_goes_nowhere", string_goes_nowhere, 0, 0, 0, true},
    {"buffer_of_a_string_is_nowhere", buffer_of_a_string_is_nowhere, 0, 0, 0,
        true},
    {"large_data_go_nowhere", large_data_go_nowhere, 0, 0, 0, true},
    {"least_length_is_enough", least_length_is_enough, 0, 0, 0, false},
    {"default_that_is_nowhere", default_that_is_nowhere, 0, 0, 0, true},
    {"default_string_that_is_nowhere", default_string_that_is_nowhere, 0, 0, 0,
        true},
    {"default_with_a_length_beyond_it", default_with_a_length_beyond_it, 0, 0,
        0, true},
    {"default_list_comes_singly", default_list_comes_singly, 0, 2, 0, false},
    {"default_is_expanded", default_is_expanded, 0, 1, 0, false},
    {"environment_that_is_nowhere", environment_that_is_nowhere, 0, 0, 0, true},
    {"list_without_an_end", list_without_an_end, 0, 1, 0, false},
    {"list_that_is_empty", list_that_is_empty, 0, 0, 0, false},
    {"string_that_is_empty", string_that_is_empty, 0, 0, 1, false},
    {"string_that_is_too_long", string_that_is_too_long, (NTSTATUS)0xC0000023,
        0, 0, false},
    {"longest_string", longest_string, 0, 0, 1, false},
    {"longest_expanded_string", longest_expanded_string, 0, 1, 0, false},
    {"expanded_string_that_is_too_long", expanded_string_that_is_too_long,
        (NTSTATUS)0xC0000023, 0, 0, false},
    {"name_of_a_value_that_is_too_long", name_of_a_value_that_is_too_long,
        (NTSTATUS)0xC000000D, 0, 0, false},
    {"routine_changes_the_key", routine_changes_the_key, 0, 3, 0, false},
    {"routine_empties_the_key", routine_empties_the_key, 0, 1, 0, false},
    {"head_of_large_data_stays", head_of_large_data_stays, 0, 0, 0, true},
    {"routine_changes_what_is_deleted", routine_changes_what_is_deleted, 0, 1,
        0, false},
    {"no_pool", no_pool, (NTSTATUS)0xC0000017, 0, 0, false},
    {"no_memory_for_copies", no_memory_for_copies, (NTSTATUS)0xC0000017, 0, 0,
        false},
    {"no_memory_for_names", no_memory_for_names, (NTSTATUS)0xC0000017, 0, 0,
        false},
};

static void call(void *argument)
{
    struct query_scene *scene = argument;

    scene->status = RtlQueryRegistryValues(
        0, scene->path, scene->table, NULL, scene->environment);
}

static void run(void *argument)
{
    static const uint8_t title[] = {'a', 0, 'b', 0, 0, 0};
    struct query_scene *scene = argument;

    scene->key = registry_find_path(
        registry_root(&scene->booted.kernel), "machine\\software");
    set(scene, "Speed", 4, "abcd", 4);
    set(scene, "Title", 1, title, sizeof(title));
    set(scene, "Large", 3, "abcdefgh", 8);
    scene->path = text(scene, "\\Registry\\Machine\\Software");
    scene->table =
        booted_block(&scene->booted, ENTRIES * sizeof(*scene->table), 0);
    scene->row->prepare(scene);
    scene->raised = booted_catch(call, scene, &scene->record);
}

static void query_row(void **state)
{
    struct query_scene scene = {.row = *state};
    const struct query_row *row = scene.row;

    booted_init_usual(&scene.booted);
    scene_now = &scene;
    booted_run(&scene.booted, 0, run, &scene);
    assert_int_equal(scene.raised, row->want_raised);
    assert_int_equal(scene.status, row->want_status);
    assert_int_equal(scene.calls, row->want_calls);
    assert_int_equal(scene.booted.kernel.pool->live, row->want_blocks);
    for (int i = 0; scene.behind != NULL && i < 8; i++) {
        assert_int_equal(scene.behind[i], UNTOUCHED);
    }
    booted_release(&scene.booted);
}

TEST_FILE(test_cm_query)
{
    TEST_ADD_ROWS(list, query_row, query_rows);
}
