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
struct strand;

/* A lock that is held, and how it was acquired. */
struct spinlock_hold {
    const void *lock;
    enum lock_kind kind; /* one of the spin locks */
    uint32_t processor;
    bool raised;      /* with the level, so that the release lowers it */
    uint8_t old_irql; /* where it was raised: the level before */
    bool shared;      /* with other readers */
    uint64_t handle;  /* the KLOCK_QUEUE_HANDLE that it was acquired by; 0 */
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

/* The lock's hold of the processor; NULL: it has none. */
struct spinlock_hold *spinlock_hold_here(
    struct kernel *kernel, const struct cpu *cpu, const void *lock);

/* The processor, which runs the caller, holds the lock from now on. */
struct spinlock_hold *spinlock_hold_add(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const void *lock, enum lock_kind kind);

/* It is given back, with the warning lock.held_long where it is due. Returns
 * what it was. */
struct spinlock_hold spinlock_hold_end(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct spinlock_hold *hold);

/* The level that the caller's release ends with; it should be the one before
 * the acquire. */
void spinlock_lower(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct spinlock_hold *was, uint8_t irql);

/* For the routines at DISPATCH_LEVEL: above it is a rule event (LOCK-08 [C]).
 */
void spinlock_check_dispatch(
    struct kernel *kernel, struct cpu *cpu, enum routine routine);

/* One lock was acquired in both ways, queued and not (QLOCK-03 [C]). */
void spinlock_mixed(
    struct kernel *kernel, struct cpu *cpu, enum routine routine);

_Noreturn void spinlock_stop(struct kernel *kernel, struct cpu *cpu,
    enum rule rule, enum routine routine);

/* For observers of a strand that has not come to its end: the lock that it
 * spins for; NULL: it does not. */
const void *spinlock_awaited(const struct strand *strand);

/* What a driver still holds: when it ends, the warning leak.spin_lock for each,
 * with the place of its acquire, once. */
extern const struct leak_source spinlock_leaks;

/* Whether each hold is a processor's that there is, by a routine that acquires;
 * asserts each part. */
bool spinlock_log_check(
    const struct kernel *kernel, const struct spinlock_log *log);

void spinlock_log_release(struct spinlock_log *log);

#endif
