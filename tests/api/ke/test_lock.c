/* test_lock.c - locks by the address of their storage: many at once, given back
 * in another order than they were taken in, waited for by several. */
#include "api/ke/lock.h"

#include "api/boot/exports.h"
#include "api/core/leaks.h"
#include "api/ke/kthread.h"
#include "tests/api/booted_kernel.h"

/* As many pages as there are buckets, and one. */
enum { FAR = (1024 + 1) * 4096, TICK = 15625 * 2500 };

struct scene {
    void *lock;
    char order[8];
    unsigned came, found, left;
};

static struct scene *scene;

/* On pages of one bucket. */
static void make_far_apart(void *argument)
{
    struct kernel *kernel = kernel_current();
    uint8_t *second = (uint8_t *)scene->lock + FAR - 4096;

    (void)argument;
    ExInitializePushLock(scene->lock);
    ExInitializePushLock(second);
    scene->found = lock_find(kernel, (uintptr_t)scene->lock) != NULL &&
                   lock_find(kernel, (uintptr_t)second) != NULL &&
                   lock_find(kernel, (uintptr_t)second + 8) == NULL;
    lock_forget(kernel, lock_find(kernel, (uintptr_t)scene->lock));
    scene->left = lock_find(kernel, (uintptr_t)second) != NULL &&
                  lock_find(kernel, (uintptr_t)scene->lock) == NULL;
}

/* What one lock was kept in holds the next one. */
static void forget_and_make(void *argument)
{
    struct kernel *kernel = kernel_current();
    const struct lock *first;

    (void)argument;
    ExInitializePushLock(scene->lock);
    first = lock_find(kernel, (uintptr_t)scene->lock);
    lock_forget(kernel, lock_find(kernel, (uintptr_t)scene->lock));
    ExInitializePushLock((uint8_t *)scene->lock + 8);
    scene->found = first != NULL;
    scene->left = lock_find(kernel, (uintptr_t)scene->lock + 8) == first;
}

/* Held by one thread, the first is given back first. */
static void give_back_in_order(void *argument)
{
    struct kernel *kernel = kernel_current();
    const struct kthread *thread = kthread_current(kernel);
    uint8_t *lock = scene->lock;

    (void)argument;
    KeEnterCriticalRegion();
    for (unsigned i = 0; i < 3; i++) {
        ExInitializePushLock(lock + (size_t)8 * i);
        ExAcquirePushLockExclusiveEx(lock + (size_t)8 * i, 0);
    }
    ExReleasePushLockExclusiveEx(lock, 0);
    scene->found =
        thread->holds->lock->stored.address == (uintptr_t)lock + 16 &&
        thread->holds->next->lock->stored.address == (uintptr_t)lock + 8 &&
        thread->holds->next->next == NULL;
    ExReleasePushLockExclusiveEx(lock + 16, 0);
    ExReleasePushLockExclusiveEx(lock + 8, 0);
    scene->left = thread->holds == NULL;
}

/* A mutex that is made anew has no past. */
static void make_mutex_anew(void *argument)
{
    struct kernel *kernel = kernel_current();

    (void)argument;
    KeInitializeMutex(scene->lock, 0);
    KeWaitForSingleObject(scene->lock, Executive, 0, 0, NULL);
    KeReleaseMutex(scene->lock, 0);
    scene->found = lock_find(kernel, (uintptr_t)scene->lock) != NULL;
    KeInitializeMutex(scene->lock, 0);
    scene->left = lock_find(kernel, (uintptr_t)scene->lock) == NULL;
}

static void one_thread_row(void **state)
{
    void (*code)(void *argument) = *(void (**)(void *)) * state;
    struct scene made = {.came = 0};
    struct booted_kernel booted;

    scene = &made;
    booted_init_usual(&booted);
    made.lock = booted_block(&booted, FAR, 0);
    booted_run(&booted, 0, code, NULL);
    assert_true(made.found);
    assert_true(made.left);
    booted_release(&booted);
}

static void make_resource(void)
{
    ExInitializeResourceLite(scene->lock);
}

static void take_resource(bool shared)
{
    if (shared) {
        ExAcquireResourceSharedLite(scene->lock, 1);
    } else {
        ExAcquireResourceExclusiveLite(scene->lock, 1);
    }
}

static void give_resource(bool shared)
{
    (void)shared;
    ExReleaseResourceLite(scene->lock);
}

static void make_push_lock(void)
{
    ExInitializePushLock(scene->lock);
}

static void take_push_lock(bool shared)
{
    if (shared) {
        ExAcquirePushLockSharedEx(scene->lock, 0);
    } else {
        ExAcquirePushLockExclusiveEx(scene->lock, 0);
    }
}

static void give_push_lock(bool shared)
{
    if (shared) {
        ExReleasePushLockSharedEx(scene->lock, 0);
    } else {
        ExReleasePushLockExclusiveEx(scene->lock, 0);
    }
}

