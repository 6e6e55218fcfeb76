/* spinlock.c - spin locks: acquired, released, and the rules about them. One
 * belongs to a processor: at DISPATCH_LEVEL and above no thread leaves its
 * own. */
#include "api/ke/spinlock.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/ke/irql.h"
#include "api/ke/lock_order.h"
#include "api/ke/spin.h"
#include "api/mm/copy.h"
#include "sim/base/list_room.h"
#include "sim/machine/strand.h"

enum { HELD_MICROSECONDS = 25 }; /* LOCK-06 */

static struct spinlock_hold *find_hold(struct kernel *kernel, const void *lock)
{
    struct spinlock_log *log = kernel->spinlocks;

    for (size_t i = 0; i < log->count; i++) {
        if (log->hold[i].lock == lock) {
            return &log->hold[i];
        }
    }
    return NULL;
}

struct spinlock_hold *spinlock_hold_here(
    struct kernel *kernel, const struct cpu *cpu, const void *lock)
{
    struct spinlock_log *log = kernel->spinlocks;

    for (size_t i = 0; i < log->count; i++) {
        if (log->hold[i].lock == lock && log->hold[i].processor == cpu->index) {
            return &log->hold[i];
        }
    }
    return NULL;
}

/* Of those that this file acquires. */
static bool routine_raises(enum routine routine)
{
    return routine == ROUTINE_KeAcquireSpinLockRaiseToDpc ||
           routine == ROUTINE_KeAcquireSpinLockForDpc;
}

static bool routine_acquires(enum routine routine)
{
    return routine_raises(routine) ||
           routine == ROUTINE_KeAcquireSpinLockAtDpcLevel ||
           routine == ROUTINE_KeTryToAcquireSpinLockAtDpcLevel;
}

static bool hold_check(
    const struct kernel *kernel, const struct spinlock_hold *hold)
{
    bool plain = hold->kind == LOCK_SPIN;

    assert(hold->processor < kernel->machine->config.processors);
    assert(!plain || routine_acquires(hold->routine));
    assert(!plain || hold->raised == routine_raises(hold->routine));
    assert(hold->old_irql <= irql_number(kernel, LEVEL_DISPATCH_LEVEL));
    return true;
}

bool spinlock_log_check(
    const struct kernel *kernel, const struct spinlock_log *log)
{
    assert(log->count <= log->capacity);
    for (size_t i = 0; i < log->count; i++) {
        assert(hold_check(kernel, &log->hold[i]));
    }
    return true;
}

static void remove_hold(struct kernel *kernel, struct spinlock_hold *hold)
{
    struct spinlock_log *log = kernel->spinlocks;

    assert(hold >= log->hold && hold < log->hold + log->count);
    *hold = log->hold[--log->count];
}

struct spinlock_hold *spinlock_hold_add(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const void *lock, enum lock_kind kind)
{
    struct spinlock_log *log = kernel->spinlocks;

    assert(kernel_cpu(kernel) == cpu && log->count <= log->capacity);
    log->hold =
        list_room(log->hold, &log->capacity, log->count, sizeof(*log->hold));
    log->hold[log->count] = (struct spinlock_hold){
        .lock = lock,
        .kind = kind,
        .processor = cpu->index,
        .routine = routine,
        .time = cpu_own_time(cpu),
        .place = place_current(kernel),
        .step = thread_step(kernel),
        .driver = kernel_driver(kernel, cpu),
    };
    return &log->hold[log->count++];
}

/* One that the driver has zeroed itself is nobody's any more; several may have
 * shared it. */
static void add_hold(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const KSPIN_LOCK *lock)
{
    struct spinlock_hold *stale;

    while ((stale = find_hold(kernel, lock)) != NULL) {
        remove_hold(kernel, stale);
    }
    spinlock_hold_add(kernel, cpu, routine, lock, LOCK_SPIN);
}

struct spinlock_hold spinlock_hold_end(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct spinlock_hold *hold)
{
    uint64_t budget =
        (uint64_t)HELD_MICROSECONDS * kernel->machine->config.pmu.mhz;
    struct spinlock_hold was = *hold;

