/* dpc.c - KeInitializeDpc, KeInsertQueueDpc, KeSetImportanceDpc and their kin;
 * DPCs whose memory is freed, or that a driver leaves. */
#include "api/ke/dpc.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/early_end.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/ke/processor.h"
#include "api/mm/copy.h"

enum {
    TYPE_DPC = 19, /* KOBJECTS [O] */
    TYPE_THREADED_DPC = 26,
};

_Static_assert(offsetof(struct dpc, stored) == 0, "found by its storage");

static struct dpc *dpc_find(const struct kernel *kernel, uint64_t address)
{
    return (struct dpc *)(void *)storage_find(&kernel->dpcs->table, address);
}

struct dpc *dpc_get(
    struct kernel *kernel, enum routine routine, const void *address)
{
    struct dpc *dpc = dpc_find(kernel, (uintptr_t)address);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = (uintptr_t)address}};
    KDPC storage;

    if (dpc == NULL) {
        copy_in(kernel, routine, &storage, address, sizeof(storage));
        early_end_for_object(
            kernel, RULE_OBJECT_UNINITIALIZED, routine, parameter);
    }
    if (dpc->owner != NULL) { /* XTMR-01 */
        early_end_for_object(kernel, RULE_OBJECT_KIND, routine, parameter);
    }
    return dpc;
}

void dpc_count_timer(struct kernel *kernel, uint64_t address, bool more)
{
    struct dpc *dpc = dpc_find(kernel, address);

    if (dpc == NULL) {
        return;
    }
    if (more) {
        dpc->timers++;
    } else if (dpc->timers > 0) { /* it may have been initialised anew */
        dpc->timers--;
    }
}

void dpc_queue_for_timer(
    struct kernel *kernel, uint64_t address, uint64_t place)
{
    struct dpc *dpc = dpc_find(kernel, address);
    const uint64_t unused[DPC_ARGUMENTS] = {0}; /* TMR-04 */
    const struct bugcheck_parameter parameter[4] = {
        {.value = 1}, {.value = address}};

    if (dpc == NULL) {
        rule_stop_at(kernel, kernel_cpu(kernel), RULE_DPC_GONE, ROUTINE_COUNT,
            place, parameter);
    }
    if (dpc_queue_it(kernel, dpc, unused)) {
        dpc->by_timer = true;
    }
}

void dpc_unqueue_for_timer(struct kernel *kernel, uint64_t address)
{
    struct dpc *dpc = address == 0 ? NULL : dpc_find(kernel, address);

    if (dpc != NULL && dpc->by_timer) {
        dpc_unqueue(kernel, dpc);
    }
}

/* TMR-10b [C]: a timer that is active has it. */
static void warn_of_timer(
    struct kernel *kernel, enum routine routine, const struct dpc *dpc)
{
    if (dpc->timers > 0 && !ruling_is(kernel, RULED_TMR_10b_silent)) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_DPC_OF_TIMER, routine);
    }
}

static struct dpc *take(struct kernel *kernel, uint64_t address)
{
    struct dpcs *dpcs = kernel->dpcs;
    struct dpc *dpc = record_take(kernel, &dpcs->pool, sizeof(*dpc), "DPCs");

    dpc->stored.address = address;
    storage_enter(kernel, &dpcs->table, &dpc->stored, "DPCs");
    return dpc;
}

/* Where it lies in pageable memory (DPC-11 [C]). */
static void warn_of_paged(
    struct kernel *kernel, enum routine routine, const struct dpc *dpc)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = 1}, {.value = dpc->stored.address}};

    if (!dpc->paged || ruling_is(kernel, RULED_DPC_11_silent)) {
        return;
    }
    if (ruling_is(kernel, RULED_DPC_11_fatal)) {
        rule_stop_with(kernel, kernel_cpu(kernel), RULE_DPC_PAGED, routine,
            place_current(kernel), BUGCHECK_TIMER_OR_DPC_INVALID, parameter);
    }
    rule_warn(kernel, kernel_cpu(kernel), RULE_DPC_PAGED, routine);
}

/* One that is initialised anew while it is queued stays in the queue on
 * Windows, with its links gone. That of an ExAllocateTimer is no driver's. */
static void forget_earlier(
    struct kernel *kernel, enum routine routine, uint64_t address)
{
    struct dpc *dpc = dpc_find(kernel, address);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = address}};

    if (dpc == NULL) {
        return;
    }
    if (dpc->in != NULL || dpc->owner != NULL) {
        rule_stop(
            kernel, kernel_cpu(kernel), RULE_OBJECT_IN_USE, routine, parameter);
    }
    storage_remove(&kernel->dpcs->table, &dpc->stored);
    record_give(&kernel->dpcs->pool, dpc);
}

