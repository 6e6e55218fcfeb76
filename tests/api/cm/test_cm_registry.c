/* test_cm_registry.c - the registry as a tree: names without case, keys in
 * order of their names, values in order of creation (REG-01b, REG-05); a key
 * that is opened where no handle is left (REG-02). */
#include "api/cm/registry.h"

#include "api/cm/open_key.h"
#include "tests/api/booted_kernel.h"

static struct registry_name name_of(WCHAR unit[32], const char *text)
{
    struct registry_name name = {unit, strlen(text)};

    for (size_t i = 0; i < name.length; i++) {
        unit[i] = (uint8_t)text[i];
    }
    return name;
}

/* What a test does with a tree. */
struct tree {
    struct kernel *kernel;
    struct registry_key *key; /* one that it may do anything with */
    void (*test)(struct tree *tree);
};

static struct registry_key *add(struct tree *tree, const char *text)
{
    WCHAR unit[32];
    const struct registry_name name = name_of(unit, text);

    return registry_add_key(tree->kernel, tree->key, &name);
}

static struct registry_key *find(struct tree *tree, const char *text)
{
    WCHAR unit[32];
    const struct registry_name name = name_of(unit, text);

    return registry_find_key(tree->key, &name);
}

static bool set(struct tree *tree, const char *text, ULONG type)
{
    WCHAR unit[32];
    const struct registry_name name = name_of(unit, text);

    return registry_set_value(tree->kernel, tree->key, &name, type, "abc", 3);
}

static void keys_are_in_order_of_their_names(struct tree *tree)
{
    const struct registry_key *middle = add(tree, "Mill");
    const struct registry_key *last = add(tree, "millstone");
    const struct registry_key *first = add(tree, "axle");

    assert_ptr_equal(registry_nth_key(tree->key, 0), first);
    assert_ptr_equal(registry_nth_key(tree->key, 1), middle);
    assert_ptr_equal(registry_nth_key(tree->key, 2), last);
    assert_null(registry_nth_key(tree->key, 3));
    assert_ptr_equal(find(tree, "MILLSTONE"), last);
    assert_null(find(tree, "mills"));
}

/* One by one, before, amid and behind those that are there. */
static void keys_find_their_places(struct tree *tree)
{
    static const char *const names[] = {"m", "d", "x", "Q", "F", "a", "z", "n"};
    static const char order[] = "adfmnqxz";

    for (size_t i = 0; i < 8; i++) {
        assert_non_null(add(tree, names[i]));
    }
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(
            registry_nth_key(tree->key, i)->name.unit[0] | 0x20, order[i]);
    }
    assert_null(registry_nth_key(tree->key, 8));
}

static void key_that_is_deleted_is_found_no_more(struct tree *tree)
{
    struct registry_key *first = add(tree, "a");
    struct registry_key *second = add(tree, "b");

    registry_delete_key(second);
    assert_true(second->deleted);
    assert_null(find(tree, "b"));
    assert_ptr_equal(find(tree, "a"), first);
    assert_non_null(add(tree, "b"));
}

static void value_is_replaced_where_it_is(struct tree *tree)
{
    assert_true(set(tree, "Speed", 1));
    assert_true(set(tree, "", 2));
    assert_true(set(tree, "SPEED", 3));
    assert_int_equal(registry_nth_value(tree->key, 0)->type, 3);
    assert_int_equal(registry_nth_value(tree->key, 0)->size, 3);
    assert_int_equal(registry_nth_value(tree->key, 1)->type, 2);
    assert_int_equal(registry_nth_value(tree->key, 1)->name.length, 0);
    assert_null(registry_nth_value(tree->key, 2));
    registry_delete_value(tree->key, registry_nth_value(tree->key, 1));
    assert_null(registry_nth_value(tree->key, 1));
    assert_int_equal(registry_nth_value(tree->key, 0)->type, 3);
}

