/* cpu.c - a processor at work: time passes and counters overflow.
 *
 * An overflow latches its status bit at its cycle. When the counter asks for
 * an interrupt, the PMU raises it `latency` cycles later (several requests that
 * are on their way are one); there it freezes what is to be frozen and goes
 * through LVTPC. What LVTPC accepts is pending `skid` cycles after that, and
 * stays latched until a preemption point of a time at which the priority allows
 * it. An Armv8 PMU has a line instead (pmi.h). */
#include "sim/machine/cpu.h"

#include <assert.h>

#include "sim/base/bits.h"
#include "sim/base/limits.h"
#include "sim/machine/instruction.h"
#include "sim/machine/machine.h"
#include "sim/machine/pmi.h"
#include "sim/machine/quiet.h"
#include "sim/machine/strand.h"
#include "sim/pmu/armv8.h"
#include "sim/pmu/pebs.h"

/* A PAUSE loop retires an instruction now and then. Our assumption
 * (docs/fidelity.md). */
enum { SPIN_CYCLES_PER_INSTRUCTION = 40 };

void cpu_init(struct cpu *cpu, struct machine *machine, uint32_t index,
    const struct pmu_model *model, const struct msr_map *map)
{
    *cpu = (struct cpu){.machine = machine,
        .trace = &machine->trace,
        .msr_map = map,
        .burst = &cpu->pmu.burst,
        .access_cycles = model->msr_cycles,
        .index = index,
        .pmi_due = CPU_NEVER,
        .pmi_lands = CPU_NEVER};
    lapic_init(&cpu->lapic);
    cpu->lapic.keeps_open = model->vendor == VENDOR_AMD;
    system_registers_init(&cpu->system, model);
    pmu_init(&cpu->pmu, model);
    assert(lapic_check(&cpu->lapic));
}

bool cpu_check(const struct cpu *cpu)
{
    assert(cpu->halted <= cpu->time);
    assert(cpu->pmi_lands == CPU_NEVER || cpu->pmi_vector != 0 ||
           cpu->armv8 != NULL);
    assert(cpu->first == NULL || cpu->last->next == NULL);
    assert(cpu->current == NULL || cpu->current->cpu == cpu ||
           cpu->current == cpu->machine->running);
    assert((cpu->armv8 != NULL) == (cpu->pmu.model->vendor == VENDOR_ARM));
    assert(cpu->burst ==
           (cpu->armv8 != NULL ? &cpu->armv8->burst : &cpu->pmu.burst));
    assert(cpu->armv8 == NULL || armv8_check(cpu->armv8));
    assert(pmu_check(&cpu->pmu));
    assert(lapic_check(&cpu->lapic));
    assert(quiet_check(cpu));
    return true;
}

const struct pmu_model *cpu_model(const struct cpu *cpu)
{
    return cpu->pmu.model;
}

uint64_t cpu_counters_enabled(const struct cpu *cpu)
{
    uint64_t enabled = 0;

    if (cpu->armv8 == NULL) {
        return pmu_enabled(&cpu->pmu);
    }
    for (unsigned el = 0; el < ARMV8_ELS; el++) {
        enabled |= cpu->armv8->running[el];
    }
    return enabled;
}

void cpu_trace_values(const struct cpu *cpu, const struct trace_kind *kind,
    const uint64_t value[TRACE_VALUES])
{
    trace_add(&cpu->machine->trace, cpu->time, cpu->index, kind, value);
}

__attribute__((noinline)) static void trace_overflows(
    const struct cpu *cpu, uint64_t wrapped)
{
    for (uint64_t left = wrapped; left != 0; left &= left - 1) {
        cpu_trace_now(cpu, &sim_events[SIM_EVENT_OVERFLOW], bits_lowest(left));
    }
}

__attribute__((noinline)) static bool store_samples(
    struct cpu *cpu, const struct pebs_moment *moment)
{
    const struct trace_point now = {
        &cpu->machine->trace, cpu->time, cpu->index};

    return pebs_take(&cpu->pmu, &cpu->machine->memory, &now, moment);
}

/* Counters have wrapped at this cycle, or PEBS has samples to store. */
static void cpu_overflow(
    struct cpu *cpu, uint64_t wrapped, const struct pebs_moment *moment)
{
    bool asks = (wrapped & cpu->pmu.interrupting) != 0;

    assert((wrapped | cpu->pmu.sampled) != 0);
    if (cpu_is_traced(cpu)) {
        trace_overflows(cpu, wrapped);
    }
    if (cpu->armv8 != NULL) {
        pmi_follow_line(cpu);
        return;
    }
    if (cpu->pmu.sampled != 0) {
        asks |= store_samples(cpu, moment);
    }
    if (asks && cpu->pmi_due == CPU_NEVER) {
        cpu->pmi_due = cpu->time + cpu->pmu.model->latency;
        quiet_follow_pmi(cpu);
    }
}

