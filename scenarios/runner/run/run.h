/* run.h - one instance of a scenario while it runs: what the steps have done
 * so far, and the verdict. */
#ifndef RUNNER_RUN_RUN_H
#define RUNNER_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/thread.h"
#include "api/ke/code.h"
#include "scenarios/runner/language/match.h"
#include "scenarios/runner/language/requirements.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/run/outcome.h"
#include "scenarios/runner/run/run_settings.h"
#include "scenarios/runner/run/session.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/scenario/scenario.h"

struct run_memory;
struct sampler;

/* A run of a callback, or a call of a routine that is answered for. */
struct handler_run {
    size_t callback; /* behind the last one: an answer */
    uint32_t processor;
    uint8_t irql;
    uint64_t argument[CODE_ARGUMENTS];
};

/* A callback whose body runs now; child of the run. */
struct body_run {
    const struct strand *strand;
    struct own_bindings own;
    struct body_run *outer; /* that began before it */
};

/* An actor is one thread, whose steps are strands: what it keeps from one to
 * the next. */
struct actor_thread {
    uint32_t processor;
    struct thread thread;
    struct irql_state level; /* at which its last step ended */
    struct kthread *object;  /* where the scenario asks something of threads */
    bool busy;               /* a strand runs it */
};

struct run {
    struct session *session;
    const struct instance *instance;
    const struct scenario *scenario;
    void *context; /* memory of this run */
    struct scope scope;
    struct verdict *verdict;
    struct handler_run *handler;
    size_t handler_count, handler_capacity;
    struct actor_thread *actor; /* by number */
    struct body_run *body;      /* the one that began last */
    struct outcome *open; /* steps that have begun and not been evaluated */
    bool *evaluated;      /* by step's ordinal */
    bool *rule_expected;  /* by rule event: some step expected it */
    size_t rule_expected_count;
    bool bugcheck_expected;
    bool bugcheck_told; /* that it came, and was not expected */
    unsigned blames;    /* what fails now is wrong even where calls are made to
                           fail */
    struct run_memory *memory;       /* what kinds of steps keep */
    struct sampler *sampler;         /* NULL: nobody samples */
    bool called[SCENARIO_CALLBACKS]; /* callbacks that have run */
    bool stopped;                    /* the machine does not go on */
    bool is_off;                     /* the system has been shut down */
    const char *after; /* the step that `always` is asked after; NULL: none */
    bool in_finally;
    bool giving_back; /* steps are done that give back what earlier ones could
                       not */
    bool held_judged; /* what is held at the end was looked at */
    bool untraced;    /* the session has no trace, whatever this run needs */
    bool cleaning; /* finally, after a failure: what cannot be done for want of
                      a variable is left out, and that a step fails at what
                      never came to be says no more */
};

/* Runs the instance, which is open. The verdict is a child of `context`. The
 * trace stays in the session's machine until the next run. */
struct verdict *run_instance(
    void *context, struct session *session, const struct instance *instance);

/* Memory that the owner, whose address is its name, keeps during the run:
 * zeroed when it is asked for first. */
void *run_memory(struct run *run, const void *owner, size_t bytes);

/* A run that has not begun: the machine is made, the kernel is booted. The
 * verdict, and all that belongs to the run, is a child of `context`. */
struct run *run_open(
    void *context, struct session *session, const struct instance *instance);

/* After the last step: what nothing was compared for is no PASS. Returns the
 * verdict; the run is gone. */
struct verdict *run_close(struct run *run);

/* Adds a failure; the worst result so far stays. Where calls are made to fail,
 * what follows from it is forgiven: nothing is added but what is found between
 * these two, time-outs and worse. */
void run_blame(struct run *run);
void run_blame_end(struct run *run);
__attribute__((format(printf, 5, 6))) void run_fail(struct run *run,
    enum result result, const struct outcome *outcome, const struct node *place,
    const char *format, ...);

/* Whether such a failure would be forgiven now. */
bool run_forgives(const struct run *run, enum result result);

/* The same with a failure that is all there; its texts are the verdict's. */
void run_add_failure(
    struct run *run, enum result result, const struct failure *failure);

/* A value that the step needs has none: reported, unless it only cleans up
 * what never came to be. The step cannot be done. */
void run_fail_value(
    struct run *run, struct outcome *outcome, const struct node *place);

/* Names and values in the scope are those at the step, for the strand that
 * runs. */
void run_enter_scope(struct run *run, const struct step *step);

/* The same for a step that has begun, whichever strand runs, or none. */
void run_enter_outcome(struct run *run, const struct outcome *outcome);

/* The level's name, for people; lives as long as the run. */
const char *run_irql_text(const struct run *run, uint8_t irql);

#endif
