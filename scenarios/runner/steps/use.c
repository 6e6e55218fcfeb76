/* use.c - use: the steps of a fragment, in a frame of names of their own.
 * Values that the instance knows stand for the parameters on the fragment's
 * tree; those that a step gives are variables of the frame. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/resolve.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/scope_path.h"
#include "scenarios/runner/language/type_name.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/library/fragment.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"

/* What is being built for one use. */
struct use_reader {
    struct reader *reader;
    struct step *step;
    struct fragment fragment;
    const struct node *with; /* NULL: none */
    struct statics *statics; /* of the new frame */
    struct scope caller;
};

static bool has_computed(const struct node *node)
{
    if (node->kind == NODE_SCALAR) {
        return node_is_computed(node);
    }
    for (size_t i = 0; i < node->count; i++) {
        if (has_computed(node->kind == NODE_SEQUENCE ? node->item[i]
                                                     : node->entry[i].value)) {
            return true;
        }
    }
    return false;
}

/* A callback is known everywhere, so its $name stands for itself. */
static bool is_static(const struct use_reader *use, const struct node *value)
{
    struct callback_name *callback =
        node_is_computed(value) ? scope_callback(&use->caller, value->text + 1)
                                : NULL;

    if (callback != NULL) {
        callback->used = true;
    }
    return callback != NULL || !has_computed(value);
}

static void add_static(
    struct use_reader *use, const struct node *key, const struct node *value)
{
    struct statics *statics = use->statics;
    struct static_name *name = talloc_zero(statics, struct static_name);

    *name = (struct static_name){.name = key->text, .defined = key};
    statics->item[statics->count++] = (struct static_value){name, value};
}

/* A value of the caller's that is known when it runs. */
static void add_given(struct use_reader *use, const struct node *key,
    const struct node *value, enum nt_type type)
{
    struct reader *reader = use->reader;
    struct step *step = use->step;
    struct scope inner = reader->scope;
    const struct step *setter;
    struct variable *variable;
    uint64_t checked;

    if (nt_type_row(type)->kind == NT_KIND_STRUCT || !node_is_computed(value)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NOT_MODELLED, value,
            "only a single value can come from a step");
        diagnostics_hint(reader->scope.schema.diagnostics,
            "build the structure in the fragment, from values");
        return;
    }
    reader->scope = use->caller;
    value_scalar(&reader->scope, value, type, &checked);
    variable = scope_path_variable(&reader->scope, value);
    setter = variable == NULL ? NULL : variable->setter;
    reader->scope = inner;
    variable = scope_define(&reader->scope, key, type);
    if (variable != NULL) {
        variable->used = true; /* fragment.c has looked */
        variable->setter = setter;
        step->given[step->given_count++] = (struct given_value){
            (size_t)(variable - reader->scenario->variables->item), value};
    }
}

static void read_param(struct use_reader *use, const struct entry *param)
{
    const struct schema *schema = &use->reader->scope.schema;
    const struct node *value =
        use->with == NULL ? NULL : node_get(use->with, param->key->text);
    const struct node *type_node;
    enum nt_type type = NT_ULONG64;

    if (param->value->kind != NODE_MAPPING) {
        return; /* reported with the fragment's file */
    }
    type_node = node_get(param->value, "type");
    if (type_node == NULL || !read_type(schema, type_node, &type)) {
        return;
    }
    value = value != NULL ? value : node_get(param->value, "default");
    if (value == NULL) {
        schema_error(schema, DIAGNOSTIC_MISSING_KEY, use->step->key,
            "missing parameter '%s'", param->key->text);
        diagnostics_hint(
            schema->diagnostics, "write with: {%s: value}", param->key->text);
        use->reader->scope.names_broken = true; /* inside, it is no news */
    } else if (is_static(use, value)) {
        type_check_value(&use->reader->scope, type_node, value);
        add_static(use, param->key, value);
    } else {
        add_given(use, param->key, value, type);
    }
}

