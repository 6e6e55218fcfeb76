/* read_steps.c - lists of steps, and what all kinds of steps have: whose they
 * are, when they run, what they save and expect. */
#include "scenarios/runner/scenario/read_steps.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/library/kinds.h"
#include "scenarios/runner/scenario/read_actors.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/read_lost.h"
#include "scenarios/runner/scenario/read_machine.h"
#include "scenarios/runner/scenario/read_saves.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"

/* A driver that is machine code plays no steps, but for those that let its
 * counters count. */
static void check_native(
    struct reader *reader, const struct node *at, const struct step *step)
{
    const enum step_whose whose = step->kind->whose;
    bool may = whose == WHOSE_DRIVER || whose == WHOSE_ANY_ACTOR ||
               whose == WHOSE_ASKED;

    if (reader->scenario->actor[step->actor].image != NULL && !may) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, at,
            "'%s' is machine code and makes its own calls",
            reader->scenario->actor[step->actor].driver.name);
    }
}

/* A program executes no instruction that needs the kernel ring. */
static void check_process(struct reader *reader, const struct step *step)
{
    const enum step_touches touches = step->kind->touches;
    const struct driver *driver =
        scenario_driver(reader->scenario, step->actor);

    if (scenario_step_is_of_program(reader->scenario, step) &&
        (touches == TOUCHES_X86_PMU || touches == TOUCHES_ARM_PMU)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, step->key,
            "'%s' is a process, and %s needs the kernel ring", driver->name,
            step->key->text);
        diagnostics_hint(
            reader->scope.schema.diagnostics, "let an actor, a driver, do it");
    }
}

/* as: a or as: b or ..., which is what is missing. */
static void hint_actors(struct reader *reader)
{
    const struct scenario *scenario = reader->scenario;
    char *list = talloc_strdup(reader->scenario, "write ");
    const char *before = "";

    for (size_t i = 0; i < scenario->actor_count; i++) {
        if (scenario->actor[i].image == NULL && !scenario->actor[i].system) {
            list = talloc_asprintf_append_buffer(
                list, "%sas: %s", before, scenario->actor[i].driver.name);
            before = " or ";
        }
    }
    diagnostics_hint(reader->scope.schema.diagnostics, "%s", list);
    talloc_free(list);
}

/* Those that steps play, with their threads. */
static size_t count_played(const struct scenario *scenario)
{
    size_t count = 0;

    for (size_t i = 0; i < scenario->actor_count; i++) {
        count += scenario->actor[i].image == NULL && !scenario->actor[i].system;
    }
    return count;
}

/* The driver that is machine code, where there is one and no other; its first
 * thread is meant. */
static bool find_native(const struct scenario *scenario, size_t *native)
{
    size_t count = 0;

    for (size_t i = 0; i < scenario->actor_count; i++) {
        if (scenario->actor[i].image != NULL && scenario->actor[i].owner == i) {
            *native = i;
            count++;
        }
    }
    return count == 1;
}

static void read_as(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct scenario *scenario = reader->scenario;
    const enum step_whose whose = step->kind->whose;
    const struct node *as = node_get(node, "as");
    size_t native;

    step->actor = reader->actor;
    if (whose == WHOSE_NOBODY) {
        if (as != NULL) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, node_key(node, "as"),
                "'as' has no place here: '%s' is nobody's", step->key->text);
        }
        return;
    }
    if (whose == WHOSE_BRANCHES || step->in_callback || reader->in_parallel) {
        if (as != NULL) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, node_key(node, "as"),
                "'as' has no place here");
            diagnostics_hint(schema->diagnostics,
                "a branch of parallel is its actor's, a callback its set's");
        }
        if (reader->in_parallel && whose != WHOSE_BRANCHES &&
            whose != WHOSE_ITS_STEPS) {
            check_native(reader, step->key, step);
            check_process(reader, step);
        }
        return;
    }
    if (as != NULL) {
        read_player(reader, as, &step->actor);
        check_native(reader, as, step);
    } else if (whose == WHOSE_DRIVER && find_native(scenario, &native)) {
        step->actor = native;
    } else if (count_played(scenario) > 1 && whose != WHOSE_ASKED &&
               whose != WHOSE_ITS_STEPS && !reader->actor_given) {
        schema_error(schema, DIAGNOSTIC_MISSING_KEY, node,
            "missing key 'as': there are %zu actors", scenario->actor_count);
        hint_actors(reader);
    }
    if (whose != WHOSE_ITS_STEPS || as != NULL) {
        read_use_of_actor(scenario, step->actor);
        check_process(reader, step);
    }
}

/* Whether the processors are such as it touches; reports those that are not. */
static bool check_processors(struct reader *reader, const struct step *step)
{
    switch (step->kind->touches) {
    case TOUCHES_NOTHING:
    case TOUCHES_HAL:
        break;
    case TOUCHES_PMU:
        read_pmu_need(reader, step->key, step->kind->key);
        break;
    case TOUCHES_X86_PMU:
    case TOUCHES_X86_USER:
        return read_pmu_of(reader, step->key, false);
    case TOUCHES_ARM_PMU:
        return read_pmu_of(reader, step->key, true);
    }
    return true;
}

