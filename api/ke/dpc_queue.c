/* dpc_queue.c - the DPC queue of each processor: at which end a DPC goes in,
 * and when the interrupt that runs it is asked for. */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/ke/dpc.h"
#include "sim/machine/strand.h"

static struct dpc_processor *dpcs_of(struct kernel *kernel, struct cpu *cpu)
{
    struct processor *processor = kernel_processor(kernel, cpu);

    if (processor->dpcs == NULL) {
        processor->dpcs = run_needs_memory(
            kernel, sizeof(*processor->dpcs), "queues of DPCs");
        processor->dpcs->cpu = cpu;
    }
    return processor->dpcs;
}

static void put(struct dpc_queue *queue, struct dpc *dpc)
{
    bool first = dpc->importance == HighImportance;

    dpc->previous = first ? NULL : queue->last;
    dpc->next = first ? queue->first : NULL;
    *(dpc->previous == NULL ? &queue->first : &dpc->previous->next) = dpc;
    *(dpc->next == NULL ? &queue->last : &dpc->next->previous) = dpc;
    dpc->in = queue;
    queue->count++;
}

void dpc_start(struct kernel *kernel, struct dpc_processor *of)
{
    if (!kernel_processor(kernel, of->cpu)->dispatching) {
        dispatcher_request(kernel, of->cpu);
    }
}

/* What a processor does that has nothing else to do. */
static void idle(void *argument)
{
    struct dpc_processor *of = argument;
    struct kernel *kernel = kernel_current();

    of->idle_comes = false;
    if (of->ordinary.first != NULL) {
        dpc_start(kernel, of);
    }
    cpu_checkpoint(of->cpu);
}

/* DPC-09 [C]: below all threads, as the processor's idle thread. */
static void start_when_idle(struct kernel *kernel, struct dpc_processor *of)
{
    struct strand *strand;

    if (of->idle_comes || kernel_processor(kernel, of->cpu)->dispatching) {
        return;
    }
    strand = run_needs(
        kernel, strand_spawn(of->cpu, idle, of, NULL), "an idle thread");
    strand->idle = true;
    strand_set_rank(strand, 0);
    strand_to_background(strand);
    of->idle_comes = true;
}

/* DPC-05. */
static bool starts_queue(struct kernel *kernel, const struct dpc_processor *of,
    const struct dpc *dpc)
{
    if (ruling_is(kernel, RULED_DPC_09_number) &&
        of->ordinary.count >= ruling_number(kernel, RULING_DPC_09)) {
        return true;
    }
    switch ((KDPC_IMPORTANCE)dpc->importance) {
    case LowImportance:
        return false;
    case MediumImportance:
        return of->cpu == kernel_cpu(kernel);
    case HighImportance:
    case MediumHighImportance:
        break;
    }
    return true;
}

bool dpc_queue_it(struct kernel *kernel, struct dpc *dpc,
    const uint64_t argument[DPC_ARGUMENTS])
{
    struct cpu *cpu = dpc->target == DPC_ANY
                          ? kernel_cpu(kernel)
                          : machine_cpu(kernel->machine, dpc->target);
    struct dpc_processor *of = dpcs_of(kernel, cpu);

    if (dpc->in != NULL) {
        return false; /* DPC-02 */
    }
    dpc->argument[0] = argument[0];
    dpc->argument[1] = argument[1];
    dpc->order = ++kernel->dpcs->queued;
    kernel->dpcs->outstanding[dpc->threaded]++;
    put(dpc->threaded ? &of->threaded : &of->ordinary, dpc);
    if (dpc->threaded) {
        dpc_start_thread(kernel, of);
    } else if (starts_queue(kernel, of, dpc)) {
        dpc_start(kernel, of);
    } else {
        start_when_idle(kernel, of);
    }
    return true;
}

bool dpc_unqueue(struct kernel *kernel, struct dpc *dpc)
{
    struct dpc_queue *queue = dpc->in;

    if (queue == NULL) {
        return false;
    }
    *(dpc->previous == NULL ? &queue->first : &dpc->previous->next) = dpc->next;
    *(dpc->next == NULL ? &queue->last : &dpc->next->previous) = dpc->previous;
    dpc->in = NULL;
    dpc->by_timer = false;
    queue->count--;
    dpc_is_over(kernel, dpc->order, dpc->threaded);
    return true;
}
