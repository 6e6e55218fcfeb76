/* counter_scope.c - counters by name, where a scenario expects or saves what a
 * collection gives of them: found, or reported. */
#include "scenarios/runner/counters/counter_scope.h"

#include "api/pcw/counter_format.h"
#include "scenarios/runner/counters/rows.h"

enum { MASK_BITS = 64 }; /* PCW-TYPE-06a */

/* The id as any set has it; false also where one has two of them. */
static bool find_anywhere(
    const struct named_manifests *manifests, const char *name, uint32_t *id)
{
    bool found = false;

    for (size_t i = 0; i < manifests->count; i++) {
        const struct manifest *manifest = manifests->item[i].manifest;

        for (size_t k = 0; k < manifest->set_count; k++) {
            uint32_t two[2];

            if (counter_names_are_two(&manifest->set[k], name, two)) {
                return false;
            }
            if (!found && counter_names_find(&manifest->set[k], name, id)) {
                manifests->item[i].used = true;
                found = true;
            }
        }
    }
    return found || counter_names_find(NULL, name, id);
}

bool counter_scope_find(
    const struct counter_scope *scope, const char *name, uint32_t *id)
{
    const struct asked *asked = scope->collection->asked;

    return asked != NULL ? counter_names_find(asked->manifest, name, id)
                         : find_anywhere(scope->manifests, name, id);
}

/* Whether it is no news that the counter is not there. */
static bool is_no_news(const struct counter_scope *scope)
{
    const struct asked *asked = scope->collection->asked;

    return scope->manifests->broken ||
           (asked != NULL && asked->manifest == NULL &&
               scope->manifests->count > 0);
}

/* Returns whether the set has two counters that are called so, after reporting
 * them. */
static bool report_two(const struct schema *schema, const struct node *node,
    const char *name, const struct manifest_set *set)
{
    uint32_t id[2];

    if (set == NULL || !counter_names_are_two(set, name, id)) {
        return false;
    }
    schema_error(schema, DIAGNOSTIC_CONFLICT, node,
        "'%s' has two counters that '%s' means, with the ids %u and %u",
        counter_names_call(set), name, (unsigned)id[0], (unsigned)id[1]);
    diagnostics_hint(schema->diagnostics,
        "a name, symbol, uri or id that only one of them has");
    return true;
}

/* The same of any set of the manifests. */
static bool report_any_two(const struct counter_scope *scope,
    const struct node *node, const char *name)
{
    bool reported = false;

    for (size_t i = 0; i < scope->manifests->count && !reported; i++) {
        const struct manifest *manifest = scope->manifests->item[i].manifest;

        for (size_t k = 0; k < manifest->set_count && !reported; k++) {
            reported = report_two(scope->schema, node, name, &manifest->set[k]);
        }
    }
    return reported;
}

void counter_scope_report(const struct counter_scope *scope,
    const struct node *node, const char *name)
{
    const struct schema *schema = scope->schema;
    const struct asked *asked = scope->collection->asked;
    struct suggestion suggestion = suggest_for(name);

    if (is_no_news(scope) ||
        (asked != NULL ? report_two(schema, node, name, asked->manifest)
                       : report_any_two(scope, node, name))) {
        return;
    }
    if (asked != NULL && asked->manifest != NULL) {
        schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, node,
            "'%s' has no counter '%s'", asked->set, name);
        counter_names_suggest(&suggestion, asked->manifest);
        schema_suggest(schema, &suggestion);
        return;
    }
    schema_error(
        schema, DIAGNOSTIC_UNKNOWN_NAME, node, "no counter '%s'", name);
    diagnostics_hint(schema->diagnostics,
        scope->manifests->count > 0
            ? "no manifest of the scenario has one that is called so"
            : "without a manifest counters are called by their ids; "
              "manifests: [FILE.man] names one");
}

/* What is asked of a set that a manifest describes; NULL: nobody knows. */
static const struct asked *asked_of(const struct counter_scope *scope)
{
    const struct asked *asked = scope->collection->asked;

    return asked != NULL && asked->manifest != NULL ? asked : NULL;
}

