/* cpu_interrupts.c - interrupts as a processor takes them, in the middle of
 * code and in the idle loop. */
#include <assert.h>

#include "sim/machine/cpu.h"
#include "sim/machine/instruction.h"
#include "sim/machine/machine.h"
#include "sim/machine/pmi.h"
#include "sim/machine/strand.h"

/* The vector that can be taken now; -1 when there is none. */
static int cpu_next_vector(const struct cpu *cpu)
{
    int vector = lapic_is_idle(&cpu->lapic) ? -1 : lapic_next(&cpu->lapic);

    return cpu->interrupts_off && vector != VECTOR_NMI ? -1 : vector;
}

static void cpu_enter(struct cpu *cpu, int vector)
{
    bool sent;

    assert(vector >= 0 && vector <= UINT8_MAX);
    assert(!cpu->interrupts_off || vector == VECTOR_NMI);
    cpu->taken++;
    sent = lapic_accept(&cpu->lapic, (uint8_t)vector);
    cpu_trace(cpu,
        &sim_events[sent ? SIM_EVENT_IPI_TAKEN : SIM_EVENT_PMI_TAKEN],
        (uint64_t)vector);
    cpu->interrupts_off = true; /* an interrupt gate */
    cpu->interrupts++;
}

static void cpu_return(struct cpu *cpu, bool off)
{
    cpu->interrupts--;
    cpu->interrupts_off = off; /* IRET */
}

static inline void cpu_take(struct cpu *cpu, int vector)
{
    struct machine *machine = cpu->machine;
    bool off = cpu->interrupts_off;

    cpu_enter(cpu, vector);
    machine->interrupt(machine->interrupt_context, cpu, (uint8_t)vector);
    cpu_return(cpu, off);
    if (vector == VECTOR_NMI) {
        cpu->lapic.nmi_blocked = false;
    }
}

/* Somebody asks what an interrupt touches. */
__attribute__((noinline)) static void cpu_take_asked(
    struct cpu *cpu, int vector)
{
    struct machine *machine = cpu->machine;
    struct schedule_footprint touched =
        strand_touches(machine, SCHEDULE_EVERYTHING);

    cpu_take(cpu, vector);
    strand_touches(machine, touched);
}

/* Behind the last interrupt that was taken. */
static void cpu_go_back(struct cpu *cpu)
{
    struct machine *machine = cpu->machine;

    if (cpu->interrupts == 0 && machine->returned != NULL) {
        machine->returned(machine->returned_context, cpu);
    }
}

void cpu_deliver(struct cpu *cpu)
{
    bool took = false;
    int vector;

    if (cpu->machine->interrupt == NULL) {
        return; /* nobody to take it: it stays pending */
    }
    while ((vector = cpu_next_vector(cpu)) >= 0) {
        if (cpu->machine->schedule != NULL) {
            cpu_take_asked(cpu, vector);
        } else {
            cpu_take(cpu, vector);
        }
        took = true;
    }
    if (took) {
        cpu_go_back(cpu);
    }
}

/* Runs what there is of an interrupt. Returns whether all of it is done. */
static bool idle_take(struct cpu *cpu, int vector)
{
    struct machine *machine = cpu->machine;
    void (*rest)(void *context, struct cpu *cpu) = cpu->rest;

    assert(cpu->interrupts == 1);
    cpu->rest = NULL;
    cpu->idles = true;
    if (rest != NULL) {
        rest(machine->interrupt_context, cpu);
    } else {
        machine->interrupt(machine->interrupt_context, cpu, (uint8_t)vector);
    }
    cpu->idles = false;
    if (cpu_has_left(cpu)) {
        return false;
    }
    cpu_return(cpu, cpu->idle_off);
    return true;
}

/* As cpu_deliver(), which it goes on with where it was left. */
static bool idle_deliver(struct cpu *cpu)
{
    bool took = cpu_has_left(cpu);
    int vector;

    if (took && !idle_take(cpu, 0)) {
        return false;
    }
    while (cpu->machine->interrupt != NULL &&
           (vector = cpu_next_vector(cpu)) >= 0) {
        took = true;
        if (vector == VECTOR_NMI) {
            cpu_take_asked(cpu, vector);
            continue;
        }
        cpu->idle_off = cpu->interrupts_off;
        cpu_enter(cpu, vector);
        if (!idle_take(cpu, vector)) {
            return false;
        }
    }
    if (took) {
        cpu_go_back(cpu);
    }
    return true;
}

void cpu_idle(void *argument)
{
    struct cpu *cpu = argument;
    uint64_t due;

    if (cpu_has_left(cpu) && !idle_deliver(cpu)) {
        return;
    }
    while ((due = cpu_interrupt_time(cpu)) != CPU_NEVER) {
        if (!instruction_goes_on(cpu->machine, due)) {
            due = strand_sleep_until(cpu->machine, due);
        }
        cpu_halt_until(cpu, due);
        instruction_pause(cpu);
        if (!lapic_is_idle(&cpu->lapic) && !idle_deliver(cpu)) {
            return;
        }
    }
}

bool cpu_leave_waiting(struct cpu *cpu, bool (*condition)(void *context),
    void *context, void (*rest)(void *context, struct cpu *cpu))
{
    assert(cpu_may_leave(cpu));
    cpu_checkpoint(cpu);
    if (condition(context)) {
        return false;
    }
    cpu->rest = rest;
    strand_leave_waiting(cpu->machine, condition, context, cpu_idle, cpu);
    return true;
}

bool cpu_leave(struct cpu *cpu, void (*rest)(void *context, struct cpu *cpu))
{
    assert(cpu_may_leave(cpu));
    if (instruction_goes_on(cpu->machine, cpu->time) ||
        !strand_leave_until(cpu->machine, cpu->time, cpu_idle, cpu)) {
        return false;
    }
    cpu->rest = rest;
    return true;
}

uint64_t cpu_interrupt_time(const struct cpu *cpu)
{
    if (cpu->machine->interrupt != NULL && cpu_next_vector(cpu) >= 0) {
        return cpu->time > cpu->sent_at ? cpu->time : cpu->sent_at;
    }
    return pmi_time(cpu);
}

void cpu_send(struct cpu *cpu, uint8_t vector, uint64_t time)
{
    assert(time < LIMIT_TIME);
    if (!lapic_request(&cpu->lapic, vector)) {
        return;
    }
    cpu->sent_at = time;
    if (cpu->machine->interrupt != NULL && cpu_next_vector(cpu) >= 0) {
        strand_interrupt(cpu, time);
    }
}
