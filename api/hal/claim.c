/* claim.c - arguments become a claim: which processors here, which counters in
 * resource_list.c, check by check in the order of facts.md 2.2. */
#include "api/hal/claim.h"

#include "api/core/kernel.h"
#include "api/hal/resource_list.h"
#include "api/mm/copy.h"

static void warn(struct kernel *kernel, enum rule rule)
{
    rule_warn(
        kernel, kernel_cpu(kernel), rule, ROUTINE_HalAllocateHardwareCounters);
}

/* HAL-ALLOC-33a and HAL-ALLOC-33b, both [C]. */
static NTSTATUS decode_group(struct counter_claim *claim, struct kernel *kernel,
    const GROUP_AFFINITY *affinity)
{
    uint64_t active =
        topology_mask(&kernel->machine->topology, affinity->Group);
    uint64_t mask = affinity->Mask;

    if ((mask & ~active) != 0 && ruling_is(kernel, RULED_HAL_ALLOC_33a_drop)) {
        warn(kernel, RULE_HAL_ALLOC_INACTIVE);
        mask &= active;
    }
    if (mask == 0 || (mask & ~active) != 0) {
        return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-33a */
    }
    if (claim->affinity[affinity->Group] != 0 &&
        ruling_is(kernel, RULED_HAL_ALLOC_33b_invalid)) {
        return STATUS_INVALID_PARAMETER;
    }
    claim->affinity[affinity->Group] |= mask; /* HAL-ALLOC-33b */
    return STATUS_SUCCESS;
}

static NTSTATUS decode_affinity(struct counter_claim *claim,
    struct kernel *kernel, const GROUP_AFFINITY *from, ULONG count)
{
    bool reserved = false;

    for (ULONG i = 0; i < count; i++) {
        GROUP_AFFINITY affinity;
        NTSTATUS status;

        copy_in(kernel, ROUTINE_HalAllocateHardwareCounters, &affinity,
            from + i, sizeof(affinity));
        status = decode_group(claim, kernel, &affinity);
        if (!NT_SUCCESS(status)) {
            return status;
        }
        reserved |= affinity.Reserved[0] != 0 || affinity.Reserved[1] != 0 ||
                    affinity.Reserved[2] != 0;
    }
    if (!reserved || ruling_is(kernel, RULED_HAL_ALLOC_36b_silent)) {
        return STATUS_SUCCESS;
    }
    warn(kernel, RULE_HAL_ALLOC_RESERVED); /* HAL-ALLOC-36b [C] */
    return ruling_is(kernel, RULED_HAL_ALLOC_36b_reject)
               ? STATUS_INVALID_PARAMETER
               : STATUS_SUCCESS;
}

static void decode_all_processors(
    struct counter_claim *claim, const struct topology *topology)
{
    for (uint32_t group = 0; group < topology->groups; group++) {
        claim->affinity[group] = topology_mask(topology, group);
    }
}

/* The whole PMU, of chosen processors: HAL-ALLOC-03b [C]. */
static NTSTATUS decode_exclusive(
    struct counter_claim *claim, const struct kernel *kernel)
{
    if (ruling_is(kernel, RULED_HAL_ALLOC_03b_all)) {
        decode_all_processors(claim, &kernel->machine->topology);
    }
    return ruling_is(kernel, RULED_HAL_ALLOC_03b_invalid)
               ? STATUS_INVALID_PARAMETER
               : STATUS_SUCCESS;
}

/* Which processors and counters. */
static NTSTATUS decode_resources(struct counter_claim *claim,
    struct kernel *kernel, PGROUP_AFFINITY GroupAffinty, ULONG GroupCount,
    PPHYSICAL_COUNTER_RESOURCE_LIST ResourceList)
{
    NTSTATUS status = STATUS_SUCCESS;

    *claim = (struct counter_claim){.exclusive = ResourceList == NULL};
    if (GroupAffinty == NULL) {
        decode_all_processors(claim, &kernel->machine->topology);
    } else {
        status = decode_affinity(claim, kernel, GroupAffinty, GroupCount);
    }
    if (NT_SUCCESS(status) && ResourceList != NULL) {
        status = resource_list_decode(claim, kernel, ResourceList);
    }
    if (NT_SUCCESS(status) && claim->exclusive && GroupAffinty != NULL) {
        status = decode_exclusive(claim, kernel);
    }
    return status;
}

NTSTATUS claim_decode(struct counter_claim *claim, struct kernel *kernel,
    PGROUP_AFFINITY GroupAffinty, ULONG GroupCount,
    PPHYSICAL_COUNTER_RESOURCE_LIST ResourceList)
{
    if (GroupAffinty == NULL && GroupCount > 0) {
        return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-31a */
    }
    if (GroupAffinty != NULL && GroupCount == 0) {
        if (!ruling_is(kernel, RULED_HAL_ALLOC_31b_all)) {
            return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-31b [C] */
        }
        GroupAffinty = NULL;
    }
    if (!kernel->os->lists && (GroupAffinty != NULL || ResourceList != NULL)) {
        /* HAL-ALLOC-11 [C], HAL-ALLOC-32 */
        if (!ruling_is(kernel, RULED_HAL_ALLOC_11_ignore)) {
            return ruling_is(kernel, RULED_HAL_ALLOC_11_not_supported)
                       ? STATUS_NOT_SUPPORTED
                       : STATUS_INVALID_PARAMETER;
        }
        GroupAffinty = NULL;
        ResourceList = NULL;
    }
    return decode_resources(
        claim, kernel, GroupAffinty, GroupCount, ResourceList);
}
