/* dispatcher.c - threads are switched: behind an interrupt, where one waits,
 * and where one gives way. */
#include "api/ke/dispatcher.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/core/trace_events.h"
#include "api/ke/clock.h"
#include "api/ke/irql.h"
#include "api/ke/kthread.h"
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

    for (; *work != NULL; work++) {
        (*work)->run(kernel, cpu);
    }
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

/* The thread has its processor again. */
static void resume(struct kernel *kernel, const struct irql_state *level)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct pause pause = {kernel, cpu};
    const struct kthread *thread = thread_current(kernel)->object;

    while (irql_is_raised(kernel, cpu)) {
        strand_wait(kernel->machine, STRAND_BLOCKED, may_go_on, &pause);
    }
    irql_bring(kernel, cpu, level);
    cpu_trace(cpu, &api_events[API_EVENT_THREAD_SWITCH],
        thread == NULL ? 0 : thread->id);
    cpu_spend(cpu, SWITCH_CYCLES, SWITCH_INSTRUCTIONS);
    thread_switch_in(kernel);
    dispatcher_look(kernel, cpu);
}

void dispatcher_park(struct kernel *kernel, enum switch_reason reason)
{
    struct irql_state level;

    thread_switch_out(kernel, reason);
    level = irql_take(kernel, kernel_cpu(kernel));
    strand_park(kernel->machine);
    resume(kernel, &level);
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
    thread_switch_out(kernel, reason);
    level = irql_take(kernel, cpu);
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
        processor->quantum = arena_alloc_for_guest(
            &kernel->machine->arena, sizeof(*processor->quantum));
        if (processor->quantum == NULL) {
            run_end_stop(kernel, RUN_NOT_MODELLED,
                "this machine has no memory left for its clock");
        }
        *processor->quantum = (struct clock_timer){
            .expired = quantum_ends, .processor = cpu->index};
    }
    if (!clock_timer_is_set(processor->quantum)) {
        clock_timer_set(kernel, processor->quantum,
            clock_ticks_at(kernel, cpu->time) + QUANTUM_TICKS);
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

void dispatcher_ready(struct kernel *kernel, struct strand *strand)
{
    strand_unpark(strand);
    dispatcher_look(kernel, strand->cpu);
}

/* What was interrupted was code in no interrupt; idle processors look by
 * themselves. */
static void returned(void *context, struct cpu *cpu)
{
    struct kernel *kernel = context;
    struct processor *processor = kernel_processor(kernel, cpu);
    bool over = processor->quantum_over;

    if (strand_current(kernel->machine)->idle || irql_is_raised(kernel, cpu)) {
        return;
    }
    processor->quantum_over = false;
    give_way(kernel, cpu, over, over ? SWITCH_QUANTUM_END : SWITCH_PREEMPTED);
    cpu = kernel_cpu(kernel);
    if (over && cpu->first != NULL) {
        dispatcher_look(kernel, cpu);
    }
}

void dispatcher_start(struct kernel *kernel)
{
    machine_on_return(kernel->machine, returned, kernel);
}
