/* work_item.c - IoAllocateWorkItem, IoQueueWorkItem and their kin: work items
 * of a device or driver. */
#include <assert.h>

#include "api/core/early_end.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ex/work_queue.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/mm/block.h"
#include "api/mm/copy.h"

enum {
    ITEM_BYTES = 88, /* our own figure */
    /* First parameters of 0xE4 (WORK-04). */
    WORK_FREED_QUEUED = 2,
    WORK_BAD_OBJECT = 3,
};

static bool is_object(struct kernel *kernel, const void *address)
{
    const struct io_driver *driver = kernel->io->drivers;

    while (driver != NULL && driver->guest != address) {
        driver = driver->next;
    }
    return driver != NULL || io_device_at(kernel, address) != NULL;
}

/* A device or a driver (WORK-02). */
static void check_object(
    struct kernel *kernel, enum routine routine, const void *object)
{
    if (!is_object(kernel, object)) {
        work_stop(kernel, routine, RULE_WORK_INVALID, WORK_BAD_OBJECT,
            (uintptr_t)object);
    }
}

/* An Io item; without one the machine stops. */
static struct work_item *item_get(
    struct kernel *kernel, enum routine routine, const void *address)
{
    struct work_item *item = work_find(kernel, address);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = (uintptr_t)address}};

    if (item == NULL || item->kind == WORK_EX) {
        early_end_for_object(
            kernel, RULE_OBJECT_UNINITIALIZED, routine, parameter);
    }
    return item;
}

PVOID IoAllocateWorkItem_body(PVOID DeviceObject)
{
    const enum routine routine = ROUTINE_IoAllocateWorkItem;
    struct kernel *kernel = kernel_current();
    void *address;

    check_object(kernel, routine, DeviceObject);
    address = memory_alloc(&kernel->machine->memory, ITEM_BYTES, 0);
    if (address != NULL) {
        work_make(kernel, address, WORK_IO_ALLOCATED)->object =
            (uintptr_t)DeviceObject;
    }
    return address;
}

/* Of an item that was made in another way than the routine is for (WORK-08). */
static void check_pair(struct kernel *kernel, enum routine routine,
    const struct work_item *item, enum work_kind kind)
{
    if (item->queued) {
        work_stop(kernel, routine, RULE_WORK_FREED, WORK_FREED_QUEUED,
            item->stored.address);
    }
    if (item->kind != kind) {
        const struct bugcheck_parameter parameter[4] = {
            {.name = routine_rows[routine].name},
            {.value = item->stored.address}};

        rule_stop(
            kernel, kernel_cpu(kernel), RULE_WORK_PAIR, routine, parameter);
    }
}

static void end(struct kernel *kernel, enum routine routine,
    const void *address, enum work_kind kind)
{
    struct work_item *item = item_get(kernel, routine, address);

    check_pair(kernel, routine, item, kind);
    work_forget(kernel, item);
}

VOID IoFreeWorkItem_body(PVOID IoWorkItem)
{
    const enum routine routine = ROUTINE_IoFreeWorkItem;
    struct kernel *kernel = kernel_current();

    end(kernel, routine, IoWorkItem, WORK_IO_ALLOCATED);
    block_free_at(kernel, routine, IoWorkItem);
}

VOID IoInitializeWorkItem_body(PVOID IoObject, PVOID IoWorkItem)
{
    const enum routine routine = ROUTINE_IoInitializeWorkItem;
    struct kernel *kernel = kernel_current();

    check_object(kernel, routine, IoObject);
    copy_probe(kernel, routine, IoWorkItem, ITEM_BYTES, true);
    work_check_storage(kernel, routine, IoWorkItem, ITEM_BYTES);
    if (work_find(kernel, IoWorkItem) != NULL) {
        check_pair(kernel, routine, work_find(kernel, IoWorkItem),
            WORK_IO_INITIALIZED);
        work_forget(kernel, work_find(kernel, IoWorkItem));
    }
    work_make(kernel, IoWorkItem, WORK_IO_INITIALIZED)->object =
        (uintptr_t)IoObject;
}

VOID IoUninitializeWorkItem_body(PVOID IoWorkItem)
{
    end(kernel_current(), ROUTINE_IoUninitializeWorkItem, IoWorkItem,
        WORK_IO_INITIALIZED);
}

ULONG IoSizeofWorkItem_body(void)
{
    return ITEM_BYTES;
}

/* The Ex form is given the item, too (WORK-01). */
static void queue(enum routine routine, PVOID address, PVOID code, ULONG type,
    PVOID context, bool extended)
{
    struct kernel *kernel = kernel_current();
    struct work_item *item = item_get(kernel, routine, address);

    work_check_type(kernel, routine, type, true);
    work_check_routine(kernel, routine, (uintptr_t)code);
    if (!item->queued) {
        item->routine = (uintptr_t)code;
        item->argument[0] = item->object;
        item->argument[1] = (uintptr_t)context;
        item->argument[2] = extended ? (uintptr_t)address : 0;
    }
    work_queue_it(kernel, routine, item, type);
}

VOID IoQueueWorkItem_body(
    PVOID IoWorkItem, PVOID WorkerRoutine, ULONG QueueType, PVOID Context)
{
    queue(ROUTINE_IoQueueWorkItem, IoWorkItem, WorkerRoutine, QueueType,
        Context, false);
}

VOID IoQueueWorkItemEx_body(
    PVOID IoWorkItem, PVOID WorkerRoutine, ULONG QueueType, PVOID Context)
{
    queue(ROUTINE_IoQueueWorkItemEx, IoWorkItem, WorkerRoutine, QueueType,
        Context, true);
}

/* WORK-10 [C]. */
BOOLEAN IoTryQueueWorkItem_body(
    PVOID IoWorkItem, PVOID WorkerRoutine, ULONG QueueType, PVOID Context)
{
    const enum routine routine = ROUTINE_IoTryQueueWorkItem;

    if (item_get(kernel_current(), routine, IoWorkItem)->queued) {
        return 0;
    }
    queue(routine, IoWorkItem, WorkerRoutine, QueueType, Context, true);
    return 1;
}
