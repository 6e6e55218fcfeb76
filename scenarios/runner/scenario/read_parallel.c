/* read_parallel.c - steps of several actors that interleave. */
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/scenario/read_actors.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/read_steps.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static void read_branch(struct reader *reader, const struct node *actor,
    const struct node *steps, struct step *step)
{
    struct branch *branch = &step->u.parallel.branch[step->u.parallel.count];
    char *prefix;

    if (!read_actor(reader, actor, &branch->actor)) {
        return;
    }
    for (size_t i = 0; i < step->u.parallel.count; i++) {
        if (step->u.parallel.branch[i].actor == branch->actor) {
            schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, actor,
                "actor '%s' stands twice", actor->text);
            return;
        }
    }
    step->u.parallel.count++;
    reader->scenario->actor[branch->actor].used = true;
    branch->number = ++reader->branches;
    reader->scope.branch = branch->number;
    reader->scope.actor = actor->text;
    reader->actor = branch->actor;
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
    step->kind = STEP_PARALLEL;
    step->u.parallel.branch =
        talloc_zero_array(reader->scenario, struct branch, (unsigned)count);
    reader->in_parallel = true;
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
}

void read_parallel(
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
void read_each(
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
    begin_branches(reader, step, node->count);
    for (size_t i = 0; i < node->count; i++) {
        read_branch(reader, node->item[i], steps, step);
    }
    end_branches(reader, step, before);
}
