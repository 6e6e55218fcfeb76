/* scheduler.c - the machine's loop: which processor goes on, and what wakes up.
 *
 * Who goes on is asked of scheduler_choose() and of nothing else. */
#include "sim/machine/scheduler.h"

#include <assert.h>
#include <stddef.h>

#include "sim/base/limits.h"
#include "sim/machine/machine.h"
#include "sim/machine/quiet.h"
#include "sim/machine/strand.h"

/* The processor that goes on: the one with the smallest time, of equal ones
 * the one with the lowest number, or whom the schedule says; NULL when none has
 * anything to do. */
struct cpu *scheduler_choose(struct machine *machine)
{
    uint32_t first;

    if (machine->schedule != NULL) {
        return schedule_choose(machine);
    }
    first = order_first(&machine->order);
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

/* The first of those that are ready by the processor's time, else the one that
 * is ready first; NULL: the queue is empty. */
static struct strand **next_in_queue(struct cpu *cpu)
{
    struct strand **best = NULL;

    for (struct strand **link = &cpu->first; *link != NULL;
         link = &(*link)->next) {
        if ((*link)->wake <= cpu->time) {
            return link;
        }
        if (best == NULL || (*link)->wake < (*best)->wake) {
            best = link;
        }
    }
    return best;
}

/* When the next strand in the queue has its turn. */
static uint64_t turn_of_first(struct cpu *cpu)
{
    struct strand **next = next_in_queue(cpu);

    return next == NULL ? CPU_NEVER : later(cpu->time, (*next)->wake);
}

/* When the processor wants to go on. */
static uint64_t scheduler_wake(struct cpu *cpu)
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
    struct machine *machine = cpu->machine;
    bool frozen = machine->alone != NULL && machine->alone != cpu;
    uint64_t wake = frozen ? CPU_NEVER : scheduler_wake(cpu);
    uint64_t self = UINT64_C(1) << cpu->number;
    uint64_t *unoccupied = &machine->unoccupied[cpu->group];

    quiet_end_running(machine);
    order_set(&machine->order, cpu->index, wake);
    if ((wake == CPU_NEVER) != ((*unoccupied & self) != 0)) {
        *unoccupied ^= self;
    }
}

static void put(struct cpu *cpu, struct strand **link, struct strand *strand)
{
    assert(strand->cpu == cpu);
    strand->next = *link;
    *link = strand;
    if (strand->next == NULL) {
        cpu->last = strand;
    }
}

/* Nearly always all in the queue are of one rank, and it goes to the end. */
void scheduler_enqueue(struct cpu *cpu, struct strand *strand)
{
    struct strand **link = &cpu->first;

    assert(cpu->last != strand || cpu->first == NULL);
    if (cpu->first != NULL && cpu->last->rank >= strand->rank) {
        link = &cpu->last->next;
    }
    while (*link != NULL && (*link)->rank >= strand->rank) {
        link = &(*link)->next;
    }
    put(cpu, link, strand);
}

void scheduler_enqueue_first(struct cpu *cpu, struct strand *strand)
{
    struct strand **link = &cpu->first;

    while (*link != NULL && (*link)->rank > strand->rank) {
        link = &(*link)->next;
    }
    put(cpu, link, strand);
}

bool scheduler_is_outranked(struct cpu *cpu, bool by_equal)
{
    const struct strand *first = cpu->first;

    assert(cpu->current != NULL);
    while (first != NULL && first->wake > cpu->time) {
        first = first->next;
    }
    return first != NULL && (by_equal ? first->rank >= cpu->current->rank
                                      : first->rank > cpu->current->rank);
}

/* Puts a strand on the free processor: the idle loop when an interrupt comes
 * first, else the next in its queue. */
static void occupy(struct cpu *cpu)
{
    struct strand **next;

    if (cpu_interrupt_time(cpu) < turn_of_first(cpu)) {
        cpu->current = strand_make(cpu, cpu_idle, cpu, NULL);
        assert(cpu->current != NULL); /* there are two stacks for each */
        cpu->current->wake = cpu->time;
        cpu->current->idle = true;
        return;
    }
    next = next_in_queue(cpu);
    cpu->current = *next;
    *next = cpu->current->next;
    if (cpu->last == cpu->current) {
        cpu->last = cpu->first;
        while (cpu->last != NULL && cpu->last->next != NULL) {
            cpu->last = cpu->last->next;
        }
    }
    assert(cpu->current->state == STRAND_READY);
    cpu_halt_until(cpu, cpu->current->wake);
}

