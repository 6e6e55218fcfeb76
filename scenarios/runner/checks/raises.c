/* raises.c - expect raises: the exception that a step ended with. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

static void read_raises(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    const char *can = step->kind->raises;

    if (can == NULL) {
        read_checks_no_result(reader, step, key,
            "a call, a store or a register access can raise");
        return;
    }
    if (!node_is_word(value, can)) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, value,
            "this step can raise %s only", can);
    }
}

static void evaluate_raises(const struct evaluation *evaluation)
{
    const struct outcome *outcome = evaluation->outcome;

    evaluate_cites(evaluation);
    if (!outcome->raised && !evaluate_was_cut(evaluation)) {
        evaluate_fail(evaluation, evaluation->check->value,
            "expected %s, but nothing was raised",
            evaluation->check->value->text);
    }
}

const struct check_code check_raises = {
    .read = read_raises,
    .evaluate = evaluate_raises,
};
