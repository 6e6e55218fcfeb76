/* leaks.c - expect leaks: what the actor or driver of the step holds after it,
 * counted by kind. A rule that it breaks by that is another matter. */
#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/language/names.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/held.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

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

static void evaluate_leaks(const struct evaluation *evaluation)
{
    struct run *run = evaluation->run;
    const struct node *value = evaluation->check->value;
    size_t actor = evaluation->outcome->step->actor;
    const char *held = held_differs(run, actor, value);

    evaluate_cites(evaluation);
    held_expect(run, actor, value);
    if (held != NULL) {
        evaluate_fail(evaluation, value,
            "leaks: expected %s, actual: %s holds %s",
            node_show(run->context, value),
            run->scenario->actor[actor].driver.name, held);
    }
}

static void leave_out(struct run *run, const struct outcome *outcome)
{
    held_expect(run, outcome->step->actor, NULL);
}

const struct check_code check_leaks = {
    .read = read_leaks,
    .evaluate = evaluate_leaks,
    .leave_out = leave_out,
};
