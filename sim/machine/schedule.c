/* schedule.c - every choice of a processor asked of whoever explores, and time
 * kept from running back by letting processors that were kept waiting stand
 * still. */
#include "sim/machine/schedule.h"

#include <assert.h>

#include "sim/machine/machine.h"
#include "sim/machine/quiet.h"
#include "sim/machine/scheduler.h"
#include "sim/machine/strand.h"

void schedule_init(struct schedule *schedule, bool interrupts,
    uint32_t (*choose)(void *context, const struct schedule_choice *choice),
    void *context)
{
    schedule->choose = choose;
    schedule->context = context;
    schedule->interrupts = interrupts;
    schedule->instructions = false;
    schedule->touched = (struct schedule_footprint){0};
    schedule->owed = SCHEDULE_NOBODY;
    schedule->streak = 0;
    schedule->mixed = false;
    schedule->closed = false;
    schedule->run = 0;
}

void schedule_open(struct schedule *schedule)
{
    schedule->run++;
    schedule->owed = SCHEDULE_NOBODY;
    schedule->streak = 0;
    schedule->alarms = 0;
}

void schedule_close(struct schedule *schedule)
{
    schedule->closed = true;
}

uint64_t schedule_time(const struct machine *machine, uint32_t index)
{
    uint64_t time = order_time(&machine->order, index);

    return time < machine->now ? machine->now : time;
}

/* Whether it goes on without a time in between: it does not sleep. */
static bool is_in_the_middle(const struct machine *machine, uint32_t index)
{
    return order_time(&machine->order, index) <= machine->cpu[index].time;
}

static uint32_t usual(struct machine *machine)
{
    struct schedule *schedule = machine->schedule;
    uint32_t last = machine->last_processor;

    if (!is_in_the_middle(machine, last)) {
        return order_first(&machine->order);
    }
    if (schedule->streak < SCHEDULE_PATIENCE) {
        return last;
    }
    return order_rival(&machine->order, last);
}

static size_t find_candidates(struct machine *machine)
{
    struct schedule *schedule = machine->schedule;
    size_t count = 0;

    for (uint32_t i = 0; i < machine->config.processors; i++) {
        if (order_time(&machine->order, i) != ORDER_NEVER) {
            schedule->candidate[count++] = i;
        }
    }
    return count;
}

/* Among those that could go on at all. */
static uint32_t ask(struct machine *machine, uint32_t by_default, size_t count)
{
    struct schedule *schedule = machine->schedule;
    const struct schedule_choice choice = {
        .machine = machine,
        .last = machine->last_processor,
        .usual = by_default,
        .candidate = schedule->candidate,
        .count = count,
        .touched = schedule->touched,
        .mixed = schedule->mixed,
        .run = schedule->run,
    };
    uint32_t chosen = schedule->choose(schedule->context, &choice);

    assert(chosen >= LIMIT_PROCESSORS ||
           order_time(&machine->order, chosen) != ORDER_NEVER);
    schedule->touched = (struct schedule_footprint){0};
    schedule->mixed = false;
    schedule->closed = false;
    return chosen;
}

/* An alarm that comes before whoever is usually the next comes before all. */
static bool comes_after_alarm(const struct machine *machine, uint32_t index)
{
    return schedule_time(machine, index) > machine->alarm.time;
}

/* Whether all may stand still up to the next alarm. */
static bool may_lag(const struct machine *machine)
{
    const struct schedule *schedule = machine->schedule;
    uint64_t lag = SCHEDULE_LAG_US * machine->config.pmu.mhz;

    return schedule->interrupts && schedule->alarms < SCHEDULE_ALARMS &&
           machine->alarm.time != MACHINE_NO_ALARM &&
           machine->alarm.time <= machine->now + lag;
}

struct cpu *schedule_choose(struct machine *machine)
{
    struct schedule *schedule = machine->schedule;
    uint32_t chosen = schedule->owed;
    size_t count;

    if (chosen != SCHEDULE_NOBODY &&
        order_time(&machine->order, chosen) != ORDER_NEVER) {
        return machine_cpu(machine, chosen);
    }
    schedule->owed = SCHEDULE_NOBODY;
    count = find_candidates(machine);
    if (count == 0) {
        return NULL;
    }
    chosen = count == 1 ? schedule->candidate[0] : usual(machine);
    if (comes_after_alarm(machine, chosen)) {
        return machine_cpu(machine, chosen);
    }
    if (may_lag(machine)) {
        schedule->candidate[count++] = SCHEDULE_CLOCK;
    }
    if (count == 1) {
        return machine_cpu(machine, chosen);
    }
    chosen = ask(machine, chosen, count);
    if (chosen == SCHEDULE_CLOCK) {
        schedule->alarms++;
        return NULL;
    }
    schedule->owed = chosen;
    return machine_cpu(machine, chosen);
}

bool schedule_keeps(struct machine *machine, const struct cpu *cpu)
{
    struct schedule *schedule = machine->schedule;

    if (schedule == NULL || !schedule->interrupts || machine->running == NULL ||
        cpu->interrupts_off) {
        return false;
    }
    schedule->candidate[0] = cpu->index;
    schedule->candidate[1] = SCHEDULE_LATER;
    return ask(machine, cpu->index, 2) == SCHEDULE_LATER;
}

/* What is on its way to it stands still as well. */
static void stand_still(struct cpu *cpu, uint64_t cycles)
{
    cpu->time += cycles;
    cpu->halted += cycles;
    cpu->stood += cycles;
    cpu->pmi_due += cpu->pmi_due == CPU_NEVER ? 0 : cycles;
    cpu->pmi_lands += cpu->pmi_lands == CPU_NEVER ? 0 : cycles;
    if (cpu->current->state == STRAND_READY) {
        cpu->current->wake += cycles;
    }
    quiet_end(cpu);
}

/* The time at which it could have gone on. */
static uint64_t could(const struct machine *machine, const struct cpu *cpu)
{
    const struct strand *strand = cpu->current;

    if (strand->state != STRAND_READY) {
        return order_time(&machine->order, cpu->index);
    }
    return strand->wake > cpu->time ? strand->wake : cpu->time;
}

/* It has not looked yet for when its interrupt comes. */
static bool has_just_begun_to_idle(const struct cpu *cpu)
{
    return cpu->current->idle && cpu->current->coroutine == NULL &&
           !cpu_has_left(cpu);
}

void schedule_begin(struct machine *machine, struct cpu *cpu)
{
    struct schedule *schedule = machine->schedule;
    uint64_t time = could(machine, cpu);

    assert(schedule->owed == SCHEDULE_NOBODY || schedule->owed == cpu->index);
    /* Whoever was asked about is the first to go on since. */
    if (!schedule->closed) {
        schedule->mixed |= schedule->owed == SCHEDULE_NOBODY &&
                           cpu->index != machine->last_processor;
        schedule_footprint_add(&schedule->touched, cpu->current->touches);
    }
    schedule->owed = SCHEDULE_NOBODY;
    schedule->streak =
        cpu->index == machine->last_processor ? schedule->streak + 1 : 0;
    if (time < machine->now && !has_just_begun_to_idle(cpu)) {
        stand_still(cpu, machine->now - time);
    }
}
