/* claim.c - the arguments of HalAllocateHardwareCounters decoded into a claim:
 * which processors, which counters, check by check in the order of facts.md
 * 2.2. */
#include "api/hal/claim.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/hal/arbiter.h"
#include "api/hal/event_buffer.h"
#include "api/hal/handler_section.h"
#include "api/hal/list_layout.h"
#include "api/hal/pmu.h"
#include "api/mm/copy.h"
#include "sim/base/bits.h"

/* What a resource list holds. */
struct list_notes {
    struct hal_pmu_map map; /* of the selected processors */
    ULONG count;            /* descriptors */
    uint32_t of_type[6];    /* descriptors, by type */
    bool type_unknown;      /* a type >= ResourceTypeMax */
    bool flags;             /* a descriptor with Flags */
    bool single_missing;    /* off the index map */
    bool range_missing;     /* likewise, or backwards */
    bool index_twice;
    bool handler_null;       /* Overflow */
    bool event_handler_null; /* EventBuffer */
    bool event_entry_size, event_threshold_zero;
};

static void warn(struct kernel *kernel, enum rule rule)
{
    rule_warn(
        kernel, kernel_cpu(kernel), rule, ROUTINE_HalAllocateHardwareCounters);
}

/* Bit n = index n; 0 when the block is backwards or ends above 63. */
static uint64_t counters_between(ULONG begin, ULONG end)
{
    return begin > end || end > 63 ? 0 : bits_low(end - begin + 1) << begin;
}

/* Returns whether there are such counters in that index map. */
static bool note_counters(struct counter_claim *claim, struct list_notes *notes,
    uint64_t map, uint64_t wanted)
{
    assert(!claim->exclusive);
    notes->index_twice |= (wanted & claim->counters) != 0;
    claim->counters |= wanted;
    return wanted != 0 && (wanted & ~map) == 0;
}

/* HAL-ALLOC-37a [C]. */
static void note_single(struct counter_claim *claim, struct list_notes *notes,
    const struct kernel *kernel, ULONG index)
{
    uint64_t map = ruling_is(kernel, RULED_HAL_ALLOC_37a_one_processor)
                       ? notes->map.any
                       : notes->map.each;

    notes->single_missing |=
        !note_counters(claim, notes, map, counters_between(index, index));
}

static void note_range(struct counter_claim *claim, struct list_notes *notes,
    const struct kernel *kernel, ULONG begin, ULONG end)
{
    uint64_t wanted;

    if (ruling_is(kernel, RULED_HAL_TYPE_05b_exclusive)) {
        wanted = end == 0 ? 0 : counters_between(begin, end - 1);
    } else {
        wanted = counters_between(begin, end); /* HAL-TYPE-05b [C] */
    }
    if (ruling_is(kernel, RULED_HAL_ALLOC_37b_holes)) {
        if (wanted == 0 && begin <= end) {
            wanted = counters_between(begin, 63);
        }
        wanted &= notes->map.each;
    }
    notes->range_missing |=
        !note_counters(claim, notes, notes->map.each, wanted);
}

static void note_handler(struct counter_claim *claim, struct list_notes *notes,
    const struct kernel *kernel, PPHYSICAL_COUNTER_OVERFLOW_HANDLER handler)
{
    assert(notes->of_type[ResourceTypeOverflow] > 0); /* this one */
    if (notes->of_type[ResourceTypeOverflow] > 1 &&
        ruling_is(kernel, RULED_HAL_ALLOC_38b_first)) {
        return;
    }
    notes->handler_null |= handler == NULL;
    claim->handler = handler;
}

static void note_event_buffer(struct counter_claim *claim,
    struct list_notes *notes, const struct kernel *kernel,
    const PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION *event)
{
    assert(notes->of_type[ResourceTypeEventBuffer] > 0);
    if (notes->of_type[ResourceTypeEventBuffer] > 1 &&
        ruling_is(kernel, RULED_HAL_ALLOC_39d_first)) {
        return;
    }
    notes->event_handler_null |= event->OverflowHandler == NULL;
    notes->event_entry_size |= event->CustomEventBufferEntrySize != 0;
    notes->event_threshold_zero |= event->EventThreshold == 0;
    claim->events = event->OverflowHandler;
    claim->threshold = event->EventThreshold == 0 ? 1 : event->EventThreshold;
}