/* The arena has its reserve left, which is not for guests. */
static void without_memory_nothing_is_made(struct tree *tree)
{
    struct arena *arena = &tree->kernel->machine->arena;
    size_t reserve = arena->reserve;

    assert_true(set(tree, "Speed", 1));
    arena->reserve = arena->limit;
    assert_null(add(tree, "a"));
    assert_false(set(tree, "Speed", 2));
    assert_false(set(tree, "Other", 2));
    arena->reserve = reserve;
    assert_null(find(tree, "a"));
    assert_int_equal(registry_nth_value(tree->key, 0)->type, 1);
    assert_null(registry_nth_value(tree->key, 1));
}

static void key_without_a_handle_is_not_open(struct tree *tree)
{
    struct handle_table *table = &tree->kernel->handles->of_kernel;
    const struct memory *memory = &tree->kernel->machine->memory;
    uint32_t count = table->count;
    size_t live = memory->live;
    HANDLE handle;

    table->count = 1 << 24; /* as many as there can be */
    assert_int_equal(open_key_open(tree->kernel, tree->key, KEY_READ, &handle),
        (int32_t)0xC000009A);
    table->count = count;
    assert_int_equal(memory->live, live);
    assert_int_equal(
        open_key_open(tree->kernel, tree->key, KEY_READ, &handle), 0);
    assert_non_null(handle);
    assert_int_equal(memory->live, live + 1);
    handle_close(tree->kernel, handle);
    assert_int_equal(memory->live, live);
}

/* One is taken as often as another is given back: nothing more is needed. */
static void closing_a_key_gives_back(struct tree *tree)
{
    struct arena *arena = &tree->kernel->machine->arena;
    size_t reserve = arena->reserve;
    HANDLE handle;

    assert_int_equal(
        open_key_open(tree->kernel, tree->key, KEY_READ, &handle), 0);
    handle_close(tree->kernel, handle);
    arena->reserve = arena->limit;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(
            open_key_open(tree->kernel, tree->key, KEY_READ, &handle), 0);
        handle_close(tree->kernel, handle);
    }
    arena->reserve = reserve;
}

static void service_is_made_once(struct tree *tree)
{
    static const char *const path[] = {
        "machine", "system", "currentcontrolset", "services", "mill"};

    registry_make_service(tree->kernel, "mill");
    registry_make_service(tree->kernel, "Mill");
    tree->key = registry_root(tree->kernel);
    for (size_t i = 0; i < 5; i++) {
        tree->key = find(tree, path[i]);
        assert_non_null(tree->key);
    }
    assert_null(tree->key->next);
}

static struct tree_row {
    const char *name;
    void (*test)(struct tree *tree);
} tree_rows[] = {
    {"keys_are_in_order_of_their_names", keys_are_in_order_of_their_names},
    {"keys_find_their_places", keys_find_their_places},
    {"key_that_is_deleted_is_found_no_more",
        key_that_is_deleted_is_found_no_more},
    {"value_is_replaced_where_it_is", value_is_replaced_where_it_is},
    {"without_memory_nothing_is_made", without_memory_nothing_is_made},
    {"key_without_a_handle_is_not_open", key_without_a_handle_is_not_open},
    {"closing_a_key_gives_back", closing_a_key_gives_back},
    {"service_is_made_once", service_is_made_once},
};

static void run(void *argument)
{
    struct tree *tree = argument;

    tree->kernel = kernel_current();
    tree->key = registry_root(tree->kernel)->first;
    while (tree->key->first != NULL) {
        tree->key = tree->key->first; /* Machine\Hardware, which is empty */
    }
    tree->test(tree);
}

static void tree_row(void **state)
{
    const struct tree_row *row = *state;
    struct tree tree = {.test = row->test};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    booted_run(&booted, 0, run, &tree);
    booted_release(&booted);
}

TEST_FILE(test_cm_registry)
{
    TEST_ADD_ROWS(list, tree_row, tree_rows);
}
