/* claim.c - arguments become a claim.
 *
 * The list is read once, because a driver could change it meanwhile, and what
 * was seen is noted. Then the checks run one after another over the notes, in
 * the order of facts.md 2.2, each over the whole list before the next.
 */
#include "api/hal/claim.h"

#include <stddef.h>

#include "api/kernel.h"
#include "api/mm/copy.h"
#include "sim/bits.h"

/* What a resource list holds. */
struct list_notes {
    ULONG count;         /* descriptors */
    uint32_t of_type[6]; /* descriptors, by type */
    bool type_unknown;   /* a type >= ResourceTypeMax */
    bool flags;          /* a descriptor with Flags */
    bool index_missing;  /* Single or Range off the index map */
    bool index_twice;
    bool handler_null;       /* Overflow */
    bool event_handler_null; /* EventBuffer */
    bool event_entry_size, event_threshold_zero;
};

static NTSTATUS decode_affinity(struct counter_claim *claim,
    struct kernel *kernel, const GROUP_AFFINITY *from, ULONG count)
{
    const struct topology *topology = &kernel->machine->topology;
    bool reserved = false;

    for (ULONG i = 0; i < count; i++) {
        GROUP_AFFINITY affinity;

        copy_in(kernel, ROUTINE_HalAllocateHardwareCounters, &affinity,
            from + i, sizeof(affinity));
        if (affinity.Mask == 0 ||
            (affinity.Mask & ~topology_mask(topology, affinity.Group)) != 0) {
            return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-33a [C] */
        }
        reserved |= affinity.Reserved[0] != 0 || affinity.Reserved[1] != 0 ||
                    affinity.Reserved[2] != 0;
        claim->affinity[affinity.Group] |=
            affinity.Mask; /* HAL-ALLOC-33b [C] */
    }
    if (reserved) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_HAL_ALLOC_RESERVED,
            ROUTINE_HalAllocateHardwareCounters); /* HAL-ALLOC-36b [C] */
    }
    return STATUS_SUCCESS;
}

static void decode_all_processors(
    struct counter_claim *claim, const struct topology *topology)
{
    for (uint32_t group = 0; group < topology->groups; group++) {
        claim->affinity[group] = topology_mask(topology, group);
    }
}

/* Adds the counters from `begin` to `end`, both included (HAL-TYPE-05b [C]).
 * Every processor has the same index map. */
static void note_counters(struct counter_claim *claim, struct list_notes *notes,
    uint64_t map, ULONG begin, ULONG end)
{
    uint64_t wanted;

    if (begin > end || end > 63) {
        notes->index_missing = true;
        return;
    }
    wanted = bits_low(end - begin + 1) << begin;
    notes->index_missing |= (wanted & ~map) != 0;
    notes->index_twice |= (wanted & claim->counters) != 0;
    claim->counters |= wanted;
}

static void note_event_buffer(struct list_notes *notes,
    const PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION *event)
{
    notes->event_handler_null |= event->OverflowHandler == NULL;
    notes->event_entry_size |= event->CustomEventBufferEntrySize != 0;
    notes->event_threshold_zero |= event->EventThreshold == 0;
}

static void note_descriptor(struct counter_claim *claim,
    struct list_notes *notes, uint64_t map,
    const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR *descriptor)
{
    switch (descriptor->Type) {
    case ResourceTypeSingle:
        note_counters(claim, notes, map, descriptor->u.CounterIndex,
            descriptor->u.CounterIndex);
        break;
    case ResourceTypeRange:
        note_counters(claim, notes, map, descriptor->u.Range.Begin,
            descriptor->u.Range.End);
        break;
    case ResourceTypeOverflow:
        notes->handler_null |= descriptor->u.OverflowHandler == NULL;
        claim->handler = descriptor->u.OverflowHandler;
        break;
    case ResourceTypeEventBuffer:
        note_event_buffer(notes, &descriptor->u.EventBufferConfiguration);
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
    uint64_t map = kernel->counters;
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
        notes->of_type[type]++;
        note_descriptor(claim, notes, map, &descriptor);
    }
}

/* HAL-ALLOC-34 to HAL-ALLOC-37c, all [C]. */
static NTSTATUS check_counters(
    const struct list_notes *notes, struct kernel *kernel)
{
    if (notes->count == 0) {
        return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-34 */
    }
    if (notes->of_type[ResourceTypeExtendedCounterConfiguration] > 0) {
        return STATUS_NOT_SUPPORTED; /* HAL-ALLOC-23, HAL-ALLOC-35a */
    }
    if (notes->type_unknown) {
        return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-35b */
    }
    if (notes->flags) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_HAL_ALLOC_FLAGS,
            ROUTINE_HalAllocateHardwareCounters); /* HAL-ALLOC-36a */
    }
    if (notes->index_missing || notes->index_twice) {
        return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-37a, 37b, 37c */
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

    if (notes->handler_null || overflows > 1) {
        return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-38a, 38b */
    }
    if (overflows == 1 && counters == 0) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_HAL_ALLOC_LONE_OVERFLOW,
            ROUTINE_HalAllocateHardwareCounters); /* HAL-ALLOC-38c */
    }
    if (notes->of_type[ResourceTypeIdenitificationTag] == notes->count) {
        return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-38e */
    }
    return STATUS_SUCCESS;
}

/* HAL-ALLOC-39a to HAL-ALLOC-40b, all [C]. No model has an event buffer. */
static NTSTATUS check_event_buffer(const struct list_notes *notes)
{
    uint32_t buffers = notes->of_type[ResourceTypeEventBuffer];

    if (notes->event_handler_null || notes->event_entry_size ||
        notes->event_threshold_zero || buffers > 1) {
        return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-39a to 39d */
    }
    if (buffers == 1) {
        return STATUS_NOT_SUPPORTED; /* HAL-ALLOC-39e */
    }
    if (notes->of_type[ResourceTypeIdenitificationTag] > 1) {
        return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-40b */
    }
    return STATUS_SUCCESS;
}

static NTSTATUS decode_list(struct counter_claim *claim, struct kernel *kernel,
    const PHYSICAL_COUNTER_RESOURCE_LIST *list)
{
    struct list_notes notes = {0};
    NTSTATUS status;

    read_list(claim, &notes, kernel, list);
    status = check_counters(&notes, kernel);
    if (NT_SUCCESS(status)) {
        status = check_overflow(&notes, kernel);
    }
    if (NT_SUCCESS(status)) {
        status = check_event_buffer(&notes);
    }
    return status;
}

NTSTATUS claim_decode(struct counter_claim *claim, struct kernel *kernel,
    PGROUP_AFFINITY GroupAffinty, ULONG GroupCount,
    PPHYSICAL_COUNTER_RESOURCE_LIST ResourceList)
{
    NTSTATUS status = STATUS_SUCCESS;

    *claim = (struct counter_claim){.exclusive = ResourceList == NULL};
    if ((GroupAffinty == NULL) != (GroupCount == 0)) {
        return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-31a, 31b [C] */
    }
    if (!kernel->os->lists && (GroupAffinty != NULL || ResourceList != NULL)) {
        return STATUS_INVALID_PARAMETER; /* HAL-ALLOC-11 [C], HAL-ALLOC-32 */
    }
    if (GroupAffinty == NULL) {
        decode_all_processors(claim, &kernel->machine->topology);
    } else {
        status = decode_affinity(claim, kernel, GroupAffinty, GroupCount);
    }
    if (NT_SUCCESS(status) && ResourceList != NULL) {
        status = decode_list(claim, kernel, ResourceList);
    }
    return status;
}
