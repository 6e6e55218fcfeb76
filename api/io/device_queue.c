/* device_queue.c - KeInitializeDeviceQueue and its kin: a device that is busy
 * with one request, and those that wait for it (IO-54). */
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/device_queue.h"
#include "api/mm/copy.h"

enum { DEVICE_QUEUE_OBJECT = 20 }; /* KOBJECTS of wdm.h */

/* What is done by one routine: whatever it touches may raise. */
struct queue_use {
    struct kernel *kernel;
    enum routine routine;
    KDEVICE_QUEUE *queue;
    KDEVICE_QUEUE_ENTRY *entry;
};

static void *read_pointer(const struct queue_use *use, const PVOID *at)
{
    PVOID value;

    copy_in(use->kernel, use->routine, &value, at, sizeof(value));
    return value;
}

static void write_pointer(const struct queue_use *use, PVOID *at, void *value)
{
    PVOID pointer = value;

    copy_out(use->kernel, use->routine, at, &pointer, sizeof(pointer));
}

static bool is_busy(const struct queue_use *use)
{
    BOOLEAN busy;

    copy_in(use->kernel, use->routine, &busy, &use->queue->Busy, sizeof(busy));
    return busy != 0;
}

static void set_busy(const struct queue_use *use, bool busy)
{
    BOOLEAN value = busy;

    copy_out(
        use->kernel, use->routine, &use->queue->Busy, &value, sizeof(value));
}

static void set_inserted(const struct queue_use *use, bool inserted)
{
    BOOLEAN value = inserted;

    copy_out(use->kernel, use->routine, &use->entry->Inserted, &value,
        sizeof(value));
}

/* Behind that entry of the list. */
static void link_behind(const struct queue_use *use, LIST_ENTRY *before)
{
    LIST_ENTRY *entry = &use->entry->DeviceListEntry;
    LIST_ENTRY *after = read_pointer(use, &before->Flink);

    write_pointer(use, &entry->Flink, after);
    write_pointer(use, &entry->Blink, before);
    write_pointer(use, &before->Flink, entry);
    write_pointer(use, &after->Blink, entry);
}

static void unlink_it(const struct queue_use *use)
{
    LIST_ENTRY *entry = &use->entry->DeviceListEntry;
    LIST_ENTRY *before = read_pointer(use, &entry->Blink);
    LIST_ENTRY *after = read_pointer(use, &entry->Flink);

    write_pointer(use, &before->Flink, after);
    write_pointer(use, &after->Blink, before);
    set_inserted(use, false);
}

/* The first one whose key is not below; NULL: there is none. */
static LIST_ENTRY *find_key(const struct queue_use *use, ULONG key, bool above)
{
    LIST_ENTRY *head = &use->queue->DeviceListHead;
    LIST_ENTRY *at = read_pointer(use, &head->Flink);

    while (at != head) {
        ULONG found;

        copy_in(use->kernel, use->routine, &found,
            &((KDEVICE_QUEUE_ENTRY *)(void *)at)->SortKey, sizeof(found));
        if (above ? found > key : found >= key) {
            return at;
        }
        at = read_pointer(use, &at->Flink);
    }
    return NULL;
}

VOID KeInitializeDeviceQueue_body(PKDEVICE_QUEUE DeviceQueue)
{
    KDEVICE_QUEUE made = {
        .Type = DEVICE_QUEUE_OBJECT, .Size = sizeof(KDEVICE_QUEUE)};

    made.DeviceListHead.Flink = &DeviceQueue->DeviceListHead;
    made.DeviceListHead.Blink = &DeviceQueue->DeviceListHead;
    copy_out(kernel_current(), ROUTINE_KeInitializeDeviceQueue, DeviceQueue,
        &made, sizeof(made));
}

bool device_queue_insert(struct kernel *kernel, enum routine routine,
    KDEVICE_QUEUE *queue, KDEVICE_QUEUE_ENTRY *entry, const ULONG *key)
{
    const struct queue_use use = {kernel, routine, queue, entry};
    LIST_ENTRY *head = &queue->DeviceListHead;
    LIST_ENTRY *next;

    copy_probe(kernel, routine, entry, sizeof(*entry), true);
    if (!is_busy(&use)) {
        set_busy(&use, true);
        set_inserted(&use, false);
        return false;
    }
    if (key != NULL) {
        copy_out(kernel, routine, &entry->SortKey, key, sizeof(*key));
    }
    next = key == NULL ? NULL : find_key(&use, *key, true);
    next = next == NULL ? head : next;
    link_behind(&use, read_pointer(&use, &next->Blink));
    set_inserted(&use, true);
    return true;
}

KDEVICE_QUEUE_ENTRY *device_queue_remove(struct kernel *kernel,
    enum routine routine, KDEVICE_QUEUE *queue, const ULONG *key)
{
    struct queue_use use = {kernel, routine, queue, NULL};
    LIST_ENTRY *head = &queue->DeviceListHead;
    LIST_ENTRY *first = read_pointer(&use, &head->Flink);
    LIST_ENTRY *found = key == NULL ? NULL : find_key(&use, *key, false);

    if (first == head) {
        set_busy(&use, false);
        return NULL;
    }
    use.entry = (KDEVICE_QUEUE_ENTRY *)(void *)(found == NULL ? first : found);
    unlink_it(&use);
    return use.entry;
}

BOOLEAN KeInsertDeviceQueue_body(
    PKDEVICE_QUEUE DeviceQueue, PKDEVICE_QUEUE_ENTRY DeviceQueueEntry)
{
    return device_queue_insert(kernel_current(), ROUTINE_KeInsertDeviceQueue,
        DeviceQueue, DeviceQueueEntry, NULL);
}

BOOLEAN KeInsertByKeyDeviceQueue_body(PKDEVICE_QUEUE DeviceQueue,
    PKDEVICE_QUEUE_ENTRY DeviceQueueEntry, ULONG SortKey)
{
    return device_queue_insert(kernel_current(),
        ROUTINE_KeInsertByKeyDeviceQueue, DeviceQueue, DeviceQueueEntry,
        &SortKey);
}

PVOID KeRemoveDeviceQueue_body(PKDEVICE_QUEUE DeviceQueue)
{
    return device_queue_remove(
        kernel_current(), ROUTINE_KeRemoveDeviceQueue, DeviceQueue, NULL);
}

PVOID KeRemoveByKeyDeviceQueue_body(PKDEVICE_QUEUE DeviceQueue, ULONG SortKey)
{
    return device_queue_remove(kernel_current(),
        ROUTINE_KeRemoveByKeyDeviceQueue, DeviceQueue, &SortKey);
}

BOOLEAN KeRemoveEntryDeviceQueue_body(
    PKDEVICE_QUEUE DeviceQueue, PKDEVICE_QUEUE_ENTRY DeviceQueueEntry)
{
    const enum routine routine = ROUTINE_KeRemoveEntryDeviceQueue;
    const struct queue_use use = {
        kernel_current(), routine, DeviceQueue, DeviceQueueEntry};
    BOOLEAN inserted;

    copy_in(use.kernel, routine, &inserted, &DeviceQueueEntry->Inserted,
        sizeof(inserted));
    if (inserted) {
        unlink_it(&use);
    }
    return inserted;
}
