/* ex_timer.c - ExAllocateTimer, ExSetTimer, ExCancelTimer, ExDeleteTimer. */
#include "api/ex/ex_timer.h"

#include <assert.h>

#include "api/core/early_end.h"
#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/dispatcher.h"
#include "api/ke/driver_call.h"
#include "api/ke/irql.h"
#include "api/mm/block.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

enum {
    TIMER_BYTES = 136, /* our own figure */
    TIMERS =
        1 << DISPATCH_NOTIFICATION_TIMER | 1 << DISPATCH_SYNCHRONIZATION_TIMER,
    HIGH_RESOLUTION = 4, /* EX_TIMER_... */
    NO_WAKE = 8,
    UNLIMITED_TOLERANCE = -1,
};

#define NOTIFICATION UINT32_C(0x80000000) /* EX_TIMER_NOTIFICATION */

_Static_assert(offsetof(struct ex_timer, timer) == 0, "found by its timer");

/* XTMR-10 [C]. */
static _Noreturn void stop_misused(
    struct kernel *kernel, enum routine routine, uint64_t value)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = 0}, {.name = routine_rows[routine].name}, {.value = value}};

    rule_stop_with(kernel, kernel_cpu(kernel), RULE_EX_TIMER_MISUSED, routine,
        place_current(kernel),
        (enum bugcheck_code)ruling_number_or(
            kernel, RULED_XTMR_10_number, BUGCHECK_TIMER_OR_DPC_INVALID),
        parameter);
}

static struct ex_timer *get(enum routine routine, const void *address)
{
    struct kernel *kernel = kernel_current();
    struct timer *timer =
        dispatch_object_get(kernel, routine, address, TIMERS)->of;
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = (uintptr_t)address}};

    if (!timer->system) {
        early_end_for_object(kernel, RULE_OBJECT_KIND, routine, parameter);
    }
    return (struct ex_timer *)(void *)timer;
}

/* EXT_DELETE_CALLBACK: at DISPATCH_LEVEL, wherever it is called from. */
static void call_deleted(struct kernel *kernel, const struct driver *driver,
    uint64_t routine, uint64_t context)
{
    const struct driver_target target = {.driver = driver,
        .routine = "timer's delete callback",
        .address = routine,
        .irql_rule = RULE_DPC_IRQL,
        .interrupts_rule = RULE_DPC_INTERRUPTS};
    const uint64_t argument[CODE_ARGUMENTS] = {context};
    uint8_t level = irql_number(kernel, LEVEL_DISPATCH_LEVEL);
    uint8_t before =
        irql_raise(kernel, kernel_cpu(kernel), ROUTINE_ExDeleteTimer, level);

    driver_call(kernel, &target, argument);
    irql_lower(kernel, kernel_cpu(kernel), ROUTINE_ExDeleteTimer, before);
}

static void leave_list(struct kernel *kernel, struct ex_timer *timer)
{
    struct ex_timers *timers = kernel->ex_timers;

    *(timer->newer == NULL ? &timers->newest : &timer->newer->older) =
        timer->older;
    if (timer->older != NULL) {
        timer->older->newer = timer->newer;
    }
}

/* Nobody will be told of it any more: it goes away (XTMR-08, XTMR-09). */
static void finish(struct kernel *kernel, struct ex_timer *timer)
{
    void *address = (void *)(uintptr_t)timer->timer.object->stored.address;
    const struct ex_timer gone = *timer;

    if (timer->dpc != NULL) {
        dpc_forget_own(kernel, timer->dpc);
    }
    leave_list(kernel, timer);
    block_free_at(kernel, ROUTINE_ExDeleteTimer, address);
    record_give(&kernel->ex_timers->pool, timer);
    if (gone.delete_routine != 0) {
        call_deleted(
            kernel, gone.driver, gone.delete_routine, gone.delete_context);
    }
    if (gone.waits != NULL) {
        dispatcher_ready(kernel, gone.waits);
    }
}

static bool is_over(const struct ex_timer *timer)
{
    return !timer->timer.active && timer->owner.running == 0 &&
           (timer->dpc == NULL || timer->dpc->in == NULL);
}

