/* cpuid.c - the CPUID instruction, leaf by leaf (pmu.md 1.1, 1.6). */
#include "sim/machine/cpuid.h"

#include <assert.h>
#include <string.h>

#include "sim/base/bits.h"
#include "sim/machine/cpu.h"
#include "sim/machine/hypervisor.h"
#include "sim/machine/machine.h"
#include "sim/machine/msr.h"
#include "sim/machine/part.h"
#include "sim/machine/system_registers.h"
#include "sim/pmu/x86_registers.h"

enum { EAX, EBX, ECX, EDX };

enum {
    LEAF_FEATURES = 1,
    LEAF_POWER = 6,
    LEAF_EXTENDED_FEATURES = 7,
    LEAF_PERFMON = 0xA,
    LEAF_CORE_TYPE = 0x1A,
};

#define LEAF_EXTENDED UINT32_C(0x80000000)

/* Features of CPUID.1 that the machine does not have, or not as the part: ECX 2
 * DTES64 (as the model says), 3 MONITOR, 4 branch records by ring, 5 VMX, 6
 * SMX, 12 FMA, 15 PDCM (as the model says), 26 to 29 XSAVE, its use, AVX, F16C,
 * 30 RDRAND; EDX 18 the serial number, 21 DS (as the model says), 28 several
 * processors in a package. Their instructions are undefined (instructions.def).
 */
#define FEATURES_ECX_OUT UINT32_C(0x7C00907C)
#define FEATURES_EDX_OUT UINT32_C(0x10240000)

/* Those of 80000001H that it has: ECX LAHF, LZCNT and PREFETCHW, EDX all but
 * 3DNow!. */
#define EXTENDED_ECX_IN UINT32_C(0x00000121)
#define EXTENDED_EDX_OUT UINT32_C(0xC0000000)

static bool is_hybrid(const struct cpu *cpu)
{
    return cpu->machine->config.kind_count > 0 &&
           cpu->pmu.model->vendor == VENDOR_INTEL;
}

static uint32_t highest_basic(const struct cpu *cpu)
{
    const struct pmu_model *model = cpu->pmu.model;

    return is_hybrid(cpu)                  ? LEAF_CORE_TYPE
           : model->vendor == VENDOR_INTEL ? LEAF_PERFMON
           : part_of(model)->clocks        ? LEAF_POWER
                                           : LEAF_FEATURES;
}

static uint32_t highest_extended(const struct pmu_model *model)
{
    return model->vendor == VENDOR_ARM                          ? LEAF_EXTENDED
           : model->vendor == VENDOR_AMD && model->version >= 3 ? 0x80000022
                                                                : 0x80000001;
}

/* The highest leaf, and who made it. */
static void leaf_vendor(const struct cpu *cpu, uint32_t out[4])
{
    const char *vendor = vendor_rows[cpu->pmu.model->vendor].cpuid;

    assert(vendor[0] == '\0' || strlen(vendor) == 12);
    out[EAX] = highest_basic(cpu);
    if (vendor[0] != '\0') {
        memcpy(&out[EBX], vendor, 4);
        memcpy(&out[EDX], vendor + 4, 4);
        memcpy(&out[ECX], vendor + 8, 4);
    }
}

/* EBX[15:8]: what CLFLUSH flushes, in 8 bytes. ECX: 2 DS area of 64 bits, 15
 * IA32_PERF_CAPABILITIES, 21 x2APIC, 31 hypervisor. EDX: 21 DS area. */
static void leaf_features(const struct cpu *cpu, uint32_t out[4])
{
    const struct pmu_model *model = cpu->pmu.model;

    out[EAX] = model->signature;
    out[EBX] = cpu->index << 24 | 8 << 8;
    out[ECX] =
        (uint32_t)(bit(21) | bit_if(model->pebs, 2) |
                   bit_if(intel_capabilities(model) != 0, 15) |
                   bit_if(cpu->machine->config.virtualized != VIRTUALIZED_NOT,
                       HYPERVISOR_PRESENT)) |
        (part_of(model)->ecx & ~FEATURES_ECX_OUT);
    out[EDX] = (uint32_t)bit_if(model->pebs, 21) |
               (part_of(model)->edx & ~FEATURES_EDX_OUT);
}

/* ECX[0]: MPERF and APERF. */
static void leaf_power(const struct cpu *cpu, uint32_t out[4])
{
    out[ECX] = (uint32_t)bit_if(part_of(cpu->pmu.model)->clocks, 0);
}

/* EDX[15]: processors are of several kinds. */
static void leaf_structured_features(const struct cpu *cpu, uint32_t out[4])
{
    out[EDX] = (uint32_t)bit_if(is_hybrid(cpu), 15);
}

/* EAX[31:24]: which kind this one is of. */
static void leaf_core_type(const struct cpu *cpu, uint32_t out[4])
{
    if (is_hybrid(cpu)) {
        out[EAX] = cpu->pmu.model->core_type << 24;
    }
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
    out[EAX] = highest_extended(cpu->pmu.model);
}

/* EAX: AMD's signature again. ECX[23]: the core extension's registers. */
static void leaf_extended_features(const struct cpu *cpu, uint32_t out[4])
{
    const struct pmu_model *model = cpu->pmu.model;

    out[EAX] = model->vendor == VENDOR_AMD ? model->signature : 0;
    out[ECX] = (part_of(model)->extended_ecx & EXTENDED_ECX_IN) |
               (uint32_t)bit_if(
                   model->vendor == VENDOR_AMD && model->version >= 2, 23);
    out[EDX] = part_of(model)->extended_edx & ~EXTENDED_EDX_OUT;
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
    {LEAF_FEATURES, leaf_features},
    {LEAF_POWER, leaf_power},
    {LEAF_EXTENDED_FEATURES, leaf_structured_features},
    {LEAF_PERFMON, leaf_perfmon},
    {LEAF_CORE_TYPE, leaf_core_type},
    {LEAF_EXTENDED, leaf_highest_extended},
    {0x80000001, leaf_extended_features},
    {0x80000022, leaf_amd_perfmon},
};

/* The leaf that is shown instead of one past the last (SDM volume 2, CPUID). */
static uint32_t shown_leaf(const struct cpu *cpu, uint32_t leaf)
{
    const struct pmu_model *model = cpu->pmu.model;
    bool past = leaf < LEAF_EXTENDED ? leaf > highest_basic(cpu)
                                     : leaf > highest_extended(model);

    return past && model->vendor == VENDOR_INTEL ? highest_basic(cpu) : leaf;
}

void cpuid_read(struct cpu *cpu, uint32_t leaf, uint32_t out[4])
{
    uint32_t shown = shown_leaf(cpu, leaf);

    msr_pay(cpu);
    memset(out, 0, 4 * sizeof(*out));
    if (hypervisor_leaf(cpu->machine->config.virtualized, leaf, out)) {
        shown = leaf;
    }
    for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++) {
        if (leaves[i].leaf == shown) {
            leaves[i].read(cpu, out);
        }
    }
    system_on_cpuid(cpu, shown);
    cpu_trace(cpu, &sim_events[SIM_EVENT_CPUID], leaf);
    cpu_checkpoint(cpu);
}
