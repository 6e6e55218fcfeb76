/* strand.c - strands: code on processors that waits, sleeps, calls and moves.
 */
#include "sim/machine/strand.h"

#include <assert.h>

#include "sim/base/limits.h"
#include "sim/machine/machine.h"
#include "sim/machine/quiet.h"
#include "sim/machine/scheduler.h"

/* When what happens now happens: no effect may come before its cause. */
static uint64_t strand_cause(const struct machine *machine)
{
    return machine->running != NULL ? machine->running->cpu->time
                                    : machine->now;
}

bool strand_check(const struct strand *strand)
{
    const struct machine *machine = strand->cpu->machine;

    assert(strand->state < STRAND_DONE);
    assert(!strand->coroutine.done);
    assert(coroutine_check(&strand->coroutine));
    assert(stack_pool_holds(&machine->stacks, strand->coroutine.stack,
        strand->coroutine.stack_bytes));
    assert(strand->guest_stack == NULL ||
           stack_pool_holds(&machine->guest_stacks, strand->guest_stack,
               STRAND_GUEST_STACK_BYTES));
    assert(strand->state == STRAND_READY || strand->condition != NULL);
    return true;
}

struct strand *strand_make(struct cpu *cpu, void (*entry)(void *argument),
    void *argument, const void *owner)
{
    struct machine *machine = cpu->machine;
    void *stack = stack_pool_take(&machine->stacks);
    struct strand *strand = machine->free_strands;

    if (stack == NULL) {
        return NULL;
    }
    if (strand != NULL) {
        machine->free_strands = strand->next;
    } else {
        strand = arena_alloc(&machine->arena, sizeof(*strand));
        assert(strand != NULL); /* fewer than two for each processor */
    }
    *strand = (struct strand){
        .cpu = cpu, .owner = owner, .wake = strand_cause(machine)};
    coroutine_init(
        &strand->coroutine, stack, STRAND_STACK_BYTES, entry, argument);
    assert(strand_check(strand));
    return strand;
}

struct strand *strand_spawn(struct cpu *cpu, void (*entry)(void *argument),
    void *argument, const void *owner)
{
    struct strand *strand = strand_make(cpu, entry, argument, owner);

    if (strand != NULL) {
        scheduler_enqueue(cpu, strand);
        scheduler_update(cpu);
    }
    return strand;
}

void strand_set_budget(struct machine *machine, uint64_t *budget)
{
    quiet_end_running(machine);
    machine->running->budget = budget;
}

void *strand_guest_stack(struct machine *machine)
{
    struct strand *strand = machine->running;

    assert(strand != NULL);
    if (strand->guest_stack == NULL) {
        strand->guest_stack = stack_pool_take(&machine->guest_stacks);
    }
    return strand->guest_stack;
}

void strand_wait(struct machine *machine, enum strand_state how,
    bool (*condition)(void *context), void *context)
{
    struct strand *strand = machine->running;

    assert(strand != NULL && strand_check(strand));
    assert(strand->state == STRAND_READY);
    assert(how == STRAND_SPINNING ||
           (how == STRAND_BLOCKED && strand->cpu->interrupts == 0));
    cpu_checkpoint(strand->cpu);
    while (!condition(context)) {
        strand->state = how;
        strand->condition = condition;
        strand->condition_context = context;
        waiting_add(machine, strand);
        scheduler_suspend(machine, strand);
        if (strand->state != STRAND_READY) {
            /* Something happens to this processor only: spin until then,
             * take it, wait on. */
            waiting_remove(machine, strand);
            strand->state = STRAND_READY;
            strand->wake = cpu_spin_time(strand->cpu);
            assert(strand->wake != CPU_NEVER);
        }
        if (how == STRAND_SPINNING && strand->wake > strand->cpu->time) {
            cpu_spin(strand->cpu, strand->wake - strand->cpu->time);
        }
        cpu_checkpoint(strand->cpu);
    }
}

uint64_t strand_sleep_until(struct machine *machine, uint64_t time)
{
    struct strand *strand = machine->running;
    uint64_t *budget;

    if (strand == NULL) {
        return time; /* code outside the loop: nobody else runs */
    }
    strand->wake = time;
    budget = strand->budget != NULL ? strand->budget : &machine->budget;
    *budget -= *budget > 0;
    if (*budget == 0 || time >= LIMIT_TIME) {
        machine->budget = 0;
        quiet_end(strand->cpu);
    }
    if (machine->budget > 0 && time <= machine->alarm.time &&
        scheduler_goes_on(strand->cpu, time) && !waiting_look(machine)) {
        return time; /* still the first: the loop would choose it again */
    }
    scheduler_suspend(machine, strand);
    return strand->wake;
}

void strand_interrupt(struct cpu *cpu, uint64_t time)
{
    struct strand *strand = cpu->current;

    if (strand != NULL && strand == cpu->machine->running) {
        return; /* it is on its way to a preemption point */
    }
    if (strand != NULL && strand->state == STRAND_READY &&
        strand->wake > time) {
        strand->wake = time > cpu->time ? time : cpu->time;
    }
    scheduler_update(cpu);
}

void strand_move(struct machine *machine, struct cpu *to)
{
    struct strand *strand = machine->running;

    assert(strand != NULL && strand->state == STRAND_READY);
    assert(to->machine == machine);
    if (strand->cpu == to) {
        return;
    }
    strand->wake = strand->cpu->time;
    strand->cpu = to;
    scheduler_enqueue(to, strand);
    scheduler_update(to);
    scheduler_suspend(machine, strand);
    cpu_checkpoint(to);
}

struct strand_call {
    void (*entry)(void *argument);
    void *argument;
    bool done;
};

static void strand_call_main(void *argument)
{
    struct strand_call *call = argument;

    call->entry(call->argument);
    call->done = true;
}

static bool strand_call_done(void *argument)
{
    return ((struct strand_call *)argument)->done;
}

/* In an interrupt no other strand may have the processor, whatever the code has
 * made of the priorities, nor at a priority of the code's own. */
static bool strand_keeps_processor(const struct strand *strand)
{
    return strand->cpu->interrupts > 0 ||
           lapic_priority(&strand->cpu->lapic) > 0;
}

void strand_call_on(struct cpu *cpu, void (*entry)(void *argument),
    void *argument, const void *owner)
{
    struct machine *machine = cpu->machine;
    struct strand_call call = {.entry = entry, .argument = argument};
    struct strand *caller = machine->running;
    struct strand *strand;

    assert(caller != NULL);
    if (caller->cpu == cpu) {
        entry(argument);
        return;
    }
    strand = strand_spawn(cpu, strand_call_main, &call, owner);
    assert(strand != NULL);
    strand->budget = caller->budget;
    strand_wait(machine,
        strand_keeps_processor(caller) ? STRAND_SPINNING : STRAND_BLOCKED,
        strand_call_done, &call);
}
