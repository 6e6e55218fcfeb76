/* affinity.c - KeSetSystemGroupAffinityThread and its revert: a thread moves
 * at once below DISPATCH_LEVEL, else when its processor's level drops below
 * that (GRP-07, A25). */
#include "api/ke/affinity.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/core/trace_events.h"
#include "api/ke/irql.h"
#include "api/ke/kthread.h"
#include "api/mm/copy.h"
#include "sim/base/bits.h"
#include "sim/machine/strand.h"

/* WIN_FE, which stands for Server 2022, and later (GRP-09). */
enum { FIRST_BUILD_OF_ALL_GROUPS = 19645 };

/* Where the thread may run; Mask 0: anywhere. */
static GROUP_AFFINITY allowed(
    const struct kernel *kernel, const struct thread *thread)
{
    const struct topology *topology = &kernel->machine->topology;

    if (thread->affinity.Mask != 0 ||
        kernel->os->build >= FIRST_BUILD_OF_ALL_GROUPS) {
        return thread->affinity;
    }
    return (GROUP_AFFINITY){
        .Group = thread->home, .Mask = topology_mask(topology, thread->home)};
}

/* The processor itself where it may stay, else the lowest-numbered one. */
static struct cpu *choose(
    struct kernel *kernel, const GROUP_AFFINITY *affinity, struct cpu *cpu)
{
    const struct topology *topology = &kernel->machine->topology;

    assert((affinity->Mask & ~topology_mask(topology, affinity->Group)) == 0);
    if (affinity->Mask == 0 || (affinity->Group == cpu->group &&
                                   bit_is_set(affinity->Mask, cpu->number))) {
        return cpu;
    }
    return machine_cpu(kernel->machine,
        topology->group_first[affinity->Group] + bits_lowest(affinity->Mask));
}

struct destination {
    struct kernel *kernel;
    const struct cpu *cpu;
};

/* A processor at DISPATCH_LEVEL or above switches to no other thread. */
static bool takes_threads(void *context)
{
    const struct destination *to = context;

    return !irql_is_raised(to->kernel, to->cpu);
}

/* The level is the thread's own: where it was, others run at theirs from before
 * it waits, and where it comes to it does not go on at somebody else's. */
static void move_to(struct kernel *kernel, struct cpu *to)
{
    struct cpu *from = kernel_cpu(kernel);
    struct destination destination = {kernel, to};
    struct kthread *object = thread_current(kernel)->object;
    struct irql_state level;

    if (from == to) {
        return;
    }
    if (object != NULL) {
        kthread_goes(object, from);
    }
    irql_take(kernel, from, &level);
    strand_wait(kernel->machine, STRAND_BLOCKED, takes_threads, &destination);
    strand_move(kernel->machine, to);
    while (irql_is_raised(kernel, to)) { /* by those that it came behind */
        strand_wait(
            kernel->machine, STRAND_BLOCKED, takes_threads, &destination);
    }
    assert(kernel_cpu(kernel) == to);
    cpu_trace(to, &api_events[API_EVENT_THREAD_MOVED], from->index);
    irql_bring(kernel, to, &level);
    if (object != NULL) {
        kthread_comes(object, to);
    }
}

void affinity_settle(struct kernel *kernel)
{
    struct thread *thread = thread_current(kernel);
    GROUP_AFFINITY affinity;

    assert(!irql_is_raised(kernel, kernel_cpu(kernel)));
    if (!thread->moves) {
        return;
    }
    thread->moves = false;
    affinity = allowed(kernel, thread);
    move_to(kernel, choose(kernel, &affinity, kernel_cpu(kernel)));
}

/* Every processor of a group is active here, so none of the bits is one that
 * only has to be dropped: a bit too many names no processor of the group. */
static bool is_valid(
    const struct kernel *kernel, const GROUP_AFFINITY *affinity)
{
    uint64_t processors =
        topology_mask(&kernel->machine->topology, affinity->Group);

    return affinity->Mask != 0 && (affinity->Mask & ~processors) == 0;
}

static void change(
    struct kernel *kernel, struct thread *thread, KAFFINITY mask, USHORT group)
{
    struct cpu *cpu = kernel_cpu(kernel);

    assert(mask != 0 || group == 0); /* the user-mode affinity has no group */
    assert(thread->home < kernel->machine->topology.groups);
    if (thread->affinity.Mask == 0) {
        thread->home = cpu->group;
    }
    thread->affinity = (GROUP_AFFINITY){.Mask = mask, .Group = group};
    thread->moves = true;
    if (!irql_is_raised(kernel, cpu)) {
        affinity_settle(kernel);
    }
}

VOID KeSetSystemGroupAffinityThread_body(
    PGROUP_AFFINITY Affinity, PGROUP_AFFINITY PreviousAffinity)
{
    const enum routine routine = ROUTINE_KeSetSystemGroupAffinityThread;
    struct kernel *kernel = kernel_current();
    struct thread *thread = thread_current(kernel);
    GROUP_AFFINITY wanted, before = {.Mask = 0};

    copy_in(kernel, routine, &wanted, Affinity, sizeof(wanted));
    if (PreviousAffinity != NULL) {
        copy_probe(kernel, routine, PreviousAffinity, sizeof(before), true);
    }
    if (is_valid(kernel, &wanted)) {
        before = thread->affinity;
        change(kernel, thread, wanted.Mask, wanted.Group);
    }
    if (PreviousAffinity != NULL) {
        copy_out(kernel, routine, PreviousAffinity, &before, sizeof(before));
    }
}

VOID KeRevertToUserGroupAffinityThread_body(PGROUP_AFFINITY PreviousAffinity)
{
    struct kernel *kernel = kernel_current();
    struct thread *thread = thread_current(kernel);
    GROUP_AFFINITY previous;

    copy_in(kernel, ROUTINE_KeRevertToUserGroupAffinityThread, &previous,
        PreviousAffinity, sizeof(previous));
    if (thread->affinity.Mask == 0) {
        return; /* nothing was set (GRP-08) */
    }
    if (previous.Mask == 0) {
        change(kernel, thread, 0, 0);
    } else if (is_valid(kernel, &previous)) {
        change(kernel, thread, previous.Mask, previous.Group);
    }
}
