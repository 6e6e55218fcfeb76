/* cpuid.c - the CPUID instruction, leaf by leaf (pmu.md 1.1, 1.6). */
#include "sim/machine/cpuid.h"

#include <assert.h>
#include <string.h>

#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/msr.h"
#include "sim/pmu/x86_registers.h"

enum { EAX, EBX, ECX, EDX };

/* The highest leaf, and who made it. */
static void leaf_vendor(const struct cpu *cpu, uint32_t out[4])
{
    const char *vendor = vendor_rows[cpu->pmu.model->vendor].cpuid;

    assert(vendor[0] == '\0' || strlen(vendor) == 12);
    out[EAX] = cpu->pmu.model->vendor == VENDOR_INTEL ? 0xA : 1;
    if (vendor[0] != '\0') {
        memcpy(&out[EBX], vendor, 4);
        memcpy(&out[EDX], vendor + 4, 4);
        memcpy(&out[ECX], vendor + 8, 4);
    }
}

/* ECX: 2 DS area of 64 bits, 15 IA32_PERF_CAPABILITIES, 21 x2APIC. EDX: 21 DS
 * area. */
static void leaf_features(const struct cpu *cpu, uint32_t out[4])
{
    const struct pmu_model *model = cpu->pmu.model;

    out[EAX] = model->signature;
    out[EBX] = cpu->index << 24;
    out[ECX] = (uint32_t)(bit(21) | bit_if(model->pebs, 2) |
                          bit_if(intel_capabilities(model) != 0, 15));
    out[EDX] = (uint32_t)bit_if(model->pebs, 21);
}

/* EBX: a set bit means the event is not available. EDX: AnyThread is gone since
 * version 5. */
static void leaf_perfmon(const struct cpu *cpu, uint32_t out[4])
{
    const struct pmu_model *model = cpu->pmu.model;

    if (model->vendor != VENDOR_INTEL || model->version == 0) {
        return;
    }
    out[EAX] = model->version | model->general << 8 | model->width << 16 |
               model->event_bits << 24;
    out[EBX] = model->events_missing;
    if (model->version >= 2) {
        out[EDX] = model->fixed | model->width << 5;
    }
    if (model->version >= 5) {
        out[ECX] = model->fixed_map;
        out[EDX] |= (uint32_t)bit_if(!model->any_thread, 15);
    }
}

static void leaf_highest_extended(const struct cpu *cpu, uint32_t out[4])
{
    out[EAX] = cpu->pmu.model->vendor != VENDOR_AMD ? 0x80000000
               : cpu->pmu.model->version >= 3       ? 0x80000022
                                                    : 0x80000001;
}

/* ECX[23]: the core extension's registers. */
static void leaf_extended_features(const struct cpu *cpu, uint32_t out[4])
{
    const struct pmu_model *model = cpu->pmu.model;

    if (model->vendor == VENDOR_AMD && model->version >= 2) {
        out[ECX] = (uint32_t)bit(23);
    }
}

/* EAX[0]: PerfMonV2. EBX[3:0]: counters. */
static void leaf_amd_perfmon(const struct cpu *cpu, uint32_t out[4])
{
    const struct pmu_model *model = cpu->pmu.model;

    if (model->vendor == VENDOR_AMD && model->version >= 3) {
        out[EAX] = 1;
        out[EBX] = model->general;
    }
}

static const struct {
    uint32_t leaf;
    void (*read)(const struct cpu *cpu, uint32_t out[4]);
} leaves[] = {
    {0x00000000, leaf_vendor},
    {0x00000001, leaf_features},
    {0x0000000A, leaf_perfmon},
    {0x80000000, leaf_highest_extended},
    {0x80000001, leaf_extended_features},
    {0x80000022, leaf_amd_perfmon},
};

void cpuid_read(struct cpu *cpu, uint32_t leaf, uint32_t out[4])
{
    msr_pay(cpu);
    memset(out, 0, 4 * sizeof(*out));
    for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++) {
        if (leaves[i].leaf == leaf) {
            leaves[i].read(cpu, out);
        }
    }
    cpu_trace(cpu, &sim_events[SIM_EVENT_CPUID], leaf);
    cpu_checkpoint(cpu);
}
