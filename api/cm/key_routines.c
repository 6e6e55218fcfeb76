/* key_routines.c - ZwCreateKey, ZwOpenKey, ZwDeleteKey and their kin. */
#include <assert.h>

#include "api/cm/open_key.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"

enum {
    REG_CREATED_NEW_KEY = 1,
    REG_OPENED_EXISTING_KEY = 2,
    OPEN_OPTIONS = 0xC, /* REG_OPTION_BACKUP_RESTORE, REG_OPTION_OPEN_LINK */
};

/* A handle that is handed out: NULL where there is none. */
static NTSTATUS hand_out(struct kernel *kernel, enum routine routine,
    PHANDLE to, struct registry_key *key, ULONG access)
{
    HANDLE handle = NULL;
    NTSTATUS status = open_key_open(kernel, key, access, &handle);

    if (NT_SUCCESS(status)) {
        copy_out(kernel, routine, to, &handle, sizeof(handle));
    }
    return status;
}

static NTSTATUS open_existing(enum routine routine, PHANDLE KeyHandle,
    ULONG access, const OBJECT_ATTRIBUTES *attributes)
{
    struct kernel *kernel = kernel_current();
    struct key_path *path;
    NTSTATUS status;

    copy_probe(kernel, routine, KeyHandle, sizeof(*KeyHandle), true);
    status = key_path_read(kernel, routine, attributes, &path);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (path->key == NULL) {
        return STATUS_OBJECT_NAME_NOT_FOUND;
    }
    return hand_out(kernel, routine, KeyHandle, path->key, access);
}

NTSTATUS ZwOpenKey_body(
    PHANDLE KeyHandle, ULONG DesiredAccess, POBJECT_ATTRIBUTES ObjectAttributes)
{
    return open_existing(
        ROUTINE_ZwOpenKey, KeyHandle, DesiredAccess, ObjectAttributes);
}

NTSTATUS ZwOpenKeyEx_body(PHANDLE KeyHandle, ULONG DesiredAccess,
    POBJECT_ATTRIBUTES ObjectAttributes, ULONG OpenOptions)
{
    if ((OpenOptions & ~(ULONG)OPEN_OPTIONS) != 0) {
        return STATUS_INVALID_PARAMETER_4;
    }
    return open_existing(
        ROUTINE_ZwOpenKeyEx, KeyHandle, DesiredAccess, ObjectAttributes);
}

NTSTATUS ZwCreateKey_body(PHANDLE KeyHandle, ULONG DesiredAccess,
    POBJECT_ATTRIBUTES ObjectAttributes, ULONG TitleIndex,
    PUNICODE_STRING Class, ULONG CreateOptions, PULONG Disposition)
{
    enum routine routine = ROUTINE_ZwCreateKey;
    struct kernel *kernel = kernel_current();
    struct key_path *path;
    ULONG disposition = REG_OPENED_EXISTING_KEY;
    NTSTATUS status;

    (void)TitleIndex;
    (void)Class; /* nobody is told of it */
    (void)CreateOptions;
    copy_probe(kernel, routine, KeyHandle, sizeof(*KeyHandle), true);
    if (Disposition != NULL) {
        copy_probe(kernel, routine, Disposition, sizeof(*Disposition), true);
    }
    status = key_path_read(kernel, routine, ObjectAttributes, &path);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (path->key == NULL) {
        if (path->root != NULL && path->parent == path->root->key &&
            (path->root->access & KEY_CREATE_SUB_KEY) == 0) {
            return STATUS_ACCESS_DENIED;
        }
        disposition = REG_CREATED_NEW_KEY;
        path->key = registry_add_key(kernel, path->parent, &path->last);
    }
    status = path->key == NULL ? STATUS_INSUFFICIENT_RESOURCES
                               : hand_out(kernel, routine, KeyHandle, path->key,
                                     DesiredAccess);
    if (NT_SUCCESS(status) && Disposition != NULL) {
        copy_out(
            kernel, routine, Disposition, &disposition, sizeof(disposition));
    }
    return status;
}

NTSTATUS ZwDeleteKey_body(HANDLE KeyHandle)
{
    struct kernel *kernel = kernel_current();
    struct open_key *open;
    NTSTATUS status =
        open_key_find(kernel, ROUTINE_ZwDeleteKey, KeyHandle, DELETE, &open);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (open->key->first != NULL || open->key->parent == NULL) {
        return STATUS_CANNOT_DELETE; /* REG-06a */
    }
    registry_delete_key(open->key);
    return STATUS_SUCCESS;
}

/* Nothing is ever written later. */
NTSTATUS ZwFlushKey_body(HANDLE KeyHandle)
{
    struct open_key *open;

    return open_key_find(
        kernel_current(), ROUTINE_ZwFlushKey, KeyHandle, 0, &open);
}
