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
    const struct coroutine *coroutine = strand->coroutine;

    assert(strand->state < STRAND_DONE);
    assert(coroutine != NULL || strand->entry != NULL);
    if (coroutine != NULL) {
        assert(
            stack_pool_holds(&machine->stacks, coroutine, sizeof(*coroutine)));
        assert(!coroutine->done);
        assert(coroutine_check(coroutine));
    }
    assert(strand->guest_stack == NULL ||
           stack_pool_holds(&machine->guest_stacks, strand->guest_stack,
               STRAND_GUEST_STACK_BYTES));
    assert(strand->state == STRAND_READY || strand->state == STRAND_PARKED ||
           strand->condition != NULL);
    return true;
}

/* Whether one more is sure to have a stack. Up to so many it gets one when it
 * needs it, which nearly always is that of another. */
static bool has_stack(struct machine *machine)
{
    const uint32_t sure = 2 * LIMIT_PROCESSORS;
    uint32_t strands = machine->strands + 1;

    return strands <= machine->stacks.count &&
           (strands <= sure || stack_pool_open(&machine->stacks, strands));
}

/* Memory for one that is nowhere yet. */
static struct strand *take(
    struct machine *machine, void *(*alloc)(struct arena *arena, size_t size))
{
    struct strand *strand = machine->free_strands;

    if (!has_stack(machine)) {
        return NULL;
    }
    if (strand != NULL) {
        machine->free_strands = strand->next;
        return strand;
    }
    return alloc(&machine->arena, sizeof(*strand));
}

/* In memory that was taken for it; NULL: there was none. */
static struct strand *make(struct strand *strand, struct cpu *cpu,
    void (*entry)(void *argument), void *argument, const void *owner)
{
    struct machine *machine = cpu->machine;

    if (strand == NULL) {
        return NULL;
    }
    *strand = (struct strand){.cpu = cpu,
        .entry = entry,
        .argument = argument,
        .owner = owner,
        .rank = STRAND_RANK,
        .touches = SCHEDULE_EVERYTHING,
        .wake = strand_cause(machine)};
    machine->strands++;
    machine->foreground++;
    return strand;
}

struct strand *strand_make(struct cpu *cpu, void (*entry)(void *argument),
    void *argument, const void *owner)
{
    return make(take(cpu->machine, arena_alloc), cpu, entry, argument, owner);
}

enum {
    /* Tops of stacks lie apart by this, and so many times, so that not all of
     * them want the same lines of the host's caches: stacks are an odd number
     * of pages apart. */
    STACK_COLOUR_BYTES = 128,
    STACK_COLOURS = 16,
};

/* What runs on a strand's new stack, and on what it leaves. */
static void strand_main(void *argument)
{
    struct strand *strand = argument;
    struct coroutine *coroutine = strand->coroutine;
    struct machine *machine = strand->cpu->machine;

    while (strand != NULL) {
        void (*entry)(void *argument) = strand->entry;

        assert(strand == machine->running);
        strand->coroutine = coroutine;
        strand->entry = NULL;
        entry(strand->argument);
        strand->coroutine = NULL;
        strand = scheduler_next(machine);
    }
}

static struct coroutine *take_stack(
    struct machine *machine, struct strand *strand)
{
    char *stack = stack_pool_take(&machine->stacks);
    size_t bytes = STRAND_STACK_BYTES - sizeof(struct coroutine);
    struct coroutine *coroutine;

    assert(stack != NULL); /* as many as strands, unless the host refuses */
    bytes -= (uintptr_t)stack / STACK_GUARD_BYTES % STACK_COLOURS *
             STACK_COLOUR_BYTES;
    bytes &= ~(size_t)(STACK_COLOUR_BYTES - 1);
    coroutine = (struct coroutine *)(void *)(stack + bytes);
    coroutine_init(coroutine, stack, bytes, strand_main, strand);
    return coroutine;
}

/* Nearly always on the stack of the one that has just ended, which is in the
 * host's caches. */
