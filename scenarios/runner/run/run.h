/* run.h - one instance of a scenario while it runs: the machine, the kernel on
 * it, what the steps have done so far, and the verdict. */
#ifndef RUNNER_RUN_RUN_H
#define RUNNER_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"
#include "api/ke/code.h"
#include "scenarios/runner/language/match.h"
#include "scenarios/runner/language/requirements.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/run/run_settings.h"
#include "scenarios/runner/scenario/instance.h"
#include "scenarios/runner/scenario/scenario.h"
#include "sim/machine/machine.h"

struct sampler;
struct samples;
struct sampling;

/* What one run of instances shares. */
struct session {
    struct machine machine;
    struct kernel kernel;
    struct driver_files *drivers; /* NULL: none was allowed */
    struct run_words given;       /* -D */
    const struct requirements *requirements;
    bool documented; /* expectations with another basis are not asked (basis.h)
                      */
    struct step_view *step_view;     /* NULL: nobody watches */
    const struct sampling *sampling; /* of counter sets; NULL: nobody samples */
    FILE *samples_out;               /* where samples are sent as they come;
                                        NULL: nowhere */
    bool literals;                   /* a verdict says what was compared */
    bool keep_going; /* steps that come after a failure run all the same */
    uint64_t budget; /* preemption points that an instance may pass: a bound
                        on time that does not depend on the host */
};

/* Reserves the machine. Returns false when the host refuses. */
bool session_open(
    struct session *session, const struct requirements *requirements);
void session_close(struct session *session);

enum result {
#define RESULT(name, class) RESULT_##name,
#include "scenarios/runner/run/results.def"
    RESULT_COUNT
};

struct failure {
    const struct node *place;
    const char *step;    /* its number; "" for the whole scenario */
    const char *message; /* what was expected, what was there */
    const char *call;    /* what the step called; NULL: nothing */
    const char *covers[CHECK_COVERS]; /* requirement ids; NULL after the last */
};

/* A requirement that an expectation cites which was evaluated: values were
 * compared, or it was not met. */
struct cited {
    const char *requirement;
    bool failed; /* one of its expectations was not met */
    bool hollow; /* none of them could have been: `any` */
};

struct verdict {
    enum result result;
    struct failure *failure;
    size_t failure_count;
    size_t checks;      /* expectations that were evaluated */
    size_t not_asked;   /* those that were not, for their basis */
    const char *reason; /* why a failure is expected; NULL: it is not */
    const struct scenario *scenario; /* the failures are in it; NULL: in its
                                        file */
    struct cited *cited; /* each requirement once, as they came up */
    size_t cited_count;
    struct literals *literals; /* what was compared; NULL: nobody asks */
    struct samples *samples;   /* of counter sets; NULL: nobody asks */
};

/* A run of an overflow handler. */
struct handler_run {
    size_t callback;
    uint32_t processor;
    uint8_t irql;
    uint64_t argument[CODE_ARGUMENTS];
};

/* An output block that a call was given. */
struct out_block {
    uint8_t *at; /* in the guest's memory; NULL: none was given */
    size_t size;
    const uint8_t *before; /* a copy of what it held before the call */
    bool array;
};

/* A callback whose body runs now; child of the run. */
struct body_run {
    const struct strand *strand;
    struct own_bindings own;
    struct body_run *outer; /* that began before it */
};

/* What a step has done. */
struct outcome {
    const struct step *step;
    struct outcome *outer;          /* the step that this one is part of */
    struct outcome *opened;         /* the one opened before it, still open */
    const struct own_bindings *own; /* of the callback that it is a step of */
    bool finished;                  /* the action has ended by itself */
    bool failed;                    /* could not be done at all; reported */
    bool raised;
    bool always_failed; /* of parallel: reported, and not asked again */
    NTSTATUS exception; /* that was raised and caught */
    uint64_t returns;
    uint64_t value[STEP_VALUES]; /* of a step that reads registers */
    struct out_block out[ROUTINE_PARAMETERS];
    struct rows *rows; /* of a collect; NULL: it has given none */
    size_t first_rule, first_handler; /* how many there were before */
    size_t last_rule, last_handler;
    size_t first_event, last_event; /* in the trace */
    uint64_t *began;                /* when, by processor; NULL: nobody asks */
    const char *call;               /* as text */
    uint32_t processor;
    uint8_t irql; /* at the start */
};

/* A driver with an image, while it is loaded. */
struct native_run {
    struct image *image;
    struct io_file *file; /* its device, while it is open */
};

/* An actor is one thread, whose steps are strands: what it keeps from one to
 * the next. */
struct actor_thread {
    uint32_t processor;
    struct thread thread;
    struct irql_state level; /* at which its last step ended */
};

struct run {
    struct session *session;
    const struct instance *instance;
    const struct scenario *scenario;
    void *context;             /* memory of this run */
    struct native_run *native; /* by actor */
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
    const struct step *fault[ROUTINE_COUNT]; /* that asked for it last */
    struct query_run *queries;               /* act_collect.c: those opened */
    struct sampler *sampler;                 /* NULL: nobody samples */
    bool called[SCENARIO_CALLBACKS];         /* callbacks that have run */
    bool stopped;                            /* the machine does not go on */
    const char *after; /* the step that `always` is asked after; NULL: none */
    bool in_finally;
    bool cleaning; /* finally, after a failure: what cannot be done for want of
                      a variable is left out */
};

