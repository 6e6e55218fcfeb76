/* spinlock.h - spin locks: the lock itself lies in the driver's memory, 0 when
 * it is free; who holds it is noted here (facts.md 7.2). */
#ifndef API_KE_SPINLOCK_H
#define API_KE_SPINLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "api/ke/lock.h"

struct cpu;
struct driver;
struct kernel;

/* A lock that is held, and how it was acquired. */
struct spinlock_hold {
    const KSPIN_LOCK *lock;
    enum lock_kind kind; /* one of the spin locks */
    uint32_t processor;
    bool raised;      /* with the level, so that the release lowers it */
    uint8_t old_irql; /* where it was raised: the level before */
    bool reported;    /* as left behind */
    enum routine routine;
    uint64_t time, place;
    uint32_t step; /* of the actor's (struct thread) */
    const struct driver *driver;
};

struct spinlock_log {
    struct spinlock_hold *hold; /* those that are held now */
    size_t count, capacity;
};

/* What a driver still holds: when it ends, the warning leak.spin_lock for each,
 * with the place of its acquire, once. */
extern const struct leak_source spinlock_leaks;

/* Whether each hold is a processor's that there is, by a routine that acquires;
 * asserts each part. */
bool spinlock_log_check(
    const struct kernel *kernel, const struct spinlock_log *log);

void spinlock_log_release(struct spinlock_log *log);

#endif