static struct coroutine *start(struct machine *machine, struct strand *strand)
{
    strand->coroutine = machine->spare;
    machine->spare = NULL;
    if (strand->coroutine != NULL) {
        coroutine_again(strand->coroutine, strand_main, strand);
    } else {
        strand->coroutine = take_stack(machine, strand);
    }
    return strand->coroutine;
}

void strand_resume(struct strand *strand)
{
    struct machine *machine = strand->cpu->machine;
    struct coroutine *coroutine = strand->coroutine;

    if (coroutine == NULL) {
        coroutine = start(machine, strand);
    }
    coroutine = coroutine_resume(coroutine); /* the last one that ran */
    if (!coroutine->done) {
        return;
    }
    if (machine->running != NULL) { /* strand_end() */
        machine->running->coroutine = NULL;
        stack_pool_give(&machine->stacks, coroutine->stack);
    } else if (machine->spare == NULL) {
        machine->spare = coroutine;
    } else {
        stack_pool_give(&machine->stacks, coroutine->stack);
    }
}

/* Puts it in its processor's queue, if there is one. */
static struct strand *enqueue(struct strand *strand)
{
    if (strand != NULL) {
        scheduler_enqueue(strand->cpu, strand);
        scheduler_update(strand->cpu);
    }
    return strand;
}

struct strand *strand_spawn(struct cpu *cpu, void (*entry)(void *argument),
    void *argument, const void *owner)
{
    return enqueue(strand_make(cpu, entry, argument, owner));
}