static void finish_if_over(struct kernel *kernel, struct ex_timer *timer)
{
    if (timer->deleted && is_over(timer)) {
        finish(kernel, timer);
    }
}

static void called(struct kernel *kernel, struct dpc_owner *owner)
{
    finish_if_over(
        kernel, (struct ex_timer *)(void *)((char *)owner -
                                            offsetof(struct ex_timer, owner)));
}

static void came(struct kernel *kernel, struct timer *timer)
{
    finish_if_over(kernel, (struct ex_timer *)(void *)timer);
}

static void enter_list(struct kernel *kernel, struct ex_timer *timer)
{
    struct ex_timers *timers = kernel->ex_timers;

    timer->older = timers->newest;
    if (timers->newest != NULL) {
        timers->newest->newer = timer;
    }
    timers->newest = timer;
}

/* Until it is deleted nothing else can be made of it. */
static bool is_ours(const struct dispatch_object *object)
{
    (void)object;
    return true;
}

PVOID ExAllocateTimer_body(
    PEXT_CALLBACK Callback, PVOID CallbackContext, ULONG Attributes)
{
    const enum routine routine = ROUTINE_ExAllocateTimer;
    struct kernel *kernel = kernel_current();
    void *address;
    struct ex_timer *timer;

    if ((Attributes & (HIGH_RESOLUTION | NO_WAKE)) ==
        (HIGH_RESOLUTION | NO_WAKE)) {
        stop_misused(kernel, routine, Attributes);
    }
    address = memory_alloc(&kernel->machine->memory, TIMER_BYTES, 0);
    if (address == NULL) {
        return NULL;
    }
    timer =
        record_take(kernel, &kernel->ex_timers->pool, sizeof(*timer), "timers");
    *timer = (struct ex_timer){
        .owner = {.what = "timer callback", .is_over = called},
        .high_resolution = (Attributes & HIGH_RESOLUTION) != 0,
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel)};
    timer->timer = (struct timer){.system = true,
        .listed = true,
        .came = came,
        .object = dispatch_object_make(kernel, routine, (uintptr_t)address,
            (Attributes & NOTIFICATION) != 0 ? DISPATCH_NOTIFICATION_TIMER
                                             : DISPATCH_SYNCHRONIZATION_TIMER,
            0)};
    timer->timer.object->of = timer;
    timer->timer.object->in_use = is_ours;
    if (Callback != NULL) {
        timer->dpc = dpc_make_own(kernel, (uintptr_t)address,
            (uintptr_t)Callback, (uintptr_t)CallbackContext, &timer->owner);
    }
    enter_list(kernel, timer);
    return address;
}

/* XTMR-03. */
static void check_parameters(struct kernel *kernel, enum routine routine,
    const EXT_SET_PARAMETERS *given)
{
    EXT_SET_PARAMETERS parameters;

    if (given == NULL) {
        return;
    }
    copy_in(kernel, routine, &parameters, given, sizeof(parameters));
    if (parameters.NoWakeTolerance < UNLIMITED_TOLERANCE) {
        stop_misused(kernel, routine, (uint64_t)parameters.NoWakeTolerance);
    }
}

/* XTMR-02; TMR-16 [C]. */
static uint64_t period_of(
    struct kernel *kernel, enum routine routine, LONGLONG period)
{
    if (period >= 0 && period <= INT32_MAX) {
        return (uint64_t)period;
    }
    rule_warn(kernel, kernel_cpu(kernel), RULE_TIMER_PERIOD, routine);
    return 0;
}

BOOLEAN ExSetTimer_body(PVOID Timer, LONGLONG DueTime, LONGLONG Period,
    PEXT_SET_PARAMETERS Parameters)
{
    const enum routine routine = ROUTINE_ExSetTimer;
    struct kernel *kernel = kernel_current();
    struct ex_timer *timer = get(routine, Timer);
    struct timer_set set = {.due = DueTime, .fine = timer->high_resolution};
    bool was;

    if (timer->deleted) { /* XTMR-07 */
        return 0;
    }
    if (timer->high_resolution && DueTime >= 0) {
        stop_misused(kernel, routine, (uint64_t)DueTime);
    }
    check_parameters(kernel, routine, Parameters);
    set.period = period_of(kernel, routine, Period);
    set.dpc = timer->dpc == NULL ? 0 : timer->dpc->stored.address;
    /* What an expiry has queued runs all the same (XTMR-05). */
    was = timer_cancel(kernel, &timer->timer);
    timer_set(kernel, &timer->timer, &set);
    return was;
}

