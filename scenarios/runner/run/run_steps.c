/* run_steps.c - the steps of a scenario, one after another: on the machine as a
 * whole, or as code of a strand that is running already. */
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/run/run_callback.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ps/user_mode.h"
#include "scenarios/runner/library/kinds.h"
#include "scenarios/runner/run/account.h"
#include "scenarios/runner/run/actor_thread.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/held.h"
#include "scenarios/runner/run/left_loaded.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_guarded.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/step_view.h"
#include "scenarios/runner/run/stuck.h"
#include "scenarios/runner/scenario/check.h"
#include "scenarios/runner/scenario/step.h"
#include "sim/machine/strand.h"

/* Nobody does what stands in a step behind the system's end, or of a thread
 * that somebody has ended or that is still to be created. */
static bool is_refused(struct run *run, struct outcome *outcome)
{
    const struct step *step = outcome->step;
    enum step_whose whose = step->kind->whose;
    bool to_come;

    if (run->is_off) {
        outcome->failed = true;
        run_fail(run, RESULT_ERROR, outcome, step->key,
            "the system has been shut down: nothing runs after that");
        return true;
    }
    if (whose == WHOSE_NOBODY || whose == WHOSE_ASKED ||
        whose == WHOSE_BRANCHES || step->in_callback) {
        return false;
    }
    to_come = actor_thread_is_to_come(run, step->actor);
    if (!to_come && !actor_thread_has_ended(run, step->actor)) {
        return false;
    }
    outcome->failed = true;
    run_fail(run, RESULT_ERROR, outcome, step->key,
        to_come ? "%s has not begun: a step creates it" : "%s has ended",
        run->scenario->actor[step->actor].driver.name);
    return true;
}

/* The action, as code of the strand that runs. */
static void act(struct run *run, struct outcome *outcome)
{
    const struct step_code *code = outcome->step->kind->code;

    if (is_refused(run, outcome)) {
        outcome->finished = true;
        return;
    }
    if (code->run != NULL) {
        run_guarded(run, outcome, code->run);
    } else if (code->run_here != NULL) {
        code->run_here(run, outcome);
    }
    outcome->finished = true;
    outcome_save(run, outcome);
    if (!outcome->step->in_callback) {
        actor_thread_returns(run);
    }
}

void run_mark_left_out(struct run *run, const struct step *step)
{
    run->evaluated[step->ordinal] = true;
    for (size_t i = 0; i < step->inner_count; i++) {
        for (size_t k = 0; k < step->inner[i].steps.count; k++) {
            run_mark_left_out(run, &step->inner[i].steps.item[k]);
        }
    }
}

bool run_meets_when(struct run *run, const struct step *step)
{
    bool met = false;

    account_tell_when(run, step);
    account_begin_judging(run);
    run_enter_scope(run, step);
    if (!scope_condition(&run->scope, step->when, &met)) {
        bool in_vain = run->cleaning && run->scope.unset;
        const char *failure = scope_take_failure(&run->scope);

        if (!in_vain) {
            run_fail(run, RESULT_ERROR, NULL, step->when, "step %s: %s",
                step->number, failure);
        }
        met = false;
    }
    if (!met) {
        run_mark_left_out(run, step);
    }
    account_end_judging(run);
    return met;
}

static void leave_out(struct run *run, const struct step *step)
{
    account_tell_left_out(run, step);
    run_mark_left_out(run, step);
}

/* Whether the step runs. */
static bool is_due(struct run *run, const struct step *step)
{
    if (step->skipped) {
        leave_out(run, step);
        return false;
    }
    return step->when == NULL || run_meets_when(run, step);
}

/* What holds after every step of parallel. */
static void evaluate_after(
    struct run *run, struct outcome *parallel, const struct step *after)
{
    size_t before = run->verdict->failure_count;

