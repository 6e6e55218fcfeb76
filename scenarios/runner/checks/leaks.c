/* leaks.c - expect leaks: what the actor or driver of the step holds after it,
 * counted by kind. A rule that it breaks by that is another matter. */
#include <string.h>
#include <talloc.h>

#include "api/core/leaks.h"
#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

enum { LEAKS_SHOWN = 8 };

static void check_leak(struct reader *reader, const struct node *node)
{
    const struct node *kind;
    size_t n;

    if (!schema_mapping(&reader->scope.schema, node, MAPPING_LEAK, node)) {
        return;
    }
    kind = node_get(node, "kind");
    if (kind != NULL) {
        schema_name(
            &reader->scope.schema, kind, "kind", name_of_leak, NULL, &n);
    }
}

static void read_leaks(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    const struct schema *schema = &reader->scope.schema;

    if (step->kind->whose == WHOSE_BRANCHES) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
            "nobody holds what several actors have got");
        diagnostics_hint(schema->diagnostics,
            "write {as: actor, expect: {leaks: ...}} behind it");
        return;
    }
    if (node_is_word(value, "none")) {
        return;
    }
    if (value->kind != NODE_SEQUENCE || value->count == 0) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, value,
            "expected none, or a list of what is held, [{kind: counter_set}]");
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        check_leak(reader, value->item[i]);
    }
}

/* What was found so far. */
struct held {
    struct facts *facts;
    size_t count[LEAK_COUNT], all;
    char *text;
};

static void add_held(struct held *held, enum leak leak, const char *text)
{
    leak = (enum leak)facts_below(held->facts, leak, LEAK_COUNT);
    text = facts_text(held->facts, text);
    held->count[leak]++;
    if (held->all++ < LEAKS_SHOWN) {
        held->text = talloc_asprintf_append_buffer(held->text, "%s%s (%s)",
            held->all == 1 ? "" : ", ", leak_names[leak], text);
    }
}

static void found(void *context, enum leak leak, const char *text)
{
    struct held *held = context;

    facts_flag(held->facts, true);
    add_held(held, leak, text);
}

/* All that the driver holds. */
static void find_held(
    struct run *run, const struct driver *driver, struct held *held)
{
    struct kernel *kernel = &run->session->kernel;

    if (!facts_heard(held->facts)) {
        leaks_list(kernel, &(struct leak_listing){driver, found, held});
        facts_flag(held->facts, false);
        return;
    }
    while (facts_flag(held->facts, false)) {
        add_held(held, 0, "");
    }
}

static void evaluate_leaks(const struct evaluation *evaluation)
{
    struct run *run = evaluation->run;
    const struct node *value = evaluation->check->value;
    const struct driver *driver =
        &run->scenario->actor[evaluation->outcome->step->actor].driver;
    size_t listed = value->kind == NODE_SEQUENCE ? value->count : 0;
    struct held held = {
        .facts = run->scope.facts, .text = talloc_strdup(run->context, "")};
    size_t wanted[LEAK_COUNT] = {0};

    evaluate_cites(evaluation);
    for (size_t i = 0; i < listed; i++) {
        for (enum leak leak = 0; leak < LEAK_COUNT; leak++) {
            wanted[leak] += node_is_word(
                node_get(value->item[i], "kind"), leak_names[leak]);
        }
    }
    find_held(run, driver, &held);
    if (memcmp(held.count, wanted, sizeof(wanted)) != 0) {
        evaluate_fail(evaluation, value,
            "leaks: expected %s, actual: %s holds %s%s",
            node_show(run->context, value), driver->name,
            held.all == 0 ? "nothing" : held.text,
            held.all > LEAKS_SHOWN
                ? talloc_asprintf(run->context, ", ... %zu in all", held.all)
                : "");
    }
    talloc_free(held.text);
}

const struct check_code check_leaks = {
    .read = read_leaks,
    .evaluate = evaluate_leaks,
};
