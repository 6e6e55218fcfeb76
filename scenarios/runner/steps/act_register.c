/* act_register.c - rdmsr, wrmsr, rdpmc and cpuid, mrs and msr by code on a
 * processor. */
#include <talloc.h>

#include "api/hal/register_access.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_guarded.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/machine/strand.h"
#include "sim/pmu/armv8_registers.h"

static void rdmsr_now(struct run *run, struct outcome *outcome)
{
    uint32_t index = outcome->step->u.msr.index;
    struct kernel *kernel = &run->session->kernel;

    outcome->call = talloc_asprintf(outcome, "rdmsr(0x%X)", index);
    outcome->value[0] = register_read(kernel, kernel_cpu(kernel), index);
}

void act_rdmsr(struct run *run, struct outcome *outcome)
{
    run_guarded(run, outcome, rdmsr_now);
}

static void wrmsr_now(struct run *run, struct outcome *outcome)
{
    const struct step_register *access = &outcome->step->u.msr;
    struct kernel *kernel = &run->session->kernel;
    uint64_t value;

    if (!value_scalar(&run->scope, access->value, NT_ULONG64, &value)) {
        run_fail_value(run, outcome, access->value);
        return;
    }
    outcome->call = talloc_asprintf(outcome, "wrmsr(0x%X, 0x%llX)",
        access->index, (unsigned long long)value);
    register_write(kernel, kernel_cpu(kernel), access->index, value);
}

void act_wrmsr(struct run *run, struct outcome *outcome)
{
    run_guarded(run, outcome, wrmsr_now);
}

static void rdpmc_now(struct run *run, struct outcome *outcome)
{
    const struct step_register *access = &outcome->step->u.msr;
    struct kernel *kernel = &run->session->kernel;

    outcome->call = talloc_asprintf(outcome, "rdpmc(0x%X)", access->index);
    outcome->value[0] = register_rdpmc(kernel, kernel_cpu(kernel),
        access->index, access->ring, access->cr4_pce);
}

void act_rdpmc(struct run *run, struct outcome *outcome)
{
    run_guarded(run, outcome, rdpmc_now);
}

static void cpuid_now(struct run *run, struct outcome *outcome)
{
    uint32_t leaf = outcome->step->u.msr.index;
    uint32_t registers[STEP_VALUES];

    outcome->call = talloc_asprintf(outcome, "cpuid(0x%X)", leaf);
    register_cpuid(kernel_cpu(&run->session->kernel), leaf, registers);
    for (size_t i = 0; i < STEP_VALUES; i++) {
        outcome->value[i] = registers[i];
    }
}

void act_cpuid(struct run *run, struct outcome *outcome)
{
    run_guarded(run, outcome, cpuid_now);
}

static void mrs_now(struct run *run, struct outcome *outcome)
{
    uint32_t reg = outcome->step->u.msr.index;
    struct kernel *kernel = &run->session->kernel;
    char name[40];

    armv8_register_spell(reg, name, sizeof(name));
    outcome->call = talloc_asprintf(outcome, "mrs(%s)", name);
    outcome->value[0] = register_mrs(kernel, kernel_cpu(kernel), reg);
}

void act_mrs(struct run *run, struct outcome *outcome)
{
    run_guarded(run, outcome, mrs_now);
}

static void msr_now(struct run *run, struct outcome *outcome)
{
    const struct step_register *access = &outcome->step->u.msr;
    struct kernel *kernel = &run->session->kernel;
    char name[40];
    uint64_t value;

    if (!value_scalar(&run->scope, access->value, NT_ULONG64, &value)) {
        run_fail_value(run, outcome, access->value);
        return;
    }
    armv8_register_spell(access->index, name, sizeof(name));
    outcome->call = talloc_asprintf(
        outcome, "msr(%s, 0x%llX)", name, (unsigned long long)value);
    register_msr(kernel, kernel_cpu(kernel), access->index, value);
}

void act_msr(struct run *run, struct outcome *outcome)
{
    run_guarded(run, outcome, msr_now);
}
