/* profiling.c - adds up hardware counters and cycles for each profiled thread,
 * from switch to switch. */
#include "api/ps/profiling.h"

#include <assert.h>
#include <stdlib.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/hal/pmu.h"
#include "api/ke/kthread.h"
#include "sim/base/bits.h"

/* Handles look like kernel pointers and are not used again [C]. */
#define HANDLE_BASE UINT64_C(0x0000020000001000)

enum { HANDLE_STEP = 16 };

/* The HAL's index of the counter that an element of the configuration names
 * (KHC-TYPE-05); 64: none has it. */
static unsigned index_of(const struct kernel *kernel, ULONG64 index)
{
    const ULONG64 fixed = 0x40000000;

    if (index < 32) {
        return (unsigned)index;
    }
    return kernel->arch->model != MODEL_NONE && index >= fixed &&
                   index - fixed < 32
               ? (unsigned)(32 + index - fixed)
               : 64;
}

/* The element's counter here; an observer, since what a switch costs is no
 * thread's (docs/fidelity.md). */
static uint64_t counter_value(const struct kernel *kernel,
    const struct cpu *cpu, const struct thread_profile *profile, unsigned n)
{
    const struct hal_pmu *pmu = hal_pmu_of(kernel, cpu);
    unsigned index = index_of(kernel, profile->config.counter[n].Index);

    return index < 64 && bit_is_set(pmu->counters, index)
               ? hal_pmu_counter(pmu, cpu, index)
               : 0;
}

static uint64_t selected(const struct thread_profile *profile)
{
    return profile->mask & bits_low(profile->config.count);
}

static void note_enabled(const struct kernel *kernel, const struct cpu *cpu,
    struct thread_profile *profile)
{
    uint64_t enabled = hal_pmu_running(hal_pmu_of(kernel, cpu), cpu);

    for (uint64_t left = selected(profile); left != 0; left &= left - 1) {
        unsigned n = bits_lowest(left);
        unsigned index = index_of(kernel, profile->config.counter[n].Index);

        if (index < 64 && bit_is_set(enabled, index)) {
            profile->there |= bit(n);
        }
    }
}

static void begin(struct kernel *kernel, const struct cpu *cpu,
    struct thread_profile *profile)
{
    for (uint64_t left = selected(profile); left != 0; left &= left - 1) {
        unsigned n = bits_lowest(left);

        profile->start[n] = counter_value(kernel, cpu, profile, n);
    }
    note_enabled(kernel, cpu, profile);
    profile->since = cpu->time;
    profile->interrupts = kernel_processor(kernel, cpu)->interrupt_cycles;
    profile->processor = cpu->index;
    profile->running = true;
}

/* A counter that has wrapped, or was set back, has counted on. */
static void halt(struct kernel *kernel, const struct cpu *cpu,
    struct thread_profile *profile)
{
    unsigned width = hal_pmu_of(kernel, cpu)->width;
    uint64_t spent =
        kernel_processor(kernel, cpu)->interrupt_cycles - profile->interrupts;

    assert(profile->running && profile->processor == cpu->index);
    for (uint64_t left = selected(profile); left != 0; left &= left - 1) {
        unsigned n = bits_lowest(left);
        uint64_t now = counter_value(kernel, cpu, profile, n);

        profile->total[n] +=
            (now - profile->start[n]) & bits_low(width == 0 ? 64 : width);
    }
    note_enabled(kernel, cpu, profile);
    assert(cpu->time - profile->since >= spent);
    profile->cycles += cpu->time - profile->since - spent;
    profile->running = false;
}

void profiling_update(struct kernel *kernel, struct thread_profile *profile)
{
    const struct cpu *cpu = kernel_cpu(kernel);

    halt(kernel, cpu, profile);
    begin(kernel, cpu, profile);
}

bool profiling_is_on(const struct kernel *kernel)
{
    const struct thread_profile *profile = kernel->profiling->first;

    while (profile != NULL && profile->thread->ended) {
        profile = profile->next;
    }
    return profile != NULL;
}

/* That of a thread that has ended is in nobody's way (HCP-DIS-02b [C]). */
static bool uses(
    const struct kernel *kernel, const struct thread_profile *profile, ULONG n)
{
    if (profile->thread->ended) {
        return false;
    }
    if (ruling_is(kernel, RULED_KHC_SET_14a_configured)) {
        return true;
    }
    return bit_is_set(profile->mask, n);
}

