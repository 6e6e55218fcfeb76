/* object_name.c - ObQueryNameString: the path of an object. */
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/mm/copy.h"
#include "api/ob/handle.h"

/* OBJECT_NAME_INFORMATION and what follows it. */
struct name_information {
    UNICODE_STRING string;
    WCHAR text[OBJECT_PATH_UNITS];
};

/* The one that there is: it is too long for a stack. */
static struct name_information *path_of(struct kernel *kernel)
{
    struct handles *handles = kernel->handles;

    if (handles->path == NULL) {
        handles->path = run_needs_memory(
            kernel, sizeof(*handles->path), "the path of an object");
    }
    return handles->path;
}

/* The structure and, behind it, the path and its NUL (OB-09). */
NTSTATUS ObQueryNameString_body(
    PVOID Object, PVOID ObjectNameInfo, ULONG Length, PULONG ReturnLength)
{
    const enum routine routine = ROUTINE_ObQueryNameString;
    struct kernel *kernel = kernel_current();
    const struct counted_object *object =
        counted_object_get(kernel, routine, Object);
    struct name_information *path = path_of(kernel);
    size_t length =
        object->type->path == NULL ? 0 : object->type->path(object, path->text);
    ULONG needed = sizeof(path->string);

    copy_probe(kernel, routine, ReturnLength, sizeof(needed), true);
    path->string = (UNICODE_STRING){.Length = 0};
    path->text[length] = '\0';
    if (length > 0) {
        needed += (ULONG)((length + 1) * sizeof(WCHAR));
        path->string = (UNICODE_STRING){
            .Length = (USHORT)(length * sizeof(WCHAR)),
            .MaximumLength = (USHORT)((length + 1) * sizeof(WCHAR)),
            .Buffer =
                (WCHAR *)((uintptr_t)ObjectNameInfo + sizeof(path->string))};
    }
    if (Length >= needed) {
        copy_out(kernel, routine, ObjectNameInfo, path, needed);
    }
    copy_out(kernel, routine, ReturnLength, &needed, sizeof(needed));
    return Length >= needed ? STATUS_SUCCESS : STATUS_INFO_LENGTH_MISMATCH;
}