static bool asks_for(
    const struct counter_scope *scope, const struct asked *asked, uint32_t id)
{
    if (id >= MASK_BITS) {
        return asked->counters == UINT64_MAX ||
               rulings_have(scope->rulings, RULED_PCW_TYPE_06b_always);
    }
    return (asked->counters & (UINT64_C(1) << id)) != 0;
}

static void report_not_asked(
    const struct schema *schema, const struct node *key, uint32_t id)
{
    schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
        "'%s' is not asked for, so it is never there", key->text);
    if (id < MASK_BITS) {
        diagnostics_hint(
            schema->diagnostics, "'counters' lists what is asked for");
    } else {
        diagnostics_hint(schema->diagnostics,
            "ids from 64 on need counters: all (PCW-TYPE-06b)");
    }
}

void counter_scope_check_value(const struct counter_scope *scope,
    const struct node *key, const struct node *value, uint32_t id)
{
    const struct asked *asked = asked_of(scope);

    if (asked == NULL) {
        return;
    }
    if (!asks_for(scope, asked, id)) {
        report_not_asked(scope->schema, key, id);
    } else if (value != NULL && node_is_word(value, "none") &&
               manifest_counter_by_id(asked->manifest, id) == NULL) {
        schema_error(scope->schema, DIAGNOSTIC_NO_EFFECT, key,
            "'%s' has no counter %s, so this cannot fail", asked->set,
            key->text);
    }
}

/* Reports a counter that the figure is made of and nobody asks for; NULL: it
 * needs none. */
static bool check_part(const struct counter_scope *scope,
    const struct asked *asked, const struct node *key,
    const struct manifest_number *part)
{
    const struct schema *schema = scope->schema;
    const char *name;

    if (part == NULL || asks_for(scope, asked, part->value)) {
        return true;
    }
    name = counter_names_of(asked->manifest, part->value);
    schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
        "'%s' never has a figure here: that needs %s%s%u%s, too", key->text,
        name == NULL ? "counter " : name, name == NULL ? "" : " (",
        (unsigned)part->value, name == NULL ? "" : ")");
    diagnostics_hint(schema->diagnostics, "ask for it in 'counters'");
    return false;
}

static bool check_parts(const struct counter_scope *scope,
    const struct asked *asked, const struct node *key,
    const struct manifest_counter *counter)
{
    const struct counter_parts parts = counter_parts_of(counter);
    const struct manifest_number *const part[] = {
        parts.base, parts.multi, parts.time, parts.frequency};
    bool right = true;

    for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
        right &= check_part(scope, asked, key, part[i]);
    }
    return right;
}

/* What the type says, of a counter with all that it needs. */
static void check_type(const struct counter_scope *scope,
    const struct node *key, enum counter_type type)
{
    const struct schema *schema = scope->schema;
    const struct counter_sample sample = {0};
    struct counter_figure figure;
    enum counter_figure_state state =
        counter_format(type, NULL, &sample, &figure);

    if (state == COUNTER_NO_FIGURE) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
            "'%s' never has a figure: it is a %s", key->text,
            counter_type_rows[type].word);
    } else if (state == COUNTER_NEEDS_SECOND && !scope->collection->again) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
            "'%s' never has a figure here: a %s needs two collections",
            key->text, counter_type_rows[type].word);
        diagnostics_hint(schema->diagnostics,
            "open a query and collect twice: query, collect: {query: $q}");
    }
}

void counter_scope_check_figure(
    const struct counter_scope *scope, const struct node *key, uint32_t id)
{
    const struct asked *asked = asked_of(scope);
    const struct manifest_counter *counter =
        asked == NULL ? NULL : manifest_counter_by_id(asked->manifest, id);

    if (asked == NULL) {
        return;
    }
    if (!asks_for(scope, asked, id)) {
        report_not_asked(scope->schema, key, id);
    } else if (counter == NULL) {
        schema_error(scope->schema, DIAGNOSTIC_NO_EFFECT, key,
            "'%s' has no counter %s, so no figure of it", asked->set,
            key->text);
    } else if (check_parts(scope, asked, key, counter)) {
        check_type(scope, key, counter->type);
    }
}