/* A descriptor that has been counted by its type. */
static void note_descriptor(struct counter_claim *claim,
    struct list_notes *notes, const struct kernel *kernel,
    const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR *descriptor)
{
    switch (descriptor->Type) {
    case ResourceTypeSingle:
        note_single(claim, notes, kernel, descriptor->u.CounterIndex);
        break;
    case ResourceTypeRange:
        note_range(claim, notes, kernel, descriptor->u.Range.Begin,
            descriptor->u.Range.End);
        break;
    case ResourceTypeOverflow:
        note_handler(claim, notes, kernel, descriptor->u.OverflowHandler);
        break;
    case ResourceTypeEventBuffer:
        note_event_buffer(
            claim, notes, kernel, &descriptor->u.EventBufferConfiguration);
        break;
    case ResourceTypeIdenitificationTag:
        claim->tag = descriptor->u.IdentificationTag; /* HAL-ALLOC-40a [C] */
        break;
    case ResourceTypeExtendedCounterConfiguration:
    case ResourceTypeMax:
        break;
    }
}

static void read_list(struct counter_claim *claim, struct list_notes *notes,
    struct kernel *kernel, const PHYSICAL_COUNTER_RESOURCE_LIST *list)
{
    const char *at = (const char *)list;

    copy_in(kernel, ROUTINE_HalAllocateHardwareCounters, &notes->count, list,
        sizeof(notes->count));
    at += offsetof(PHYSICAL_COUNTER_RESOURCE_LIST, Descriptors);
    for (ULONG i = 0; i < notes->count; i++) {
        PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR descriptor;
        uint32_t type;

        copy_in(kernel, ROUTINE_HalAllocateHardwareCounters, &descriptor, at,
            sizeof(descriptor));
        at += sizeof(descriptor);
        type = (uint32_t)descriptor.Type;
        notes->flags |= descriptor.Flags != 0;
        if (type >= kernel->os->type_max) {
            notes->type_unknown = true;
            continue;
        }
        assert(type < sizeof(notes->of_type) / sizeof(notes->of_type[0]));
        notes->of_type[type]++;
        note_descriptor(claim, notes, kernel, &descriptor);
    }
}

/* Invalid, unless flipped to one of these two. */
static NTSTATUS refusal(const struct kernel *kernel, enum ruled not_supported,
    enum ruled insufficient)
{
    if (ruling_is(kernel, not_supported)) {
        return STATUS_NOT_SUPPORTED;
    }
    return ruling_is(kernel, insufficient) ? STATUS_INSUFFICIENT_RESOURCES
                                           : STATUS_INVALID_PARAMETER;
}

/* HAL-ALLOC-35a to HAL-ALLOC-36a, all [C]. */
static NTSTATUS check_descriptors(
    const struct list_notes *notes, struct kernel *kernel)
{
    if (notes->of_type[ResourceTypeExtendedCounterConfiguration] > 0) {
        return STATUS_NOT_SUPPORTED; /* HAL-ALLOC-23, HAL-ALLOC-35a */
    }
    if (notes->type_unknown) {
        return ruling_is(kernel, RULED_HAL_ALLOC_35b_not_supported)
                   ? STATUS_NOT_SUPPORTED
                   : STATUS_INVALID_PARAMETER;
    }
    if (!notes->flags || ruling_is(kernel, RULED_HAL_ALLOC_36a_silent)) {
        return STATUS_SUCCESS;
    }
    warn(kernel, RULE_HAL_ALLOC_FLAGS);
    return ruling_is(kernel, RULED_HAL_ALLOC_36a_reject)
               ? STATUS_INVALID_PARAMETER
               : STATUS_SUCCESS;
}

/* HAL-ALLOC-37a to HAL-ALLOC-37c, all [C]. */
static NTSTATUS check_counters(
    const struct list_notes *notes, struct kernel *kernel)
{
    if (notes->single_missing) {
        return refusal(kernel, RULED_HAL_ALLOC_37a_not_supported,
            RULED_HAL_ALLOC_37a_insufficient);
    }
    if (notes->range_missing) {
        return refusal(kernel, RULED_HAL_ALLOC_37b_not_supported,
            RULED_HAL_ALLOC_37b_insufficient);
    }
    if (notes->index_twice && !ruling_is(kernel, RULED_HAL_ALLOC_37c_accept)) {
        return ruling_is(kernel, RULED_HAL_ALLOC_37c_insufficient)
                   ? STATUS_INSUFFICIENT_RESOURCES
                   : STATUS_INVALID_PARAMETER;
    }
    return STATUS_SUCCESS;
}

