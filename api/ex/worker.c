/* worker.c - system worker threads: run queued work items one by one, in order,
 * and check what their routines leave behind (WORK-06). */
#include "api/ex/worker.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/ex/work_queue.h"
#include "api/ke/dispatcher.h"
#include "api/ke/driver_call.h"
#include "api/ke/kthread.h"
#include "sim/machine/strand.h"

enum {
    DELAYED_WORKERS = 2,
    CRITICAL_WORKERS = 1,
};

/* What is known of the item that runs, which may be gone (WORK-03). */
struct work_call {
    struct driver_target target;
    uint64_t argument[CODE_ARGUMENTS];
    uint64_t address;
    uint8_t priority;
};

static struct work_call take(struct kernel *kernel, struct work_worker *worker)
{
    struct work_queue *queue = worker->queue;
    struct work_item *item = queue->first;
    struct work_call call = {
        .target = {.driver = item->driver,
            .routine = "work item",
            .address = item->routine,
            .irql_rule = RULE_WORK_IRQL,
            .interrupts_rule = RULE_WORK_INTERRUPTS,
            .mutexes_judged = true,
            .regions_judged = true},
        .address = item->stored.address,
        .priority = item->priority,
    };

    memcpy(call.argument, item->argument, sizeof(call.argument));
    queue->first = item->next;
    if (queue->first == NULL) {
        queue->last = NULL;
    }
    item->queued = false;
    worker->runs = item->driver;
    worker->io = item->kind != WORK_EX;
    worker->place = item->place;
    worker->step = item->step;
    worker->reported = false;
    if (item->kind == WORK_EX) {
        work_forget(kernel, item);
    }
    return call;
}

static void check_thread(struct kernel *kernel, const struct kthread *thread,
    const struct work_call *call)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.value = call->target.address}, {.value = call->argument[0]},
        {.value = call->address}, {.value = 1}};

    if (thread->owned != 0) {
        rule_stop_at(kernel, cpu, RULE_WORK_MUTEX, ROUTINE_COUNT,
            call->target.address, parameter);
    }
    if (thread->kernel_apcs != 0 || thread->special_apcs != 0) {
        rule_stop_at(kernel, cpu, RULE_WORK_APCS, ROUTINE_COUNT,
            call->target.address, parameter);
    }
}

static void run(struct kernel *kernel, struct work_worker *worker)
{
    struct work_call call = take(kernel, worker);

    if (worker->thread->priority != call.priority) {
        kthread_set_priority(kernel, worker->thread, call.priority);
    }
    driver_call(kernel, &call.target, call.argument);
    check_thread(kernel, worker->thread, &call);
    worker->runs = NULL;
    cpu_checkpoint(kernel_cpu(kernel));
}

static void worker_main(void *argument)
{
    struct work_worker *worker = argument;
    struct kernel *kernel = kernel_current();

    kthread_attach(worker->thread, strand_current(kernel->machine));
    thread_current(kernel)->system = true;
    dispatcher_begin(kernel);
    dispatcher_look(kernel, kernel_cpu(kernel));
    for (;;) {
        while (worker->queue->first != NULL) {
            run(kernel, worker);
        }
        worker->parked = true;
        dispatcher_park(kernel, SWITCH_EXECUTIVE);
    }
}

/* On the processors of the group in turn. */
static void make_worker(
    struct kernel *kernel, struct work_queue *queue, uint8_t priority)
{
    const struct topology *topology = &kernel->machine->topology;
    uint16_t group = kernel_cpu(kernel)->group;
    uint32_t number =
        ++kernel->threads->next_processor % topology->group_size[group];
    struct cpu *cpu =
        machine_cpu(kernel->machine, topology->group_first[group] + number);
    struct work_worker *worker =
        run_needs_memory(kernel, sizeof(*worker), "a worker thread");
    struct strand *strand = run_needs(kernel,
        strand_spawn_for_guest(cpu, worker_main, worker, NULL),
        "a worker thread");

    *worker = (struct work_worker){.thread = kthread_make(kernel, NULL),
        .queue = queue,
        .next = queue->workers};
    worker->thread->worker = true;
    worker->thread->strand = strand;
    worker->thread->priority = worker->thread->base = priority;
    queue->workers = worker;
    queue->count++;
    strand_set_rank(strand, priority);
    strand_to_background(strand);
    dispatcher_look(kernel, cpu);
}

/* WORK-09 [C]. */
static uint64_t most_of(
    const struct kernel *kernel, const struct work_queue *queue)
{
    return queue == &kernel->works->queue[0]
               ? CRITICAL_WORKERS
               : ruling_number_or(
                     kernel, RULED_WORK_09_number, DELAYED_WORKERS);
}

void worker_wake(struct kernel *kernel, struct work_queue *queue)
{
    struct work_worker *worker = queue->workers;

    while (worker != NULL && !worker->parked) {
        worker = worker->next;
    }
    if (worker != NULL) {
        worker->parked = false;
        kthread_set_priority(kernel, worker->thread, queue->last->priority);
        dispatcher_ready(kernel, worker->thread->strand);
    } else if (queue->count < most_of(kernel, queue)) {
        make_worker(kernel, queue, queue->last->priority);
    }
}
