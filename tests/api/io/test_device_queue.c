/* test_device_queue.c - what an entry of a device queue says of itself
 * (IO-54d). */
#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

struct entries {
    KDEVICE_QUEUE *queue;
    KDEVICE_QUEUE_ENTRY *first, *second; /* in drivers' memory */
    bool first_waits, second_waits;
    BOOLEAN after_first, after_second, after_removal;
};

static void insert_and_remove(void *argument)
{
    struct entries *entries = argument;

    KeInitializeDeviceQueue(entries->queue);
    KfRaiseIrql(2);
    entries->first_waits = KeInsertDeviceQueue(entries->queue, entries->first);
    entries->after_first = entries->first->Inserted;
    entries->second_waits =
        KeInsertDeviceQueue(entries->queue, entries->second);
    entries->after_second = entries->second->Inserted;
    KeRemoveDeviceQueue(entries->queue);
    entries->after_removal = entries->second->Inserted;
    KeLowerIrql(0);
}

static void entry_says_whether_it_waits(void **state)
{
    struct booted_kernel booted;
    struct entries entries;

    (void)state;
    booted_init_usual(&booted);
    entries.queue = booted_block(&booted, sizeof(KDEVICE_QUEUE), 0xA5);
    entries.first = booted_block(&booted, sizeof(KDEVICE_QUEUE_ENTRY), 0xA5);
    entries.second = booted_block(&booted, sizeof(KDEVICE_QUEUE_ENTRY), 0xA5);
    booted_run(&booted, 0, insert_and_remove, &entries);
    assert_int_equal(entries.queue->Type, 20); /* DeviceQueueObject */
    assert_int_equal(entries.queue->Size, 40);
    assert_int_equal(entries.queue->Lock, 0);
    assert_false(entries.first_waits);
    assert_int_equal(entries.after_first, 0);
    assert_true(entries.second_waits);
    assert_int_equal(entries.after_second, 1);
    assert_int_equal(entries.after_removal, 0);
    booted_release(&booted);
}

TEST_FILE(test_device_queue)
{
    test_add(
        list, "entry_says_whether_it_waits", entry_says_whether_it_waits, NULL);
}
