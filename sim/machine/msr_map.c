/* msr_map.c - finds the register behind an MSR address: a table for each
 * processor model, made of registers.def. */
#include "sim/machine/msr_map.h"

#include <assert.h>
#include <string.h>

static enum msr_how how_read(const struct msr_row *row)
{
    return row->access == MSR_WO ? MSR_ASK : row->read.how;
}

static enum msr_how how_written(const struct msr_row *row)
{
    switch (row->access) {
    case MSR_RW:
    case MSR_WO:
    case MSR_RWM:
    case MSR_RWV:
        return row->write.how;
    case MSR_ROM:
        return MSR_NOTHING;
    case MSR_RO:
    case MSR_RWK:
        return MSR_ASK;
    }
    return MSR_ASK;
}

/* Where the n-th of several is, of those that are next to each other. */
static union msr_from from_of(const struct msr_row *row, unsigned n)
{
    union msr_from from = row->read.from;

    if (row->read.how == MSR_FIELD) {
        from.field += n * sizeof(uint64_t);
    } else if (row->read.how == MSR_COUNTER) {
        from.counter += n;
    }
    return from;
}

static union msr_to to_of(const struct msr_row *row, unsigned n)
{
    union msr_to to = row->write.to;

    if (row->write.how == MSR_FIELD) {
        to.field += n * sizeof(uint64_t);
    }
    return to;
}

static void slot_init(struct msr_slot *slot, const struct pmu_model *model,
    enum msr msr, unsigned n)
{
    const struct msr_row *row = &msr_rows[msr];
    bool masked = row->access == MSR_RWM || row->access == MSR_ROM;
    uint64_t reserved = row->reserved(model, UINT64_MAX);

    *slot = (struct msr_slot){.address = row->address + n * row->stride,
        .row = (uint8_t)msr,
        .n = (uint8_t)n,
        .read = (uint8_t)how_read(row),
        .write = (uint8_t)how_written(row),
        .refused = masked ? 0 : reserved,
        .kept = ~reserved,
        .from = from_of(row, n),
        .to = to_of(row, n)};
    if (slot->write == MSR_ASK || row->access == MSR_RWV) {
        slot->refused = UINT64_MAX;
    }
}

void msr_map_init(struct msr_map *map, const struct pmu_model *model)
{
    unsigned slots = 1;

    map->slot[0] = (struct msr_slot){.row = MSR_COUNT,
        .read = MSR_ASK,
        .write = MSR_ASK,
        .refused = UINT64_MAX};
    for (enum msr msr = 0; msr < MSR_COUNT; msr++) {
        const struct msr_row *row = &msr_rows[msr];

        for (unsigned n = 0; n < row->most; n++) {
            uint32_t at =
                (row->address + n * row->stride) % (1 << MSR_MAP_BITS);

            if (row->exists(model, n)) {
                assert(map->at[at] == 0 && slots < MSR_SLOTS);
                slot_init(&map->slot[slots], model, msr, n);
                map->at[at] = (uint16_t)(slots++ * sizeof(map->slot[0]));
            }
        }
    }
}
