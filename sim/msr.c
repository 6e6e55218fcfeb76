/* msr.c - one pipeline for every register access: pay, find the row, check
 * access and reserved bits, store, side effect, trace. */
#include "sim/msr.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/bits.h"
#include "sim/cpu.h"
#include "sim/msr_rows.h"
#include "sim/strand.h"
#include "sim/trace_events.h"

/* The cycles of the instruction pass, and every processor with an earlier time
 * goes first, before it takes effect. */
static void pay(struct cpu *cpu)
{
    cpu_spend(cpu, cpu->pmu.model->msr_cycles, 1);
    strand_sleep_until(cpu->machine, cpu->time);
}

/* The row that holds the address on this processor, and which of its registers
 * that is; NULL when the processor has none there. */
static const struct msr_row *msr_find(
    const struct cpu *cpu, uint32_t address, unsigned *n)
{
    for (unsigned i = 0; i < MSR_COUNT; i++) {
        const struct msr_row *row = &msr_rows[i];

        if (address >= row->address &&
            address - row->address < row->count(cpu) &&
            cpu->pmu.model->version >= row->since) {
            *n = address - row->address;
            return row;
        }
    }
    return NULL;
}

enum msr_result msr_peek(
    const struct cpu *cpu, uint32_t address, uint64_t *value)
{
    unsigned n;
    const struct msr_row *row = msr_find(cpu, address, &n);

    if (row == NULL || row->access == MSR_WO) {
        return MSR_GP_FAULT;
    }
    *value = row->read(cpu, n);
    return MSR_OK;
}

enum msr_result msr_read(struct cpu *cpu, uint32_t address, uint64_t *value)
{
    enum msr_result result;
    uint64_t read = 0;

    pay(cpu);
    result = msr_peek(cpu, address, &read);
    if (result == MSR_OK) {
        *value = read;
        cpu_trace(cpu, &sim_events[SIM_EVENT_RDMSR], address, read, 0, 0);
    } else {
        cpu_trace(cpu, &sim_events[SIM_EVENT_RDMSR_GP], address, 0, 0, 0);
    }
    cpu_checkpoint(cpu);
    return result;
}

static enum msr_result msr_store(
    struct cpu *cpu, uint32_t address, uint64_t value)
{
    unsigned n;
    const struct msr_row *row = msr_find(cpu, address, &n);

    if (row == NULL || row->access == MSR_RO) {
        return MSR_GP_FAULT;
    }
    if ((value & ~row->writable(cpu)) != 0) {
        return MSR_GP_FAULT;
    }
    row->write(cpu, n, value);
    return MSR_OK;
}

enum msr_result msr_write(struct cpu *cpu, uint32_t address, uint64_t value)
{
    enum msr_result result;

    pay(cpu);
    result = msr_store(cpu, address, value);
    cpu_trace(cpu,
        result == MSR_OK ? &sim_events[SIM_EVENT_WRMSR]
                         : &sim_events[SIM_EVENT_WRMSR_GP],
        address, value, 0, 0);
    cpu_checkpoint(cpu);
    return result;
}

/* ECX[31:16] is the type: 0 GP, 4000H fixed; ECX[15:0] the index. "Fast" mode
 * (bit 31) exists on non-architectural PMUs only (pmu.md 1.5). */
static const struct pmc *rdpmc_find(const struct cpu *cpu, uint32_t selector)
{
    const struct pmu *pmu = &cpu->pmu;
    uint32_t index = selector & 0xFFFF;

    switch (selector >> 16) {
    case 0:
        return index < pmu->model->general ? &pmu->counter[index] : NULL;
    case 0x4000:
        return index < pmu->model->fixed ? &pmu->counter[PMU_FIXED_SLOT + index]
                                         : NULL;
    default:
        return NULL;
    }
}

enum msr_result msr_rdpmc(struct cpu *cpu, uint32_t selector, enum ring ring,
    bool cr4_pce, uint64_t *value)
{
    const struct pmc *pmc = rdpmc_find(cpu, selector);
    bool allowed = pmc != NULL && (ring == RING_KERNEL || cr4_pce);

    pay(cpu);
    if (allowed) {
        *value = pmc->value;
        cpu_trace(
            cpu, &sim_events[SIM_EVENT_RDPMC], selector, pmc->value, 0, 0);
    } else {
        cpu_trace(cpu, &sim_events[SIM_EVENT_RDPMC_GP], selector, 0, 0, 0);
    }
    cpu_checkpoint(cpu);
    return allowed ? MSR_OK : MSR_GP_FAULT;
}

/* CPUID.0AH (pmu.md 1.1). EBX: a set bit means the event is not available; the
 * vector has seven events, and the model has them all. */
static void cpuid_perfmon(const struct pmu_model *model, uint32_t out[4])
{
    if (model->version == 0) {
        return;
    }
    out[0] = model->version | (uint32_t)model->general << 8 |
             (uint32_t)model->width_bits << 16 | UINT32_C(7) << 24;
    if (model->version >= 2) {
        out[3] = model->fixed | (uint32_t)model->width_bits << 5;
    }
}

void msr_cpuid(struct cpu *cpu, uint32_t leaf, uint32_t out[4])
{
    static const char vendor[] = "GenuineIntel"; /* EBX, EDX, ECX */

    pay(cpu);
    memset(out, 0, 4 * sizeof(*out));
    if (leaf == 0) {
        out[0] = 0xA;
        memcpy(&out[1], vendor, 4);
        memcpy(&out[3], vendor + 4, 4);
        memcpy(&out[2], vendor + 8, 4);
    } else if (leaf == 1) {
        out[1] = cpu->index << 24;
        out[2] = UINT32_C(1) << 21; /* x2APIC */
    } else if (leaf == 0xA) {
        cpuid_perfmon(cpu->pmu.model, out);
    }
    cpu_trace(cpu, &sim_events[SIM_EVENT_CPUID], leaf, 0, 0, 0);
    cpu_checkpoint(cpu);
}

bool msr_name(size_t n, char *name, size_t size)
{
    for (unsigned i = 0; i < MSR_COUNT; i++) {
        const struct msr_row *row = &msr_rows[i];
        unsigned most = msr_row_most(row);

        if (n >= most) {
            n -= most;
        } else if (most == 1) {
            snprintf(name, size, "%s", row->name);
            return true;
        } else {
            snprintf(name, size, "%s%zu", row->name, n);
            return true;
        }
    }
    return false;
}

bool msr_address(const char *name, uint32_t *address)
{
    char candidate[40];
    size_t n = 0;

    for (unsigned i = 0; i < MSR_COUNT; i++) {
        for (unsigned k = 0; k < msr_row_most(&msr_rows[i]); k++, n++) {
            bool found = msr_name(n, candidate, sizeof(candidate));

            assert(found);
            if (found && strcmp(candidate, name) == 0) {
                *address = msr_rows[i].address + k;
                return true;
            }
        }
    }
    return false;
}
