/* irql.c - raising and lowering the level of a processor, with its rules; the
 * task priority register follows. */
#include "api/ke/irql.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/trace_events.h"
#include "api/ke/affinity.h"
#include "api/ke/apc_region.h"
#include "api/ke/kthread.h"

static void close_pages(struct kernel *kernel, const struct cpu *cpu)
{
    if (irql_is_raised(kernel, cpu)) {
        memory_page_out(&kernel->machine->memory);
    }
}

void irql_close_pages(struct kernel *kernel, const struct cpu *cpu)
{
    if (kernel->machine->memory.opened_count > 0) {
        close_pages(kernel, cpu);
    }
}

void irql_start(struct kernel *kernel)
{
    for (uint8_t irql = 0; irql < IRQL_LEVELS; irql++) {
        kernel->irql_class[irql] = kernel->arch->irql_class(irql);
    }
    kernel->irql_high = irql_number(kernel, LEVEL_HIGH_LEVEL);
    assert(kernel->irql_high < IRQL_LEVELS);
}

static inline void set_priority(
    const struct kernel *kernel, struct cpu *cpu, uint8_t irql)
{
    cpu_set_task_priority(cpu, kernel->irql_class[irql]);
}

/* Where somebody sees more of a new level than the task priority: in a trace,
 * or by a page that is closed. */
__attribute__((noinline)) static void irql_show(
    struct kernel *kernel, struct cpu *cpu, uint8_t old, uint8_t irql)
{
    irql_close_pages(kernel, cpu);
    if (old != irql) {
        cpu_trace(cpu, &api_events[API_EVENT_IRQL], old, irql);
    }
    set_priority(kernel, cpu, irql);
}

/* Sets the level of the processor whose state it is; the thread stays. As the
 * last act of functions that save no register for what nobody sees. */
static inline void irql_assign(struct kernel *kernel, struct cpu *cpu,
    struct irql_state *state, uint8_t irql)
{
    uint8_t old = state->current;

    uint8_t dispatch = irql_number(kernel, LEVEL_DISPATCH_LEVEL);

    assert(irql <= kernel->irql_high);
    state->current = irql;
    if (old < dispatch && irql >= dispatch) {
        state->raised = cpu_own_time(cpu);
    }
    if (cpu_is_traced(cpu) || kernel->machine->memory.opened_count > 0) {
        irql_show(kernel, cpu, old, irql);
    } else {
        set_priority(kernel, cpu, irql);
    }
}

uint8_t irql_set(struct kernel *kernel, struct cpu *cpu, uint8_t irql)
{
    struct irql_state *state = &kernel_processor(kernel, cpu)->irql;
    uint8_t old = state->current;

    irql_assign(kernel, cpu, state, irql);
    if (irql < irql_number(kernel, LEVEL_DISPATCH_LEVEL)) {
        affinity_settle(kernel);
    }
    if (kernel->threads->apcs > 0) {
        apc_region_take(kernel);
    }
    return old;
}

void irql_enter(struct kernel *kernel, struct cpu *cpu, uint8_t irql,
    struct irql_interrupted *interrupted)
{
    struct irql_state *state = &kernel_processor(kernel, cpu)->irql;

    assert(state->floor <= state->depth && state->current >= state->least);
    *interrupted = (struct irql_interrupted){
        state->current, state->least, state->depth, state->floor};
    state->floor = state->depth;
    state->least = irql;
    irql_assign(kernel, cpu, state, irql);
}

void irql_leave(struct kernel *kernel, struct cpu *cpu,
    const struct irql_interrupted *interrupted)
{
    struct irql_state *state = &kernel_processor(kernel, cpu)->irql;

    assert(state->current >= state->least);
    assert(state->floor == interrupted->depth); /* as irql_enter() left it */
    assert(interrupted->floor <= interrupted->depth);
    state->depth = interrupted->depth;
    state->floor = interrupted->floor;
    state->least = interrupted->least;
    irql_assign(kernel, cpu, state, interrupted->current);
}

void irql_take(struct kernel *kernel, struct cpu *cpu, struct irql_state *taken)
{
    struct irql_state *state = &kernel_processor(kernel, cpu)->irql;

    taken->current = state->current;
    taken->least = state->least;
    taken->depth = state->depth;
    taken->floor = state->floor;
    taken->maybe_undone = state->maybe_undone;
    if (state->depth > 0) {
        memcpy(taken->shadow, state->shadow, sizeof(taken->shadow));
    }
    assert(irql_state_check(kernel, state));
    assert(!irql_is_raised(kernel, cpu));
    assert(state->floor == 0 && state->least == 0); /* in no interrupt */
    state->depth = 0;
    if (state->current != 0) {
        irql_assign(
            kernel, cpu, state, irql_number(kernel, LEVEL_PASSIVE_LEVEL));
    }
}

void irql_bring(
    struct kernel *kernel, struct cpu *cpu, const struct irql_state *state)
{
    struct irql_state *here = &kernel_processor(kernel, cpu)->irql;

