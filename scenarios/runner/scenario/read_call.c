/* read_call.c - call: a routine and its arguments. */
#include <string.h>

#include "scenarios/runner/language/routine_name.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/scenario/read_machine.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static void report_argument(struct reader *reader, const struct node *key,
    const struct routine_row *row)
{
    struct suggestion suggestion = suggest_for(key->text);

    schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_KEY, key,
        "%s has no parameter '%s'", row->name, key->text);
    for (size_t i = 0; i < routine_parameter_count(row); i++) {
        suggest_offer(&suggestion, row->parameter[i].name);
    }
    schema_suggest(&reader->scope.schema, &suggestion);
}

static void check_argument(struct reader *reader, const struct node *value,
    const struct parameter *parameter)
{
    bool array = strcmp(parameter->count, "one") != 0;
    struct value_block block;
    uint64_t number;

    if (parameter_is_pointer(parameter)) {
        value_block(&reader->scope, reader->scenario, value, parameter->type,
            array, &block);
        return;
    }
    value_scalar(&reader->scope, value, parameter->type, &number);
}

static void read_arguments(struct reader *reader, const struct node *args,
    const struct routine_row *row, struct step_call *call)
{
    if (args->kind != NODE_MAPPING) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, args,
            "expected {Parameter: value}");
        return;
    }
    for (size_t i = 0; i < args->count; i++) {
        const struct entry *entry = &args->entry[i];
        size_t k = 0;

        while (k < routine_parameter_count(row) &&
               strcmp(row->parameter[k].name, entry->key->text) != 0) {
            k++;
        }
        if (k == routine_parameter_count(row)) {
            report_argument(reader, entry->key, row);
            continue;
        }
        call->argument[k] = entry->value;
        check_argument(reader, entry->value, &row->parameter[k]);
    }
}

void read_call(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct node *args = node_get(step->node, "args");
    struct step_call *call = &step->u.call;
    const struct routine_row *row;
    size_t routine;

    if (!routine_name_read(&reader->scope.schema, node, &routine)) {
        return;
    }
    call->routine = (enum routine)routine;
    row = &routine_rows[call->routine];
    if (row->needs == NEEDS_PMU) {
        read_pmu_need(reader, node, row->name);
    }
    if (!routine_exists(call->routine, reader->scenario->os)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_IMPOSSIBLE, node,
            "%s is not exported by %s", row->name,
            os_rows[reader->scenario->os].name);
    }
    if (args != NULL) {
        read_arguments(reader, args, row, call);
    }
    if (row->needs == NEEDS_NATIVE || row->needs == NEEDS_CRT) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NOT_MODELLED, node,
            "%s can be called by a driver's own code only", row->name);
        return;
    }
    for (size_t i = 0; i < routine_parameter_count(row); i++) {
        if (call->argument[i] == NULL &&
            !parameter_is_out(&row->parameter[i])) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_MISSING_KEY, node,
                "missing argument '%s'", row->parameter[i].name);
        }
    }
}
