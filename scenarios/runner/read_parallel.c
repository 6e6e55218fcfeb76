/* read_parallel.c - steps of several actors that interleave. */
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/reader.h"

static void read_branch(
    struct reader *reader, const struct entry *entry, struct step *step)
{
    struct branch *branch = &step->u.parallel.branch[step->u.parallel.count];
    char *prefix;

    if (!read_actor(reader, entry->key, &branch->actor)) {
        return;
    }
    step->u.parallel.count++;
    reader->scenario->actor[branch->actor].used = true;
    branch->number = ++reader->branches;
    reader->scope.branch = branch->number;
    reader->actor = branch->actor;
    prefix = talloc_asprintf(
        reader->scenario, "%s.%s.", step->number, entry->key->text);
    read_steps(reader, entry->value, prefix, &branch->steps);
}

static bool is_only_one(const struct variables *variables, size_t n)
{
    for (size_t i = 0; i < variables->count; i++) {
        if (i != n &&
            strcmp(variables->item[i].name, variables->item[n].name) == 0) {
            return false;
        }
    }
    return true;
}

/* What one branch has set can be seen by the steps that follow; a name that
 * several have set cannot, because it does not say whose is meant. */
static void publish(struct variables *variables, unsigned before)
{
    for (size_t i = 0; i < variables->count; i++) {
        if (variables->item[i].branch > before && is_only_one(variables, i)) {
            variables->item[i].branch = 0;
        }
    }
}

void read_parallel(
    struct reader *reader, const struct node *node, struct step *step)
{
    struct variables *variables = reader->scenario->variables;
    unsigned before = reader->branches;

    if (reader->in_parallel || reader->scope.in_callback) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, step->key,
            "parallel stands only among the steps of the scenario");
        return;
    }
    if (node->kind != NODE_MAPPING || node->count < 2) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected two actors or more, {actor: [steps], actor: [steps]}");
        return;
    }
    step->u.parallel.branch = talloc_zero_array(
        reader->scenario, struct branch, (unsigned)node->count);
    reader->in_parallel = true;
    for (size_t i = 0; i < node->count; i++) {
        read_branch(reader, &node->entry[i], step);
    }
    reader->in_parallel = false;
    reader->scope.branch = 0;
    reader->actor = 0;
    publish(variables, before);
}
