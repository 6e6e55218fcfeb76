/* cited_areas.c - what a scenario's steps can touch, gathered first, and then
 * each citation against it. */
#include "scenarios/runner/scenario/cited_areas.h"

#include <assert.h>
#include <string.h>

#include "api/core/routine.h"
#include "scenarios/runner/language/statics.h"
#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"

enum { AREAS = 32 /* families' first words */ };

/* Each by any id of it. */
struct areas {
    const char *id[AREAS];
    size_t count;
    bool all;
};

/* Levels are every call's, and pointers and images, too. */
static const char every_step[] = "GEN- IRQL- IMP- SYSR-";
static const char of_pmu[] = "PMU- HAL-";
static const char of_consumer[] = "PCW- CTR-";
static const char of_hal[] = "HAL-";
static const char of_memory[] = "POOL-";

static bool is_same(const char *id, const char *other)
{
    size_t length = strcspn(id, "-");

    return length == strcspn(other, "-") && strncmp(id, other, length) == 0;
}

static bool has_area(const struct areas *areas, const char *id)
{
    bool found = areas->all;

    for (size_t i = 0; i < areas->count && !found; i++) {
        found = is_same(areas->id[i], id);
    }
    return found;
}

/* Those of ids with blanks between. */
static void add_areas(struct areas *areas, const char *ids)
{
    while (*ids != '\0') {
        if (!has_area(areas, ids)) {
            assert(areas->count < AREAS);
            areas->id[areas->count++] = ids;
        }
        ids += strcspn(ids, " ");
        ids += strspn(ids, " ");
    }
}

static void add_routine(struct areas *areas, const struct routine_row *row)
{
    add_areas(areas, row->requirements);
    if (row->needs == NEEDS_PMU) {
        add_areas(areas, of_pmu);
    }
}

/* The areas that anything is known of. */
static struct areas known_areas(void)
{
    struct areas known = {.count = 0};

    add_areas(&known, of_pmu);
    add_areas(&known, of_consumer);
    for (size_t i = 0; i < ROUTINE_COUNT; i++) {
        add_routine(&known, &routine_rows[i]);
    }
    return known;
}

/* Returns whether the step's kind says what it is about. */
static bool add_step(struct areas *areas, const struct step *step)
{
    enum routine routine;

    if (strcmp(step->kind->key, "call") == 0) {
        if (!routine_find(step->signature.name, &routine)) {
            return false; /* of the driver's own, by its address */
        }
        add_routine(areas, &routine_rows[routine]);
        return true;
    }
    if (step->collection != NULL || strcmp(step->kind->key, "query") == 0) {
        add_areas(areas, of_consumer);
        return true;
    }
    if (step->kind->touches == TOUCHES_HAL) {
        add_areas(areas, of_hal);
        return true;
    }
    if (step->kind->touches != TOUCHES_NOTHING) {
        add_areas(areas, of_pmu);
        return true;
    }
    return false;
}

static bool is_computed_anywhere(const struct node *node)
{
    bool found = node->kind == NODE_SCALAR && node_is_computed(node);

    for (size_t i = 0; node->kind != NODE_SCALAR && i < node->count && !found;
         i++) {
        found = is_computed_anywhere(
            node->kind == NODE_SEQUENCE ? node->item[i] : node->entry[i].value);
    }
    return found;
}

/* What the results of a step are about. */
static struct areas areas_of_results(
    const struct areas *scenario, const struct step *step)
{
    const struct node *args = node_get(step->node, "args");
    struct areas own = {.count = 0};

    if (step->in_callback || !add_step(&own, step) ||
        (args != NULL && is_computed_anywhere(args))) {
        return *scenario;
    }
    add_areas(&own, every_step);
    return own;
}

struct citing {
    struct reader *reader;
    const struct areas *scenario, *known;
    const struct step *step;
};

static void check_list_of(const struct citing *citing, const struct node *list,
    const struct areas *touched)
{
    const struct schema *schema = &citing->reader->scope.schema;

    for (size_t i = 0; list->kind == NODE_SEQUENCE && i < list->count; i++) {
        const char *id = list->item[i]->text;

        if (list->item[i]->kind != NODE_SCALAR || has_area(touched, id) ||
            !has_area(citing->known, id)) {
            continue;
        }
        schema_error(schema, DIAGNOSTIC_REQUIREMENT, list->item[i],
            "%s is about %.*s, which this %s does not touch", id,
            (int)strcspn(id, "-"), id, citing->step->kind->key);
        diagnostics_hint(schema->diagnostics,
            "cite what could be broken if this failed, or expect it of the "
            "step that does it");
    }
}

/* Lists that entries of `state` have for themselves. */
static void check_entries(const struct citing *citing, const struct node *value)
{
    if (value->kind == NODE_MAPPING && node_get(value, "covers") != NULL) {
        check_list_of(citing, node_get(value, "covers"), citing->scenario);
    }
    for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->count; i++) {
        check_entries(citing, value->item[i]);
    }
}

/* A list is that of several checks; any of them may be about it. */
static void check_checks(
    const struct citing *citing, const struct check_list *list)
{
    const struct areas results =
        areas_of_results(citing->scenario, citing->step);

    for (size_t i = 0; i < list->count; i++) {
        const struct check *check = &list->item[i];
        bool of_machine = false, last = i + 1 == list->count ||
                                        list->item[i + 1].cites != check->cites;

        if (check->kind->code->entries_cite != NULL) {
            check_entries(citing, check->value);
        }
        if (check->cites == NULL || !last) {
            continue;
        }
        for (size_t k = 0; k <= i; k++) {
            of_machine |= list->item[k].cites == check->cites &&
                          list->item[k].kind->compares == COMPARES_MACHINE;
        }
        check_list_of(
            citing, check->cites, of_machine ? citing->scenario : &results);
    }
}

static void walk(struct citing *citing, struct areas *gathered,
    const struct step_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->item[i];

        if (gathered != NULL) {
            add_step(gathered, step);
        } else {
            citing->step = step;
            check_checks(citing, &step->expect);
            check_checks(citing, &step->always);
            check_checks(citing, &step->at_end);
        }
        for (size_t k = 0; k < step->inner_count; k++) {
            walk(citing, gathered, &step->inner[k].steps);
        }
    }
}

static void walk_all(struct citing *citing, struct areas *gathered)
{
    const struct scenario *scenario = citing->reader->scenario;

    for (size_t i = 0; i < scenario->callback_names->count; i++) {
        walk(citing, gathered, &scenario->callback[i].steps);
    }
    walk(citing, gathered, &scenario->steps);
    walk(citing, gathered, &scenario->finally);
}

void cited_areas_check(struct reader *reader)
{
    struct areas touched = {.all = reader->scenario->native};
    const struct areas known = known_areas();
    struct citing citing = {.reader = reader, .known = &known};

    add_areas(&touched, every_step);
    if (reader->scenario->memory_count > 0) {
        add_areas(&touched, of_memory);
    }
    if (reader->scenario->claim_count > 0) {
        add_areas(&touched, of_hal);
    }
    walk_all(&citing, &touched);
    citing.scenario = &touched;
    walk_all(&citing, NULL);
}
