/* guest_value.c - what show.c shows of a call is what can be read here. */
#include "scenarios/runner/guest_value.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/kernel.h"
#include "api/nt/nt.h"
#include "api/pcw/text.h"
#include "api/show_string.h"

enum { CHARACTER_BYTES = 3 }; /* in UTF-8, of a code unit, at most */

bool guest_value_is_there(
    const struct kernel *kernel, const void *at, size_t size)
{
    return memory_is_resident(&kernel->machine->memory, at, size) ||
           show_can_read(kernel, at, size);
}

char *guest_value_text(
    void *context, const struct kernel *kernel, const void *at)
{
    UNICODE_STRING string;
    struct pcw_text name;
    size_t size, count;
    uint16_t *units;
    char *text;

    memcpy(&string, at, sizeof(string));
    count = string.Length / sizeof(WCHAR);
    if (count > 0 &&
        !guest_value_is_there(kernel, string.Buffer, count * sizeof(WCHAR))) {
        return NULL;
    }
    size = CHARACTER_BYTES * count + 1;
    text = talloc_array(context, char, (unsigned)size);
    units = talloc_array(text, uint16_t, (unsigned)count + 1);
    assert(text != NULL && units != NULL);
    if (count > 0) {
        memcpy(units, string.Buffer, count * sizeof(WCHAR));
    }
    name = (struct pcw_text){units, count};
    pcw_text_utf8(name, text, size);
    talloc_free(units);
    return text;
}
