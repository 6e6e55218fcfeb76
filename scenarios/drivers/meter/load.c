/* load.c - the counters of all jobs: sums of what a DPC of each processor
 * keeps. Only that DPC writes its figures, and a DPC does not run beside itself
 * on its processor, so they need no lock; who wants the sum reads all of them,
 * each aligned and so never torn. What a DPC shall count waits in a list, for a
 * DPC that is queued already is not queued once more (DPC-02). */
#include "scenarios/drivers/meter/load.h"

#include "scenarios/drivers/meter/counters.h"
#include "scenarios/drivers/meter/defects.h"
#include "scenarios/drivers/meter/meter.h"

enum job_state {
    JOB_IDLE,
    JOB_TAKEN, /* who has made it so writes the rest */
    JOB_BUSY
};

struct job {
    SLIST_ENTRY entry; /* first: it is aligned as lists need it */
    LONGLONG begun, ended;
    volatile LONG state;
};

struct processor {
    SLIST_HEADER ended; /* jobs that the DPC has not counted */
    KDPC dpc;
    ULONG64 jobs, ticks;
};

static struct {
    ULONG processors;
    struct processor *processor;
    LARGE_INTEGER started, frequency;
    struct job job[METER_JOBS];
} load;

static KDEFERRED_ROUTINE count;
static PCW_CALLBACK callback;
static NTSTATUS make_processors(VOID);

#ifdef ALLOC_PRAGMA
#pragma alloc_text(PAGE, load_start, load_stop, make_processors, callback)
#endif