struct strand *strand_spawn_for_guest(struct cpu *cpu,
    void (*entry)(void *argument), void *argument, const void *owner)
{
    struct machine *machine = cpu->machine;

    if (machine->strands >= STRAND_GUEST_STRANDS) {
        return NULL;
    }
    return enqueue(make(
        take(machine, arena_alloc_for_guest), cpu, entry, argument, owner));
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

static void begin_wait(struct machine *machine, enum strand_state how,
    bool (*condition)(void *context), void *context)
{
    struct strand *strand = machine->running;

    assert(strand->state == STRAND_READY);
    strand->state = how;
    strand->condition = condition;
    strand->condition_context = context;
    waiting_add(machine, strand);
}

/* Its condition has held, or something happens to this processor only: spins
 * until then, takes it. */
static void end_wait(struct machine *machine, enum strand_state how)
{
    struct strand *strand = machine->running;

    if (strand->state != STRAND_READY) {
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

static void wait_on(struct machine *machine, enum strand_state how,
    bool (*condition)(void *context), void *context)
{
    while (!condition(context)) {
        begin_wait(machine, how, condition, context);
        scheduler_suspend(machine, machine->running);
        end_wait(machine, how);
    }
}

void strand_wait(struct machine *machine, enum strand_state how,
    bool (*condition)(void *context), void *context)
{
    struct strand *strand = machine->running;

    assert(strand != NULL && strand_check(strand));
    assert(how == STRAND_SPINNING ||
           (how == STRAND_BLOCKED && strand->cpu->interrupts == 0));
    cpu_checkpoint(strand->cpu);
    wait_on(machine, how, condition, context);
}

static void leave(
    struct strand *strand, void (*entry)(void *argument), void *argument)
{
    assert(strand->entry == NULL && entry != NULL);
    strand->entry = entry;
    strand->argument = argument;
}

void strand_leave_waiting(struct machine *machine,
    bool (*condition)(void *context), void *context,
    void (*entry)(void *argument), void *argument)
{
    begin_wait(machine, STRAND_SPINNING, condition, context);
    leave(machine->running, entry, argument);
}

void strand_come_back(struct machine *machine)
{
    const struct strand *strand = machine->running;

    assert(strand->condition != NULL);
    end_wait(machine, STRAND_SPINNING);
    wait_on(
        machine, STRAND_SPINNING, strand->condition, strand->condition_context);
}

void strand_park(struct machine *machine)
{
    struct strand *strand = machine->running;

    assert(strand != NULL && strand->state == STRAND_READY);
    assert(strand->cpu->interrupts == 0);
    strand->state = STRAND_PARKED;
    strand->previous = NULL;
    strand->next = machine->parked;
    if (machine->parked != NULL) {
        machine->parked->previous = strand;
    }
    machine->parked = strand;
    scheduler_suspend(machine, strand);
    assert(strand->state == STRAND_READY);
    cpu_checkpoint(strand->cpu);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void strand_unpark(struct strand *strand)
{
    struct machine *machine = strand->cpu->machine;

    assert(strand->state == STRAND_PARKED);
    if (strand->previous != NULL) {
        strand->previous->next = strand->next;
    } else {
        machine->parked = strand->next;
    }
    if (strand->next != NULL) {
        strand->next->previous = strand->previous;
    }
    strand->previous = NULL;
    strand->state = STRAND_READY;
    strand->wake = later(strand->cpu->time, strand_cause(machine));
    scheduler_enqueue(strand->cpu, strand);
    scheduler_update(strand->cpu);
}

void strand_unpark_on(struct strand *strand, struct cpu *cpu)
{
    assert(strand->state == STRAND_PARKED);
    assert(cpu->machine == strand->cpu->machine);
    strand->cpu = cpu;
    strand_unpark(strand);
}

_Noreturn void strand_end(struct machine *machine)
{
    assert(machine->running != NULL && machine->running->cpu->interrupts == 0);
    coroutine_end(machine->running->coroutine);
}

bool strand_is_outranked(const struct machine *machine, bool by_equal)
{
    assert(machine->running != NULL);
    return scheduler_is_outranked(machine->running->cpu, by_equal);
}

bool strand_give_way(struct machine *machine, bool to_equal)
{
    struct strand *strand = machine->running;

    assert(strand != NULL && strand->state == STRAND_READY);
    assert(strand->cpu->interrupts == 0);
    if (!scheduler_is_outranked(strand->cpu, to_equal)) {
        return false;
    }
    strand->wake = strand->cpu->time;
    strand->gives_way = true;
    if (to_equal) {
        scheduler_enqueue(strand->cpu, strand);
    } else {
        scheduler_enqueue_first(strand->cpu, strand);
    }
    scheduler_suspend(machine, strand);
    cpu_checkpoint(strand->cpu);
    return true;
}

void strand_set_rank(struct strand *strand, uint8_t rank)
{
    struct cpu *cpu = strand->cpu;
    struct strand **link = &cpu->first;

    strand->rank = rank;
    while (*link != NULL && *link != strand) {
        link = &(*link)->next;
    }
    if (*link == NULL) {
        return; /* it runs, or waits */
    }
    *link = strand->next;
    cpu->last = cpu->first;
    while (cpu->last != NULL && cpu->last->next != NULL) {
        cpu->last = cpu->last->next;
    }
    scheduler_enqueue(cpu, strand);
}

void strand_to_background(struct strand *strand)
{
    assert(!strand->background && strand->cpu->machine->foreground > 0);
    strand->background = true;
    strand->cpu->machine->foreground--;
}

/* A preemption point passes. Whether the strand is still the first then: the
 * loop would choose it again. */
static bool goes_on(struct machine *machine, uint64_t time)
{
    struct strand *strand = machine->running;
    uint64_t *budget =
        strand->budget != NULL ? strand->budget : &machine->budget;

    strand->wake = time;
    *budget -= *budget > 0;
    if (*budget == 0 || time >= LIMIT_TIME) {
        machine->budget = 0;
        quiet_end(strand->cpu);
    }
    return machine->budget > 0 && machine->schedule == NULL &&
           time <= machine->alarm.time &&
           scheduler_goes_on(strand->cpu, time) && !scheduler_wakes(machine);
}

uint64_t strand_sleep_until(struct machine *machine, uint64_t time)
{
    struct strand *strand = machine->running;

    if (strand == NULL) {
        return time; /* code outside the loop: nobody else runs */
    }
    if (goes_on(machine, time)) {
        return time;
    }
    scheduler_suspend(machine, strand);
    return strand->wake;
}

bool strand_leave_until(struct machine *machine, uint64_t time,
    void (*entry)(void *argument), void *argument)
{
    assert(machine->running->state == STRAND_READY);
    if (goes_on(machine, time)) {
        return false;
    }
    leave(machine->running, entry, argument);
    return true;
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