/* Lets `from`..`to` of the segment pass: no overflow lies before `to`. */
static inline void cpu_pass(
    struct cpu *cpu, const struct segment *segment, uint64_t from, uint64_t to)
{
    uint32_t armed = cpu->pmu.armed;
    uint64_t wrapped = cpu->armv8 != NULL
                           ? armv8_advance(cpu->armv8, segment, from, to)
                           : pmu_advance(&cpu->pmu, segment, from, to);

    cpu->time += to - from;
    cpu->halted += segment->halted ? to - from : 0;
    if ((wrapped | cpu->pmu.sampled) != 0) {
        const struct pebs_moment moment = {segment, from, to, armed};

        cpu_overflow(cpu, wrapped, &moment);
    }
}

/* On one processor without a trace nobody looks at what lies between an
 * overflow that arms PEBS and its record. */
static inline uint64_t cpu_next_overflow(
    const struct cpu *cpu, const struct segment *segment, uint64_t from)
{
    const struct machine *machine = cpu->machine;

    return cpu->armv8 != NULL
               ? armv8_next_overflow(cpu->armv8, segment, from)
               : pmu_next_stop(&cpu->pmu, segment, from,
                     !machine->trace.off || machine->config.processors > 1);
}

/* The nearest position after `from` at which something happens: an overflow,
 * the arrival of a request, or the end of the segment. */
static uint64_t cpu_next_position(
    const struct cpu *cpu, const struct segment *segment, uint64_t from)
{
    uint64_t to = segment->cycles;
    uint64_t due = pmi_time(cpu);
    uint64_t overflow;

    assert(from < to);
    assert(due >= cpu->time);
    if (due != CPU_NEVER && due - cpu->time < to - from) {
        to = from + (due - cpu->time);
    }
    overflow = cpu_next_overflow(cpu, segment, from);
    assert(overflow > from);
    return overflow < to ? overflow : to;
}

/* Runs a segment of kernel code whose interrupts wait for its end. */
static void cpu_burst(struct cpu *cpu, const struct segment *segment)
{
    uint64_t end = cpu->time + segment->cycles;
    uint64_t position = 0;

    while (position < segment->cycles) {
        uint64_t next = cpu_next_position(cpu, segment, position);

        cpu_pass(cpu, segment, position, next);
        position = next;
        if (pmi_time(cpu) <= cpu->time) {
            pmi_move_within(cpu, end);
        }
    }
}

/* Whether kernel code can make a counter count. */
static bool cpu_counts(const struct cpu *cpu)
{
    return cpu->armv8 != NULL ? cpu->armv8->running[armv8_el(RING_KERNEL)] != 0
                              : cpu->pmu.running != 0;
}

/* Apart from cpu_spend(): so that nothing of it is in the way of calls and
 * instructions in which no counter can wrap. */
__attribute__((noinline)) static void cpu_spend_counted(
    struct cpu *cpu, uint64_t cycles, uint64_t instructions)
{
    struct segment segment;

    if (cpu->armv8 != NULL) {
        armv8_settle(cpu->armv8);
    } else {
        pmu_settle(&cpu->pmu);
    }
    if (instruction_spend(cpu, cycles, instructions)) {
        return;
    }
    segment_init(
        &segment, cpu->pmu.model, cpu_unhalted(cpu), cycles, RING_KERNEL);
    segment.rate[EVENT_INSTRUCTIONS] =
        (struct rate){.p = instructions, .q = cycles};
    cpu_burst(cpu, &segment);
}

void cpu_spend(struct cpu *cpu, uint64_t cycles, uint64_t instructions)
{
    assert(cycles > 0 || instructions == 0);
    if (cycles > 0 && !instruction_spend(cpu, cycles, instructions)) {
        cpu_spend_counted(cpu, cycles, instructions);
    }
}

void cpu_add_events(
    struct cpu *cpu, enum event event, uint64_t count, enum ring ring)
{
    static const struct pebs_moment nowhere;
    struct trace *trace = &cpu->machine->trace;
    uint64_t wrapped;

    assert(cpu_check(cpu));
    assert(event < EVENT_COUNT);
    assert(ring < RING_COUNT);
    wrapped = cpu->armv8 != NULL
                  ? armv8_add(cpu->armv8, event, count, armv8_el(ring))
                  : pmu_add(&cpu->pmu, event, count, ring);

    cpu_trace(cpu, &sim_events[SIM_EVENT_BURST],
        trace_text(trace, event_rows[event].name), count,
        trace_text(trace, ring_names[ring]));
    if ((wrapped | cpu->pmu.sampled) != 0) {
        cpu_overflow(cpu, wrapped, &nowhere);
    }
    cpu_checkpoint(cpu);
}

/* A stretch of a PAUSE loop, which goes on where the last one ended. */
static void spin_segment(
    const struct cpu *cpu, struct segment *segment, uint64_t cycles)
{
    segment_init(
        segment, cpu->pmu.model, cpu_unhalted(cpu), cycles, RING_KERNEL);
    segment->rate[EVENT_INSTRUCTIONS] = (struct rate){.p = 1,
        .q = SPIN_CYCLES_PER_INSTRUCTION,
        .phase = cpu_unhalted(cpu) % SPIN_CYCLES_PER_INSTRUCTION};
}

