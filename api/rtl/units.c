/* units.c - the characters of a counted string that a driver gives. */
#include "api/rtl/units.h"

#include "api/mm/copy.h"

struct units units_of_string(struct kernel *kernel, enum routine routine,
    const void *string, enum unit unit)
{
    STRING copy;

    _Static_assert(
        sizeof(STRING) == sizeof(UNICODE_STRING) &&
            offsetof(STRING, Buffer) == offsetof(UNICODE_STRING, Buffer),
        "both have the same members");
    copy_in(kernel, routine, &copy, string, sizeof(copy));
    copy_probe(kernel, routine, copy.Buffer, copy.Length, false);
    return (struct units){copy.Buffer, unit, copy.Length / (size_t)unit};
}
