/* transfer.c - ZwReadFile and ZwWriteFile: from where in the file, how much,
 * and the event that says it is done. */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/fs/open_file.h"
#include "api/io/handle_request.h"
#include "api/io/named_event.h"
#include "api/mm/copy.h"
#include "api/nt/file_access.h"
#include "api/ob/handle_use.h"

/* What a routine was asked, and whom that is about. */
struct transfer {
    enum routine routine;
    ULONG rights; /* of which the handle needs one */
    HANDLE file, event;
    PVOID apc_routine;
    PIO_STATUS_BLOCK answer;
    PVOID buffer;
    ULONG length;
    PLARGE_INTEGER offset;
    PULONG key; /* of locks, which nobody has on the volume */
    struct open_file *open;
    struct counted_object *signals; /* NULL: nobody is told of the end */
    int64_t at;                     /* in the file */
};

enum {
    USE_FILE_POINTER_POSITION = -2, /* with -1 in the upper half */
    WRITE_TO_END_OF_FILE = -1,
};

static bool is_synchronous(const struct open_file *open)
{
    return (open->how.options & FILE_SYNCHRONOUS_IO) != 0;
}

/* Who may only append writes at the end, whatever is asked. */
static bool only_appends(const struct open_file *open)
{
    return (open->how.access & FILE_WRITES) == FILE_APPEND_DATA;
}

/* REG-21a. */
static NTSTATUS place(struct kernel *kernel, struct transfer *transfer)
{
    const struct open_file *open = transfer->open;
    LARGE_INTEGER offset = {.QuadPart = USE_FILE_POINTER_POSITION};
    bool writes = transfer->rights != FILE_READ_DATA;

    if (transfer->offset != NULL) {
        copy_in(kernel, transfer->routine, &offset, transfer->offset,
            sizeof(offset));
    }
    transfer->at = offset.QuadPart;
    if (writes &&
        (only_appends(open) || transfer->at == WRITE_TO_END_OF_FILE)) {
        transfer->at = (int64_t)open->file->size;
    } else if (transfer->at == USE_FILE_POINTER_POSITION) {
        if (!is_synchronous(open)) {
            return STATUS_INVALID_PARAMETER;
        }
        transfer->at = open->position;
    }
    return transfer->at < 0 ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS;
}

/* One of a device, which its driver answers. */
static NTSTATUS ask_device(
    struct kernel *kernel, const struct transfer *transfer)
{
    struct handle_request asked = {.routine = transfer->routine,
        .handle = transfer->file,
        .event = transfer->event,
        .apc_routine = transfer->apc_routine,
        .answer = transfer->answer};
    NTSTATUS status;

    zw_begin(kernel, transfer->routine);
    status = handle_request_begin(kernel, &asked);
    return NT_SUCCESS(status)
               ? handle_request_transfer(kernel, &asked,
                     transfer->rights == FILE_READ_DATA ? IRP_MJ_READ
                                                        : IRP_MJ_WRITE,
                     transfer->buffer, transfer->length, transfer->offset,
                     transfer->key)
               : status;
}

/* Finds out whom it is about and where in the file, and that it can be
 * answered. */
static NTSTATUS begin(struct kernel *kernel, struct transfer *transfer)
{
    NTSTATUS status;

    zw_begin(kernel, transfer->routine);
    if (transfer->apc_routine != NULL) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "an ApcRoutine of %s is not modelled: drivers pass NULL",
            routine_rows[transfer->routine].name);
    }
    copy_probe(kernel, transfer->routine, transfer->answer,
        sizeof(*transfer->answer), true);
    status = open_file_find(kernel, transfer->routine, transfer->file,
        transfer->rights, &transfer->open);
    if (NT_SUCCESS(status) && transfer->event != NULL) {
        status = handle_use_kind(kernel, transfer->routine, transfer->event,
            OBJECT_TYPE_EVENT, &transfer->signals);
    }
    if (NT_SUCCESS(status) && transfer->open->file->directory) {
        status = STATUS_INVALID_DEVICE_REQUEST;
    }
    return NT_SUCCESS(status) ? place(kernel, transfer) : status;
}

