/* reader.h - reading one scenario's parts. Each part's file has the functions
 * that other parts call; all of them report and go on, so that one pass finds
 * every error. */
#ifndef RUNNER_SCENARIO_READER_H
#define RUNNER_SCENARIO_READER_H

#include "scenarios/runner/language/requirements.h"
#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/scenario/outline.h"
#include "scenarios/runner/scenario/scenario.h"

struct reader {
    struct scope scope; /* with the schema; arch is that of the first machine */
    struct scenario *scenario; /* being filled; memory is its child */
    const struct requirements *requirements;
    struct outline *outline;
    bool needs_pmu;    /* the architecture has none */
    unsigned branches; /* of `parallel`, so far */
    size_t actor;      /* of the branch, callback or use being read */
    bool in_parallel;
    bool actor_given; /* by a use that has `as` */
    const struct node *use[SCENARIO_FRAGMENT_DEPTH]; /* fragments being read */
    size_t use_count;
};

/* read_machine.c: machine. */
void read_machine(struct reader *reader);

/* read_pmu.c: the machine's pmu; `key` is where it stands. */
void read_pmu(
    struct reader *reader, const struct node *key, const struct node *pmu);

/* read_rates.c: p/q or a whole number, in so many of `cycle` (a word for the
 * error). */
bool read_rate(struct reader *reader, const struct node *node,
    const char *cycle, struct rate *rate);

/* read_store.c: values one after another, each with its type. Reports what is
 * none of these. */
struct value_block;
bool read_layout(
    struct reader *reader, const struct node *node, struct value_block *block);

/* read_memory.c: memory. */
void read_memory(struct reader *reader);
/* read_manifests.c: manifests. */
void read_manifests(struct reader *reader);
/* read_rulings.c: rulings; the defaults where there are none. */
void read_rulings(struct reader *reader);

/* read_actors.c: actors, the silos of all of them, callbacks. Names come before
 * the steps that use them, bodies after the steps that set what they use. */
void read_actors(struct reader *reader);
void read_silos(struct reader *reader);
void read_callback_names(struct reader *reader);
void read_callback_bodies(struct reader *reader);

/* read_driver.c: the native drivers, actors behind all others. */
void read_drivers(struct reader *reader);

/* The index of a named actor; reports an unknown one. */
bool read_actor(struct reader *reader, const struct node *node, size_t *actor);

/* read_steps.c: a list of steps; `prefix` begins their numbers. */
void read_steps(struct reader *reader, const struct node *node,
    const char *prefix, struct step_list *steps);

/* A cpu key's value: CPU_OWN when it was left out (NULL). */
void read_cpu(struct reader *reader, const struct node *node, int *cpu);

/* read_workload.c: reports a step (`what`) that needs a PMU where there is an
 * architecture without one. */
void read_pmu_need(
    struct reader *reader, const struct node *node, const char *what);

/* The same, for a step that only Arm's processors can do, or only those of x86,
 * by the step's key. Returns false after reporting it. */
bool read_pmu_of(struct reader *reader, const struct node *node, bool arm);

/* read_call.c: a routine that the model has. */
bool read_routine(
    struct reader *reader, const struct node *node, size_t *routine);

/* read_workload.c: a counter that this PMU has, by the HAL's index. */
bool read_counter(
    struct reader *reader, const struct node *node, unsigned *counter);

/* read_rates.c: what happens in a part of a run, by event. Totals are of a
 * segment whose cycles are there, and may not be of an event in `rates`, which
 * may be NULL. */
void read_rates(
    struct reader *reader, const struct node *rates, struct run_part *part);
void read_totals(struct reader *reader, const struct node *totals,
    const struct node *rates, struct run_part *part);
void read_burst(
    struct reader *reader, const struct node *burst, struct run_part *part);

/* read_call.c, read_run.c, read_workload.c, read_register.c, read_parallel.c:
 * what a kind of step is given, one function a kind. */
#define STEP(name, spelling, function, ...)                                    \
    void read_##function(                                                      \
        struct reader *reader, const struct node *node, struct step *step);
#include "scenarios/runner/language/steps.def"

/* read_collect.c: reports a query that nothing can use, unless it is expected
 * to stop the machine. */
void read_query_use(struct reader *reader, const struct step *step);

/* read_lost.c: what a part that was reported names counts as used, so that no
 * other error follows from it; a step's `save` has set its variables, and any
 * manifest may have been meant. */
void read_lost(struct reader *reader, const struct node *node);
void read_lost_step(struct reader *reader, const struct node *node);
void read_lost_name(struct reader *reader, const struct node *name);
void read_lost_manifests(struct reader *reader);

/* read_checks.c: a step's expect. */
void read_checks(
    struct reader *reader, const struct node *node, struct step *step);

/* expect_*.c: whether the step can have the expectation, and its form. */
#define CHECK(name, spelling, function, ...)                                   \
    void check_##function(struct reader *reader, const struct step *step,      \
        const struct node *key, const struct node *value);
#include "scenarios/runner/language/checks.def"

/* read_checks.c: what a parallel step asserts, always or at its end. */
void read_assertions(struct reader *reader, const struct node *node,
    struct step *step, struct check **check, size_t *count);

/* expect_results.c: reports an expectation that cannot fail. Returns whether it
 * is one. */
bool refuse_idle(struct reader *reader, const struct node *value);

/* expect_results.c: reports what is not an expectation of one value of the
 * type; NULL, one that was left out, is. */
void check_matcher(
    struct reader *reader, const struct node *node, enum nt_type type);

/* The ids of a covers list. */
void read_covers(struct reader *reader, const struct node *node,
    const char *covers[CHECK_COVERS]);

#endif
