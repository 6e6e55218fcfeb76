/* pebs.c - PEBS as the HAL uses it: found by CPUID and capabilities, reached by
 * RDMSR and WRMSR, records by their formats. */
#include "api/hal/pebs.h"

#include <assert.h>
#include <string.h>

#include "api/hal/pmu.h"
#include "api/hal/pmu_x86.h"
#include "api/nt/nt.h"
#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/cpuid.h"

enum {
    CPUID_FEATURES = 1,
    FEATURE_DS = 21,   /* EDX */
    FEATURE_PDCM = 15, /* ECX: IA32_PERF_CAPABILITIES is there */
    IA32_MISC_ENABLE = 0x1A0,
    MISC_PEBS_UNAVAILABLE = 12,
    IA32_PERF_CAPABILITIES = 0x345,
    CAPABILITY_FORMAT = 8, /* 4 bits */
    CAPABILITY_BASELINE = 14,
    IA32_DS_AREA = 0x600,
    AREA_PEBS = 0x20, /* in the DS area: struct pebs_area */
    ADAPTIVE = 4,     /* the format whose records tell their sizes */
    ADAPTIVE_SIZE = 48,
};

static const size_t bytes[PEBS_FORMATS] = {sizeof(PEBS_RECORD_0),
    sizeof(PEBS_RECORD_1), sizeof(PEBS_RECORD_2), sizeof(PEBS_RECORD_3),
    sizeof(PEBS_RECORD_4)};

/* Records that say when their buffer is full need a status that says it, too;
 * those of a format that is not known are nobody's to hand on. */
struct hal_pebs pebs_find(const struct hal_pmu *pmu, struct cpu *cpu)
{
    struct hal_pebs pebs = {.there = false};
    uint32_t out[4]; /* EAX, EBX, ECX, EDX */
    uint64_t capabilities;

    if (pmu->buffer == 0) {
        return pebs;
    }
    cpuid_read(cpu, CPUID_FEATURES, out);
    if (!bit_is_set(out[3], FEATURE_DS) || !bit_is_set(out[2], FEATURE_PDCM) ||
        bit_is_set(
            msr_read_known(cpu, IA32_MISC_ENABLE), MISC_PEBS_UNAVAILABLE)) {
        return pebs;
    }
    capabilities = msr_read_known(cpu, IA32_PERF_CAPABILITIES);
    pebs.format = (unsigned)bits_get(capabilities, CAPABILITY_FORMAT, 4);
    pebs.there = pebs.format < PEBS_FORMATS;
    pebs.counters = pmu->counters;
    if (!bit_is_set(capabilities, CAPABILITY_BASELINE)) {
        pebs.counters &= bits_low(PMU_FIRST_FIXED);
    }
    return pebs;
}

size_t pebs_least(const struct hal_pebs *pebs)
{
    assert(pebs->there && pebs->format < PEBS_FORMATS);
    return bytes[pebs->format];
}

size_t pebs_size(const struct hal_pebs *pebs, const uint8_t *record)
{
    size_t size = pebs_least(pebs);
    uint64_t format;

    if (pebs->format == ADAPTIVE) {
        memcpy(
            &format, record + offsetof(PEBS_RECORD_4, Format), sizeof(format));
        size = (size_t)bits_get(format, ADAPTIVE_SIZE, 16);
    }
    return size < pebs_least(pebs) || size % sizeof(uint64_t) != 0 ? 0 : size;
}

static struct pebs_facts facts_of_fixed(unsigned format, const uint8_t *record)
{
    PEBS_RECORD_3 fields = {.Flags = 0};
    struct pebs_facts facts = {.timed = format >= 3};

    memcpy(&fields, record, bytes[format]);
    facts.ip = format >= 2 ? fields.EventIp : fields.Ip;
    facts.counters = fields.Counters; /* formats 1 and 2: the status */
    facts.time = fields.Tsc;
    return facts;
}

struct pebs_facts pebs_facts(const struct hal_pebs *pebs, const uint8_t *record)
{
    PEBS_RECORD_4 basic;

    assert(pebs->there && pebs->format < PEBS_FORMATS);
    if (pebs->format != ADAPTIVE) {
        return facts_of_fixed(pebs->format, record);
    }
    memcpy(&basic, record, sizeof(basic));
    return (struct pebs_facts){.ip = basic.Ip,
        .timed = true,
        .time = basic.Tsc,
        .counters = basic.Counters};
}

struct pebs_area pebs_area_read(const uint8_t *area)
{
    struct pebs_area words;

    memcpy(&words, area + AREA_PEBS, sizeof(words));
    return words;
}

void pebs_area_write(uint8_t *area, const struct pebs_area *words)
{
    memcpy(area + AREA_PEBS, words, sizeof(*words));
}

uint64_t pebs_directed(struct cpu *cpu)
{
    return msr_read_known(cpu, IA32_DS_AREA);
}

void pebs_direct(struct cpu *cpu, uint64_t area)
{
    pmu_x86_write(cpu, IA32_DS_AREA, area);
}

void pebs_enable(struct cpu *cpu, uint64_t counters, bool enabled)
{
    uint64_t before = msr_read_known(cpu, IA32_PEBS_ENABLE);

    pmu_x86_write(cpu, IA32_PEBS_ENABLE,
        enabled ? before | counters : before & ~counters);
}
