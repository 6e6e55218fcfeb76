/* processors.c - an instance for each processor, which there is only while
 * Windows asks. Consumers are counted by AddCounter and RemoveCounter, which
 * come in pairs (PCW-CB-05), and several may call at once (PCW-CB-03a): all
 * that is shared is behind a lock. */
#include "scenarios/drivers/queues/processors.h"

#include <intrin.h>

#include "scenarios/drivers/queues/counters.h"
#include "scenarios/drivers/queues/defects.h"
#include "scenarios/drivers/queues/queue.h"

enum { DIGITS = 10 }; /* of the longest number */

static struct {
    KSPIN_LOCK lock;
    ULONG processors;
    LONG watchers;        /* queries that are open */
    PROCESSOR_WORK *work; /* of each processor, while there are watchers; NULL:
                             memory was short */
    PPCW_BUFFER kept;     /* for planted mistakes */
    PPCW_CALLBACK_INFORMATION information;
} watch;

static PCW_CALLBACK callback;
static NTSTATUS add_all(const PCW_MASK_INFORMATION *information, BOOLEAN data);

#ifdef ALLOC_PRAGMA
#pragma alloc_text(PAGE, processors_register, processors_unregister)
#pragma alloc_text(PAGE, callback, add_all)
#endif

NTSTATUS processors_register(VOID)
{
    PCW_REGISTRATION_INFORMATION information;

    PAGED_CODE();
    KeInitializeSpinLock(&watch.lock);
    watch.processors = KeQueryActiveProcessorCountEx(ALL_PROCESSOR_GROUPS);
    QueuesInitRegistrationInformationProcessor(callback, NULL, &information);
    information.Version = PCW_VERSION_1;
    return PcwRegister(&QueuesProcessor, &information);
}

/* Queries that are still open will not be told apart from those that are
 * closed: there is nobody left to tell. */
VOID processors_unregister(VOID)
{
    PAGED_CODE();
    if (DEFECT == DEFECT_REGISTRATION_LEAKED) {
        return;
    }
    QueuesUnregisterProcessor();
    if (watch.watchers > 0 && watch.work != NULL) {
        ExFreePoolWithTag(watch.work, QUEUES_TAG);
    }
}

static PROCESSOR_WORK *make_work(VOID)
{
    SIZE_T size = watch.processors * sizeof(PROCESSOR_WORK);
    PROCESSOR_WORK *work =
        ExAllocatePoolWithTag(NonPagedPoolNx, size, QUEUES_TAG);

    if (work != NULL) {
        RtlZeroMemory(work, size);
    }
    return work;
}

/* The first watcher brings the memory. Its status is for information only: the
 * query is open, and RemoveCounter will come (PCW-CB-02), so it counts even
 * without memory. What takes a spin lock is not in a pageable section. */
static NTSTATUS begin(VOID)
{
    PROCESSOR_WORK *work = make_work();
    NTSTATUS status =
        work == NULL ? STATUS_INSUFFICIENT_RESOURCES : STATUS_SUCCESS;
    BOOLEAN first;
    KIRQL irql;

    KeAcquireSpinLock(&watch.lock, &irql);
    first = watch.watchers == 0;
    if (first || DEFECT != DEFECT_COUNTED_ONCE) {
        watch.watchers++;
    }
    if (first) {
        watch.work = work;
    }
    KeReleaseSpinLock(&watch.lock, irql);
    if (!first && work != NULL) {
        ExFreePoolWithTag(work, QUEUES_TAG);
    }
    return status;
}

/* The last one takes it away. */
static VOID end(VOID)
{
    PROCESSOR_WORK *work = NULL;
    KIRQL irql;

    KeAcquireSpinLock(&watch.lock, &irql);
    if (--watch.watchers == 0) {
        work = watch.work;
    }
    KeReleaseSpinLock(&watch.lock, irql);
    if (work != NULL) {
        ExFreePoolWithTag(work, QUEUES_TAG);
    }
    if (DEFECT == DEFECT_UNREGISTERED_INSIDE) {
        QueuesUnregisterProcessor();
    }
}

VOID processors_count(ULONG packets, ULONG64 bytes)
{
    ULONG processor;
    KIRQL irql;

    KeAcquireSpinLock(&watch.lock, &irql);
    processor = KeGetCurrentProcessorNumberEx(NULL);
    if (watch.watchers > 0 && watch.work != NULL &&
        processor < watch.processors) {
        watch.work[processor].Packets += packets;
        watch.work[processor].Bytes += bytes;
    }
    KeReleaseSpinLock(&watch.lock, irql);
    if (DEFECT == DEFECT_INFO_KEPT && watch.information != NULL) {
        watch.kept = watch.information->CollectData.Buffer;
    }
    if ((DEFECT == DEFECT_BUFFER_KEPT || DEFECT == DEFECT_INFO_KEPT) &&
        watch.kept != NULL) {
        UNICODE_STRING name = RTL_CONSTANT_STRING(L"late");
        PROCESSOR_WORK work = {bytes, packets};

        QueuesAddProcessor(watch.kept, &name, watch.processors, &work);
    }
}

