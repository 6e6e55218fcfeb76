/* hearing.c - a run that happened in another process, judged here: its account
 * is heard a record at a time, and each expectation is evaluated by what was
 * told. The machine and the kernel of this process only hold what was heard. */
#include "scenarios/runner/run/hearing.h"

#include <assert.h>
#include <talloc.h>

#include "api/core/missing.h"
#include "scenarios/runner/run/account.h"
#include "scenarios/runner/run/evaluate.h"
#include "scenarios/runner/run/held.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/run_steps.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/scenario/node_number.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/text/visible_text.h"

/* Who hears, and the scenario's steps by their ordinals. */
struct hearer {
    struct run *run;
    struct facts *facts;
    const struct step **step;
    size_t *next; /* by ordinal: of a step on several processors, which of them
                     comes next */
    struct outcome outer; /* stands for the step that others are inside of */
    bool looked;          /* for expectations that never came up */
    bool asked;           /* what drivers hold at the end */
};

static void index_steps(struct hearer *hearer, const struct step_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct step *step = &steps->item[i];

        assert(step->ordinal < hearer->run->scenario->step_count);
        hearer->step[step->ordinal] = step;
        for (size_t k = 0; k < step->inner_count; k++) {
            index_steps(hearer, &step->inner[k].steps);
        }
    }
}

static void index_all(struct hearer *hearer)
{
    const struct scenario *scenario = hearer->run->scenario;

    hearer->step = talloc_zero_array(hearer->run->context, const struct step *,
        (unsigned)scenario->step_count + 1);
    hearer->next = talloc_zero_array(
        hearer->run->context, size_t, (unsigned)scenario->step_count + 1);
    assert(hearer->step != NULL && hearer->next != NULL);
    index_steps(hearer, &scenario->steps);
    index_steps(hearer, &scenario->finally);
    for (size_t i = 0; i < scenario->callback_names->count; i++) {
        index_steps(hearer, &scenario->callback[i].steps);
    }
}

/* NULL: none, and it is refused. */
static const struct step *hear_step(struct hearer *hearer)
{
    uint64_t ordinal = account_ordinal(hearer->run, 0);
    const struct step *step =
        hearer->facts->problem == NULL ? hearer->step[ordinal] : NULL;

    if (step == NULL) {
        facts_refuse(hearer->facts, "a step does not exist");
    }
    return step;
}

/* What it did; NULL, and it is refused. */
static struct outcome *hear_outcome(
    struct hearer *hearer, const struct step *step)
{
    struct outcome *outcome = talloc_zero(hearer->run->context, struct outcome);

    assert(outcome != NULL);
    outcome->step = step;
    account_outcome(hearer->run, outcome);
    return hearer->facts->problem == NULL ? outcome : NULL;
}

/* A step is done on each of its processors, in their order. Those of callbacks
 * may be under way several times at once. */
static void follow_processors(
    struct hearer *hearer, const struct outcome *outcome)
{
    const struct step *step = outcome->step;
    size_t *next = &hearer->next[step->ordinal];

    if (step->in_callback) {
        return;
    }
    if (outcome->nth != *next) {
        facts_refuse(hearer->facts, "a processor of a step was left out");
    }
    *next = (outcome->nth + 1) % outcome_times(step);
}

static void hear_evaluated(struct hearer *hearer)
{
    struct run *run = hearer->run;
    const struct step *step = hear_step(hearer);
    bool inside = facts_flag(hearer->facts, false);
    struct outcome *outcome = step == NULL ? NULL : hear_outcome(hearer, step);

    if (outcome != NULL) {
        follow_processors(hearer, outcome);
        outcome->outer = inside ? &hearer->outer : NULL;
        outcome->opened = run->open;
        run->open = outcome;
        evaluate_step(run, outcome);
    }
}

static void hear_always(struct hearer *hearer)
{
    const struct step *parallel = hear_step(hearer);
    const struct step *after = parallel == NULL ? NULL : hear_step(hearer);
    struct outcome *outcome =
        after == NULL ? NULL : hear_outcome(hearer, parallel);

    if (outcome != NULL) {
        evaluate_always(hearer->run, outcome, after);
    }
}

static void hear_when(struct hearer *hearer)
{
    const struct step *step = hear_step(hearer);

    account_finally(hearer->run);
    if (step != NULL && step->when != NULL) {
        run_meets_when(hearer->run, step);
    } else {
        facts_refuse(hearer->facts, "a step has no condition");
    }
}

/* Nobody leaves out a step whose turn has come. */
static void hear_left_out(struct hearer *hearer)
{
    struct run *run = hearer->run;
    const struct step *step = hear_step(hearer);

    account_kernel(run);
    if (step == NULL) {
        return;
    }
    if (!step->skipped && run->verdict->result == RESULT_PASS &&
        run->session->kernel.bugcheck.code == BUGCHECK_NONE) {
        facts_refuse(hearer->facts, "a step was left out");
        return;
    }
    run_mark_left_out(run, step);
}

