/* read_saves.c - save: the variables that a step sets, each with the part of
 * its results that it takes. */
#include "scenarios/runner/scenario/read_saves.h"

#include <string.h>
#include <talloc.h>

#include "scenarios/runner/counters/row_path.h"
#include "scenarios/runner/scenario/output_view.h"
#include "scenarios/runner/scenario/read_lost.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static bool find_out(const struct step *step, const char *name, size_t *index)
{
    for (size_t i = 0; i < step->signature.parameter_count; i++) {
        const struct parameter *parameter = &step->signature.parameter[i];

        if (parameter_is_out(parameter) && strcmp(parameter->name, name) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

/* What the step has, for the error that it has not what was named. */
static void hint_results(struct reader *reader, const struct step *step)
{
    char *list = talloc_strdup(reader->scenario, "");
    struct step_result result;

    for (size_t i = 0; step_result(step, i, &result); i++) {
        list = talloc_asprintf_append_buffer(
            list, "%s%s", list[0] == '\0' ? "" : ", ", result.name);
    }

    for (size_t i = 0; i < step->signature.parameter_count; i++) {
        const struct parameter *parameter = &step->signature.parameter[i];

        if (parameter_is_out(parameter)) {
            list = talloc_asprintf_append_buffer(
                list, "%sout.%s", list[0] == '\0' ? "" : ", ", parameter->name);
        }
    }
    if (step->collection != NULL) {
        list = talloc_strdup_append_buffer(
            list, ", rows.0.id, rows.0.values.COUNTER");
    }
    diagnostics_hint(reader->scope.schema.diagnostics, "it has: %s",
        list[0] == '\0' ? "nothing to save" : list);
    talloc_free(list);
}

/* Where the path leads; reports one that leads nowhere. */
static bool read_path(struct reader *reader, const struct step *step,
    const struct node *path, struct save *save, enum nt_type *type, bool *array)
{
    struct step_result result;
    bool out = path->kind == NODE_SCALAR && strncmp(path->text, "out.", 4) == 0;

    if (path->kind == NODE_MAPPING) {
        return output_view_read_save(reader, step, path, save, type);
    }
    if (step->collection != NULL && path->kind == NODE_SCALAR &&
        row_path_is(path->text)) {
        const struct counter_scope scope = {&reader->scope.schema,
            &reader->scenario->manifests, &reader->scenario->rulings,
            step->collection};

        save->row = path;
        return row_path_read(&scope, path, type);
    }
    if (path->kind == NODE_SCALAR && !path->quoted &&
        step_result_find(step, path->text, &save->result, &result)) {
        *type = result.type;
        return true;
    }
    if (out && find_out(step, path->text + 4, &save->parameter)) {
        const struct parameter *parameter =
            &step->signature.parameter[save->parameter];

        *type = parameter->type;
        save->is_out = true;
        *array = strcmp(parameter->count, "one") != 0;
        return true;
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, path,
        "this step has no result '%s'", node_show(reader->scenario, path));
    hint_results(reader, step);
    return false;
}

/* {out.Handle: h}, which is {h: out.Handle} the wrong way round. */
static bool is_turned(
    struct reader *reader, const struct step *step, const struct entry *entry)
{
    const struct node *value = entry->value;
    struct step_result result;
    size_t n;

    if ((strncmp(entry->key->text, "out.", 4) != 0 &&
            !step_result_find(step, entry->key->text, &n, &result)) ||
        scope_is_variable_name(entry->key->text) ||
        value->kind != NODE_SCALAR || !scope_is_variable_name(value->text)) {
        return false;
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, entry->key,
        "'%s' is not a variable's name", entry->key->text);
    diagnostics_hint(reader->scope.schema.diagnostics,
        "the variable stands first: write {%s: %s}", value->text,
        entry->key->text);
    read_lost_name(reader, value);
    return true;
}

void read_saves(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct node *saves = node_get(node, "save");

    if (saves == NULL) {
        return;
    }
    if (saves->kind != NODE_MAPPING || saves->count == 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, saves,
            "expected {variable: result}");
        return;
    }
    if (step->cpus.several) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT,
            node_key(node, "save"),
            "a step on several processors has a result on each, and a variable "
            "has one value");
        diagnostics_hint(reader->scope.schema.diagnostics,
            "write a step with one cpu for each that is saved");
        read_lost_step(reader, node);
        return;
    }
    step->save = talloc_zero_array(
        reader->scenario, struct save, (unsigned)saves->count);
    for (size_t i = 0; i < saves->count; i++) {
        struct save *save = &step->save[step->save_count];
        struct variable *variable;
        enum nt_type type;
        bool array = false;

        if (is_turned(reader, step, &saves->entry[i])) {
            continue;
        }
        if (!read_path(
                reader, step, saves->entry[i].value, save, &type, &array)) {
            read_lost_name(reader, saves->entry[i].key);
            continue;
        }
        variable = scope_define(&reader->scope, saves->entry[i].key, type);
        if (variable != NULL) {
            variable->array = array;
            variable->setter = step;
            save->variable =
                (size_t)(variable - reader->scenario->variables->item);
            step->save_count++;
        }
    }
}