/* A handler without counters: HAL-ALLOC-38c [C]. */
static NTSTATUS check_lone_overflow(struct kernel *kernel)
{
    if (ruling_is(kernel, RULED_HAL_ALLOC_38c_invalid)) {
        return STATUS_INVALID_PARAMETER;
    }
    if (!ruling_is(kernel, RULED_HAL_ALLOC_38c_silent)) {
        warn(kernel, RULE_HAL_ALLOC_LONE_OVERFLOW);
    }
    return STATUS_SUCCESS;
}

/* HAL-ALLOC-38a to HAL-ALLOC-38e, all [C]. */
static NTSTATUS check_overflow(
    const struct list_notes *notes, struct kernel *kernel)
{
    uint32_t counters =
        notes->of_type[ResourceTypeSingle] + notes->of_type[ResourceTypeRange];
    uint32_t overflows = notes->of_type[ResourceTypeOverflow];
    NTSTATUS status = STATUS_SUCCESS;

    if ((notes->handler_null &&
            !ruling_is(kernel, RULED_HAL_ALLOC_38a_accept)) ||
        (overflows > 1 && !ruling_is(kernel, RULED_HAL_ALLOC_38b_first))) {
        return STATUS_INVALID_PARAMETER;
    }
    if (overflows > 0 && counters == 0) {
        status = check_lone_overflow(kernel);
    }
    if ((notes->of_type[ResourceTypeEventBuffer] == notes->count &&
            ruling_is(kernel, RULED_HAL_ALLOC_38d_invalid)) ||
        (notes->of_type[ResourceTypeIdenitificationTag] == notes->count &&
            !ruling_is(kernel, RULED_HAL_ALLOC_38e_accept))) {
        return STATUS_INVALID_PARAMETER;
    }
    return status;
}

/* A PMU without an event buffer: HAL-ALLOC-39e [C]. */
static NTSTATUS refuse_event_buffer(const struct kernel *kernel)
{
    if (ruling_is(kernel, RULED_HAL_ALLOC_39e_invalid)) {
        return STATUS_INVALID_PARAMETER;
    }
    return ruling_is(kernel, RULED_HAL_ALLOC_39e_insufficient)
               ? STATUS_INSUFFICIENT_RESOURCES
               : STATUS_NOT_SUPPORTED;
}

/* HAL-ALLOC-39a to HAL-ALLOC-40b, all [C]. */
static NTSTATUS check_event_buffer(
    const struct list_notes *notes, struct kernel *kernel)
{
    uint32_t buffers = notes->of_type[ResourceTypeEventBuffer];

    if (notes->event_handler_null &&
        !ruling_is(kernel, RULED_HAL_ALLOC_39a_accept)) {
        return STATUS_INVALID_PARAMETER;
    }
    if (notes->event_entry_size) {
        if (!ruling_is(kernel, RULED_HAL_ALLOC_39b_event)) {
            return STATUS_INVALID_PARAMETER;
        }
        warn(kernel, RULE_HAL_ALLOC_ENTRY_SIZE);
    }
    if ((notes->event_threshold_zero &&
            !ruling_is(kernel, RULED_HAL_ALLOC_39c_accept)) ||
        (buffers > 1 && !ruling_is(kernel, RULED_HAL_ALLOC_39d_first))) {
        return STATUS_INVALID_PARAMETER;
    }
    if (buffers > 0 && !event_buffers_exist(kernel)) {
        return refuse_event_buffer(kernel);
    }
    if (notes->of_type[ResourceTypeIdenitificationTag] > 1 &&
        !ruling_is(kernel, RULED_HAL_ALLOC_40b_last)) {
        return STATUS_INVALID_PARAMETER;
    }
    return STATUS_SUCCESS;
}

