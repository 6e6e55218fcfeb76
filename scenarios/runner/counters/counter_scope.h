/* counter_scope.h - the counters that can be named at a place of a scenario: by
 * what its manifests describe, and what is asked for there. An expectation that
 * is always met or never is an error. Nothing is known, and so nothing
 * reported, where only the run will tell which query it is. */
#ifndef RUNNER_COUNTERS_COUNTER_SCOPE_H
#define RUNNER_COUNTERS_COUNTER_SCOPE_H

#include "api/nt/rulings.h"
#include "scenarios/runner/counters/collection.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/language/schema.h"

struct counter_scope {
    const struct schema *schema;
    const struct named_manifests *manifests;
    const struct rulings *rulings;
    const struct collection *collection;
};

/* The id of a counter as the set has it that is asked for; where nobody knows
 * which set that will be, as any set of the manifests has it, and none has two
 * of them. */
bool counter_scope_find(
    const struct counter_scope *scope, const char *name, uint32_t *id);

/* Reports a counter that the set does not have, or two that it has of that
 * name, unless that is no news. */
void counter_scope_report(const struct counter_scope *scope,
    const struct node *node, const char *name);

/* Reports a value of this counter that was not asked for, or none of one that
 * the set does not have. `key` names it; `value` is what is expected, NULL: it
 * is saved. Sets without a manifest are left alone [C]: counters
 * that are not asked for are then looked at to see what the kernel does with a
 * mask (PCW-TYPE-06a). */
void counter_scope_check_value(const struct counter_scope *scope,
    const struct node *key, const struct node *value, uint32_t id);

/* Reports a figure of this counter, or none, that is there in no collection of
 * this kind (PCW-CON-02): not asked for, its type has none, another counter is
 * missing, or two collections are needed. `key` is its name. */
void counter_scope_check_figure(
    const struct counter_scope *scope, const struct node *key, uint32_t id);

#endif
