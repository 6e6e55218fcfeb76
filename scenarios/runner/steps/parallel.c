/* parallel.c - parallel and each: steps of several actors interleave as the
 * scheduler chooses. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/run/actor_thread.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/scenario/read_actors.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/steps/steps.h"
#include "sim/machine/strand.h"

static void read_branch(struct reader *reader, const struct node *actor,
    const struct node *steps, struct step *step)
{
    struct branch *branch = &step->inner[step->inner_count];
    char *prefix;

    if (!read_player(reader, actor, &branch->actor)) {
        return;
    }
    for (size_t i = 0; i < step->inner_count; i++) {
        if (step->inner[i].actor == branch->actor) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, actor,
                "actor '%s' stands twice", actor->text);
            return;
        }
    }
    step->inner_count++;
    read_use_of_actor(reader->scenario, branch->actor);
    reader->scope.branch = ++reader->branches;
    reader->scope.actor = actor->text;
    reader->actor = branch->actor;
    if (steps->kind == NODE_SEQUENCE && steps->count == 0) {
        return; /* it does nothing here */
    }
    prefix =
        talloc_asprintf(reader->scenario, "%s.%s.", step->number, actor->text);
    read_steps(reader, steps, prefix, &branch->steps);
}

static bool is_only_one(const struct variables *variables, size_t n)
{
    for (size_t i = 0; i < variables->count; i++) {
        if (i != n && variables->item[i].frame == variables->item[n].frame &&
            strcmp(variables->item[i].name, variables->item[n].name) == 0) {
            return false;
        }
    }
    return true;
}

/* What one branch has set can be seen by the steps that follow; a name that
 * several have set cannot, because it does not say whose is meant: that is
 * $(actor.name). */
static void publish(struct variables *variables, unsigned before)
{
    for (size_t i = 0; i < variables->count; i++) {
        if (variables->item[i].branch > before && is_only_one(variables, i)) {
            variables->item[i].branch = 0;
        }
    }
}

static bool check_place(struct reader *reader, const struct step *step)
{
    if (!reader->in_parallel && !reader->scope.in_callback) {
        return true;
    }
    schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, step->key,
        "%s stands only among the steps of the scenario", step->key->text);
    return false;
}

static void begin_branches(
    struct reader *reader, struct step *step, size_t count)
{
    step->inner =
        talloc_zero_array(reader->scenario, struct branch, (unsigned)count);
    reader->in_parallel = true;
    reader->scenario->parallel = true;
}

static void read_sometimes_one(struct reader *reader, const struct node *node)
{
    bool value;

    if (node_is_word(node, "true") || node_is_word(node, "false")) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, node,
            "this depends on nothing that runs");
        return;
    }
    scope_condition(&reader->scope, node, &value);
    reader->scenario->sometimes_count++;
}

/* Conditions on what the branches have saved. */
static void read_sometimes(
    struct reader *reader, const struct node *sometimes, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;

    if (!reader->scenario->exploring.asked) {
        schema_error(schema, DIAGNOSTIC_CONFLICT,
            node_key(step->node, "sometimes"),
            "sometimes asks of many schedules, and this scenario has one");
        diagnostics_hint(schema->diagnostics,
            "add explore: {preemptions: 2} to the scenario");
        return;
    }
    step->sometimes = sometimes;
    step->first_sometimes = reader->scenario->sometimes_count;
    if (sometimes->kind != NODE_SEQUENCE) {
        read_sometimes_one(reader, sometimes);
    } else if (schema_sequence(schema, sometimes)) {
        for (size_t i = 0; i < sometimes->count; i++) {
            read_sometimes_one(reader, sometimes->item[i]);
        }
    }
}

static void end_branches(
    struct reader *reader, struct step *step, unsigned before)
{
    const struct node *always = node_get(step->node, "always");
    const struct node *at_end = node_get(step->node, "at_end");

