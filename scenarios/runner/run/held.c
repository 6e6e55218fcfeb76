/* held.c - what drivers hold: compared with an expectation, and asked of all of
 * them at the end. What is left is said of the step that made it. */
#include "scenarios/runner/run/held.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/core/leaks.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/run/account.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/scenario/node_number.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/scenario/step.h"
#include "scenarios/runner/text/visible_text.h"

enum { THINGS_SHOWN = 8 };

/* Who is told of the things that a driver holds. */
struct listing {
    struct facts *facts;
    uint32_t steps; /* of the scenario */
    void (*found)(void *context, const struct leak_found *thing);
    void *context;
};

/* A thing is a fact. */
static void exchange_thing(
    struct listing *listing, const struct leak_found *thing)
{
    struct facts *facts = listing->facts;
    const struct leak_found fact = {
        .leak = (enum leak)facts_below(facts, thing->leak, LEAK_COUNT),
        .text = facts_text(facts, thing->text),
        .step = (uint32_t)facts_below(facts, thing->step, listing->steps + 1),
    };

    listing->found(listing->context, &fact);
}

static void tell_thing(void *context, const struct leak_found *thing)
{
    struct listing *listing = context;

    facts_flag(listing->facts, true);
    exchange_thing(listing, thing);
}

/* Calls found() for each thing that the actor holds; behind the system's end
 * that is nothing. */
static void list_things(struct run *run, size_t actor,
    void (*found)(void *context, const struct leak_found *thing), void *context)
{
    static const struct leak_found unheard = {.text = ""};
    struct listing listing = {
        run->scope.facts, (uint32_t)run->scenario->step_count, found, context};

    if (!facts_heard(listing.facts)) {
        if (!run->is_off) {
            leaks_list(&run->session->kernel,
                &(struct leak_listing){scenario_driver(run->scenario, actor),
                    tell_thing, &listing});
        }
        facts_flag(listing.facts, false);
        return;
    }
    while (facts_flag(listing.facts, false)) {
        exchange_thing(&listing, &unheard);
    }
}

/* What was found so far. */
struct held {
    size_t count[LEAK_COUNT], all;
    char *text;
};

static void found(void *context, const struct leak_found *thing)
{
    struct held *held = context;

    held->count[thing->leak]++;
    if (held->all++ < THINGS_SHOWN) {
        held->text = talloc_asprintf_append_buffer(held->text, "%s%s (%s)",
            held->all == 1 ? "" : ", ", leak_names[thing->leak], thing->text);
    }
}

/* Its text is a child of the run. */
static struct held list_all(struct run *run, size_t actor)
{
    struct held held = {.text = talloc_strdup(run->context, "")};

    list_things(run, actor, found, &held);
    return held;
}

/* All that is held, in words. */
static const char *held_text(struct run *run, const struct held *held)
{
    if (held->all > THINGS_SHOWN) {
        return talloc_asprintf(
            run->context, "%s, ... %zu in all", held->text, held->all);
    }
    return held->all == 0 ? "nothing" : held->text;
}

/* Where calls are made to fail a driver may hold less than usual. */
static bool is_otherwise(const struct run *run, const size_t held[LEAK_COUNT],
    const size_t wanted[LEAK_COUNT])
{
    bool otherwise = false;

    for (enum leak leak = 0; leak < LEAK_COUNT; leak++) {
        otherwise |= run->session->forgives ? held[leak] > wanted[leak]
                                            : held[leak] != wanted[leak];
    }
    return otherwise;
}

const char *held_differs(
    struct run *run, size_t actor, const struct node *wanted)
{
    size_t listed = wanted->kind == NODE_SEQUENCE ? wanted->count : 0;
    const struct held held = list_all(run, actor);
    size_t count[LEAK_COUNT] = {0};

    for (size_t i = 0; i < listed; i++) {
        for (enum leak leak = 0; leak < LEAK_COUNT; leak++) {
            count[leak] += node_is_word(
                node_get(wanted->item[i], "kind"), leak_names[leak]);
        }
    }
    if (is_otherwise(run, held.count, count)) {
        return held_text(run, &held);
    }
    talloc_free(held.text);
    return NULL;
}

/* What is known of an actor's end. */
struct ending {
    const struct node *wanted; /* `finally` expects it; NULL: nothing */
    bool left_out;             /* an expectation, so nobody knows */
    const struct node *load;   /* of a driver that is loaded; NULL: none */
};

/* That of the driver which the actor is a thread of. */
static struct ending *ending_of(struct run *run, size_t actor)
{
    static const char owner;
    struct ending *endings = run_memory(
        run, &owner, run->scenario->actor_count * sizeof(struct ending));

    return &endings[run->scenario->actor[actor].owner];
}

void held_expect(struct run *run, size_t actor, const struct node *wanted)
{
    struct ending *ending = ending_of(run, actor);

    if (run->in_finally) {
        ending->wanted = wanted;
        ending->left_out = wanted == NULL;
    }
}

void held_loaded(struct run *run, size_t actor, const struct node *load)
{
    assert(run->scenario->actor[actor].image != NULL);
    ending_of(run, actor)->load = load;
}

