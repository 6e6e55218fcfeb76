/* work_queue.h - work items: what a worker thread of the system's runs at
 * PASSIVE_LEVEL. Drivers' storage is known by its address (EXE-GEN-02 [C]). */
#ifndef API_EX_WORK_QUEUE_H
#define API_EX_WORK_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "api/core/rules.h"
#include "api/ke/code.h"
#include "api/mm/block.h"
#include "api/mm/storage_table.h"
#include "sim/base/record_pool.h"

struct driver;
struct kernel;
struct kthread;
struct strand;

enum work_kind {
    WORK_EX,             /* ExQueueWorkItem's: known while it is queued */
    WORK_IO_ALLOCATED,   /* IoAllocateWorkItem's */
    WORK_IO_INITIALIZED, /* IoInitializeWorkItem's */
};

struct work_item {
    struct stored stored; /* first */
    enum work_kind kind;
    uint64_t routine, argument[CODE_ARGUMENTS];
    uint64_t object; /* of an Io item: its device or driver */
    const struct driver *driver;
    uint64_t place;
    uint32_t step;
    uint8_t priority; /* of the thread that runs it */
    bool queued;
    bool reported;          /* as left behind */
    struct work_item *next; /* in its queue */
    /* Among all that there are. */
    struct work_item *newer, *older;
};

enum { WORK_QUEUES = 2 };

struct work_queue {
    struct work_item *first, *last;
    struct work_worker *workers;
    uint32_t count; /* of them */
};

struct works {
    struct storage_table table;
    struct work_item *newest;
    struct record_pool pool;
    struct work_queue queue[WORK_QUEUES]; /* critical, the rest */
};

/* The item whose storage begins there; NULL: there is none. */
struct work_item *work_find(struct kernel *kernel, const void *address);

/* One more, of the running driver. */
struct work_item *work_make(
    struct kernel *kernel, const void *address, enum work_kind kind);

/* It is no item any more, and not queued. */
void work_forget(struct kernel *kernel, struct work_item *item);

/* The type is one of WORK_QUEUE_TYPE, or it is a rule (WORK-04, WORK-05b [C]).
 * `io`: for an Io item, which has fewer. */
void work_check_type(
    struct kernel *kernel, enum routine routine, uint32_t type, bool io);

/* The routine is code, or it is a rule (WORK-04). */
void work_check_routine(
    struct kernel *kernel, enum routine routine, uint64_t code);

/* Whoever queues an item may be at DISPATCH_LEVEL, so that it lies in memory
 * that is always there; or it is a rule (WORK-07). */
void work_check_storage(struct kernel *kernel, enum routine routine,
    const void *address, size_t size);

/* Puts the item, whose routine and arguments are set, into the queue of the
 * type; if it is in one already that is a rule (WORK-04). */
void work_queue_it(struct kernel *kernel, enum routine routine,
    struct work_item *item, uint32_t type);

/* 0xE4 with this first parameter (WORK-04). */
_Noreturn void work_stop(struct kernel *kernel, enum routine routine,
    enum rule rule, uint64_t what, uint64_t address);

/* Whether an item of the I/O manager's is queued or runs (WORK-02). */
bool work_keeps(const struct kernel *kernel, const struct driver *driver);

/* What a driver leaves: a queued item, or one that is its own memory. */
extern const struct leak_source work_leaks;

/* Memory that is freed has no item that is queued (WORK-04). */
extern const struct block_watcher work_block_watcher;

#endif
