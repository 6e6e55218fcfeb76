/* guest_name.c - the string first, then its characters. */
#include "api/pcw/guest_name.h"

#include "api/kernel.h"
#include "api/mm/copy.h"

struct guest_name guest_name_read(
    struct kernel *kernel, enum routine routine, PCUNICODE_STRING from)
{
    struct pcw *pcw = &kernel->pcw;
    UNICODE_STRING string;
    size_t units;

    copy_in(kernel, routine, &string, from, sizeof(string));
    units = string.Length / sizeof(*pcw->name);
    if (pcw->name == NULL) {
        pcw->name = pcw_alloc(UINT16_MAX);
    }
    copy_in(
        kernel, routine, pcw->name, string.Buffer, units * sizeof(*pcw->name));
    return (struct guest_name){string.Length, {pcw->name, units}};
}

bool guest_name_is_odd(const struct guest_name *name)
{
    return name->length % sizeof(*name->text.at) != 0;
}
