/* lock.h - locks by the address of their storage: who holds them, where they
 * were taken, who waits. What counts is kept here (EXE-GEN-02 [C]); rules about
 * several of them are lock_order.h's. */
#ifndef API_KE_LOCK_H
#define API_KE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/routine.h"
#include "api/core/rules.h"
#include "api/ke/thread_switch.h"
#include "api/mm/block.h"
#include "api/mm/storage_table.h"
#include "sim/base/record_pool.h"

struct cpu;
struct driver;
struct kernel;
struct kthread;
struct strand;

enum lock_kind {
#define LOCK_KIND(name, ...) LOCK_##name,
#include "api/ke/lock_kinds.def"
    LOCK_KINDS
};

struct lock_kind_row {
    uint32_t bytes, alignment;
    enum switch_reason reason;
    const char *text;
};

extern const struct lock_kind_row lock_kinds[LOCK_KINDS];

/* A lock that somebody holds, once or again and again. */
struct lock_hold {
    struct lock *lock;
    uint64_t owner;         /* a KTHREAD's address, or an owner pointer */
    struct kthread *thread; /* whose address that is, else NULL */
    uint32_t count;
    bool shared;
    bool reported; /* as left behind */
    enum routine routine;
    uint64_t place; /* of the code that took it; 0: unknown */
    uint32_t step;  /* of an actor, that took it; 0: none */
    const struct driver *driver;
    struct lock_hold *next;   /* of the thread's, the one taken before */
    struct lock_hold *beside; /* of the same lock */
};

/* Who has a remove lock once: the release has the same tag (RLOCK-03). */
struct lock_tag {
    uint64_t tag;
    uint64_t time; /* of its processor when it was acquired */
    struct lock_tag *next;
};

/* A thread that waits for a lock. It lies on its own stack. */
struct lock_waiter {
    struct lock *lock;
    struct kthread *thread;
    struct strand *strand;
    bool shared;
    bool granted;
    bool spins; /* it keeps its processor, and is not woken */
    enum routine routine;
    uint64_t place;
    uint32_t step;
    const struct driver *driver;
    struct lock_waiter *next;
};

struct lock {
    struct stored stored;
    uint64_t number; /* of those that were ever made */
    enum lock_kind kind;
    struct lock_hold *holds;
    struct lock_waiter *first, *last; /* in order of arrival */
    int64_t count;               /* of run-down protection and remove locks */
    bool closed;                 /* those two: nobody gets in any more */
    struct lock_tag *tags;       /* of a remove lock, the newest first */
    uint32_t most, minutes;      /* its limits; 0: none */
    uint8_t level;               /* from which its acquire raised */
    const struct driver *driver; /* that made it */
    uint64_t place;              /* of the code that did; 0: unknown */
    struct lock_edge *after;     /* what was taken while it was held */
    struct lock *path;           /* while a way is looked for */
    uint64_t search;             /* the last one that came here */
};

/* All there are. */
struct lock_table {
    struct storage_table table;
    struct record_pool pool, hold_pool, tag_pool, edge_pool;
    uint64_t made, searches;
};

/* The lock there; NULL: none is known. */
struct lock *lock_find(struct kernel *kernel, uint64_t address);

/* Something else begins there: what was a lock ends, and the machine stops if
 * that is held or waited for (EXE-GEN-02). */
void lock_replace(
    struct kernel *kernel, enum routine routine, uint64_t address);

/* The lock there, which is made where none of that kind is known, in place of
 * one of another kind. Never NULL: the run ends as not modelled where there is
 * no memory left. */
struct lock *lock_at(struct kernel *kernel, enum routine routine,
    uint64_t address, enum lock_kind kind);

/* A routine initialises its storage: a new one. One that is held or waited for
 * stops the machine, one that is not aligned is a rule event (EXE-LAY-02). */
struct lock *lock_make(struct kernel *kernel, enum routine routine,
    const void *address, enum lock_kind kind);

/* The lock that a routine was given; without one of that kind the machine stops
 * with object.uninitialized (EXE-GEN-02 [C]). */
struct lock *lock_get(struct kernel *kernel, enum routine routine,
    const void *address, enum lock_kind kind);

/* Nobody holds it or waits for it, and it is no lock any more. */
void lock_forget(struct kernel *kernel, struct lock *lock);

/* The owner's hold; NULL: it has none. */
struct lock_hold *lock_hold_of(const struct lock *lock, uint64_t owner);

/* The thread has it from now on, which the strand runs or waits in. */
void lock_take(struct kernel *kernel, struct lock *lock, struct kthread *thread,
    struct strand *strand, enum routine routine, bool shared);

/* A hold is given back once; returns whether that was its last. */
bool lock_give(struct kernel *kernel, struct lock_hold *hold);

/* The hold is another owner's from now on: no thread's where `thread` is NULL.
 */
void lock_hold_move(
    struct lock_hold *hold, struct kthread *thread, uint64_t owner);

/* Somebody has it once more, by that tag. */
void lock_tag_add(
    struct kernel *kernel, struct lock *lock, uint64_t tag, uint64_t time);

/* Somebody, as there is, has it once less: by that tag, or else who got it
 * last. */
struct lock_tag lock_tag_take(
    struct kernel *kernel, struct lock *lock, uint64_t tag);

/* The running thread waits for the lock until lock_grant(); below
 * DISPATCH_LEVEL it leaves its processor. */
void lock_wait(struct kernel *kernel, struct lock *lock, enum routine routine,
    bool shared);

/* The waiter, which is among those of its lock, has waited enough. */
void lock_wake(struct kernel *kernel, struct lock_waiter *waiter);

/* The same, and it holds the lock. */
void lock_grant(struct kernel *kernel, struct lock_waiter *waiter);

/* Stops the machine with the rule's code; two parameters are names, then comes
 * a number. */
_Noreturn void lock_stop(struct kernel *kernel, enum rule rule,
    enum routine routine, const char *first, const char *second,
    uint64_t third);

/* A routine was called that the lock's state does not allow: stops the machine
 * with the rule's code, or only reports that where a ruling says so. */
void lock_misused(struct kernel *kernel, enum rule rule, enum routine routine,
    const struct lock *lock, bool goes_on);

/* Memory that is freed has no lock that somebody holds or waits for. */
extern const struct block_watcher lock_block_watcher;

#endif
