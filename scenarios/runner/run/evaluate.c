/* evaluate.c - the expectations of a step compared with what it has done; then
 * what no step may do that nobody expected. */
#include "scenarios/runner/run/evaluate.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <talloc.h>

#include "api/core/irql_dispute.h"
#include "api/core/place.h"
#include "api/core/verifier.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/language/literal.h"
#include "scenarios/runner/run/account.h"
#include "scenarios/runner/run/basis.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/step_view.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/check_kind.h"
#include "scenarios/runner/scenario/step.h"

void evaluate_fail(const struct evaluation *evaluation,
    const struct node *place, const char *format, ...)
{
    struct run *run = evaluation->run;
    va_list arguments;
    char *message;

    if (run_forgives(run, RESULT_FAIL)) {
        return;
    }
    va_start(arguments, format);
    message = talloc_vasprintf(run->context, format, arguments);
    va_end(arguments);
    run_fail(run, RESULT_FAIL, evaluation->outcome, place, "%s%s%s", message,
        run->after == NULL ? "" : ", after step ",
        run->after == NULL ? "" : run->after);
    memcpy(run->verdict->failure[run->verdict->failure_count - 1].covers,
        evaluation->check->covers, sizeof(evaluation->check->covers));
    verdict_cite(run->verdict, evaluation->check->covers, CITED_FAILED);
}

void evaluate_cites(const struct evaluation *evaluation)
{
    verdict_cite(
        evaluation->run->verdict, evaluation->check->covers, CITED_MET);
}

/* Of an expectation that was met. One that is computed may turn out to accept
 * whatever there is only now. */
static void note_match(const struct evaluation *evaluation,
    const struct match *match, const struct node *node, const char *what)
{
    verdict_cite(evaluation->run->verdict, evaluation->check->covers,
        match->can_fail ? CITED_MET : CITED_HOLLOW);
    if (!match->can_fail && !node_is_word(node, "any")) {
        evaluate_fail(evaluation, node,
            "%s: this accepts every value, so it expects nothing", what);
    }
}

bool evaluate_lacks(const struct evaluation *evaluation)
{
    struct run *run = evaluation->run;
    bool lacks = run->session->forgives && run->scope.failure != NULL &&
                 run->scope.unset;

    if (lacks) {
        scope_take_failure(&run->scope);
    }
    return lacks;
}

/* Reports what a match found, or why it could not be made. */
static void report_match(const struct evaluation *evaluation,
    const struct match *match, const char *what)
{
    struct scope *scope = &evaluation->run->scope;

    if (evaluate_lacks(evaluation)) {
        return;
    }
    if (scope->failure != NULL) {
        evaluate_fail(evaluation, evaluation->check->value, "%s: %s", what,
            scope_take_failure(scope));
        return;
    }
    assert(match->report != NULL);
    evaluate_fail(evaluation, match->place, "%s%s: %s", what,
        match->where == NULL ? "" : match->where, match->report);
    if (match->literals != NULL) {
        match->literals->failures++; /* each difference was noted */
    }
}

void evaluate_values(const struct evaluation *evaluation,
    const struct node *node, const struct actual *actual, const char *what)
{
    struct match match = {.scope = &evaluation->run->scope,
        .context = evaluation->run->context,
        .literals = evaluation->run->verdict->literals};

    if (match_values(&match, node, actual)) {
        note_match(evaluation, &match, node, what);
    } else {
        report_match(evaluation, &match, what);
    }
}

void evaluate_number(const struct evaluation *evaluation,
    const struct node *node, enum nt_type type, uint64_t number,
    const char *what)
{
    struct match match = {.scope = &evaluation->run->scope,
        .context = evaluation->run->context,
        .literals = evaluation->run->verdict->literals};

    if (match_number(&match, node, type, number)) {
        note_match(evaluation, &match, node, what);
    } else {
        report_match(evaluation, &match, what);
    }
}

bool evaluate_was_cut(const struct evaluation *evaluation)
{
    const struct run *run = evaluation->run;
    const struct outcome *outcome = evaluation->outcome;
    bool cut = run->session->kernel.end.kind != RUN_GOES_ON ||
               (run->verdict->result == RESULT_TIMEOUT && !outcome->finished &&
                   outcome->outer == NULL);

    if (cut) {
        verdict_cite(run->verdict, evaluation->check->covers, CITED_FAILED);
    }
    return cut;
}

