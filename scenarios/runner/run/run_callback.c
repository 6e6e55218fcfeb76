/* run_callback.c - a callback of the scenario was called, or a routine that it
 * answers for: what stands there is done on the strand that called it. */
#include "scenarios/runner/run/run_callback.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/core/answers.h"
#include "api/ke/code.h"
#include "api/mm/store.h"
#include "scenarios/runner/language/value.h"
#include "scenarios/runner/language/value_layout.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/scenario/scenario.h"
#include "sim/base/bits.h"
#include "sim/machine/strand.h"

void run_note_handler(struct run *run, const struct handler_run *handler)
{
    if (run->handler_count == run->handler_capacity) {
        run->handler_capacity =
            run->handler_capacity == 0 ? 16 : 2 * run->handler_capacity;
        run->handler = talloc_realloc(run->context, run->handler,
            struct handler_run, (unsigned)run->handler_capacity);
        assert(run->handler != NULL);
    }
    run->handler[run->handler_count++] = *handler;
    if (handler->callback < run->scenario->callback_names->count) {
        run->called[handler->callback] = true;
    }
}

void run_note_call(
    struct run *run, size_t callee, const uint64_t argument[CODE_ARGUMENTS])
{
    struct cpu *cpu = kernel_cpu(&run->session->kernel);
    struct handler_run handler = {
        .callback = callee,
        .processor = cpu->index,
        .irql = irql_current(&run->session->kernel, cpu),
    };

    memcpy(handler.argument, argument, sizeof(handler.argument));
    run_note_handler(run, &handler);
}

/* What the body gives back. */
static uint64_t callback_result(
    struct run *run, const struct callback *callback)
{
    enum nt_type type = callback_rows[callback->type].returns;
    uint64_t value = 0;

    run->scope.branch = callback->branch;
    run->scope.frame = 0;
    run->scope.statics = run->scenario->frame[0].statics;
    run->scope.own = run_own_bindings(run);
    if (callback->returns != NULL &&
        !value_scalar(&run->scope, callback->returns, type, &value)) {
        run_fail(run, RESULT_ERROR, run->open, callback->returns, "%s",
            scope_take_failure(&run->scope));
    }
    return value;
}

const struct own_bindings *run_own_bindings(const struct run *run)
{
    const struct strand *strand = strand_current(&run->session->machine);
    const struct body_run *body = run->body;

    while (body != NULL && body->strand != strand) {
        body = body->outer;
    }
    return body == NULL ? NULL : &body->own;
}

/* The body's variables are those of this run of it; its parameters are set. */
static struct body_run *enter_body(struct run *run,
    const struct callback *callback, const uint64_t argument[CODE_ARGUMENTS])
{
    const struct callback_row *row = &callback_rows[callback->type];
    struct body_run *body = talloc(run->context, struct body_run);

    assert(body != NULL);
    *body = (struct body_run){
        .strand = strand_current(&run->session->machine),
        .own = {callback->first_variable, callback->variable_count,
            talloc_zero_array(
                body, struct binding, (unsigned)callback->variable_count + 1)},
        .outer = run->body,
    };
    assert(body->own.binding != NULL);
    for (size_t i = 0;
         i < CALLBACK_PARAMETERS && row->parameter[i].name != NULL; i++) {
        body->own.binding[callback->parameter[i] - callback->first_variable] =
            (struct binding){
                .value =
                    argument[i] &
                    bits_low(8u * nt_type_row(row->parameter[i].type)->size),
                .set = true};
    }
    run->body = body;
    return body;
}

static void leave_body(struct run *run, struct body_run *body)
{
    struct body_run **link = &run->body;

    while (*link != body) {
        assert(*link != NULL);
        link = &(*link)->outer;
    }
    *link = body->outer;
    talloc_free(body);
}

uint64_t run_called_back(
    void *context, size_t n, const uint64_t argument[CODE_ARGUMENTS])
{
    struct run *run = context;
    const struct callback *callback = &run->scenario->callback[n];
    const struct inside inside = {.outer = run->open};
    struct body_run *body;
    uint64_t result;

    run_note_call(run, n, argument);
    body = enter_body(run, callback, argument);
    run_steps_here(run, &callback->steps, &inside);
    result = callback_result(run, callback);
    leave_body(run, body);
    return result;
}

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
            const struct answer_store stored = {
                .routine = answer->name->text,
                .argument = (unsigned)i + 1,
                .at = argument[i],
                .size = block.size,
            };

            store_answer(&run->session->kernel, &stored, block.bytes);
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
