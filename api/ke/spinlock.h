/* spinlock.h - spin locks: the lock itself lies in the driver's memory, 0 when
 * it is free; who holds it is noted here (facts.md 7.2). */
#ifndef API_KE_SPINLOCK_H
#define API_KE_SPINLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/exports.h"

struct cpu;
struct driver;
struct kernel;

/* A lock that is held, and how it was acquired. */
struct spinlock_hold {
    const KSPIN_LOCK *lock;
    uint32_t processor;
    bool raised;      /* with the level, so that the release lowers it */
    uint8_t old_irql; /* where it was raised: the level before */
    bool reported;    /* as left behind */
    enum routine routine;
    uint64_t time, place;
    const struct driver *driver;
};

struct spinlock_log {
    struct spinlock_hold *hold; /* those that are held now */
    size_t count, capacity;
};

/* Whether it is one of the four that acquire and release. */
bool spinlock_is_routine(enum routine routine);

/* Whether it is one of the two for code at DISPATCH_LEVEL, which leave the
 * level alone. */
bool spinlock_is_at_dpc(enum routine routine);

/* Reports what the driver still holds now that it ends: the warning
 * leak.spin_lock for each, with the place of its acquire, once. */
void spinlock_report_driver(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver);

void spinlock_log_release(struct spinlock_log *log);

#endif