    assert(cpu_own_time(cpu) >= was.time);
    if (cpu_own_time(cpu) - was.time > budget) {
        rule_warn(kernel, cpu, RULE_LOCK_HELD_LONG, routine);
    }
    remove_hold(kernel, hold);
    return was;
}

_Noreturn void spinlock_stop(struct kernel *kernel, struct cpu *cpu,
    enum rule rule, enum routine routine)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = "spin lock"}, {.value = irql_current(kernel, cpu)}};

    rule_stop(kernel, cpu, rule, routine, parameter);
}

/* Between DISPATCH_LEVEL and PROFILE_LEVEL the pages disagree (A24): a rule
 * event (LOCK-08 [C]). */
void spinlock_check_dispatch(
    struct kernel *kernel, struct cpu *cpu, enum routine routine)
{
    uint8_t irql = irql_current(kernel, cpu);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = irql},
        {.value = irql_number(kernel, LEVEL_DISPATCH_LEVEL)}};

    if (irql <= irql_number(kernel, LEVEL_DISPATCH_LEVEL) ||
        ruling_is(kernel, RULED_LOCK_08_page)) {
        return;
    }
    if (ruling_is(kernel, RULED_LOCK_08_fatal)) {
        rule_stop_with(kernel, cpu, RULE_LOCK_ABOVE_DISPATCH, routine,
            place_current(kernel), BUGCHECK_IRQL_NOT_LESS_OR_EQUAL, parameter);
    }
    rule_warn(kernel, cpu, RULE_LOCK_ABOVE_DISPATCH, routine);
}

struct lock_wait {
    struct kernel *kernel;
    const KSPIN_LOCK *lock;
};

/* Whether there is something to look at: the lock is free, or its memory is
 * gone while others wait for it. */
static bool may_go_on(void *context)
{
    const struct lock_wait *wait = context;
    struct machine *machine = wait->kernel->machine;
    bool there =
        memory_is_open(&machine->memory, wait->lock, sizeof(*wait->lock)) ||
        stack_pool_holds(
            &machine->guest_stacks, wait->lock, sizeof(*wait->lock));

    return !there || *wait->lock == 0;
}

const void *spinlock_awaited(const struct strand *strand)
{
    const struct lock_wait *wait = strand->condition_context;

    return strand->condition == may_go_on ? wait->lock : NULL;
}

/* QLOCK-03 [C]. */
static void check_kind(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const void *address)
{
    const struct lock *lock = lock_find(kernel, (uintptr_t)address);

    if (lock != NULL && lock->kind == LOCK_QUEUED_SPIN) {
        spinlock_mixed(kernel, cpu, routine);
    }
    lock_at(kernel, routine, (uintptr_t)address, LOCK_SPIN);
}

void spinlock_mixed(
    struct kernel *kernel, struct cpu *cpu, enum routine routine)
{
    if (ruling_is(kernel, RULED_QLOCK_03_event)) {
        rule_report(kernel, cpu, RULE_LOCK_QUEUED_MIXED, routine);
        return;
    }
    spinlock_stop(kernel, cpu, RULE_LOCK_QUEUED_MIXED, routine);
}

/* At DISPATCH_LEVEL or above, so that a lock in pageable memory is found out
 * (LOCK-01). */
static void acquire(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, KSPIN_LOCK *lock)
{
    struct lock_wait wait = {kernel, lock};
    const struct spinlock_hold *hold = find_hold(kernel, lock);
    const KSPIN_LOCK taken = 1;
    KSPIN_LOCK value;

    copy_in(kernel, routine, &value, lock, sizeof(value));
    check_kind(kernel, cpu, routine, lock);
    if (value != 0 && hold != NULL && hold->processor == cpu->index &&
        !ruling_is(kernel, RULED_LOCK_05b_deadlock)) {
        spinlock_stop(kernel, cpu, RULE_LOCK_RECURSIVE, routine);
    }
    if (value != 0 && hold == NULL) {
        rule_warn(kernel, cpu, RULE_LOCK_NOT_INITIALIZED, routine);
    }
    lock_order_note(kernel, routine, (uintptr_t)lock, LOCK_SPIN);
    while (value != 0) {
        spin_until(kernel, may_go_on, &wait);
        copy_in(kernel, routine, &value, lock, sizeof(value));
    }
    copy_out(kernel, routine, lock, &taken, sizeof(taken));
    add_hold(kernel, cpu, routine, lock);
}

