/* timer_resolution.c - ExSetTimerResolution, ExQueryTimerResolution: drivers
 * make the ticks of the clock shorter, until the last of them needs it no more.
 */
#include "api/ex/timer_resolution.h"

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/ke/clock.h"
#include "api/mm/copy.h"

static void wish(struct kernel *kernel)
{
    struct timer_resolution *resolution = kernel->timer_resolution;
    struct resolution_wish *made =
        record_take(kernel, &resolution->pool, sizeof(*made), "its clock");

    *made = (struct resolution_wish){
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel),
        .next = resolution->wishes,
    };
    resolution->wishes = made;
}

/* Takes back the driver's last one. False: it has none (TMR-31 [C]). */
static bool take_back(struct kernel *kernel)
{
    struct timer_resolution *resolution = kernel->timer_resolution;
    const struct driver *driver = kernel_driver(kernel, kernel_cpu(kernel));
    struct resolution_wish **link = &resolution->wishes;
    struct resolution_wish *taken;

    while (*link != NULL && (*link)->driver != driver) {
        link = &(*link)->next;
    }
    taken = *link;
    if (taken == NULL) {
        return false;
    }
    *link = taken->next;
    record_give(&resolution->pool, taken);
    return true;
}

static void set_length(struct kernel *kernel, uint32_t units)
{
    if (units != clock_length(kernel->clock)) {
        clock_set_length(kernel, units);
    }
}

/* TMR-30: what is wanted counts only where it is shorter, and the usual length
 * is back with the last one. */
ULONG ExSetTimerResolution_body(ULONG DesiredTime, BOOLEAN SetResolution)
{
    struct kernel *kernel = kernel_current();
    uint32_t shortest = clock_shortest(kernel);
    uint32_t wanted = DesiredTime < shortest ? shortest : DesiredTime;

    if (SetResolution != 0) {
        wish(kernel);
        if (wanted < clock_length(kernel->clock)) {
            set_length(kernel, wanted);
        }
    } else if (take_back(kernel) && kernel->timer_resolution->wishes == NULL) {
        set_length(kernel, CLOCK_TICK_UNITS);
    }
    return clock_length(kernel->clock);
}

static void put(struct kernel *kernel, PULONG to, ULONG value)
{
    copy_out(kernel, ROUTINE_ExQueryTimerResolution, to, &value, sizeof(value));
}

/* The longest is what is called the maximum (TMR-33). */
VOID ExQueryTimerResolution_body(
    PULONG MaximumTime, PULONG MinimumTime, PULONG CurrentTime)
{
    const enum routine routine = ROUTINE_ExQueryTimerResolution;
    struct kernel *kernel = kernel_current();

    copy_probe(kernel, routine, MaximumTime, sizeof(ULONG), true);
    copy_probe(kernel, routine, MinimumTime, sizeof(ULONG), true);
    copy_probe(kernel, routine, CurrentTime, sizeof(ULONG), true);
    put(kernel, MaximumTime, CLOCK_TICK_UNITS);
    put(kernel, MinimumTime, clock_shortest(kernel));
    put(kernel, CurrentTime, clock_length(kernel->clock));
}

static void list_wishes(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct resolution_wish *wish = kernel->timer_resolution->wishes;
         wish != NULL; wish = wish->next) {
        if (wish->driver == listing->driver) {
            leaks_found(listing, LEAK_TIMER_RESOLUTION,
                "shorter ticks of the clock", wish->step);
        }
    }
}

static void report_wishes(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    for (struct resolution_wish *wish = kernel->timer_resolution->wishes;
         wish != NULL; wish = wish->next) {
        if (wish->driver == driver && leaks_is_news(&wish->reported)) {
            rule_warn_at(kernel, cpu, RULE_LEAK_TIMER_RESOLUTION,
                ROUTINE_ExSetTimerResolution, wish->place);
        }
    }
}

const struct leak_source timer_resolution_leaks = {
    LEAK_TIMER_RESOLUTION, list_wishes, report_wishes, NULL};