static void read_action(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct step_code *code = step->kind->code;

    if (step_has_action(step)) {
        step->data = talloc_zero_size(reader->scenario, code->data_bytes);
        assert(step->data != NULL);
        if (check_processors(reader, step)) {
            code->read(reader, node_get(node, step->key->text), step);
        }
    }
}

static const struct step_kind *kind_of(
    const struct reader *reader, const struct node *key)
{
    const struct step_kinds *kinds = reader->kinds->steps;
    size_t i = 0;

    while (kinds->item[i].key[0] != key->text[0] ||
           strcmp(kinds->item[i].key, key->text) != 0) {
        i++;
        assert(i < kinds->count); /* keys.def has the same */
    }
    return &kinds->item[i];
}

/* An action, or expectations alone. */
static bool read_kind(
    struct reader *reader, const struct node *node, struct step *step)
{
    bool expects = node_get(node, "expect") != NULL;

    step->key = schema_kind(&reader->scope.schema, node, MAPPING_STEP, expects);
    step->kind = &step_kind_none;
    if (step->key != NULL) {
        step->kind = kind_of(reader, step->key);
        return true;
    }
    step->key = node_key(node, "expect");
    return expects;
}

/* Says to which kinds of steps the key belongs. */
static void report_key(struct reader *reader, const struct node *key)
{
    const struct step_kinds *kinds = reader->kinds->steps;
    char *owners = talloc_strdup(reader->scenario, "");

    for (size_t i = 0; i < kinds->count; i++) {
        const struct step_kind *kind = &kinds->item[i];

        if (step_kind_key(kind, key->text) != NULL) {
            owners = talloc_asprintf_append_buffer(owners, "%s%s",
                owners[0] == '\0' ? "" : " and ",
                kind->code->noun == NULL ? kind->key : kind->code->noun);
        }
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, key,
        "'%s' belongs to %s", key->text, owners);
    talloc_free(owners);
}

/* A key that belongs to other kinds of steps than the one that it has. */
static void check_key(
    struct reader *reader, const struct node *key, const struct step *step)
{
    const struct step_kinds *kinds = reader->kinds->steps;

    if (key == step->key || step_kind_key(step->kind, key->text) != NULL) {
        return;
    }
    for (size_t i = 0; i < kinds->count; i++) {
        if (step_kind_key(&kinds->item[i], key->text) != NULL) {
            report_key(reader, key);
            return;
        }
    }
}

/* Whether this instance has the step. One whose `when` depends on what runs is
 * there, and has it. */
static bool read_when(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct node *when = node_get(node, "when");
    bool value;

    if (when == NULL || node_is_word(when, "true")) {
        return true;
    }
    if (node_is_word(when, "false")) {
        return false;
    }
    if (scope_condition(&reader->scope, when, &value)) {
        step->when = when;
    }
    return true;
}

static void read_parts(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct step_code *code = step->kind->code;
    const struct node *outer = reader->scope.when;

    reader->scope.when = step->when != NULL ? step->when : outer;
    read_as(reader, node, step);
    read_action(reader, node, step);
    if (step->lost) {
        read_lost_step(reader, node);
        reader->scope.when = outer;
        return;
    }
    if (!code->reads_saves) {
        read_saves(reader, node, step);
    }
    if (node_get(node, "expect") != NULL) {
        read_checks(reader, node_get(node, "expect"), step);
    }
    if (code->read_end != NULL) {
        code->read_end(reader, step);
    }
    reader->scope.when = outer;
}

static void read_step(struct reader *reader, const struct node *node,
    const char *number, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    size_t before = diagnostics_errors(schema->diagnostics);

    *step = (struct step){
        .node = node,
        .number = number,
        .ordinal = reader->scenario->step_count++,
        .branch = reader->scope.branch,
        .frame = reader->scope.frame,
        .in_callback = reader->scope.in_callback,
        .signature = {.returns = NT_VOID},
    };
    if (!schema_mapping(schema, node, MAPPING_STEP, node) ||
        !read_kind(reader, node, step) ||
        (!step_has_action(step) &&
            diagnostics_errors(schema->diagnostics) != before)) {
        step->kind = &step_kind_none; /* reported; never run */
        step->key = node;
        read_lost_step(reader, node);
        return;
    }
    if (step->kind->code->signature != NULL) {
        step->signature = *step->kind->code->signature;
    }
    for (size_t i = 0; i < node->count; i++) {
        check_key(reader, node->entry[i].key, step);
    }
    if (node_get(node, "note") != NULL) {
        const char *note;

        schema_text(schema, node_get(node, "note"), &note);
    }
    if (!read_when(reader, node, step)) {
        step->kind = &step_kind_none;
        step->skipped = true;
        return;
    }
    read_parts(reader, node, step);
}

void read_steps(struct reader *reader, const struct node *node,
    const char *prefix, struct step_list *steps)
{
    if (!schema_sequence(&reader->scope.schema, node)) {
        return;
    }
    if (reader->scenario->step_count + node->count > SCENARIO_STEPS) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_LIMIT, node,
            "more than %d steps in one scenario", SCENARIO_STEPS);
        return;
    }
    steps->item =
        talloc_zero_array(reader->scenario, struct step, (unsigned)node->count);
    steps->count = node->count;
    for (size_t i = 0; i < node->count; i++) {
        const char *number =
            talloc_asprintf(reader->scenario, "%s%zu", prefix, i + 1);

        read_step(reader, node->item[i], number, &steps->item[i]);
    }
}
