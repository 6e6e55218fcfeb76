/* guest_value.c - a driver's memory as a scenario's expressions may look at it:
 * without a fault, and only what the trace could show of it. */
#include "scenarios/runner/language/guest_value.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/core/kernel.h"
#include "api/core/show.h"
#include "api/nt/nt.h"
#include "scenarios/runner/text/wide_text.h"

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
    size_t count;
    uint16_t *units;
    char *text;

    memcpy(&string, at, sizeof(string));
    count = string.Length / sizeof(WCHAR);
    if (count > 0 &&
        !guest_value_is_there(kernel, string.Buffer, count * sizeof(WCHAR))) {
        return NULL;
    }
    units = talloc_array(context, uint16_t, (unsigned)count + 1);
    assert(units != NULL);
    if (count > 0) { /* where the driver has it, it may not be aligned */
        memcpy(units, string.Buffer, count * sizeof(WCHAR));
    }
    text = wide_text_utf8(context, (struct pcw_text){units, count});
    talloc_free(units);
    return text;
}
