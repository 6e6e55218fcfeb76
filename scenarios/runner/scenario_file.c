/* scenario_file.c - one file, from its text to a valid scenario. */
#include "scenarios/runner/scenario_file.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/reader.h"

/* Lower-case letters, digits, _ and dots. */
static void read_id(struct reader *reader, const struct node *node)
{
    struct scenario *scenario = reader->scenario;

    if (!schema_text(&reader->scope.schema, node, &scenario->id)) {
        return;
    }
    if (strspn(scenario->id, "abcdefghijklmnopqrstuvwxyz0123456789_.") !=
        strlen(scenario->id)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, node,
            "'%s' is not an id", scenario->id);
        diagnostics_hint(reader->scope.schema.diagnostics,
            "lower-case letters, digits, _ and dots");
    }
}

/* Tags are labels in CTest, so they have the letters of ids. */
static bool check_tag(
    struct reader *reader, const struct node *node, const char *tag)
{
    const struct scenario *scenario = reader->scenario;

    if (strspn(tag, "abcdefghijklmnopqrstuvwxyz0123456789_.-") != strlen(tag)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, node,
            "'%s' is not a tag", tag);
        diagnostics_hint(reader->scope.schema.diagnostics,
            "lower-case letters, digits, _, dots and -");
        return false;
    }
    for (size_t i = 0; i < scenario->tag_count; i++) {
        if (strcmp(scenario->tag[i], tag) == 0) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, node,
                "tag '%s' stands twice", tag);
            return false;
        }
    }
    return true;
}

static void read_tags(struct reader *reader, const struct node *node)
{
    struct scenario *scenario = reader->scenario;

    if (!schema_sequence(&reader->scope.schema, node)) {
        return;
    }
    scenario->tag =
        talloc_zero_array(scenario, const char *, (unsigned)node->count);
    for (size_t i = 0; i < node->count; i++) {
        const char **tag = &scenario->tag[scenario->tag_count];

        if (schema_text(&reader->scope.schema, node->item[i], tag) &&
            check_tag(reader, node->item[i], *tag)) {
            scenario->tag_count++;
        }
    }
}

static void read_version(struct reader *reader, const struct node *node)
{
    uint64_t version;

    if (schema_number(&reader->scope.schema, node, 0, UINT64_MAX, &version) &&
        version != 1) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NOT_MODELLED, node,
            "this program reads version 1 of the language");
    }
}

static void report_unused(
    struct reader *reader, const struct node *node, const char *what)
{
    schema_error(&reader->scope.schema, DIAGNOSTIC_UNUSED, node,
        "%s '%s' is never used", what, node->text);
    diagnostics_hint(
        reader->scope.schema.diagnostics, "use it or leave it out");
}

static void check_used(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;

    for (size_t i = 0; i < scenario->variables->count; i++) {
        const struct variable *variable = &scenario->variables->item[i];

        if (!variable->used) {
            report_unused(reader, variable->defined, "variable");
        }
    }
    for (size_t i = 0; i < scenario->callback_names->count; i++) {
        if (!scenario->callback_names->item[i].used) {
            report_unused(
                reader, scenario->callback_names->item[i].defined, "callback");
        }
    }
    for (size_t i = 0; i < scenario->actor_count; i++) {
        if (!scenario->actor[i].used && scenario->actor[i].defined != NULL) {
            report_unused(reader, scenario->actor[i].defined, "actor");
        }
    }
}

static bool steps_cite(const struct step_list *steps);

/* An entry of state may cite for itself. */
static bool state_cites(const struct node *value)
{
    if (value->kind == NODE_MAPPING) {
        return node_get(value, "covers") != NULL;
    }
    for (size_t i = 0; i < value->count; i++) {
        if (state_cites(value->item[i])) {
            return true;
        }
    }
    return false;
}

static bool step_cites(const struct step *step)
{
    for (size_t i = 0; i < step->check_count; i++) {
        if (step->check[i].covers[0] != NULL ||
            (step->check[i].kind == CHECK_STATE &&
                state_cites(step->check[i].value))) {
            return true;
        }
    }
    for (size_t i = 0;
         step->kind == STEP_PARALLEL && i < step->u.parallel.count; i++) {
        if (steps_cite(&step->u.parallel.branch[i].steps)) {
            return true;
        }
    }
    return false;
}

static bool steps_cite(const struct step_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        if (step_cites(&steps->item[i])) {
            return true;
        }
    }
    return false;
}

