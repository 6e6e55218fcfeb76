/* relative_key.c - what RelativeTo stands for: a key that every Windows has,
 * the registry as a whole, or a handle in place of the path. */
#include "api/cm/relative_key.h"

#include "api/core/kernel.h"

enum { RELATIVE_ABSOLUTE = 0 };

/* The keys that a path may be relative to, by RelativeTo (REG-10a); of the user
 * that is the system's (REG-10h [C]). */
static const char *const known_keys[] = {
    [1] = "MACHINE\\SYSTEM\\CurrentControlSet\\Services",
    [2] = "MACHINE\\SYSTEM\\CurrentControlSet\\Control",
    [3] = "MACHINE\\Software\\Microsoft\\Windows NT\\CurrentVersion",
    [4] = "MACHINE\\Hardware\\DeviceMap",
    [5] = "USER\\.DEFAULT",
};

static NTSTATUS find_handle(struct kernel *kernel, enum routine routine,
    HANDLE handle, ULONG right, struct relative_key *found)
{
    struct open_key *open;
    NTSTATUS status = open_key_find(kernel, routine, handle, right, &open);

    if (NT_SUCCESS(status)) {
        *found =
            (struct relative_key){.key = open->key, .access = open->access};
    }
    return status;
}

NTSTATUS relative_key_find(struct kernel *kernel, enum routine routine,
    ULONG relative, const WCHAR *path, ULONG right, struct relative_key *found)
{
    const ULONG modes = RELATIVE_OPTIONAL | RELATIVE_HANDLE;
    struct registry_key *known;
    NTSTATUS status;

    if ((relative & RELATIVE_HANDLE) != 0) {
        return find_handle(
            kernel, routine, (HANDLE)(uintptr_t)path, right, found);
    }
    relative &= ~modes;
    if (relative >= sizeof(known_keys) / sizeof(known_keys[0])) {
        return STATUS_INVALID_PARAMETER;
    }
    found->access = KEY_ALL_ACCESS;
    if (relative == RELATIVE_ABSOLUTE) {
        status = key_path_read_text(kernel, routine, path, &found->path);
    } else {
        known = registry_find_path(registry_root(kernel), known_keys[relative]);
        status =
            key_path_read_below(kernel, routine, known, path, &found->path);
    }
    found->key = found->path->key;
    if (NT_SUCCESS(status) && found->key == NULL &&
        found->path->parent == NULL) {
        status = STATUS_OBJECT_NAME_NOT_FOUND; /* a known one was deleted */
    }
    return status;
}

NTSTATUS relative_key_find_there(struct kernel *kernel, enum routine routine,
    ULONG relative, const WCHAR *path, ULONG right, struct relative_key *found)
{
    NTSTATUS status =
        relative_key_find(kernel, routine, relative, path, right, found);

    return NT_SUCCESS(status) && found->key == NULL
               ? STATUS_OBJECT_NAME_NOT_FOUND
               : status;
}
