/* work_queue.c - the queues of system work items: who is queued twice, freed
 * while queued, or left behind by its driver. */
#include "api/ex/work_queue.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ex/worker.h"

_Static_assert(offsetof(struct work_item, stored) == 0, "found by its storage");

/* First parameters of 0xE4 (WORK-04). */
enum {
    WORK_FREED = 0,
    WORK_QUEUED_TWICE = 1,
    WORK_BAD_TYPE = 6,
    WORK_BAD_ROUTINE = 7,
};

/* Priorities of worker threads, by queue type (WORK-05a). */
static const uint8_t priorities[] = {13, 12, 15, 8, 7, 18, 14};

enum {
    TYPES = sizeof(priorities) / sizeof(priorities[0]),
    CUSTOM = 32, /* CustomPriority */
};

_Noreturn void work_stop(struct kernel *kernel, enum routine routine,
    enum rule rule, uint64_t what, uint64_t address)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = what}, {.value = address}};

    rule_stop(kernel, kernel_cpu(kernel), rule, routine, parameter);
}

struct work_item *work_find(struct kernel *kernel, const void *address)
{
    return (struct work_item *)(void *)storage_find(
        &kernel->works->table, (uintptr_t)address);
}

struct work_item *work_make(
    struct kernel *kernel, const void *address, enum work_kind kind)
{
    struct works *works = kernel->works;
    struct work_item *item =
        record_take(kernel, &works->pool, sizeof(*item), "work items");

    *item = (struct work_item){.stored = {.address = (uintptr_t)address},
        .kind = kind,
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel),
        .older = works->newest};
    storage_enter(kernel, &works->table, &item->stored, "work items");
    if (works->newest != NULL) {
        works->newest->newer = item;
    }
    works->newest = item;
    return item;
}

static void give(struct kernel *kernel, struct work_item *item)
{
    struct works *works = kernel->works;

    *(item->newer == NULL ? &works->newest : &item->newer->older) = item->older;
    if (item->older != NULL) {
        item->older->newer = item->newer;
    }
    record_give(&works->pool, item);
}

void work_forget(struct kernel *kernel, struct work_item *item)
{
    assert(!item->queued);
    storage_remove(&kernel->works->table, &item->stored);
    give(kernel, item);
}

static bool has_custom_priorities(const struct kernel *kernel)
{
    return kernel->os >= &os_rows[OS_WIN10_PRE1903]; /* 8.1 and later */
}

void work_check_type(
    struct kernel *kernel, enum routine routine, uint32_t type, bool io)
{
    bool drivers =
        type == DelayedWorkQueue || (!io && type == CriticalWorkQueue);

    if (type >= CUSTOM && type <= CUSTOM + 31u &&
        has_custom_priorities(kernel)) {
        return;
    }
    if (type >= TYPES) {
        work_stop(kernel, routine, RULE_WORK_INVALID, WORK_BAD_TYPE, type);
    }
    if (drivers) {
        return;
    }
    if (ruling_is(kernel, RULED_WORK_05b_fatal)) {
        const struct bugcheck_parameter parameter[4] = {
            {.value = WORK_BAD_TYPE}, {.value = type}};

        rule_stop_with(kernel, kernel_cpu(kernel), RULE_WORK_TYPE, routine,
            place_current(kernel), BUGCHECK_WORKER_INVALID, parameter);
    }
    rule_warn(kernel, kernel_cpu(kernel), RULE_WORK_TYPE, routine);
}

void work_check_routine(
    struct kernel *kernel, enum routine routine, uint64_t code)
{
    if (!code_is_at(kernel, code)) {
        work_stop(kernel, routine, RULE_WORK_INVALID, WORK_BAD_ROUTINE, code);
    }
}

void work_check_storage(struct kernel *kernel, enum routine routine,
    const void *address, size_t size)
{
    if (memory_is_pageable(&kernel->machine->memory, address, size)) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_WORK_PAGED, routine);
    }
}

void work_queue_it(struct kernel *kernel, enum routine routine,
    struct work_item *item, uint32_t type)
{
    struct work_queue *queue =
        &kernel->works->queue[type == CriticalWorkQueue ? 0 : 1];