    if (state->current == here->current && state->depth == 0 &&
        here->depth == 0) {
        return;
    }
    assert(irql_state_check(kernel, state));
    assert(!irql_is_raised(kernel, cpu)); /* or it is not the thread's to set */
    assert(here->floor == 0 && state->floor == 0);
    here->depth = state->depth;
    here->least = state->least;
    here->maybe_undone = state->maybe_undone;
    if (state->depth > 0) {
        memcpy(here->shadow, state->shadow, sizeof(here->shadow));
    }
    irql_assign(kernel, cpu, here, state->current);
}

/* The record that a wrong level leaves: wanted, current. */
static _Noreturn void irql_stop(struct kernel *kernel, struct cpu *cpu,
    enum rule rule, enum routine routine, uint8_t wanted)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name},
        {.value = irql_current(kernel, cpu)},
        {.value = wanted},
    };

    rule_stop(kernel, cpu, rule, routine, parameter);
}

_Static_assert(IRQL_SHADOW_DEPTH == 64, "maybe_undone has a bit for each");

static void push_raise(struct irql_state *state)
{
    assert(state->floor <= state->depth);
    if (state->depth < IRQL_SHADOW_DEPTH) {
        state->shadow[state->depth] = state->current;
        state->maybe_undone &= ~(UINT64_C(1) << state->depth);
    }
    state->depth++;
}

/* Takes off the raise that returned `irql`, which is the last one but for those
 * that CR8 may have undone. Returns false when it is another; one that is not
 * recorded was made by the code that runs, at its interrupt's level or above.
 */
static bool pop_raise(struct irql_state *state, uint8_t irql)
{
    uint32_t depth = state->depth;

    assert(state->floor <= depth);
    while (depth > state->floor && depth <= IRQL_SHADOW_DEPTH &&
           state->shadow[depth - 1] != irql &&
           (state->maybe_undone >> (depth - 1) & 1) != 0) {
        depth--;
    }
    if (depth == state->floor || irql < state->least ||
        (depth <= IRQL_SHADOW_DEPTH && state->shadow[depth - 1] != irql)) {
        return false;
    }
    assert(depth > state->floor); /* what interrupts undoes its own only */
    state->depth = depth - 1;
    return true;
}

/* CR8 does not show whether a write of the current level belongs to a raise
 * that a routine has recorded and that changed nothing either: it may. */
static void mark_undone(struct irql_state *state)
{
    for (uint32_t depth = state->depth;
         depth > state->floor && depth <= IRQL_SHADOW_DEPTH &&
         state->shadow[depth - 1] == state->current;
         depth--) {
        uint64_t bit = UINT64_C(1) << (depth - 1);

        if ((state->maybe_undone & bit) == 0) {
            state->maybe_undone |= bit;
            return;
        }
    }
}

uint8_t irql_raise(
    struct kernel *kernel, struct cpu *cpu, enum routine routine, uint8_t irql)
{
    struct irql_state *state = &kernel_processor(kernel, cpu)->irql;

    if (irql > irql_number(kernel, LEVEL_HIGH_LEVEL)) {
        irql_stop(kernel, cpu, RULE_IRQL_NO_SUCH_LEVEL, routine, irql);
    }
    if (irql < state->current) {
        irql_stop(kernel, cpu, RULE_IRQL_RAISE_LOWERS, routine, irql);
    }
    push_raise(state);
    return irql_set(kernel, cpu, irql);
}

void irql_lower(
    struct kernel *kernel, struct cpu *cpu, enum routine routine, uint8_t irql)
{
    struct irql_state *state = &kernel_processor(kernel, cpu)->irql;

    if (irql > state->current) {
        irql_stop(kernel, cpu, RULE_IRQL_LOWER_RAISES, routine, irql);
    }
    if (!pop_raise(state, irql)) {
        irql_stop(kernel, cpu, RULE_IRQL_LOWER_MISMATCH, routine, irql);
    }
    irql_set(kernel, cpu, irql);
}

KIRQL KfRaiseIrql_body(KIRQL NewIrql)
{
    struct kernel *kernel = kernel_current();

    return irql_raise(kernel, kernel_cpu(kernel), ROUTINE_KfRaiseIrql, NewIrql);
}

VOID KeLowerIrql_body(KIRQL NewIrql)
{
    struct kernel *kernel = kernel_current();

    irql_lower(kernel, kernel_cpu(kernel), ROUTINE_KeLowerIrql, NewIrql);
}

void irql_write_cr8(struct kernel *kernel, struct cpu *cpu, uint8_t irql)
{
    uint8_t current = irql_current(kernel, cpu);

    if (irql > current) {
        KfRaiseIrql_body(irql);
    } else if (irql < current) {
        irql_lower(kernel, cpu, ROUTINE_KeLowerIrql, irql);
    } else {
        mark_undone(&kernel_processor(kernel, cpu)->irql);
        cpu_checkpoint(cpu);
    }
}

KIRQL KeGetCurrentIrql_body(void)
{
    struct kernel *kernel = kernel_current();

    return irql_current(kernel, kernel_cpu(kernel));
}
