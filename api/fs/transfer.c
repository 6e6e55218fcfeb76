/* transfer.c - ZwReadFile and ZwWriteFile: where in the file, how much of it,
 * and whom that is said to. */
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/fs/open_file.h"
#include "api/io/named_event.h"
#include "api/mm/copy.h"
#include "api/nt/file_access.h"
#include "api/ob/handle_use.h"

/* What a routine was asked. */
struct transfer {
    enum routine routine;
    HANDLE file, event;
    PIO_STATUS_BLOCK answer;
    PVOID buffer;
    ULONG length;
    PLARGE_INTEGER offset;
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
    return (open->how.access & (FILE_WRITE_DATA | FILE_APPEND_DATA)) ==
           FILE_APPEND_DATA;
}

/* REG-21a. */
static NTSTATUS place(struct kernel *kernel, const struct transfer *transfer,
    const struct open_file *open, bool writes, int64_t *at)
{
    LARGE_INTEGER offset = {.QuadPart = USE_FILE_POINTER_POSITION};

    if (transfer->offset != NULL) {
        copy_in(kernel, transfer->routine, &offset, transfer->offset,
            sizeof(offset));
    }
    *at = offset.QuadPart;
    if (writes && (only_appends(open) || *at == WRITE_TO_END_OF_FILE)) {
        *at = (int64_t)open->file->size;
    } else if (*at == USE_FILE_POINTER_POSITION) {
        if (!is_synchronous(open)) {
            return STATUS_INVALID_PARAMETER;
        }
        *at = open->position;
    }
    return *at < 0 ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS;
}

/* The handles that a transfer has, and that it can be answered. */
static NTSTATUS begin(struct kernel *kernel, const struct transfer *transfer,
    ULONG rights, struct open_file **open, struct counted_object **event)
{
    NTSTATUS status;

    zw_begin(kernel, transfer->routine);
    copy_probe(kernel, transfer->routine, transfer->answer,
        sizeof(*transfer->answer), true);
    status =
        open_file_find(kernel, transfer->routine, transfer->file, rights, open);
    if (NT_SUCCESS(status) && transfer->event != NULL) {
        status = handle_use_kind(kernel, transfer->routine, transfer->event,
            OBJECT_TYPE_EVENT, event);
    }
    return NT_SUCCESS(status) && (*open)->file->directory
               ? STATUS_INVALID_DEVICE_REQUEST
               : status;
}

/* It has come to its end at once. */
static NTSTATUS finish(struct kernel *kernel, const struct transfer *transfer,
    struct counted_object *event, NTSTATUS status, ULONG moved)
{
    const IO_STATUS_BLOCK answer = {.Status = status, .Information = moved};

    copy_out(
        kernel, transfer->routine, transfer->answer, &answer, sizeof(answer));
    if (event != NULL) {
        named_event_set(kernel, event, 1);
    }
    return status;
}

static void refuse_apc(
    struct kernel *kernel, enum routine routine, PVOID apc_routine)
{
    if (apc_routine != NULL) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "an ApcRoutine of %s is not modelled: drivers pass NULL",
            routine_rows[routine].name);
    }
}

static NTSTATUS read_file(
    struct kernel *kernel, const struct transfer *transfer)
{
    struct counted_object *event = NULL;
    struct open_file *open;
    ULONG moved = transfer->length;
    int64_t at;
    NTSTATUS status = begin(kernel, transfer, FILE_READ_DATA, &open, &event);

    if (NT_SUCCESS(status)) {
        status = place(kernel, transfer, open, false, &at);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (moved > 0 && (uint64_t)at >= open->file->size) {
        return finish(kernel, transfer, event, STATUS_END_OF_FILE, 0);
    }
    if (moved > 0 && moved > open->file->size - (uint64_t)at) {
        moved = (ULONG)(open->file->size - (uint64_t)at);
    }
    if (moved > 0) {
        copy_out(kernel, transfer->routine, transfer->buffer,
            open->file->data + at, moved);
    }
    if (is_synchronous(open)) {
        open->position = at + moved;
    }
    open->file->times.accessed = volume_now(kernel);
    return finish(kernel, transfer, event, STATUS_SUCCESS, moved);
}

NTSTATUS ZwReadFile_body(HANDLE FileHandle, HANDLE Event, PVOID ApcRoutine,
    PVOID ApcContext, PIO_STATUS_BLOCK IoStatusBlock, PVOID Buffer,
    ULONG Length, PLARGE_INTEGER ByteOffset, PULONG Key)
{
    const struct transfer transfer = {ROUTINE_ZwReadFile, FileHandle, Event,
        IoStatusBlock, Buffer, Length, ByteOffset};
    struct kernel *kernel = kernel_current();

    (void)ApcContext;
    (void)Key; /* of locks, which nobody has */
    refuse_apc(kernel, transfer.routine, ApcRoutine);
    return read_file(kernel, &transfer);
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

static NTSTATUS write_file(
    struct kernel *kernel, const struct transfer *transfer)
{
    struct counted_object *event = NULL;
    struct open_file *open;
    int64_t at;
    NTSTATUS status = begin(
        kernel, transfer, FILE_WRITE_DATA | FILE_APPEND_DATA, &open, &event);

    if (NT_SUCCESS(status)) {
        status = place(kernel, transfer, open, true, &at);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    copy_probe(
        kernel, transfer->routine, transfer->buffer, transfer->length, false);
    status = make_room(kernel, open->file, at, transfer->length);
    if (!NT_SUCCESS(status)) {
        return finish(kernel, transfer, event, status, 0);
    }
    if (transfer->length > 0) {
        copy_in(kernel, transfer->routine, open->file->data + at,
            transfer->buffer, transfer->length);
    }
    if (is_synchronous(open)) {
        open->position = at + transfer->length;
    }
    open->file->times.written = open->file->times.changed = volume_now(kernel);
    return finish(kernel, transfer, event, STATUS_SUCCESS, transfer->length);
}

NTSTATUS ZwWriteFile_body(HANDLE FileHandle, HANDLE Event, PVOID ApcRoutine,
    PVOID ApcContext, PIO_STATUS_BLOCK IoStatusBlock, PVOID Buffer,
    ULONG Length, PLARGE_INTEGER ByteOffset, PULONG Key)
{
    const struct transfer transfer = {ROUTINE_ZwWriteFile, FileHandle, Event,
        IoStatusBlock, Buffer, Length, ByteOffset};
    struct kernel *kernel = kernel_current();

    (void)ApcContext;
    (void)Key;
    refuse_apc(kernel, transfer.routine, ApcRoutine);
    return write_file(kernel, &transfer);
}