    if (item->queued) {
        work_stop(kernel, routine, RULE_WORK_QUEUED, WORK_QUEUED_TWICE,
            item->stored.address);
    }
    item->priority =
        type >= CUSTOM ? (uint8_t)(type - CUSTOM) : priorities[type];
    item->queued = true;
    item->next = NULL;
    *(queue->last == NULL ? &queue->first : &queue->last->next) = item;
    queue->last = item;
    worker_wake(kernel, queue);
}

static void block_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct memory_block *block)
{
    struct stored *stored = storage_take_all(
        &kernel->works->table, (uintptr_t)block->start, block->size);

    (void)cpu;
    while (stored != NULL) {
        struct work_item *item = (struct work_item *)(void *)stored;

        stored = stored->next;
        if (item->queued) {
            work_stop(kernel, routine, RULE_WORK_FREED, WORK_FREED,
                item->stored.address);
        }
        give(kernel, item);
    }
}

const struct block_watcher work_block_watcher = {block_freed};

/* What is in a driver's own memory and not queued is nobody's business. */
static bool is_held(const struct work_item *item, const struct driver *driver)
{
    return item->driver == driver &&
           (item->queued || item->kind == WORK_IO_ALLOCATED);
}

/* Calls each(...) for the workers that run an item of the driver's. */
static void each_running(struct kernel *kernel, const struct driver *driver,
    void (*each)(
        struct kernel *kernel, struct work_worker *worker, void *context),
    void *context)
{
    for (unsigned i = 0; i < WORK_QUEUES; i++) {
        for (struct work_worker *worker = kernel->works->queue[i].workers;
             worker != NULL; worker = worker->next) {
            if (worker->runs == driver && driver != NULL) {
                each(kernel, worker, context);
            }
        }
    }
}

static void list_running(
    struct kernel *kernel, struct work_worker *worker, void *context)
{
    (void)kernel;
    leaks_found(context, LEAK_WORK_ITEM, "running work item", worker->step);
}

static void report_live(struct kernel *kernel, struct cpu *cpu, uint64_t place)
{
    const struct bugcheck_parameter parameter[4] = {{.name = "work item"}};

    leaks_alive(
        kernel, cpu, RULE_LEAK_WORK_ITEM, ROUTINE_COUNT, place, parameter);
}

static void report_running(
    struct kernel *kernel, struct work_worker *worker, void *context)
{
    if (leaks_is_news(&worker->reported)) {
        report_live(kernel, context, worker->place);
    }
}

static void list_items(
    struct kernel *kernel, const struct leak_listing *listing)
{
    struct leak_listing asked = *listing;

    for (const struct work_item *item = kernel->works->newest; item != NULL;
         item = item->older) {
        if (is_held(item, listing->driver)) {
            leaks_found(listing, LEAK_WORK_ITEM,
                item->queued ? "queued work item" : "work item", item->step);
        }
    }
    each_running(kernel, listing->driver, list_running, &asked);
}

bool work_keeps(const struct kernel *kernel, const struct driver *driver)
{
    const struct works *works = kernel->works;
    bool keeps = false;

    for (unsigned i = 0; i < WORK_QUEUES; i++) {
        for (const struct work_worker *worker = works->queue[i].workers;
             worker != NULL; worker = worker->next) {
            keeps = keeps || (worker->runs == driver && worker->io);
        }
    }
    for (const struct work_item *item = works->newest; item != NULL && !keeps;
         item = item->older) {
        keeps = item->driver == driver && item->queued && item->kind != WORK_EX;
    }
    return keeps;
}

static void report_items(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    each_running(kernel, driver, report_running, cpu);
    for (struct work_item *item = kernel->works->newest; item != NULL;
         item = item->older) {
        if (!is_held(item, driver) || !leaks_is_news(&item->reported)) {
            continue;
        }
        if (item->queued) {
            report_live(kernel, cpu, item->place);
        }
        if (item->kind == WORK_IO_ALLOCATED) {
            rule_warn_at(
                kernel, cpu, RULE_WORK_NOT_FREED, ROUTINE_COUNT, item->place);
        }
    }
}

const struct leak_source work_leaks = {
    LEAK_WORK_ITEM, list_items, report_items, NULL};
