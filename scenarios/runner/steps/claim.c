/* claim.c - claim and release: Windows itself takes counters, or gives them
 * back, in the middle of whatever runs. */
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/system_claim.h"
#include "scenarios/runner/scenario/read_claims.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"

struct claim_data {
    const struct system_claim *claim; /* NULL after an error */
};

static void read_claim(
    struct reader *reader, const struct node *node, struct step *step)
{
    struct claim_data *data = step->data;

    data->claim = read_claim_name(reader, node);
}

static void run_claim(struct run *run, struct outcome *outcome)
{
    const struct claim_data *data = outcome->step->data;

    outcome->returns = (uint32_t)system_claim_make(run, data->claim);
}

static void read_release(
    struct reader *reader, const struct node *node, struct step *step)
{
    struct claim_data *data = step->data;

    data->claim = read_claim_name(reader, node);
}

static void run_release(struct run *run, struct outcome *outcome)
{
    const struct claim_data *data = outcome->step->data;

    if (!system_claim_release(run, data->claim)) {
        outcome->failed = true;
        run_fail(run, RESULT_ERROR, outcome, outcome->step->key,
            "nothing is held under this name");
    }
}

const struct step_code step_claim = {
    .noun = "a claim",
    .data_bytes = sizeof(struct claim_data),
    .signature =
        &(const struct signature){.name = "a claim", .returns = NT_NTSTATUS},
    .read = read_claim,
    .run_here = run_claim,
};

const struct step_code step_release = {
    .data_bytes = sizeof(struct claim_data),
    .read = read_release,
    .run_here = run_release,
};
