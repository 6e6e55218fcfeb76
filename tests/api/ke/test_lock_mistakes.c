/* test_lock_mistakes.c - what a driver does wrong with its locks, timers and
 * waits, and which rule says so: those that no scenario makes. */
#include "api/boot/exports.h"
#include "api/ke/kthread.h"
#include "tests/api/booted_kernel.h"

enum { DISPATCH = 2 }; /* DISPATCH_LEVEL on x64 */

/* In the driver's memory, 256 bytes each. */
struct scene {
    const struct mistake_row *row;
    void *zeroed, *spoilt;
    KLOCK_QUEUE_HANDLE *handle[2];
};

static void take_spoilt_queued_lock(struct scene *scene)
{
    KeAcquireInStackQueuedSpinLock(scene->spoilt, scene->handle[0]);
}

static void take_queued_lock_again(struct scene *scene)
{
    KeAcquireInStackQueuedSpinLock(scene->zeroed, scene->handle[0]);
    KeAcquireInStackQueuedSpinLockAtDpcLevel(scene->zeroed, scene->handle[1]);
}

static void release_queued_lock_unheld(struct scene *scene)
{
    KfRaiseIrql(DISPATCH);
    KeReleaseInStackQueuedSpinLock(scene->handle[0]);
}

static void take_spoilt_shared_lock(struct scene *scene)
{
    ExAcquireSpinLockShared(scene->spoilt);
}

static void release_shared_lock_unheld(struct scene *scene)
{
    KfRaiseIrql(DISPATCH);
    ExReleaseSpinLockShared(scene->zeroed, 0);
}

static void convert_shared_lock_unheld(struct scene *scene)
{
    KfRaiseIrql(DISPATCH);
    ExTryConvertSharedSpinLockExclusive(scene->zeroed);
}

static void convert_writer(struct scene *scene)
{
    ExAcquireSpinLockExclusive(scene->zeroed);
    ExTryConvertSharedSpinLockExclusive(scene->zeroed);
}

static void release_reader_as_writer(struct scene *scene)
{
    KIRQL old = ExAcquireSpinLockShared(scene->zeroed);

    ExReleaseSpinLockExclusive(scene->zeroed, old);
}

static void release_plain_lock_as_shared(struct scene *scene)
{
    KeAcquireSpinLockRaiseToDpc(scene->zeroed);
    ExReleaseSpinLockShared(scene->zeroed, 0);
}

static void take_resource(struct scene *scene)
{
    KeEnterCriticalRegion();
    ExInitializeResourceLite(scene->zeroed);
    ExAcquireResourceExclusiveLite(scene->zeroed, 1);
}

static void release_resource_of_nobody(struct scene *scene)
{
    KeEnterCriticalRegion();
    ExInitializeResourceLite(scene->zeroed);
    ExReleaseResourceForThreadLite(
        scene->zeroed, (uintptr_t)KeGetCurrentThread());
}

static void give_resource_to_no_thread(struct scene *scene)
{
    take_resource(scene);
    ExSetResourceOwnerPointerEx(scene->zeroed, scene->spoilt, 1);
}

static void give_resource_to_pointer(struct scene *scene)
{
    take_resource(scene);
    ExSetResourceOwnerPointerEx(scene->zeroed, (PVOID)0x1001, 0);
}

static void delete_resource_waited_for(struct scene *scene)
{
    take_resource(scene);
    ExDeleteResourceLite(scene->zeroed);
}

static void make_active_timer_anew(struct scene *scene)
{
    KeInitializeTimer(scene->zeroed);
    KeSetTimer(scene->zeroed, -10000000, NULL);
    KeInitializeTimerEx(scene->zeroed, SynchronizationTimer);
}

static void make_resource_of_a_held_lock(struct scene *scene)
{
    KeEnterCriticalRegion();
    ExInitializePushLock(scene->zeroed);
    ExAcquirePushLockSharedEx(scene->zeroed, 0);
    ExInitializeResourceLite(scene->zeroed);
}

static void NTAPI set_and_return(PVOID event)
{
    KeSetEvent(event, 0, 1);
}

static void end_between_set_and_wait(struct scene *scene)
{
    KeInitializeEvent(scene->zeroed, NotificationEvent, 0);
    PsCreateSystemThread((PHANDLE)(void *)scene->handle[0], 0, NULL, NULL, NULL,
        set_and_return, scene->zeroed);
    cpu_spin(kernel_cpu(kernel_current()), 1000000);
    cpu_checkpoint(kernel_cpu(kernel_current()));
}

static struct mistake_row {
    const char *name;
    void (*mistake)(struct scene *scene);
    enum rule want;
    bool stops;
} mistake_rows[] = {
    {"spoilt_queued_lock", take_spoilt_queued_lock, RULE_LOCK_NOT_INITIALIZED,
        false},
    {"queued_lock_again", take_queued_lock_again, RULE_LOCK_RECURSIVE, true},
    {"queued_lock_unheld", release_queued_lock_unheld, RULE_LOCK_NOT_OWNED,
        true},
    {"spoilt_shared_lock", take_spoilt_shared_lock, RULE_LOCK_NOT_INITIALIZED,
        false},
    {"shared_lock_unheld", release_shared_lock_unheld, RULE_LOCK_NOT_OWNED,
        true},
    {"conversion_unheld", convert_shared_lock_unheld, RULE_LOCK_NOT_OWNED,
        true},
    {"conversion_of_a_writer", convert_writer, RULE_LOCK_NOT_OWNED, true},
    {"reader_released_as_writer", release_reader_as_writer,
        RULE_LOCK_MIXED_PAIR, false},
    {"plain_lock_released_as_shared", release_plain_lock_as_shared,
        RULE_LOCK_NOT_OWNED, true},
    {"resource_of_nobody_released", release_resource_of_nobody,
        RULE_RESOURCE_NOT_OWNED, true},
    {"resource_of_no_thread", give_resource_to_no_thread,
        RULE_RESOURCE_OWNER_POINTER, true},
    {"resource_of_a_wrong_pointer", give_resource_to_pointer,
        RULE_RESOURCE_OWNER_POINTER, true},
    {"held_resource_deleted", delete_resource_waited_for,
        RULE_RESOURCE_DELETED_HELD, true},
    {"active_timer_made_anew", make_active_timer_anew, RULE_OBJECT_IN_USE,
        true},
    {"held_lock_made_anew", make_resource_of_a_held_lock, RULE_OBJECT_IN_USE,
        true},
    {"thread_ends_in_a_pair", end_between_set_and_wait, RULE_WAIT_PAIR, false},
};

static void make_mistake(void *argument)
{
    struct scene *scene = argument;

    scene->row->mistake(scene);
}

static void mistake_row(void **state)
{
    struct scene scene = {.row = *state};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    scene.zeroed = booted_block(&booted, 256, 0);
    scene.spoilt = booted_block(&booted, 256, 0xA4);
    scene.handle[0] = booted_block(&booted, 256, 0);
    scene.handle[1] = booted_block(&booted, 256, 0);
    booted_spawn(&booted, 0, make_mistake, &scene);
    /* A lock that looks as if it were held is waited for. */
    assert_int_equal(
        machine_run(&booted.machine) == MACHINE_STOPPED, scene.row->stops);
    assert_int_equal(booted_broken(&booted, scene.row->want), 1);
    booted_release(&booted);
}

TEST_FILE(test_lock_mistakes)
{
    TEST_ADD_ROWS(list, mistake_row, mistake_rows);
}