static const struct routines {
    void (*make)(void);
    void (*take)(bool shared);
    void (*give)(bool shared);
} resource = {make_resource, take_resource, give_resource},
  push_lock = {make_push_lock, take_push_lock, give_push_lock};

/* came: who asks, in order, while the maker has the lock exclusively, or
 * shared; an upper-case letter writes, a lower-case one reads. */
static struct line_row {
    const char *name;
    const struct routines *routines;
    bool shared;
    const char *came, *want;
} line_rows[] = {
    {"writer_after_writer", &resource, false, "AB", "AB"},
    {"readers_before_writers", &resource, false, "AbCd", "bdAC"},
    {"writer_after_readers", &resource, true, "AbC", "AbC"},
    {"push_lock_in_order", &push_lock, false, "AbcD", "AbcD"},
    {"push_lock_of_readers", &push_lock, true, "AbC", "AbC"},
};

struct comer {
    const struct routines *routines;
    char letter;
};

static void come(void *argument)
{
    const struct comer *comer = argument;
    bool shared = comer->letter >= 'a';

    KeEnterCriticalRegion();
    comer->routines->take(shared);
    scene->left += kthread_current(kernel_current())->lock_wait == NULL;
    scene->order[scene->came++] = comer->letter;
    comer->routines->give(shared);
}

/* Each of them waits before the next one comes. */
static void make_line(void *argument)
{
    const struct line_row *row = argument;
    struct kernel *kernel = kernel_current();
    static struct comer comer[8];

    KeEnterCriticalRegion();
    row->routines->make();
    row->routines->take(row->shared);
    for (size_t i = 0; row->came[i] != '\0'; i++) {
        comer[i] = (struct comer){row->routines, row->came[i]};
        strand_spawn(machine_cpu(kernel->machine, 1), come, &comer[i],
            strand_current(kernel->machine)->owner);
        cpu_spin(kernel_cpu(kernel), TICK);
        cpu_checkpoint(kernel_cpu(kernel));
    }
    row->routines->give(row->shared);
}

static void line_row(void **state)
{
    struct line_row *row = *state;
    struct scene made = {.came = 0};
    struct booted_kernel booted;

    scene = &made;
    booted_init_usual(&booted);
    made.lock = booted_block(&booted, 256, 0);
    booted_run(&booted, 0, make_line, row);
    assert_string_equal(made.order, row->want);
    assert_int_equal(made.left, strlen(row->want)); /* they wait no more */
    booted_release(&booted);
}

static void hold_push_lock(void *lock)
{
    KeEnterCriticalRegion();
    ExInitializePushLock(lock);
    ExAcquirePushLockExclusiveEx(lock, 0);
}

static void note_leak(void *context, const struct leak_found *found)
{
    assert_int_equal(found->leak, LEAK_LOCK);
    strcat(context, found->text);
}

static void what_is_held_is_listed(void **state)
{
    char text[100] = "";
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_run(
        &booted, 0, hold_push_lock, booted_block(&booted, sizeof(void *), 0));
    leaks_list(&booted.kernel,
        &(struct leak_listing){&booted.driver, note_leak, text});
    assert_string_equal(
        text, "push lock acquired by ExAcquirePushLockExclusiveEx");
    booted_release(&booted);
}

/* Not in a step of anybody's. */
static void take_in_both_orders(void *push)
{
    uint8_t *mutex = (uint8_t *)push + 64;

    KeEnterCriticalRegion();
    ExInitializePushLock(push);
    KeInitializeGuardedMutex(mutex);
    ExAcquirePushLockExclusiveEx(push, 0);
    ExAcquireFastMutex(mutex);
    ExReleaseFastMutex(mutex);
    ExReleasePushLockExclusiveEx(push, 0);
    ExAcquireFastMutex(mutex);
    ExAcquirePushLockExclusiveEx(push, 0);
}

static void order_is_said_in_words(void **state)
{
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, take_in_both_orders, booted_block(&booted, 128, 0));
    assert_int_equal(booted.kernel.rules.count, 1);
    assert_int_equal(booted.kernel.rules.event[0].rule, RULE_LOCK_ORDER);
    assert_string_equal(
        booted.kernel.rules.event[0].subject, "push lock behind fast mutex");
    booted_release(&booted);
}

static void (*far_apart)(void *) = make_far_apart;
static void (*made_again)(void *) = forget_and_make;
static void (*in_order)(void *) = give_back_in_order;
static void (*mutex_anew)(void *) = make_mutex_anew;

TEST_FILE(test_lock)
{
    test_add(list, "two_of_one_bucket", one_thread_row, &far_apart);
    test_add(
        list, "given_back_in_the_order_of_taking", one_thread_row, &in_order);
    test_add(list, "made_where_another_was", one_thread_row, &made_again);
    test_add(list, "mutex_made_anew", one_thread_row, &mutex_anew);
    TEST_ADD_ROWS(list, line_row, line_rows);
    test_add(list, "order_is_said_in_words", order_is_said_in_words, NULL);
    test_add(list, "what_is_held_is_listed", what_is_held_is_listed, NULL);
}
