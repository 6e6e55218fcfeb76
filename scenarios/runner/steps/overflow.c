/* overflow.c - overflow: shorthand for the WRMSRs of a driver and a run, since
 * there is no other way to a handler. */
#include <assert.h>

#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/read_cpus.h"
#include "scenarios/runner/scenario/read_machine.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/program.h"
#include "scenarios/runner/steps/steps.h"
#include "sim/base/bits.h"

enum {
    OVERFLOW_PERIOD = 1000, /* events from the preset to the wrap */
    OVERFLOW_CYCLES = 2000, /* run on, so that the interrupt meets code */
};

static void read_overflow(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    uint64_t *counters = step->data;
    const struct node *list;

    if (!schema_mapping(schema, node, MAPPING_OVERFLOW, step->key)) {
        return;
    }
    read_cpus(reader, node_get(node, "cpu"), &step->cpus);
    list = node_get(node, "counters");
    if (reader->scenario->machine.pmu.inert) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, step->key,
            "no counter overflows in a virtual machine whose PMU is inert");
        diagnostics_hint(schema->diagnostics,
            "wrmsr and run do what a driver does; the counters stay 0");
        return;
    }
    if (list == NULL || !schema_sequence(schema, list)) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        unsigned index;

        if (read_counter(reader, list->item[i], &index)) {
            *counters |= bit(index);
        }
    }
}

/* Why this counter cannot be made to overflow; NULL: it can. */
static const char *cannot_overflow(const struct cpu *cpu, unsigned slot)
{
    const struct pmu_source *source = &cpu->pmu.source[slot];

    if ((cpu->pmu.running & (UINT32_C(1) << slot)) == 0) {
        return "is not programmed: it must be enabled in its own control "
               "register, for a ring, with an event that this model has, and "
               "in the global control register if there is one";
    }
    if (source->filter.edge || source->filter.invert ||
        source->filter.cmask > 1) {
        return "has EDGE, INV or a CMASK above 1; use wrmsr and run for it";
    }
    return NULL;
}

static unsigned slot_of(unsigned index)
{
    return pmu_slot(index);
}

/* The segment in which each of the counters gets an event a cycle. Returns
 * false when no ring suits all of them, or one cannot overflow. */
static bool prepare(struct run *run, const struct outcome *outcome,
    const struct cpu *cpu, struct segment *segment)
{
    bool fits[2] = {true, true};
    uint64_t left = *(const uint64_t *)outcome->step->data;

    segment_init(
        segment, cpu->pmu.model, cpu_unhalted(cpu), OVERFLOW_CYCLES, RING_USER);
    for (; left != 0; left &= left - 1) {
        unsigned index = bits_lowest(left);
        const struct pmu_source *source = &cpu->pmu.source[slot_of(index)];
        const char *why = cannot_overflow(cpu, slot_of(index));

        if (why != NULL) {
            run_fail(run, RESULT_ERROR, outcome, outcome->step->key,
                "counter %u on cpu %u %s", index, (unsigned)cpu->index, why);
            return false;
        }
        fits[RING_KERNEL] &= source->in_ring[RING_KERNEL];
        fits[RING_USER] &= source->in_ring[RING_USER];
        /* A slower clock gets its events all the same. */
        segment->rate[source->event] = (struct rate){.p = 1, .q = 1};
    }
    if (!fits[RING_KERNEL] && !fits[RING_USER]) {
        run_fail(run, RESULT_ERROR, outcome, outcome->step->key,
            "the counters count in different rings; overflow them one by one");
        return false;
    }
    segment->ring = fits[RING_USER] ? RING_USER : RING_KERNEL;
    return true;
}

static void run_overflow(struct run *run, struct outcome *outcome)
{
    struct kernel *kernel = &run->session->kernel;
    struct cpu *cpu = kernel_cpu(kernel);
    const uint64_t *counters = outcome->step->data;
    struct segment segment;

    if (!prepare(run, outcome, cpu, &segment)) {
        outcome->failed = true;
        return;
    }
    program_preset_stopped(kernel, cpu, *counters, OVERFLOW_PERIOD);
    cpu_run_segment(cpu, &segment);
    cpu_settle(cpu);
}

const struct step_code step_overflow = {
    .data_bytes = sizeof(uint64_t) /* HAL indexes, as bits */,
    .read = read_overflow,
    .run = run_overflow,
};
