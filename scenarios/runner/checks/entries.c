/* entries.c - expect entries: what the handler of an event buffer was given, in
 * its body. */
#include <talloc.h>

#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/language/entries.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/language/match_accepts.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"

static void read_entries(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    struct match match = {.scope = &reader->scope, .context = reader->scenario};
    const struct schema *schema = &reader->scope.schema;
    struct variable *variable = entries_variable(&reader->scope);
    struct actual actual = {.array = true};

    (void)step;
    if (variable == NULL) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
            "no event buffer is handed on here");
        diagnostics_hint(schema->diagnostics,
            "entries are those of the handler whose body the step is in: "
            "callbacks: {name: {type: "
            "PPHYSICAL_COUNTER_EVENT_BUFFER_OVERFLOW_HANDLER, do: [..]}}");
        return;
    }
    variable->used = true;
    if (variable->pointee == NT_VOID) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
            "the PMU of this machine has no event buffers, so the handler is "
            "never called");
        diagnostics_hint(
            schema->diagnostics, "machine: {pmu: {model: skylake}} has them");
        return;
    }
    actual.type = variable->pointee;
    if (!match_refuse_idle(&reader->scope, value,
            match_domain_of(&reader->scope, actual.type, true))) {
        match_values(&match, value, &actual);
    }
}

/* Their number is told before what they hold, and whether that can be read. */
static void evaluate_entries(const struct evaluation *evaluation)
{
    struct run *run = evaluation->run;
    struct scope *scope = &run->scope;
    struct facts *facts = scope->facts;
    const struct node *value = evaluation->check->value;
    const struct variable *variable = entries_variable(scope);
    struct actual actual = {.type = variable->pointee, .array = true};
    struct entries entries = {.at = NULL};
    size_t size = nt_type_row(actual.type)->size;
    uint8_t *copy = NULL;

    if (!facts_heard(facts)) {
        entries = entries_of(scope, variable);
        if (entries.at != NULL) {
            copy = entries_copy(run->context, &entries, actual.type);
        }
    }
    if (!facts_flag(facts, copy != NULL)) {
        evaluate_fail(
            evaluation, value, "the entries cannot be read at this place");
        return;
    }
    actual.block_size = facts_count(facts, entries.count * size);
    actual.at = facts_bytes(facts, copy, actual.block_size);
    actual.count = actual.block_size / size;
    evaluate_values(evaluation, value, &actual, "entries");
    talloc_free(copy);
}

const struct check_code check_entries = {
    .read = read_entries,
    .evaluate = evaluate_entries,
};
