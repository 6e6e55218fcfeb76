/* queue.c - a queue, its instance and the instance's blocks are one piece of
 * memory: it is made first and freed last. Windows reads the blocks whenever
 * somebody asks, at PASSIVE_LEVEL or APC_LEVEL, without a lock of ours
 * (PCW-CRE-18); each counter is aligned and so never torn. Paged pool will do
 * (PCW-CRE-17). */
#include "scenarios/drivers/queues/queue.h"

#include "scenarios/drivers/queues/counters.h"
#include "scenarios/drivers/queues/defects.h"
#include "scenarios/drivers/queues/processors.h"

struct packet {
    LONGLONG came; /* in ticks of the performance counter */
    ULONG bytes;
};

struct queue {
    PPCW_INSTANCE instance;
    UNICODE_STRING name;
    QUEUE_TRAFFIC traffic;
    QUEUE_DELAY delay;
    ULONG first; /* the packet that has waited longest */
    struct packet packet[QUEUES_PACKETS];
    WCHAR text[QUEUES_NAME_MAX]; /* of the name */
};

static struct queue *queues[QUEUES_MAX];

static VOID close_instance(struct queue *queue);
static VOID discard(ULONG number);

#ifdef ALLOC_PRAGMA
#pragma alloc_text(PAGE, queues_register, queues_unregister, close_instance)
#pragma alloc_text(PAGE, queue_add, queue_remove, queue_put, queue_take)
#endif

/* Version 1 has all that we need, and every Windows takes it: the generated
 * QueuesRegisterQueue() asks for the newest version that the headers know
 * (CTR-GEN-03). */
NTSTATUS queues_register(VOID)
{
    PCW_REGISTRATION_INFORMATION information;

    PAGED_CODE();
    QueuesInitRegistrationInformationQueue(NULL, NULL, &information);
    if (DEFECT != DEFECT_VERSION_2) {
        information.Version = PCW_VERSION_1;
    }
    return PcwRegister(&QueuesQueue, &information);
}

/* The last act of the queue: nobody reads its blocks when this returns
 * (PCW-CLS-04). */
static VOID close_instance(struct queue *queue)
{
    PPCW_INSTANCE instance = queue->instance;

    PAGED_CODE();
    if (DEFECT == DEFECT_BLOCK_FREED || DEFECT == DEFECT_INSTANCE_KEPT) {
        ExFreePoolWithTag(queue, QUEUES_TAG);
    }
    if (DEFECT != DEFECT_INSTANCE_KEPT) {
        QueuesCloseQueue(instance);
    }
    if (DEFECT == DEFECT_CLOSED_TWICE) {
        QueuesCloseQueue(instance);
    }
}

static VOID discard(ULONG number)
{
    struct queue *queue = queues[number];

    close_instance(queue);
    if (DEFECT != DEFECT_BLOCK_FREED && DEFECT != DEFECT_INSTANCE_KEPT) {
        ExFreePoolWithTag(queue, QUEUES_TAG);
    }
    queues[number] = NULL;
}

VOID queues_unregister(VOID)
{
    PAGED_CODE();
    if (DEFECT == DEFECT_INSTANCES_LEAKED) {
        return;
    }
    if (DEFECT == DEFECT_CLOSED_LATE) {
        QueuesUnregisterQueue();
    }
    for (ULONG i = 0; i < QUEUES_MAX; i++) {
        if (queues[i] != NULL) {
            discard(i);
        }
    }
    if (DEFECT != DEFECT_CLOSED_LATE) {
        QueuesUnregisterQueue();
    }
    if (DEFECT == DEFECT_UNREGISTERED_TWICE) {
        QueuesUnregisterQueue();
    }
}

static BOOLEAN is_valid(PCUNICODE_STRING name)
{
    if (name->Length % sizeof(WCHAR) != 0 && DEFECT != DEFECT_NAME_UNCHECKED) {
        return FALSE;
    }
    return name->Length > 0 && name->Length <= QUEUES_NAME_MAX * sizeof(WCHAR);
}

/* Instances that differ by case alone are one to a consumer (PCW-CRE-14). */
static BOOLEAN is_taken(PCUNICODE_STRING name)
{
    for (ULONG i = 0; i < QUEUES_MAX; i++) {
        if (queues[i] != NULL && RtlEqualUnicodeString(&queues[i]->name, name,
                                     DEFECT != DEFECT_CASE_MATTERS)) {
            return TRUE;
        }
    }
    return FALSE;
}

static struct queue *make(PCUNICODE_STRING name)
{
    struct queue *queue =
        ExAllocatePoolWithTag(PagedPool, sizeof(*queue), QUEUES_TAG);

