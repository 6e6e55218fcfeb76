/* test_fs_volume.c - the volume as a tree: names without case, sizes, files
 * that are removed and made again, paths, and opens where there is no room
 * (REG-20f, REG-21c). */
#include "api/fs/volume.h"

#include "api/boot/exports.h"
#include "api/fs/open_file.h"
#include "api/nt/file_access.h"
#include "tests/api/booted_kernel.h"

static struct volume_name name_of(WCHAR unit[32], const char *text)
{
    struct volume_name name = {unit, strlen(text)};

    for (size_t i = 0; i < name.length; i++) {
        unit[i] = (uint8_t)text[i];
    }
    return name;
}

/* What a test does with a directory that is empty. */
struct volume_case {
    struct kernel *kernel;
    struct volume_file *directory;
    void (*test)(struct volume_case *test);
};

static struct volume_file *add(struct volume_case *test, const char *text)
{
    WCHAR unit[32];
    const struct volume_name name = name_of(unit, text);

    return volume_add(test->kernel, test->directory, &name, false);
}

static struct volume_file *find(struct volume_case *test, const char *text)
{
    WCHAR unit[32];
    const struct volume_name name = name_of(unit, text);

    return volume_find(test->directory, &name);
}

static void files_are_found_without_case(struct volume_case *test)
{
    struct volume_file *first = add(test, "Mill.txt");
    struct volume_file *second = add(test, "mill.tx");

    assert_ptr_equal(find(test, "MILL.TXT"), first);
    assert_ptr_equal(find(test, "MILL.tx"), second);
    assert_null(find(test, "mill.t"));
    assert_int_equal(first->attributes, 0x80);
    assert_int_equal(first->size, 0);
    assert_true(first->times.created == first->times.written);
}

static void file_grows_with_zeroes_and_is_cut(struct volume_case *test)
{
    struct volume_file *file = add(test, "a");

    assert_true(volume_resize(test->kernel, file, 3));
    memcpy(file->data, "abc", 3);
    assert_true(volume_resize(test->kernel, file, 2));
    assert_true(volume_resize(test->kernel, file, 5000));
    assert_memory_equal(file->data, "ab\0\0", 4);
    assert_int_equal(file->data[4999], 0);
    assert_true(volume_resize(test->kernel, file, 16777216));
    assert_memory_equal(file->data, "ab\0\0", 4);
    assert_int_equal(file->size, 16777216);
}

static void file_that_is_removed_is_made_again(struct volume_case *test)
{
    struct volume_file *first = add(test, "a");
    struct volume_file *second = add(test, "b");
    struct volume_file *again;

    assert_true(volume_resize(test->kernel, first, 10));
    first->data[0] = 7;
    volume_remove(test->kernel, first);
    assert_null(find(test, "a"));
    assert_ptr_equal(find(test, "b"), second);
    again = add(test, "c");
    assert_ptr_equal(again, first);
    assert_int_equal(again->size, 0);
    assert_null(find(test, "a"));
    assert_true(volume_resize(test->kernel, again, 1));
    assert_int_equal(again->data[0], 0);
}

/* Its object's memory is there as long as it is open. */
static void file_that_is_closed_gives_back(struct volume_case *test)
{
    const struct file_how how = {.access = FILE_READ_DATA};
    const struct memory *memory = &test->kernel->machine->memory;
    struct volume_file *file = add(test, "a");
    HANDLE first = NULL, second = NULL;
    size_t live;

    assert_int_equal(open_file_open(test->kernel, file, &how, 0, &first), 0);
    handle_close(test->kernel, first); /* what it keeps for itself */
    live = memory->live;
    assert_int_equal(open_file_open(test->kernel, file, &how, 0, &first), 0);
    assert_int_equal(open_file_open(test->kernel, file, &how, 0, &second), 0);
    assert_int_equal(memory->live, live + 2);
    assert_int_equal(file->opens, 2);
    handle_close(test->kernel, first);
    assert_int_equal(memory->live, live + 1);
    assert_int_equal(file->opens, 1);
    assert_null(test->kernel->open_files->first->next);
    handle_close(test->kernel, second);
    assert_int_equal(memory->live, live);
    assert_int_equal(file->opens, 0);
    assert_null(test->kernel->open_files->first);
}

/* One is taken as often as another is given back: nothing more is needed. */
static void removing_gives_back(struct volume_case *test)
{
    struct arena *arena = &test->kernel->machine->arena;
    size_t reserve = arena->reserve;
    struct volume_file *file = add(test, "a");

    assert_true(volume_resize(test->kernel, file, 4096));
    volume_remove(test->kernel, file);
    arena->reserve = arena->limit;
    for (int i = 0; i < 1000; i++) {
        file = add(test, "a");
        assert_non_null(file);
        assert_true(volume_resize(test->kernel, file, 4096));
        volume_remove(test->kernel, file);
    }
    arena->reserve = reserve;
}

static void closing_gives_back(struct volume_case *test)
{
    const struct file_how how = {.access = FILE_READ_DATA};
    struct arena *arena = &test->kernel->machine->arena;
    size_t reserve = arena->reserve;
    struct volume_file *file = add(test, "a");
    HANDLE handle = NULL;

    assert_int_equal(open_file_open(test->kernel, file, &how, 0, &handle), 0);
    handle_close(test->kernel, handle);
    arena->reserve = arena->limit;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(
            open_file_open(test->kernel, file, &how, 0, &handle), 0);
        handle_close(test->kernel, handle);
    }
    arena->reserve = reserve;
}

