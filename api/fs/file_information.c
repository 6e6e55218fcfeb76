/* file_information.c - ZwQueryInformationFile and ZwSetInformationFile, class
 * by class. */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/fs/open_file.h"
#include "api/mm/copy.h"
#include "api/nt/file_access.h"
#include "api/ob/handle_use.h"

enum information_class {
    CLASS_BASIC = 4,
    CLASS_STANDARD = 5,
    CLASS_NAME = 9,
    CLASS_DISPOSITION = 13,
    CLASS_POSITION = 14,
    CLASS_END_OF_FILE = 20,
    CLASSES = 77, /* of Windows 10's headers; there is none below 1 */
};

/* What a routine was asked. */
struct inquiry {
    enum routine routine;
    HANDLE file;
    PIO_STATUS_BLOCK answer;
    PVOID buffer;
    ULONG length;
};

/* A class that one of the routines has: what it needs, and how it is done. */
struct query_row {
    enum information_class kind;
    ULONG right;
    size_t size; /* of its fixed part */
    NTSTATUS(*answer)
    (struct kernel *kernel, const struct inquiry *inquiry,
        const struct open_file *open, ULONG *written);
};

struct set_row {
    enum information_class kind;
    ULONG right;
    size_t size;
    NTSTATUS(*set)
    (struct kernel *kernel, struct open_file *open, const void *information);
};

/* A class that there is, and that has no row. */
static NTSTATUS refuse_class(
    struct kernel *kernel, enum routine routine, ULONG kind)
{
    if (kind == 0 || kind >= CLASSES) {
        return STATUS_INVALID_INFO_CLASS; /* REG-22c [C] */
    }
    run_end_stop(kernel, RUN_NOT_MODELLED,
        "class %u of %s is not modelled (docs/fidelity.md has those that are)",
        (unsigned)kind, routine_rows[routine].name);
}

static NTSTATUS answer_basic(struct kernel *kernel,
    const struct inquiry *inquiry, const struct open_file *open, ULONG *written)
{
    const struct volume_times *times = &open->file->times;
    const FILE_BASIC_INFORMATION basic = {
        .CreationTime.QuadPart = times->created,
        .LastAccessTime.QuadPart = times->accessed,
        .LastWriteTime.QuadPart = times->written,
        .ChangeTime.QuadPart = times->changed,
        .FileAttributes = open->file->attributes};

    copy_out(kernel, inquiry->routine, inquiry->buffer, &basic, sizeof(basic));
    *written = sizeof(basic);
    return STATUS_SUCCESS;
}

static NTSTATUS answer_standard(struct kernel *kernel,
    const struct inquiry *inquiry, const struct open_file *open, ULONG *written)
{
    const struct volume_file *file = open->file;
    const FILE_STANDARD_INFORMATION standard = {
        .AllocationSize.QuadPart = (int64_t)((file->size + VOLUME_CLUSTER - 1) /
                                             VOLUME_CLUSTER * VOLUME_CLUSTER),
        .EndOfFile.QuadPart = (int64_t)file->size,
        .NumberOfLinks = file->pending ? 0 : 1,
        .DeletePending = file->pending,
        .Directory = file->directory};

    copy_out(
        kernel, inquiry->routine, inquiry->buffer, &standard, sizeof(standard));
    *written = sizeof(standard);
    return STATUS_SUCCESS;
}

static NTSTATUS answer_position(struct kernel *kernel,
    const struct inquiry *inquiry, const struct open_file *open, ULONG *written)
{
    const FILE_POSITION_INFORMATION position = {
        .CurrentByteOffset.QuadPart = open->position};

    copy_out(
        kernel, inquiry->routine, inquiry->buffer, &position, sizeof(position));
    *written = sizeof(position);
    return STATUS_SUCCESS;
}

