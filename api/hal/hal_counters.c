/* hal_counters.c - HalAllocateHardwareCounters and HalFreeHardwareCounters.
 *
 * A call has two halves: decode checks every argument and changes nothing,
 * grant changes state and cannot fail. So no call can stop half done. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/core/trace_events.h"
#include "api/hal/arbiter.h"
#include "api/hal/claim.h"
#include "api/hal/event_buffer.h"
#include "api/hal/hal_counters.h"
#include "api/hal/pmu.h"
#include "api/hal/profile.h"
#include "api/hal/usage.h"
#include "api/mm/copy.h"
#include "sim/base/bits.h"
#include "sim/machine/strand.h"

/* The last act of an allocation: the handle, NULL on every failure
 * (HAL-ALLOC-05, HAL-ALLOC-06 [C]). */
static NTSTATUS answer(
    struct kernel *kernel, PHANDLE to, uint64_t handle, NTSTATUS status)
{
    if (NT_SUCCESS(status)) {
        usage_allocated(kernel);
    } else {
        usage_refused(kernel);
    }
    if (!NT_SUCCESS(status) && status != STATUS_INSUFFICIENT_RESOURCES &&
        ruling_is(kernel, RULED_HAL_ALLOC_06_insufficient_only)) {
        return status;
    }
    assert(
        NT_SUCCESS(status) == (arbiter_number(kernel->arbiter, handle) != 0));
    copy_out(kernel, ROUTINE_HalAllocateHardwareCounters, to, &handle,
        sizeof(handle));
    return status;
}

/* HAL-ALLOC-51, HAL-ALLOC-52 and HAL-ALLOC-56c, all [C]. */
static bool can_grant(struct kernel *kernel, const struct counter_claim *claim)
{
    struct counter_claim wide = *claim;

    if (ruling_is(kernel, RULED_HAL_ALLOC_51_index)) {
        memset(wide.affinity, 0xFF, sizeof(wide.affinity));
    }
    if (claim->exclusive && kernel_is_virtual(kernel) &&
        ruling_is(kernel, RULED_HAL_ALLOC_56c_insufficient)) {
        return false;
    }
    if (ruling_is(kernel, RULED_HAL_ALLOC_52_exclusive) &&
        holders_handler(&kernel->arbiter->holders, claim)) {
        return false;
    }
    return arbiter_can_grant(kernel->arbiter, &wide);
}

/* CounterSetHandle NULL: HAL-ALLOC-30 [C]. */
static NTSTATUS refuse_no_handle(struct kernel *kernel)
{
    if (ruling_is(kernel, RULED_HAL_ALLOC_30_fault)) {
        copy_probe(kernel, ROUTINE_HalAllocateHardwareCounters, NULL,
            sizeof(HANDLE), true);
    }
    return STATUS_INVALID_PARAMETER;
}

/* The set, if nobody is in its way and there is memory for it; NULL otherwise,
 * and then nothing is taken (HAL-ALLOC-24b [C]). */
static struct counter_set *grant(
    struct kernel *kernel, struct cpu *cpu, const struct counter_claim *claim)
{
    struct event_reader *readers = NULL;
    struct counter_set *set;

    if (!can_grant(kernel, claim)) {
        return NULL;
    }
    if (claim->events != NULL) {
        readers = event_buffers_reserve(kernel, claim);
        if (readers == NULL) {
            return NULL;
        }
    }
    set = arbiter_grant(kernel->arbiter, &kernel->machine->arena, claim,
        kernel_driver(kernel, cpu));
    if (set == NULL) {
        event_buffers_return(kernel, readers);
        return NULL;
    }
    assert(arbiter_number(kernel->arbiter, set->handle) == set->number);
    set->place = place_current(kernel);
    set->step = thread_step(kernel);
    if (readers != NULL) {
        event_buffers_join(kernel, set, readers);
    }
    return set;
}

NTSTATUS HalAllocateHardwareCounters_body(
    PGROUP_AFFINITY GroupAffinty, /* [sic], as in the WDK */
    ULONG GroupCount, PPHYSICAL_COUNTER_RESOURCE_LIST ResourceList,
    PHANDLE CounterSetHandle)
{
    struct kernel *kernel = kernel_current();
    struct counter_claim claim;
    struct counter_set *set;
    NTSTATUS status;

    if (CounterSetHandle == NULL) {
        return refuse_no_handle(kernel);
    }
    status =
        claim_decode(&claim, kernel, GroupAffinty, GroupCount, ResourceList);
    if (!NT_SUCCESS(status)) {
        return answer(kernel, CounterSetHandle, 0, status);
    }
    /* Nobody could free a set whose handle got lost (HAL-ALLOC-24b [C]). */
    copy_probe(kernel, ROUTINE_HalAllocateHardwareCounters, CounterSetHandle,
        sizeof(*CounterSetHandle), true);
    set = grant(kernel, kernel_cpu(kernel), &claim);
    if (set == NULL) {
        return answer(kernel, CounterSetHandle, 0,
            STATUS_INSUFFICIENT_RESOURCES); /* HAL-ALLOC-21 */
    }
    if (claim.handler != NULL || claim.events != NULL) {
        profile_note_set(kernel, kernel_cpu(kernel));
    }
    return answer(kernel, CounterSetHandle, set->handle, STATUS_SUCCESS);
}

