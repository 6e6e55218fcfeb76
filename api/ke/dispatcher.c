/* dispatcher.c - the thread scheduler: preemption by priority, quanta, blocking
 * and waking, behind the DISPATCH_LEVEL interrupt. */
#include "api/ke/dispatcher.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/core/trace_events.h"
#include "api/ke/apc_region.h"
#include "api/ke/clock.h"
#include "api/ke/irql.h"
#include "api/ke/kthread.h"
#include "api/ke/spin.h"
#include "sim/base/bits.h"
#include "sim/machine/strand.h"

enum {
    /* What a switch costs the thread that goes on: our own figures
     * (docs/fidelity.md). */
    SWITCH_CYCLES = 1500,
    SWITCH_INSTRUCTIONS = 600,
    QUANTUM_TICKS = 2, /* of the clock [C] */
};

static uint8_t dispatch_vector(const struct kernel *kernel)
{
    uint8_t level = irql_number(kernel, LEVEL_DISPATCH_LEVEL);

    return (uint8_t)(kernel->arch->irql_class(level) << 4 | 0xF);
}

void dispatcher_request(struct kernel *kernel, struct cpu *cpu)
{
    const struct strand *strand = strand_current(kernel->machine);

    cpu_send(cpu, dispatch_vector(kernel),
        strand == NULL ? kernel->machine->now : strand->cpu->time);
}

static void dispatch_service(struct kernel *kernel, struct cpu *cpu)
{
    const struct dispatch_work *const *work = kernel->hooks->dispatch_work;
    struct processor *processor = kernel_processor(kernel, cpu);

    processor->dispatching = true;
    for (; *work != NULL; work++) {
        (*work)->run(kernel, cpu);
    }
    processor->dispatching = false;
}

const struct interrupt_source dispatcher_interrupt = {
    LEVEL_DISPATCH_LEVEL, dispatch_vector, dispatch_service};

struct pause {
    struct kernel *kernel;
    const struct cpu *cpu;
};

/* Others may have raised the processor meanwhile, and left it so. */
static bool may_go_on(void *context)
{
    const struct pause *pause = context;

    return !irql_is_raised(pause->kernel, pause->cpu);
}

__attribute__((noinline)) static void wait_for_level(
    struct kernel *kernel, struct cpu *cpu)
{
    struct pause pause = {kernel, cpu};

    while (irql_is_raised(kernel, cpu)) {
        strand_wait(kernel->machine, STRAND_BLOCKED, may_go_on, &pause);
    }
}

/* The thread has its processor again. */
static void resume(struct kernel *kernel, const struct irql_state *level)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct kthread *thread = thread_current(kernel)->object;

    if (irql_is_raised(kernel, cpu)) {
        wait_for_level(kernel, cpu);
    }
    irql_bring(kernel, cpu, level);
    if (thread != NULL) {
        kthread_comes(thread, cpu);
    }
    cpu_trace(cpu, &api_events[API_EVENT_THREAD_SWITCH],
        thread == NULL ? 0 : thread->id);
    cpu_spend(cpu, SWITCH_CYCLES, SWITCH_INSTRUCTIONS);
    thread_switch_in(kernel);
    thread_current(kernel)->away = false;
    dispatcher_look(kernel, cpu);
    if (kernel->threads->apcs > 0) {
        apc_region_take(kernel);
    }
}

/* The thread's level, which it takes along, as it leaves the processor. */
static void leave(struct kernel *kernel, struct cpu *cpu,
    enum switch_reason reason, struct irql_state *level)
{
    struct kthread *thread = thread_current(kernel)->object;

    thread_switch_out(kernel, reason);
    if (thread != NULL) {
        kthread_goes(thread, cpu);
    }
    irql_take(kernel, cpu, level);
    thread_current(kernel)->away = true;
}

static bool is_ready(void *context)
{
    const struct thread *thread = context;

    return thread->ready;
}

void dispatcher_park(struct kernel *kernel, enum switch_reason reason)
{
    struct thread *thread = thread_current(kernel);
    /* This takes interrupts, and one of them may be what it waits for. */
    struct irql_state level;

    if (irql_is_raised(kernel, kernel_cpu(kernel))) {
        /* Only where IRQL-GEN-01 [C] is flipped: it keeps its processor. */
        spin_until(kernel, is_ready, thread);
        thread->ready = false;
        return;
    }
    leave(kernel, kernel_cpu(kernel), reason, &level);
    if (!thread->ready) {
        strand_park(kernel->machine);
    }
    thread->ready = false;
    resume(kernel, &level);
}

/* It may have been put behind others. */
void dispatcher_begin(struct kernel *kernel)
{
    const struct irql_state passive = {.current = 0};

    resume(kernel, &passive);
}

/* Whether somebody else is to have the processor now. */
static bool give_way(struct kernel *kernel, struct cpu *cpu, bool to_equal,
    enum switch_reason reason)
{
    struct irql_state level;

    if (irql_is_raised(kernel, cpu) ||
        !strand_is_outranked(kernel->machine, to_equal)) {
        return false;
    }
    leave(kernel, cpu, reason, &level);
    strand_give_way(kernel->machine, to_equal);
    resume(kernel, &level);
    return true;
}

