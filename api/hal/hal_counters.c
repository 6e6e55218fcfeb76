/* hal_counters.c - HalAllocateHardwareCounters and HalFreeHardwareCounters.
 *
 * A call has two halves: decode checks every argument and changes nothing,
 * grant changes state and cannot fail. So no call can stop half done. */
#include <string.h>

#include "api/core/exports.h"
#include "api/core/kernel.h"
#include "api/hal/claim.h"
#include "api/image/place.h"
#include "api/mm/copy.h"
#include "sim/base/bits.h"
#include "sim/machine/strand.h"

/* The last act of an allocation: the handle, NULL on every failure
 * (HAL-ALLOC-05, HAL-ALLOC-06 [C]). */
static NTSTATUS answer(
    struct kernel *kernel, PHANDLE to, uint64_t handle, NTSTATUS status)
{
    if (!NT_SUCCESS(status) && status != STATUS_INSUFFICIENT_RESOURCES &&
        ruling_is(kernel, RULED_HAL_ALLOC_06_insufficient_only)) {
        return status;
    }
    copy_out(kernel, ROUTINE_HalAllocateHardwareCounters, to, &handle,
        sizeof(handle));
    return status;
}

/* Whether a set with a handler of its own has one of the processors. */
static bool handler_in_the_way(
    const struct arbiter *arbiter, const struct counter_claim *claim)
{
    for (const struct counter_set *set = arbiter->first; set != NULL;
         set = set->next) {
        for (unsigned group = 0; group < LIMIT_GROUPS; group++) {
            if (set->claim.handler != NULL &&
                (set->claim.affinity[group] & claim->affinity[group]) != 0) {
                return true;
            }
        }
    }
    return false;
}

/* HAL-ALLOC-51 and HAL-ALLOC-52, both [C]. */
static bool can_grant(struct kernel *kernel, const struct counter_claim *claim)
{
    struct counter_claim wide = *claim;

    if (ruling_is(kernel, RULED_HAL_ALLOC_51_index)) {
        memset(wide.affinity, 0xFF, sizeof(wide.affinity));
    }
    if (claim->handler != NULL &&
        ruling_is(kernel, RULED_HAL_ALLOC_52_exclusive) &&
        handler_in_the_way(&kernel->arbiter, claim)) {
        return false;
    }
    return arbiter_can_grant(&kernel->arbiter, &wide);
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

NTSTATUS HalAllocateHardwareCounters_body(
    PGROUP_AFFINITY GroupAffinty, /* [sic], as in the WDK */
    ULONG GroupCount, PPHYSICAL_COUNTER_RESOURCE_LIST ResourceList,
    PHANDLE CounterSetHandle)
{
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    struct counter_claim claim;
    struct counter_set *set = NULL;
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
    if (can_grant(kernel, &claim)) {
        set = arbiter_grant(&kernel->arbiter, &kernel->machine->arena, &claim,
            kernel_driver(kernel, cpu));
    }
    if (set == NULL) {
        return answer(kernel, CounterSetHandle, 0,
            STATUS_INSUFFICIENT_RESOURCES); /* HAL-ALLOC-21 */
    }
    set->place = place_current(kernel);
    return answer(kernel, CounterSetHandle, set->handle, STATUS_SUCCESS);
}

NTSTATUS HalAllocateHardwareCounters_failed(PVOID output, NTSTATUS status)
{
    struct kernel *kernel = kernel_current();

    return output == NULL ? refuse_no_handle(kernel)
                          : answer(kernel, output, 0, status);
}

/* Whether a counter of the set still counts somewhere. */
static bool set_is_running(struct kernel *kernel, const struct counter_set *set)
{
    for (uint32_t i = 0; i < kernel->machine->config.processors; i++) {
        const struct cpu *cpu = machine_cpu(kernel->machine, i);

        if ((arbiter_held(set, cpu->group, cpu->number) &
                hal_pmu_running(&kernel->pmu, cpu)) != 0) {
            return true;
        }
    }
    return false;
}

static bool set_is_quiet(void *context)
{
    return ((const struct counter_set *)context)->handlers == 0;
}

NTSTATUS HalFreeHardwareCounters_body(HANDLE CounterSetHandle)
{
    struct kernel *kernel = kernel_current();
    uint64_t handle = (uint64_t)(uintptr_t)CounterSetHandle;
    struct counter_set *set = arbiter_find(&kernel->arbiter, handle);

    if (set == NULL) {
        if (arbiter_number(&kernel->arbiter, handle) != 0) {
            rule_warn(kernel, kernel_cpu(kernel), RULE_HAL_FREE_TWICE,
                ROUTINE_HalFreeHardwareCounters);
        }
        return STATUS_INVALID_PARAMETER; /* HAL-FREE-02a, HAL-FREE-02b [C] */
    }
    if (set_is_running(kernel, set) &&
        !ruling_is(kernel, RULED_HAL_FREE_03b_silent)) {
        /* The hardware stays as it is (HAL-FREE-03b [C]). */
        rule_warn(kernel, kernel_cpu(kernel), RULE_HAL_FREE_RUNNING,
            ROUTINE_HalFreeHardwareCounters);
    }
    arbiter_end(set);
    /* A handler of the set may be running elsewhere (HAL-FREE-04b [C]); until
     * it has ended nobody else gets its counters (HAL-ALLOC-50). */
    strand_wait(kernel->machine, STRAND_SPINNING, set_is_quiet, set);
    arbiter_reclaim(&kernel->arbiter, set);
    return STATUS_SUCCESS;
}
