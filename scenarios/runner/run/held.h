/* held.h - what drivers hold: compared with what an expectation says of it, and
 * asked of all of them when an instance has come to its end. */
#ifndef RUNNER_RUN_HELD_H
#define RUNNER_RUN_HELD_H

#include <stdbool.h>
#include <stddef.h>

struct node;
struct run;

/* Compares what the actor holds with `wanted`, none or a list of kinds, counted
 * by kind. NULL when they are the same, else what it holds, for people; lives
 * as long as the run. */
const char *held_differs(
    struct run *run, size_t actor, const struct node *wanted);

/* An expectation of what the actor holds was evaluated; NULL: it was left out,
 * so nobody knows. In `finally` the last one says what it ends with. */
void held_expect(struct run *run, size_t actor, const struct node *wanted);

/* An actor with an image is loaded since the step with that key; NULL: it is
 * not any more, and has answered for what it left. */
void held_loaded(struct run *run, size_t actor, const struct node *load);

/* At the end: fails where an actor without image, or a driver that is still
 * loaded, holds anything else than `finally` expects of it, or anything when
 * that expects nothing. */
void held_report(struct run *run);

#endif
