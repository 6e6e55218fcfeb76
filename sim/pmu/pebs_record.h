/* pebs_record.h - the bytes of a PEBS record in each format (pmu.md 1.4). Knows
 * nothing of processors, buffers or guest memory. */
#ifndef SIM_PMU_PEBS_RECORD_H
#define SIM_PMU_PEBS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/pmu/segment.h"

/* The largest one: every group, and 256 last branches. */
enum { PEBS_RECORD_BYTES = 32 + 32 + 144 + 256 + 256 * 24 };

/* Which bytes a record has. */
struct pebs_layout {
    unsigned format; /* IA32_PERF_CAPABILITIES[11:8], 0 .. 4 */
    /* MSR_PEBS_DATA_CFG, of the format 4; 0 where no counter of the record has
     * its adaptive bit set. */
    uint32_t data_cfg;
};

/* What is in them. The model has no registers, memory accesses, transactions or
 * last branches: all their bytes are 0 (docs/fidelity.md). */
struct pebs_sample {
    struct code_place place;
    uint64_t counters; /* their bits, as in the status */
    uint64_t status;   /* what it holds, those bits among it */
    uint64_t tsc;
};

/* Bytes of a record, at most PEBS_RECORD_BYTES. */
size_t pebs_record_size(const struct pebs_layout *layout);

/* Writes all bytes of the record: `size`, which is what pebs_record_size()
 * says.
 */
void pebs_record_write(const struct pebs_layout *layout, size_t size,
    const struct pebs_sample *sample, uint8_t *record);

#endif
