/* read_steps.c - lists of steps, and what all kinds of steps have. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/counters/row_path.h"
#include "scenarios/runner/language/output_view.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step_results.h"

bool step_expects(const struct step *step, enum check_kind kind)
{
    for (size_t i = 0; i < step->check_count; i++) {
        if (step->check[i].kind == kind) {
            return true;
        }
    }
    return false;
}

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

static bool find_out(const struct step *step, const char *name, size_t *index)
{
    const struct parameter *parameter;

    for (size_t i = 0; (parameter = step_parameter(step, i)) != NULL; i++) {
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
    const struct parameter *parameter;
    struct step_result result;

    for (size_t i = 0; step_result(step, i, &result); i++) {
        list = talloc_asprintf_append_buffer(
            list, "%s%s", list[0] == '\0' ? "" : ", ", result.name);
    }

    for (size_t i = 0; (parameter = step_parameter(step, i)) != NULL; i++) {
        if (parameter_is_out(parameter)) {
            list = talloc_asprintf_append_buffer(
                list, "%sout.%s", list[0] == '\0' ? "" : ", ", parameter->name);
        }
    }
    if (step->kind == STEP_COLLECT) {
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
        return view_read_save(reader, step, path, save, type);
    }
    if (step->kind == STEP_COLLECT && path->kind == NODE_SCALAR &&
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
            step_parameter(step, save->parameter);

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

static void read_saves(
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
    step->save = talloc_zero_array(
        reader->scenario, struct save, (unsigned)saves->count);
    for (size_t i = 0; i < saves->count; i++) {
        struct save *save = &step->save[step->save_count];
        struct variable *variable;
        enum nt_type type;
        bool array = false;

        if (!read_path(
                reader, step, saves->entry[i].value, save, &type, &array)) {
            read_lost_name(reader, saves->entry[i].key);
            continue;
        }
        variable = scope_define(&reader->scope, saves->entry[i].key, type);
        if (variable != NULL) {
            variable->array = array;
            variable->asked =
                step->kind == STEP_QUERY ? step->u.query.asked : NULL;
            save->variable =
                (size_t)(variable - reader->scenario->variables->item);
            step->save_count++;
        }
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
