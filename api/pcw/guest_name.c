/* guest_name.c - the string first, then its characters. */
#include "api/pcw/guest_name.h"

#include "api/core/kernel.h"
#include "api/mm/copy.h"
#include "api/pcw/pcw.h"

struct guest_name guest_name_read(
    struct kernel *kernel, enum routine routine, PCUNICODE_STRING from)
{
    UNICODE_STRING string;

    copy_in(kernel, routine, &string, from, sizeof(string));
    return (struct guest_name){
        .length = string.Length,
        .from = string.Buffer,
    };
}

bool guest_name_is_odd(const struct guest_name *name)
{
    return name->length % sizeof(*name->text.at) != 0;
}

void guest_name_read_text(
    struct kernel *kernel, enum routine routine, struct guest_name *name)
{
    struct pcw *pcw = kernel->pcw;
    size_t units = name->length / sizeof(*pcw->name);

    if (pcw->name == NULL) {
        pcw->name = pcw_alloc(UINT16_MAX);
    }
    copy_in(kernel, routine, pcw->name, name->from, units * sizeof(*pcw->name));
    name->text = (struct pcw_text){pcw->name, units};
}