bool evaluate_has_result(const struct evaluation *evaluation)
{
    const struct outcome *outcome = evaluation->outcome;

    if (outcome->failed) {
        return false; /* why is reported already */
    }
    if (outcome->finished && !outcome->raised) {
        return true;
    }
    if (evaluate_was_cut(evaluation)) {
        return false;
    }
    if (!outcome->raised &&
        evaluation->run->session->kernel.bugcheck.code != BUGCHECK_NONE &&
        !step_expects(outcome->step, ABOUT_BUGCHECK)) {
        return false; /* that the machine stopped says it all */
    }
    evaluate_fail(evaluation, evaluation->check->value,
        outcome->raised ? "%s: the step raised an exception instead"
                        : "%s: the step did not come to its end",
        evaluation->check->key->text);
    return false;
}

static void evaluate_check(
    struct run *run, const struct outcome *outcome, const struct check *check)
{
    const struct check_code *code = check->kind->code;
    const struct evaluation evaluation = {run, outcome, check};

    if (code->entries_cite == NULL) {
        if (!basis_asks(run->session, check->covers)) {
            basis_leave_out(run);
            if (code->leave_out != NULL) {
                code->leave_out(run, outcome);
            }
            return;
        }
        run->verdict->checks++;
    }
    code->evaluate(&evaluation);
}

/* Evaluates these checks of an outcome. */
static void evaluate_checks(struct run *run, const struct outcome *outcome,
    const struct check_list *list)
{
    /* Of a step that could not be done nothing can be expected. */
    for (size_t i = 0; i < list->count && !outcome->failed; i++) {
        evaluate_check(run, outcome, &list->item[i]);
    }
}

/* Rule events start out unexpected. */
static void note_rules(struct run *run)
{
    size_t count = run->session->kernel.rules.count;

    if (count > run->rule_expected_count) {
        run->rule_expected = talloc_realloc(
            run->context, run->rule_expected, bool, (unsigned)count);
        for (size_t i = run->rule_expected_count; i < count; i++) {
            run->rule_expected[i] = false;
        }
        run->rule_expected_count = count;
    }
}

void evaluate_disown_rules(struct run *run, size_t first, uint32_t processor)
{
    const struct rule_log *log = &run->session->kernel.rules;

    account_tell_disowned(run, first, processor);
    note_rules(run); /* makes room for them */
    for (size_t i = first; i < log->count; i++) {
        if (log->event[i].processor == processor && !log->event[i].stopped) {
            run->rule_expected[i] = true;
        }
    }
}

/* Its name; lives as long as the run. */
static const char *place_named(const struct run *run, uint64_t address)
{
    struct facts *facts = run->scope.facts;
    char name[PLACE_BYTES] = "";

    if (!facts_heard(facts)) {
        place_name(&run->session->kernel, address, name, sizeof(name));
    }
    return facts_text(facts, talloc_strdup(run->context, name));
}

/* Where in a driver's native code it was, and at which level; empty where an
 * actor's step was it. */
static const char *place_text(
    const struct run *run, const struct rule_event *event)
{
    const char *place;

    if (event->place == 0) {
        return "";
    }
    place = place_named(run, event->place);
    return talloc_asprintf(run->context, ", %s, at %s%s%s",
        run_irql_text(run, event->irql), place,
        event->origin == 0 ? "" : ", made at ",
        event->origin == 0 ? "" : place_named(run, event->origin));
}

/* What Driver Verifier has for it, as its pages write that. */
static const char *verifier_text(
    const struct run *run, const struct rule_event *event)
{
    const struct verifier_row *row = verifier_row(event->rule, event->routine);

    return row->by == VERIFIER_NOBODY
               ? ""
               : talloc_asprintf(run->context,
                     " (0x%X/0x%" PRIX32 " of Driver Verifier)",
                     (unsigned)row->code, row->violation);
}

/* The levels by the names that the machine's architecture has for them. */
static const char *levels_text(
    const struct run *run, const struct irql_range *range)
{
    const struct kernel *kernel = &run->session->kernel;
    const char *from = run_irql_text(run, irql_number(kernel, range->lowest));
    const char *to = run_irql_text(run, irql_number(kernel, range->highest));

    return from == to ? from
                      : talloc_asprintf(run->context, "%s to %s", from, to);
}

/* What the rule says, of whom or of which levels; child of the run's context.
 */
