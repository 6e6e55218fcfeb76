/* read_fault.c - fault: a routine one of whose calls fails. */
#include "scenarios/runner/language/routine_name.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

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
    if (row->needs == NEEDS_NATIVE && !reader->scenario->native) {
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
    const struct step *step, struct step_fault *fault)
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

void read_fault(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct step_fault *fault = &step->u.fault;
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
