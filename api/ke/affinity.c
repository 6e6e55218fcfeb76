/* affinity.c - KeSetSystemGroupAffinityThread and its revert, and the older
 * ones that know group 0 alone: a thread moves at once below DISPATCH_LEVEL,
 * else when its processor's level drops below that (GRP-07, A25, AFF-01). */
#include "api/ke/affinity.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/rules.h"
#include "api/core/ruling.h"
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

/* A mask of group 0 that has processors only that are there, one of them active
 * at least, whose bits of others drop (AFF-01). */
static bool is_of_group_0(const struct kernel *kernel, KAFFINITY mask)
{
    const struct machine *machine = kernel->machine;

    return (mask & ~topology_mask(&machine->all, 0)) == 0 &&
           (mask & topology_mask(&machine->topology, 0)) != 0;
}

/* AFF-03 [C]. */
static void refuse(struct kernel *kernel, enum routine routine, KAFFINITY mask)
{
    struct cpu *cpu = kernel_cpu(kernel);

    if (ruling_is(kernel, RULED_AFF_03_fatal)) {
        const struct bugcheck_parameter parameter[4] = {{.value = mask}};

        rule_stop_with(kernel, cpu, RULE_AFFINITY_MASK, routine,
            place_current(kernel), BUGCHECK_INVALID_AFFINITY_SET, parameter);
    }
    rule_warn(kernel, cpu, RULE_AFFINITY_MASK, routine);
}

/* Returns the system affinity that was in force, 0: the user's was. */
static KAFFINITY set_group_0(
    struct kernel *kernel, enum routine routine, KAFFINITY mask)
{
    struct thread *thread = thread_current(kernel);
    KAFFINITY before = thread->affinity.Mask;

    if (!is_of_group_0(kernel, mask)) {
        refuse(kernel, routine, mask);
        return 0;
    }
    change(
        kernel, thread, mask & topology_mask(&kernel->machine->topology, 0), 0);
    return before;
}

VOID KeSetSystemAffinityThread_body(KAFFINITY Affinity)
{
    set_group_0(kernel_current(), ROUTINE_KeSetSystemAffinityThread, Affinity);
}

KAFFINITY KeSetSystemAffinityThreadEx_body(KAFFINITY Affinity)
{
    return set_group_0(
        kernel_current(), ROUTINE_KeSetSystemAffinityThreadEx, Affinity);
}

/* It has no effect without a set before (AFF-02). */
static void revert(struct kernel *kernel, enum routine routine, KAFFINITY mask)
{
    struct thread *thread = thread_current(kernel);

    if (thread->affinity.Mask == 0) {
        return;
    }
    if (mask == 0) {
        change(kernel, thread, 0, 0);
        return;
    }
    set_group_0(kernel, routine, mask);
}

VOID KeRevertToUserAffinityThreadEx_body(KAFFINITY Affinity)
{
    revert(kernel_current(), ROUTINE_KeRevertToUserAffinityThreadEx, Affinity);
}

/* It takes back every set before it, as they are not counted (AFF-03 [C]). */
VOID KeRevertToUserAffinityThread_body(void)
{
    revert(kernel_current(), ROUTINE_KeRevertToUserAffinityThread, 0);
}
