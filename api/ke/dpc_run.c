/* dpc_run.c - runs queued DPCs, at DISPATCH_LEVEL or threaded ones in a thread,
 * and checks what their routines leave behind. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/core/trace_events.h"
#include "api/ke/clock.h"
#include "api/ke/dpc.h"
#include "api/ke/driver_call.h"
#include "api/ke/kthread.h"
#include "sim/machine/strand.h"

enum {
    /* What it takes to get to a routine: our own figures (docs/fidelity.md). */
    CALL_CYCLES = 250,
    CALL_INSTRUCTIONS = 120,
    BUDGET_MICROSECONDS = 100, /* DPC-20 */
};

/* What is known of one that runs: it may be queued again meanwhile, or be gone
 * (DPC-18a). */
struct dpc_call {
    struct driver_target target;
    uint64_t argument[CODE_ARGUMENTS];
    uint64_t order;
    struct dpc_owner *owner;
    bool threaded, by_timer;
};

static uint64_t cycles_of(const struct kernel *kernel, uint64_t microseconds)
{
    return microseconds * kernel->machine->config.pmu.mhz;
}

static uint64_t ticks_since(
    const struct kernel *kernel, const struct cpu *cpu, uint64_t began)
{
    return clock_ticks_at(kernel, cpu_own_time(cpu)) -
           clock_ticks_at(kernel, began);
}

static _Noreturn void watchdog(struct kernel *kernel, struct cpu *cpu,
    const struct dpc_call *call, uint64_t kind, uint64_t ticks, uint64_t limit)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = kind}, {.value = ticks}, {.value = limit}};

    rule_stop_at(kernel, cpu, RULE_DPC_WATCHDOG, ROUTINE_COUNT,
        code_is_native(kernel, call->target.address) ? call->target.address : 0,
        parameter);
}

static void judge_time(struct kernel *kernel, struct cpu *cpu,
    const struct dpc_call *call, uint64_t began)
{
    uint64_t cycles = cpu_own_time(cpu) - began;
    uint64_t ticks = ticks_since(kernel, cpu, began);
    uint64_t limit = ruling_number(kernel, RULING_DPC_22);
    char text[40];

    if (!ruling_is(kernel, RULED_DPC_22_unlimited) && ticks > limit) {
        watchdog(kernel, cpu, call, 0, ticks, limit);
    }
    if (cycles > cycles_of(kernel, BUDGET_MICROSECONDS)) {
        snprintf(text, sizeof(text), "%" PRIu64 " cycles", cycles);
        rule_warn_of(kernel, cpu, RULE_DPC_BUDGET, ROUTINE_COUNT,
            code_is_native(kernel, call->target.address) ? call->target.address
                                                         : 0,
            text);
    }
}

/* Those of the thread that it came upon, or that it runs in. */
static int32_t apcs_now(struct kernel *kernel)
{
    const struct kthread *thread = thread_current(kernel)->object;

    return thread == NULL ? 0 : thread->kernel_apcs + thread->special_apcs;
}

static void check_apcs(
    struct kernel *kernel, const struct dpc_call *call, int32_t before)
{
    int32_t now = apcs_now(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.value = call->by_timer ? 5 : 4}, {.value = call->target.address},
        {.value = (uint64_t)(int64_t)before},
        {.value = (uint64_t)(int64_t)now}};

    if (now != before) {
        rule_stop_at(kernel, kernel_cpu(kernel), RULE_DPC_APCS, ROUTINE_COUNT,
            call->target.address, parameter);
    }
}

/* Its storage must be there now (DPC-11 [C]). */
static void check_storage(
    struct kernel *kernel, struct cpu *cpu, const struct dpc *dpc)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = 1}, {.value = dpc->stored.address}};

    if (dpc->freed || dpc->paged) {
        rule_stop_at(
            kernel, cpu, RULE_DPC_GONE, ROUTINE_COUNT, dpc->place, parameter);
    }
}

static const char *name_of(const struct dpc *dpc)
{
    if (dpc->owner != NULL) {
        return dpc->owner->what;
    }
    return dpc->threaded ? "threaded DPC" : "DPC";
}

