/* sampling.c - general counter 0 is asked for by name, with an interrupt that
 * we handle, on all processors. Only Windows 10 1903 and later honour such a
 * list (HAL-ALLOC-12). Before, it has to be NULL (HAL-ALLOC-10): the whole PMU
 * is granted, but nobody can register a handler, so there START is
 * STATUS_NOT_SUPPORTED and nothing has changed. */
#include "scenarios/drivers/sampler/sampling.h"

#include <intrin.h>

#include "scenarios/drivers/sampler/defects.h"
#include "scenarios/drivers/sampler/ring.h"

enum {
    CPUID_PMU = 0x0A,
    COUNTER = 0,
    IA32_PMC0 = 0x0C1,
    IA32_PERFEVTSEL0 = 0x186,
    IA32_PERF_GLOBAL_CTRL = 0x38F,
    SELECT_INT = 1 << 20,
    SELECT_EN = 1 << 22,
    SELECT_MASK = SAMPLER_KERNEL | SAMPLER_USER | 0xFFFF,
};

/* Everything the handler touches is resident: this, and the rings. */
static struct sampling {
    HANDLE set; /* NULL: not sampling */
    ULONG64 select;
    ULONG64 preset; /* so that the period's last event wraps the counter */
    ULONG processors;
    struct ring **volatile ring; /* one a processor; NULL: none */
    /* For planted mistakes only. */
    KSPIN_LOCK lock;
    VOID (*stopped)(VOID);
} sampling;

static VOID overflow(ULONGLONG OverflowBits, HANDLE OwningHandle);

#if defined(ALLOC_PRAGMA) && DEFECT == DEFECT_HANDLER_PAGED
#pragma alloc_text(PAGE, overflow)
#endif
#if defined(ALLOC_PRAGMA) && DEFECT == DEFECT_HANDLER_DISCARDED
#pragma alloc_text(INIT, overflow)
#endif

/* What a handler must not do, in the variants that do it. */
static VOID misbehave(VOID)
{
    KIRQL irql;

    if (DEFECT == DEFECT_HANDLER_LOCKS) {
        KeAcquireSpinLock(&sampling.lock, &irql);
        KeReleaseSpinLock(&sampling.lock, irql);
    }
    if (DEFECT == DEFECT_HANDLER_PRINTS) {
        DbgPrint("sampler: overflow\n");
    }
    if (DEFECT == DEFECT_HANDLER_LOWERS) {
        KeRaiseIrql(HIGH_LEVEL, &irql);
        KeLowerIrql(DISPATCH_LEVEL);
    }
    if (DEFECT == DEFECT_HANDLER_STALLS) {
        for (ULONG i = 0; i < 3000; i++) {
            YieldProcessor();
        }
    }
}

/* At PROFILE_LEVEL, on the processor whose counter has wrapped. The HAL clears
 * the overflow, the count is ours to set again (HAL-OVF-06c). There may be no
 * rings yet: whoever had the counter before may have left it running. */
static VOID overflow(ULONGLONG OverflowBits, HANDLE OwningHandle)
{
    ULONG processor = KeGetCurrentProcessorNumberEx(NULL);
    struct ring **ring = sampling.ring;
    struct sampler_sample sample = {.OverflowBits = OverflowBits,
        .Processor = processor,
        .Count = __readpmc(COUNTER)};

    UNREFERENCED_PARAMETER(OwningHandle);
    __writemsr(IA32_PMC0 + COUNTER, sampling.preset);
    misbehave();
    if (ring != NULL && processor < sampling.processors) {
        ring_put(ring[processor], &sample);
    }
}

/* On every processor at once, at IPI_LEVEL. */
static ULONG_PTR NTAPI start_here(ULONG_PTR context)
{
    UNREFERENCED_PARAMETER(context);
    if (DEFECT == DEFECT_WORKER_ALLOCATES) {
        ExFreePoolWithTag(
            ExAllocatePoolWithTag(NonPagedPoolNx, 64, SAMPLER_TAG),
            SAMPLER_TAG);
    }
    __writemsr(IA32_PERFEVTSEL0 + COUNTER, 0);
    __writemsr(IA32_PMC0 + COUNTER, sampling.preset);
    __writemsr(IA32_PERF_GLOBAL_CTRL,
        __readmsr(IA32_PERF_GLOBAL_CTRL) | 1ULL << COUNTER);
    __writemsr(IA32_PERFEVTSEL0 + COUNTER, sampling.select);
    return 0;
}

