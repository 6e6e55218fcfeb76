/* raises.c - expect raises: the exception that a step ended with; and
 * unhandled: that a process did. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "api/nt/type.h"
#include "scenarios/runner/checks/checks.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/read_checks.h"
#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/scenario/step.h"

enum { WORDS_BYTES = 200 };

/* What the step can raise, for people. */
static void say_words(const char *const *word, char text[WORDS_BYTES])
{
    size_t at = 0;

    text[0] = '\0';
    for (size_t i = 0; word[i] != NULL; i++) {
        at += (size_t)snprintf(text + at, WORDS_BYTES - at, "%s%s",
            i == 0                ? ""
            : word[i + 1] == NULL ? " or "
                                  : ", ",
            word[i]);
        assert(at < WORDS_BYTES);
    }
}

static void read_raises(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    const char *const *can = step->kind->raises;
    char words[WORDS_BYTES];
    size_t n = 0;

    if (can[0] == NULL) {
        read_checks_no_result(reader, step, key,
            "a call, a store or a register access can raise");
        return;
    }
    while (can[n] != NULL && !node_is_word(value, can[n])) {
        n++;
    }
    if (can[n] == NULL) {
        say_words(can, words);
        schema_error(&reader->scope.schema, DIAGNOSTIC_UNKNOWN_NAME, value,
            "this step can raise %s only", words);
    }
}

/* Whether the name is that of the status; GP and UNDEF are none's. */
static bool is_of(const char *name, NTSTATUS status)
{
    const char *const prefix = "STATUS_";
    const char *text = nt_status_name((uint32_t)status);

    return strcmp(name, "GP") == 0 || strcmp(name, "UNDEF") == 0 ||
           (text != NULL && strncmp(text, prefix, strlen(prefix)) == 0 &&
               strcmp(text + strlen(prefix), name) == 0);
}

static void evaluate_raises(const struct evaluation *evaluation)
{
    const struct outcome *outcome = evaluation->outcome;
    const struct node *value = evaluation->check->value;
    char number[NT_STATUS_DIGITS];

    evaluate_cites(evaluation);
    if (!outcome->raised && !evaluate_was_cut(evaluation)) {
        evaluate_fail(evaluation, value, "expected %s, but nothing was raised",
            value->text);
    } else if (outcome->raised && !is_of(value->text, outcome->exception)) {
        evaluate_fail(evaluation, value, "expected %s, but %s was raised",
            value->text, nt_status_text((uint32_t)outcome->exception, number));
    }
}

const struct check_code check_raises = {
    .read = read_raises,
    .evaluate = evaluate_raises,
};

/* In a callback it is an APC of the program, or a driver's code. */
static void read_unhandled(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value)
{
    const struct driver *driver =
        scenario_driver(reader->scenario, step->actor);

    if (!driver->user && !step->in_user_mode) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_CONFLICT, key,
            "'%s' is no process: what its code does not catch stops the "
            "machine",
            driver->name);
        diagnostics_hint(
            reader->scope.schema.diagnostics, "bugcheck expects that");
        return;
    }
    read_raises(reader, step, key, value);
}

static void evaluate_unhandled(const struct evaluation *evaluation)
{
    if (evaluation->outcome->raised && !evaluation->outcome->unhandled) {
        evaluate_fail(evaluation, evaluation->check->value,
            "expected that nobody catches it: this step expects raises");
        return;
    }
    evaluate_raises(evaluation);
}

const struct check_code check_unhandled = {
    .read = read_unhandled,
    .evaluate = evaluate_unhandled,
};
