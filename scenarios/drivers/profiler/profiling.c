/* profiling.c - general counter 0 counts instructions in ring 3, and the HAL
 * has their PEBS records gathered in an event buffer. What it does with PEBS's
 * registers is its own business but for the value that the counter begins anew
 * with behind each record: that stands in the DS area, and we know it. */
#include "scenarios/drivers/profiler/profiling.h"

#include <intrin.h>

#include "scenarios/drivers/profiler/defects.h"
#include "scenarios/drivers/profiler/places.h"

enum {
    COUNTER = 0,
    IA32_PMC0 = 0x0C1,
    IA32_PERFEVTSEL0 = 0x186,
    IA32_PERF_CAPABILITIES = 0x345,
    IA32_PERF_GLOBAL_CTRL = 0x38F,
    IA32_DS_AREA = 0x600,
    AREA_RESET = 0x40, /* of general counter 0 */
    SELECT = 0x4100C0, /* instructions, in ring 3, enabled, no interrupt */
    RECORD_IP = 0x08,
    RECORD_EVENT_IP = 0xB0, /* of formats 2 and 3 */
};

/* Everything the handler touches is resident: this, and the places. */
static struct profiling {
    HANDLE set; /* NULL: not recording */
    ULONG64 preset;
    SIZE_T ip; /* where a record has the instruction's address */
    ULONG processors;
    struct places **volatile places; /* one a processor; NULL: none */
    /* For planted mistakes only. */
    KSPIN_LOCK lock;
    const volatile UCHAR *kept;
} profiling;

static VOID full(PVOID EventBuffer, SIZE_T EntrySize, SIZE_T NumberOfEntries,
    HANDLE OwningHandle);

#if defined(ALLOC_PRAGMA) && DEFECT == DEFECT_HANDLER_PAGED
#pragma alloc_text(PAGE, full)
#endif

/* At PROFILE_LEVEL, on the processor whose buffer it is. */
static VOID full(PVOID EventBuffer, SIZE_T EntrySize, SIZE_T NumberOfEntries,
    HANDLE OwningHandle)
{
    ULONG processor = KeGetCurrentProcessorNumberEx(NULL);
    struct places **places = profiling.places;
    const UCHAR *entry = EventBuffer;
    SIZE_T size = DEFECT == DEFECT_SIZE_ASSUMED ? 200 : EntrySize;
    SIZE_T count = NumberOfEntries + (DEFECT == DEFECT_ONE_TOO_MANY ? 1 : 0);
    KIRQL irql;

    UNREFERENCED_PARAMETER(OwningHandle);
    if (DEFECT == DEFECT_HANDLER_LOCKS) {
        KeAcquireSpinLock(&profiling.lock, &irql);
        KeReleaseSpinLock(&profiling.lock, irql);
    }
    profiling.kept = EventBuffer;
    if (places == NULL || processor >= profiling.processors) {
        return;
    }
    for (SIZE_T i = 0; i < count; i++) {
        places_put(places[processor],
            *(const ULONG64 *)(entry + i * size + profiling.ip));
    }
}

/* On every processor at once, at IPI_LEVEL: each has a DS area of its own. */
static ULONG_PTR NTAPI start_here(ULONG_PTR context)
{
    ULONG64 area = __readmsr(IA32_DS_AREA);

    UNREFERENCED_PARAMETER(context);
    *(ULONG64 *)(area + AREA_RESET + COUNTER * sizeof(ULONG64)) =
        profiling.preset;
    __writemsr(IA32_PERFEVTSEL0 + COUNTER, 0);
    __writemsr(IA32_PMC0 + COUNTER, profiling.preset & 0xFFFFFFFF);
    __writemsr(IA32_PERF_GLOBAL_CTRL,
        __readmsr(IA32_PERF_GLOBAL_CTRL) | 1ULL << COUNTER);
    __writemsr(IA32_PERFEVTSEL0 + COUNTER, SELECT);
    return 0;
}

static ULONG_PTR NTAPI stop_here(ULONG_PTR context)
{
    UNREFERENCED_PARAMETER(context);
    __writemsr(IA32_PERFEVTSEL0 + COUNTER, 0);
    __writemsr(IA32_PMC0 + COUNTER, 0);
    return 0;
}

static VOID free_places(struct places **places, ULONG count)
{
    for (ULONG i = 0; i < count; i++) {
        places_free(places[i]);
    }
    ExFreePoolWithTag(places, PROFILER_TAG);
}

VOID profiling_discard(VOID)
{
    struct places **places = profiling.places;

    if (places != NULL) {
        profiling.places = NULL;
        free_places(places, profiling.processors);
    }
}

