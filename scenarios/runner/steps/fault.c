/* fault.c - fault: the kernel is told which call of a routine fails. */
#include <inttypes.h>

#include "scenarios/runner/language/routine_name.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"

struct fault_data {
    enum routine routine;
    uint32_t nth;               /* of the calls from now on; 1 is the next */
    const struct node *returns; /* its result, of its type */
};

/* Whether any of the scenario's drivers can call it, and be told of a failure.
 */
static bool check_routine(
    struct reader *reader, const struct node *node, enum routine routine)
{
    const struct schema *schema = &reader->scope.schema;
    const struct routine_row *row = &routine_rows[routine];

    if (!routine_exists(routine, reader->scenario->os)) {
        schema_error(schema, DIAGNOSTIC_IMPOSSIBLE, node,
            "%s is not exported by %s", row->name,
            os_rows[reader->scenario->os].name);
        return false;
    }
    if (routine_is_native(row) && row->needs != NEEDS_CRT &&
        !reader->scenario->native) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            "%s can be called by a driver's own code only, and the scenario "
            "has no driver",
            row->name);
        return false;
    }
    if (row->returns == NT_VOID || row->needs == NEEDS_CRT) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node,
            row->returns == NT_VOID
                ? "%s returns nothing, so it cannot say that it failed"
                : "%s cannot fail",
            row->name);
        return false;
    }
    return true;
}

/* What the call gives: `status` where the routine returns one, else `returns`.
 */
static void read_result(struct reader *reader, const struct node *node,
    const struct step *step, struct fault_data *fault)
{
    const struct schema *schema = &reader->scope.schema;
    enum nt_type type = routine_rows[fault->routine].returns;
    const char *right = type == NT_NTSTATUS ? "status" : "returns";
    const char *wrong = type == NT_NTSTATUS ? "returns" : "status";
    const struct node *returns = node_get(node, right);
    uint64_t value;

    if (node_get(node, wrong) != NULL) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node_key(node, wrong),
            "%s has no '%s'", routine_rows[fault->routine].name, wrong);
        diagnostics_hint(schema->diagnostics, "write '%s'", right);
    } else if (returns == NULL) {
        schema_error(schema, DIAGNOSTIC_MISSING_KEY, step->key,
            "missing key '%s': what the call gives", right);
    }
    if (returns != NULL &&
        value_scalar(&reader->scope, returns, type, &value)) {
        fault->returns = returns;
    }
}

static void read_fault(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct fault_data *fault = step->data;
    uint64_t nth = 1;
    size_t routine;

    if (!schema_mapping(schema, node, MAPPING_FAULT, step->key)) {
        return;
    }
    if (node_get(node, "nth") != NULL) {
        schema_number(schema, node_get(node, "nth"), 1, UINT32_MAX, &nth);
    }
    fault->nth = (uint32_t)nth;
    if (node_get(node, "call") == NULL ||
        !routine_name_read(schema, node_get(node, "call"), &routine)) {
        return;
    }
    fault->routine = (enum routine)routine;
    if (check_routine(reader, node_get(node, "call"), fault->routine)) {
        read_result(reader, node, step, fault);
    }
}

/* By routine, the step that asked last; NULL: none has. */
static const struct step **asked_of(struct run *run)
{
    static const char owner;

    return run_memory(run, &owner, ROUTINE_COUNT * sizeof(const struct step *));
}

static void run_fault(struct run *run, struct outcome *outcome)
{
    const struct fault_data *fault = outcome->step->data;
    const struct routine_row *row = &routine_rows[fault->routine];
    struct faults *faults = &run->session->kernel.faults;
    const struct step **asked = asked_of(run);
    uint64_t result;

    run_enter_outcome(run, outcome);
    if (!value_scalar(&run->scope, fault->returns, row->returns, &result)) {
        run_fail_value(run, outcome, fault->returns);
        return;
    }
    if (faults_left(faults, fault->routine) > 0) {
        outcome->failed = true;
        run_fail(run, RESULT_ERROR, outcome, outcome->step->key,
            "the fault of step %s has not come yet, and %s has one at a time",
            asked[fault->routine]->number, row->name);
        return;
    }
    faults_arm(faults, fault->routine, fault->nth, result);
    asked[fault->routine] = outcome->step;
}

static void report_faults(struct run *run)
{
    const struct faults *faults = &run->session->kernel.faults;
    const struct step **asked = asked_of(run);

    for (enum routine i = 0; i < ROUTINE_COUNT; i++) {
        const struct step *step = asked[i];
        uint32_t left = faults_left(faults, i);

        if (left > 0) {
            const struct fault_data *fault = step->data;

            run_fail(run, RESULT_FAIL, NULL, step->key,
                "the fault of step %s never came: %s was called %" PRIu32
                " of %" PRIu32 " time%s",
                step->number, routine_rows[i].name, fault->nth - left,
                fault->nth, fault->nth == 1 ? "" : "s");
        }
    }
}

const struct step_code step_fault = {
    .data_bytes = sizeof(struct fault_data),
    .read = read_fault,
    .run_here = run_fault,
    .end = report_faults,
};