static void hear_disowned(struct hearer *hearer)
{
    struct run *run = hearer->run;
    uint64_t first, processor;

    account_kernel(run);
    first = facts_number(hearer->facts, 0);
    processor =
        facts_below(hearer->facts, 0, run->session->machine.config.processors);
    evaluate_disown_rules(run, (size_t)first, (uint32_t)processor);
}

/* What a process says in which a driver's code ran may be the driver's. */
static void hear_failure(struct hearer *hearer)
{
    struct run *run = hearer->run;
    struct facts *facts = hearer->facts;
    uint64_t result = facts_below(facts, 0, RESULT_INTERNAL + 1);
    struct failure failure = {
        .place = node_number_find(run->scenario, facts_number(facts, 0))};

    failure.step = visible_text(run->verdict, facts_text(facts, ""));
    failure.message = visible_text(run->verdict, facts_text(facts, ""));
    failure.call = facts_text_or_none(facts, NULL);
    if (failure.call != NULL) {
        failure.call = visible_text(run->verdict, failure.call);
    }
    if (result == RESULT_PASS) {
        facts_refuse(facts, "a failure is none");
        return;
    }
    run_add_failure(run, (enum result)result, &failure);
}

/* Where nothing has stopped, no step has ended amid its processors. */
static void check_processors(struct hearer *hearer)
{
    const struct run *run = hearer->run;

    for (size_t i = 0; i < run->scenario->step_count; i++) {
        if (hearer->next[i] != 0 && run->verdict->result == RESULT_PASS &&
            run->session->kernel.bugcheck.code == BUGCHECK_NONE) {
            facts_refuse(hearer->facts, "a processor of a step was left out");
        }
    }
}

static void hear_unevaluated(struct hearer *hearer)
{
    account_kernel(hearer->run);
    check_processors(hearer);
    hearer->looked = true;
    run_report_unevaluated(hearer->run);
}

static void hear_held(struct hearer *hearer)
{
    hearer->asked = true;
    held_report(hearer->run);
}

/* A machine that has stopped gives nothing back. */
static void hear_end(struct hearer *hearer)
{
    const struct run *run = hearer->run;
    bool stopped = run->session->kernel.bugcheck.code != BUGCHECK_NONE;

    if (run->verdict->result == RESULT_PASS &&
        (!hearer->looked || (!hearer->asked && !stopped))) {
        facts_refuse(hearer->facts, "it ends before the run does");
    }
    if (run->verdict->result == RESULT_PASS &&
        (run->session->kernel.end.kind != RUN_GOES_ON ||
            run->session->kernel.missing->reached != 0)) {
        facts_refuse(hearer->facts, "it does not say what ended the run");
    }
}

static void (*const hear[ACCOUNT_RECORDS])(struct hearer *hearer) = {
    [ACCOUNT_STEP] = hear_evaluated,
    [ACCOUNT_ALWAYS] = hear_always,
    [ACCOUNT_WHEN] = hear_when,
    [ACCOUNT_LEFT_OUT] = hear_left_out,
    [ACCOUNT_DISOWNED] = hear_disowned,
    [ACCOUNT_FAILURE] = hear_failure,
    [ACCOUNT_UNEVALUATED] = hear_unevaluated,
    [ACCOUNT_HELD] = hear_held,
    [ACCOUNT_END] = hear_end,
};

/* To the end of the account, or to what cannot be. */
static void hear_all(struct hearer *hearer)
{
    uint64_t record = ACCOUNT_STEP;

    index_all(hearer);
    while (record != ACCOUNT_END && hearer->facts->problem == NULL) {
        record = facts_below(hearer->facts, 0, ACCOUNT_RECORDS);
        if (hearer->facts->problem == NULL) {
            hear[record](hearer);
        }
    }
}

struct hearing hearing_judge(void *context, struct session *session,
    const struct instance *instance, const uint8_t *bytes, size_t length)
{
    struct account account = {.facts = {.at = bytes, .left = length}};
    struct run *run = run_open(context, session, instance);
    struct hearer hearer = {.run = run, .facts = &account.facts};
    struct hearing hearing = {.verdict = run->verdict};

    account.facts.context = run->context;
    session->account = &account;
    hear_all(&hearer);
    hearing.problem = account.facts.problem;
    hearing.taken = length - account.facts.left;
    if (hearing.problem != NULL) {
        run_fail(run, RESULT_CRASH, NULL, run->scenario->root, "%s",
            hearing.problem);
    }
    run_close(run);
    session->account = NULL;
    if (hearing.problem != NULL) {
        talloc_free(hearing.verdict);
        hearing.verdict = NULL;
    }
    return hearing;
}
