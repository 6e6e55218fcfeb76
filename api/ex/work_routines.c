/* work_routines.c - ExQueueWorkItem: queues a WORK_QUEUE_ITEM, which the
 * driver's own code has initialised (EXE-INL-01). */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ex/work_queue.h"
#include "api/mm/copy.h"

VOID ExQueueWorkItem_body(PWORK_QUEUE_ITEM WorkItem, WORK_QUEUE_TYPE QueueType)
{
    const enum routine routine = ROUTINE_ExQueueWorkItem;
    struct kernel *kernel = kernel_current();
    struct work_item *item = work_find(kernel, WorkItem);
    WORK_QUEUE_ITEM storage;

    copy_in(kernel, routine, &storage, WorkItem, sizeof(storage));
    work_check_storage(kernel, routine, WorkItem, sizeof(storage));
    work_check_type(kernel, routine, (uint32_t)QueueType, false);
    work_check_routine(kernel, routine, (uintptr_t)storage.WorkerRoutine);
    if (item == NULL) {
        item = work_make(kernel, WorkItem, WORK_EX);
        item->routine = (uintptr_t)storage.WorkerRoutine;
        item->argument[0] = (uintptr_t)storage.Parameter;
    }
    work_queue_it(kernel, routine, item, (uint32_t)QueueType);
}
