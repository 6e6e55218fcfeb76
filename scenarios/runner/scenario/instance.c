/* instance.c - a scenario as one of its instances has it: resolved, then read
 * part by part, so that it is valid, typed and ready to run. */
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/headers/header_files.h"
#include "scenarios/runner/language/keys.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/type_name.h"
#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/cited_areas.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/read_actors.h"
#include "scenarios/runner/scenario/read_answers.h"
#include "scenarios/runner/scenario/read_callbacks.h"
#include "scenarios/runner/scenario/read_claims.h"
#include "scenarios/runner/scenario/read_explore.h"
#include "scenarios/runner/scenario/read_files.h"
#include "scenarios/runner/scenario/read_machine.h"
#include "scenarios/runner/scenario/read_manifests.h"
#include "scenarios/runner/scenario/read_memory.h"
#include "scenarios/runner/scenario/read_registry.h"
#include "scenarios/runner/scenario/read_rulings.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

static void note_uses(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    struct outline *outline = reader->outline;

    for (size_t i = 0; i < scenario->variables->count; i++) {
        const struct variable *variable = &scenario->variables->item[i];

        if (!variable->parameter) {
            outline_note_use(outline, variable->defined,
                variable->address ? "memory" : "variable", variable->used);
        }
    }
    for (size_t i = 0; i < scenario->callback_names->count; i++) {
        const struct callback_name *name = &scenario->callback_names->item[i];

        outline_note_use(outline, name->defined, "callback", name->used);
    }
    for (size_t i = 0; i < scenario->structures.count; i++) {
        const struct structure *structure = &scenario->structures.item[i];

        outline_note_use(outline, structure->defined,
            structure->in_header ? "header" : "structure", structure->used);
    }
    for (size_t i = 0; i < scenario->codes.count; i++) {
        const struct named_code *code = &scenario->codes.item[i];

        outline_note_use(outline, code->defined, "control code", code->used);
    }
    for (size_t i = 0; i < scenario->manifests.count; i++) {
        outline_note_use(outline, scenario->manifests.item[i].name, "manifest",
            scenario->manifests.item[i].used);
    }
    for (size_t i = 0; i < scenario->actor_count; i++) {
        const struct actor *actor = &scenario->actor[i];

        if (actor->defined != NULL) {
            outline_note_use(outline, actor->defined, "actor", actor->used);
        }
    }
}

static bool steps_cite(const struct step_list *steps);

static bool checks_cite(const struct check_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct check *check = &list->item[i];
        const struct check_code *code = check->kind->code;

        if (check->covers[0] != NULL ||
            (code->entries_cite != NULL && code->entries_cite(check->value))) {
            return true;
        }
    }
    return false;
}