/* Whether the routine belongs to the one that acquired; a try has two
 * (QLOCK-04b [C]). */
static bool is_pair(const struct spinlock_hold *hold, enum routine routine)
{
    switch ((int)hold->routine) {
    case ROUTINE_KeAcquireSpinLockRaiseToDpc:
        return routine == ROUTINE_KeReleaseSpinLock;
    case ROUTINE_KeAcquireSpinLockForDpc:
        return routine == ROUTINE_KeReleaseSpinLockForDpc;
    case ROUTINE_KeTryToAcquireSpinLockAtDpcLevel:
        return routine != ROUTINE_KeReleaseSpinLockForDpc;
    default:
        return routine == ROUTINE_KeReleaseSpinLockFromDpcLevel;
    }
}

/* Returns what is known of the lock that is no longer held. */
static struct spinlock_hold release(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, KSPIN_LOCK *lock)
{
    struct spinlock_hold *hold = find_hold(kernel, lock);
    const KSPIN_LOCK value = 0;

    copy_probe(kernel, routine, lock, sizeof(*lock), true);
    if (hold == NULL || hold->processor != cpu->index ||
        hold->kind != LOCK_SPIN) {
        spinlock_stop(kernel, cpu, RULE_LOCK_NOT_OWNED, routine);
    }
    assert(hold_check(kernel, hold));
    if (!is_pair(hold, routine)) {
        rule_warn(kernel, cpu, RULE_LOCK_MIXED_PAIR, routine);
    }
    copy_out(kernel, routine, lock, &value, sizeof(value));
    return spinlock_hold_end(kernel, cpu, routine, hold);
}

VOID KeInitializeSpinLock_body(PKSPIN_LOCK SpinLock)
{
    const enum routine routine = ROUTINE_KeInitializeSpinLock;
    struct kernel *kernel = kernel_current();
    const KSPIN_LOCK value = 0;

    copy_probe(kernel, routine, SpinLock, sizeof(value), true);
    lock_replace(kernel, routine, (uintptr_t)SpinLock);
    copy_out(kernel, routine, SpinLock, &value, sizeof(value));
}

static KIRQL acquire_raising(enum routine routine, KSPIN_LOCK *lock)
{
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    struct spinlock_hold *hold;
    uint8_t old;

    /* A bad pointer is the caller's exception, at the caller's level. */
    copy_probe(kernel, routine, lock, sizeof(*lock), true);
    old = irql_raise(
        kernel, cpu, routine, irql_number(kernel, LEVEL_DISPATCH_LEVEL));
    acquire(kernel, cpu, routine, lock);
    hold = find_hold(kernel, lock);
    assert(hold != NULL && hold->processor == cpu->index);
    hold->raised = true;
    hold->old_irql = old;
    assert(hold_check(kernel, hold));
    return old;
}

void spinlock_lower(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct spinlock_hold *was, uint8_t irql)
{
    if (was->raised && was->old_irql != irql) {
        rule_warn(kernel, cpu, RULE_LOCK_RELEASE_IRQL, routine);
    }
    irql_lower(kernel, cpu, routine, irql);
}

static void release_lowering(enum routine routine, KSPIN_LOCK *lock, KIRQL irql)
{
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    struct spinlock_hold was = release(kernel, cpu, routine, lock);

    spinlock_lower(kernel, cpu, routine, &was, irql);
}

