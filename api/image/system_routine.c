/* system_routine.c - MmGetSystemRoutineAddress: what an import of that name
 * would be bound to, for drivers that run on versions without it. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/image/imports.h"
#include "api/rtl/unicode_string.h"

/* No export's name is longer. */
enum { ROUTINE_NAME_CHARS = 64 };

/* A name of exports is plain ASCII; the text is not. */
static bool is_ascii(const WCHAR *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == 0 || text[i] > 0x7F) {
            return false;
        }
    }
    return true;
}

/* Of a name that has no row in exports.def nobody knows here whether this
 * Windows has it: it is not there [C], as callers have to expect. */
PVOID MmGetSystemRoutineAddress_body(PUNICODE_STRING SystemRoutineName)
{
    struct kernel *kernel = kernel_current();
    WCHAR text[ROUTINE_NAME_CHARS];
    char name[ROUTINE_NAME_CHARS];
    size_t length =
        unicode_string_read(kernel, ROUTINE_MmGetSystemRoutineAddress,
            SystemRoutineName, text, ROUTINE_NAME_CHARS);

    if (length >= ROUTINE_NAME_CHARS || !is_ascii(text, length)) {
        return NULL;
    }
    for (size_t i = 0; i < length; i++) {
        name[i] = (char)text[i];
    }
    name[length] = '\0';
    return (PVOID)(uintptr_t)imports_find(kernel, name);
}
