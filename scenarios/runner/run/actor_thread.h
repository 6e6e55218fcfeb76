/* actor_thread.h - the thread of an actor, which goes on in the strand of its
 * next step. */
#ifndef RUNNER_RUN_ACTOR_THREAD_H
#define RUNNER_RUN_ACTOR_THREAD_H

#include <stddef.h>

struct run;

/* Makes main(argument) code of the actor's thread, on the processor where that
 * is; main begins with actor_thread_enter() and ends with actor_thread_leave().
 */
void actor_thread_spawn(struct run *run, size_t actor,
    void (*main)(void *argument), void *argument);
void actor_thread_enter(struct run *run, size_t actor);
void actor_thread_leave(struct run *run, size_t actor);

#endif
