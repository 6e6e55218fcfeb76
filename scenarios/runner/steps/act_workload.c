/* act_workload.c - run, advance, and overflow, which is shorthand for the
 * WRMSRs of a driver and a run: there is no other way to a handler. */
#include <assert.h>

#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_guarded.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/base/bits.h"
#include "sim/machine/strand.h"

enum {
    OVERFLOW_PERIOD = 1000, /* events from the preset to the wrap */
    OVERFLOW_CYCLES = 2000, /* run on, so that the interrupt meets code */
};

/* The clocks go on from where they are now. */
static void run_part(struct cpu *cpu, const struct run_part *part)
{
    const struct segment *from = &part->segment;
    struct segment segment;

    for (enum event i = 0; i < EVENT_COUNT; i++) {
        if (part->burst[i] != 0) {
            cpu_add_events(cpu, i, part->burst[i], from->ring);
        }
    }
    segment_init(
        &segment, cpu->pmu.model, cpu->unhalted, from->cycles, from->ring);
    segment.halted = from->halted;
    segment.place = from->place;
    for (enum event i = 0; i < EVENT_COUNT; i++) {
        if (!event_rows[i].clock) {
            segment.rate[i] = from->rate[i];
        }
    }
    cpu_run_segment(cpu, &segment);
}

static void run_now(struct run *run, struct outcome *outcome)
{
    struct cpu *cpu = kernel_cpu(&run->session->kernel);
    const struct step_run *parts = &outcome->step->u.run;

    for (uint64_t n = 0; n < parts->repeat; n++) {
        for (size_t i = 0; i < parts->count; i++) {
            run_part(cpu, &parts->part[i]);
        }
    }
    cpu_settle(cpu);
}

void act_run(struct run *run, struct outcome *outcome)
{
    run_guarded(run, outcome, run_now);
}

/* A halted processor until then; interrupts are taken meanwhile. */
static void halt_until(struct cpu *cpu, uint64_t time)
{
    struct segment segment;

    if (cpu->time < time) {
        segment_init(&segment, cpu->pmu.model, cpu->unhalted, time - cpu->time,
            RING_KERNEL);
        segment.halted = true;
        cpu_run_segment(cpu, &segment);
    }
}

struct advance {
    struct kernel *kernel;
    uint64_t until;
};

static void advance_main(void *argument)
{
    const struct advance *advance = argument;

    halt_until(kernel_cpu(advance->kernel), advance->until);
}

/* Between the scenario's own steps no other processor is ahead of this one. */
void act_advance(struct run *run, struct outcome *outcome)
{
    struct kernel *kernel = &run->session->kernel;
    struct machine *machine = &run->session->machine;
    struct cpu *own = kernel_cpu(kernel);
    struct advance advance = {
        kernel, own->time + outcome->step->u.advance.cycles};

    advance_main(&advance);
    for (uint32_t i = 0; i < machine->config.processors; i++) {
        strand_call_on(machine_cpu(machine, i), advance_main, &advance, NULL);
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
    uint64_t left = outcome->step->u.overflow.counters;

    segment_init(
        segment, cpu->pmu.model, cpu->unhalted, OVERFLOW_CYCLES, RING_USER);
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

static void overflow_now(struct run *run, struct outcome *outcome)
{
    struct kernel *kernel = &run->session->kernel;
    struct cpu *cpu = kernel_cpu(kernel);
    struct segment segment;

    if (!prepare(run, outcome, cpu, &segment)) {
        return;
    }
    program_preset_stopped(
        kernel, cpu, outcome->step->u.overflow.counters, OVERFLOW_PERIOD);
    cpu_run_segment(cpu, &segment);
    cpu_settle(cpu);
}

void act_overflow(struct run *run, struct outcome *outcome)
{
    run_guarded(run, outcome, overflow_now);
}
