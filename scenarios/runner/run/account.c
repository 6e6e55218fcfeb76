/* account.c - the account of a run: a record for each time that expectations
 * are evaluated, with what the step has done and what the kernel has recorded
 * since the record before. */
#include "scenarios/runner/run/account.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "api/core/missing.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_callback.h"
#include "scenarios/runner/scenario/node_number.h"
#include "scenarios/runner/scenario/scenario.h"

bool account_is_heard(const struct run *run)
{
    const struct account *account = run->session->account;

    return account != NULL && facts_heard(&account->facts);
}

/* NULL: nobody is told. */
static struct account *told(const struct run *run)
{
    return account_is_heard(run) ? NULL : run->session->account;
}

void account_begin_judging(struct run *run)
{
    struct account *account = run->session->account;

    if (account != NULL) {
        account->judging++;
        run->scope.facts = &account->facts;
    }
}

void account_end_judging(struct run *run)
{
    struct account *account = run->session->account;

    if (account == NULL) {
        return;
    }
    assert(account->judging > 0);
    account->judging--;
    if (account->judging == 0) {
        run->scope.facts = NULL;
    }
}

uint64_t account_ordinal(struct run *run, uint64_t ordinal)
{
    return facts_below(
        &run->session->account->facts, ordinal, run->scenario->step_count);
}

static uint32_t exchange_processor(const struct run *run, uint32_t processor)
{
    return (uint32_t)facts_below(&run->session->account->facts, processor,
        run->session->machine.config.processors);
}

static void exchange_handlers(struct run *run)
{
    struct account *account = run->session->account;
    struct facts *facts = &account->facts;
    size_t count = facts_count(facts, run->handler_count - account->handlers);

    for (size_t i = 0; i < count; i++) {
        struct handler_run handler = {.callback = 0};

        if (!facts_heard(facts)) {
            handler = run->handler[account->handlers];
        }
        handler.callback = (size_t)facts_below(facts, handler.callback,
            run->scenario->callback_names->count +
                run->scenario->answer_names.count);
        handler.processor = exchange_processor(run, handler.processor);
        handler.irql = (uint8_t)facts_number(facts, handler.irql);
        for (size_t k = 0; k < CODE_ARGUMENTS; k++) {
            handler.argument[k] = facts_number(facts, handler.argument[k]);
        }
        if (facts_heard(facts) && facts->problem == NULL) {
            run_note_handler(run, &handler);
        }
        account->handlers++;
    }
}

static void exchange_rule(struct run *run, struct rule_event *event)
{
    struct facts *facts = &run->session->account->facts;

    event->rule = (enum rule)facts_below(facts, event->rule, RULE_COUNT);
    event->routine =
        (enum routine)facts_below(facts, event->routine, ROUTINE_COUNT + 1);
    event->processor = exchange_processor(run, event->processor);
    event->irql = (uint8_t)facts_number(facts, event->irql);
    event->stopped = facts_flag(facts, event->stopped);
    event->behind = facts_flag(facts, event->behind) && !event->stopped;
    event->time = facts_number(facts, event->time);
    event->place = facts_number(facts, event->place);
    event->origin = facts_number(facts, event->origin);
    snprintf(event->subject, sizeof(event->subject), "%s",
        facts_text(facts, talloc_strdup(run->context, event->subject)));
}

static void exchange_rules(struct run *run)
{
    struct account *account = run->session->account;
    struct facts *facts = &account->facts;
    struct rule_log *log = &run->session->kernel.rules;
    size_t count = facts_count(facts, log->count - account->rules);

    for (size_t i = 0; i < count; i++) {
        struct rule_event event = {.rule = 0};

        if (!facts_heard(facts)) {
            event = log->event[account->rules];
        }
        exchange_rule(run, &event);
        if (facts_heard(facts) && facts->problem == NULL) {
            rule_log_add(log, &event);
        }
        account->rules++;
    }
}

/* What stopped the machine was recorded as a broken rule. */
static void exchange_bugcheck(struct run *run)
{
    struct facts *facts = &run->session->account->facts;
    struct bugcheck *bugcheck = &run->session->kernel.bugcheck;

    if (!facts_flag(facts, bugcheck->code != BUGCHECK_NONE)) {
        return;
    }
    bugcheck->code = (enum bugcheck_code)(uint32_t)facts_number(
        facts, (uint32_t)bugcheck->code);
    bugcheck->processor = exchange_processor(run, bugcheck->processor);
    for (size_t i = 0; i < 4; i++) {
        struct bugcheck_parameter *parameter = &bugcheck->parameter[i];

        parameter->value = facts_number(facts, parameter->value);
        parameter->name = facts_text_or_none(facts, parameter->name);
    }
    if (facts_heard(facts) &&
        (bugcheck->code == BUGCHECK_NONE ||
            rule_log_stopped(&run->session->kernel.rules) == NULL)) {
        facts_refuse(facts, "it stopped the machine for nothing");
        bugcheck->code = BUGCHECK_NONE;
    }
}

/* What drivers import and nobody models, and which of it was come to. */
static void exchange_missing(struct run *run)
{
    struct account *account = run->session->account;
    struct facts *facts = &account->facts;
    struct missing_imports *missing = run->session->kernel.missing;
    size_t count = facts_count(facts, missing->count - account->missing);
    size_t reached;

    for (size_t i = 0; i < count; i++) {
        struct missing_import import = {.name = "", .module = "", .driver = ""};

        if (!facts_heard(facts)) {
            import = missing->item[account->missing];
        }
        import.module = facts_text(facts, import.module);
        import.name = facts_text(facts, import.name);
        import.driver = facts_text(facts, import.driver);
        import.variable = facts_flag(facts, import.variable);
        if (facts_heard(facts) && facts->problem == NULL) {
            missing_append(missing, &import);
        }
        account->missing++;
    }
    reached = (size_t)facts_below(facts, missing->reached, missing->count + 1);
    missing->reached = reached == 0 ? missing->reached : reached;
}