    if (parallel != NULL && !parallel->always_failed) {
        evaluate_always(run, parallel, after);
        /* Once is enough. */
        parallel->always_failed = run->verdict->failure_count != before;
    }
}

static void run_inline_here(
    struct run *run, const struct step *step, const struct inside *inside)
{
    struct outcome *outcome = outcome_open(run, step, inside->outer);
    struct inside within = *inside;

    within.outer = outcome;
    if (step->kind->code->enter(run, outcome)) {
        run_steps_here(run, &step->inner->steps, &within);
        step->kind->code->leave(run, step);
    }
    outcome->finished = true;
    evaluate_step(run, outcome);
    talloc_free(outcome);
}

/* Expectations look at what others do, but for those of results. */
static bool looks_around(const struct step *step, const struct inside *inside)
{
    for (size_t i = 0; i < step->expect.count; i++) {
        if (step->expect.item[i].kind->compares == COMPARES_MACHINE) {
            return true;
        }
    }
    return inside->parallel != NULL && inside->parallel->step->always.count > 0;
}

static void run_here(struct run *run, const struct step *step, size_t nth,
    const struct inside *inside)
{
    const struct schedule_footprint all = {.reads = UINT64_MAX};
    struct outcome *outcome = outcome_open(run, step, inside->outer);
    struct machine *machine = &run->session->machine;

    outcome->nth = nth;
    act(run, outcome);
    if (looks_around(step, inside)) {
        strand_touches(machine, strand_touches(machine, all));
    }
    evaluate_step(run, outcome);
    talloc_free(outcome);
    evaluate_after(run, inside->parallel, step);
}

void run_steps_here(
    struct run *run, const struct step_list *steps, const struct inside *inside)
{
    struct kernel *kernel = &run->session->kernel;

    /* An APC of a program that has come to its end does no more. */
    for (size_t i = 0; i < steps->count && !user_mode_is_over(kernel); i++) {
        const struct step *step = &steps->item[i];

        if (!is_due(run, step)) {
            continue;
        }
        if (step_is_inline(step)) {
            run_inline_here(run, step, inside);
            continue;
        }
        for (size_t nth = 0; nth < outcome_times(step); nth++) {
            run_here(run, step, nth, inside);
        }
    }
}

struct step_strand {
    struct run *run;
    struct outcome *outcome;
};

static void step_main(void *argument)
{
    struct step_strand *strand = argument;
    const struct step *step = strand->outcome->step;

    if (step->kind->whose == WHOSE_BRANCHES) {
        act(strand->run, strand->outcome); /* its branches are the actors */
        return;
    }
    actor_thread_enter(strand->run, step->actor);
    act(strand->run, strand->outcome);
    actor_thread_leave(strand->run, step->actor);
}

/* It cannot go on, though nobody has broken a rule. */
static void report_run_end(struct run *run, struct outcome *outcome)
{
    const struct run_end *ended = &run->session->kernel.end;

    if (ended->kind != RUN_GOES_ON) {
        run_blame(run);
        run_fail(run,
            ended->kind == RUN_TIMEOUT ? RESULT_TIMEOUT : RESULT_ERROR, outcome,
            outcome->step->key, "%s", ended->reason);
        run_blame_end(run);
    }
}

/* Why the machine does not go on, when that is nobody's bug check. */
static void report_end(
    struct run *run, struct outcome *outcome, enum machine_end end)
{
    switch (end) {
    case MACHINE_IDLE:
        break;
    case MACHINE_STOPPED:
        report_run_end(run, outcome);
        break;
    case MACHINE_DEADLOCK:
        run_fail(run, RESULT_TIMEOUT, outcome, outcome->step->key,
            "deadlock: every processor waits for another%s",
            stuck_places(run, outcome));
        break;
    case MACHINE_BUDGET:
        run_fail(run, RESULT_TIMEOUT, outcome, outcome->step->key,
            "no end after %llu preemption point%s or 2^62 cycles; --budget "
            "allows more%s",
            (unsigned long long)run->session->budget,
            run->session->budget == 1 ? "" : "s", stuck_places(run, outcome));
        break;
    }
}

