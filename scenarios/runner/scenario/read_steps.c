/* read_steps.c - lists of steps, and what all kinds of steps have. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/counters/row_path.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/scenario/output_view.h"
#include "scenarios/runner/scenario/read_actors.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/read_lost.h"
#include "scenarios/runner/scenario/read_saves.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"

void read_cpu(struct reader *reader, const struct node *node, int *cpu)
{
    uint64_t number;

    *cpu = CPU_OWN;
    if (node != NULL &&
        schema_number(&reader->scope.schema, node, 0,
            reader->scenario->machine.processors - 1, &number)) {
        *cpu = (int)number;
    }
}

/* A driver that is machine code plays no steps, but for those that let its
 * counters count. */
static void check_native(
    struct reader *reader, const struct node *as, const struct step *step)
{
    bool may = step->kind == STEP_DRIVER || step->kind == STEP_EXPECT ||
               step->kind == STEP_RUN || step->kind == STEP_OVERFLOW;

    if (reader->scenario->actor[step->actor].image != NULL && !may) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, as,
            "'%s' is machine code and makes its own calls", as->text);
    }
}

static void read_as(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    struct scenario *scenario = reader->scenario;
    const struct node *as = node_get(node, "as");

    step->actor = reader->actor;
    if (step->kind == STEP_ADVANCE || step->kind == STEP_FAULT) {
        if (as != NULL) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, node_key(node, "as"),
                "'as' has no place here: '%s' is nobody's", step->key->text);
        }
        return;
    }
    if (step->kind == STEP_PARALLEL || step->kind == STEP_EACH ||
        step->in_callback || reader->in_parallel) {
        if (as != NULL) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, node_key(node, "as"),
                "'as' has no place here");
            diagnostics_hint(schema->diagnostics,
                "a branch of parallel is its actor's, a callback its set's");
        }
        return;
    }
    if (as != NULL) {
        read_actor(reader, as, &step->actor);
        check_native(reader, as, step);
    } else if (step->kind == STEP_DRIVER && scenario->native_count == 1) {
        step->actor = scenario->actor_count - 1;
    } else if (scenario->actor_count - scenario->native_count > 1 &&
               step->kind != STEP_EXPECT && step->kind != STEP_USE &&
               !reader->actor_given) {
        schema_error(schema, DIAGNOSTIC_MISSING_KEY, node,
            "missing key 'as': there are %zu actors", scenario->actor_count);
    }
    if (step->kind != STEP_USE || as != NULL) {
        scenario->actor[step->actor].used = true;
    }
}

static void read_action(
    struct reader *reader, const struct node *value, struct step *step)
{
    static void (*const readers[])(
        struct reader *, const struct node *, struct step *) = {
#define STEP(name, key, function, ...) [STEP_##name] = read_##function,
#include "scenarios/runner/language/steps.def"
    };

    if (step->kind != STEP_EXPECT) {
        readers[step->kind](reader, value, step);
    }
}

static enum step_kind kind_of(const struct node *key)
{
    static const char *const names[] = {
#define STEP(name, key, function, ...) [STEP_##name] = key,
#include "scenarios/runner/language/steps.def"
    };

    for (enum step_kind kind = 0; kind < STEP_EXPECT; kind++) {
        if (strcmp(names[kind], key->text) == 0) {
            return kind;
        }
    }
    assert(false && "keys.def and steps.def differ");
    return STEP_EXPECT;
}

/* An action, or expectations alone. */
static bool read_kind(
    struct reader *reader, const struct node *node, struct step *step)
{
    bool expects = node_get(node, "expect") != NULL;

    step->key = schema_kind(&reader->scope.schema, node, MAPPING_STEP, expects);
    step->kind = STEP_EXPECT;
    if (step->key != NULL) {
        step->kind = kind_of(step->key);
        return true;
    }
    step->key = node_key(node, "expect");
    return expects;
}

/* Keys that belong to one kind of step. */
static void check_places(
    struct reader *reader, const struct node *node, const struct step *step)
{
    static const struct {
        const char *key;
        enum step_kind kind;
        const char *owner;
    } rows[] = {
#define STEP_KEY(key, kind, owner) {key, STEP_##kind, owner},
#include "scenarios/runner/language/step_keys.def"
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct node *key = node_key(node, rows[i].key);
        bool fits = step->kind == rows[i].kind ||
                    (rows[i].kind == STEP_PARALLEL && step->kind == STEP_EACH);

        if (key != NULL && !fits) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, key,
                "'%s' belongs to %s", rows[i].key, rows[i].owner);
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
    const struct node *outer = reader->scope.when;

    reader->scope.when = step->when != NULL ? step->when : outer;
    read_as(reader, node, step);
    read_action(reader, node_get(node, step->key->text), step);
    if (step->kind != STEP_USE) {
        read_saves(reader, node, step);
    }
    if (node_get(node, "expect") != NULL) {
        read_checks(reader, node_get(node, "expect"), step);
    }
    if (step->kind == STEP_QUERY) {
        read_query_use(reader, step);
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
        .cpu = CPU_OWN,
    };
    if (!schema_mapping(schema, node, MAPPING_STEP, node) ||
        !read_kind(reader, node, step) ||
        (step->kind == STEP_EXPECT &&
            diagnostics_errors(schema->diagnostics) != before)) {
        step->kind = STEP_EXPECT; /* reported; never run */
        step->key = node;
        read_lost_step(reader, node);
        return;
    }
    check_places(reader, node, step);
    if (node_get(node, "note") != NULL) {
        const char *note;

        schema_text(schema, node_get(node, "note"), &note);
    }
    if (!read_when(reader, node, step)) {
        step->kind = STEP_EXPECT;
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