static void check_with(struct use_reader *use)
{
    const struct schema *schema = &use->reader->scope.schema;
    const struct node *params = use->fragment.params;

    if (use->with == NULL) {
        return;
    }
    if (use->with->kind != NODE_MAPPING || use->with->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, use->with,
            "expected {parameter: value}");
        use->with = NULL;
        return;
    }
    for (size_t i = 0; i < use->with->count; i++) {
        const struct node *key = use->with->entry[i].key;
        struct suggestion suggestion = suggest_for(key->text);

        if (params != NULL && params->kind == NODE_MAPPING &&
            node_get(params, key->text) != NULL) {
            continue;
        }
        schema_error(schema, DIAGNOSTIC_UNKNOWN_KEY, key,
            "the fragment has no parameter '%s'", key->text);
        for (size_t k = 0; params != NULL && params->kind == NODE_MAPPING &&
                           k < params->count;
             k++) {
            suggest_offer(&suggestion, params->entry[k].key->text);
        }
        schema_suggest(schema, &suggestion);
    }
}

static void read_params_of(struct use_reader *use)
{
    const struct node *params = use->fragment.params;
    size_t count =
        params == NULL || params->kind != NODE_MAPPING ? 0 : params->count;

    use->statics->item = talloc_zero_array(
        use->statics, struct static_value, (unsigned)count + 1);
    use->step->given = talloc_zero_array(
        use->reader->scenario, struct given_value, (unsigned)count + 1);
    for (size_t i = 0; i < count; i++) {
        read_param(use, &params->entry[i]);
    }
}

/* A fragment that is used inside of itself would never end. */
static bool enter(struct use_reader *use)
{
    struct reader *reader = use->reader;
    const struct schema *schema = &reader->scope.schema;

    for (size_t i = 0; i < reader->use_count; i++) {
        if (reader->use[i] == use->fragment.body) {
            schema_error(schema, DIAGNOSTIC_FRAGMENT, use->step->key,
                "fragment '%s' uses itself", use->fragment.key->text);
            return false;
        }
    }
    if (reader->use_count == SCENARIO_FRAGMENT_DEPTH ||
        reader->scenario->frame_count == SCENARIO_FRAMES) {
        schema_error(schema, DIAGNOSTIC_LIMIT, use->step->key,
            "fragments inside of fragments are at most %d deep, and at most "
            "%d in a scenario",
            SCENARIO_FRAGMENT_DEPTH, SCENARIO_FRAMES);
        return false;
    }
    reader->use[reader->use_count++] = use->fragment.body;
    return true;
}

/* The variable of the frame that `gives` offers by that name; the number of
 * variables, after reporting, when it offers none. */
static size_t find_given(
    struct use_reader *use, const struct node *wanted, unsigned frame)
{
    const struct variables *variables = use->reader->scenario->variables;
    const struct node *gives = use->fragment.gives;
    const char *text = wanted->kind == NODE_SCALAR ? wanted->text : "";
    struct suggestion suggestion = suggest_for(text);
    bool given = false;

    for (size_t k = 0;
         gives != NULL && gives->kind == NODE_SEQUENCE && k < gives->count;
         k++) {
        const struct node *name = gives->item[k];

        if (name->kind == NODE_SCALAR) {
            given |= strcmp(name->text, text) == 0;
            suggest_offer(&suggestion, name->text);
        }
    }
    for (size_t k = 0; given && k < variables->count; k++) {
        if (variables->item[k].frame == frame &&
            strcmp(variables->item[k].name, text) == 0) {
            return k;
        }
    }
    schema_error(&use->reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, wanted,
        given ? "the fragment sets no '%s'" : "the fragment gives no '%s'",
        text);
    if (!given) {
        schema_suggest(&use->reader->scope.schema, &suggestion);
    }
    return variables->count;
}

/* save: {mine: its}, its in `gives`. */
static void read_gives(
    struct use_reader *use, const struct node *saves, unsigned frame)
{
    struct reader *reader = use->reader;
    struct variables *variables = reader->scenario->variables;
    struct step *step = use->step;

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
        size_t from = find_given(use, saves->entry[i].value, frame);
        struct variable *variable;

        if (from == variables->count) {
            continue;
        }
        variables->item[from].used = true;
        variable = scope_define(
            &reader->scope, saves->entry[i].key, variables->item[from].type);
        if (variable != NULL) {
            variable->setter = variables->item[from].setter;
            step->save[step->save_count++] =
                (struct save){.variable = (size_t)(variable - variables->item),
                    .parameter = from};
        }
    }
}

