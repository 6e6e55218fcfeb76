/* refusal.h - calls that make instances and failed, behind which the driver
 * said that all went well: what it publishes is not there, and nobody hears of
 * it (PCW-CB-02). */
#ifndef API_PCW_REFUSAL_H
#define API_PCW_REFUSAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/routine.h"
#include "api/nt/nt.h"
#include "api/pcw/text.h"

struct kernel;
struct strand;

enum { PCW_REFUSAL_BYTES = 256 }; /* of its text */

struct pcw_refusal {
    enum routine routine;
    NTSTATUS status;
    uint64_t place; /* of the call; 0: unknown */
    const struct strand *strand;
    /* What reported success behind it, as in "DriverEntry"; NULL: nothing has.
     */
    const char *hidden_by;
    char set[PCW_SHOWN_BYTES]; /* of the callback that did; "": none */
};

/* The running strand's call of that routine fails. */
void pcw_refused(struct kernel *kernel, enum routine routine, NTSTATUS status);

/* How many there were so far: before code of a driver is called. */
size_t pcw_refusals_count(const struct kernel *kernel);

/* That code has reported success, on this strand: refusals of it from number
 * `first` on are hidden by it. `set` is that of a callback, else empty; `by` is
 * not copied. */
void pcw_refusals_hide(
    struct kernel *kernel, size_t first, const char *by, struct pcw_text set);

/* What is to be said of the n-th, in order of their calls, as in "DriverEntry
 * reported success, though PcwCreateInstance failed with STATUS_NO_MEMORY";
 * false: nothing, since it is not hidden. */
bool pcw_refusal_text(struct kernel *kernel, size_t n, char *text, size_t size);

#endif