static void path_begins_at_the_root(struct volume_case *test)
{
    static const char whole[] = "\\Windows\\Temp\\a";
    WCHAR unit[32];
    const struct volume_file *file = add(test, "a");
    size_t length = volume_path(file, unit, 32);

    assert_int_equal(length, 15);
    for (size_t i = 0; i < length; i++) {
        assert_int_equal(unit[i], whole[i]);
    }
    unit[9] = 1;
    assert_int_equal(volume_path(file, unit, 9), 15);
    assert_int_equal(unit[8], '\\');
    assert_int_equal(unit[9], 1);
    unit[0] = 1;
    assert_int_equal(volume_path(volume_root(test->kernel), unit, 0), 1);
    assert_int_equal(unit[0], 1);
    assert_int_equal(volume_path(file, unit, 0), 15);
    assert_int_equal(unit[0], 1);
    assert_int_equal(volume_path(volume_root(test->kernel), unit, 1), 1);
    assert_int_equal(unit[0], '\\');
}

static struct volume_file *add_below(struct volume_case *test,
    struct volume_file *directory, size_t length, bool is_directory)
{
    WCHAR unit[VOLUME_NAME_UNITS];
    const struct volume_name name = {unit, length};

    for (size_t i = 0; i < length; i++) {
        unit[i] = 'a';
    }
    return volume_add(test->kernel, directory, &name, is_directory);
}

/* What ObQueryNameString needs for it. */
static ULONG path_needs(struct volume_case *test, struct volume_file *file)
{
    const struct file_how how = {.access = FILE_READ_DATA};
    struct memory *memory = &test->kernel->machine->memory;
    ULONG *needed = memory_alloc(memory, sizeof(*needed), 0);
    HANDLE handle;
    PVOID object = NULL;

    assert_int_equal(open_file_open(test->kernel, file, &how, 0, &handle), 0);
    object = (PVOID)(uintptr_t)test->kernel->open_files->first->counted.address;
    assert_int_equal(
        ObQueryNameString(object, NULL, 0, needed), (int32_t)0xC0000004);
    return *needed;
}

/* \Device\HarddiskVolume1, 127 directories of 256 characters with their
 * backslashes, and a file: 32766 characters, and a NUL (OB-09). */
static void full_path_has_what_a_string_holds(struct volume_case *test)
{
    struct volume_file *directory = volume_root(test->kernel);

    for (int i = 0; i < 127; i++) {
        directory = add_below(test, directory, VOLUME_NAME_UNITS, true);
    }
    assert_int_equal(
        path_needs(test, add_below(test, directory, 230, false)), 16 + 65534);
    assert_int_equal(
        path_needs(test, add_below(test, directory, 231, false)), 16);
}

/* The arena has its reserve left, which is not for guests. */
static void without_memory_nothing_is_made(struct volume_case *test)
{
    const struct file_how how = {.access = FILE_READ_DATA};
    struct arena *arena = &test->kernel->machine->arena;
    size_t reserve = arena->reserve;
    struct volume_file *file = add(test, "a");
    size_t live = test->kernel->machine->memory.live;
    HANDLE handle = NULL;

    assert_true(volume_resize(test->kernel, file, 1));
    arena->reserve = arena->limit;
    assert_null(add(test, "b"));
    assert_false(volume_resize(test->kernel, file, 4097));
    assert_int_equal(file->size, 1);
    assert_int_equal(open_file_open(test->kernel, file, &how, 0, &handle),
        (int32_t)0xC000009A);
    arena->reserve = reserve;
    assert_null(handle);
    assert_int_equal(test->kernel->machine->memory.live, live);
    assert_null(find(test, "b"));
    assert_int_equal(file->opens, 0);
    assert_null(test->kernel->open_files->first);
}

static struct volume_row {
    const char *name;
    void (*test)(struct volume_case *test);
} volume_rows[] = {
    {"files_are_found_without_case", files_are_found_without_case},
    {"file_grows_with_zeroes_and_is_cut", file_grows_with_zeroes_and_is_cut},
    {"file_that_is_removed_is_made_again", file_that_is_removed_is_made_again},
    {"file_that_is_closed_gives_back", file_that_is_closed_gives_back},
    {"removing_gives_back", removing_gives_back},
    {"closing_gives_back", closing_gives_back},
    {"path_begins_at_the_root", path_begins_at_the_root},
    {"full_path_has_what_a_string_holds", full_path_has_what_a_string_holds},
    {"without_memory_nothing_is_made", without_memory_nothing_is_made},
};

static void run(void *argument)
{
    static const char *const path[] = {"windows", "temp"};
    struct volume_case *test = argument;

    test->kernel = kernel_current();
    test->directory = volume_root(test->kernel);
    for (size_t i = 0; i < 2; i++) {
        test->directory = find(test, path[i]);
    }
    test->test(test);
}

static void volume_row(void **state)
{
    const struct volume_row *row = *state;
    struct volume_case test = {.test = row->test};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    booted_run(&booted, 0, run, &test);
    booted_release(&booted);
}

TEST_FILE(test_fs_volume)
{
    TEST_ADD_ROWS(list, volume_row, volume_rows);
}