/* Steps that had begun when the machine stopped, the innermost first. */
static void evaluate_open(struct run *run)
{
    while (run->open != NULL) {
        evaluate_step(run, run->open);
    }
}

void run_strand(struct run *run, struct cpu *cpu, void (*main)(void *argument),
    void *argument, const struct driver *owner)
{
    struct strand *strand = strand_spawn(cpu, main, argument, owner);

    assert(strand != NULL); /* no other is left */
    (void)strand;
    if (machine_run(&run->session->machine) == MACHINE_IDLE) {
        return;
    }
    evaluate_open(run);
    run->stopped = true;
    run_fail(run, RESULT_FAIL, NULL, run->scenario->root,
        "the machine did not go on when it was sampled for the last time%s%s",
        run->session->kernel.bugcheck.code == BUGCHECK_NONE ? ""
                                                            : ": bug check ",
        run->session->kernel.bugcheck.code == BUGCHECK_NONE
            ? ""
            : bugcheck_text(run->session->kernel.bugcheck.code));
}

/* Steps of finally, and those of its fragments, all run. */
static bool may_go_on(const struct run *run)
{
    return run->in_finally ||
           run->verdict->result <=
               (run->session->keep_going ? RESULT_FAIL : RESULT_PASS);
}

/* Runs a step of the scenario itself, on the n-th of its processors. Returns
 * whether there can be another. */
static bool run_once(struct run *run, const struct step *step, size_t nth)
{
    struct session *session = run->session;
    struct machine *machine = &session->machine;
    struct outcome *outcome = outcome_open(run, step, NULL);
    struct step_strand strand = {run, outcome};
    enum machine_end end;

    outcome->nth = nth;
    session->own_step = step->ordinal;
    if (!step_has_action(step)) {
        outcome->finished = true; /* there is nothing to do */
        evaluate_step(run, outcome);
        return true;
    }
    actor_thread_spawn(run, step->actor, step_main, &strand);
    end = machine_run(machine);
    report_end(run, outcome, end);
    if (end == MACHINE_IDLE) {
        assert(outcome->finished);
        evaluate_step(run, outcome);
    } else {
        evaluate_open(run);
    }
    run->stopped |= end != MACHINE_IDLE;
    return !run->stopped && may_go_on(run);
}

void run_own_step(struct run *run, const struct step *step)
{
    run_once(run, step, 0);
}

static bool run_step(struct run *run, const struct step *step)
{
    bool going = true;

    for (size_t nth = 0; going && nth < outcome_times(step); nth++) {
        going = run_once(run, step, nth);
    }
    return going;
}

/* A failure of what says no more than the failure before it did. */
static bool is_in_vain(struct run *run, const struct step *step)
{
    const struct step_code *code = step->kind->code;

    return run->verdict->result != RESULT_PASS && code->is_in_vain != NULL &&
           code->is_in_vain(run, step);
}

static bool run_list(
    struct run *run, const struct step_list *steps, bool going);

/* The steps inside of it are the scenario's; then what is expected of them all.
 */
static bool run_inline(struct run *run, const struct step *step, bool going)
{
    struct outcome *outcome = outcome_open(run, step, NULL);

    going = going && step->kind->code->enter(run, outcome);
    going = run_list(run, &step->inner->steps, going);
    step->kind->code->leave(run, step);
    outcome->finished = going;
    if (going) {
        evaluate_step(run, outcome);
    } else {
        outcome_close(run, outcome);
    }
    return going && may_go_on(run);
}

/* After a failure nothing goes on; after an expected bug check there are only
 * expectations left. */