static bool step_cites(const struct step *step)
{
    if (checks_cite(&step->expect) || checks_cite(&step->always) ||
        checks_cite(&step->at_end)) {
        return true;
    }
    for (size_t i = 0; i < step->inner_count; i++) {
        if (steps_cite(&step->inner[i].steps)) {
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
    return steps_cite(&scenario->steps) || steps_cite(&scenario->finally);
}

static void check_expectations(struct reader *reader)
{
    const struct scenario *scenario = reader->scenario;
    const struct schema *schema = &reader->scope.schema;
    const struct node *key = node_key(scenario->root, "steps");

    reader->outline->cites |= scenario_cites(scenario);
    if (diagnostics_errors(schema->diagnostics) == 0) {
        cited_areas_check(reader);
    }
    if (scenario->check_count > 0 || reader->outline->checks_nothing ||
        diagnostics_errors(schema->diagnostics) != 0) {
        return; /* what is missing may be what is wrong */
    }
    reader->outline->checks_nothing = true;
    schema_error(schema, DIAGNOSTIC_NO_EXPECTATION,
        key != NULL ? key : scenario->root, "%s has no expectation",
        scenario->instance->outline->instances.count > 1
            ? scenario->instance->id
            : "the scenario");
    diagnostics_hint(schema->diagnostics,
        "a step gets one with expect: {status: STATUS_SUCCESS}");
}

static void read_warnings(struct reader *reader)
{
    const struct node *node = node_get(reader->scenario->root, "warnings");

    size_t word = 0;

    if (node != NULL) {
        schema_key_word(
            &reader->scope.schema, MAPPING_SCENARIO, "warnings", node, &word);
    }
    reader->scenario->warnings_are_notes = word == 1; /* fail, note */
}

/* Their types hold, whatever uses them. */
static void check_params(struct reader *reader)
{
    const struct outline *outline = reader->outline;
    const struct node *params = node_get(outline->root, "params");

    for (size_t i = 0; i < outline->param_count; i++) {
        const struct static_value *param =
            &reader->scenario->instance->statics.item[i];

        type_check_value(&reader->scope,
            node_get(node_get(params, param->name->name), "type"),
            param->value);
    }
}

static bool is_actor(const void *actors, const char *name)
{
    const struct scenario *scenario = actors;

    for (size_t i = 0; i < scenario->actor_count; i++) {
        if (strcmp(scenario->actor[i].driver.name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* What the drivers' headers say. */
static void read_own(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct schema *schema = &reader->scope.schema;
    const struct node *structures = node_get(scenario->root, "structures");
    const struct node *codes = node_get(scenario->root, "codes");

    header_files_read(reader->outline->library, schema, scenario,
        node_get(scenario->root, "headers"),
        structures == NULL ? 0 : structures->count, &scenario->structures);
    if (structures != NULL) {
        structures_read(schema, scenario, structures, &scenario->structures);
    }
    if (codes != NULL) {
        named_codes_read(schema, scenario, codes, &scenario->codes);
    }
}

static void read_parts(struct reader *reader)
{
    struct scenario *scenario = reader->scenario;
    const struct node *steps = node_get(scenario->root, "steps");
    const struct node *finally = node_get(scenario->root, "finally");

    check_params(reader);
    read_rulings(reader);
    read_machine(reader);
    read_warnings(reader);
    read_explore(reader);
    read_actors(reader);
    read_processes(reader);
    read_drivers(reader);
    read_threads(reader);
    read_silos(reader);
    read_claims(reader);
    read_own(reader);
    read_callback_names(reader);
    read_answer_names(reader);
    read_memory(reader);
    read_registry(reader);
    read_files(reader);
    read_manifests(reader);
    if (steps != NULL) {
        read_steps(reader, steps, "", &scenario->steps);
    }
    if (finally != NULL) {
        read_steps(reader, finally, "finally.", &scenario->finally);
    }
    read_callback_bodies(reader);
    read_answers(reader);
    note_uses(reader);
    if (steps != NULL) {
        check_expectations(reader);
    }
}

/* Whether the value is this instance's own; not those that make instances. */
static bool is_of_instance(const char *key)
{
    const struct key_row *row = key_find(MAPPING_SCENARIO, key);

    return row == NULL || !row->form->written;
}

static const struct node *resolve_root(
    const struct resolver *resolver, const struct node *root)
{
    struct node *made = talloc_zero(resolver->context, struct node);

    assert(made != NULL);
    *made = *root;
    made->entry =
        talloc_memdup(made, root->entry, root->count * sizeof(root->entry[0]));
    for (size_t i = 0; i < root->count; i++) {
        if (is_of_instance(root->entry[i].key->text)) {
            made->entry[i].value = (struct node *)(uintptr_t)resolve(
                resolver, root->entry[i].value);
        }
    }
    return made;
}

/* What most scenarios need is one piece of memory; more is taken as it comes.
 */
enum { POOLED = 100, POOL_BYTES = 12 << 10, FIRST_FRAMES = 4 };

static struct scenario *new_scenario(
    void *context, const struct instance *instance)
{
    struct scenario *scenario =
        talloc_pooled_object(context, struct scenario, POOLED, POOL_BYTES);

    assert(scenario != NULL);
    *scenario = (struct scenario){.instance = instance};
    scenario->kinds = instance->outline->library->kinds;
    scenario->os = instance->statics.os;
    scenario->arch = instance->statics.arch;
    scenario->machine_node = instance->machine;
    scenario->variables = talloc_zero(scenario, struct variables);
    scenario->callback_names = talloc_zero(scenario, struct callback_names);
    scenario->frame = talloc_zero_array(scenario, struct frame, FIRST_FRAMES);
    scenario->frame_count = 1;
    return scenario;
}

const struct scenario *instance_read(void *context,
    const struct instance *instance, struct diagnostics *diagnostics)
{
    struct scenario *scenario = new_scenario(context, instance);
    struct outline *outline = instance->outline;
    const struct resolver resolver = {
        .context = scenario,
        .statics = &instance->statics,
        .schema = {diagnostics},
        .whens = outline->whens,
    };
    struct reader reader = {
        .scope = {.schema = {diagnostics},
            .statics = &instance->statics,
            .arch = instance->statics.arch,
            .variables = scenario->variables,
            .callbacks = scenario->callback_names,
            .structures = &scenario->structures,
            .is_actor = is_actor,
            .actors = scenario,
            .names_broken = outline->names_broken},
        .scenario = scenario,
        .outline = outline,
        .requirements = outline->library->requirements,
        .kinds = scenario->kinds,
    };

    scenario->root = resolve_root(&resolver, outline->root);
    scenario->frame[0] = (struct frame){&instance->statics, scenario->root};
    read_parts(&reader);
    return scenario;
}

struct instance instance_open(void *context, const struct instance *instance)
{
    struct diagnostics *diagnostics = diagnostics_new(context);
    struct instance opened = *instance;

    opened.scenario = instance_read(context, instance, diagnostics);
    assert(diagnostics_errors(diagnostics) == 0); /* it was found valid */
    talloc_free(diagnostics);
    return opened;
}
