/* refusal.c - calls that make instances and failed, and what hid that. */
#include "api/pcw/refusal.h"

#include <assert.h>
#include <stdio.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/nt/type.h"
#include "api/pcw/pcw.h"
#include "sim/base/list_room.h"
#include "sim/machine/strand.h"

static bool refusal_check(const struct pcw_refusal *refusal)
{
    assert(!NT_SUCCESS(refusal->status));
    assert(refusal->routine < ROUTINE_COUNT && refusal->strand != NULL);
    return true;
}

void pcw_refused(struct kernel *kernel, enum routine routine, NTSTATUS status)
{
    struct pcw *pcw = kernel->pcw;

    pcw->refusal = list_room(pcw->refusal, &pcw->refusal_capacity,
        pcw->refusal_count, sizeof(*pcw->refusal));
    pcw->refusal[pcw->refusal_count] = (struct pcw_refusal){
        .routine = routine,
        .status = status,
        .place = place_current(kernel),
        .strand = strand_current(kernel->machine),
    };
    assert(refusal_check(&pcw->refusal[pcw->refusal_count]));
    pcw->refusal_count++;
}

size_t pcw_refusals_count(const struct kernel *kernel)
{
    return kernel->pcw->refusal_count;
}

void pcw_refusals_hide(
    struct kernel *kernel, size_t first, const char *by, struct pcw_text set)
{
    const struct strand *strand = strand_current(kernel->machine);
    struct pcw *pcw = kernel->pcw;

    assert(first <= pcw->refusal_count && by != NULL);
    for (size_t i = first; i < pcw->refusal_count; i++) {
        if (pcw->refusal[i].strand == strand &&
            pcw->refusal[i].hidden_by == NULL) {
            pcw->refusal[i].hidden_by = by;
            pcw_text_shown(
                set, pcw->refusal[i].set, sizeof(pcw->refusal[i].set));
        }
    }
}

bool pcw_refusal_text(struct kernel *kernel, size_t n, char *text, size_t size)
{
    const struct pcw_refusal *refusal = &kernel->pcw->refusal[n];
    char number[NT_STATUS_DIGITS], place[PLACE_BYTES] = "";

    assert(n < kernel->pcw->refusal_count && refusal_check(refusal));
    if (refusal->hidden_by == NULL) {
        return false;
    }
    place_name(kernel, refusal->place, place, sizeof(place));
    snprintf(text, size,
        "%s%s%s%s reported success, though %s%s%s%s failed with %s",
        refusal->hidden_by, refusal->set[0] == '\0' ? "" : " of '",
        refusal->set, refusal->set[0] == '\0' ? "" : "'",
        routine_rows[refusal->routine].name, refusal->place == 0 ? "" : ", at ",
        refusal->place == 0 ? "" : place, refusal->place == 0 ? "" : ",",
        nt_status_text((uint32_t)refusal->status, number));
    return true;
}
