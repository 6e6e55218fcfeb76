/* test_fs_refused.c - what files are asked that is not modelled ends the run,
 * and says what it is; what is opened where no handle is left (REG-20a), and
 * asked when the file systems have been flushed (IO-57a). */
#include "api/boot/exports.h"
#include "api/core/thread.h"
#include "api/fs/open_file.h"
#include "api/nt/file_access.h"
#include "tests/api/booted_kernel.h"

enum {
    ALL_ACCESS = 0x1F01FF,
    SHARE_ALL = 7,
    SYNCHRONOUS = 0x20,
    HANDLES_MAX = 1 << 24,
};

/* In the driver's memory: a path, room for what comes out, and a file of that
 * path, which is open. */
struct refused_scene {
    const struct refused_row *row;
    OBJECT_ATTRIBUTES *named;
    HANDLE *handle;
    IO_STATUS_BLOCK *answer;
    int64_t *information;
    NTSTATUS status;
};

/* reason: why the run ends; NULL: the call returns `want`. */
struct refused_row {
    const char *name;
    NTSTATUS (*call)(struct refused_scene *scene, ULONG argument);
    ULONG argument;
    const char *reason;
    uint32_t want;
};

static NTSTATUS create(struct refused_scene *scene, ULONG options)
{
    return ZwCreateFile(scene->handle, ALL_ACCESS, scene->named, scene->answer,
        NULL, 0, SHARE_ALL, FILE_OPEN_IF, options, NULL, 0);
}

static NTSTATUS open_named(struct refused_scene *scene, ULONG options)
{
    return ZwOpenFile(scene->handle, ALL_ACCESS, scene->named, scene->answer,
        SHARE_ALL, options);
}

static NTSTATUS io_create(
    struct refused_scene *scene, ULONG type, PVOID parameters, ULONG options)
{
    return IoCreateFile(scene->handle, ALL_ACCESS, scene->named, scene->answer,
        NULL, 0, SHARE_ALL, FILE_OPEN_IF, SYNCHRONOUS, NULL, 0, type,
        parameters, options);
}

static NTSTATUS io_create_options(struct refused_scene *scene, ULONG options)
{
    return io_create(scene, 0, NULL, options);
}

static NTSTATUS io_create_type(struct refused_scene *scene, ULONG type)
{
    return io_create(scene, type, NULL, 0);
}

static NTSTATUS io_create_parameters(struct refused_scene *scene, ULONG options)
{
    return io_create(scene, 0, scene->information, options);
}

static NTSTATUS query(struct refused_scene *scene, ULONG kind)
{
    return ZwQueryInformationFile(
        *scene->handle, scene->answer, scene->information, 40, kind);
}

static NTSTATUS set(struct refused_scene *scene, ULONG kind)
{
    return ZwSetInformationFile(
        *scene->handle, scene->answer, scene->information, 40, kind);
}

/* One of the four. */
static NTSTATUS set_time_to_stop(struct refused_scene *scene, ULONG which)
{
    scene->information[which] = -1;
    return set(scene, 4);
}

static NTSTATUS read_with(struct refused_scene *scene, ULONG apc)
{
    return ZwReadFile(*scene->handle, NULL, (PVOID)(uintptr_t)apc, NULL,
        scene->answer, scene->information, 0, NULL, NULL);
}

static NTSTATUS write_with(struct refused_scene *scene, ULONG apc)
{
    return ZwWriteFile(*scene->handle, NULL, (PVOID)(uintptr_t)apc, NULL,
        scene->answer, scene->information, 0, NULL, NULL);
}

/* Nobody has it open any more, but for who had. */
static NTSTATUS open_without_a_handle(
    struct refused_scene *scene, ULONG attributes)
{
    struct kernel *kernel = kernel_current();
    struct handle_table *table = attributes == OBJ_KERNEL_HANDLE
                                     ? &kernel->handles->of_kernel
                                     : &kernel->handles->of_processes;
    uint32_t count = table->count;
    NTSTATUS status;

    scene->named->Attributes = attributes;
    table->count = HANDLES_MAX;
    status = open_named(scene, SYNCHRONOUS);
    table->count = count;
    return kernel->open_files->first->next == NULL &&
                   kernel->open_files->first->file->opens == 1
               ? status
               : STATUS_UNSUCCESSFUL;
}

#define IO_CREATE                                                              \
    "IoCreateFile is modelled with CreateFileTypeNone, without "               \
    "InternalParameters, and with Options of 0 or IO_NO_PARAMETER_CHECKING"
#define STOPS "a time of a file that stops (-1, -2) is not modelled"

