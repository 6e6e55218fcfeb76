/* actor_thread.h - the thread of an actor, which goes on in the strand of its
 * next step. */
#ifndef RUNNER_RUN_ACTOR_THREAD_H
#define RUNNER_RUN_ACTOR_THREAD_H

#include <stdbool.h>
#include <stddef.h>

struct kthread;
struct run;

/* Before the first step, in a scenario that asks something of threads: each has
 * its object. */
void actor_thread_make_all(struct run *run);

/* Its thread begins while the scenario runs; and whether that is still to come.
 */
void actor_thread_make(struct run *run, size_t actor);
bool actor_thread_is_to_come(const struct run *run, size_t actor);

/* That of an actor; the scenario asks something of threads. */
struct kthread *actor_thread_object(const struct run *run, size_t actor);

/* Something was asked of the thread: where it does nothing, it looks by
 * itself. */
void actor_thread_look(struct run *run, size_t actor);

/* Somebody has ended it. */
bool actor_thread_has_ended(struct run *run, size_t actor);

/* Makes main(argument) code of the actor's thread, on the processor where that
 * is; main begins with actor_thread_enter() and ends with actor_thread_leave().
 */
void actor_thread_spawn(struct run *run, size_t actor,
    void (*main)(void *argument), void *argument);
void actor_thread_enter(struct run *run, size_t actor);
void actor_thread_leave(struct run *run, size_t actor);

/* Behind each step of it: a program's thread is back in its own code. */
void actor_thread_returns(struct run *run);

#endif
