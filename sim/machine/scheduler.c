/* scheduler.c - the machine's loop: which processor goes on, and what wakes up.
 *
 * Who goes on is asked of scheduler_choose() and of nothing else. */
#include "sim/machine/scheduler.h"

#include <assert.h>

#include "sim/machine/machine.h"
#include "sim/machine/quiet.h"
#include "sim/machine/strand.h"

/* The processor that goes on: the one with the smallest time, of equal ones
 * the one with the lowest number; NULL when none has anything to do. */
struct cpu *scheduler_choose(struct machine *machine)
{
    uint32_t first = order_first(&machine->order);

    if (order_time(&machine->order, first) == ORDER_NEVER) {
        return NULL;
    }
    return machine_cpu(machine, first);
}

bool scheduler_goes_on(struct cpu *cpu, uint64_t time)
{
    return order_leads(&cpu->machine->order, cpu->index, time);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* When the next strand in the queue has its turn. */
static uint64_t turn_of_first(const struct cpu *cpu)
{
    return cpu->first == NULL ? CPU_NEVER : later(cpu->time, cpu->first->wake);
}

/* When the processor wants to go on. */
static uint64_t scheduler_wake(const struct cpu *cpu)
{
    const struct strand *strand = cpu->current;

    if (strand == NULL) {
        uint64_t interrupt = cpu_interrupt_time(cpu);
        uint64_t turn = turn_of_first(cpu);

        return interrupt < turn ? interrupt : turn;
    }
    if (strand->state == STRAND_SPINNING) {
        return cpu_spin_time(cpu);
    }
    assert(strand->state == STRAND_READY);
    return strand->wake;
}

void scheduler_update(struct cpu *cpu)
{
    quiet_end_running(cpu->machine);
    order_set(&cpu->machine->order, cpu->index, scheduler_wake(cpu));
}

void scheduler_enqueue(struct cpu *cpu, struct strand *strand)
{
    assert(strand->cpu == cpu);
    assert(cpu->last != strand || cpu->first == NULL);
    strand->next = NULL;
    if (cpu->first == NULL) {
        cpu->first = strand;
    } else {
        cpu->last->next = strand;
    }
    cpu->last = strand;
}

void scheduler_suspend(struct machine *machine, struct strand *strand)
{
    assert(machine->running == strand);
    coroutine_suspend(&strand->coroutine);
    assert(machine->running == strand);
    assert(!machine->stopped);
}

/* What an idle processor does with an interrupt. */
static void idle(void *argument)
{
    cpu_settle(argument);
}

/* Puts a strand on the free processor: the idle loop when an interrupt comes
 * first, else the next in its queue. */
static void occupy(struct cpu *cpu)
{
    if (cpu_interrupt_time(cpu) < turn_of_first(cpu)) {
        cpu->current = strand_make(cpu, idle, cpu, NULL);
        assert(cpu->current != NULL); /* there are two stacks for each */
        cpu->current->wake = cpu->time;
        return;
    }
    assert(cpu->first->state == STRAND_READY);
    cpu->current = cpu->first;
    cpu->first = cpu->first->next;
    cpu->time = later(cpu->time, cpu->current->wake);
}

static void retire(struct machine *machine, struct strand *strand)
{
    assert(strand->state == STRAND_DONE);
    stack_pool_give(&machine->stacks, strand->coroutine.stack);
    if (strand->guest_stack != NULL) {
        stack_pool_give(&machine->guest_stacks, strand->guest_stack);
    }
    strand->next = machine->free_strands;
    machine->free_strands = strand;
}

enum {
    CACHE_LINE = 64,
    /* Of the frames of a segment that runs, and of those that it calls next. */
    STACK_ABOVE = 896,
    STACK_BELOW = 640,
};

static void prefetch(const void *memory, size_t bytes)
{
    for (size_t at = 0; memory != NULL && at < bytes; at += CACHE_LINE) {
        __builtin_prefetch((const char *)memory + at);
    }
}

/* The processor that will be the next, while this one runs. */
static void prefetch_next(struct machine *machine, const struct cpu *cpu)
{
    uint32_t next = order_rival(&machine->order, cpu->index);

    if (next < machine->config.processors) {
        prefetch(machine->prefetch[next].strand, sizeof(struct strand));
        prefetch(machine->prefetch[next].stack, STACK_BELOW + STACK_ABOVE);
        prefetch(&machine->cpu[next], sizeof(*cpu));
    }
}

static void dispatch(struct machine *machine, struct cpu *cpu)
{
    struct strand *strand;

    assert(machine->running == NULL);
    if (cpu->current == NULL) {
        occupy(cpu);
    }
    strand = cpu->current;
    assert(strand->cpu == cpu);
    assert(strand->state != STRAND_DONE);
    if (machine->last_processor != cpu->index) {
        cpu_trace(cpu, &sim_events[SIM_EVENT_SWITCH], machine->last_processor);
        machine->last_processor = cpu->index;
        prefetch_next(machine, cpu);
    }
    machine->running = strand;
    coroutine_resume(&strand->coroutine);
    machine->running = NULL;
    quiet_end(cpu);
    machine->prefetch[cpu->index] = (struct scheduler_prefetch){
        strand, (const char *)strand->coroutine.context - STACK_BELOW};
    machine->now = later(machine->now, cpu->time);
    if (strand->coroutine.done) {
        strand->state = STRAND_DONE;
        cpu->current = NULL;
        retire(machine, strand);
    } else if (strand->state == STRAND_BLOCKED || strand->cpu != cpu) {
        cpu->current = NULL; /* it waits elsewhere, or has moved */
    }
    scheduler_update(cpu);
}

/* Strands whose condition holds go on at `now`, in the order in which they
 * began to wait. */
static void wake_waiting(struct machine *machine, uint64_t now)
{
    struct strand *strand;

    if (!waiting_look(machine)) {
        return;
    }
    while ((strand = waiting_take(machine)) != NULL) {
        assert(strand->state != STRAND_READY);
        strand->wake = later(strand->cpu->time, now);
        if (strand->state == STRAND_BLOCKED) {
            scheduler_enqueue(strand->cpu, strand);
        }
        strand->state = STRAND_READY;
        scheduler_update(strand->cpu);
    }
}

/* Nothing is left that comes before: what the alarm starts begins at its time,
 * whatever a processor has come to meanwhile. */
static void alarm_goes_off(struct machine *machine)
{
    const struct machine_alarm alarm = machine->alarm;
    uint64_t now = machine->now;

    assert(machine->running == NULL);
    machine->alarm.time = MACHINE_NO_ALARM;
    machine->now = alarm.time;
    alarm.action(alarm.context);
    assert(machine->alarm.time > alarm.time);
    machine->now = later(now, alarm.time);
}

enum machine_end machine_run(struct machine *machine)
{
    uint64_t now = machine->now; /* of the processor that ran last */

    assert(machine_check(machine));
    assert(machine->running == NULL);
    for (uint32_t i = 0; i < machine->config.processors; i++) {
        scheduler_update(&machine->cpu[i]);
    }
    while (!machine->stopped) {
        struct cpu *cpu;

        wake_waiting(machine, now);
        cpu = scheduler_choose(machine);
        if (cpu == NULL) {
            return machine->waiting.first == NULL ? MACHINE_IDLE
                                                  : MACHINE_DEADLOCK;
        }
        if (machine->budget == 0) {
            return MACHINE_BUDGET;
        }
        if (order_time(&machine->order, cpu->index) > machine->alarm.time) {
            alarm_goes_off(machine);
            continue;
        }
        dispatch(machine, cpu);
        now = cpu->time;
    }
    return MACHINE_STOPPED;
}

void machine_stop(struct machine *machine)
{
    struct strand *strand = machine->running;

    machine->stopped = true;
    if (strand != NULL) {
        coroutine_suspend(&strand->coroutine);
        assert(false && "a strand went on after the machine had stopped");
    }
}