/* A copy, because Windows is not called with a lock held. */
static BOOLEAN copy_work(ULONG processor, PROCESSOR_WORK *work)
{
    BOOLEAN there;
    KIRQL irql;

    KeAcquireSpinLock(&watch.lock, &irql);
    there = watch.work != NULL;
    if (there) {
        *work = watch.work[processor];
    }
    KeReleaseSpinLock(&watch.lock, irql);
    return there;
}

/* The name of an instance is its processor's number, and stays it
 * (PCW-ADD-03a). */
static VOID write_number(ULONG number, PUNICODE_STRING name)
{
    WCHAR digit[DIGITS];
    ULONG count = 0;

    do {
        digit[count++] = (WCHAR)(L'0' + number % 10);
        number /= 10;
    } while (number > 0);
    name->Length = (USHORT)(count * sizeof(WCHAR));
    for (ULONG i = 0; i < count; i++) {
        name->Buffer[i] = digit[count - 1 - i];
    }
}

/* Names are for mistakes as ids are: see defects.h. */
static VOID misname(
    ULONG processor, const PROCESSOR_WORK *work, PUNICODE_STRING name)
{
    if (DEFECT == DEFECT_RENAMED) {
        write_number(processor + 1000 * work->Packets, name);
    }
    if (DEFECT == DEFECT_NAMES_EQUAL) {
        write_number(0, name);
    }
    if (DEFECT == DEFECT_ADDED_ODD) {
        name->Length++;
    }
}

static NTSTATUS add(PPCW_BUFFER buffer, ULONG processor, PROCESSOR_WORK *work)
{
    WCHAR text[DIGITS];
    UNICODE_STRING name = {0, sizeof(text), text};
    ULONG id = DEFECT == DEFECT_ID_RESERVED ? 0xFFFFFFFF : processor;
    NTSTATUS status;
    KIRQL irql;

    write_number(processor, &name);
    if (work != NULL) {
        misname(processor, work, &name);
    }
    if (DEFECT == DEFECT_ADDED_AT_DISPATCH) {
        KeAcquireSpinLock(&watch.lock, &irql);
    }
    status = QueuesAddProcessor(buffer, &name, id, work);
    if (DEFECT == DEFECT_ADDED_AT_DISPATCH) {
        KeReleaseSpinLock(&watch.lock, irql);
    }
    return status;
}

/* Windows leaves out what was not asked for (PCW-ADD-08); where the id says it
 * already we save it the work (PCW-CB-06). An enumeration is about names and
 * ids: it needs no data (PCW-ADD-06a). */
static NTSTATUS add_all(const PCW_MASK_INFORMATION *information, BOOLEAN data)
{
    NTSTATUS status = STATUS_SUCCESS;
    PROCESSOR_WORK work;

    PAGED_CODE();
    for (ULONG i = 0; i < watch.processors && NT_SUCCESS(status); i++) {
        if (information->InstanceId != PCW_ANY_INSTANCE_ID &&
            information->InstanceId != i) {
            continue;
        }
        if (information->CancelEvent != NULL &&
            KeReadStateEvent(information->CancelEvent) != 0) {
            return STATUS_UNSUCCESSFUL;
        }
        if (data && !copy_work(i, &work)) {
            return STATUS_UNSUCCESSFUL;
        }
        status = add(information->Buffer, i, data ? &work : NULL);
    }
    return status;
}

/* What a callback must not do, in the variants that do it. */
static VOID misbehave(PPCW_CALLBACK_INFORMATION information)
{
    KIRQL irql;

    if (DEFECT == DEFECT_BUFFER_KEPT) {
        watch.kept = information->CollectData.Buffer;
    }
    if (DEFECT == DEFECT_INFO_KEPT) {
        watch.information = information;
    }
    if (DEFECT == DEFECT_IRQL_KEPT) {
        KeRaiseIrql(APC_LEVEL, &irql);
    }
    if (DEFECT == DEFECT_INTERRUPTS_KEPT) {
        _disable();
    }
    if (DEFECT == DEFECT_COLLECTION_CHANGES) {
        queue_remove(0);
    }
}

/* At PASSIVE_LEVEL or APC_LEVEL, in whatever thread. */
static NTSTATUS NTAPI callback(PCW_CALLBACK_TYPE type,
    PPCW_CALLBACK_INFORMATION information, PVOID context)
{
    UNREFERENCED_PARAMETER(context);
    PAGED_CODE();
    switch (type) {
    case PcwCallbackAddCounter:
        if (DEFECT == DEFECT_WRONG_MEMBER) {
            return add(information->CollectData.Buffer, 0, NULL);
        }
        return begin();
    case PcwCallbackRemoveCounter:
        end();
        return STATUS_SUCCESS;
    case PcwCallbackEnumerateInstances:
        return add_all(&information->EnumerateInstances, FALSE);
    case PcwCallbackCollectData:
        misbehave(information);
        return add_all(&information->CollectData, TRUE);
    default:
        return STATUS_SUCCESS;
    }
}
