/* lone_cpu.c - a machine of one processor, without strands. */
#include "sim/lone_cpu.h"

#include <stdlib.h>

#include "sim/base/limits.h"
#include "sim/machine/cpuid.h"
#include "sim/machine/machine.h"
#include "sim/machine/msr.h"

struct lone_cpu {
    struct machine machine;
    struct cpu *cpu;
    void (*handler)(void *context, uint8_t vector);
    void *context;
};

static void take(void *context, struct cpu *cpu, uint8_t vector)
{
    const struct lone_cpu *lone = context;

    (void)cpu;
    lone->handler(lone->context, vector);
}

struct lone_cpu *lone_cpu_make(const struct pmu_model *model)
{
    const struct machine_config config = {
        .processors = 1, .groups = 1, .pmu = *model};
    struct lone_cpu *lone;

    if (model_problem(model) != NULL || model->vendor == VENDOR_ARM) {
        return NULL;
    }
    lone = calloc(1, sizeof(*lone));
    if (lone == NULL) {
        return NULL;
    }
    if (!machine_reserve(&lone->machine)) {
        free(lone);
        return NULL;
    }
    machine_reset(&lone->machine, &config);
    lone->machine.trace.off = true;
    lone->cpu = machine_cpu(&lone->machine, 0);
    return lone;
}

void lone_cpu_free(struct lone_cpu *lone)
{
    if (lone != NULL) {
        machine_release(&lone->machine);
        free(lone);
    }
}

void lone_cpu_on_interrupt(struct lone_cpu *lone,
    void (*handler)(void *context, uint8_t vector), void *context)
{
    lone->handler = handler;
    lone->context = context;
    machine_on_interrupt(&lone->machine, handler == NULL ? NULL : take, lone);
}

bool lone_cpu_rdmsr(struct lone_cpu *lone, uint32_t address, uint64_t *value)
{
    return msr_read(lone->cpu, address, value) == MSR_OK;
}

bool lone_cpu_wrmsr(struct lone_cpu *lone, uint32_t address, uint64_t value)
{
    return msr_write(lone->cpu, address, value) == MSR_OK;
}

bool lone_cpu_rdpmc(struct lone_cpu *lone, uint32_t selector, uint64_t *value)
{
    return msr_rdpmc(lone->cpu, selector, RING_KERNEL, true, value) == MSR_OK;
}

void lone_cpu_cpuid(struct lone_cpu *lone, uint32_t leaf, uint32_t out[4])
{
    cpuid_read(lone->cpu, leaf, out);
}

static bool work_is_possible(const struct lone_work *work)
{
    if (work->cycles == 0 || work->cycles > LIMIT_SEGMENT_CYCLES ||
        work->ring >= RING_COUNT) {
        return false;
    }
    for (enum event i = 0; i < EVENT_COUNT; i++) {
        if (work->total[i] > work->cycles * LIMIT_RATE_PER_CYCLE ||
            (event_rows[i].clock && work->total[i] != 0)) {
            return false;
        }
    }
    return true;
}

bool lone_cpu_run(struct lone_cpu *lone, const struct lone_work *work)
{
    struct cpu *cpu = lone->cpu;
    struct segment segment;

    if (!work_is_possible(work)) {
        return false;
    }
    segment_init(
        &segment, cpu->pmu.model, cpu->unhalted, work->cycles, work->ring);
    for (enum event i = 0; i < EVENT_COUNT; i++) {
        if (!event_rows[i].clock) {
            segment.rate[i] =
                (struct rate){.p = work->total[i], .q = work->cycles};
        }
    }
    cpu_run_segment(cpu, &segment);
    cpu_settle(cpu);
    return true;
}

uint64_t lone_cpu_time(const struct lone_cpu *lone)
{
    return lone->cpu->time;
}