/* What `gives` lists is used, whether or not this use takes it. */
static void mark_given(const struct use_reader *use, unsigned frame)
{
    struct variables *variables = use->reader->scenario->variables;
    const struct node *gives = use->fragment.gives;

    for (size_t i = 0; i < variables->count; i++) {
        struct variable *variable = &variables->item[i];

        for (size_t k = 0;
             gives != NULL && gives->kind == NODE_SEQUENCE && k < gives->count;
             k++) {
            if (variable->frame == frame &&
                node_is_word(gives->item[k], variable->name)) {
                variable->used = true;
            }
        }
    }
}

static void read_inside(struct use_reader *use, unsigned frame)
{
    struct reader *reader = use->reader;
    const struct resolver resolver = {.context = reader->scenario,
        .statics = use->statics,
        .schema = reader->scope.schema};
    char *prefix = talloc_asprintf(reader->scenario, "%s.", use->step->number);
    size_t actor = reader->actor;
    bool given = reader->actor_given;
    struct step *step = use->step;
    struct frame *made = &reader->scenario->frame[frame];

    reader->scope.frame = frame;
    reader->scope.statics = use->statics;
    reader->scope.when = NULL;
    /* Its names are its own, whatever the caller's uses lack. */
    reader->scope.names_broken = reader->outline->names_broken;
    read_params_of(use);
    *made =
        (struct frame){use->statics, resolve(&resolver, use->fragment.steps)};
    if (node_get(use->step->node, "as") != NULL) {
        reader->actor = use->step->actor;
        reader->actor_given = true;
    }
    step->inner = talloc_zero(reader->scenario, struct branch);
    assert(step->inner != NULL);
    step->inner->actor = step->actor;
    step->inner_count = 1;
    read_steps(reader, made->steps, prefix, &step->inner->steps);
    reader->actor = actor;
    reader->actor_given = given;
    mark_given(use, frame);
}

/* A frame of names that nothing is known of yet. */
static unsigned add_frame(struct scenario *scenario)
{
    size_t room = talloc_array_length(scenario->frame);

    if (scenario->frame_count == room) {
        scenario->frame = talloc_realloc(
            scenario, scenario->frame, struct frame, (unsigned)(2 * room));
        assert(scenario->frame != NULL);
    }
    scenario->frame[scenario->frame_count] = (struct frame){NULL, NULL};
    return (unsigned)scenario->frame_count++;
}

static void read_use(
    struct reader *reader, const struct node *node, struct step *step)
{
    struct use_reader use = {.reader = reader,
        .step = step,
        .with = node_get(step->node, "with"),
        .caller = reader->scope};
    unsigned frame;

    if (!fragment_find(reader->outline->library, &reader->scope.schema, node,
            reader->outline->suite, reader->outline->fragments,
            &use.fragment) ||
        !enter(&use)) {
        reader->scope.names_broken = true; /* behind it, it is no news */
        return;
    }
    frame = add_frame(reader->scenario);
    use.statics = talloc_zero(reader->scenario, struct statics);
    assert(use.statics != NULL);
    use.statics->os = reader->scenario->os;
    use.statics->arch = reader->scenario->arch;
    check_with(&use);
    read_inside(&use, frame);
    reader->scope = use.caller;
    reader->use_count--;
    read_gives(&use, node_get(step->node, "save"), frame);
}

/* The parameters of a fragment that the caller's steps decide. */
static bool bind_given(struct run *run, struct outcome *outcome)
{
    const struct step *step = outcome->step;

    run_enter_scope(run, step);
    for (size_t i = 0; i < step->given_count; i++) {
        const struct given_value *given = &step->given[i];
        enum nt_type type =
            run->scenario->variables->item[given->variable].type;
        struct binding *binding = scope_binding(&run->scope, given->variable);

        if (!value_scalar(&run->scope, given->value, type, &binding->value)) {
            run_fail_value(run, outcome, given->value);
            return false;
        }
        binding->set = true;
    }
    return true;
}

static void take_given(struct run *run, const struct step *step)
{
    run_enter_scope(run, step);
    for (size_t i = 0; i < step->save_count; i++) {
        const struct save *save = &step->save[i];

        *scope_binding(&run->scope, save->variable) =
            *scope_binding(&run->scope, save->parameter);
    }
}

const struct step_code step_use = {
    .reads_saves = true,
    .read = read_use,
    .enter = bind_given,
    .leave = take_given,
};
