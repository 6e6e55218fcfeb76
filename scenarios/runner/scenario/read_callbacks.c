/* read_callbacks.c - callbacks: functions of the drivers whose bodies are
 * steps.
 */
#include "scenarios/runner/scenario/read_callbacks.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/callback.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

/* The type that was meant, after its name was reported. */
static void guess_type(struct callback *callback, const struct node *type)
{
    struct suggestion suggestion =
        suggest_for(type->kind == NODE_SCALAR ? type->text : "");
    const char *name;

    for (size_t i = 0; (name = name_of_callback_type(i, NULL)) != NULL; i++) {
        suggest_offer(&suggestion, name);
    }
    for (size_t i = 0; suggestion.nearest != NULL &&
                       (name = name_of_callback_type(i, NULL)) != NULL;
         i++) {
        if (strcmp(name, suggestion.nearest) == 0) {
            callback->type = (enum callback_type)i;
            return;
        }
    }
    callback->lost = true;
}

/* The type that the callback says it has. */
static void read_type(
    struct reader *reader, const struct node *body, struct callback *callback)
{
    const struct node *type =
        body->kind == NODE_MAPPING ? node_get(body, "type") : NULL;
    size_t found = CALLBACK_PPHYSICAL_COUNTER_OVERFLOW_HANDLER;

    if (type == NULL) {
        callback->lost = true; /* its reader says so */
    } else if (!schema_name(&reader->scope.schema, type, "callback type",
                   name_of_callback_type, NULL, &found)) {
        guess_type(callback, type);
        return;
    }
    callback->type = (enum callback_type)found;
}

void read_callback_names(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    struct callback_names *names = scenario->callback_names;
    const struct node *node = node_get(scenario->root, "callbacks");

    if (node == NULL) {
        return;
    }
    if (node->kind != NODE_MAPPING || node->count == 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected {name: {type: ..., do: [steps]}}");
        return;
    }
    if (node->count > SCENARIO_CALLBACKS) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_LIMIT, node,
            "more than %d callbacks", SCENARIO_CALLBACKS);
        return;
    }
    names->item =
        talloc_zero_array(names, struct callback_name, (unsigned)node->count);
    for (size_t i = 0; i < node->count; i++) {
        struct callback *callback = &scenario->callback[i];

        scope_check_name(&reader->scope, node->entry[i].key, "a callback");
        read_type(reader, node->entry[i].value, callback);
        names->item[names->count++] = (struct callback_name){
            .name = node->entry[i].key->text,
            .type =
                callback->lost ? NT_VOID : callback_rows[callback->type].type,
            .address = callback_address(i),
            .defined = node->entry[i].key,
        };
    }
}

/* What an event buffer's handler is given on the scenario's machine
 * (HAL-EVB-04b). */
static enum nt_type entry_type(const struct scenario *scenario)
{
    static const enum nt_type records[] = {NT_PEBS_RECORD_0, NT_PEBS_RECORD_1,
        NT_PEBS_RECORD_2, NT_PEBS_RECORD_3, NT_PEBS_RECORD_4};
    const struct pmu_model *pmu = &scenario->machine.pmu;

    if (!pmu->pebs) {
        return NT_VOID;
    }
    return rulings_have(&scenario->rulings, RULED_HAL_EVB_04b_generic)
               ? NT_GENERIC_EVENT_ENTRY
               : records[pmu->pebs_format];
}

/* The callback's parameters are variables of its body. */
static size_t define_parameter(struct reader *reader,
    const struct callback_parameter *parameter, const struct node *defined)
{
    struct variables *variables = reader->scenario->variables;

    variables->item = talloc_realloc(variables, variables->item,
        struct variable, (unsigned)variables->count + 1);
    variables->item[variables->count] =
        (struct variable){.name = parameter->name,
            .type = parameter->type,
            .pointee = parameter->entries ? entry_type(reader->scenario)
                                          : parameter->pointee,
            .entries = parameter->entries,
            .defined = defined,
            .used = true,
            .branch = reader->scope.branch,
            .parameter = true};
    return variables->count++;
}

/* What it gives back, of its type; a void one gives nothing. */
static void read_returns(
    struct reader *reader, const struct node *body, struct callback *callback)
{
    enum nt_type type = callback_rows[callback->type].returns;
    const struct node *returns = node_get(body, "returns");
    uint64_t value;

    if (returns == NULL) {
        return;
    }
    if (type == NT_VOID) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT,
            node_key(body, "returns"), "a %s returns nothing",
            callback_rows[callback->type].name);
        return;
    }
    if (value_scalar(&reader->scope, returns, type, &value)) {
        callback->returns = returns;
    }
}

static void read_body(struct reader *reader, const struct entry *entry,
    struct callback *callback, struct callback_name *name)
{
    const struct callback_row *row = &callback_rows[callback->type];
    const struct node *body;

    if (!schema_mapping(&reader->scope.schema, entry->value, MAPPING_CALLBACK,
            entry->key)) {
        return;
    }
    if (callback->lost) {
        return; /* its parameters are unknown */
    }
    body = node_get(entry->value, "do");
    reader->scope.branch = callback->branch = ++reader->branches;
    reader->scope.in_callback = true;
    callback->first_variable = reader->scenario->variables->count;
    for (size_t i = 0;
         i < CALLBACK_PARAMETERS && row->parameter[i].name != NULL; i++) {
        callback->parameter[i] =
            define_parameter(reader, &row->parameter[i], entry->key);
    }
    if (body != NULL && body->kind == NODE_SEQUENCE && body->count == 0) {
        /* A handler that does nothing. */
    } else if (body != NULL) {
        char *prefix = talloc_asprintf(reader->scenario, "%s.", name->name);

        read_steps(reader, body, prefix, &callback->steps);
    }
    read_returns(reader, entry->value, callback);
    callback->variable_count =
        reader->scenario->variables->count - callback->first_variable;
    reader->scope.branch = 0;
    reader->scope.in_callback = false;
}

void read_callback_bodies(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct node *node = node_get(scenario->root, "callbacks");

    for (size_t i = 0; i < scenario->callback_names->count; i++) {
        read_body(reader, &node->entry[i], &scenario->callback[i],
            &scenario->callback_names->item[i]);
    }
}