/* What `finally` would have to expect, in the words of a scenario. */
static const char *remedy(struct run *run, size_t actor, const struct held *all)
{
    const struct scenario *scenario = run->scenario;
    char *kinds = talloc_strdup(run->context, "");

    if (all->all > THINGS_SHOWN) {
        return "all of it in finally";
    }
    for (enum leak leak = 0; leak < LEAK_COUNT; leak++) {
        for (size_t i = 0; i < all->count[leak]; i++) {
            kinds = talloc_asprintf_append_buffer(kinds, "%s{kind: %s}",
                kinds[0] == '\0' ? "" : ", ", leak_names[leak]);
        }
    }
    return talloc_asprintf(run->context,
        "it: finally: [{%s%s%sexpect: {leaks: [%s]}}]",
        scenario->actor_count == 1 ? "" : "as: ",
        scenario->actor_count == 1 ? "" : scenario->actor[actor].driver.name,
        scenario->actor_count == 1 ? "" : ", ", kinds);
}

static void report_expected(struct run *run, size_t actor)
{
    const struct node *wanted = ending_of(run, actor)->wanted;
    const char *held = held_differs(run, actor, wanted);

    if (held != NULL) {
        run_fail(run, RESULT_FAIL, NULL, wanted,
            "leaks: expected %s to the end, actual: %s ends and holds %s",
            node_show(run->context, wanted),
            run->scenario->actor[actor].driver.name, held);
    }
}

/* What each step has made, by its number from 1; those of none first. */
static void found_by_step(void *context, const struct leak_found *thing)
{
    struct held *by_step = context;

    assert(thing->step < talloc_array_length(by_step));
    found(&by_step[thing->step], thing);
}

static struct held *list_by_step(struct run *run, size_t actor)
{
    unsigned count = (unsigned)run->scenario->step_count + 1;
    struct held *by_step = talloc_zero_array(run->context, struct held, count);

    assert(by_step != NULL);
    for (size_t i = 0; i < count; i++) {
        by_step[i].text = talloc_strdup(by_step, "");
    }
    list_things(run, actor, found_by_step, by_step);
    return by_step;
}

/* `step` is NULL where none has made them. */
static void report_things(struct run *run, size_t actor,
    const struct step *step, const struct held *things, const struct held *all)
{
    run_fail(run, RESULT_FAIL, NULL,
        step == NULL ? run->scenario->root : step->key,
        "%s ends and still holds %s%s%s: give it back, or expect %s",
        run->scenario->actor[actor].driver.name, held_text(run, things),
        step == NULL ? "" : " of step ", step == NULL ? "" : step->number,
        remedy(run, actor, all));
}

static void report_actor(struct run *run, size_t actor, const struct held *all)
{
    const struct held *by_step = list_by_step(run, actor);

    for (uint32_t n = 0; n <= run->scenario->step_count; n++) {
        if (by_step[n].all > 0) {
            report_things(
                run, actor, scenario_step(run->scenario, n), &by_step[n], all);
        }
    }
}

/* Its DriverUnload gives back whatever step has had it made. */
static void report_loaded(struct run *run, size_t actor, const struct held *all)
{
    run_fail(run, RESULT_FAIL, NULL, ending_of(run, actor)->load,
        "%s is still loaded at the end and holds %s: unload it, or expect %s",
        run->scenario->actor[actor].driver.name, held_text(run, all),
        remedy(run, actor, all));
}

static void report_unexpected(struct run *run, size_t actor)
{
    const struct held all = list_all(run, actor);

    if (all.all == 0 || run->scenario->warnings_are_notes) {
        return;
    }
    if (ending_of(run, actor)->load != NULL) {
        if (run->session->forgives) {
            run->verdict->unjudged =
                talloc_asprintf(run->verdict, "%s is still loaded and holds %s",
                    run->scenario->actor[actor].driver.name,
                    visible_text(run->context, held_text(run, &all)));
        } else {
            report_loaded(run, actor, &all);
        }
    } else {
        report_actor(run, actor, &all);
    }
}

/* Where an image's calls are made to fail, what steps hold that are there for
 * its sake follows from that: they end otherwise than their author meant. */
static bool is_set_up(const struct run *run, size_t actor)
{
    const struct actor *of = &run->scenario->actor[actor];

    return run->session->forgives && of->image == NULL &&
           (of->driver.user || !run->session->fails_steps);
}

/* The step that has loaded an actor is a fact. */
static void exchange_load(struct run *run, struct ending *ending)
{
    const struct scenario *scenario = run->scenario;
    struct facts *facts = run->scope.facts;

    if (facts_flag(facts, ending->load != NULL)) {
        uint64_t number = facts_number(
            facts, ending->load == NULL ? NODE_NUMBER_NONE
                                        : node_number(scenario, ending->load));

        ending->load = facts_heard(facts) ? node_number_find(scenario, number)
                                          : ending->load;
    }
}

void held_report(struct run *run)
{
    const struct scenario *scenario = run->scenario;

    run->held_judged = true;
    account_tell_held(run);
    account_begin_judging(run);
    run_blame(run);
    for (size_t i = 0; i < scenario->actor_count; i++) {
        struct ending *ending = ending_of(run, i);

        exchange_load(run, ending);
        if (scenario->actor[i].owner != i || scenario->actor[i].system ||
            (scenario->actor[i].image != NULL && ending->load == NULL) ||
            is_set_up(run, i)) {
            continue;
        }
        if (ending->wanted != NULL) {
            report_expected(run, i);
        } else if (!ending->left_out) {
            report_unexpected(run, i);
        }
    }
    run_blame_end(run);
    account_end_judging(run);
}
