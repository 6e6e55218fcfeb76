/* profile.c - HalSetSystemInformation and HalQuerySystemInformation, as far as
 * they are about profile sources, and the call of a driver's own routine for
 * the PMU's interrupt. */
#include "api/hal/profile.h"

#include <assert.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/core/thread.h"
#include "api/core/trace_events.h"
#include "api/hal/arbiter.h"
#include "api/hal/pmu.h"
#include "api/ke/code.h"
#include "api/mm/copy.h"

enum { INTERVAL_AT_BOOT = 65536 }; /* events; our own figure */

static const enum routine set_routine = ROUTINE_HalSetSystemInformation;
static const enum routine query_routine = ROUTINE_HalQuerySystemInformation;

static bool is_supported(const struct kernel *kernel, KPROFILE_SOURCE source)
{
    static const bool supported[ProfileMaximum] = {
#define SOURCE(name) [name] = true,
#include "api/hal/profile_sources.def"
    };

    return (uint32_t)source < ProfileMaximum && supported[source] &&
           kernel->pmu->counters != 0;
}

/* What interrupts are taken by besides: a set with a handler; NULL: none. */
static const struct counter_set *set_with_handler(const struct kernel *kernel)
{
    const struct counter_set *set = kernel->arbiter->first;

    while (set != NULL && (set->freed || (set->claim.handler == NULL &&
                                             set->claim.events == NULL))) {
        set = set->next;
    }
    return set;
}

/* PROF-08 [C]: who came first is where the other path was made. */
static void warn_two_paths(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, uint64_t first)
{
    if (!ruling_is(kernel, RULED_PROF_08_silent)) {
        rule_warn_about(kernel, cpu, RULE_HAL_PMI_TWO_PATHS, routine, first);
    }
}

void profile_note_set(struct kernel *kernel, struct cpu *cpu)
{
    if (kernel->profile->routine != 0) {
        warn_two_paths(kernel, cpu, ROUTINE_HalAllocateHardwareCounters,
            kernel->profile->place);
    }
}

bool profile_is_frame(const struct kernel *kernel, uint64_t address)
{
    uint64_t frame = (uintptr_t)kernel->profile->frame;

    return frame != 0 && address - frame < MEMORY_PAGE_BYTES;
}

static void make_frame(struct kernel *kernel)
{
    struct memory *memory = &kernel->machine->memory;
    struct profile *profile = kernel->profile;
    uint8_t *frame;

    if (profile->frame != NULL) {
        return;
    }
    frame = run_needs(
        kernel, memory_alloc(memory, MEMORY_PAGE_BYTES, 0), "a trap frame");
    run_needs(kernel, memory_set(memory, frame, 1, 0, false) ? frame : NULL,
        "a trap frame");
    profile->frame = frame;
}

/* PROF-09 [C]: the last one that is installed is called. */
static void warn_replaced(struct kernel *kernel, struct cpu *cpu)
{
    const struct profile *profile = kernel->profile;

    if (profile->routine != 0 && profile->owner != kernel_driver(kernel, cpu)) {
        rule_warn_about(kernel, cpu, RULE_HAL_PROFILE_REPLACED, set_routine,
            profile->place);
    }
}

/* PROF-05. */
static NTSTATUS install(struct kernel *kernel, ULONG size, const void *buffer)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct profile *profile = kernel->profile;
    const struct counter_set *set = set_with_handler(kernel);
    uint64_t routine;

    if (size != sizeof(routine)) {
        return STATUS_INFO_LENGTH_MISMATCH;
    }
    copy_in(kernel, set_routine, &routine, buffer, sizeof(routine));
    if (kernel->pmu->counters == 0) {
        return STATUS_NOT_SUPPORTED;
    }
    make_frame(kernel);
    warn_replaced(kernel, cpu);
    if (routine != 0 && set != NULL) {
        warn_two_paths(kernel, cpu, set_routine, set->place);
    }
    profile->routine = routine;
    profile->reported = false;
    profile->owner = routine == 0 ? NULL : kernel_driver(kernel, cpu);
    profile->place = place_current(kernel);
    profile->step = thread_step(kernel);
    return STATUS_SUCCESS;
}

/* PROF-10 [C]. */
static NTSTATUS set_interval(
    struct kernel *kernel, ULONG size, const void *buffer)
{
    HAL_PROFILE_SOURCE_INTERVAL interval;

    if (size != sizeof(interval)) {
        return STATUS_INFO_LENGTH_MISMATCH;
    }
    copy_in(kernel, set_routine, &interval, buffer, sizeof(interval));
    if (!is_supported(kernel, interval.Source)) {
        return STATUS_NOT_SUPPORTED;
    }
    kernel->profile->interval[interval.Source] = interval.Interval;
    return STATUS_SUCCESS;
}

