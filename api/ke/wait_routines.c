/* wait_routines.c - KeWaitForSingleObject, KeWaitForMultipleObjects,
 * KeDelayExecutionThread: arguments decoded, rules checked. */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/dispatcher.h"
#include "api/ke/kthread.h"
#include "api/ke/lock_order.h"
#include "api/ke/mutex.h"
#include "api/ke/object_wait.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

enum { ANY_KIND = (1 << DISPATCH_KINDS) - 1, MODE_KERNEL = 0 };

static _Noreturn void stop(
    struct kernel *kernel, enum rule rule, enum routine routine, uint64_t value)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name},
        {.value = irql_current(kernel, cpu)}, {.value = value}};

    rule_stop(kernel, cpu, rule, routine, parameter);
}

/* DPC-15 [C]. */
static void check_threaded_dpc(struct kernel *kernel, enum routine routine)
{
    if (!kthread_current(kernel)->in_dpc) {
        return;
    }
    if (!ruling_is(kernel, RULED_DPC_15_event)) {
        stop(kernel, RULE_WAIT_IN_DPC, routine, 0);
    }
    rule_report(kernel, kernel_cpu(kernel), RULE_WAIT_IN_DPC, routine);
}

static enum rule raised_rule(struct kernel *kernel, const struct cpu *cpu,
    const struct wait_until *until)
{
    if (kernel_processor(kernel, cpu)->in_dpc ||
        ruling_is(kernel, RULED_WAIT_14_dpc)) {
        return RULE_WAIT_IN_DPC;
    }
    return until->limit == WAIT_FOR_EVER ? RULE_WAIT_RAISED_ENDLESS
                                         : RULE_WAIT_RAISED;
}

/* From a DPC it is a bug check of its own (WAIT-13), else one of the level
 * (WAIT-14 [C]). */
void wait_check_level(
    struct kernel *kernel, enum routine routine, const struct wait_until *until)
{
    struct cpu *cpu = kernel_cpu(kernel);

    if (until->limit == WAIT_NOT) {
        return;
    }
    if (!irql_is_raised(kernel, cpu)) {
        check_threaded_dpc(kernel, routine);
        return;
    }
    stop(kernel, raised_rule(kernel, cpu, until), routine, 0);
}

/* What is held while the thread waits, and what it may come to own. */
static void check_locks(struct kernel *kernel, enum routine routine,
    struct dispatch_object *const *object, size_t count,
    const struct wait_until *until)
{
    if (until->limit != WAIT_NOT) {
        lock_order_wait(kernel, routine);
    }
    for (size_t i = 0; i < count; i++) {
        mutex_check_wait(kernel, routine, object[i]);
        if (until->limit != WAIT_NOT && object[i]->kind == DISPATCH_MUTEX &&
            object[i]->owner != kthread_current(kernel)) {
            lock_order_note(
                kernel, routine, object[i]->stored.address, LOCK_MUTEX);
        }
    }
}

/* A reason that is none is not told. */
static enum switch_reason reason_of(KWAIT_REASON reason)
{
    return (uint32_t)reason < SWITCH_NONE ? (enum switch_reason)reason
                                          : SWITCH_EXECUTIVE;
}

static unsigned how_of(KPROCESSOR_MODE mode, BOOLEAN alertable)
{
    return (mode == MODE_KERNEL ? 0u : (unsigned)WAIT_HOW_USER) |
           (alertable == 0 ? 0u : (unsigned)WAIT_HOW_ALERTABLE);
}

/* WAIT-08: the kernel stack of such a wait may be paged out, and a mutex is for
 * KernelMode only. */
static void check_mode(struct kernel *kernel, enum routine routine,
    const struct dispatch_object *object, KPROCESSOR_MODE mode)
{
    struct cpu *cpu = kernel_cpu(kernel);

    if (mode == MODE_KERNEL) {
        return;
    }
    if (stack_pool_holds(&kernel->machine->guest_stacks,
            (const void *)(uintptr_t)object->stored.address, 1)) {
        rule_warn(kernel, cpu, RULE_WAIT_USER_STACK, routine);
    } else if (object->kind == DISPATCH_MUTEX) {
        rule_warn(kernel, cpu, RULE_WAIT_USER_MODE, routine);
    }
}

/* WAIT-21 [C]. */
static struct dispatch_object *awaited(
    struct kernel *kernel, enum routine routine, const void *address)
{
    struct dispatch_object *object =
        dispatch_object_find(kernel, (uintptr_t)address);

    if (!ruling_is(kernel, RULED_WAIT_21_event) ||
        (object != NULL && object->kind != DISPATCH_NOTHING)) {
        return dispatch_object_get(kernel, routine, address, ANY_KIND);
    }
    copy_probe(kernel, routine, address, sizeof(DISPATCHER_HEADER), false);
    rule_report(kernel, kernel_cpu(kernel), RULE_OBJECT_UNINITIALIZED, routine);
    return object != NULL ? object
                          : dispatch_object_make_opaque(
                                kernel, (uintptr_t)address, DISPATCH_NOTHING);
}

static NTSTATUS wait_single(enum routine routine, const void *address,
    KWAIT_REASON reason, KPROCESSOR_MODE mode, BOOLEAN alertable,
    const LARGE_INTEGER *timeout)
{
    struct kernel *kernel = kernel_current();
    struct dispatch_object *object = awaited(kernel, routine, address);
    struct wait_until until = wait_until_read(kernel, routine, timeout);

    check_mode(kernel, routine, object, mode);
    check_locks(kernel, routine, &object, 1, &until);
    wait_check_level(kernel, routine, &until);
    return object_wait(
        kernel, &object, 1, how_of(mode, alertable), &until, reason_of(reason));
}