/* Count 0: HAL-ALLOC-34 [C]. */
static NTSTATUS decode_empty(
    struct counter_claim *claim, const struct kernel *kernel)
{
    claim->exclusive = ruling_is(kernel, RULED_HAL_ALLOC_34_all);
    return claim->exclusive || ruling_is(kernel, RULED_HAL_ALLOC_34_success)
               ? STATUS_SUCCESS
               : STATUS_INVALID_PARAMETER;
}

static NTSTATUS resource_list_decode(struct counter_claim *claim,
    struct kernel *kernel, const PHYSICAL_COUNTER_RESOURCE_LIST *list)
{
    static NTSTATUS (*const checks[])(
        const struct list_notes *notes, struct kernel *kernel) = {
        check_descriptors, check_counters, check_overflow, check_event_buffer};
    struct list_notes notes = {.map = hal_pmu_map(kernel, claim->affinity)};
    NTSTATUS status = STATUS_SUCCESS;

    list_layout_check(kernel);
    read_list(claim, &notes, kernel, list);
    if (notes.count == 0) {
        return decode_empty(claim, kernel);
    }
    for (size_t i = 0;
         NT_SUCCESS(status) && i < sizeof(checks) / sizeof(checks[0]); i++) {
        status = checks[i](&notes, kernel);
    }
    if (NT_SUCCESS(status)) {
        handler_section_check(kernel, (uintptr_t)claim->handler);
        handler_section_check(kernel, (uintptr_t)claim->events);
    }
    return status;
}

/* What was odd about an affinity that is accepted all the same. */
struct affinity_notes {
    bool inactive; /* a Mask had bits that were dropped */
    bool reserved; /* a Reserved word is not 0 */
};

/* HAL-ALLOC-33a and HAL-ALLOC-33b, both [C]. */
static NTSTATUS decode_group(struct counter_claim *claim, struct kernel *kernel,
    const GROUP_AFFINITY *affinity, struct affinity_notes *notes)
{
    uint64_t active =
        topology_mask(&kernel->machine->topology, affinity->Group);
    uint64_t mask = affinity->Mask & active;

    if (mask == 0 || (mask != affinity->Mask &&
                         ruling_is(kernel, RULED_HAL_ALLOC_33a_invalid))) {
        return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-33a */
    }
    notes->inactive |= mask != affinity->Mask;
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
    struct affinity_notes notes = {false, false};

    for (ULONG i = 0; i < count; i++) {
        GROUP_AFFINITY affinity;
        NTSTATUS status;

        copy_in(kernel, ROUTINE_HalAllocateHardwareCounters, &affinity,
            from + i, sizeof(affinity));
        status = decode_group(claim, kernel, &affinity, &notes);
        if (!NT_SUCCESS(status)) {
            return status;
        }
        notes.reserved |= affinity.Reserved[0] != 0 ||
                          affinity.Reserved[1] != 0 ||
                          affinity.Reserved[2] != 0;
    }
    if (notes.inactive) {
        warn(kernel, RULE_HAL_ALLOC_INACTIVE); /* HAL-ALLOC-33a [C] */
    }
    if (!notes.reserved || ruling_is(kernel, RULED_HAL_ALLOC_36b_silent)) {
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

/* What the arbiter is going to be asked for. */
static bool claim_check(
    const struct counter_claim *claim, const struct kernel *kernel)
{
    uint64_t processors = 0;

    assert((claim->counters & ~hal_pmu_map(kernel, claim->affinity).any) == 0);
    assert(!claim->exclusive || claim->counters == 0);
    for (uint32_t group = 0; group < LIMIT_GROUPS; group++) {
        uint64_t active = topology_mask(&kernel->machine->topology, group);

        assert((claim->affinity[group] & ~active) == 0);
        processors |= claim->affinity[group];
    }
    assert(processors != 0);
    return true;
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
        claim->later = kernel->machine->topology.processors <
                           kernel->machine->all.processors &&
                       !ruling_is(kernel, RULED_HAL_ALLOC_60_snapshot);
    } else {
        status = decode_affinity(claim, kernel, GroupAffinty, GroupCount);
    }
    if (NT_SUCCESS(status) && ResourceList != NULL) {
        status = resource_list_decode(claim, kernel, ResourceList);
    }
    if (NT_SUCCESS(status) && claim->exclusive && GroupAffinty != NULL) {
        status = decode_exclusive(claim, kernel);
    }
    if (NT_SUCCESS(status)) {
        assert(claim_check(claim, kernel));
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
