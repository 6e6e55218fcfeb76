/* object_name.c - ObQueryNameString: the path of an object. */
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"
#include "api/ob/counted_object.h"

/* The structure and, behind it, the path and its NUL (OB-09). */
NTSTATUS ObQueryNameString_body(
    PVOID Object, PVOID ObjectNameInfo, ULONG Length, PULONG ReturnLength)
{
    const enum routine routine = ROUTINE_ObQueryNameString;
    struct kernel *kernel = kernel_current();
    const struct counted_object *object =
        counted_object_get(kernel, routine, Object);
    struct {
        UNICODE_STRING string;
        WCHAR text[OBJECT_PATH_UNITS];
    } name = {.string = {.Length = 0}};
    size_t length =
        object->type->path == NULL ? 0 : object->type->path(object, name.text);
    ULONG needed = sizeof(name.string);

    copy_probe(kernel, routine, ReturnLength, sizeof(needed), true);
    if (length > 0) {
        needed += (ULONG)((length + 1) * sizeof(WCHAR));
        name.string =
            (UNICODE_STRING){.Length = (USHORT)(length * sizeof(WCHAR)),
                .MaximumLength = (USHORT)((length + 1) * sizeof(WCHAR)),
                .Buffer = (uint8_t *)ObjectNameInfo + sizeof(name.string)};
    }
    if (Length >= needed) {
        copy_out(kernel, routine, ObjectNameInfo, &name, needed);
    }
    copy_out(kernel, routine, ReturnLength, &needed, sizeof(needed));
    return Length >= needed ? STATUS_SUCCESS : STATUS_INFO_LENGTH_MISMATCH;
}