NTSTATUS KeWaitForSingleObject_body(PVOID Object, KWAIT_REASON WaitReason,
    KPROCESSOR_MODE WaitMode, BOOLEAN Alertable, PLARGE_INTEGER Timeout)
{
    return wait_single(ROUTINE_KeWaitForSingleObject, Object, WaitReason,
        WaitMode, Alertable, Timeout);
}

/* The same by another name, which headers do not call (EXE-INL-02). */
NTSTATUS KeWaitForMutexObject_body(PVOID Mutex, KWAIT_REASON WaitReason,
    KPROCESSOR_MODE WaitMode, BOOLEAN Alertable, PLARGE_INTEGER Timeout)
{
    return wait_single(ROUTINE_KeWaitForMutexObject, Mutex, WaitReason,
        WaitMode, Alertable, Timeout);
}

/* What no page says anything about: an event, or a stop with the code of too
 * many objects. */
static void odd(
    struct kernel *kernel, enum rule rule, enum routine routine, bool stops)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}};

    if (stops) {
        rule_stop_with(kernel, cpu, rule, routine, place_current(kernel),
            BUGCHECK_MAXIMUM_WAIT_OBJECTS_EXCEEDED, parameter);
    }
    rule_warn(kernel, cpu, rule, routine);
}

/* WAIT-06. */
static void check_count(struct kernel *kernel, enum routine routine,
    ULONG count, const void *blocks)
{
    if (count > MAXIMUM_WAIT_OBJECTS ||
        (blocks == NULL && count > THREAD_WAIT_OBJECTS)) {
        stop(kernel, RULE_WAIT_COUNT, routine, count);
    }
    if (count == 0) { /* WAIT-19 [C] */
        odd(kernel, RULE_WAIT_NOTHING, routine,
            ruling_is(kernel, RULED_WAIT_19_fatal));
    }
}

/* WAIT-20 [C]. */
static void check_twice(struct kernel *kernel, enum routine routine,
    struct dispatch_object *const *object, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (object[i] == object[k]) {
                odd(kernel, RULE_WAIT_TWICE, routine,
                    ruling_is(kernel, RULED_WAIT_20_fatal));
                return;
            }
        }
    }
}

NTSTATUS KeWaitForMultipleObjects_body(ULONG Count, PVOID *Object,
    WAIT_TYPE WaitType, KWAIT_REASON WaitReason, KPROCESSOR_MODE WaitMode,
    BOOLEAN Alertable, PLARGE_INTEGER Timeout, PVOID WaitBlockArray)
{
    const enum routine routine = ROUTINE_KeWaitForMultipleObjects;
    struct kernel *kernel = kernel_current();
    struct dispatch_object *object[MAXIMUM_WAIT_OBJECTS];
    void *address[MAXIMUM_WAIT_OBJECTS];
    struct wait_until until;

    check_count(kernel, routine, Count, WaitBlockArray);
    copy_in(kernel, routine, address, Object, Count * sizeof(*address));
    for (size_t i = 0; i < Count; i++) {
        object[i] = awaited(kernel, routine, address[i]);
        check_mode(kernel, routine, object[i], WaitMode);
    }
    until = wait_until_read(kernel, routine, Timeout);
    check_locks(kernel, routine, object, Count, &until);
    wait_check_level(kernel, routine, &until);
    check_twice(kernel, routine, object, Count);
    if (Count == 0 && WaitType == WaitAll) {
        return STATUS_SUCCESS; /* WAIT-19 [C] */
    }
    return object_wait(kernel, object, Count,
        how_of(WaitMode, Alertable) |
            (WaitType == WaitAll ? WAIT_HOW_ALL : WAIT_HOW_ANY),
        &until, reason_of(WaitReason));
}

/* 8 and later never return too early; before, the tick that is under way counts
 * (WAIT-24). */
static struct wait_until read_interval(
    struct kernel *kernel, const LARGE_INTEGER *interval)
{
    const enum routine routine = ROUTINE_KeDelayExecutionThread;
    LARGE_INTEGER value;

    copy_in(kernel, routine, &value, interval, sizeof(value));
    if (value.QuadPart < 0 && kernel->os != &os_rows[OS_WIN7]) {
        return wait_until_after(kernel, clock_exact_time(kernel),
            UINT64_C(0) - (uint64_t)value.QuadPart);
    }
    return wait_until_read(kernel, routine, interval);
}

NTSTATUS KeDelayExecutionThread_body(
    KPROCESSOR_MODE WaitMode, BOOLEAN Alertable, PLARGE_INTEGER Interval)
{
    struct kernel *kernel = kernel_current();
    struct wait_until until = read_interval(kernel, Interval);
    NTSTATUS status;

    if (until.limit == WAIT_NOT) { /* WAIT-25 [C] */
        return dispatcher_yield(kernel) ||
                       !ruling_is(kernel, RULED_WAIT_25_no_yield)
                   ? STATUS_SUCCESS
                   : STATUS_NO_YIELD_PERFORMED;
    }
    lock_order_wait(kernel, ROUTINE_KeDelayExecutionThread);
    status = object_wait(
        kernel, NULL, 0, how_of(WaitMode, Alertable), &until, SWITCH_DELAY);
    return status == STATUS_TIMEOUT ? STATUS_SUCCESS : status;
}
