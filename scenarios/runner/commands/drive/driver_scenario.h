/* driver_scenario.h - a driver's image by itself: what is done with it is a
 * scenario of our own, so that all that is checked of one is checked of it. */
#ifndef RUNNER_COMMANDS_DRIVE_DRIVER_SCENARIO_H
#define RUNNER_COMMANDS_DRIVE_DRIVER_SCENARIO_H

#include <stdio.h>

#include "scenarios/runner/command_line/options.h"
#include "scenarios/runner/run/exit_code.h"
#include "scenarios/runner/run/run.h"
#include "scenarios/runner/run/session.h"

struct driver_scenario {
    const char *path, *name;
    const char *os; /* the machine's version of Windows */
    struct session session;
    struct instance instance; /* once it was made */
    void *context;            /* memory */
    size_t steps;             /* load is the first, the end the last */
    size_t steps_line;        /* of the first in the text */
    bool reserved;            /* the session has its machine */
};

/* What comes before its steps, and their number. */
struct driver_scenario_head {
    const char *comment; /* whole lines, or "" */
    const char *id, *title;
    bool integrity; /* what memory integrity would have otherwise is reported */
    bool program;   /* steps are of a process with this name */
    /* Whole lines in front of the steps and behind them. NULL: none, and that
     * the driver is unloaded. */
    const char *cases, *end;
};

/* Makes the session for the image at `path`. EXIT_OK, or what to exit with
 * after saying why on stderr; it is to be closed in both cases. */
enum exit_code driver_scenario_open(struct driver_scenario *made,
    const char *path, const struct options *options);

/* The text of a scenario with these steps between load and the end, one a line
 * of which each begins with "  - ", on the machine that the options choose.
 * Child of its context. */
char *driver_scenario_text(const struct driver_scenario *made,
    const struct options *options, const struct driver_scenario_head *head,
    const char *steps);

/* Makes the instance of a text. False after saying on stderr what is wrong,
 * which the options' readers have let pass. */
bool driver_scenario_make(struct driver_scenario *made, const char *text);

/* Which of its steps, counted from 1, a line of its text is; 0: none. */
size_t driver_scenario_step(const struct driver_scenario *made, size_t line);

void driver_scenario_close(struct driver_scenario *made);

/* Which of its steps, counted from 1, a failure of its verdict is of; 0: none.
 */
size_t driver_scenario_failed(const struct failure *failure);

/* Writes a failure of its verdict: during which of the steps, of which the last
 * has this name, and what. */
void driver_scenario_print(const struct driver_scenario *made,
    const struct failure *failure, const char *last, FILE *out);

#endif