    if (queue != NULL) {
        RtlZeroMemory(queue, sizeof(*queue));
        queue->name.Buffer = queue->text;
        queue->name.MaximumLength = sizeof(queue->text);
        RtlCopyUnicodeString(&queue->name, name);
    }
    return queue;
}

/* What the generated function does, by hand and wrong, where a mistake is
 * planted. */
static NTSTATUS create_small(struct queue *queue)
{
    const QUEUE_TRAFFIC *traffic = &queue->traffic;
    PCW_DATA data[2] = {
        {traffic, sizeof(traffic)}, {&queue->delay, sizeof(queue->delay)}};

    return PcwCreateInstance(
        &queue->instance, QueuesQueue, &queue->name, 2, data);
}

/* `asked` is the name as it came. */
static NTSTATUS create(struct queue *queue, PCUNICODE_STRING asked)
{
    QUEUE_TRAFFIC local = {0};
    const QUEUE_TRAFFIC *traffic = &queue->traffic;

    if (DEFECT == DEFECT_BLOCK_SMALL) {
        return create_small(queue);
    }
    if (DEFECT == DEFECT_BLOCK_ON_STACK) {
        traffic = &local;
    }
    if (DEFECT == DEFECT_BLOCK_IN_REQUEST) {
        traffic = (const QUEUE_TRAFFIC *)(const void *)asked->Buffer;
    }
    return QueuesCreateQueue(
        &queue->instance, &queue->name, traffic, &queue->delay);
}

/* The blocks hold what they shall before Windows may read them. */
NTSTATUS queue_add(ULONG number, PCUNICODE_STRING name)
{
    struct queue *queue;
    NTSTATUS status;

    PAGED_CODE();
    if (number >= QUEUES_MAX || !is_valid(name)) {
        return STATUS_INVALID_PARAMETER;
    }
    if (queues[number] != NULL) {
        return STATUS_DEVICE_BUSY;
    }
    if (is_taken(name)) {
        return STATUS_OBJECT_NAME_COLLISION;
    }
    queue = make(name);
    if (queue == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    status = create(queue, name);
    if (!NT_SUCCESS(status) && DEFECT != DEFECT_CREATE_UNCHECKED) {
        ExFreePoolWithTag(queue, QUEUES_TAG);
        return status;
    }
    queues[number] = queue;
    return STATUS_SUCCESS;
}

static struct queue *find(ULONG number)
{
    return number < QUEUES_MAX ? queues[number] : NULL;
}

NTSTATUS queue_remove(ULONG number)
{
    PAGED_CODE();
    if (find(number) == NULL) {
        return STATUS_INVALID_PARAMETER;
    }
    discard(number);
    return STATUS_SUCCESS;
}

NTSTATUS queue_put(const struct queues_put *put)
{
    struct queue *queue = find(put->Queue);
    LONGLONG now = KeQueryPerformanceCounter(NULL).QuadPart;
    ULONG room;

    PAGED_CODE();
    if (queue == NULL) {
        return STATUS_INVALID_PARAMETER;
    }
    room = QUEUES_PACKETS - queue->traffic.Depth;
    queue->traffic.Offered += put->Packets;
    if (put->Packets > room) {
        queue->traffic.Dropped += put->Packets - room;
    }
    for (ULONG i = 0; i < put->Packets && i < room; i++) {
        ULONG last = (queue->first + queue->traffic.Depth) % QUEUES_PACKETS;

        queue->packet[last] = (struct packet){now, put->Bytes};
        queue->traffic.Depth++;
    }
    return STATUS_SUCCESS;
}

/* Times are in ticks: consumers know how many there are in a second. */
NTSTATUS queue_take(const struct queues_take *take, ULONG *taken)
{
    struct queue *queue = find(take->Queue);
    LONGLONG now = KeQueryPerformanceCounter(NULL).QuadPart;
    ULONG64 bytes = 0;

    PAGED_CODE();
    if (queue == NULL) {
        return STATUS_INVALID_PARAMETER;
    }
    for (*taken = 0; *taken < take->Packets && queue->traffic.Depth > 0;
         ++*taken) {
        const struct packet *packet = &queue->packet[queue->first];

        queue->delay.Ticks += (ULONG)(now - packet->came);
        bytes += packet->bytes;
        queue->first = (queue->first + 1) % QUEUES_PACKETS;
        queue->traffic.Depth--;
    }
    queue->delay.Packets += *taken;
    queue->traffic.Packets += *taken;
    queue->traffic.Bytes += bytes;
    processors_count(*taken, bytes);
    return STATUS_SUCCESS;
}