static struct refused_row refused_rows[] = {
    {"option_of_create", create, 0x28,
        "options 0x8 of ZwCreateFile are not modelled", 0},
    {"options_of_open", open_named, 0x2120,
        "options 0x2100 of ZwOpenFile are not modelled", 0},
    {"no_option", io_create_options, 0, NULL, 0},
    {"no_parameter_checking", io_create_options, 0x100, NULL, 0},
    {"access_check_is_forced", io_create_options, 1, IO_CREATE, 0},
    {"other_option", io_create_options, 0x200, IO_CREATE, 0},
    {"both_options", io_create_options, 0x101, IO_CREATE, 0},
    {"pipe", io_create_type, 1, IO_CREATE, 0},
    {"parameters", io_create_parameters, 0, IO_CREATE, 0},
    {"parameters_unchecked", io_create_parameters, 0x100, IO_CREATE, 0},
    {"query_of_first_class", query, 1,
        "class 1 of ZwQueryInformationFile is not modelled (docs/fidelity.md "
        "has those that are)",
        0},
    {"query_of_last_class", query, 76,
        "class 76 of ZwQueryInformationFile is not modelled (docs/fidelity.md "
        "has those that are)",
        0},
    {"query_of_no_class", query, 77, NULL, 0xC0000003},
    {"set_of_first_class", set, 1,
        "class 1 of ZwSetInformationFile is not modelled (docs/fidelity.md "
        "has those that are)",
        0},
    {"set_of_last_class", set, 76,
        "class 76 of ZwSetInformationFile is not modelled (docs/fidelity.md "
        "has those that are)",
        0},
    {"set_of_no_class", set, 77, NULL, 0xC0000003},
    {"creation_stops", set_time_to_stop, 0, STOPS, 0},
    {"access_stops", set_time_to_stop, 1, STOPS, 0},
    {"write_stops", set_time_to_stop, 2, STOPS, 0},
    {"change_stops", set_time_to_stop, 3, STOPS, 0},
    {"read_with_an_apc", read_with, 0x1000,
        "an ApcRoutine of ZwReadFile is not modelled: drivers pass NULL", 0},
    {"write_with_an_apc", write_with, 0x1000,
        "an ApcRoutine of ZwWriteFile is not modelled: drivers pass NULL", 0},
    {"read_without", read_with, 0, NULL, 0},
    {"write_without", write_with, 0, NULL, 0},
    {"no_handle_of_the_kernel", open_without_a_handle, OBJ_KERNEL_HANDLE, NULL,
        0xC000009A},
    {"no_handle_of_a_process", open_without_a_handle, 0, NULL, 0xC000009A},
};

static void run(void *argument)
{
    struct refused_scene *scene = argument;

    scene->status = create(scene, SYNCHRONOUS);
    if (NT_SUCCESS(scene->status)) {
        scene->status = scene->row->call(scene, scene->row->argument);
    }
}

static void make_room(struct booted_kernel *booted, struct refused_scene *scene)
{
    static const char text[] = "\\??\\C:\\Windows\\Temp\\a";
    const USHORT bytes = (sizeof(text) - 1) * sizeof(WCHAR);
    WCHAR *unit = booted_block(booted, bytes, 0);
    UNICODE_STRING string = {
        .Length = bytes, .MaximumLength = bytes, .Buffer = unit};
    OBJECT_ATTRIBUTES named = {
        .Length = sizeof(named), .Attributes = OBJ_KERNEL_HANDLE};

    for (size_t i = 0; i < sizeof(text) - 1; i++) {
        unit[i] = (uint8_t)text[i];
    }
    named.ObjectName = booted_copy(booted, &string, sizeof(string));
    scene->named = booted_copy(booted, &named, sizeof(named));
    scene->handle = booted_block(booted, sizeof(*scene->handle), 0);
    scene->answer = booted_block(booted, sizeof(*scene->answer), 0);
    scene->information = booted_block(booted, 40, 0);
}

static void refused_row(void **state)
{
    const struct refused_row *row = *state;
    struct refused_scene scene = {.row = row};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    make_room(&booted, &scene);
    if (row->reason != NULL) {
        booted_run_to_stop(&booted, 0, run, &scene);
        assert_int_equal(booted.kernel.end.kind, RUN_NOT_MODELLED);
        assert_string_equal(booted.kernel.end.reason, row->reason);
    } else {
        booted_run(&booted, 0, run, &scene);
        assert_int_equal((uint32_t)scene.status, row->want);
    }
    booted_release(&booted);
}

/* By the handle of a file that was opened before. */
static void ask_late(void *argument)
{
    struct refused_scene *scene = argument;

    assert_int_equal(create(scene, SYNCHRONOUS), STATUS_SUCCESS);
    assert_int_equal(query(scene, 5), STATUS_SUCCESS);
    thread_current(kernel_current())->after_flush = true;
    scene->status = query(scene, 5);
    thread_current(kernel_current())->after_flush = false;
}

static void handle_after_the_flush_is_a_rule_event(void **state)
{
    struct refused_scene scene = {.status = STATUS_UNSUCCESSFUL};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    make_room(&booted, &scene);
    booted_run(&booted, 0, ask_late, &scene);
    assert_int_equal(scene.status, STATUS_SUCCESS);
    assert_int_equal(booted.kernel.rules.count, 1);
    assert_int_equal(booted_broken(&booted, RULE_IO_SHUTDOWN_FILE), 1);
    booted_release(&booted);
}

TEST_FILE(test_fs_refused)
{
    TEST_ADD_ROWS(list, refused_row, refused_rows);
    test_add(list, "handle_after_the_flush_is_a_rule_event",
        handle_after_the_flush_is_a_rule_event, NULL);
}
