/* unicode_string.h - a UNICODE_STRING as drivers see it: what lies between its
 * members is 0, and not what lay on a stack of ours. A compound literal leaves
 * that to the compiler. */
#ifndef API_CORE_UNICODE_STRING_H
#define API_CORE_UNICODE_STRING_H

#include <string.h>

#include "api/core/routine.h"

/* Both in bytes: what it has, and what there is room for. */
static inline void unicode_string_set(
    UNICODE_STRING *string, WCHAR *buffer, size_t bytes, size_t room)
{
    memset(string, 0, sizeof(*string));
    string->Length = (USHORT)bytes;
    string->MaximumLength = (USHORT)room;
    string->Buffer = buffer;
}

#endif