void account_kernel(struct run *run)
{
    struct facts *facts = &run->session->account->facts;
    struct run_end *end = &run->session->kernel.end;

    exchange_handlers(run);
    exchange_rules(run);
    exchange_bugcheck(run);
    exchange_missing(run);
    end->kind =
        (enum run_end_kind)facts_below(facts, end->kind, RUN_TIMEOUT + 1);
}

/* How many there were before the step. */
static size_t exchange_first(struct facts *facts, size_t first, size_t count)
{
    return (size_t)facts_below(facts, first, count + 1);
}

/* Nobody cleans up after a failure that nobody has found. */
void account_finally(struct run *run)
{
    struct facts *facts = &run->session->account->facts;

    run->in_finally = facts_flag(facts, run->in_finally);
    run->cleaning = facts_flag(facts, run->cleaning);
    if (facts_heard(facts) && run->cleaning &&
        run->verdict->result == RESULT_PASS) {
        facts_refuse(facts, "it cleans up after no failure");
    }
}

void account_outcome(struct run *run, struct outcome *outcome)
{
    struct facts *facts = &run->session->account->facts;

    account_kernel(run);
    account_finally(run);
    outcome->nth =
        (size_t)facts_below(facts, outcome->nth, outcome_times(outcome->step));
    outcome->finished = facts_flag(facts, outcome->finished);
    outcome->failed = facts_flag(facts, outcome->failed);
    outcome->raised = facts_flag(facts, outcome->raised);
    outcome->unhandled = facts_flag(facts, outcome->unhandled);
    outcome->exception =
        (NTSTATUS)(uint32_t)facts_number(facts, (uint32_t)outcome->exception);
    outcome->returns = facts_number(facts, outcome->returns);
    for (size_t i = 0; i < OUTCOME_VALUES; i++) {
        outcome->value[i] = facts_number(facts, outcome->value[i]);
    }
    outcome->first_rule = exchange_first(
        facts, outcome->first_rule, run->session->kernel.rules.count);
    outcome->first_handler =
        exchange_first(facts, outcome->first_handler, run->handler_count);
    outcome->call = facts_text_or_none(facts, outcome->call);
    outcome->processor = exchange_processor(run, outcome->processor);
    outcome->irql = (uint8_t)facts_number(facts, outcome->irql);
}

/* A record begins. Returns whether there is anybody who is told. */
static bool tell(struct run *run, enum account_record record)
{
    struct account *account = told(run);

    if (account != NULL) {
        assert(account->judging == 0);
        facts_number(&account->facts, record);
    }
    return account != NULL;
}

void account_tell_step(struct run *run, struct outcome *outcome)
{
    if (tell(run, ACCOUNT_STEP)) {
        account_ordinal(run, outcome->step->ordinal);
        facts_flag(&run->session->account->facts, outcome->outer != NULL);
        account_outcome(run, outcome);
    }
}

void account_tell_always(
    struct run *run, struct outcome *parallel, const struct step *after)
{
    if (tell(run, ACCOUNT_ALWAYS)) {
        account_ordinal(run, parallel->step->ordinal);
        account_ordinal(run, after->ordinal);
        account_outcome(run, parallel);
    }
}

void account_tell_when(struct run *run, const struct step *step)
{
    if (tell(run, ACCOUNT_WHEN)) {
        account_ordinal(run, step->ordinal);
        account_finally(run);
    }
}

void account_tell_left_out(struct run *run, const struct step *step)
{
    if (tell(run, ACCOUNT_LEFT_OUT)) {
        account_ordinal(run, step->ordinal);
        account_kernel(run);
    }
}

void account_tell_disowned(struct run *run, size_t first, uint32_t processor)
{
    if (tell(run, ACCOUNT_DISOWNED)) {
        account_kernel(run);
        facts_number(&run->session->account->facts, first);
        exchange_processor(run, processor);
    }
}

static void tell_failure(struct facts *facts, const struct scenario *scenario,
    enum result result, const struct failure *failure)
{
    facts_number(facts, result);
    facts_number(facts, node_number(scenario, failure->place));
    facts_text(facts, failure->step);
    facts_text(facts, failure->message);
    facts_text_or_none(facts, failure->call);
}

void account_tell_failure(
    struct run *run, enum result result, const struct failure *failure)
{
    struct account *account = told(run);

    if (account != NULL && account->judging == 0) {
        tell(run, ACCOUNT_FAILURE);
        tell_failure(&account->facts, run->scenario, result, failure);
    }
}

void account_tell_unevaluated(struct run *run)
{
    if (tell(run, ACCOUNT_UNEVALUATED)) {
        account_kernel(run);
    }
}

void account_tell_held(struct run *run)
{
    tell(run, ACCOUNT_HELD);
}

void account_tell_end(struct run *run)
{
    tell(run, ACCOUNT_END);
}

void account_of_failure(
    FILE *out, const struct instance *instance, const char *message)
{
    struct facts facts = {.out = out};
    const struct failure failure = {
        .place = instance->scenario->root, .step = "", .message = message};

    facts_number(&facts, ACCOUNT_FAILURE);
    tell_failure(&facts, instance->scenario, RESULT_INTERNAL, &failure);
    facts_number(&facts, ACCOUNT_END);
}
