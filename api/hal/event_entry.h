/* event_entry.h - entries of an event buffer: records of PEBS counted, and
 * copied in the shape in which handlers get them (HAL-EVB-04b). */
#ifndef API_HAL_EVENT_ENTRY_H
#define API_HAL_EVENT_ENTRY_H

#include <stddef.h>
#include <stdint.h>

struct cpu;
struct hal_pebs;
struct kernel;

/* Records that lie behind one another and become entries of one length. */
struct event_run {
    size_t count;   /* 1 or more */
    size_t size;    /* bytes of an entry */
    size_t records; /* bytes of all their records */
};

/* How many records lie between the offsets, at most `most`; one that cannot be
 * ends them. */
size_t event_entry_count(const struct hal_pebs *pebs, const uint8_t *records,
    size_t at, size_t end, size_t most);

/* Those at `at`, where `there` have been counted, one or more. */
struct event_run event_entry_run(
    struct kernel *kernel, const uint8_t *records, size_t at, size_t there);

/* Makes the entries of the processor's records that begin at `from`. */
void event_entry_gather(struct kernel *kernel, const struct cpu *cpu,
    const struct event_run *run, const uint8_t *from, uint8_t *entries);

#endif