NTSTATUS HalSetSystemInformation_body(
    HAL_SET_INFORMATION_CLASS InformationClass, ULONG BufferSize, PVOID Buffer)
{
    struct kernel *kernel = kernel_current();

    if (InformationClass == HalProfileSourceInterruptHandler) {
        return install(kernel, BufferSize, Buffer);
    }
    if (InformationClass == HalProfileSourceInterval) {
        return set_interval(kernel, BufferSize, Buffer);
    }
    return STATUS_INVALID_LEVEL; /* BUS-20b [C] */
}

/* PROF-10 [C]: an interval of 0 is one that was never set. */
static void tell_source(
    const struct kernel *kernel, HAL_PROFILE_SOURCE_INFORMATION *information)
{
    ULONG_PTR interval = 0;

    information->Supported = is_supported(kernel, information->Source);
    if (information->Supported) {
        interval = kernel->profile->interval[information->Source];
        interval = interval == 0 ? INTERVAL_AT_BOOT : interval;
    }
    information->Interval = (ULONG)interval;
}

NTSTATUS HalQuerySystemInformation_body(
    HAL_QUERY_INFORMATION_CLASS InformationClass, ULONG BufferSize,
    PVOID Buffer, PULONG ReturnedLength)
{
    struct kernel *kernel = kernel_current();
    HAL_PROFILE_SOURCE_INFORMATION information;
    const ULONG length = sizeof(information);

    if (InformationClass != HalProfileSourceInformation) {
        return STATUS_INVALID_LEVEL; /* BUS-20b [C] */
    }
    if (BufferSize != length) {
        return STATUS_INFO_LENGTH_MISMATCH;
    }
    copy_in(kernel, query_routine, &information, Buffer, length);
    copy_probe(kernel, query_routine, Buffer, length, true);
    copy_probe(kernel, query_routine, ReturnedLength, sizeof(length), true);
    tell_source(kernel, &information);
    copy_out(kernel, query_routine, Buffer, &information, length);
    copy_out(kernel, query_routine, ReturnedLength, &length, sizeof(length));
    return STATUS_SUCCESS;
}

/* Where the interrupt came upon no code is not where the mistake is. */
static void check_code(
    struct kernel *kernel, struct cpu *cpu, const struct profile *profile)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = "no code"}, {.value = irql_current(kernel, cpu)}};

    if (!code_is_at(kernel, profile->routine)) {
        rule_stop_at(kernel, cpu, RULE_HAL_HANDLER_NOT_CODE, ROUTINE_COUNT,
            profile->place, parameter);
    }
}

/* It may be replaced while it runs. */
void profile_call(struct kernel *kernel, struct cpu *cpu)
{
    const struct profile profile = *kernel->profile;
    const uint64_t argument[CODE_ARGUMENTS] = {(uintptr_t)profile.frame};
    struct processor *processor = kernel_processor(kernel, cpu);
    const struct driver *interrupted = processor->handler_of;
    struct trace *trace = &kernel->machine->trace;
    struct exception_frame *hidden;

    if (profile.routine == 0) {
        return;
    }
    check_code(kernel, cpu, &profile);
    hidden = exception_hide(kernel);
    cpu_trace(cpu, &api_events[API_EVENT_PROFILE_ENTER],
        trace_text(trace, profile.owner->name));
    processor->handler_of = profile.owner;
    code_call(kernel, profile.routine, argument);
    assert(kernel_cpu(kernel) == cpu);
    assert(processor->handler_of == profile.owner);
    processor->handler_of = interrupted;
    exception_show(kernel, hidden);
    cpu_trace(cpu, &api_events[API_EVENT_PROFILE_LEAVE],
        trace_text(trace, profile.owner->name));
}

static void list_routine(
    struct kernel *kernel, const struct leak_listing *listing)
{
    const struct profile *profile = kernel->profile;

    if (profile->routine != 0 && profile->owner == listing->driver) {
        leaks_found(listing, LEAK_PROFILE_ROUTINE, "the interrupt's routine",
            profile->step);
    }
}

/* It stays, and the next interrupt finds no code. */
static void report_routine(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    struct profile *profile = kernel->profile;

    if (profile->routine != 0 && profile->owner == driver &&
        leaks_is_news(&profile->reported)) {
        rule_warn_at(kernel, cpu, RULE_LEAK_PROFILE_ROUTINE, ROUTINE_COUNT,
            profile->place);
    }
}

const struct leak_source hal_profile_leaks = {
    LEAK_PROFILE_ROUTINE, list_routine, report_routine, NULL};
