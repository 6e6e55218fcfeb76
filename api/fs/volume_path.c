/* volume_path.c - paths of files taken apart: the names of the volume that they
 * begin with, and names of files. */
#include "api/fs/volume_path.h"

#include <string.h>

#include "api/text/character.h"

static const struct {
    const char *text; /* in upper case */
    bool system_root;
} starts[] = {
    {"\\??\\C:", false},
    {"\\DOSDEVICES\\C:", false},
    {"\\GLOBAL??\\C:", false},
    {"\\DEVICE\\HARDDISKVOLUME1", false},
    {"\\SYSTEMROOT", true},
};

static bool begins(const WCHAR *unit, size_t length, const char *with)
{
    size_t head = strlen(with);

    for (size_t i = 0; i < head; i++) {
        if (i >= length || character_upper(unit[i]) != with[i]) {
            return false;
        }
    }
    return length == head || unit[head] == '\\';
}

bool volume_path_starts(
    const WCHAR *unit, size_t length, struct volume_start *start)
{
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        if (begins(unit, length, starts[i].text)) {
            size_t head = strlen(starts[i].text);

            *start = (struct volume_start){
                head + (head < length), starts[i].system_root};
            return true;
        }
    }
    return false;
}

bool volume_name_is_right(const struct volume_name *name)
{
    static const char wrong[] = "\"*/:<>?|";

    for (size_t i = 0; i < name->length; i++) {
        WCHAR unit = name->unit[i];

        if (unit < ' ' || (unit < 0x7F && strchr(wrong, unit) != NULL)) {
            return false;
        }
    }
    return name->length > 0 && name->length <= VOLUME_NAME_UNITS;
}

struct volume_name volume_path_name(
    const WCHAR *unit, size_t length, size_t *at)
{
    size_t start = *at, end = start;

    while (end < length && unit[end] != '\\') {
        end++;
    }
    *at = end + (end < length); /* the backslash */
    return (struct volume_name){unit + start, end - start};
}
