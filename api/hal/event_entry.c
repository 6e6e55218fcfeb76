/* event_entry.c - records of PEBS as entries of an event buffer: as they are,
 * or each made one of 64 bytes. */
#include "api/hal/event_entry.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/hal/event_buffer.h"
#include "api/hal/pmu.h"
#include "api/nt/nt.h"

enum { FORMAT_SIZED = 4 }; /* from here on records tell how long they are */

size_t event_entry_count(const struct hal_pebs *pebs, const uint8_t *records,
    size_t at, size_t end, size_t most)
{
    size_t least = pebs_least(pebs);
    size_t count = 0;

    if (end <= at) {
        return 0;
    }
    if (pebs->format < FORMAT_SIZED) {
        count = (end - at) / least;
        return count < most ? count : most;
    }
    while (count < most && end - at >= least) {
        size_t size = pebs_size(pebs, records + at);

        if (size == 0 || size > end - at) {
            break;
        }
        at += size;
        count++;
    }
    return count;
}

/* Records are of one length or, in format 4, of that of the first. */
static struct event_run native_run(const struct hal_pebs *pebs,
    const uint8_t *records, size_t at, size_t there)
{
    struct event_run run = {.size = pebs_size(pebs, records + at)};

    assert(run.size > 0);
    while (run.count < there && pebs_size(pebs, records + at) == run.size) {
        at += run.size;
        run.records += run.size;
        run.count++;
    }
    return run;
}

/* As many as the block of entries has room for. */
static struct event_run generic_run(const struct hal_pebs *pebs,
    const uint8_t *records, size_t at, size_t there)
{
    struct event_run run = {.size = sizeof(GENERIC_EVENT_ENTRY)};

    while (run.count < there && run.count < EVENT_BUFFER_BYTES / run.size) {
        size_t size = pebs_size(pebs, records + at);

        assert(size > 0);
        at += size;
        run.records += size;
        run.count++;
    }
    return run;
}

struct event_run event_entry_run(
    struct kernel *kernel, const uint8_t *records, size_t at, size_t there)
{
    const struct hal_pebs *pebs = &kernel->event_buffers->pebs;
    struct event_run run = ruling_is(kernel, RULED_HAL_EVB_04b_generic)
                               ? generic_run(pebs, records, at, there)
                               : native_run(pebs, records, at, there);

    assert(run.count > 0 && run.count <= there);
    return run;
}

/* A record of a format without a time has 0 there [C]. */
static void gather_generic(struct kernel *kernel, const struct cpu *cpu,
    const struct event_run *run, const uint8_t *from, uint8_t *entries)
{
    const struct hal_pebs *pebs = &kernel->event_buffers->pebs;

    for (size_t i = 0; i < run->count; i++) {
        struct pebs_facts facts = pebs_facts(pebs, from);
        const GENERIC_EVENT_ENTRY entry = {
            .Ip = facts.ip,
            .Timestamp = facts.timed ? facts.time : 0,
            .Counters = facts.counters & hal_pmu_of(kernel, cpu)->counters,
            .Processor = cpu->index,
        };

        memcpy(entries + i * sizeof(entry), &entry, sizeof(entry));
        from += pebs_size(pebs, from);
    }
}

void event_entry_gather(struct kernel *kernel, const struct cpu *cpu,
    const struct event_run *run, const uint8_t *from, uint8_t *entries)
{
    if (ruling_is(kernel, RULED_HAL_EVB_04b_generic)) {
        gather_generic(kernel, cpu, run, from, entries);
    } else {
        assert(run->records == run->count * run->size);
        memcpy(entries, from, run->records);
    }
}
