/* register_access.c - #GP becomes an exception; nothing is blocked, only
 * reported (HAL-ALLOC-55 [C]). */
#include "api/ke/register_access.h"

#include "api/ke/exception.h"
#include "api/kernel.h"
#include "sim/cpuid.h"
#include "sim/msr.h"

static _Noreturn void raise_gp(struct kernel *kernel)
{
    const struct exception_record record = {
        .code = STATUS_PRIVILEGED_INSTRUCTION, .routine = ROUTINE_COUNT};

    exception_raise(kernel, &record);
}

uint64_t register_read(struct kernel *kernel, struct cpu *cpu, uint32_t address)
{
    uint64_t value = 0;

    if (msr_read(cpu, address, &value) != MSR_OK) {
        raise_gp(kernel);
    }
    return value;
}

uint64_t register_rdpmc(struct kernel *kernel, struct cpu *cpu,
    uint32_t selector, enum ring ring, bool cr4_pce)
{
    uint64_t value = 0;

    if (msr_rdpmc(cpu, selector, ring, cr4_pce, &value) != MSR_OK) {
        raise_gp(kernel);
    }
    return value;
}

/* The counters that the driver's sets hold on this processor. */
static uint64_t held_by(const struct kernel *kernel, const struct cpu *cpu,
    const struct driver *driver)
{
    uint64_t held = 0;

    for (const struct counter_set *set = kernel->arbiter.first; set != NULL;
         set = set->next) {
        if (set->owner == driver) {
            held |= arbiter_held(set, cpu->group, cpu->number);
        }
    }
    return held;
}

void register_write(
    struct kernel *kernel, struct cpu *cpu, uint32_t address, uint64_t value)
{
    uint64_t programs = hal_pmu_programs(&kernel->pmu, cpu, address, value);
    const struct driver *driver = kernel_driver(kernel, cpu);

    if (msr_write(cpu, address, value) != MSR_OK) {
        raise_gp(kernel);
    }
    if ((programs & ~held_by(kernel, cpu, driver)) != 0 &&
        !ruling_is(kernel, RULED_HAL_ALLOC_59_silent)) {
        rule_warn(kernel, cpu, RULE_HAL_COUNTER_UNHELD, ROUTINE_COUNT);
    }
}

void register_cpuid(struct cpu *cpu, uint32_t leaf, uint32_t out[4])
{
    cpuid_read(cpu, leaf, out);
}