/* In nonpaged pool, which DPCs need (DPC-01). */
static NTSTATUS make_processors(VOID)
{
    USHORT group = DEFECT == DEFECT_FEW_PLACES ? 0 : ALL_PROCESSOR_GROUPS;
    SIZE_T size;

    PAGED_CODE();
    load.processors = KeQueryActiveProcessorCountEx(group);
    size = load.processors * sizeof(struct processor);
    load.processor = ExAllocatePoolWithTag(NonPagedPoolNx, size, METER_TAG);
    if (load.processor == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    RtlZeroMemory(load.processor, size);
    for (ULONG i = 0; i < load.processors; i++) {
        struct processor *processor = &load.processor[i];
        PROCESSOR_NUMBER number;

        InitializeSListHead(&processor->ended);
        KeInitializeDpc(&processor->dpc, count, processor);
        KeGetProcessorNumberFromIndex(i, &number);
        KeSetTargetProcessorDpcEx(&processor->dpc, &number);
    }
    return STATUS_SUCCESS;
}

NTSTATUS load_start(VOID)
{
    PCW_REGISTRATION_INFORMATION information;
    NTSTATUS status = make_processors();

    PAGED_CODE();
    if (!NT_SUCCESS(status)) {
        return status;
    }
    load.started = KeQueryPerformanceCounter(&load.frequency);
    MeterInitRegistrationInformationLoad(callback, NULL, &information);
    information.Version = PCW_VERSION_1;
    status = PcwRegister(&MeterLoad, &information);
    if (!NT_SUCCESS(status)) {
        ExFreePoolWithTag(load.processor, METER_TAG);
    }
    return status;
}

/* Nobody queues a DPC any more; one that is queued, or runs, is waited for. */
VOID load_stop(VOID)
{
    PAGED_CODE();
    MeterUnregisterLoad();
    KeFlushQueuedDpcs();
    ExFreePoolWithTag(load.processor, METER_TAG);
}

NTSTATUS load_begin(ULONG number)
{
    struct job *job;

    if (number >= METER_JOBS) {
        return STATUS_INVALID_PARAMETER;
    }
    job = &load.job[number];
    if (InterlockedCompareExchange(&job->state, JOB_TAKEN, JOB_IDLE) !=
        JOB_IDLE) {
        return STATUS_DEVICE_BUSY;
    }
    job->begun = KeQueryPerformanceCounter(NULL).QuadPart;
    InterlockedExchange(&job->state, JOB_BUSY);
    return STATUS_SUCCESS;
}

/* Should the thread go to another processor amid this, the DPC still runs on
 * the one whose list it is. */
NTSTATUS load_end(ULONG number)
{
    struct processor *processor;
    struct job *job;

    if (number >= METER_JOBS) {
        return STATUS_INVALID_PARAMETER;
    }
    job = &load.job[number];
    if (InterlockedCompareExchange(&job->state, JOB_TAKEN, JOB_BUSY) !=
        JOB_BUSY) {
        return STATUS_INVALID_PARAMETER;
    }
    job->ended = KeQueryPerformanceCounter(NULL).QuadPart;
    processor = &load.processor[KeGetCurrentProcessorNumberEx(NULL)];
    ExInterlockedPushEntrySList(&processor->ended, &job->entry, NULL);
    KeInsertQueueDpc(&processor->dpc, NULL, NULL);
    return STATUS_SUCCESS;
}

/* At DISPATCH_LEVEL, on the processor of its own. */
static VOID NTAPI count(
    PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    struct processor *processor = context;
    PSLIST_ENTRY entry = ExInterlockedFlushSList(&processor->ended);
    ULONG64 jobs, ticks;

    UNREFERENCED_PARAMETER(dpc);
    UNREFERENCED_PARAMETER(argument1);
    UNREFERENCED_PARAMETER(argument2);
    if (DEFECT == DEFECT_SHARED_TOTAL) {
        processor = load.processor;
    }
    jobs = processor->jobs;
    ticks = processor->ticks;
    while (entry != NULL) {
        struct job *job = CONTAINING_RECORD(entry, struct job, entry);

        entry = entry->Next;
        ticks += (ULONG64)(job->ended - job->begun);
        jobs++;
        InterlockedExchange(&job->state, JOB_IDLE);
    }
    processor->ticks = ticks;
    processor->jobs = jobs;
}

static ULONG64 sum_ticks(VOID)
{
    ULONG64 ticks = 0;

    for (ULONG i = 0; i < load.processors; i++) {
        ticks += load.processor[i].ticks;
    }
    return ticks;
}

ULONG64 load_jobs(VOID)
{
    ULONG64 jobs = 0;

    for (ULONG i = 0; i < load.processors; i++) {
        jobs += load.processor[i].jobs;
    }
    return jobs;
}

/* In units of 100 ns, without leaving 64 bits on the way. */
static ULONG64 to_100ns(ULONG64 ticks)
{
    ULONG64 frequency = (ULONG64)load.frequency.QuadPart;

    return ticks / frequency * 10000000 +
           ticks % frequency * 10000000 / frequency;
}

/* The set has one instance, and no id or name that would tell it from others.
 */
static NTSTATUS add(PPCW_BUFFER buffer)
{
    UNICODE_STRING name = RTL_CONSTANT_STRING(L"all");
    ULONG64 ticks = sum_ticks(), jobs = load_jobs();
    METER_LOAD block = {.Jobs = jobs,
        .Busy = to_100ns(ticks),
        .Started = (ULONG64)load.started.QuadPart,
        .Now = (ULONG64)KeQueryPerformanceCounter(NULL).QuadPart,
        .Frequency = (ULONG64)load.frequency.QuadPart,
        .Ticks = (ULONG)ticks,
        .Ended = (ULONG)jobs};

    return MeterAddLoad(buffer, &name, 0, &block);
}

/* At PASSIVE_LEVEL or APC_LEVEL. What is to be added for a list of instances
 * is no other than for a collection. */
static NTSTATUS NTAPI callback(PCW_CALLBACK_TYPE type,
    PPCW_CALLBACK_INFORMATION information, PVOID context)
{
    UNREFERENCED_PARAMETER(context);
    PAGED_CODE();
    switch (type) {
    case PcwCallbackEnumerateInstances:
        return add(information->EnumerateInstances.Buffer);
    case PcwCallbackCollectData:
        return add(information->CollectData.Buffer);
    default:
        return STATUS_SUCCESS;
    }
}