    reader->in_parallel = false;
    reader->scope.branch = 0;
    reader->scope.actor = NULL;
    reader->actor = 0;
    publish(reader->scenario->variables, before);
    if (always != NULL) {
        read_assertions(reader, always, step, &step->always);
    }
    if (at_end != NULL) {
        read_assertions(reader, at_end, step, &step->at_end);
    }
    if (node_get(step->node, "sometimes") != NULL) {
        read_sometimes(reader, node_get(step->node, "sometimes"), step);
    }
}

static void read_parallel(
    struct reader *reader, const struct node *node, struct step *step)
{
    unsigned before = reader->branches;

    if (!check_place(reader, step)) {
        return;
    }
    if (node->kind != NODE_MAPPING || node->count < 2) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected two actors or more, {actor: [steps], actor: [steps]}");
        return;
    }
    begin_branches(reader, step, node->count);
    for (size_t i = 0; i < node->count; i++) {
        read_branch(reader, node->entry[i].key, node->entry[i].value, step);
    }
    end_branches(reader, step, before);
}

/* The same steps each. */
static void read_each(
    struct reader *reader, const struct node *node, struct step *step)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *steps = node_get(step->node, "do");
    unsigned before = reader->branches;

    if (!check_place(reader, step)) {
        return;
    }
    if (node->kind != NODE_SEQUENCE || node->count < 2) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected two actors or more, [drvA, drvB]");
        return;
    }
    if (steps == NULL) {
        schema_error(
            schema, DIAGNOSTIC_MISSING_KEY, step->key, "missing key 'do'");
        return;
    }
    if (!schema_sequence(schema, steps)) {
        return;
    }
    begin_branches(reader, step, node->count);
    for (size_t i = 0; i < node->count; i++) {
        read_branch(reader, node->item[i], steps, step);
    }
    end_branches(reader, step, before);
}
struct branch_run {
    struct run *run;
    const struct branch *branch;
    struct outcome *outer;
    bool done;
};

struct branches {
    struct branch_run *item;
    size_t count;
};

static void branch_main(void *argument)
{
    const struct schedule_footprint nothing = {0}; /* but what its steps do */
    struct branch_run *branch = argument;
    const struct inside inside = {
        .outer = branch->outer, .parallel = branch->outer};

    strand_touches(&branch->run->session->machine, nothing);
    actor_thread_enter(branch->run, branch->branch->actor);
    run_steps_here(branch->run, &branch->branch->steps, &inside);
    actor_thread_leave(branch->run, branch->branch->actor);
    branch->done = true;
}

static bool branches_done(void *argument)
{
    const struct branches *branches = argument;

    for (size_t i = 0; i < branches->count; i++) {
        if (!branches->item[i].done) {
            return false;
        }
    }
    return true;
}

static void run_parallel(struct run *run, struct outcome *outcome)
{
    const struct schedule_footprint nothing = {0};
    const struct step *step = outcome->step;
    struct machine *machine = &run->session->machine;
    struct branches branches = {.count = step->inner_count};

    branches.item = talloc_zero_array(
        run->context, struct branch_run, (unsigned)step->inner_count);
    for (size_t i = 0; i < step->inner_count; i++) {
        const struct branch *branch = &step->inner[i];

        branches.item[i] = (struct branch_run){run, branch, outcome, false};
        actor_thread_spawn(run, branch->actor, branch_main, &branches.item[i]);
    }
    strand_touches(machine, nothing); /* from here on it only waits */
    strand_wait(machine, STRAND_BLOCKED, branches_done, &branches);
}

static const char *show_actors(
    void *context, const struct run *run, const struct outcome *outcome)
{
    const struct step *step = outcome->step;
    char *text = talloc_strdup(context, "parallel");

    for (size_t i = 0; i < step->inner_count; i++) {
        text = talloc_asprintf_append_buffer(text, "%s %s", i == 0 ? "" : ",",
            run->scenario->actor[step->inner[i].actor].driver.name);
    }
    return text;
}

const struct step_code step_parallel = {
    .read = read_parallel,
    .run_here = run_parallel,
    .show = show_actors,
};

const struct step_code step_each = {
    .long_as = "parallel",
    .read = read_each,
    .run_here = run_parallel,
    .show = show_actors,
};
