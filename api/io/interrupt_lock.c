/* interrupt_lock.c - KeSynchronizeExecution, KeAcquireInterruptSpinLock,
 * KeReleaseInterruptSpinLock: code that excludes an interrupt's routine. */
#include "api/io/interrupt_lock.h"

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/interrupt_object.h"
#include "api/ke/code.h"
#include "api/ke/irql.h"
#include "api/ke/spin.h"
#include "api/ke/spinlock.h"
#include "sim/machine/strand.h"

enum { HELD_MICROSECONDS = 25 };

static _Noreturn void stop(
    struct kernel *kernel, enum rule rule, enum routine routine, uint64_t value)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = "interrupt object"}, {.value = irql_current(kernel, cpu)},
        {.value = value}};

    rule_stop(kernel, cpu, rule, routine, parameter);
}

struct interrupt_object *interrupt_object_get(
    struct kernel *kernel, enum routine routine, const void *address)
{
    struct interrupt_object *object = kernel->interrupts->first;

    while (object != NULL && object->address != (uintptr_t)address) {
        object = object->next;
    }
    if (object == NULL) {
        stop(kernel, RULE_INTERRUPT_OBJECT, routine, 0);
    }
    return object;
}

/* Of those that share a driver's spin lock the one that was connected first. */
static struct interrupt_object *locked(
    struct kernel *kernel, struct interrupt_object *object)
{
    struct interrupt_object *first = kernel->interrupts->first;

    if (object->spin_lock == 0) {
        return object;
    }
    while (first->spin_lock != object->spin_lock) {
        first = first->next;
    }
    return first;
}

static bool is_free(void *context)
{
    return ((const struct interrupt_object *)context)->holder == NULL;
}

void interrupt_lock_take(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct interrupt_object *object)
{
    struct interrupt_object *lock = locked(kernel, object);

    if (lock->holder == cpu) {
        spinlock_stop(kernel, cpu, RULE_LOCK_RECURSIVE, routine);
    }
    while (lock->holder != NULL) {
        spin_until(kernel, is_free, lock);
    }
    lock->holder = cpu;
    lock->since = cpu_own_time(cpu);
}

void interrupt_lock_give(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct interrupt_object *object)
{
    struct interrupt_object *lock = locked(kernel, object);
    uint64_t budget =
        (uint64_t)HELD_MICROSECONDS * kernel->machine->config.pmu.mhz;

    if (lock->holder != cpu) {
        spinlock_stop(kernel, cpu, RULE_LOCK_NOT_OWNED, routine);
    }
    if (routine != ROUTINE_COUNT && cpu_own_time(cpu) - lock->since > budget) {
        rule_warn(kernel, cpu, RULE_LOCK_HELD_LONG, routine);
    }
    lock->holder = NULL;
}

static uint8_t take_raising(struct kernel *kernel, enum routine routine,
    struct interrupt_object *object)
{
    struct cpu *cpu = kernel_cpu(kernel);
    uint8_t before;

    if (irql_current(kernel, cpu) > object->synchronize_irql) {
        stop(kernel, RULE_INTERRUPT_LEVEL, routine, object->synchronize_irql);
    }
    before = irql_raise(kernel, cpu, routine, object->synchronize_irql);
    interrupt_lock_take(kernel, cpu, routine, object);
    return before;
}

static void give_lowering(struct kernel *kernel, enum routine routine,
    struct interrupt_object *object, uint8_t before)
{
    struct cpu *cpu = kernel_cpu(kernel);

    if (irql_current(kernel, cpu) != object->synchronize_irql) {
        stop(kernel, RULE_INTERRUPT_LEVEL, routine, object->synchronize_irql);
    }
    interrupt_lock_give(kernel, cpu, routine, object);
    irql_lower(kernel, cpu, routine, before);
}

BOOLEAN KeSynchronizeExecution_body(
    PVOID Interrupt, PVOID SynchronizeRoutine, PVOID SynchronizeContext)
{
    const enum routine routine = ROUTINE_KeSynchronizeExecution;
    struct kernel *kernel = kernel_current();
    struct interrupt_object *object =
        interrupt_object_get(kernel, routine, Interrupt);
    const uint64_t argument[CODE_ARGUMENTS] = {(uintptr_t)SynchronizeContext};
    uint8_t before;
    uint64_t result;

    if (!code_is_at(kernel, (uintptr_t)SynchronizeRoutine)) {
        stop(kernel, RULE_CODE_NOT_CODE, routine, 0);
    }
    before = take_raising(kernel, routine, object);
    result = code_call(kernel, (uintptr_t)SynchronizeRoutine, argument);
    give_lowering(kernel, routine, object, before);
    return ruling_is(kernel, RULED_DPC_25b_success) ||
           (result & UINT8_MAX) != 0;
}

KIRQL KeAcquireInterruptSpinLock_body(PVOID Interrupt)
{
    const enum routine routine = ROUTINE_KeAcquireInterruptSpinLock;
    struct kernel *kernel = kernel_current();

    return take_raising(
        kernel, routine, interrupt_object_get(kernel, routine, Interrupt));
}

VOID KeReleaseInterruptSpinLock_body(PVOID Interrupt, KIRQL OldIrql)
{
    const enum routine routine = ROUTINE_KeReleaseInterruptSpinLock;
    struct kernel *kernel = kernel_current();

    give_lowering(kernel, routine,
        interrupt_object_get(kernel, routine, Interrupt), OldIrql);
}