/* It has come to its end at once, so many bytes later. */
static NTSTATUS finish(struct kernel *kernel, const struct transfer *transfer,
    NTSTATUS status, ULONG moved)
{
    const IO_STATUS_BLOCK answer = {.Status = status, .Information = moved};

    if (NT_SUCCESS(status) && is_synchronous(transfer->open)) {
        transfer->open->position = transfer->at + moved;
    }
    copy_out(
        kernel, transfer->routine, transfer->answer, &answer, sizeof(answer));
    if (transfer->signals != NULL) {
        named_event_set(kernel, transfer->signals, 1);
    }
    return status;
}

/* Returns how many bytes of the file there are from there on, of so many. */
static ULONG bytes_there(const struct volume_file *file, int64_t at, ULONG most)
{
    uint64_t there = (uint64_t)at < file->size ? file->size - (uint64_t)at : 0;

    return there < most ? (ULONG)there : most;
}

NTSTATUS ZwReadFile_body(HANDLE FileHandle, HANDLE Event, PVOID ApcRoutine,
    PVOID ApcContext, PIO_STATUS_BLOCK IoStatusBlock, PVOID Buffer,
    ULONG Length, PLARGE_INTEGER ByteOffset, PULONG Key)
{
    struct transfer transfer = {ROUTINE_ZwReadFile, FILE_READ_DATA, FileHandle,
        Event, ApcRoutine, IoStatusBlock, Buffer, Length, ByteOffset, Key, NULL,
        NULL, 0};
    struct kernel *kernel = kernel_current();
    struct volume_file *file;
    NTSTATUS status;
    ULONG moved;

    (void)ApcContext;
    if (io_file_of_handle(kernel, FileHandle) != NULL) {
        return ask_device(kernel, &transfer);
    }
    status = begin(kernel, &transfer);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    file = transfer.open->file;
    moved = bytes_there(file, transfer.at, Length);
    if (moved == 0 && Length > 0) {
        return finish(kernel, &transfer, STATUS_END_OF_FILE, 0);
    }
    if (moved > 0) {
        copy_out(
            kernel, transfer.routine, Buffer, file->data + transfer.at, moved);
    }
    file->times.accessed = volume_now(kernel);
    return finish(kernel, &transfer, STATUS_SUCCESS, moved);
}

/* The file is as long as the transfer needs it, or as it was. */
static NTSTATUS make_room(
    struct kernel *kernel, struct volume_file *file, int64_t at, ULONG length)
{
    uint64_t end = (uint64_t)at + length;

    if (length == 0 || end <= file->size) {
        return STATUS_SUCCESS;
    }
    if (end > VOLUME_FILE_BYTES) {
        return STATUS_DISK_FULL; /* REG-21c [C] */
    }
    return volume_resize(kernel, file, end) ? STATUS_SUCCESS
                                            : STATUS_INSUFFICIENT_RESOURCES;
}

NTSTATUS ZwWriteFile_body(HANDLE FileHandle, HANDLE Event, PVOID ApcRoutine,
    PVOID ApcContext, PIO_STATUS_BLOCK IoStatusBlock, PVOID Buffer,
    ULONG Length, PLARGE_INTEGER ByteOffset, PULONG Key)
{
    struct transfer transfer = {ROUTINE_ZwWriteFile, FILE_WRITES, FileHandle,
        Event, ApcRoutine, IoStatusBlock, Buffer, Length, ByteOffset, Key, NULL,
        NULL, 0};
    struct kernel *kernel = kernel_current();
    struct volume_file *file;
    NTSTATUS status;

    (void)ApcContext;
    if (io_file_of_handle(kernel, FileHandle) != NULL) {
        return ask_device(kernel, &transfer);
    }
    status = begin(kernel, &transfer);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    file = transfer.open->file;
    copy_probe(kernel, transfer.routine, Buffer, Length, false);
    status = make_room(kernel, file, transfer.at, Length);
    if (!NT_SUCCESS(status)) {
        return finish(kernel, &transfer, status, 0);
    }
    if (Length > 0) {
        copy_in(
            kernel, transfer.routine, file->data + transfer.at, Buffer, Length);
    }
    file->times.written = file->times.changed = volume_now(kernel);
    return finish(kernel, &transfer, STATUS_SUCCESS, Length);
}
