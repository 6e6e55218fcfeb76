/* coroutine.h - a function with a stack of its own that can stop in the middle
 * and go on later. Knows nothing of processors or time. */
#ifndef SIM_BASE_COROUTINE_H
#define SIM_BASE_COROUTINE_H

#include <stdbool.h>
#include <stddef.h>

struct coroutine {
    void *context;      /* where it goes on; Boost.Context's own */
    void *host_context; /* where its resumer goes on */
    void *fake_stack;   /* AddressSanitizer's, while suspended */
    const void *host_bottom;
    size_t host_size;
    void *stack; /* lowest byte; the caller's */
    size_t stack_bytes;
    void (*entry)(void *argument);
    void *argument;
    bool done; /* entry has returned */
};

/* Prepares `c` to run entry(argument) on the given stack, which stays the
 * caller's and must live as long as the coroutine is resumed. */
void coroutine_init(struct coroutine *c, void *stack, size_t stack_bytes,
    void (*entry)(void *argument), void *argument);

/* The same on the stack of one that is done, which costs less; not behind
 * coroutine_end(). */
void coroutine_again(
    struct coroutine *c, void (*entry)(void *argument), void *argument);

/* Whether it was prepared and goes on on its own stack; asserts each part. */
bool coroutine_check(const struct coroutine *c);

/* Runs `c` until it, or whoever it has switched to, suspends or returns, and
 * returns that one. Not to be called once it is done, nor from within
 * itself. */
struct coroutine *coroutine_resume(struct coroutine *c);

/* From within `c`: gives control back to whoever resumed it. A coroutine that
 * is never resumed again may simply be forgotten. */
void coroutine_suspend(struct coroutine *c);

/* From within `c`, which is suspended: `to`, which has been resumed once and is
 * suspended, goes on in its place, and gives control back to its resumer. */
void coroutine_switch(struct coroutine *c, struct coroutine *to);

/* From within `c`: as if its entry had returned, from wherever it is. */
_Noreturn void coroutine_end(struct coroutine *c);

#endif
