/* child.h - an instance that runs in a process of its own, because it loads a
 * driver's native code; the verdict is kept here. */
#ifndef RUNNER_RUN_CHILD_H
#define RUNNER_RUN_CHILD_H

#include <stdio.h>

#include "scenarios/runner/run/sandbox.h"

struct instance;
struct session;
struct verdict;

/* Of an account and the trace; a child that sends more has crashed. */
enum { CHILD_MESSAGE_BYTES = 256 << 20 };

struct child_limits {
    struct sandbox_limits sandbox;
    uint64_t wall_ms; /* for a child that waits, which costs no time of the
                         processor; decides nothing but a time-out */
};

/* This much of the processor's time, four times that and 5 seconds by the
 * clock, 2 GiB, and no guest. */
struct child_limits child_limits_of(uint64_t cpu_us);

/* Whether this process forks the children of such a session itself: it has no
 * nursery, or somebody chooses a schedule or calls that fail, which is done in
 * a copy of this process. */
bool child_is_forked_here(const struct session *session);

/* Like run_instance(), in a child process: the verdict is the same, and the
 * trace's text goes to `trace` (NULL: not wanted) instead of staying in the
 * session. RESULT_TIMEOUT when a limit of time ends the child, RESULT_CRASH
 * when it ends in any other way without a whole verdict, then with one failure
 * at the scenario's root and no trace. RESULT_INTERNAL also when the host gives
 * no process or no sandbox. */
struct verdict *child_run(void *context, struct session *session,
    const struct instance *instance, const struct child_limits *limits,
    FILE *trace);

/* What runs in the child: run_instance(), or a function in its place. */
typedef struct verdict *child_body(
    void *context, struct session *session, const struct instance *instance);

/* child_run() with this body. */
struct verdict *child_execute(void *context, struct session *session,
    const struct instance *instance, const struct child_limits *limits,
    child_body *body, FILE *trace);

#endif
