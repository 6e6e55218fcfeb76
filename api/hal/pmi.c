/* pmi.c - the HAL's service of the PMU's interrupt: which counters have
 * overflowed, and the handlers of their sets.
 *
 * HAL-OVF-06b [C]: snapshot the status, clear exactly those bits, call the
 * handlers, read again, and arm at the end. Where there is no status, arm and
 * call the handlers of the counters that have wrapped. */
#include "api/hal/pmi.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/hal/arbiter.h"
#include "api/hal/event_buffer.h"
#include "api/hal/handler.h"
#include "api/hal/pmu.h"
#include "api/hal/profile.h"
#include "api/ke/code.h"
#include "sim/base/bits.h"

enum {
    PMI_ROUNDS = 100, /* as drivers bound theirs (pmu.md 1.3) */
};

uint8_t pmi_vector(const struct kernel *kernel)
{
    uint8_t level = irql_number(kernel, LEVEL_PROFILE_LEVEL);

    return (uint8_t)(kernel->irql_class[level] << 4 | 0xE);
}

void pmi_start_on(struct kernel *kernel, struct cpu *cpu)
{
    struct hal_pmu *pmu = hal_pmu_of(kernel, cpu);

    hal_pmu_find(pmu, cpu);
    if (pmu->counters != 0) {
        pmu->vector = pmi_vector(kernel);
        pmu->row->arm(cpu, pmu->vector);
    }
}

void pmi_start(struct kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->machine->topology.processors; i++) {
        pmi_start_on(kernel, machine_cpu(kernel->machine, i));
    }
}

static void call_handler(struct kernel *kernel, struct cpu *cpu,
    struct counter_set *set, uint64_t bits)
{
    static const struct handler_kind kind = {
        API_EVENT_HANDLER_ENTER, API_EVENT_HANDLER_LEAVE, {0, 2}};
    const uint64_t argument[CODE_ARGUMENTS] = {bits, set->handle};

    handler_run(kernel, cpu, set, &kind,
        (uint64_t)(uintptr_t)set->claim.handler, argument);
}

/* What no handler wants is cleared all the same (HAL-OVF-10 [C]). */
static void pass_over(
    struct kernel *kernel, struct cpu *cpu, const struct counter_set *set)
{
    if (ruling_is(kernel, RULED_HAL_OVF_10_event)) {
        rule_warn_at(kernel, cpu, RULE_HAL_OVERFLOW_NO_HANDLER, ROUTINE_COUNT,
            set->place);
    }
}

/* `own` of the set's counters have overflowed, or none (HAL-OVF-02d [C]). */
static void tell_set(struct kernel *kernel, struct cpu *cpu,
    struct counter_set *set, uint64_t own)
{
    if (set->claim.handler != NULL) {
        call_handler(kernel, cpu, set, own);
    } else if (own != 0) {
        pass_over(kernel, cpu, set);
    }
}

/* What is nobody's, or an exclusive owner's (HAL-OVF-14 [C], HAL-OVF-16). */
static void tell_nobody(struct kernel *kernel, struct cpu *cpu)
{
    if (ruling_is(kernel, RULED_HAL_OVF_14_event)) {
        rule_warn_at(kernel, cpu, RULE_HAL_OVERFLOW_UNHELD, ROUTINE_COUNT, 0);
    }
}

/* The counters whose sets are looked at: those that have overflowed, or all,
 * where a handler is called although none of its own has (HAL-OVF-02d [C]). */
static uint64_t looked_at(
    const struct kernel *kernel, const struct hal_pmu *pmu, uint64_t bits)
{
    return ruling_is(kernel, RULED_HAL_OVF_02d_spurious) ? pmu->counters : bits;
}

/* One call for each set that has counters among `wanted`, in the order of
 * allocation, each with its own of `bits` only (HAL-OVF-02b, HAL-OVF-03b [C]).
 * Sets that others allocate meanwhile have nothing to do with these overflows.
 * Apart, as nearly always one counter has overflowed. */
__attribute__((noinline)) static void call_sets(
    struct kernel *kernel, struct cpu *cpu, uint64_t wanted, uint64_t bits)
{
    unsigned newest = kernel->arbiter->granted;
    uint64_t left = bits;
    unsigned number = 0;
    struct counter_set *set;

    /* A counter has one holder on a processor. */
    while ((left != 0 || wanted != bits) &&
           (set = arbiter_next_holder(kernel->arbiter, cpu->group, cpu->number,
                wanted, number)) != NULL &&
           set->number <= newest) {
        uint64_t own = bits & set->claim.counters;

        number = set->number; /* it may be gone behind its handler */
        if (set->freed) {
            continue;
        }
        left &= ~own;
        tell_set(kernel, cpu, set, own);
    }
    if (left != 0) {
        tell_nobody(kernel, cpu);
    }
}

/* The same of one counter: its holder's. */
static void call_set(struct kernel *kernel, struct cpu *cpu, uint64_t counter)
{
    struct counter_set *set = holders_find(&kernel->arbiter->holders,
        cpu->group, cpu->number, bits_lowest(counter));

    if (set != NULL && !set->freed) {
        tell_set(kernel, cpu, set, counter);
    } else {
        tell_nobody(kernel, cpu);
    }
}

static void call_handlers(struct kernel *kernel, struct cpu *cpu,
    const struct hal_pmu *pmu, uint64_t bits)
{
    uint64_t wanted = looked_at(kernel, pmu, bits);

    assert((bits & ~pmu->counters) == 0);
    if (wanted == bits && (bits & (bits - 1)) == 0) {
        call_set(kernel, cpu, bits);
    } else {
        call_sets(kernel, cpu, wanted, bits);
    }
}

