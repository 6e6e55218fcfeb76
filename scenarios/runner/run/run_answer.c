/* run_answer.c - a driver calls a routine that the scenario answers for: what
 * it stores, the callback that it calls, and what it returns. */
#include "scenarios/runner/run/run_answer.h"

#include <assert.h>
#include <talloc.h>

#include "api/core/answers.h"
#include "api/ke/code.h"
#include "api/mm/store.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_callback.h"
#include "scenarios/runner/scenario/scenario.h"

/* Names in its values are the scenario's. */
static void enter_scope(struct run *run, const struct scenario_answer *answer)
{
    run->scope.branch = answer->branch;
    run->scope.frame = 0;
    run->scope.statics = run->scenario->frame[0].statics;
    run->scope.own = NULL;
}

static void fail_value(struct run *run, const struct node *place)
{
    run_fail(run, RESULT_ERROR, run->open, place, "%s",
        scope_take_failure(&run->scope));
}

/* One store for each pointer: where it may not be written is the driver's
 * mistake. */
static void store(struct run *run, const struct scenario_answer *answer,
    const uint64_t argument[ANSWER_ARGUMENTS])
{
    for (size_t i = 0; i < ANSWER_ARGUMENTS; i++) {
        struct value_block block;

        if (answer->out[i] == NULL) {
            continue;
        }
        enter_scope(run, answer);
        if (!value_layout(&run->scope, run->context, answer->out[i], &block)) {
            fail_value(run, answer->out[i]);
        } else if (block.size > 0) {
            store_bytes(
                &run->session->kernel, argument[i], block.bytes, block.size);
        }
    }
}

static uint64_t give(
    void *context, size_t n, const uint64_t argument[ANSWER_ARGUMENTS])
{
    struct run *run = context;
    const struct scenario_answer *answer = &run->scenario->answer[n];
    uint64_t result = 0;

    run_note_call(run, run->scenario->callback_names->count + n, argument);
    store(run, answer, argument);
    if (answer->calls) {
        result = code_call(&run->session->kernel,
            callback_address(answer->callback), argument);
    }
    if (answer->returns != NULL) {
        enter_scope(run, answer);
        if (!value_scalar(
                &run->scope, answer->returns, answer->type, &result)) {
            fail_value(run, answer->returns);
        }
    }
    return result;
}

void run_answers_begin(struct run *run)
{
    const struct answer_names *names = &run->scenario->answer_names;
    struct answers *answers;

    if (names->count == 0) {
        return;
    }
    answers = talloc(run->context, struct answers);
    assert(answers != NULL);
    *answers = (struct answers){
        .item =
            talloc_zero_array(answers, struct answer, (unsigned)names->count),
        .count = names->count,
        .give = give,
        .context = run,
    };
    assert(answers->item != NULL);
    for (size_t i = 0; i < names->count; i++) {
        answers->item[i].name = names->item[i];
    }
    run->session->kernel.answers = answers;
}

void run_answers_report(struct run *run)
{
    const struct answers *answers = run->session->kernel.answers;

    for (size_t i = 0; answers != NULL && i < answers->count; i++) {
        if (!answers->item[i].imported) {
            run_fail(run, RESULT_ERROR, NULL, run->scenario->answer[i].name,
                "no driver that was loaded imports %s, so nothing is answered "
                "for; leave it out, or compare it with the list of ntpmu drive",
                answers->item[i].name);
        }
    }
}