static void initialize(enum routine routine, PKDPC address,
    PKDEFERRED_ROUTINE code, PVOID context, bool threaded)
{
    struct kernel *kernel = kernel_current();
    const KDPC storage = {.Type = threaded ? TYPE_THREADED_DPC : TYPE_DPC,
        .Importance = MediumImportance,
        .DeferredRoutine = (PVOID)(uintptr_t)code,
        .DeferredContext = context};
    struct dpc *dpc;

    forget_earlier(kernel, routine, (uintptr_t)address);
    copy_out(kernel, routine, address, &storage, sizeof(storage));
    dpc = take(kernel, (uintptr_t)address);
    dpc->routine = (uintptr_t)code;
    dpc->context = (uintptr_t)context;
    dpc->driver = kernel_driver(kernel, kernel_cpu(kernel));
    dpc->place = place_current(kernel);
    dpc->step = thread_step(kernel);
    dpc->target = DPC_ANY;
    dpc->importance = MediumImportance;
    dpc->threaded = threaded;
    dpc->paged =
        memory_is_pageable(&kernel->machine->memory, address, sizeof(*address));
    warn_of_paged(kernel, routine, dpc);
}

struct dpc *dpc_make_own(struct kernel *kernel, uint64_t address,
    uint64_t routine, uint64_t context, struct dpc_owner *owner)
{
    struct dpc *dpc = take(kernel, address);

    dpc->routine = routine;
    dpc->context = context;
    dpc->driver = kernel_driver(kernel, kernel_cpu(kernel));
    dpc->place = place_current(kernel);
    dpc->step = thread_step(kernel);
    dpc->target = DPC_ANY;
    dpc->importance = MediumImportance;
    dpc->owner = owner;
    return dpc;
}

void dpc_forget_own(struct kernel *kernel, struct dpc *dpc)
{
    assert(dpc->owner != NULL && dpc->in == NULL);
    storage_remove(&kernel->dpcs->table, &dpc->stored);
    record_give(&kernel->dpcs->pool, dpc);
}

VOID KeInitializeDpc_body(
    PKDPC Dpc, PKDEFERRED_ROUTINE DeferredRoutine, PVOID DeferredContext)
{
    initialize(
        ROUTINE_KeInitializeDpc, Dpc, DeferredRoutine, DeferredContext, false);
}

VOID KeInitializeThreadedDpc_body(
    PKDPC Dpc, PKDEFERRED_ROUTINE DeferredRoutine, PVOID DeferredContext)
{
    initialize(ROUTINE_KeInitializeThreadedDpc, Dpc, DeferredRoutine,
        DeferredContext, true);
}

BOOLEAN KeInsertQueueDpc_body(
    PKDPC Dpc, PVOID SystemArgument1, PVOID SystemArgument2)
{
    const enum routine routine = ROUTINE_KeInsertQueueDpc;
    struct kernel *kernel = kernel_current();
    struct dpc *dpc = dpc_get(kernel, routine, Dpc);
    const uint64_t argument[DPC_ARGUMENTS] = {
        (uintptr_t)SystemArgument1, (uintptr_t)SystemArgument2};

    copy_probe(kernel, routine, Dpc, sizeof(*Dpc), true);
    warn_of_timer(kernel, routine, dpc);
    if (!dpc_queue_it(kernel, dpc, argument)) {
        return 0;
    }
    copy_out(
        kernel, routine, &Dpc->SystemArgument1, argument, sizeof(argument));
    return 1;
}

BOOLEAN KeRemoveQueueDpc_body(PKDPC Dpc)
{
    struct kernel *kernel = kernel_current();

    return dpc_unqueue(kernel, dpc_get(kernel, ROUTINE_KeRemoveQueueDpc, Dpc));
}

VOID KeSetImportanceDpc_body(PKDPC Dpc, KDPC_IMPORTANCE Importance)
{
    const enum routine routine = ROUTINE_KeSetImportanceDpc;
    struct kernel *kernel = kernel_current();
    struct dpc *dpc = dpc_get(kernel, routine, Dpc);
    const UCHAR importance = (UCHAR)Importance;

    warn_of_timer(kernel, routine, dpc);
    copy_out(kernel, routine, &Dpc->Importance, &importance, 1);
    dpc->importance = importance;
}

/* What a queue has it keeps (DPC-04, DPC-12). */
static void set_target(
    enum routine routine, PKDPC address, struct dpc *dpc, const struct cpu *cpu)
{
    const USHORT number = (USHORT)cpu->index;

    warn_of_timer(kernel_current(), routine, dpc);
    copy_out(
        kernel_current(), routine, &address->Number, &number, sizeof(number));
    dpc->target = cpu->index;
}