static ULONG_PTR NTAPI stop_here(ULONG_PTR context)
{
    UNREFERENCED_PARAMETER(context);
    __writemsr(IA32_PERFEVTSEL0 + COUNTER, 0);
    __writemsr(IA32_PMC0 + COUNTER, 0);
    return 0;
}

static VOID free_rings(struct ring **ring, ULONG count)
{
    for (ULONG i = 0; i < count; i++) {
        ring_free(ring[i]);
    }
    if (DEFECT != DEFECT_RING_FREED) {
        ExFreePoolWithTag(ring, SAMPLER_TAG);
    }
}

VOID sampling_discard(VOID)
{
    struct ring **ring = sampling.ring;

    if (ring == NULL) {
        return;
    }
    if (DEFECT != DEFECT_RING_FREED) {
        sampling.ring = NULL;
    }
    free_rings(ring, DEFECT == DEFECT_RING_LEAKED ? 0 : sampling.processors);
}

/* A ring for each processor there is now. */
static NTSTATUS make_rings(ULONG capacity)
{
    ULONG processors = KeQueryActiveProcessorCountEx(ALL_PROCESSOR_GROUPS);
    ULONG room = DEFECT == DEFECT_4_PROCESSORS ? 4 : processors;
    struct ring **ring = ExAllocatePoolWithTag(
        NonPagedPoolNx, room * sizeof(ring[0]), SAMPLER_TAG);

    if (ring == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    for (ULONG i = 0; i < processors; i++) {
        ring[i] = ring_make(capacity);
        if (ring[i] == NULL) {
            free_rings(ring, i);
            return STATUS_INSUFFICIENT_RESOURCES;
        }
    }
    /* The handler sees the number before it sees the rings. */
    sampling.processors = processors;
    _ReadWriteBarrier();
    sampling.ring = ring;
    return STATUS_SUCCESS;
}

/* Counter 0 and its interrupt, of the processors of these groups. */
static NTSTATUS claim_counter(PGROUP_AFFINITY group, USHORT groups)
{
    SIZE_T size = FIELD_OFFSET(PHYSICAL_COUNTER_RESOURCE_LIST, Descriptors) +
                  2 * sizeof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR);
    PPHYSICAL_COUNTER_RESOURCE_LIST list =
        ExAllocatePoolWithTag(PagedPool, size, SAMPLER_TAG);
    PPHYSICAL_COUNTER_RESOURCE_DESCRIPTOR descriptor;
    NTSTATUS status;

    if (list == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    RtlZeroMemory(list, size);
    list->Count = 2;
    descriptor = list->Descriptors;
    descriptor[0].Type = ResourceTypeSingle;
    descriptor[0].u.CounterIndex = COUNTER;
    descriptor[1].Type = ResourceTypeOverflow;
    descriptor[1].u.OverflowHandler = overflow;
    status = HalAllocateHardwareCounters(group, groups, list, &sampling.set);
    ExFreePoolWithTag(list, SAMPLER_TAG);
    if (DEFECT == DEFECT_FREED_TWICE) {
        ExFreePoolWithTag(list, SAMPLER_TAG);
    }
    return status;
}

/* The list is right, so that it is an invalid parameter means that this Windows
 * wants NULL (HAL-ALLOC-11). */
static NTSTATUS claim(VOID)
{
    USHORT groups = KeQueryActiveGroupCount();
    SIZE_T size = groups * sizeof(GROUP_AFFINITY);
    PGROUP_AFFINITY group = ExAllocatePoolWithTag(PagedPool, size, SAMPLER_TAG);
    NTSTATUS status;

    if (group == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    RtlZeroMemory(group, size);
    for (USHORT i = 0; i < groups; i++) {
        group[i].Group = i;
        group[i].Mask = KeQueryGroupAffinity(i);
    }
    status = claim_counter(group, groups);
    ExFreePoolWithTag(group, SAMPLER_TAG);
    if (DEFECT == DEFECT_STATUS_UNCHECKED) {
        return STATUS_SUCCESS;
    }
    return status == STATUS_INVALID_PARAMETER ? STATUS_NOT_SUPPORTED : status;
}

static BOOLEAN has_counter(VOID)
{
    int leaf[4];

    __cpuid(leaf, 0);
    if (leaf[0] < CPUID_PMU) {
        return FALSE;
    }
    __cpuid(leaf, CPUID_PMU);
    return (leaf[0] & 0xFF) >= 2 && (leaf[0] >> 8 & 0xFF) > COUNTER;
}

static BOOLEAN is_valid(const struct sampler_start *start)
{
    return (start->Select & ~(ULONG)SELECT_MASK) == 0 &&
           (start->Select & (SAMPLER_USER | SAMPLER_KERNEL)) != 0 &&
           start->Period >= SAMPLER_PERIOD_MIN &&
           start->Period <= SAMPLER_PERIOD_MAX && start->Capacity > 0 &&
           start->Capacity <= SAMPLER_CAPACITY_MAX;
}

NTSTATUS sampling_start(const struct sampler_start *start)
{
    NTSTATUS status;

    if (sampling.set != NULL) {
        return STATUS_PROFILING_NOT_STOPPED;
    }
    if (!is_valid(start)) {
        return STATUS_INVALID_PARAMETER;
    }
    if (!has_counter()) {
        return STATUS_NOT_SUPPORTED;
    }
    sampling_discard();
    status = claim();
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = make_rings(start->Capacity);
    if (!NT_SUCCESS(status)) {
        HalFreeHardwareCounters(sampling.set);
        sampling.set = NULL;
        return status;
    }
    sampling.select = start->Select | SELECT_INT | SELECT_EN;
    sampling.preset = 0 - (ULONG64)start->Period;
    KeIpiGenericCall(start_here, 0);
    return STATUS_SUCCESS;
}

/* Counters stop before the set is freed (HAL-FREE-03a); when that returns, no
 * handler runs any more. */
static VOID keep_lock(VOID)
{
    KIRQL irql;

    KeAcquireSpinLock(&sampling.lock, &irql);
    KeLowerIrql(irql);
}

NTSTATUS sampling_stop(VOID)
{
    HANDLE set = sampling.set;
    NTSTATUS status = STATUS_SUCCESS;

    if (set == NULL) {
        return STATUS_PROFILING_NOT_STARTED;
    }
    sampling.set = NULL;
    if (DEFECT == DEFECT_HANDLE_LOST) {
        set = sampling.set;
    }
    if (DEFECT != DEFECT_STILL_RUNNING) {
        KeIpiGenericCall(stop_here, 0);
    }
    if (DEFECT != DEFECT_SET_LEAKED) {
        status = HalFreeHardwareCounters(set);
    }
    if (DEFECT == DEFECT_LOCK_KEPT) {
        keep_lock();
    }
    if (DEFECT == DEFECT_NULL_CALL) {
        sampling.stopped();
    }
    if (DEFECT == DEFECT_RING_FREED) {
        sampling_discard();
    }
    return status;
}

/* Instead of ring_take(), where a mistake is planted: a frame of 1.5 KiB for
 * each sample. */
static ULONG take_deep(
    struct ring *ring, struct sampler_sample *sample, ULONG room)
{
    struct sampler_sample copy[64];

    if (room == 0 || ring_take(ring, copy, 1) == 0) {
        return 0;
    }
    *sample = copy[0];
    return 1 + take_deep(ring, sample + 1, room - 1);
}

NTSTATUS sampling_read(
    ULONG processor, struct sampler_sample *sample, ULONG *count)
{
    struct ring *ring;

    if (sampling.ring == NULL || processor >= sampling.processors) {
        return STATUS_INVALID_PARAMETER;
    }
    ring = sampling.ring[processor];
    *count = DEFECT == DEFECT_STACK_OVERFLOW ? take_deep(ring, sample, *count)
                                             : ring_take(ring, sample, *count);
    return STATUS_SUCCESS;
}
