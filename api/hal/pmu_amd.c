/* pmu_amd.c - the HAL on AMD's PMUs: versions by CPUID, registers by both of
 * their addresses (pmu.md 1.6). */
#include "api/hal/pmu.h"

#include <assert.h>
#include <string.h>

#include "api/hal/pmu_x86.h"
#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/cpuid.h"
#include "sim/machine/msr.h"
#include "sim/pmu/x86_registers.h"

static const uint32_t leaf_highest = 0x80000000;
static const uint32_t leaf_features = 0x80000001; /* ECX[23]: core extension */
static const uint32_t leaf_perfmon =
    0x80000022; /* EAX[0]; EBX[3:0]: counters */

enum {
    K7 = 1,
    CORE_EXTENSION = 2,
    PERFMON_V2 = 3,
    K7_COUNTERS = 4,
    CORE_COUNTERS = 6,
    WIDTH = 48,
};

/* EAX, EBX, ECX, EDX of a leaf; zeroes when the processor does not have it. */
static void read_leaf(
    struct cpu *cpu, uint32_t highest, uint32_t leaf, uint32_t out[4])
{
    memset(out, 0, 4 * sizeof(*out));
    if (leaf <= highest) {
        cpuid_read(cpu, leaf, out);
    }
}

/* Before PerfMonV2 nothing tells how many counters there are, nor that there
 * are any: those whose selects can be read. */
static unsigned probe(struct cpu *cpu, unsigned version, unsigned most)
{
    const struct pmu_registers *at = pmu_registers_find(VENDOR_AMD, version);
    uint64_t value;
    unsigned n = 0;

    while (n < most &&
           msr_read(cpu, pmu_registers_select(at, n), &value) == MSR_OK) {
        n++;
    }
    return n;
}

static void enumerate(struct hal_pmu *pmu, struct cpu *cpu)
{
    uint32_t features[4], perfmon[4], highest[4];
    unsigned version = K7;
    unsigned count;

    cpuid_read(cpu, leaf_highest, highest);
    read_leaf(cpu, highest[0], leaf_features, features);
    read_leaf(cpu, highest[0], leaf_perfmon, perfmon);
    if (bit_is_set(perfmon[0], 0)) {
        version = PERFMON_V2;
        count = (unsigned)bits_get(perfmon[1], 0, 4);
    } else if (bit_is_set(features[2], 23)) {
        version = CORE_EXTENSION;
        count = probe(cpu, version, CORE_COUNTERS);
    } else {
        count = probe(cpu, version, K7_COUNTERS);
    }
    assert(count <= LIMIT_GP_COUNTERS);
    pmu_x86_describe(pmu, VENDOR_AMD, version, bits_low(count), WIDTH);
}

/* The first four counters of the core extension also have K7's addresses. */
static uint64_t programs(
    const struct cpu *cpu, uint32_t address, uint64_t value)
{
    const struct pmu_model *model = cpu_model(cpu);
    const struct pmu_registers *own =
        pmu_registers_find(VENDOR_AMD, model->version);
    const struct pmu_registers *k7 = pmu_registers_find(VENDOR_AMD, K7);
    unsigned few = model->general < K7_COUNTERS ? model->general : K7_COUNTERS;

    value &= AMD_SELECT_BITS; /* a counter's value is not looked at */
    return pmu_x86_programs(own, model->general, cpu, address, value) |
           pmu_x86_programs(k7, few, cpu, address, value);
}

static struct overflow_changes changes(
    const struct cpu *cpu, uint32_t address, uint64_t value)
{
    return pmu_x86_changes(
        pmu_registers_find(VENDOR_AMD, cpu_model(cpu)->version), cpu, address,
        value);
}

const struct hal_pmu_row pmu_amd = {
    .enumerate = enumerate,
    .overflowed = pmu_x86_overflowed,
    .clear = pmu_x86_clear,
    .disable = pmu_x86_disable,
    .arm = pmu_x86_arm,
    .programs = programs,
    .changes = changes,
    .polled = pmu_x86_polled,
    .counter = pmu_x86_counter,
};