VOID KeSetTargetProcessorDpc_body(PKDPC Dpc, CHAR Number)
{
    const enum routine routine = ROUTINE_KeSetTargetProcessorDpc;
    struct kernel *kernel = kernel_current();
    struct dpc *dpc = dpc_get(kernel, routine, Dpc);
    const struct cpu *cpu = processor_find(kernel, 0, (uint8_t)Number);

    if (cpu != NULL) {
        set_target(routine, Dpc, dpc, cpu);
    }
}

NTSTATUS KeSetTargetProcessorDpcEx_body(PKDPC Dpc, PPROCESSOR_NUMBER ProcNumber)
{
    const enum routine routine = ROUTINE_KeSetTargetProcessorDpcEx;
    struct kernel *kernel = kernel_current();
    struct dpc *dpc = dpc_get(kernel, routine, Dpc);
    PROCESSOR_NUMBER number;
    const struct cpu *cpu;

    copy_in(kernel, routine, &number, ProcNumber, sizeof(number));
    cpu = processor_find(kernel, number.Group, number.Number);
    if (cpu == NULL) {
        return STATUS_INVALID_PARAMETER;
    }
    set_target(routine, Dpc, dpc, cpu);
    return STATUS_SUCCESS;
}

/* It stays in the queue: the machine stops when its turn comes. */
static void freed_queued(
    struct kernel *kernel, enum routine routine, struct dpc *dpc)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = 1}, {.value = dpc->stored.address}};

    dpc->freed = true;
    if (ruling_is(kernel, RULED_DPC_11_fatal)) {
        rule_stop_with(kernel, kernel_cpu(kernel), RULE_DPC_FREED, routine,
            place_current(kernel), BUGCHECK_TIMER_OR_DPC_INVALID, parameter);
    }
    if (!ruling_is(kernel, RULED_DPC_11_silent)) {
        rule_warn_about(
            kernel, kernel_cpu(kernel), RULE_DPC_FREED, routine, dpc->place);
    }
}

static void block_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct memory_block *block)
{
    struct stored *stored = storage_take_all(
        &kernel->dpcs->table, (uintptr_t)block->start, block->size);

    (void)cpu;
    while (stored != NULL) {
        struct dpc *dpc = (struct dpc *)(void *)stored;

        stored = stored->next;
        if (dpc->in != NULL) {
            freed_queued(kernel, routine, dpc);
        } else {
            record_give(&kernel->dpcs->pool, dpc);
        }
    }
}

const struct block_watcher dpc_block_watcher = {block_freed};

/* Calls each(...) for what the driver has queued. */
static void each_queued(struct kernel *kernel, const struct driver *driver,
    void (*each)(struct kernel *kernel, const struct dpc *dpc, void *context),
    void *context)
{
    for (uint32_t i = 0; i < kernel->machine->config.processors; i++) {
        const struct dpc_processor *of = kernel->processor[i].dpcs;
        const struct dpc *const first[] = {
            of == NULL ? NULL : of->ordinary.first,
            of == NULL ? NULL : of->threaded.first};

        for (unsigned k = 0; k < 2; k++) {
            for (const struct dpc *dpc = first[k]; dpc != NULL;
                 dpc = dpc->next) {
                if (dpc->driver == driver) {
                    each(kernel, dpc, context);
                }
            }
        }
    }
}

static void list_one(
    struct kernel *kernel, const struct dpc *dpc, void *context)
{
    (void)kernel;
    leaks_found(context, LEAK_DPC, "queued DPC", dpc->step);
}

static void list_dpcs(struct kernel *kernel, const struct leak_listing *listing)
{
    struct leak_listing asked = *listing;

    each_queued(kernel, listing->driver, list_one, &asked);
}

/* What a timer has queued the system lets run by itself (TMR-11). */
static void report_one(
    struct kernel *kernel, const struct dpc *dpc, void *context)
{
    struct cpu *cpu = context;
    const struct bugcheck_parameter parameter[4] = {
        {.value = 1}, {.value = dpc->stored.address}};

    if (dpc->by_timer || ruling_is(kernel, RULED_DPC_11_silent)) {
        return;
    }
    if (ruling_is(kernel, RULED_DPC_11_fatal)) {
        rule_stop_with(kernel, cpu, RULE_LEAK_DPC, ROUTINE_COUNT, dpc->place,
            BUGCHECK_TIMER_OR_DPC_INVALID, parameter);
    }
    rule_warn_at(kernel, cpu, RULE_LEAK_DPC, ROUTINE_COUNT, dpc->place);
}

static void report_dpcs(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    each_queued(kernel, driver, report_one, cpu);
}

const struct leak_source dpc_leaks = {LEAK_DPC, list_dpcs, report_dpcs, NULL};