/* As much of the name as there is room for, behind its whole length. */
static NTSTATUS answer_name(struct kernel *kernel,
    const struct inquiry *inquiry, const struct open_file *open, ULONG *written)
{
    const size_t head = sizeof(ULONG);
    struct file_path *path = kernel->open_files->path; /* it was named by one */
    size_t length = volume_path(open->file, path->unit, FILE_PATH_UNITS);
    ULONG bytes = (ULONG)(length * sizeof(WCHAR));
    ULONG room = inquiry->length - (ULONG)head;
    ULONG fits = bytes <= room ? bytes : room;

    copy_out(kernel, inquiry->routine, inquiry->buffer, &bytes, head);
    copy_out(kernel, inquiry->routine, (uint8_t *)inquiry->buffer + head,
        path->unit, fits);
    *written = (ULONG)head + fits;
    return fits == bytes ? STATUS_SUCCESS : STATUS_BUFFER_OVERFLOW;
}

static const struct query_row query_rows[] = {
    {CLASS_BASIC, FILE_READ_ATTRIBUTES, sizeof(FILE_BASIC_INFORMATION),
        answer_basic},
    {CLASS_STANDARD, 0, sizeof(FILE_STANDARD_INFORMATION), answer_standard},
    {CLASS_NAME, 0, sizeof(FILE_NAME_INFORMATION), answer_name},
    {CLASS_POSITION, FILE_READ_DATA | FILE_WRITES,
        sizeof(FILE_POSITION_INFORMATION), answer_position},
};

NTSTATUS ZwQueryInformationFile_body(HANDLE FileHandle,
    PIO_STATUS_BLOCK IoStatusBlock, PVOID FileInformation, ULONG Length,
    ULONG FileInformationClass)
{
    const struct inquiry inquiry = {ROUTINE_ZwQueryInformationFile, FileHandle,
        IoStatusBlock, FileInformation, Length};
    struct kernel *kernel = kernel_current();
    const struct query_row *row = query_rows;
    IO_STATUS_BLOCK answer;
    struct open_file *open;
    NTSTATUS status;
    ULONG written;

    zw_begin(kernel, inquiry.routine);
    while (row->kind != (enum information_class)FileInformationClass) {
        if (++row == query_rows + sizeof(query_rows) / sizeof(query_rows[0])) {
            return refuse_class(kernel, inquiry.routine, FileInformationClass);
        }
    }
    copy_probe(kernel, inquiry.routine, IoStatusBlock, sizeof(answer), true);
    copy_probe(kernel, inquiry.routine, FileInformation, Length, true);
    if (Length < row->size) {
        return STATUS_INFO_LENGTH_MISMATCH;
    }
    status =
        open_file_find(kernel, inquiry.routine, FileHandle, row->right, &open);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = row->answer(kernel, &inquiry, open, &written);
    answer = (IO_STATUS_BLOCK){.Status = status, .Information = written};
    copy_out(kernel, inquiry.routine, IoStatusBlock, &answer, sizeof(answer));
    return status;
}

/* A time of 0 stays as it is; -1 would keep it from changing by itself, and -2
 * let it again (page FILE_BASIC_INFORMATION): neither is modelled. */
static void set_time(struct kernel *kernel, int64_t *time, int64_t to)
{
    if (to < 0) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "a time of a file that stops (-1, -2) is not modelled");
    }
    *time = to == 0 ? *time : to;
}

static NTSTATUS set_basic(
    struct kernel *kernel, struct open_file *open, const void *information)
{
    const FILE_BASIC_INFORMATION *basic = information;
    struct volume_file *file = open->file;