/* Takes the first out of the queue. */
static struct dpc_call take(
    struct kernel *kernel, struct cpu *cpu, struct dpc_queue *queue)
{
    struct dpc *dpc = queue->first;
    struct dpc_call call = {
        .target = {.driver = dpc->driver,
            .routine = name_of(dpc),
            .address = dpc->routine,
            .irql_rule = RULE_DPC_IRQL,
            .irql_code = ruling_is(kernel, RULED_DPC_24_not_less)
                             ? BUGCHECK_IRQL_NOT_LESS_OR_EQUAL
                             : BUGCHECK_IRQL_UNEXPECTED_VALUE,
            .interrupts_rule = RULE_DPC_INTERRUPTS,
            .regions_judged = true},
        .argument = {dpc->stored.address, dpc->context, dpc->argument[0],
            dpc->argument[1]},
        .order = dpc->order,
        .owner = dpc->owner,
        .threaded = dpc->threaded,
        .by_timer = dpc->by_timer,
    };

    check_storage(kernel, cpu, dpc);
    queue->first = dpc->next;
    *(dpc->next == NULL ? &queue->last : &dpc->next->previous) = NULL;
    queue->count--;
    dpc->in = NULL;
    dpc->by_timer = false;
    if (dpc->owner != NULL) {
        dpc->owner->running++;
    }
    return call;
}

static void run(struct kernel *kernel, struct dpc_queue *queue)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct dpc_call call = take(kernel, cpu, queue);
    int32_t apcs = apcs_now(kernel);
    uint64_t began = cpu_own_time(cpu);

    queue->began = began;
    cpu_spend(cpu, CALL_CYCLES, CALL_INSTRUCTIONS);
    driver_call(kernel, &call.target, call.argument);
    cpu = kernel_cpu(kernel);
    cpu_trace(cpu, &api_events[API_EVENT_DPC_LEAVE],
        trace_text(&kernel->machine->trace, call.target.driver->name));
    check_apcs(kernel, &call, apcs);
    judge_time(kernel, cpu, &call, began);
    if (!call.threaded && !ruling_is(kernel, RULED_DPC_22_unlimited) &&
        ticks_since(kernel, cpu, kernel_processor(kernel, cpu)->dpcs->began) >
            DPC_WATCHDOG_TICKS) {
        watchdog(kernel, cpu, &call, 1, DPC_WATCHDOG_TICKS, 0);
    }
    dpc_is_over(kernel, call.order, call.threaded);
    if (call.owner != NULL) {
        call.owner->running--;
        call.owner->is_over(kernel, call.owner);
    }
}

static void run_queue(struct kernel *kernel, struct cpu *cpu)
{
    struct processor *processor = kernel_processor(kernel, cpu);
    struct dpc_processor *of = processor->dpcs;

    if (of == NULL || of->ordinary.first == NULL) {
        return;
    }
    of->began = cpu_own_time(cpu);
    processor->in_dpc = true;
    while (of->ordinary.first != NULL) {
        run(kernel, &of->ordinary);
    }
    processor->in_dpc = false;
}

const struct dispatch_work dpc_work = {run_queue};

/* DPC-13: above every other thread of its processor. */
static void thread_main(void *argument)
{
    struct dpc_processor *of = argument;
    struct kernel *kernel = kernel_current();
    struct kthread *thread = of->thread;

    kthread_attach(thread, strand_current(kernel->machine));
    dispatcher_begin(kernel);
    for (;;) {
        while (of->threaded.first != NULL) {
            thread->in_dpc = true;
            run(kernel, &of->threaded);
            thread->in_dpc = false;
            cpu_checkpoint(kernel_cpu(kernel));
        }
        of->parked = true;
        dispatcher_park(kernel, SWITCH_EXECUTIVE);
    }
}

static void make_thread(struct kernel *kernel, struct dpc_processor *of)
{
    struct strand *strand = run_needs(kernel,
        strand_spawn_for_guest(of->cpu, thread_main, of, NULL),
        "a thread of DPCs");

    of->thread = kthread_make(kernel, NULL);
    of->thread->priority = of->thread->base = PRIORITY_HIGHEST;
    of->thread->strand = strand;
    strand_set_rank(strand, PRIORITY_HIGHEST);
    strand_to_background(strand);
    dispatcher_look(kernel, of->cpu);
}

void dpc_start_thread(struct kernel *kernel, struct dpc_processor *of)
{
    if (of->thread == NULL) {
        make_thread(kernel, of);
    } else if (of->parked) {
        of->parked = false;
        dispatcher_ready(kernel, of->thread->strand);
    }
}