KIRQL KeAcquireSpinLockRaiseToDpc_body(PKSPIN_LOCK SpinLock)
{
    return acquire_raising(ROUTINE_KeAcquireSpinLockRaiseToDpc, SpinLock);
}

VOID KeReleaseSpinLock_body(PKSPIN_LOCK SpinLock, KIRQL NewIrql)
{
    release_lowering(ROUTINE_KeReleaseSpinLock, SpinLock, NewIrql);
}

KIRQL KeAcquireSpinLockForDpc_body(PKSPIN_LOCK SpinLock)
{
    return acquire_raising(ROUTINE_KeAcquireSpinLockForDpc, SpinLock);
}

VOID KeReleaseSpinLockForDpc_body(PKSPIN_LOCK SpinLock, KIRQL OldIrql)
{
    release_lowering(ROUTINE_KeReleaseSpinLockForDpc, SpinLock, OldIrql);
}

/* QLOCK-04a: it never waits, and so takes no part in the order of locks. */
BOOLEAN KeTryToAcquireSpinLockAtDpcLevel_body(PKSPIN_LOCK SpinLock)
{
    const enum routine routine = ROUTINE_KeTryToAcquireSpinLockAtDpcLevel;
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    const KSPIN_LOCK taken = 1;
    KSPIN_LOCK value;

    spinlock_check_dispatch(kernel, cpu, routine);
    copy_in(kernel, routine, &value, SpinLock, sizeof(value));
    check_kind(kernel, cpu, routine, SpinLock);
    if (value != 0) {
        return 0;
    }
    copy_out(kernel, routine, SpinLock, &taken, sizeof(taken));
    add_hold(kernel, cpu, routine, SpinLock);
    return 1;
}

BOOLEAN KeTestSpinLock_body(PKSPIN_LOCK SpinLock)
{
    KSPIN_LOCK value;

    copy_in(kernel_current(), ROUTINE_KeTestSpinLock, &value, SpinLock,
        sizeof(value));
    return value == 0;
}

VOID KeAcquireSpinLockAtDpcLevel_body(PKSPIN_LOCK SpinLock)
{
    const enum routine routine = ROUTINE_KeAcquireSpinLockAtDpcLevel;
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);

    spinlock_check_dispatch(kernel, cpu, routine);
    acquire(kernel, cpu, routine, SpinLock);
}

VOID KeReleaseSpinLockFromDpcLevel_body(PKSPIN_LOCK SpinLock)
{
    const enum routine routine = ROUTINE_KeReleaseSpinLockFromDpcLevel;
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);

    spinlock_check_dispatch(kernel, cpu, routine);
    release(kernel, cpu, routine, SpinLock);
}

static void report(
    struct kernel *kernel, struct cpu *cpu, struct spinlock_hold *hold)
{
    if (leaks_is_news(&hold->reported)) {
        rule_warn_at(
            kernel, cpu, RULE_LEAK_SPIN_LOCK, hold->routine, hold->place);
    }
}

static void report_locks(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    struct spinlock_log *log = kernel->spinlocks;

    assert(spinlock_log_check(kernel, log));
    for (size_t i = 0; i < log->count; i++) {
        if (log->hold[i].driver == driver) {
            report(kernel, cpu, &log->hold[i]);
        }
    }
}

void spinlock_log_release(struct spinlock_log *log)
{
    free(log->hold);
}

static void list_locks(
    struct kernel *kernel, const struct leak_listing *listing)
{
    const struct spinlock_log *log = kernel->spinlocks;
    char text[100];

    assert(spinlock_log_check(kernel, log));
    for (size_t i = 0; i < log->count; i++) {
        if (log->hold[i].driver == listing->driver) {
            snprintf(text, sizeof(text), "acquired by %s on cpu %" PRIu32,
                routine_rows[log->hold[i].routine].name,
                log->hold[i].processor);
            leaks_found(listing, LEAK_SPIN_LOCK, text, log->hold[i].step);
        }
    }
}

const struct leak_source spinlock_leaks = {
    LEAK_SPIN_LOCK, list_locks, report_locks, NULL};
