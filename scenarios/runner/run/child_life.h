/* child_life.h - what a child does from its first instruction to its last, and
 * the message that it leaves: what it shows of its steps, if somebody watches,
 * and CHILD_STEPS_END; samples, if somebody wants them; CHILD_HEAD, the
 * account, the trace, CHILD_TAIL. */
#ifndef RUNNER_RUN_CHILD_LIFE_H
#define RUNNER_RUN_CHILD_LIFE_H

#include <stdbool.h>
#include <sys/types.h>

#include "scenarios/runner/run/child.h"

struct crash_note;

enum {
    CHILD_PIPE =
        0, /* no file of the parent's that is written has this number */
    CHILD_STEPS_END = 0, /* a byte */
    CHILD_HEAD = 0x4E545056,
    CHILD_TAIL = 0x56505445,
};

struct child_life {
    struct session *session;
    const struct instance *instance;
    const struct child_limits *limits;
    bool traced;
    struct crash_note *note; /* NULL: the host gave none */
};

/* Leaves nothing open but the error output and the pipe, which is descriptor
 * CHILD_PIPE then. False: the host refuses. */
bool child_keep_pipe(int pipe);

/* What all children begin with, done once by the process that forks them: the C
 * library looks up what it needs for a stream in memory when it makes the first
 * one. */
void child_prepare(void);

/* For a process that was just forked by `parent`: writes the message to `pipe`,
 * and ends. What the parent had buffered stays unwritten, and nothing that runs
 * at exit runs here. */
_Noreturn void child_live(
    const struct child_life *life, int pipe, pid_t parent, child_body *body);

#endif