static const char *rule_text(
    const struct run *run, const struct rule_event *event)
{
    const struct rule_row *rule = &rule_rows[event->rule];
    const struct routine_row *routine = &routine_rows[event->routine];

    if (event->rule == RULE_IRQL_CONTRACT && event->routine != ROUTINE_COUNT) {
        return talloc_asprintf(run->context, "%s: %s is for %s", rule->text,
            routine->name,
            levels_text(
                run, &(struct irql_range){routine->lowest, routine->highest}));
    }
    if (event->rule == RULE_IRQL_DISPUTED) {
        const struct irql_dispute *dispute = irql_dispute_find(event->routine);

        return talloc_asprintf(run->context,
            "%s: %s is for %s by its page, for %s by its header", rule->text,
            routine->name, levels_text(run, &dispute->page),
            levels_text(run, &dispute->header));
    }
    return talloc_asprintf(run->context, "%s%s%s%s", rule->text,
        verifier_text(run, event), event->subject[0] == '\0' ? "" : ": ",
        event->subject);
}

static bool is_same_rule(
    const struct rule_event *one, const struct rule_event *other)
{
    return one->rule == other->rule && one->routine == other->routine &&
           one->processor == other->processor && one->irql == other->irql &&
           one->place == other->place && one->origin == other->origin &&
           strcmp(one->subject, other->subject) == 0;
}

/* How often the n-th event's rule was broken in just that way by unexpected
 * events up to `end`; 0 where one before it has said so. */
static size_t count_same(
    const struct run *run, size_t first, size_t n, size_t end)
{
    const struct rule_log *log = &run->session->kernel.rules;
    size_t times = 0;

    for (size_t i = first; i < end; i++) {
        if (run->rule_expected[i] || log->event[i].stopped ||
            !is_same_rule(&log->event[i], &log->event[n])) {
            continue;
        }
        if (i < n) {
            return 0;
        }
        times++;
    }
    return times;
}

static void report_rule(struct run *run, const struct outcome *outcome,
    const struct rule_event *event, size_t times)
{
    const struct rule_row *row = &rule_rows[event->rule];

    run_fail(run, RESULT_FAIL, outcome, outcome->step->key,
        "broken rule %s on cpu %u%s%s: %s (%s)%s", row->id,
        (unsigned)event->processor, place_text(run, event),
        times == 1 ? "" : talloc_asprintf(run->context, ", %zu times", times),
        rule_text(run, event), row->requirements,
        event->place == 0 ? "; expect violations if it is meant to be" : "");
}

/* Where calls are made to fail: an actor's `finally` gives back what may never
 * have come to be. */
static bool is_clean_up(const struct run *run, const struct rule_event *event)
{
    return run->session->forgives && run->in_finally && event->place == 0;
}

/* A step that does not speak of rules expects none. Inside of a callback the
 * step that was interrupted answers for them. */
static void report_rules(struct run *run, const struct outcome *outcome)
{
    const struct rule_log *log = &run->session->kernel.rules;

    if (outcome->outer != NULL || outcome->step->in_callback ||
        (step_expects(outcome->step, ABOUT_RULES) && !run->session->forgives)) {
        return;
    }
    for (size_t i = outcome->first_rule;
         i < outcome->last_rule && !run->scenario->warnings_are_notes; i++) {
        size_t times =
            count_same(run, outcome->first_rule, i, outcome->last_rule);

        /* One that stopped the machine is reported with its bug check. */
        if (!run->rule_expected[i] && !log->event[i].stopped && times > 0 &&
            !is_clean_up(run, &log->event[i])) {
            report_rule(run, outcome, &log->event[i], times);
        }
    }
}

/* A call whose status nobody asks about must succeed. */
static void report_status(struct run *run, const struct outcome *outcome)
{
    const struct step *step = outcome->step;
    const char *name;

    if (outcome->failed || !outcome->finished || outcome->raised ||
        step_expects(step, ABOUT_STATUS) ||
        step_expects(step, ABOUT_EXCEPTION) ||
        step->signature.returns != NT_NTSTATUS ||
        NT_SUCCESS((NTSTATUS)(uint32_t)outcome->returns)) {
        return;
    }
    name = nt_status_name((uint32_t)outcome->returns);
    run_fail(run, RESULT_ERROR, outcome, step->key,
        "the %s had to succeed and returned %s (0x%08X); expect its status if "
        "it may fail",
        step->kind->key, name == NULL ? "an unknown status" : name,
        (unsigned)outcome->returns);
}

/* A machine that stopped, and nobody expects it: in this step, or, where that
 * had ended, in a thread that went on meanwhile. */