NTSTATUS HalAllocateHardwareCounters_failed(PVOID output, NTSTATUS status)
{
    struct kernel *kernel = kernel_current();

    return output == NULL ? refuse_no_handle(kernel)
                          : answer(kernel, output, 0, status);
}

/* A counter that counts. */
struct running {
    uint32_t processor;
    unsigned counter;
};

/* Whether a counter of the set still counts somewhere, and the first that does.
 */
static bool set_is_running(struct kernel *kernel, const struct counter_set *set,
    struct running *running)
{
    const struct topology *topology = &kernel->machine->topology;

    for (uint32_t group = 0; group < topology->groups; group++) {
        for (uint64_t left = set->claim.affinity[group]; left != 0;
             left &= left - 1) {
            unsigned number = bits_lowest(left);
            uint32_t index = topology->group_first[group] + number;
            const struct cpu *cpu = machine_cpu(kernel->machine, index);
            uint64_t counting = arbiter_held(set, group, number) &
                                hal_pmu_running(hal_pmu_of(kernel, cpu), cpu);

            if (counting != 0) {
                *running = (struct running){index, bits_lowest(counting)};
                return true;
            }
        }
    }
    return false;
}

/* The hardware stays as it is (HAL-FREE-03b [C]). */
static void judge_running(struct kernel *kernel, const struct counter_set *set)
{
    struct running running;
    char text[64];

    if (!set_is_running(kernel, set, &running) ||
        ruling_is(kernel, RULED_HAL_FREE_03b_silent)) {
        return;
    }
    snprintf(text, sizeof(text), "set#%u, counter %u on processor %u",
        set->number, running.counter, (unsigned)running.processor);
    rule_warn_between(kernel, kernel_cpu(kernel), RULE_HAL_FREE_RUNNING,
        ROUTINE_HalFreeHardwareCounters, set->place, text);
}

static bool set_is_quiet(void *context)
{
    const struct counter_set *set = context;

    return set->handlers == 0 && !set->joins && !set->starts;
}

/* A handler of the set may be running elsewhere (HAL-FREE-04b [C]), or its
 * event buffers are being made: until that has ended nobody else gets its
 * counters (HAL-ALLOC-50). */
static void release_set(struct kernel *kernel, struct counter_set *set)
{
    uint64_t handle = set->handle;

    arbiter_end(set);
    strand_wait(kernel->machine, STRAND_SPINNING, set_is_quiet, set);
    assert(set->handle == handle && set->freed); /* nobody has reclaimed it */
    if (set->claim.events != NULL) {
        event_buffers_leave(kernel, set);
    }
    arbiter_reclaim(kernel->arbiter, set);
}

/* What is given back and is no set that lives. */
static void judge_no_set(struct kernel *kernel, uint64_t handle)
{
    struct cpu *cpu = kernel_cpu(kernel);
    enum routine routine = ROUTINE_HalFreeHardwareCounters;
    const struct usage_by *failure =
        usage_failure(kernel, kernel_driver(kernel, cpu));

    if (arbiter_number(kernel->arbiter, handle) != 0) {
        rule_warn(kernel, cpu, RULE_HAL_FREE_TWICE, routine);
    } else if (failure != NULL) {
        rule_warn_about(
            kernel, cpu, RULE_HAL_FREE_FAILED, routine, failure->place);
    } else if (handle == 0) {
        rule_warn(kernel, cpu, RULE_HAL_FREE_NULL, routine);
    }
}

NTSTATUS HalFreeHardwareCounters_body(HANDLE CounterSetHandle)
{
    struct kernel *kernel = kernel_current();
    uint64_t handle = (uint64_t)(uintptr_t)CounterSetHandle;
    struct counter_set *set = arbiter_find(kernel->arbiter, handle);

    if (set == NULL) {
        judge_no_set(kernel, handle);
        return STATUS_INVALID_PARAMETER; /* HAL-FREE-02a, HAL-FREE-02b [C] */
    }
    judge_running(kernel, set);
    release_set(kernel, set);
    return STATUS_SUCCESS;
}

