/* lone_cpu.c - one processor as a library: a machine of one, without strands.
 */
#include "sim/lone_cpu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/limits.h"
#include "sim/machine/cpuid.h"
#include "sim/machine/machine.h"
#include "sim/machine/msr.h"
#include "sim/machine/real_msr.h"
#include "sim/machine/sysreg.h"
#include "sim/pmu/figure.h"

struct lone_cpu {
    struct machine machine;
    struct cpu *cpu;
    void (*handler)(void *context, uint8_t vector);
    void *context;
};

/* The names that others see are expanded from the same lists as ours. */
_Static_assert((int)LONE_EVENTS == (int)EVENT_COUNT, "events");
_Static_assert((int)LONE_VENDORS == (int)VENDOR_COUNT, "vendors");
_Static_assert(
    (int)LONE_KERNEL == (int)RING_KERNEL && (int)LONE_USER == (int)RING_USER,
    "rings");
_Static_assert((int)LONE_DONE == (int)ARMV8_OK &&
                   (int)LONE_UNDEFINED == (int)ARMV8_UNDEF &&
                   (int)LONE_TRAPPED_TO_EL1 == (int)ARMV8_TRAP_EL1 &&
                   (int)LONE_TRAPPED_TO_EL2 == (int)ARMV8_TRAP_EL2,
    "results of an access");
_Static_assert(
    LONE_SYSREG(3, 4, 15, 9, 7) == ARMV8_ENCODE(3, 4, 15, 9, 7), "encoding");

static const struct lone_model models[MODEL_COUNT] = {
#define MODEL(name_, spelling, title_, vendor_, signature_, ...)               \
    [MODEL_##name_] = {.name = (spelling),                                     \
        .title = (title_),                                                     \
        .vendor = LONE_##vendor_,                                              \
        .signature = (signature_),                                             \
        __VA_ARGS__},
#include "sim/pmu/models.def"
};

const struct lone_model *lone_model_at(size_t n)
{
    return n < MODEL_COUNT ? &models[n] : NULL;
}

const struct lone_model *lone_model_find(const char *name)
{
    for (size_t i = 0; i < MODEL_COUNT; i++) {
        if (strcmp(models[i].name, name) == 0) {
            return &models[i];
        }
    }
    return NULL;
}

static struct pmu_model pmu_model_of(const struct lone_model *model)
{
    struct pmu_model own = {.name = model->name,
        .title = model->title,
        .vendor = (enum vendor)model->vendor,
        .signature = model->signature};

#define COPY_NUMBER(field) own.field = model->field
#define COPY_FLAG(field) own.field = model->field
#define COPY_RATIO(field)                                                      \
    own.field = (struct rate)                                                  \
    {                                                                          \
        .p = model->field.p, .q = model->field.q                               \
    }
#define FIELD(name, kind, ...) COPY_##kind(name);
#include "sim/pmu/model_fields.def"
    return own;
}

const char *lone_model_problem(const struct lone_model *model)
{
    struct pmu_model own;

    if (model == NULL) {
        return "there is no model";
    }
    if ((unsigned)model->vendor >= VENDOR_COUNT) {
        return "there is no such vendor";
    }
    own = pmu_model_of(model);
    return figure_problem(&own) != NULL ? figure_problem(&own)
                                        : model_problem(&own);
}

static bool lone_cpu_check(const struct lone_cpu *lone)
{
    assert(machine_check(&lone->machine));
    assert(lone->cpu == &lone->machine.cpu[0]);
    assert(lone->machine.trace.off);
    assert((lone->handler != NULL) == (lone->machine.interrupt != NULL));
    return true;
}

static void take(void *context, struct cpu *cpu, uint8_t vector)
{
    const struct lone_cpu *lone = context;

    assert(cpu == lone->cpu);
    lone->handler(lone->context, vector);
}

struct lone_cpu *lone_cpu_make(const struct lone_model *model)
{
    struct machine_config config = {.processors = 1, .groups = 1};
    struct lone_cpu *lone;

    if (lone_model_problem(model) != NULL) {
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
    config.pmu = pmu_model_of(model);
    machine_reset(&lone->machine, &config);
    lone->machine.trace.off = true;
    lone->cpu = machine_cpu(&lone->machine, 0);
    assert(lone_cpu_check(lone));
    return lone;
}

void lone_cpu_free(struct lone_cpu *lone)
{
    if (lone != NULL) {
        assert(lone_cpu_check(lone));
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
    assert(lone_cpu_check(lone));
}

bool lone_cpu_rdmsr(struct lone_cpu *lone, uint32_t address, uint64_t *value)
{
    return msr_read(lone->cpu, address, value) == MSR_OK;
}

bool lone_cpu_wrmsr(struct lone_cpu *lone, uint32_t address, uint64_t value)
{
    return msr_write(lone->cpu, address, value) == MSR_OK;
}

bool lone_cpu_lacks(const struct lone_cpu *lone, uint32_t address)
{
    return real_msr_find(cpu_model(lone->cpu), address, NULL);
}

bool lone_cpu_rdpmc(struct lone_cpu *lone, uint32_t selector, uint64_t *value)
{
    return msr_rdpmc(lone->cpu, selector, RING_KERNEL, true, value) == MSR_OK;
}

void lone_cpu_cpuid(struct lone_cpu *lone, uint32_t leaf, uint32_t out[4])
{
    cpuid_read(lone->cpu, leaf, out);
}

enum lone_access lone_cpu_mrs(
    struct lone_cpu *lone, uint32_t reg, unsigned el, uint64_t *value)
{
    return el >= ARMV8_ELS
               ? LONE_UNDEFINED
               : (enum lone_access)sysreg_read(lone->cpu, reg, el, value);
}

enum lone_access lone_cpu_msr(
    struct lone_cpu *lone, uint32_t reg, unsigned el, uint64_t value)
{
    return el >= ARMV8_ELS
               ? LONE_UNDEFINED
               : (enum lone_access)sysreg_write(lone->cpu, reg, el, value);
}

/* Of a size that leaves what begins there aligned. */
void *lone_cpu_memory(struct lone_cpu *lone, size_t size)
{
    enum { ALIGNMENT = 16 };

    if (size > SIZE_MAX - ALIGNMENT) {
        return NULL;
    }
    return memory_alloc(&lone->machine.memory,
        (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, 0);
}

uint32_t lone_cpu_lost_records(const struct lone_cpu *lone)
{
    return lone->cpu->pmu.lost;
}

static bool work_is_possible(const struct lone_work *work)
{
    if (work->cycles == 0 || work->cycles > LIMIT_SEGMENT_CYCLES ||
        (unsigned)work->ring >= RING_COUNT) {
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

    assert(lone_cpu_check(lone));
    if (!work_is_possible(work)) {
        return false;
    }
    segment_init(&segment, cpu->pmu.model, cpu_unhalted(cpu), work->cycles,
        (enum ring)work->ring);
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