void cpu_spin(struct cpu *cpu, uint64_t cycles)
{
    while (cycles > 0) {
        uint64_t stretch =
            cycles < LIMIT_SEGMENT_CYCLES ? cycles : LIMIT_SEGMENT_CYCLES;
        struct segment segment;

        spin_segment(cpu, &segment, stretch);
        cpu_burst(cpu, &segment);
        cycles -= stretch;
    }
}

uint64_t cpu_spin_time(const struct cpu *cpu)
{
    uint64_t interrupt = cpu_interrupt_time(cpu);
    struct segment segment;
    uint64_t overflow;

    if (!cpu_counts(cpu)) {
        return interrupt;
    }
    spin_segment(cpu, &segment, LIMIT_SEGMENT_CYCLES);
    overflow = cpu_next_overflow(cpu, &segment, 0);
    if (overflow > LIMIT_SEGMENT_CYCLES) {
        return interrupt;
    }
    return cpu->time + overflow < interrupt ? cpu->time + overflow : interrupt;
}

/* A preemption point behind which no code goes on yet. */
static inline void cpu_pause(struct cpu *cpu)
{
    if (instruction_ends(cpu)) {
        return;
    }
    instruction_pause(cpu);
    if (!lapic_is_idle(&cpu->lapic)) {
        cpu_deliver(cpu);
    }
}

/* Apart from those that end instructions, as cpu_spend_counted() is. */
__attribute__((noinline)) void cpu_checkpoint(struct cpu *cpu)
{
    cpu_pause(cpu);
    memory_settle(&cpu->machine->memory);
}

/* Whether a counter or a record has a use for clocks whose ratio to core cycles
 * is not whole: no event of Armv8's is one of those. */
static bool cpu_looks_at_clocks(const struct cpu *cpu)
{
    return cpu->armv8 == NULL && ((cpu->pmu.running & cpu->pmu.uneven) != 0 ||
                                     cpu->pmu.pebs.enable != 0);
}

/* Runs a segment from `position`, which it moves, to its end; or returns true
 * behind other code, an interrupt, with clocks that somebody looks at. */
static inline bool cpu_run_from(
    struct cpu *cpu, const struct segment *segment, uint64_t *position)
{
    bool moved = false;

    while (!moved && *position < segment->cycles) {
        uint64_t next = cpu_next_position(cpu, segment, *position);
        uint64_t unhalted, woken = cpu->time + (next - *position);

        if (!instruction_goes_on(cpu->machine, woken)) {
            woken = strand_sleep_until(cpu->machine, woken);
        }
        next = *position + (woken - cpu->time);
        cpu_pass(cpu, segment, *position, next);
        *position = next;
        unhalted = cpu_unhalted(cpu);
        cpu_pause(cpu);
        moved = cpu_unhalted(cpu) != unhalted && !segment->halted &&
                cpu_looks_at_clocks(cpu);
    }
    return moved;
}

/* The code goes on where it was, but its clocks ran on meanwhile. Apart: a copy
 * is large, and thousands of processors can be amid a segment. */
__attribute__((noinline)) static void cpu_resume(
    struct cpu *cpu, const struct segment *segment, uint64_t position)
{
    struct segment resumed = *segment;

    do {
        assert(cpu_unhalted(cpu) >= position);
        segment_set_clocks(
            &resumed, cpu->pmu.model, cpu_unhalted(cpu) - position);
    } while (cpu_run_from(cpu, &resumed, &position));
}

static void cpu_run(struct cpu *cpu, const struct segment *segment)
{
    uint64_t position = 0;

    if (cpu_run_from(cpu, segment, &position)) {
        cpu_resume(cpu, segment, position);
    }
    memory_settle(&cpu->machine->memory);
}

void cpu_run_segment(struct cpu *cpu, const struct segment *segment)
{
    assert(cpu_check(cpu));
    assert(segment_check(segment));
    cpu_trace(cpu, &sim_events[SIM_EVENT_SEGMENT], segment->cycles,
        trace_text(&cpu->machine->trace, ring_names[segment->ring]),
        segment->halted);
    cpu_run(cpu, segment);
}

void cpu_stall(struct cpu *cpu, uint64_t cycles)
{
    struct segment segment;

    assert(cycles <= LIMIT_SEGMENT_CYCLES);
    if (cycles > 0) {
        spin_segment(cpu, &segment, cycles);
        cpu_run(cpu, &segment);
    }
}

void cpu_settle(struct cpu *cpu)
{
    uint64_t due;

    while ((due = cpu_interrupt_time(cpu)) != CPU_NEVER) {
        cpu_halt_until(cpu, strand_sleep_until(cpu->machine, due));
        cpu_checkpoint(cpu);
    }
}

void cpu_set_task_priority(struct cpu *cpu, unsigned class)
{
    assert(class <= 15);
    cpu->lapic.task_priority = (uint8_t)(class << 4);
    if (!instruction_ends(cpu)) {
        cpu_checkpoint(cpu);
    }
}
