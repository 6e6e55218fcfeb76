/* register_access.c - RDMSR, WRMSR, RDPMC, CPUID, MRS and MSR of a driver:
 * what they raise, what is not modelled, and counters that it does not hold.
 * Nothing is blocked, only reported (HAL-ALLOC-55 [C]). */
#include "api/hal/register_access.h"

#include <assert.h>
#include <stdio.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/hal/arbiter.h"
#include "api/hal/pmi.h"
#include "api/hal/pmu.h"
#include "api/hal/usage.h"
#include "sim/base/bits.h"
#include "sim/machine/cpuid.h"
#include "sim/machine/msr.h"
#include "sim/machine/real_msr.h"
#include "sim/machine/sysreg.h"

static _Noreturn void raise(struct kernel *kernel, NTSTATUS code)
{
    const struct exception_record record = {
        .code = code, .routine = ROUTINE_COUNT};

    assert(NT_ERROR(code));
    exception_raise(kernel, &record);
}

/* The name of a register that the part has, whether or not the model has it. */
static void name_of(
    const struct cpu *cpu, uint32_t address, char name[REAL_MSR_NAME_BYTES])
{
    uint32_t at = ~address;

    if (real_msr_find(cpu_model(cpu), address, name)) {
        return;
    }
    for (size_t i = 0; at != address; i++) {
        bool is_one = msr_name(i, name, REAL_MSR_NAME_BYTES);

        assert(is_one);
        is_one = msr_address(name, &at);
        assert(is_one);
        (void)is_one;
    }
}

/* " at sampler.sys+0x1234" behind what a driver's native code did; nothing for
 * that of a step, whose place is told anyway. */
static void place_of(struct kernel *kernel, char *text, size_t size)
{
    uint64_t address = place_current(kernel);
    char place[PLACE_BYTES];

    text[0] = '\0';
    if (address != 0) {
        place_name(kernel, address, place, sizeof(place));
        snprintf(text, size, " at %s", place);
    }
}

/* The access is neither done nor the driver's fault. */
static _Noreturn void not_modelled(struct kernel *kernel, const struct cpu *cpu,
    enum msr_result result, uint32_t address)
{
    char name[REAL_MSR_NAME_BYTES], place[PLACE_BYTES + 8];

    name_of(cpu, address, name);
    place_of(kernel, place, sizeof(place));
    if (result == MSR_FIXED) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "MSR %XH (%s) was written%s, and its given value is fixed; with "
            "stored: true it keeps what is written",
            (unsigned)address, name, place);
    }
    if (msr_is_modelled(cpu_model(cpu), address)) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "of MSR %XH (%s) no other value is modelled than it has; it was "
            "written%s",
            (unsigned)address, name, place);
    }
    run_end_stop(kernel, RUN_NOT_MODELLED,
        "MSR %XH is not modelled (%s%s); machine: {msrs: {0x%X: ..}} gives it "
        "a value, of drive --msr 0x%X=..",
        (unsigned)address, name, place, (unsigned)address, (unsigned)address);
}

/* Returns only where the access was done. */
static void judge_access(struct kernel *kernel, const struct cpu *cpu,
    enum msr_result result, uint32_t address)
{
    if (result == MSR_GP_FAULT) {
        raise(kernel, STATUS_PRIVILEGED_INSTRUCTION);
    }
    if (result != MSR_OK) {
        not_modelled(kernel, cpu, result, address);
    }
}

uint64_t register_read(struct kernel *kernel, struct cpu *cpu, uint32_t address)
{
    uint64_t value = 0;

    judge_access(kernel, cpu, msr_read(cpu, address, &value), address);
    return value;
}

uint64_t register_rdpmc(struct kernel *kernel, struct cpu *cpu,
    uint32_t selector, enum ring ring, bool cr4_pce)
{
    uint64_t value = 0;

    if (msr_rdpmc(cpu, selector, ring, cr4_pce, &value) != MSR_OK) {
        raise(kernel, STATUS_PRIVILEGED_INSTRUCTION);
    }
    return value;
}

/* The set that holds the counter on this processor. */
static const struct counter_set *holder(
    const struct kernel *kernel, const struct cpu *cpu, unsigned counter)
{
    const struct holders *holders = &kernel->arbiter->holders;
    const struct counter_set *whole =
        holders_find(holders, cpu->group, cpu->number, HOLDERS_WHOLE_PMU);

    return whole != NULL
               ? whole
               : holders_find(holders, cpu->group, cpu->number, counter);
}

/* Those of the counters that the driver's sets hold on this processor. */
static uint64_t held_by(const struct kernel *kernel, const struct cpu *cpu,
    const struct driver *driver, uint64_t counters)
{
    uint64_t held = 0;

    for (uint64_t left = counters; left != 0; left &= left - 1) {
        const struct counter_set *set = holder(kernel, cpu, bits_lowest(left));

        held |= set != NULL && set->owner == driver ? left & -left : 0;
    }
    return held;
}

/* The driver's set that has this counter on other processors. */
static const struct counter_set *elsewhere(
    const struct kernel *kernel, const struct driver *driver, unsigned counter)
{
    const struct counter_set *set = kernel->arbiter->first;

    while (set != NULL && (set->owner != driver || set->freed ||
                              (!set->claim.exclusive &&
                                  !bit_is_set(set->claim.counters, counter)))) {
        set = set->next;
    }
    return set;
}

