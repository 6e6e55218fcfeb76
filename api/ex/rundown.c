/* rundown.c - run-down protection: counts the users of an object, and has its
 * owner wait for the last before it is freed (executive.md 6). */
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ex/pool.h"
#include "api/ke/lock.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

enum { BYTES_FOR_PROCESSOR = 64 }; /* of a cache-aware one (RUND-05 [C]) */

static struct lock *get(enum routine routine, const void *address)
{
    return lock_get(kernel_current(), routine, address, LOCK_RUNDOWN);
}

static void initialize(enum routine routine, PVOID address)
{
    const EX_RUNDOWN_REF initial = 0;
    struct kernel *kernel = kernel_current();

    copy_probe(kernel, routine, address, sizeof(initial), true);
    lock_make(kernel, routine, address, LOCK_RUNDOWN);
    copy_out(kernel, routine, address, &initial, sizeof(initial));
}

static BOOLEAN acquire(enum routine routine, PVOID address, ULONG count)
{
    struct lock *lock = get(routine, address);

    if (lock->closed) {
        return 0;
    }
    lock->count += count;
    return 1;
}

/* RUND-05 [C]; false where it is flipped. */
static bool check(const struct lock *lock, bool is_right, enum routine routine)
{
    struct kernel *kernel = kernel_current();

    if (!is_right) {
        lock_misused(kernel, RULE_RUNDOWN_STATE, routine, lock,
            ruling_is(kernel, RULED_RUND_05_event));
    }
    return is_right;
}

static void release(enum routine routine, PVOID address, ULONG count)
{
    struct lock *lock = get(routine, address);

    if (!check(lock, lock->count >= (int64_t)count, routine)) {
        return;
    }
    lock->count -= count;
    while (lock->count == 0 && lock->first != NULL) {
        lock_wake(kernel_current(), lock->first);
    }
}

static void wait(enum routine routine, PVOID address)
{
    struct lock *lock = get(routine, address);

    lock->closed = true;
    if (lock->count > 0) {
        lock_wait(kernel_current(), lock, routine, false);
    }
}

static void complete(enum routine routine, PVOID address)
{
    struct lock *lock = get(routine, address);

    if (check(lock, lock->count == 0, routine)) {
        lock->closed = true;
    }
}

static void reinitialize(enum routine routine, PVOID address)
{
    struct lock *lock = get(routine, address);

    if (check(lock, lock->closed && lock->count == 0, routine)) {
        lock->closed = false;
    }
}

VOID ExInitializeRundownProtection_body(PVOID RunRef)
{
    initialize(ROUTINE_ExInitializeRundownProtection, RunRef);
}

VOID ExReInitializeRundownProtection_body(PVOID RunRef)
{
    reinitialize(ROUTINE_ExReInitializeRundownProtection, RunRef);
}

BOOLEAN ExAcquireRundownProtection_body(PVOID RunRef)
{
    return acquire(ROUTINE_ExAcquireRundownProtection, RunRef, 1);
}

BOOLEAN ExAcquireRundownProtectionEx_body(PVOID RunRef, ULONG Count)
{
    return acquire(ROUTINE_ExAcquireRundownProtectionEx, RunRef, Count);
}

VOID ExReleaseRundownProtection_body(PVOID RunRef)
{
    release(ROUTINE_ExReleaseRundownProtection, RunRef, 1);
}

VOID ExReleaseRundownProtectionEx_body(PVOID RunRef, ULONG Count)
{
    release(ROUTINE_ExReleaseRundownProtectionEx, RunRef, Count);
}

VOID ExRundownCompleted_body(PVOID RunRef)
{
    complete(ROUTINE_ExRundownCompleted, RunRef);
}

VOID ExWaitForRundownProtectionRelease_body(PVOID RunRef)
{
    wait(ROUTINE_ExWaitForRundownProtectionRelease, RunRef);
}

static uint64_t cache_aware_bytes(const struct kernel *kernel)
{
    return (uint64_t)BYTES_FOR_PROCESSOR * kernel->machine->config.processors;
}

SIZE_T ExSizeOfRundownProtectionCacheAware_body(void)
{
    return cache_aware_bytes(kernel_current());
}

VOID ExInitializeRundownProtectionCacheAware_body(
    PVOID RunRefCacheAware, SIZE_T RunRefSize)
{
    (void)RunRefSize;
    initialize(
        ROUTINE_ExInitializeRundownProtectionCacheAware, RunRefCacheAware);
}

PVOID ExAllocateCacheAwareRundownProtection_body(
    POOL_TYPE PoolType, ULONG PoolTag)
{
    const enum routine routine = ROUTINE_ExAllocateCacheAwareRundownProtection;
    struct kernel *kernel = kernel_current();
    const struct pool_request request = {.routine = routine,
        .size = cache_aware_bytes(kernel),
        .tag = PoolTag,
        .paged = PoolType == PagedPool};
    void *block = pool_allocate(kernel, kernel_cpu(kernel), &request);

    if (block != NULL) {
        initialize(routine, block);
    }
    return block;
}

VOID ExFreeCacheAwareRundownProtection_body(PVOID RunRefCacheAware)
{
    const enum routine routine = ROUTINE_ExFreeCacheAwareRundownProtection;
    struct kernel *kernel = kernel_current();
    const struct lock *lock = get(routine, RunRefCacheAware);

    if (check(lock, lock->count == 0, routine)) {
        pool_free(kernel, kernel_cpu(kernel), routine, RunRefCacheAware, 0);
    }
}

VOID ExReInitializeRundownProtectionCacheAware_body(PVOID RunRefCacheAware)
{
    reinitialize(
        ROUTINE_ExReInitializeRundownProtectionCacheAware, RunRefCacheAware);
}

BOOLEAN ExAcquireRundownProtectionCacheAware_body(PVOID RunRefCacheAware)
{
    return acquire(
        ROUTINE_ExAcquireRundownProtectionCacheAware, RunRefCacheAware, 1);
}

BOOLEAN ExAcquireRundownProtectionCacheAwareEx_body(
    PVOID RunRefCacheAware, ULONG Count)
{
    return acquire(ROUTINE_ExAcquireRundownProtectionCacheAwareEx,
        RunRefCacheAware, Count);
}

VOID ExReleaseRundownProtectionCacheAware_body(PVOID RunRefCacheAware)
{
    release(ROUTINE_ExReleaseRundownProtectionCacheAware, RunRefCacheAware, 1);
}

VOID ExReleaseRundownProtectionCacheAwareEx_body(
    PVOID RunRefCacheAware, ULONG Count)
{
    release(ROUTINE_ExReleaseRundownProtectionCacheAwareEx, RunRefCacheAware,
        Count);
}

VOID ExRundownCompletedCacheAware_body(PVOID RunRefCacheAware)
{
    complete(ROUTINE_ExRundownCompletedCacheAware, RunRefCacheAware);
}

VOID ExWaitForRundownProtectionReleaseCacheAware_body(PVOID RunRefCacheAware)
{
    wait(ROUTINE_ExWaitForRundownProtectionReleaseCacheAware, RunRefCacheAware);
}