static void report_bugcheck(struct run *run, const struct outcome *outcome)
{
    const struct bugcheck *bugcheck = &run->session->kernel.bugcheck;
    const struct rule_event *event;
    const struct rule_row *row;
    const char *what = NULL; /* was raised, or had no code */
    char code[BUGCHECK_TEXT_BYTES];

    if (outcome->outer != NULL || bugcheck->code == BUGCHECK_NONE ||
        run->bugcheck_expected || run->bugcheck_told) {
        return;
    }
    run->bugcheck_told = true;
    event = rule_log_stopped(&run->session->kernel.rules);
    assert(event != NULL);
    row = &rule_rows[event->rule];
    if (bugcheck->code == BUGCHECK_KMODE_EXCEPTION_NOT_HANDLED ||
        row == &rule_rows[RULE_CODE_NOT_CODE]) {
        what = bugcheck->parameter[0].name;
    }
    bugcheck_show(bugcheck->code, what, code);
    run_fail(run, RESULT_FAIL, outcome, outcome->step->key,
        "the machine stopped with bug check %s on cpu %u%s: broken rule %s: %s "
        "(%s)",
        code, (unsigned)bugcheck->processor, place_text(run, event), row->id,
        rule_text(run, event), row->requirements);
}

/* A program that ends by what it has raised, where nobody expects that. */
static void report_unhandled(struct run *run, const struct outcome *outcome)
{
    char number[NT_STATUS_DIGITS];

    if (!outcome->unhandled || step_expects(outcome->step, ABOUT_UNHANDLED)) {
        return;
    }
    run_fail(run, RESULT_FAIL, outcome, outcome->step->key,
        "a program raised %s and nobody in it caught that, so its process "
        "ended; expect raises if it catches that, unhandled if it does not",
        nt_status_text((uint32_t)outcome->exception, number));
}

/* What is wrong whatever was expected of results. */
static void report_wrong(struct run *run, const struct outcome *outcome)
{
    report_unhandled(run, outcome);
    run_blame(run);
    report_bugcheck(run, outcome);
    if (!run->cleaning) {
        report_rules(run, outcome);
    }
    run_blame_end(run);
}

/* Whether it held is all that is of interest here: it need not. */
static void note_sometimes(struct run *run, const struct outcome *outcome,
    const struct node *condition, size_t number)
{
    bool value = false;

    if (!scope_condition(&run->scope, condition, &value)) {
        run_fail(run, RESULT_ERROR, outcome, condition, "%s",
            scope_take_failure(&run->scope));
    }
    run->verdict->sometimes[number] |= value;
}

static void evaluate_sometimes(struct run *run, const struct outcome *outcome)
{
    const struct node *sometimes = outcome->step->sometimes;
    size_t first = outcome->step->first_sometimes;

    if (sometimes == NULL || outcome->failed || !outcome->finished) {
        return;
    }
    if (sometimes->kind != NODE_SEQUENCE) {
        note_sometimes(run, outcome, sometimes, first);
        return;
    }
    for (size_t i = 0; i < sometimes->count; i++) {
        note_sometimes(run, outcome, sometimes->item[i], first + i);
    }
}

void evaluate_step(struct run *run, struct outcome *outcome)
{
    const struct step *step = outcome->step;

    account_tell_step(run, outcome);
    account_begin_judging(run);
    run_enter_outcome(run, outcome);
    run->evaluated[step->ordinal] = true;
    note_rules(run);
    outcome->last_rule = run->session->kernel.rules.count;
    outcome->last_handler = run->handler_count;
    outcome->last_event = run->session->machine.trace.count;
    evaluate_checks(run, outcome, &step->expect);
    run_blame(run);
    evaluate_checks(run, outcome, &step->at_end);
    run_blame_end(run);
    evaluate_sometimes(run, outcome);
    report_wrong(run, outcome);
    if (!run->cleaning) {
        report_status(run, outcome);
    }
    outcome_close(run, outcome);
    account_end_judging(run);
    if (!account_is_heard(run)) {
        step_view_show(run, outcome);
    }
}

void evaluate_always(
    struct run *run, struct outcome *parallel, const struct step *after)
{
    if (parallel->step->always.count > 0) {
        account_tell_always(run, parallel, after);
        account_begin_judging(run);
        run_enter_outcome(run, parallel);
        run->after = after->number;
        run_blame(run);
        evaluate_checks(run, parallel, &parallel->step->always);
        run_blame_end(run);
        run->after = NULL;
        account_end_judging(run);
    }
}