bool dispatcher_yield(struct kernel *kernel)
{
    return give_way(kernel, kernel_cpu(kernel), true, SWITCH_YIELD);
}

/* What the processor's clock does when a quantum is over. */
static void quantum_ends(struct kernel *kernel, struct clock_timer *timer)
{
    kernel->processor[timer->processor].quantum_over = true;
}

static void begin_quantum(struct kernel *kernel, struct cpu *cpu)
{
    struct processor *processor = kernel_processor(kernel, cpu);

    if (processor->quantum == NULL) {
        processor->quantum =
            run_needs_memory(kernel, sizeof(*processor->quantum), "its clock");
        *processor->quantum = (struct clock_timer){
            .expired = quantum_ends, .processor = cpu->index};
    }
    if (!clock_timer_is_set(processor->quantum)) {
        clock_timer_set(kernel, processor->quantum,
            clock_tick_after(kernel, clock_interrupt_time(kernel),
                QUANTUM_TICKS * CLOCK_TICK_UNITS));
    }
}

void dispatcher_look(struct kernel *kernel, struct cpu *cpu)
{
    const struct strand *current = cpu->current;
    const struct strand *first = cpu->first;

    if (first == NULL || current == NULL || current->idle) {
        return; /* the processor takes the next one by itself */
    }
    if (first->rank > current->rank) {
        dispatcher_request(kernel, cpu);
    } else if (first->rank == current->rank) {
        begin_quantum(kernel, cpu);
    }
}

/* Whether somebody there has the rank of the strand, or a higher one. */
static bool is_busy(const struct cpu *cpu, const struct strand *strand)
{
    return (cpu->current != NULL && !cpu->current->idle &&
               cpu->current->rank >= strand->rank) ||
           (cpu->first != NULL && cpu->first->rank >= strand->rank);
}

/* The processor of the group that has nothing to do: the ideal one, else the
 * one with the lowest number; NULL: none is below DISPATCH_LEVEL and free. */
static struct cpu *free_processor(
    struct kernel *kernel, const struct cpu *here, const struct cpu *ideal)
{
    struct machine *machine = kernel->machine;
    const struct topology *topology = &machine->topology;
    uint64_t free = strand_unoccupied(machine, here->group) &
                    topology_mask(topology, here->group);
    bool first = ideal->group == here->group && bit_is_set(free, ideal->number);

    while (free != 0) {
        unsigned number = first ? ideal->number : bits_lowest(free);
        struct cpu *cpu =
            machine_cpu(machine, topology->group_first[here->group] + number);

        if (!irql_is_raised(kernel, cpu)) {
            return cpu;
        }
        free &= ~bit(number);
        first = false;
    }
    return NULL;
}

/* Where a thread that becomes ready goes on: where it was, unless somebody of
 * its rank or above is there, and it may run elsewhere [C]. */
static struct cpu *place_of_ready(struct kernel *kernel, struct strand *strand)
{
    const struct thread *thread = thread_of(strand);
    struct cpu *cpu = strand->cpu;
    struct cpu *other;

    if (thread->object == NULL || !thread->object->system ||
        thread->affinity.Mask != 0 || !is_busy(cpu, strand)) {
        return cpu;
    }
    other = free_processor(
        kernel, cpu, machine_cpu(kernel->machine, thread->object->ideal));
    return other == NULL ? cpu : other;
}

void dispatcher_ready(struct kernel *kernel, struct strand *strand)
{
    struct cpu *cpu;

    if (strand->state != STRAND_PARKED) {
        thread_of(strand)->ready = true;
        return;
    }
    cpu = place_of_ready(kernel, strand);
    if (cpu != strand->cpu) {
        cpu_trace(cpu, &api_events[API_EVENT_THREAD_MOVED], strand->cpu->index);
    }
    strand_unpark_on(strand, cpu);
    dispatcher_look(kernel, cpu);
}

/* What was interrupted was code in no interrupt; idle processors look by
 * themselves. Apart, as there is nearly always nobody else. */
__attribute__((noinline)) static void returned_to_others(
    struct kernel *kernel, struct cpu *cpu, bool over)
{
    struct processor *processor = kernel_processor(kernel, cpu);

    if (strand_current(kernel->machine)->idle || irql_is_raised(kernel, cpu)) {
        return;
    }
    processor->quantum_over = false;
    if (thread_current(kernel)->away) {
        return; /* who comes looks by itself then, and begins a quantum */
    }
    give_way(kernel, cpu, over, over ? SWITCH_QUANTUM_END : SWITCH_PREEMPTED);
    if (kernel->threads->apcs > 0) {
        apc_region_take(kernel);
    }
}

static void returned(void *context, struct cpu *cpu)
{
    struct kernel *kernel = context;
    bool over = kernel_processor(kernel, cpu)->quantum_over;

    if (cpu->first != NULL || over || kernel->threads->apcs > 0) {
        returned_to_others(kernel, cpu, over);
    }
}

void dispatcher_start(struct kernel *kernel)
{
    machine_on_return(kernel->machine, returned, kernel);
}
