/* float_state.c - KeSaveFloatingPointState, KeSaveExtendedProcessorState and
 * their kin: nothing is saved, as an x64 driver's own code need not be, but
 * pairs are (FPU-05 [C]). */
#include "api/ex/float_state.h"

#include <assert.h>

#include "api/core/float_saves.h"
#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/rules.h"
#include "api/core/thread.h"
#include "api/ke/kthread.h"
#include "api/mm/copy.h"

/* The machine has no XSAVE, so that no feature is enabled (FPU-06 [C]). */
#define ENABLED_FEATURES UINT64_C(0)

/* x87 and SSE, which are there without. */
#define LEGACY_FEATURES UINT64_C(3)

static _Noreturn void stop(struct kernel *kernel, enum rule rule,
    enum routine routine, uint64_t kind, uint64_t saved, uint64_t current)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = kind}, {.value = saved}, {.value = current}};

    rule_stop(kernel, kernel_cpu(kernel), rule, routine, parameter);
}

/* Its own pairs lie at no lower level than those around them (FPU-02). */
static NTSTATUS save(enum routine routine, void *to, size_t size, bool extended)
{
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    const struct kthread *thread = kthread_current(kernel);
    const struct float_save *outer = float_saves_innermost(kernel, thread);
    const struct float_save saved = {
        .address = (uintptr_t)to,
        .thread = thread,
        .thread_address = thread->address,
        .driver = kernel_driver(kernel, cpu),
        .place = place_current(kernel),
        .step = thread_step(kernel),
        .irql = irql_current(kernel, cpu),
        .extended = extended,
    };

    copy_probe(kernel, routine, to, size, true);
    if (ruling_is(kernel, RULED_FPU_05_unchecked)) {
        return STATUS_SUCCESS;
    }
    if (outer != NULL && saved.irql < outer->irql) {
        stop(kernel, RULE_FLOAT_IRQL, routine, 1, outer->irql, saved.irql);
    }
    float_saves_add(kernel, &saved);
    return STATUS_SUCCESS;
}

static void restore(
    enum routine routine, const void *from, size_t size, bool extended)
{
    struct kernel *kernel = kernel_current();
    const struct kthread *thread = kthread_current(kernel);
    uint8_t irql = irql_current(kernel, kernel_cpu(kernel));
    struct float_save *saved =
        float_saves_find(kernel, (uintptr_t)from, extended);

    copy_probe(kernel, routine, from, size, false);
    if (ruling_is(kernel, RULED_FPU_05_unchecked)) {
        return;
    }
    if (saved == NULL) {
        stop(kernel, RULE_FLOAT_FLAGS, routine, 0, 0, 0);
    }
    if (saved->thread != thread) {
        stop(kernel, RULE_FLOAT_THREAD, routine, 2, saved->thread_address,
            thread->address);
    }
    if (saved->irql != irql) {
        stop(kernel, RULE_FLOAT_IRQL, routine, 1, saved->irql, irql);
    }
    if (saved != float_saves_innermost(kernel, thread)) {
        stop(kernel, RULE_FLOAT_FLAGS, routine, 0, 0, 0);
    }
    float_saves_remove(kernel, saved);
}

NTSTATUS KeSaveFloatingPointState_body(PKFLOATING_SAVE FloatSave)
{
    return save(
        ROUTINE_KeSaveFloatingPointState, FloatSave, sizeof(*FloatSave), false);
}

NTSTATUS KeRestoreFloatingPointState_body(PKFLOATING_SAVE FloatSave)
{
    restore(ROUTINE_KeRestoreFloatingPointState, FloatSave, sizeof(*FloatSave),
        false);
    return STATUS_SUCCESS;
}

/* A level above DISPATCH_LEVEL has a bug check of its own (FPU-03), and so has
 * a feature that is not enabled. */
NTSTATUS KeSaveExtendedProcessorState_body(
    ULONG64 Mask, PXSTATE_SAVE XStateSave)
{
    enum routine routine = ROUTINE_KeSaveExtendedProcessorState;
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    uint8_t irql = irql_current(kernel, cpu);

    if (irql > irql_number(kernel, LEVEL_DISPATCH_LEVEL)) {
        stop(kernel, RULE_FLOAT_LEVEL, routine, 1, irql, 0);
    }
    if ((Mask & ~(ENABLED_FEATURES | LEGACY_FEATURES)) != 0) {
        const struct bugcheck_parameter parameter[4] = {{.value = 0},
            {.value = ENABLED_FEATURES}, {.value = (uint32_t)Mask},
            {.value = Mask >> 32}};

        rule_stop(kernel, cpu, RULE_FLOAT_MASK, routine, parameter);
    }
    return save(routine, XStateSave, sizeof(*XStateSave), true);
}

VOID KeRestoreExtendedProcessorState_body(PXSTATE_SAVE XStateSave)
{
    restore(ROUTINE_KeRestoreExtendedProcessorState, XStateSave,
        sizeof(*XStateSave), true);
}

ULONG64 RtlGetEnabledExtendedFeatures_body(ULONG64 FeatureMask)
{
    return ENABLED_FEATURES & FeatureMask;
}

static void list_states(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct float_save *saved = kernel->float_saves.newest;
         saved != NULL; saved = saved->older) {
        if (saved->driver == listing->driver) {
            leaks_found(listing, LEAK_FLOAT_STATE, "a floating-point state",
                saved->step);
        }
    }
}

static void report_states(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    const struct bugcheck_parameter parameter[4] = {{.value = 0}};

    for (const struct float_save *saved = kernel->float_saves.newest;
         saved != NULL; saved = saved->older) {
        if (saved->driver == driver) {
            rule_stop_at(kernel, cpu, RULE_FLOAT_LEFT, ROUTINE_COUNT,
                saved->place, parameter);
        }
    }
}

const struct leak_source float_state_leaks = {
    LEAK_FLOAT_STATE, list_states, report_states, NULL};