    if (!file->directory &&
        (basic->FileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        return STATUS_INVALID_PARAMETER;
    }
    set_time(kernel, &file->times.created, basic->CreationTime.QuadPart);
    set_time(kernel, &file->times.accessed, basic->LastAccessTime.QuadPart);
    set_time(kernel, &file->times.written, basic->LastWriteTime.QuadPart);
    set_time(kernel, &file->times.changed, basic->ChangeTime.QuadPart);
    if (basic->FileAttributes != 0) { /* or they stay */
        volume_set_attributes(file, basic->FileAttributes);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS set_disposition(
    struct kernel *kernel, struct open_file *open, const void *information)
{
    struct volume_file *file = open->file;
    bool goes = *(const BOOLEAN *)information != 0;

    (void)kernel;
    if (goes && ((file->attributes & FILE_ATTRIBUTE_READONLY) != 0 ||
                    file->parent == NULL)) {
        return STATUS_CANNOT_DELETE;
    }
    if (goes && file->first != NULL) {
        return STATUS_DIRECTORY_NOT_EMPTY;
    }
    file->pending = goes;
    return STATUS_SUCCESS;
}

static NTSTATUS set_position(
    struct kernel *kernel, struct open_file *open, const void *information)
{
    const FILE_POSITION_INFORMATION *position = information;

    (void)kernel;
    if (position->CurrentByteOffset.QuadPart < 0) {
        return STATUS_INVALID_PARAMETER;
    }
    open->position = position->CurrentByteOffset.QuadPart;
    return STATUS_SUCCESS;
}

static NTSTATUS set_end_of_file(
    struct kernel *kernel, struct open_file *open, const void *information)
{
    const FILE_END_OF_FILE_INFORMATION *end = information;
    int64_t size = end->EndOfFile.QuadPart;

    if (open->file->directory || size < 0) {
        return STATUS_INVALID_PARAMETER;
    }
    if (size > VOLUME_FILE_BYTES) {
        return STATUS_DISK_FULL; /* REG-21c [C] */
    }
    if (!volume_resize(kernel, open->file, (uint64_t)size)) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    open->file->times.written = open->file->times.changed = volume_now(kernel);
    return STATUS_SUCCESS;
}

static const struct set_row set_rows[] = {
    {CLASS_BASIC, FILE_WRITE_ATTRIBUTES, sizeof(FILE_BASIC_INFORMATION),
        set_basic},
    {CLASS_DISPOSITION, DELETE, sizeof(FILE_DISPOSITION_INFORMATION),
        set_disposition},
    {CLASS_POSITION, FILE_READ_DATA | FILE_WRITES,
        sizeof(FILE_POSITION_INFORMATION), set_position},
    {CLASS_END_OF_FILE, FILE_WRITE_DATA, sizeof(FILE_END_OF_FILE_INFORMATION),
        set_end_of_file},
};

NTSTATUS ZwSetInformationFile_body(HANDLE FileHandle,
    PIO_STATUS_BLOCK IoStatusBlock, PVOID FileInformation, ULONG Length,
    ULONG FileInformationClass)
{
    const enum routine routine = ROUTINE_ZwSetInformationFile;
    struct kernel *kernel = kernel_current();
    const struct set_row *row = set_rows;
    uint8_t information[sizeof(FILE_BASIC_INFORMATION)];
    IO_STATUS_BLOCK answer = {.Information = 0};
    struct open_file *open;
    NTSTATUS status;

    zw_begin(kernel, routine);
    while (row->kind != (enum information_class)FileInformationClass) {
        if (++row == set_rows + sizeof(set_rows) / sizeof(set_rows[0])) {
            return refuse_class(kernel, routine, FileInformationClass);
        }
    }
    copy_probe(kernel, routine, IoStatusBlock, sizeof(answer), true);
    if (Length < row->size) {
        return STATUS_INFO_LENGTH_MISMATCH;
    }
    copy_in(kernel, routine, information, FileInformation, row->size);
    status = open_file_find(kernel, routine, FileHandle, row->right, &open);
    if (NT_SUCCESS(status)) {
        status = row->set(kernel, open, information);
    }
    if (NT_SUCCESS(status)) {
        answer.Status = status;
        copy_out(kernel, routine, IoStatusBlock, &answer, sizeof(answer));
    }
    return status;
}