/* Whose the counter is, or who else programs it, and where that began. */
static uint64_t explain_unheld(struct kernel *kernel, struct cpu *cpu,
    unsigned counter, char *text, size_t size)
{
    const struct driver *driver = kernel_driver(kernel, cpu);
    const struct counter_set *set = holder(kernel, cpu, counter);
    const struct usage_by *other = usage_programmed(kernel, cpu, counter);
    const struct usage_by *failure = usage_failure(kernel, driver);

    if (set != NULL) {
        snprintf(text, size, "counter %u is held by %s, set#%u", counter,
            set->owner->name, set->number);
        return set->place;
    }
    set = elsewhere(kernel, driver, counter);
    if (set != NULL) {
        snprintf(text, size, "counter %u is held on other processors, set#%u",
            counter, set->number);
        return set->place;
    }
    if (other != NULL && other->driver != driver) {
        snprintf(text, size, "counter %u is programmed by %s, too, unheld",
            counter, other->driver->name);
        return other->place;
    }
    snprintf(text, size, "counter %u%s", counter,
        failure == NULL ? "" : ", after an allocation that failed");
    return failure == NULL ? 0 : failure->place;
}

/* A driver that programs counters which it does not hold. */
static void report_unheld(
    struct kernel *kernel, struct cpu *cpu, uint64_t programs)
{
    char text[RULE_SUBJECT_BYTES];
    uint64_t unheld, origin;

    assert((programs & ~hal_pmu_of(kernel, cpu)->counters) == 0);
    if (programs == 0) {
        return;
    }
    unheld =
        programs & ~held_by(kernel, cpu, kernel_driver(kernel, cpu), programs);
    if (unheld == 0 || ruling_is(kernel, RULED_HAL_ALLOC_59_silent)) {
        return;
    }
    origin =
        explain_unheld(kernel, cpu, bits_lowest(unheld), text, sizeof(text));
    rule_warn_between(
        kernel, cpu, RULE_HAL_COUNTER_UNHELD, ROUTINE_COUNT, origin, text);
}

/* Overflows that are lost, or made up: of a counter that somebody else holds,
 * and of the driver's own if the HAL was going to clear it and call its handler
 * (HAL-OVF-06a). */
static void report_status(struct kernel *kernel, struct cpu *cpu,
    const struct overflow_changes *changes)
{
    const struct driver *driver = kernel_driver(kernel, cpu);
    uint64_t left = changes->cleared | changes->set;
    uint64_t own = 0;

    if (changes->cleared != 0) {
        own = changes->cleared &
              hal_pmu_serves(hal_pmu_of(kernel, cpu), cpu, pmi_vector(kernel));
    }
    for (; left != 0; left &= left - 1) {
        unsigned counter = bits_lowest(left);
        const struct counter_set *set = holder(kernel, cpu, counter);
        char text[RULE_SUBJECT_BYTES];

        if (set == NULL ||
            (set->owner == driver &&
                (set->claim.handler == NULL || !bit_is_set(own, counter)))) {
            continue;
        }
        snprintf(text, sizeof(text), "counter %u of %s, set#%u", counter,
            set->owner->name, set->number);
        rule_warn_between(kernel, cpu, RULE_HAL_STATUS_WRITTEN, ROUTINE_COUNT,
            set->place, text);
    }
}

void register_write(
    struct kernel *kernel, struct cpu *cpu, uint32_t address, uint64_t value)
{
    uint64_t programs =
        hal_pmu_programs(hal_pmu_of(kernel, cpu), cpu, address, value);
    const struct overflow_changes changes =
        hal_pmu_changes(hal_pmu_of(kernel, cpu), cpu, address, value);

    judge_access(kernel, cpu, msr_write(cpu, address, value), address);
    usage_written(kernel, cpu, address, value);
    report_unheld(kernel, cpu, programs);
    report_status(kernel, cpu, &changes);
}

void register_cpuid(struct cpu *cpu, uint32_t leaf, uint32_t out[4])
{
    cpuid_read(cpu, leaf, out);
}

/* A trap to EL2 is undefined to the kernel as well: that is what a hypervisor
 * makes of it [C]. */
uint64_t register_mrs(struct kernel *kernel, struct cpu *cpu, uint32_t reg)
{
    uint64_t value = 0;

    if (sysreg_read(cpu, reg, 1, &value) != ARMV8_OK) {
        raise(kernel, STATUS_ILLEGAL_INSTRUCTION);
    }
    return value;
}

void register_msr(
    struct kernel *kernel, struct cpu *cpu, uint32_t reg, uint64_t value)
{
    uint64_t programs =
        hal_pmu_programs(hal_pmu_of(kernel, cpu), cpu, reg, value);
    const struct overflow_changes changes =
        hal_pmu_changes(hal_pmu_of(kernel, cpu), cpu, reg, value);

    if (sysreg_write(cpu, reg, 1, value) != ARMV8_OK) {
        raise(kernel, STATUS_ILLEGAL_INSTRUCTION);
    }
    report_unheld(kernel, cpu, programs);
    report_status(kernel, cpu, &changes);
}
