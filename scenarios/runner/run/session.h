/* session.h - what one run of instances shares: the machine, the kernel on it,
 * and what was asked for. */
#ifndef RUNNER_RUN_SESSION_H
#define RUNNER_RUN_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "api/core/kernel.h"
#include "scenarios/runner/language/requirements.h"
#include "scenarios/runner/run/run_settings.h"
#include "sim/machine/machine.h"

struct account;
struct fault_chooser;
struct nursery;
struct sampling;

/* What one run of instances shares. */
struct session {
    struct machine machine;
    struct kernel kernel;
    struct driver_files *drivers; /* NULL: none was allowed */
    struct nursery *nursery;      /* that makes children; NULL: none */
    struct run_words given;       /* -D */
    struct run_words fail_scope;  /* --fail-scope */
    const struct requirements *requirements;
    bool documented; /* expectations with another basis are not asked (basis.h)
                      */
    struct account *account;         /* of the run, for another process or from
                                        one; NULL: neither */
    struct step_view *step_view;     /* NULL: nobody watches */
    const struct sampling *sampling; /* of counter sets; NULL: nobody samples */
    FILE *samples_out;               /* where samples are sent as they come;
                                        NULL: nowhere */
    bool strict_imports; /* an image that imports what is not modelled is not
                            loaded */
    bool literals;       /* a verdict says what was compared */
    bool gdb;            /* it stops before each DriverEntry, for a debugger */
    bool keep_going;     /* steps that come after a failure run all the same */
    bool step_drivers; /* each instruction of theirs is a choice of schedules */
    struct schedule *schedule;     /* who goes on; NULL: as usual */
    struct fault_chooser *chooser; /* of calls that fail; NULL: none do */
    bool forgives; /* calls are made to fail: what the scenario expects may not
                      come, and only what is wrong in any case is a failure */
    bool fails_steps; /* one of those calls is an actor's, not an image's */
    size_t own_step;  /* of the scenario's own steps the one that runs: its
                         ordinal */
    uint64_t budget;  /* preemption points that an instance may pass: a bound
                         on time that does not depend on the host */
};

/* Reserves the machine. Returns false when the host refuses. */
bool session_open(
    struct session *session, const struct requirements *requirements);
void session_close(struct session *session);

/* Says why session_open() was refused, and what to do. */
void session_say_refused(FILE *errors);

#endif