static void retire(struct machine *machine, struct strand *strand)
{
    assert(strand->state == STRAND_DONE);
    if (strand->guest_stack != NULL) {
        stack_pool_give(&machine->guest_stacks, strand->guest_stack);
    }
    assert(strand->background || machine->foreground > 0);
    machine->foreground -= !strand->background;
    machine->strands--;
    strand->next = machine->free_strands;
    machine->free_strands = strand;
}

enum {
    CACHE_LINE = 64,
    /* Of the frames of a segment that runs, and of those that it calls next. */
    STACK_ABOVE = 896,
    STACK_BELOW = 640,
    STRAND_BYTES = 128, /* that every turn looks at */
    LOCAL_BYTES = 128,
    FEW_PROCESSORS = 64, /* are in the caches anyway */
};

static void prefetch(const void *memory, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += CACHE_LINE) {
        __builtin_prefetch((const char *)memory + at);
    }
}

/* The processor that will be the next, while this one runs. */
static void prefetch_next(struct machine *machine, const struct cpu *cpu)
{
    uint32_t next = order_rival(&machine->order, cpu->index);
    const struct scheduler_prefetch *left;
    const struct cpu *next_cpu;

    if (next >= machine->config.processors) {
        return;
    }
    left = &machine->prefetch[next];
    next_cpu = &machine->cpu[next];
    prefetch(next_cpu, offsetof(struct cpu, system));
    prefetch(&next_cpu->pmu.burst, CACHE_LINE);
    prefetch(&next_cpu->pmu.lazy, CACHE_LINE);
    if (left->strand != NULL) {
        prefetch(left->strand, STRAND_BYTES);
    }
    if (left->local != NULL) {
        prefetch(left->local, LOCAL_BYTES);
    }
    if (left->stack != NULL) {
        prefetch(
            (const char *)left->stack - STACK_BELOW, STACK_BELOW + STACK_ABOVE);
    }
}

/* The strand of the processor that goes on. */
static struct strand *begin_turn(struct machine *machine, struct cpu *cpu)
{
    struct strand *strand = cpu->current;

    assert(machine->running == NULL);
    assert(strand->cpu == cpu);
    assert(strand->state != STRAND_DONE);
    if (machine->schedule != NULL) {
        schedule_begin(machine, cpu);
    }
    if (machine->last_processor != cpu->index) {
        cpu_trace(cpu, &sim_events[SIM_EVENT_SWITCH], machine->last_processor);
        machine->last_processor = cpu->index;
        if (machine->config.processors > FEW_PROCESSORS) {
            prefetch_next(machine, cpu);
        }
    }
    machine->running = strand;
    memory_settle(&machine->memory);
    quiet_ask(cpu); /* as preemption points would */
    return strand;
}

static void end_turn(struct machine *machine)
{
    struct strand *strand = machine->running;
    struct cpu *cpu = machine_cpu(machine, machine->last_processor);

    machine->running = NULL;
    quiet_end(cpu);
    if (machine->config.processors > FEW_PROCESSORS) {
        machine->prefetch[cpu->index] = (struct scheduler_prefetch){strand,
            strand->coroutine == NULL ? NULL : strand->coroutine->context,
            cpu->local};
    }
    machine->now = later(machine->now, cpu->time);
    machine->ran_to = cpu->time;
    if (strand->coroutine == NULL && strand->entry == NULL) {
        strand->state = STRAND_DONE;
        cpu->current = NULL;
        retire(machine, strand);
    } else if (strand->state == STRAND_BLOCKED ||
               strand->state == STRAND_PARKED || strand->cpu != cpu ||
               strand->gives_way) {
        cpu->current = NULL; /* it waits elsewhere, or has moved */
        strand->gives_way = false;
    }
    scheduler_update(cpu);
}

/* Strands whose condition holds go on now, which is the time of the processor
 * that ran last, in the order in which they began to wait. */
static void wake_waiting(struct machine *machine)
{
    struct strand *strand;

    if (!scheduler_wakes(machine)) {
        return;
    }
    while ((strand = waiting_take(machine)) != NULL) {
        assert(strand->state != STRAND_READY);
        strand->wake = later(strand->cpu->time, machine->ran_to);
        if (strand->state == STRAND_BLOCKED) {
            scheduler_enqueue(strand->cpu, strand);
        }
        strand->state = STRAND_READY;
        scheduler_update(strand->cpu);
    }
}

static uint64_t turn_time(const struct machine *machine, const struct cpu *cpu)
{
    return machine->schedule == NULL ? order_time(&machine->order, cpu->index)
                                     : schedule_time(machine, cpu->index);
}

/* Who goes on, with its strand; NULL: nobody, or something else comes before.
 */
