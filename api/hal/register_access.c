/* register_access.c - RDMSR, WRMSR, RDPMC, CPUID, MRS and MSR of a driver:
 * what they raise, and counters that it does not hold. Nothing is blocked,
 * only reported (HAL-ALLOC-55 [C]). */
#include "api/hal/register_access.h"

#include <assert.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/hal/arbiter.h"
#include "api/hal/pmu.h"
#include "sim/machine/cpuid.h"
#include "sim/machine/msr.h"
#include "sim/machine/sysreg.h"

static _Noreturn void raise(struct kernel *kernel, NTSTATUS code)
{
    const struct exception_record record = {
        .code = code, .routine = ROUTINE_COUNT};

    assert(NT_ERROR(code));
    exception_raise(kernel, &record);
}

uint64_t register_read(struct kernel *kernel, struct cpu *cpu, uint32_t address)
{
    uint64_t value = 0;

    if (msr_read(cpu, address, &value) != MSR_OK) {
        raise(kernel, STATUS_PRIVILEGED_INSTRUCTION);
    }
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

/* The counters that the driver's sets hold on this processor. */
static uint64_t held_by(const struct kernel *kernel, const struct cpu *cpu,
    const struct driver *driver)
{
    uint64_t held = 0;

    for (const struct counter_set *set = kernel->arbiter->first; set != NULL;
         set = set->next) {
        if (set->owner == driver) {
            held |= arbiter_held(set, cpu->group, cpu->number);
        }
    }
    return held;
}

/* A driver that programs counters which it does not hold. */
static void report_unheld(
    struct kernel *kernel, struct cpu *cpu, uint64_t programs)
{
    const struct driver *driver = kernel_driver(kernel, cpu);

    assert((programs & ~kernel->pmu->counters) == 0);
    if ((programs & ~held_by(kernel, cpu, driver)) != 0 &&
        !ruling_is(kernel, RULED_HAL_ALLOC_59_silent)) {
        rule_warn(kernel, cpu, RULE_HAL_COUNTER_UNHELD, ROUTINE_COUNT);
    }
}

void register_write(
    struct kernel *kernel, struct cpu *cpu, uint32_t address, uint64_t value)
{
    uint64_t programs = hal_pmu_programs(kernel->pmu, cpu, address, value);

    if (msr_write(cpu, address, value) != MSR_OK) {
        raise(kernel, STATUS_PRIVILEGED_INSTRUCTION);
    }
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