/* Clears what has overflowed before its handlers run (HAL-OVF-06b [C]), and
 * leaves the counters as those do (HAL-OVF-17 [C]). Entries that wait are
 * handed on before overflows are, in the order in which drivers look at the
 * status [C] (pmu.md 1.3). */
static void serve(struct kernel *kernel, struct cpu *cpu,
    const struct hal_pmu *pmu, uint64_t bits)
{
    bool after = ruling_is(kernel, RULED_HAL_OVF_06b_after);
    uint64_t counters = bits & pmu->counters;

    assert(bits != 0 && (bits & ~(pmu->counters | pmu->buffer)) == 0);
    if (!after) {
        pmu->row->clear(pmu, cpu, bits);
    }
    if ((bits & pmu->buffer) != 0) {
        event_buffer_serve(kernel, cpu);
    }
    if (counters != 0) {
        call_handlers(kernel, cpu, pmu, counters);
    }
    if (after) {
        pmu->row->clear(pmu, cpu, bits);
    }
    if (ruling_is(kernel, RULED_HAL_OVF_17_disable)) {
        pmu->row->disable(pmu, cpu, counters);
    }
}

/* LVTPC first, so that no request is lost, then what the PMI has frozen:
 * nothing overflows before. GLOBAL_CTRL, which versions 2 and 3 clear instead,
 * is an enable, and those are left as the handlers left them (HAL-OVF-17 [C]).
 */
static void arm(struct cpu *cpu, const struct hal_pmu *pmu, uint64_t frozen)
{
    assert((frozen & pmu->counters) == 0); /* their handlers have not run */
    pmu->row->arm(cpu, pmu->vector);
    if (frozen != 0) {
        pmu->row->clear(pmu, cpu, frozen);
    }
}

/* What of the status is the HAL's to serve. Bits that are no counter's are
 * their owner's to clear [C], and so is the DS buffer's where the HAL has set
 * up no event buffer. */
static uint64_t served(struct kernel *kernel, const struct cpu *cpu,
    const struct hal_pmu *pmu, uint64_t status)
{
    uint64_t bits = status & pmu->counters;

    return (status & pmu->buffer) != 0 && event_buffer_is_armed(kernel, cpu)
               ? bits | pmu->buffer
               : bits;
}

/* Handlers may overflow counters again, and so may the HAL's own cycles after
 * the last look at the status: while LVTPC is masked such a request is lost, so
 * the status is read once more when the interrupt is armed. */
static void service_status(
    struct kernel *kernel, struct cpu *cpu, const struct hal_pmu *pmu)
{
    uint64_t status = pmu->row->overflowed(pmu, cpu);
    uint64_t bits = served(kernel, cpu, pmu, status);

    for (unsigned round = 0; round < PMI_ROUNDS; round++) {
        if (bits != 0) {
            serve(kernel, cpu, pmu, bits);
            status = pmu->row->overflowed(pmu, cpu);
            bits = served(kernel, cpu, pmu, status);
        }
        if (bits == 0) {
            arm(cpu, pmu, status & ~pmu->buffer);
            status = pmu->row->overflowed(pmu, cpu);
            bits = served(kernel, cpu, pmu, status);
        }
        if (bits == 0) {
            return;
        }
    }
    arm(cpu, pmu, status & ~(pmu->counters | pmu->buffer));
}

/* A counter that has overflowed looks so until it is loaded again, so each is
 * looked at once an interrupt: one that nobody reloads is served again by the
 * next one [C]. Armed before the look, for what overflows behind it. */
static void service_counters(
    struct kernel *kernel, struct cpu *cpu, const struct hal_pmu *pmu)
{
    uint64_t bits;

    arm(cpu, pmu, 0);
    bits = pmu->row->overflowed(pmu, cpu);
    if (bits != 0) {
        serve(kernel, cpu, pmu, bits);
    }
}

static void serve_sets(
    struct kernel *kernel, struct cpu *cpu, const struct hal_pmu *pmu)
{
    if (pmu->latches) {
        service_status(kernel, cpu, pmu);
    } else {
        service_counters(kernel, cpu, pmu);
    }
}

/* PROF-07 [C]: a driver's own routine first, which may clear and reload what it
 * likes; what it leaves is for the sets' handlers. Without any of those the HAL
 * stays out, and the routine is to arm the interrupt (HAL-OVF-16 [C]). */
static void serve_both(
    struct kernel *kernel, struct cpu *cpu, const struct hal_pmu *pmu)
{
    bool last = ruling_is(kernel, RULED_PROF_07_last);

    if (!last) {
        profile_call(kernel, cpu);
    }
    if (holders_served(&kernel->arbiter->holders, cpu->group, cpu->number)) {
        serve_sets(kernel, cpu, pmu);
    }
    if (last) {
        profile_call(kernel, cpu);
    }
}

static void pmi_service(struct kernel *kernel, struct cpu *cpu)
{
    const struct hal_pmu *pmu = hal_pmu_of(kernel, cpu);

    if (pmu->counters == 0) {
        return; /* somebody has sent the vector */
    }
    if (kernel->profile->routine != 0) {
        serve_both(kernel, cpu, pmu);
    } else {
        serve_sets(kernel, cpu, pmu);
    }
}

const struct interrupt_source pmi_interrupt = {
    LEVEL_PROFILE_LEVEL, pmi_vector, pmi_service};