BOOLEAN ExCancelTimer_body(PVOID Timer, PVOID Parameters)
{
    const enum routine routine = ROUTINE_ExCancelTimer;
    struct kernel *kernel = kernel_current();
    struct ex_timer *timer = get(routine, Timer);

    if (Parameters != NULL) { /* XTMR-04 */
        rule_warn(kernel, kernel_cpu(kernel), RULE_EX_TIMER_RESERVED, routine);
    }
    return !timer->deleted && timer_cancel(kernel, &timer->timer);
}

/* XTMR-07. */
static void check_wait(struct kernel *kernel, bool cancels)
{
    const enum routine routine = ROUTINE_ExDeleteTimer;
    struct cpu *cpu = kernel_cpu(kernel);
    uint8_t limit = irql_number(kernel, LEVEL_APC_LEVEL);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name},
        {.value = irql_current(kernel, cpu)}, {.value = limit}};

    if (!cancels) {
        stop_misused(kernel, routine, 0);
    }
    if (irql_current(kernel, cpu) > limit) {
        rule_stop(kernel, cpu, RULE_IRQL_CONTRACT, routine, parameter);
    }
}

/* It is over, now or when its callback has run. */
static void delete (struct kernel *kernel, struct ex_timer *timer, bool waits)
{
    timer->deleted = true;
    if (is_over(timer)) {
        finish(kernel, timer);
    } else if (waits) {
        timer->waits = strand_current(kernel->machine);
        dispatcher_park(kernel, SWITCH_EXECUTIVE);
    }
}

BOOLEAN ExDeleteTimer_body(PVOID Timer, BOOLEAN Cancel, BOOLEAN Wait,
    PEXT_DELETE_PARAMETERS Parameters)
{
    const enum routine routine = ROUTINE_ExDeleteTimer;
    struct kernel *kernel = kernel_current();
    struct ex_timer *timer = get(routine, Timer);
    EXT_DELETE_PARAMETERS parameters = {.DeleteCallback = NULL};
    bool was = false;

    if (Parameters != NULL) {
        copy_in(kernel, routine, &parameters, Parameters, sizeof(parameters));
    }
    if (Wait != 0) {
        check_wait(kernel, Cancel != 0);
    }
    if (timer->deleted) {
        return 0;
    }
    timer->delete_routine = (uintptr_t)parameters.DeleteCallback;
    timer->delete_context = (uintptr_t)parameters.DeleteContext;
    if (Cancel != 0) {
        was = timer_cancel(kernel, &timer->timer);
    } else {
        timer->timer.period = 0; /* XTMR-08: its next expiry is the last */
    }
    delete (kernel, timer, Wait != 0);
    return was;
}

static void list_timers(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct ex_timer *timer = kernel->ex_timers->newest;
         timer != NULL; timer = timer->older) {
        if (timer->driver == listing->driver) {
            leaks_found(listing, LEAK_EX_TIMER,
                timer->timer.active ? "timer that is set" : "timer",
                timer->step);
        }
    }
}

static void report_timers(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    for (struct ex_timer *timer = kernel->ex_timers->newest; timer != NULL;
         timer = timer->older) {
        const struct bugcheck_parameter parameter[4] = {
            {.value = 0}, {.value = timer->timer.object->stored.address}};

        if (timer->driver == driver && leaks_is_news(&timer->reported)) {
            leaks_alive(kernel, cpu, RULE_LEAK_EX_TIMER, ROUTINE_COUNT,
                timer->place, parameter);
        }
    }
}

const struct leak_source ex_timer_leaks = {
    LEAK_EX_TIMER, list_timers, report_timers, NULL};