static struct cpu *next_turn(struct machine *machine)
{
    struct cpu *cpu;

    wake_waiting(machine);
    cpu = scheduler_choose(machine);
    if (machine->budget == 0 || cpu == NULL ||
        turn_time(machine, cpu) > machine->alarm.time) {
        return NULL;
    }
    if (cpu->current == NULL) {
        occupy(cpu);
    }
    return cpu;
}

/* Whoever is next and has begun goes on from stack to stack; all else is the
 * loop's, and so is each choice of a schedule. */
void scheduler_suspend(struct machine *machine, struct strand *strand)
{
    struct coroutine *coroutine = strand->coroutine;
    struct cpu *cpu = NULL;

    assert(machine->running == strand);
    if (machine->schedule == NULL) {
        end_turn(machine);
        cpu = next_turn(machine);
    }
    if (cpu == NULL || cpu->current->coroutine == NULL) {
        coroutine_suspend(coroutine);
    } else if (begin_turn(machine, cpu) != strand) {
        coroutine_switch(coroutine, machine->running->coroutine);
    }
    assert(machine->running == strand);
    assert(!machine->stopped);
}

struct strand *scheduler_next(struct machine *machine)
{
    struct cpu *cpu;

    end_turn(machine);
    cpu = next_turn(machine);
    if (cpu == NULL || cpu->current->coroutine != NULL) {
        return NULL;
    }
    return begin_turn(machine, cpu);
}

/* Nothing is left that comes before: what the alarm starts begins at its time,
 * whatever a processor has come to meanwhile. */
static void alarm_goes_off(struct machine *machine)
{
    struct machine_alarm *alarm = machine->alarm.first;
    uint64_t time = machine->alarm.time;
    uint64_t now = machine->now;

    assert(machine->running == NULL && alarm->time == time);
    machine_set_alarm(machine, alarm, MACHINE_NO_ALARM);
    machine->now = time;
    alarm->action(alarm->context);
    assert(machine->alarm.time > time ||
           machine->alarm.first != alarm); /* or it would for ever */
    machine->now = later(now, time);
}

/* Nothing can go on. Whether time leaps to the next alarm: strands wait that
 * nobody else can let go on. */
static bool leaps(const struct machine *machine)
{
    const struct machine_alarm *alarm = machine->alarm.first;

    while (alarm != NULL && !alarm->wakes) {
        alarm = alarm->next;
    }
    return machine->foreground > 0 && alarm != NULL;
}

/* Nobody has a turn: an alarm, or the end. Returns whether it is that. */
static bool has_ended(struct machine *machine, enum machine_end *end)
{
    if (order_time(&machine->order, order_first(&machine->order)) ==
            ORDER_NEVER &&
        !leaps(machine)) {
        *end = machine->foreground == 0 ? MACHINE_IDLE : MACHINE_DEADLOCK;
        return true;
    }
    if (machine->budget == 0 || machine->alarm.time >= LIMIT_TIME) {
        *end = MACHINE_BUDGET;
        return true;
    }
    alarm_goes_off(machine);
    return false;
}

enum machine_end machine_run(struct machine *machine)
{
    enum machine_end end = MACHINE_STOPPED;

    assert(machine_check(machine));
    assert(machine->running == NULL);
    machine->ran_to = machine->now;
    if (machine->schedule != NULL) {
        schedule_open(machine->schedule);
    }
    for (uint32_t i = 0; i < machine->config.processors; i++) {
        scheduler_update(&machine->cpu[i]);
    }
    while (!machine->stopped) {
        struct cpu *cpu = next_turn(machine);

        if (cpu != NULL) {
            strand_resume(begin_turn(machine, cpu));
            if (machine->running != NULL) {
                end_turn(machine);
            }
        } else if (has_ended(machine, &end)) {
            break;
        }
    }
    if (machine->schedule != NULL) {
        schedule_close(machine->schedule);
    }
    return end;
}

void machine_freeze(struct machine *machine)
{
    assert(machine->running != NULL && machine->alone == NULL);
    machine->alone = machine->running->cpu;
    machine->alone->lapic.nmi_blocked = true;
    for (uint32_t i = 0; i < machine->config.processors; i++) {
        struct cpu *cpu = machine_cpu(machine, i);

        if (cpu != machine->alone) {
            scheduler_update(cpu);
        }
    }
}

void machine_stop(struct machine *machine)
{
    struct strand *strand = machine->running;

    machine->stopped = true;
    if (strand != NULL) {
        coroutine_suspend(strand->coroutine);
        assert(false && "a strand went on after the machine had stopped");
    }
}
