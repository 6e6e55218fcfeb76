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
#include "api/hal/pmu.h"
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
    char known[REAL_MSR_NAME_BYTES] = "";
    uint32_t at;

    if (real_msr_find(cpu_model(cpu), address, name)) {
        return;
    }
    for (size_t i = 0; msr_name(i, known, sizeof(known)); i++) {
        if (msr_address(known, &at) && at == address) {
            break;
        }
    }
    snprintf(name, REAL_MSR_NAME_BYTES, "%s", known);
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
    switch (result) {
    case MSR_OK:
        return;
    case MSR_GP_FAULT:
        raise(kernel, STATUS_PRIVILEGED_INSTRUCTION);
    case MSR_NOT_MODELLED:
    case MSR_FIXED:
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

/* Those of the counters that the driver's sets hold on this processor. */
static uint64_t held_by(const struct kernel *kernel, const struct cpu *cpu,
    const struct driver *driver, uint64_t counters)
{
    const struct holders *holders = &kernel->arbiter->holders;
    const struct counter_set *whole =
        holders_find(holders, cpu->group, cpu->number, HOLDERS_WHOLE_PMU);
    uint64_t held = 0;

    if (whole != NULL && whole->owner == driver) {
        return counters;
    }
    for (uint64_t left = counters; left != 0; left &= left - 1) {
        const struct counter_set *set =
            holders_find(holders, cpu->group, cpu->number, bits_lowest(left));

        held |= set != NULL && set->owner == driver ? left & -left : 0;
    }
    return held;
}

/* A driver that programs counters which it does not hold. */
static void report_unheld(
    struct kernel *kernel, struct cpu *cpu, uint64_t programs)
{
    const struct driver *driver = kernel_driver(kernel, cpu);

    assert((programs & ~kernel->pmu->counters) == 0);
    if (held_by(kernel, cpu, driver, programs) != programs &&
        !ruling_is(kernel, RULED_HAL_ALLOC_59_silent)) {
        rule_warn(kernel, cpu, RULE_HAL_COUNTER_UNHELD, ROUTINE_COUNT);
    }
}

void register_write(
    struct kernel *kernel, struct cpu *cpu, uint32_t address, uint64_t value)
{
    uint64_t programs = hal_pmu_programs(kernel->pmu, cpu, address, value);

    judge_access(kernel, cpu, msr_write(cpu, address, value), address);
    report_unheld(kernel, cpu, programs);
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
    uint64_t programs = hal_pmu_programs(kernel->pmu, cpu, reg, value);

    if (sysreg_write(cpu, reg, 1, value) != ARMV8_OK) {
        raise(kernel, STATUS_ILLEGAL_INSTRUCTION);
    }
    report_unheld(kernel, cpu, programs);
}