static void list_sets(struct kernel *kernel, const struct leak_listing *listing)
{
    char text[20];

    assert(arbiter_check(kernel->arbiter));
    for (const struct counter_set *set = kernel->arbiter->first; set != NULL;
         set = set->next) {
        if (set->owner == listing->driver && !set->freed) {
            snprintf(text, sizeof(text), "set#%u", set->number);
            leaks_found(listing, LEAK_COUNTER_SET, text, set->step);
        }
    }
}

/* HAL-FREE-06 [C]: the set stays held. Its counters stay as they are, as those
 * of a set that is freed do (HAL-FREE-03b [C]). */
static void report_set(
    struct kernel *kernel, struct cpu *cpu, struct counter_set *set)
{
    const struct bugcheck_parameter parameter[4] = {{.name = "counter set"}};
    enum routine routine = ROUTINE_HalAllocateHardwareCounters;
    struct running running;

    if (ruling_is(kernel, RULED_HAL_FREE_06_fatal)) {
        rule_stop_with(kernel, cpu, RULE_LEAK_COUNTER_SET, routine, set->place,
            BUGCHECK_DRIVER_VERIFIER_DETECTED_VIOLATION, parameter);
    }
    rule_warn_at(kernel, cpu, RULE_LEAK_COUNTER_SET, routine, set->place);
    if (set_is_running(kernel, set, &running)) {
        rule_warn_at(
            kernel, cpu, RULE_LEAK_COUNTER_RUNNING, routine, set->place);
    }
    if (ruling_is(kernel, RULED_HAL_FREE_06_release)) {
        release_set(kernel, set);
    }
}

/* The first of the driver's sets from this one on. */
static struct counter_set *held_from(
    struct counter_set *set, const struct driver *driver)
{
    while (set != NULL && (set->owner != driver || set->freed)) {
        set = set->next;
    }
    return set;
}

/* Windows itself has no processor; what it does is seen on the first. */
static struct cpu *first_cpu(struct kernel *kernel)
{
    return machine_cpu(kernel->machine, 0);
}

NTSTATUS hal_system_claim(struct kernel *kernel, const struct driver *owner,
    const struct counter_claim *claim)
{
    struct trace *trace = &kernel->machine->trace;
    NTSTATUS status = STATUS_INSUFFICIENT_RESOURCES;
    char number[NT_STATUS_DIGITS];

    assert(claim->handler == NULL);
    if (can_grant(kernel, claim) &&
        arbiter_grant(kernel->arbiter, &kernel->machine->arena, claim, owner) !=
            NULL) {
        status = STATUS_SUCCESS;
    }
    cpu_trace(first_cpu(kernel), &api_events[API_EVENT_SYSTEM_CLAIM],
        trace_text(trace, owner->name),
        trace_text(trace, nt_status_text((uint32_t)status, number)));
    return status;
}

bool hal_system_release(struct kernel *kernel, const struct driver *owner)
{
    struct counter_set *set = held_from(kernel->arbiter->first, owner);
    bool any = set != NULL;

    for (; set != NULL; set = held_from(kernel->arbiter->first, owner)) {
        release_set(kernel, set); /* it has no handler, so nothing waits */
    }
    if (any) {
        cpu_trace(first_cpu(kernel), &api_events[API_EVENT_SYSTEM_RELEASE],
            trace_text(&kernel->machine->trace, owner->name));
    }
    return any;
}

/* Sets may go meanwhile, the one that is reported above all; then the list is
 * gone through anew, which is as much shorter. */
static void report_sets(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    const struct arbiter *arbiter = kernel->arbiter;
    struct counter_set *set = held_from(arbiter->first, driver);

    assert(arbiter_check(arbiter));
    while (set != NULL) {
        uint64_t handle = set->handle;

        assert(set->owner == driver && !set->freed);
        if (leaks_is_news(&set->reported)) {
            report_set(kernel, cpu, set);
        }
        set = arbiter_find(arbiter, handle) == set
                  ? held_from(set->next, driver)
                  : held_from(arbiter->first, driver);
    }
}

const struct leak_source hal_set_leaks = {
    LEAK_COUNTER_SET, list_sets, report_sets, NULL};

static bool name_set(
    struct kernel *kernel, uint64_t value, char *text, size_t size)
{
    unsigned number = arbiter_number(kernel->arbiter, value);

    snprintf(text, size, "set#%u", number);
    return number != 0;
}

const struct show_namer hal_namer = {.handle = name_set};