bool profiling_uses(struct kernel *kernel, const struct counter_config *config)
{
    for (const struct thread_profile *profile = kernel->profiling->first;
         profile != NULL; profile = profile->next) {
        const struct counter_config *own =
            ruling_is(kernel, RULED_KHC_SET_14a_current) ? kernel->config
                                                         : &profile->config;

        for (ULONG n = 0; n < own->count; n++) {
            for (ULONG i = 0; uses(kernel, profile, n) && i < config->count;
                 i++) {
                if (own->counter[n].Type == config->counter[i].Type &&
                    own->counter[n].Index == config->counter[i].Index) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Nearly always the caller's own is meant: no other may be read. */
struct thread_profile *profiling_find(struct kernel *kernel, HANDLE handle)
{
    struct thread_profile *profile = kthread_current(kernel)->profile;

    if (profile != NULL && profile->handle == (uintptr_t)handle) {
        return profile;
    }
    profile = kernel->profiling->first;
    while (profile != NULL && profile->handle != (uintptr_t)handle) {
        profile = profile->next;
    }
    return profile;
}

struct thread_profile *profiling_enable(
    struct kernel *kernel, const struct thread_profile *wanted)
{
    struct profiling *profiling = kernel->profiling;
    struct thread_profile *profile = record_take(
        kernel, &profiling->pool, sizeof(*profile), "thread profiling");

    *profile = *wanted;
    profile->thread = kthread_current(kernel);
    profile->config = *kernel->config;
    profile->handle =
        HANDLE_BASE + (uint64_t)HANDLE_STEP * profiling->enabled++;
    profile->step = thread_step(kernel);
    profile->next = profiling->first;
    if (profile->next != NULL) {
        profile->next->previous = profile;
    }
    profiling->first = profile;
    profile->thread->profile = profile;
    profile->thread->watched = true;
    begin(kernel, kernel_cpu(kernel), profile);
    return profile;
}

void profiling_disable(struct kernel *kernel, struct thread_profile *profile)
{
    struct profiling *profiling = kernel->profiling;

    if (profile->previous != NULL) {
        profile->previous->next = profile->next;
    } else {
        assert(profiling->first == profile);
        profiling->first = profile->next;
    }
    if (profile->next != NULL) {
        profile->next->previous = profile->previous;
    }
    profile->thread->profile = NULL;
    profile->thread->watched = false;
    record_give(&profiling->pool, profile);
    if (profiling->first == NULL) {
        profiling->process = NULL;
    }
}

void profiling_process_ends(struct kernel *kernel, const struct driver *program)
{
    struct thread_profile *profile = kernel->profiling->first;

    while (profile != NULL) {
        struct thread_profile *next = profile->next;

        if (profile->process == program) {
            profiling_disable(kernel, profile);
        }
        profile = next;
    }
}

uint64_t profiling_counted(
    const struct kernel *kernel, const struct thread_profile *profile)
{
    if (kernel_is_virtual(kernel) || profile->there == 0) {
        return 0;
    }
    return selected(profile);
}

static void switched_out(struct kernel *kernel, struct kthread *thread,
    struct cpu *cpu, enum switch_reason reason)
{
    struct thread_profile *profile = thread->profile;

    if (profile == NULL) {
        return;
    }
    halt(kernel, cpu, profile);
    if (reason != SWITCH_NONE) {
        profile->switches++;
        profile->reasons |= bit(reason);
    }
    profile->updates++;
}

static void switched_in(
    struct kernel *kernel, struct kthread *thread, struct cpu *cpu)
{
    if (thread->profile != NULL) {
        begin(kernel, cpu, thread->profile);
    }
}

const struct switch_watcher profiling_switches = {switched_out, switched_in};

static void list_profiles(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct thread_profile *profile = kernel->profiling->first;
         profile != NULL; profile = profile->next) {
        if (profile->process == listing->driver) {
            leaks_found(listing, LEAK_THREAD_PROFILING, "an enabled profile",
                profile->step);
        }
    }
}

const struct leak_source profiling_leaks = {
    LEAK_THREAD_PROFILING, list_profiles, NULL, NULL};
