/* notify_call.c - what notify routines are told: of processes, with a
 * PS_CREATE_NOTIFY_INFO, of threads, and of drivers' images. */
#include "api/ps/notify_call.h"

#include "api/core/driver.h"
#include "api/core/kernel.h"
#include "api/ke/kthread.h"
#include "api/ps/notify.h"
#include "api/ps/process.h"

enum {
    FILE_OPEN_NAME_AVAILABLE = 1,
    IMAGE_ADDRESSING_MODE_32BIT = 3, /* of x64 too (ntddk.h) */
    SYSTEM_MODE_IMAGE = 1 << 8,
    PATH_CHARACTERS = 256,
};

/* A counted string and its characters, as the guest sees them. */
struct told_path {
    UNICODE_STRING string;
    WCHAR text[PATH_CHARACTERS];
};

struct told_process {
    PS_CREATE_NOTIFY_INFO info;
    struct told_path file, command;
};

struct told_image {
    IMAGE_INFO info;
    struct told_path name;
};

static size_t append(struct told_path *path, size_t length, const char *text)
{
    for (; *text != '\0' && length + 1 < PATH_CHARACTERS; text++) {
        path->text[length++] = (WCHAR)(unsigned char)*text;
    }
    return length;
}

/* Names of programs and files are ASCII; of a longer one the end is left out.
 */
static void set_path(struct told_path *path, const char *directory,
    const char *name, const char *suffix)
{
    size_t length = append(path, 0, directory);

    length = append(path, length, name);
    length = append(path, length, suffix);
    path->text[length] = 0;
    path->string = (UNICODE_STRING){.Length = (USHORT)(2 * length),
        .MaximumLength = (USHORT)(2 * (length + 1)),
        .Buffer = path->text};
}

/* Guest memory, for as long as the routines run. */
static void *told(struct kernel *kernel, size_t size)
{
    return run_needs(kernel, memory_alloc(&kernel->machine->memory, size, 0),
        "what notify routines are told");
}

/* The file object is an address that nobody can look at (PROC-20c [C]). */
static struct told_process *tell_process(
    struct kernel *kernel, const struct ps_process *process)
{
    struct told_process *tell = told(kernel, sizeof(*tell));
    struct kthread *creator = kthread_current(kernel);
    const char *name = process->program->name;

    set_path(&tell->file, "\\??\\C:\\Programs\\", name, ".exe");
    set_path(&tell->command, "", name, ".exe");
    tell->info = (PS_CREATE_NOTIFY_INFO){
        .Size = sizeof(tell->info),
        .Flags = FILE_OPEN_NAME_AVAILABLE,
        .ParentProcessId = (HANDLE)(uintptr_t)process->parent,
        .CreatingThreadId =
            {(HANDLE)(uintptr_t)ps_process_of(kernel, creator)->id,
                (HANDLE)(uintptr_t)creator->id},
        .FileObject = told(kernel, 0),
        .ImageFileName = &tell->file.string,
        .CommandLine = &tell->command.string,
        .CreationStatus = STATUS_SUCCESS,
    };
    return tell;
}

NTSTATUS notify_process_begins(
    struct kernel *kernel, const struct ps_process *process)
{
    struct memory *memory = &kernel->machine->memory;
    struct told_process *tell;
    void *file;
    NTSTATUS status;

    if (!notify_is_watched(kernel, NOTIFY_PROCESS)) {
        return STATUS_SUCCESS;
    }
    tell = tell_process(kernel, process);
    file = tell->info.FileObject;
    notify_call_each(kernel, NOTIFY_PROCESS,
        &(const struct notify_arguments){
            .plain = {process->parent, process->id, 1},
            .extended = {
                process->object.address, process->id, (uintptr_t)&tell->info}});
    status = tell->info.CreationStatus;
    memory_free(memory, file);
    memory_free(memory, tell);
    return status;
}

void notify_process_ends(
    struct kernel *kernel, const struct ps_process *process)
{
    notify_call_each(kernel, NOTIFY_PROCESS,
        &(const struct notify_arguments){
            .plain = {process->parent, process->id, 0},
            .extended = {process->object.address, process->id, 0}});
}

void notify_thread(struct kernel *kernel, uint64_t process,
    const struct kthread *thread, bool begins)
{
    notify_call_each(kernel, NOTIFY_THREAD,
        &(const struct notify_arguments){
            .plain = {process, thread->id, begins}});
}

void notify_driver_image(
    struct kernel *kernel, const char *name, const void *base, uint64_t size)
{
    struct told_image *tell;

    if (!notify_is_watched(kernel, NOTIFY_IMAGE)) {
        return;
    }
    tell = told(kernel, sizeof(*tell));
    set_path(&tell->name, "\\SystemRoot\\System32\\drivers\\", name, "");
    tell->info = (IMAGE_INFO){
        .Properties = IMAGE_ADDRESSING_MODE_32BIT | SYSTEM_MODE_IMAGE,
        .ImageBase = (PVOID)(uintptr_t)base,
        .ImageSize = size,
    };
    notify_call_each(kernel, NOTIFY_IMAGE,
        &(const struct notify_arguments){
            .plain = {
                (uintptr_t)&tell->name.string, 0, (uintptr_t)&tell->info}});
    memory_free(&kernel->machine->memory, tell);
}
