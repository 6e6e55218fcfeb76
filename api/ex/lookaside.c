/* lookaside.c - lookaside lists as objects: known by their heads, forgotten,
 * left behind. */
#include "api/ex/lookaside.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/early_end.h"
#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ke/dispatch_object.h"
#include "api/mm/copy.h"

_Static_assert(offsetof(struct lookaside, stored) == 0, "found by its storage");

enum { HEAD_ALIGNMENT = 16, VERIFIER_FREED_ACTIVE = 0xCC };

static struct lookaside *find(struct kernel *kernel, const void *address)
{
    return (struct lookaside *)(void *)storage_find(
        &kernel->lookasides->table, (uintptr_t)address);
}

/* LOOK-01. */
static void check_head(
    struct kernel *kernel, enum routine routine, const void *address)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = (uintptr_t)address}};

    if (find(kernel, address) != NULL) {
        rule_stop(kernel, cpu, RULE_OBJECT_IN_USE, routine, parameter);
    }
    dispatch_storage_check(kernel, routine, (uintptr_t)address,
        sizeof(GENERAL_LOOKASIDE_POOL), HEAD_ALIGNMENT);
}

void lookaside_make(struct kernel *kernel, enum routine routine,
    const void *address, enum lookaside_kind kind)
{
    struct lookasides *lists = kernel->lookasides;
    struct lookaside *list;

    check_head(kernel, routine, address);
    list = record_take(kernel, &lists->pool, sizeof(*list), "lookaside lists");
    *list = (struct lookaside){.stored = {.address = (uintptr_t)address},
        .kind = kind,
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel),
        .older = lists->newest};
    storage_enter(kernel, &lists->table, &list->stored, "lookaside lists");
    if (lists->newest != NULL) {
        lists->newest->newer = list;
    }
    lists->newest = list;
}

struct lookaside *lookaside_get(struct kernel *kernel, enum routine routine,
    const void *address, enum lookaside_kind kind)
{
    struct lookaside *list = find(kernel, address);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = (uintptr_t)address}};

    if (list == NULL) {
        copy_probe(
            kernel, routine, address, sizeof(GENERAL_LOOKASIDE_POOL), true);
        early_end_for_object(
            kernel, RULE_OBJECT_UNINITIALIZED, routine, parameter);
    }
    if (list->kind != kind) {
        early_end_for_object(kernel, RULE_OBJECT_KIND, routine, parameter);
    }
    return list;
}

static void give(struct kernel *kernel, struct lookaside *list)
{
    struct lookasides *lists = kernel->lookasides;

    *(list->newer == NULL ? &lists->newest : &list->newer->older) = list->older;
    if (list->older != NULL) {
        list->older->newer = list->newer;
    }
    record_give(&lists->pool, list);
}

void lookaside_forget(struct kernel *kernel, struct lookaside *list)
{
    storage_remove(&kernel->lookasides->table, &list->stored);
    give(kernel, list);
}

static void block_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct memory_block *block)
{
    struct stored *stored = storage_take_all(
        &kernel->lookasides->table, (uintptr_t)block->start, block->size);

    while (stored != NULL) {
        const struct bugcheck_parameter parameter[4] = {
            {.value = VERIFIER_FREED_ACTIVE}, {.value = stored->address}};
        struct lookaside *list = (struct lookaside *)(void *)stored;

        leaks_alive(kernel, cpu, RULE_LOOKASIDE_FREED, routine,
            place_current(kernel), parameter);
        stored = stored->next;
        give(kernel, list);
    }
}

const struct block_watcher lookaside_block_watcher = {block_freed};

static void list_lists(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct lookaside *list = kernel->lookasides->newest;
         list != NULL; list = list->older) {
        if (list->driver == listing->driver) {
            leaks_found(
                listing, LEAK_LOOKASIDE_LIST, "lookaside list", list->step);
        }
    }
}

static void report_lists(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    const struct bugcheck_parameter parameter[4] = {{.name = "lookaside list"}};

    for (struct lookaside *list = kernel->lookasides->newest; list != NULL;
         list = list->older) {
        if (list->driver == driver && leaks_is_news(&list->reported)) {
            leaks_alive(kernel, cpu, RULE_LEAK_LOOKASIDE_LIST, ROUTINE_COUNT,
                list->place, parameter);
        }
    }
}

const struct leak_source lookaside_leaks = {
    LEAK_LOOKASIDE_LIST, list_lists, report_lists, NULL};
