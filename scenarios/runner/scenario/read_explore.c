/* read_explore.c - explore: {mode, preemptions, max_schedules, seed,
 * on_time}, or why a scenario is bound to its one schedule. */
#include "scenarios/runner/scenario/read_explore.h"

#include "scenarios/runner/language/names.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"

/* The number that the key has; unchanged where it is left out. */
static void read_number(struct reader *reader, const struct node *explore,
    const char *key, uint64_t *number)
{
    const struct node *node = node_get(explore, key);

    if (node != NULL) {
        schema_key_number(
            &reader->scope.schema, MAPPING_EXPLORE, key, node, number);
    }
}

/* A scenario that is bound to one schedule explores none. */
static bool read_bound(struct reader *reader, const struct node *explore)
{
    const struct schema *schema = &reader->scope.schema;
    const struct node *bound = node_get(explore, "bound");

    if (bound == NULL) {
        return false;
    }
    if (explore->count > 1) {
        schema_error(schema, DIAGNOSTIC_CONFLICT, node_key(explore, "bound"),
            "what is bound to one schedule has no others to try");
        diagnostics_hint(schema->diagnostics, "write bound alone");
        return true;
    }
    schema_text(schema, bound, &reader->scenario->exploring.bound);
    return true;
}

static void read_seed(struct reader *reader, const struct node *explore)
{
    struct exploring *exploring = &reader->scenario->exploring;
    const struct schema *schema = &reader->scope.schema;
    const struct node *seed = node_get(explore, "seed");

    if (seed != NULL && !explore_is_random(exploring->mode)) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, node_key(explore, "seed"),
            "nothing is chosen at random here");
        diagnostics_hint(schema->diagnostics,
            "mode: pct and mode: random choose, exhaustive tries all");
        return;
    }
    read_number(reader, explore, "seed", &exploring->seed);
}

static void read_max_schedules(
    struct reader *reader, const struct node *explore)
{
    struct exploring *exploring = &reader->scenario->exploring;
    const struct schema *schema = &reader->scope.schema;
    const struct node *most = node_get(explore, "max_schedules");

    exploring->max_schedules = explore_is_random(exploring->mode)
                                   ? EXPLORE_RANDOM_SCHEDULES
                                   : EXPLORE_SCHEDULES;
    if (most != NULL && !explore_is_limited(exploring->mode)) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT,
            node_key(explore, "max_schedules"),
            "of this mode there are two schedules");
        diagnostics_hint(schema->diagnostics,
            "leave it out, or write mode: random or another that has more");
        return;
    }
    read_number(reader, explore, "max_schedules", &exploring->max_schedules);
}

void read_explore(struct reader *reader)
{
    struct exploring *exploring = &reader->scenario->exploring;
    const struct node *explore = node_get(reader->scenario->root, "explore");
    uint64_t preemptions = EXPLORE_PREEMPTIONS;
    size_t mode = EXPLORE_EXHAUSTIVE;

    if (explore == NULL || read_bound(reader, explore)) {
        return;
    }
    if (node_get(explore, "on_time") != NULL) {
        schema_text(&reader->scope.schema, node_get(explore, "on_time"),
            &exploring->on_time);
    }
    if (exploring->on_time != NULL && explore->count == 1) {
        return; /* which is for those who explore it anyway */
    }
    if (node_get(explore, "mode") != NULL) {
        schema_name(&reader->scope.schema, node_get(explore, "mode"),
            "order of schedules", name_of_explore_mode, NULL, &mode);
    }
    exploring->asked = true;
    exploring->mode = (enum explore_mode)mode;
    read_max_schedules(reader, explore);
    read_number(reader, explore, "preemptions", &preemptions);
    exploring->preemptions = (uint32_t)preemptions;
    read_seed(reader, explore);
}