static NTSTATUS make_places(ULONG capacity)
{
    ULONG processors = KeQueryActiveProcessorCountEx(ALL_PROCESSOR_GROUPS);
    struct places **places = ExAllocatePoolWithTag(
        NonPagedPoolNx, processors * sizeof(places[0]), PROFILER_TAG);

    if (places == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    for (ULONG i = 0; i < processors; i++) {
        places[i] = places_make(capacity);
        if (places[i] == NULL) {
            free_places(places, i);
            return STATUS_INSUFFICIENT_RESOURCES;
        }
    }
    /* The handler sees the number before it sees the places. */
    profiling.processors = processors;
    _ReadWriteBarrier();
    profiling.places = places;
    return STATUS_SUCCESS;
}

/* Counter 0 and an event buffer, on all processors. A Windows that knows no
 * such list wants NULL (HAL-ALLOC-11). */
static NTSTATUS claim(ULONG threshold)
{
    SIZE_T size = FIELD_OFFSET(PHYSICAL_COUNTER_RESOURCE_LIST, Descriptors) +
                  2 * sizeof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR);
    PPHYSICAL_COUNTER_RESOURCE_LIST list =
        ExAllocatePoolWithTag(PagedPool, size, PROFILER_TAG);
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
    descriptor[1].Type = ResourceTypeEventBuffer;
    descriptor[1].u.EventBufferConfiguration.OverflowHandler = full;
    descriptor[1].u.EventBufferConfiguration.EventThreshold = threshold;
    status = HalAllocateHardwareCounters(NULL, 0, list, &profiling.set);
    ExFreePoolWithTag(list, PROFILER_TAG);
    return status == STATUS_INVALID_PARAMETER ? STATUS_NOT_SUPPORTED : status;
}

static BOOLEAN is_valid(const struct profiler_start *start)
{
    return start->Period >= PROFILER_PERIOD_MIN &&
           start->Period <= PROFILER_PERIOD_MAX && start->Threshold > 0 &&
           start->Capacity > 0 && start->Capacity <= PROFILER_CAPACITY_MAX;
}

/* Before format 2 a record has the address behind the instruction alone. */
static SIZE_T ip_of_record(VOID)
{
    ULONG format = (ULONG)(__readmsr(IA32_PERF_CAPABILITIES) >> 8) & 0xF;

    return format == 2 || format == 3 ? RECORD_EVENT_IP : RECORD_IP;
}

NTSTATUS profiling_start(const struct profiler_start *start)
{
    struct profiler_start own = *start;
    NTSTATUS status;

    if (profiling.set != NULL) {
        return STATUS_PROFILING_NOT_STOPPED;
    }
    if (!is_valid(&own)) {
        return STATUS_INVALID_PARAMETER;
    }
    profiling_discard();
    status = claim(own.Threshold);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = make_places(own.Capacity);
    if (!NT_SUCCESS(status)) {
        HalFreeHardwareCounters(profiling.set);
        profiling.set = NULL;
        return status;
    }
    /* The record comes with the instruction behind the overflow. */
    profiling.preset = (0 - (ULONG64)(own.Period - 1)) & 0xFFFFFFFFFFFF;
    profiling.ip = ip_of_record();
    KeIpiGenericCall(start_here, 0);
    return STATUS_SUCCESS;
}

NTSTATUS profiling_stop(VOID)
{
    HANDLE set = profiling.set;

    if (set == NULL) {
        return STATUS_PROFILING_NOT_STARTED;
    }
    profiling.set = NULL;
    KeIpiGenericCall(stop_here, 0);
    if (DEFECT == DEFECT_BUFFER_KEPT && profiling.kept != NULL) {
        profiling.preset = profiling.kept[0];
    }
    return HalFreeHardwareCounters(set);
}

static VOID attribute_one(ULONG64 address,
    const struct profiler_function *function, ULONG count,
    struct profiler_shares *shares)
{
    shares->Samples++;
    for (ULONG i = 0; i < count; i++) {
        if (address >= function[i].Begin && address < function[i].End) {
            shares->InFunction[i]++;
        }
    }
}

VOID profiling_attribute(const struct profiler_function *function, ULONG count,
    struct profiler_shares *shares)
{
    ULONG64 address;

    shares->Samples = 0;
    shares->Lost = 0;
    for (ULONG i = 0; i < count; i++) {
        shares->InFunction[i] = 0;
    }
    for (ULONG i = 0; profiling.places != NULL && i < profiling.processors;
         i++) {
        struct places *places = profiling.places[i];

        shares->Lost += places->lost;
        while (places_take(places, &address)) {
            attribute_one(address, function, count, shares);
        }
    }
}