static bool run_list(struct run *run, const struct step_list *steps, bool going)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->item[i];

        if ((going || !step_has_action(step)) && !is_due(run, step)) {
            continue;
        }
        if (step_is_inline(step)) {
            going = run_inline(run, step, going);
        } else if (going && !is_in_vain(run, step)) {
            going = run_step(run, step);
        } else if (!step_has_action(step) &&
                   run->verdict->result == RESULT_PASS) {
            run_step(run, step);
        }
    }
    return going;
}

/* Steps of finally run whatever came before, as long as there is a machine. */
static void run_finally(struct run *run)
{
    const struct step_list *steps = &run->scenario->finally;

    run->cleaning = run->verdict->result != RESULT_PASS;
    run->in_finally = true;
    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->item[i];

        if (!run->stopped || !step_has_action(step)) {
            struct step_list one = {&steps->item[i], 1};

            run_list(run, &one, true);
        } else {
            leave_out(run, step);
        }
    }
}

/* What a step expects is checked when it has run, so it has to run. Returns the
 * first in the list that expects something and was not evaluated, or NULL. */
static const struct step *first_unevaluated(
    const struct run *run, const struct step_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->item[i];
        const struct step *inner = NULL;

        if (step->expect.count > 0 && !run->evaluated[step->ordinal]) {
            return step;
        }
        for (size_t j = 0; j < step->inner_count && inner == NULL; j++) {
            inner = first_unevaluated(run, &step->inner[j].steps);
        }
        if (inner != NULL) {
            return inner;
        }
    }
    return NULL;
}

static void report_unevaluated(struct run *run, const struct step_list *steps)
{
    const struct step *step = first_unevaluated(run, steps);

    if (step != NULL) {
        run_fail(run, RESULT_FAIL, NULL, step->key,
            "step %s expects something and has never run: the machine had "
            "stopped; only steps without an action are evaluated after that",
            step->number);
    }
}

static void report_callbacks(struct run *run)
{
    const struct callback_names *names = run->scenario->callback_names;

    for (size_t i = 0; i < names->count; i++) {
        const struct step_list *steps = &run->scenario->callback[i].steps;

        if (run->called[i]) {
            report_unevaluated(run, steps);
        } else if (first_unevaluated(run, steps) != NULL) {
            run_fail(run, RESULT_FAIL, NULL, names->item[i].defined,
                "callback '%s' expects something and has never run",
                names->item[i].name);
        }
    }
}

void run_report_unevaluated(struct run *run)
{
    account_tell_unevaluated(run);
    account_begin_judging(run);
    report_unevaluated(run, &run->scenario->steps);
    report_unevaluated(run, &run->scenario->finally);
    report_callbacks(run);
    account_end_judging(run);
}

/* What kinds of steps have left undone. */
static void report_left(struct run *run)
{
    const struct step_kinds *kinds = run->scenario->kinds->steps;

    for (size_t i = 0; i < kinds->count; i++) {
        if (kinds->item[i].code->end != NULL) {
            kinds->item[i].code->end(run);
        }
    }
}

static void begin_threads(struct run *run)
{
    const struct step_kinds *kinds = run->scenario->kinds->steps;

    actor_thread_make_all(run);
    for (size_t i = 0; i < kinds->count; i++) {
        if (kinds->item[i].code->begin != NULL) {
            kinds->item[i].code->begin(run);
        }
    }
}

void run_scenario_steps(struct run *run)
{
    if (run->scenario->asks_threads) {
        begin_threads(run);
    }
    step_view_begin(run);
    run_list(run, &run->scenario->steps, true);
    run_finally(run);
    if (run->session->forgives && run->verdict->result == RESULT_PASS &&
        !run->stopped && !run->is_off) {
        left_loaded_unload(run);
    }
    if (run->verdict->result == RESULT_PASS) {
        run_report_unevaluated(run);
        report_left(run);
        run_answers_report(run);
    }
    if (run->verdict->result == RESULT_PASS && !run->stopped) {
        held_report(run);
    }
}