/* Runs the instance, which is open. The verdict is a child of `context`. The
 * trace stays in the session's machine until the next run. */
struct verdict *run_instance(
    void *context, struct session *session, const struct instance *instance);

/* Adds a failure; the worst result so far stays. */
__attribute__((format(printf, 5, 6))) void run_fail(struct run *run,
    enum result result, const struct outcome *outcome, const struct node *place,
    const char *format, ...);

/* run_steps.c: all steps, those of finally too, and what never ran. */
void run_scenario_steps(struct run *run);

/* run_steps.c: main(argument) runs on a processor, for `owner`, after the last
 * step, to its end; a machine that does not get there is a failure. */
void run_strand(struct run *run, struct cpu *cpu, void (*main)(void *argument),
    void *argument, const struct driver *owner);

/* evaluate.c: the rule events from number `first` on that were broken on that
 * processor are no step's. */
void run_disown_rules(struct run *run, size_t first, uint32_t processor);

/* run_saves.c: sets the variables that the step's action gives values. */
void run_save_results(struct run *run, const struct outcome *outcome);

/* unevaluated.c: reports expectations that nothing has evaluated. */
void run_report_unevaluated(struct run *run);

/* act_fault.c: reports calls that were to fail and never came. */
void run_report_faults(struct run *run);

/* act_collect.c: reports queries that are still open. */
void run_report_queries(struct run *run);

/* run_callback.c: a callback was called; `context` is the run. */
uint64_t run_called_back(
    void *context, size_t n, const uint64_t argument[CODE_ARGUMENTS]);

/* Names and values in the scope are those at the step, for the strand that
 * runs. */
void run_enter_scope(struct run *run, const struct step *step);

/* The same for a step that has begun, whichever strand runs, or none. */
void run_enter_outcome(struct run *run, const struct outcome *outcome);

/* run_callback.c: variables of the callback that the running strand is in the
 * body of; NULL: in none. */
const struct own_bindings *run_own_bindings(const struct run *run);

/* A value that the step needs has none: reported, unless it only cleans up
 * what never came to be. The step cannot be done. */
void run_fail_value(
    struct run *run, struct outcome *outcome, const struct node *place);

/* The outcome is no longer open. */
void run_close_outcome(struct run *run, struct outcome *outcome);

/* Evaluates these checks of an outcome. */
void evaluate_checks(struct run *run, const struct outcome *outcome,
    const struct check *check, size_t count);

/* What steps are run as part of, that are code of a strand. */
struct inside {
    struct outcome *outer;
    struct outcome *parallel; /* of a branch; NULL: no branch */
};

/* Runs the steps one after another as code of the strand that is running, and
 * evaluates each. */
void run_steps_here(struct run *run, const struct step_list *steps,
    const struct inside *inside);

/* Makes main(argument) code of the actor's thread, on the processor where that
 * is; main begins with actor_enter() and ends with actor_leave(). */
void actor_spawn(struct run *run, size_t actor, void (*main)(void *argument),
    void *argument);
void actor_enter(struct run *run, size_t actor);
void actor_leave(struct run *run, size_t actor);

/* The action of each kind of step: code of a strand on the actor's processor.
 */
#define STEP(name, key, function, ...)                                         \
    void act_##function(struct run *run, struct outcome *outcome);
#include "scenarios/runner/language/steps.def"

/* The processor that a step's own `cpu` names. */
struct cpu *run_cpu(struct run *run, const struct step *step);

/* Runs `code` on the step's processor, and notes an exception that the step
 * expects. */
void run_guarded(struct run *run, struct outcome *outcome,
    void (*code)(struct run *run, struct outcome *outcome));

/* expect_events.c: where the step's records and cycles begin. */
void events_begin(const struct run *run, struct outcome *outcome);

/* evaluate.c: all expectations of a step whose action has ended, and what no
 * step may do unexpectedly. */
void evaluate_step(struct run *run, struct outcome *outcome);

/* One expectation each; a difference is reported with evaluate_fail(). */
struct evaluation {
    struct run *run;
    const struct outcome *outcome;
    const struct check *check;
};

#define CHECK(name, key, function, ...)                                        \
    void evaluate_##function(const struct evaluation *evaluation);
#include "scenarios/runner/language/checks.def"

__attribute__((format(printf, 3, 4))) void evaluate_fail(
    const struct evaluation *evaluation, const struct node *place,
    const char *format, ...);

/* Notes that an expectation which can fail is evaluated: for those that compare
 * without the functions below. */
void evaluate_cites(const struct evaluation *evaluation);

/* Whether the step came to its end, so that it has results; reports why it has
 * none, unless that was. */
bool evaluate_has_result(const struct evaluation *evaluation);

/* Compares with match_values() or match_number(), and reports a difference
 * with `what` before it. */
void evaluate_values(const struct evaluation *evaluation,
    const struct node *node, const struct actual *actual, const char *what);
void evaluate_number(const struct evaluation *evaluation,
    const struct node *node, enum nt_type type, uint64_t number,
    const char *what);

#endif
