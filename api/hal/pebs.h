/* pebs.h - PEBS as the HAL uses it, by the manual: what a processor has, its
 * registers, the DS area, and how long records are (pmu.md 1.4). Knows nothing
 * of counter sets. */
#ifndef API_HAL_PEBS_H
#define API_HAL_PEBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cpu;
struct hal_pmu;

enum { PEBS_FORMATS = 5 };

struct hal_pebs {
    bool there;
    unsigned format;   /* of IA32_PERF_CAPABILITIES, below PEBS_FORMATS */
    uint64_t counters; /* indexes of those whose events can be recorded */
};

/* The four words of the DS area that are about PEBS: guest addresses. */
struct pebs_area {
    uint64_t base, index, maximum, threshold;
};

/* Bytes of a DS area with a reset value for each counter that can be. */
enum { PEBS_AREA_BYTES = 256 };

/* Asks this processor. */
struct hal_pebs pebs_find(const struct hal_pmu *pmu, struct cpu *cpu);

/* Bytes of the shortest record, and of the one at `record`, of which at least
 * so many can be read. What cannot be a record's size is 0: who has written to
 * the buffer? */
size_t pebs_least(const struct hal_pebs *pebs);
size_t pebs_size(const struct hal_pebs *pebs, const uint8_t *record);

/* What a record says, as far as its format has it. */
struct pebs_facts {
    uint64_t ip;       /* of the instruction itself, where it is told */
    bool timed;        /* there is a time in it */
    uint64_t time;     /* of the time-stamp counter */
    uint64_t counters; /* bits as in the status; none before format 1 */
};
struct pebs_facts pebs_facts(
    const struct hal_pebs *pebs, const uint8_t *record);

/* The words about PEBS of an area in guest memory. */
struct pebs_area pebs_area_read(const uint8_t *area);
void pebs_area_write(uint8_t *area, const struct pebs_area *words);

/* IA32_DS_AREA, and what it becomes. */
uint64_t pebs_directed(struct cpu *cpu);
void pebs_direct(struct cpu *cpu, uint64_t area);

/* Bits of IA32_PEBS_ENABLE, for these counters, are set or cleared. */
void pebs_enable(struct cpu *cpu, uint64_t counters, bool enabled);

#endif