/* Expectations of callbacks count, too. */
static bool scenario_cites(const struct scenario *scenario)
{
    for (size_t i = 0; i < scenario->callback_names->count; i++) {
        if (steps_cite(&scenario->callback[i].steps)) {
            return true;
        }
    }
    return steps_cite(&scenario->steps);
}

static void check_expectations(struct reader *reader)
{
    const struct scenario *scenario = reader->scenario;
    const struct schema *schema = &reader->scope.schema;
    const struct node *key = node_key(scenario->root, "steps");

    if (diagnostics_errors(schema->diagnostics) != reader->errors_before) {
        return; /* what is missing may be what is wrong */
    }
    if (scenario->check_count == 0) {
        schema_error(schema, DIAGNOSTIC_NO_EXPECTATION,
            key != NULL ? key : scenario->root,
            "the scenario has no expectation");
        diagnostics_hint(schema->diagnostics,
            "a step gets one with expect: {status: STATUS_SUCCESS}");
        return;
    }
    if (!scenario_cites(scenario) && !scenario->native) {
        schema_error(schema, DIAGNOSTIC_REQUIREMENT,
            key != NULL ? key : scenario->root,
            "no expectation cites a requirement");
        diagnostics_hint(schema->diagnostics,
            "write covers: [ID] beside it; ids are in "
            "scenarios/requirements/");
    }
}

static void read_scenario(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct node *root = scenario->root;
    const struct node *steps = node_get(root, "steps");

    schema_mapping(
        &reader->scope.schema, root, MAPPING_SCENARIO, root->entry[0].key);
    read_version(reader, node_get(root, "ntpmu"));
    if (node_get(root, "id") != NULL) {
        read_id(reader, node_get(root, "id"));
    }
    if (node_get(root, "title") != NULL) {
        schema_text(
            &reader->scope.schema, node_get(root, "title"), &scenario->title);
    }
    if (node_get(root, "tags") != NULL) {
        read_tags(reader, node_get(root, "tags"));
    }
    read_machine(reader);
    read_actors(reader);
    read_drivers(reader);
    read_callback_names(reader);
    if (steps != NULL) {
        read_steps(reader, steps, "", &scenario->steps);
    }
    read_callback_bodies(reader);
    check_used(reader);
    if (steps != NULL) {
        check_expectations(reader);
    }
}

static enum file_kind kind_of(const struct node *root)
{
    if (root->kind != NODE_MAPPING || root->count == 0 ||
        strcmp(root->entry[0].key->text, "ntpmu") != 0) {
        return FILE_OTHER;
    }
    return node_get(root, "requirements") != NULL ? FILE_REQUIREMENTS
                                                  : FILE_SCENARIO;
}

enum file_kind scenario_file_check(void *context, struct source *source,
    const struct requirements *requirements, struct diagnostics *diagnostics,
    struct scenario **scenario)
{
    size_t before = diagnostics_errors(diagnostics);
    struct scenario *made = talloc_zero(context, struct scenario);
    const struct node *root = yaml_tree_read(made, source, diagnostics);
    struct reader reader = {
        .scope = {.schema = {source, diagnostics}},
        .scenario = made,
        .requirements = requirements,
        .errors_before = before,
    };
    enum file_kind kind;

    *scenario = NULL;
    if (root == NULL) {
        if (diagnostics_errors(diagnostics) == before) {
            return FILE_OTHER; /* an empty file */
        }
        return FILE_BROKEN;
    }
    kind = kind_of(root);
    if (kind == FILE_REQUIREMENTS) {
        requirements_check(requirements, &reader.scope.schema, root);
    }
    if (kind == FILE_SCENARIO) {
        made->source = source;
        made->root = root;
        made->variables = talloc_zero(made, struct variables);
        made->callback_names = talloc_zero(made, struct callback_names);
        reader.scope.variables = made->variables;
        reader.scope.callbacks = made->callback_names;
        read_scenario(&reader);
    }
    if (diagnostics_errors(diagnostics) != before) {
        return FILE_BROKEN;
    }
    *scenario = kind == FILE_SCENARIO ? made : NULL;
    return kind;
}

enum file_kind scenario_file_read(void *context, const char *path,
    const struct requirements *requirements, struct diagnostics *diagnostics,
    struct scenario **scenario)
{
    const char *problem = NULL;
    struct source *source =
        source_from_file(context, path, YAML_FILE_BYTES, &problem);

    *scenario = NULL;
    if (source == NULL) {
        diagnostics_add_file(
            diagnostics, DIAGNOSTIC_UNREADABLE, path, "%s", problem);
        return FILE_BROKEN;
    }
    return scenario_file_check(
        context, source, requirements, diagnostics, scenario);
}
