/* system_claim.c - counters that Windows itself claims and gives back, by the
 * entries of machine.claims. */
#include "scenarios/runner/run/system_claim.h"

#include <assert.h>

#include "api/hal/arbiter.h"
#include "api/hal/hal_counters.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/scenario.h"
#include "sim/base/bits.h"

NTSTATUS system_claim_make(struct run *run, const struct system_claim *claim)
{
    struct session *session = run->session;
    struct counter_claim wanted = {
        .exclusive = claim->all, .counters = claim->counters};

    for (size_t i = 0; i < cpu_list_count(&claim->cpus); i++) {
        const struct cpu *cpu =
            machine_cpu(&session->machine, cpu_list_nth(&claim->cpus, i));

        wanted.affinity[cpu->group] |= bit(cpu->number);
    }
    return hal_system_claim(
        &session->kernel, &run->scenario->actor[claim->actor].driver, &wanted);
}

bool system_claim_release(struct run *run, const struct system_claim *claim)
{
    return hal_system_release(
        &run->session->kernel, &run->scenario->actor[claim->actor].driver);
}

void system_claim_boot(struct run *run)
{
    for (size_t i = 0; i < run->scenario->claim_count; i++) {
        if (run->scenario->claim[i].boot) {
            NTSTATUS status = system_claim_make(run, &run->scenario->claim[i]);

            assert(status == STATUS_SUCCESS); /* it was found valid */
            (void)status;
        }
    }
}
