/* open_file.h - files as drivers have them: named by a path, opened with rights
 * and shared with others, and found by their handles. */
#ifndef API_FS_OPEN_FILE_H
#define API_FS_OPEN_FILE_H

#include "api/core/routine.h"
#include "api/fs/volume.h"
#include "api/ob/handle.h"
#include "sim/base/record_pool.h"

enum { FILE_PATH_UNITS = 32767 };

/* How a file is opened, as ZwCreateFile has it. */
struct file_how {
    ULONG access; /* without generic rights */
    ULONG share, options;
};

/* An open of a file: what its FILE_OBJECT stands for. */
struct open_file {
    struct counted_object counted;
    struct volume_file *file;
    struct file_how how;
    int64_t position;
    bool has_handle; /* or had: its share counts until the last is closed */
    struct open_file *next; /* of all */
};

/* A path, taken apart down to its last name. */
struct file_path {
    struct volume_file *file;   /* what it names; NULL: it is not there */
    struct volume_file *parent; /* of that name */
    struct volume_name last;
    bool is_directory;        /* it ends with a backslash */
    ULONG attributes;         /* OBJ_, that came with it */
    struct io_device *device; /* or a device; NULL: it names none */
    struct io_file *related;  /* whose handle was the directory; NULL: none */
    size_t rest, length;      /* the characters that follow the device's name */
    WCHAR unit[FILE_PATH_UNITS];
};

struct open_files {
    struct open_file *first;
    struct record_pool pool;
    struct file_path *path; /* NULL: nobody has named a file yet */
};

/* Reads what a driver has named a file by, \??\C:\x, \SystemRoot\x,
 * \Device\HarddiskVolume1\x or x in the directory RootDirectory.
 * STATUS_INVALID_HANDLE, STATUS_OBJECT_TYPE_MISMATCH, STATUS_NOT_A_DIRECTORY
 * (RootDirectory); STATUS_OBJECT_PATH_SYNTAX_BAD, STATUS_OBJECT_PATH_NOT_FOUND,
 * STATUS_OBJECT_NAME_INVALID, STATUS_OBJECT_NAME_NOT_FOUND (no volume is
 * named). It may raise. What names a device, or is relative to a file of one,
 * has path->device and no file. *path is valid until the next call. */
NTSTATUS file_path_read(struct kernel *kernel, enum routine routine,
    const OBJECT_ATTRIBUTES *attributes, struct file_path **path);

/* STATUS_SHARING_VIOLATION: it cannot be opened so, beside those who have it
 * open. */
NTSTATUS open_file_share(struct kernel *kernel, const struct volume_file *file,
    const struct file_how *how);

/* Gives a driver a handle of a new open. STATUS_INSUFFICIENT_RESOURCES. */
NTSTATUS open_file_open(struct kernel *kernel, struct volume_file *file,
    const struct file_how *how, ULONG attributes, HANDLE *handle);

/* The open of a handle that has one of the rights (0: it needs none).
 * STATUS_INVALID_HANDLE, with a rule event; STATUS_OBJECT_TYPE_MISMATCH,
 * STATUS_ACCESS_DENIED. It stops the run at a device's file. */
NTSTATUS open_file_find(struct kernel *kernel, enum routine routine,
    HANDLE handle, ULONG rights, struct open_file **found);

#endif
