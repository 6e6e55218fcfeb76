/* cited_areas.c - what a scenario's steps can touch, gathered first, and then
 * each citation against it. */
#include "scenarios/runner/scenario/cited_areas.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "api/core/routine.h"
#include "scenarios/runner/language/statics.h"
#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"

enum { AREAS = 64 /* families' first words */ };

/* What the tables say, as far as somebody has asked: most files call a few of
 * the routines. Areas are a bit for each family. */
static _Thread_local struct {
    uint64_t name[AREAS]; /* name_of() */
    size_t count;         /* 0: not even what follows */
    uint64_t every_step, of_pmu, of_consumer, of_hal, of_memory, of_stores;
    uint64_t of_threads, of_interrupts;
    uint64_t of_routine[ROUTINE_COUNT]; /* 0: not yet */
} families;

/* What stands before the first -, which may be missing: its last 8 characters
 * as a number, and the tables have no longer ones. */
static uint64_t name_of(const char *id)
{
    uint64_t name = 0;

    for (; *id != '-' && *id != '\0' && *id != ' '; id++) {
        name = name << 8 | (uint8_t)*id;
    }
    return name;
}

/* The family's; none: 0. */
static uint64_t area_named(uint64_t name)
{
    size_t i = 0;

    while (i < families.count && families.name[i] != name) {
        i++;
    }
    return i < families.count ? (uint64_t)1 << i : 0;
}

static uint64_t area_of(const char *id)
{
    return area_named(name_of(id));
}

/* Those of ids with blanks between; new ones are entered. */
static uint64_t take_apart(const char *ids)
{
    uint64_t found = 0;

    while (*ids != '\0') {
        uint64_t name = name_of(ids), area = area_named(name);

        if (area == 0) {
            assert(families.count < AREAS);
            area = (uint64_t)1 << families.count;
            families.name[families.count++] = name;
        }
        found |= area;
        ids += strcspn(ids, " ");
        ids += strspn(ids, " ");
    }
    return found;
}

static void begin(void)
{
    if (families.count > 0) {
        return;
    }
    /* Levels are every call's, and pointers and images, too. */
    families.every_step = take_apart("GEN- IRQL- IMP- SYSR-");
    families.of_pmu = take_apart("PMU- HAL-");
    families.of_consumer = take_apart("PCW- CTR-");
    families.of_hal = take_apart("HAL-");
    families.of_memory = take_apart("POOL-");
    families.of_stores = take_apart("REG-");
    families.of_threads = take_apart("APC- WAIT- THR-");
    families.of_interrupts = take_apart("INT- DPC- ILOCK-");
}

static uint64_t areas_of_routine(enum routine routine)
{
    const struct routine_row *row = &routine_rows[routine];

    if (families.of_routine[routine] == 0) {
        families.of_routine[routine] =
            take_apart(row->requirements) |
            (row->needs == NEEDS_PMU ? families.of_pmu : 0);
    }
    return families.of_routine[routine];
}

/* A driver touches whatever it likes, also what is not entered yet. */
static bool is_touched(const char *id, uint64_t touched)
{
    return touched == UINT64_MAX || (area_of(id) & touched) != 0;
}

/* Whether anything is known of the area: it is a routine's, or a consumer's. */
static bool is_known(const char *id)
{
    uint64_t known = families.of_pmu | families.of_consumer;

    for (enum routine i = 0; i < ROUTINE_COUNT; i++) {
        known |= areas_of_routine(i);
    }
    return (area_of(id) & known) != 0;
}

/* What a step lets others do; nothing of that is a result of it. */
static uint64_t areas_of_others(const struct step *step)
{
    const char *key = step->kind->key;

    return strcmp(key, "interrupt") == 0 ? families.of_interrupts
           : strcmp(key, "alert") == 0 || strcmp(key, "queue_apc") == 0 ||
                   strcmp(key, "terminate") == 0 || strcmp(key, "create") == 0
               ? families.of_threads
               : 0;
}

/* Returns whether the step's kind says what it is about. */
static bool add_step(uint64_t *areas, const struct step *step)
{
    enum routine routine;

    if (strcmp(step->kind->key, "call") == 0) {
        if (!routine_find(step->signature.name, &routine)) {
            return false; /* of the driver's own, by its address */
        }
        *areas |= areas_of_routine(routine);
        return true;
    }
    if (step->collection != NULL || strcmp(step->kind->key, "query") == 0) {
        *areas |= families.of_consumer;
        return true;
    }
    if (step->kind->touches == TOUCHES_HAL) {
        *areas |= families.of_hal;
        return true;
    }
    if (step->kind->touches != TOUCHES_NOTHING) {
        *areas |= families.of_pmu;
        return true;
    }
    *areas |= areas_of_others(step);
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
static uint64_t areas_of_results(uint64_t scenario, const struct step *step)
{
    const struct node *args = node_get(step->node, "args");
    uint64_t own = 0;

    if (step->in_callback || !add_step(&own, step) ||
        (args != NULL && is_computed_anywhere(args))) {
        return scenario;
    }
    return own | families.every_step;
}

struct citing {
    struct reader *reader;
    uint64_t scenario;
    const struct step *step;
};

static void check_list_of(
    const struct citing *citing, const struct node *list, uint64_t touched)
{
    const struct schema *schema = &citing->reader->scope.schema;

    for (size_t i = 0; list->kind == NODE_SEQUENCE && i < list->count; i++) {
        const char *id = list->item[i]->text;

        if (list->item[i]->kind != NODE_SCALAR || is_touched(id, touched) ||
            !is_known(id)) {
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
    uint64_t results;

    if (list->count == 0) {
        return;
    }
    results = areas_of_results(citing->scenario, citing->step);
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
            citing, check->cites, of_machine ? citing->scenario : results);
    }
}

static void walk(
    struct citing *citing, uint64_t *gathered, const struct step_list *steps)
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

static void walk_all(struct citing *citing, uint64_t *gathered)
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
    struct citing citing = {.reader = reader};
    uint64_t touched;

    begin();
    touched = reader->scenario->native ? UINT64_MAX : families.every_step;
    if (reader->scenario->memory_count > 0) {
        touched |= families.of_memory;
    }
    if (node_get(reader->scenario->root, "registry") != NULL ||
        node_get(reader->scenario->root, "files") != NULL) {
        touched |= families.of_stores;
    }
    if (reader->scenario->claim_count > 0) {
        touched |= families.of_hal;
    }
    walk_all(&citing, &touched);
    citing.scenario = touched;
    walk_all(&citing, NULL);
}
