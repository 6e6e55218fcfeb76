/* coroutine.c - functions that stop and go on, on stacks of their own.
 *
 * They are Boost.Context's two C symbols; the sanitizer is told of each switch.
 */
#include "sim/base/coroutine.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "sim/base/asan_fiber.h"

/* The library ships no C header; these are its ABI (boost 1.61 and later). */
struct context_transfer {
    void *context;
    void *data;
};
struct context_transfer jump_fcontext(void *to, void *data);
void *make_fcontext(void *stack_top, size_t stack_bytes,
    void (*entry)(struct context_transfer));

bool coroutine_check(const struct coroutine *c)
{
    uintptr_t bottom = (uintptr_t)c->stack;
    uintptr_t at = (uintptr_t)c->context;

    assert(c->entry != NULL);
    assert(c->stack_bytes > 0);
    assert(at >= bottom && at - bottom < c->stack_bytes);
    return true;
}

/* `c` goes on, resumed, or in the place of one that has switched to it. */
static void coroutine_arrive(
    struct coroutine *c, const struct context_transfer *from)
{
    struct coroutine *other = from->data;

    if (other == c) {
        c->host_context = from->context;
        asan_fiber_enter(c->fake_stack, &c->host_bottom, &c->host_size);
    } else {
        other->context = from->context;
        asan_fiber_enter(c->fake_stack, NULL, NULL);
    }
}

/* Switches to the resumer; returns when `c` goes on again. */
static void coroutine_leave(struct coroutine *c, void **fake_stack)
{
    struct context_transfer from;

    asan_fiber_leave(fake_stack, c->host_bottom, c->host_size);
    from = jump_fcontext(c->host_context, c);
    coroutine_arrive(c, &from);
}

_Noreturn void coroutine_end(struct coroutine *c)
{
    c->done = true;
    c->entry = NULL; /* in the middle: coroutine_again() cannot go on here */
    coroutine_leave(c, NULL);
    assert(false && "a finished coroutine was resumed");
    abort();
}

static void coroutine_main(struct context_transfer from)
{
    struct coroutine *c = from.data;

    c->host_context = from.context;
    asan_fiber_enter(NULL, &c->host_bottom, &c->host_size);
    for (;;) {
        c->entry(c->argument);
        c->done = true;
        coroutine_leave(c, &c->fake_stack);
        assert(!c->done); /* coroutine_again() */
    }
}

void coroutine_init(struct coroutine *c, void *stack, size_t stack_bytes,
    void (*entry)(void *argument), void *argument)
{
    char *top = (char *)stack + stack_bytes;

    asan_fiber_clean(stack, stack_bytes);
    *c = (struct coroutine){
        .context = make_fcontext(top, stack_bytes, coroutine_main),
        .stack = stack,
        .stack_bytes = stack_bytes,
        .entry = entry,
        .argument = argument,
    };
    assert(coroutine_check(c));
}

void coroutine_again(
    struct coroutine *c, void (*entry)(void *argument), void *argument)
{
    assert(c->done && c->entry != NULL);
    c->entry = entry;
    c->argument = argument;
    c->done = false;
    assert(coroutine_check(c));
}

struct coroutine *coroutine_resume(struct coroutine *c)
{
    struct context_transfer from;
    struct coroutine *last;
    void *host_fake_stack = NULL;

    assert(!c->done);
    assert(coroutine_check(c));
    asan_fiber_leave(&host_fake_stack, c->stack, c->stack_bytes);
    from = jump_fcontext(c->context, c);
    last = from.data;
    last->context = from.context;
    asan_fiber_enter(host_fake_stack, NULL, NULL);
    return last;
}

void coroutine_suspend(struct coroutine *c)
{
    assert(!c->done);
    coroutine_leave(c, &c->fake_stack);
}

void coroutine_switch(struct coroutine *c, struct coroutine *to)
{
    struct context_transfer from;

    assert(!c->done && c != to && !to->done);
    assert(to->host_context != NULL); /* or it would take `c` for itself */
    assert(coroutine_check(to));
    to->host_context = c->host_context;
    to->host_bottom = c->host_bottom;
    to->host_size = c->host_size;
    asan_fiber_leave(&c->fake_stack, to->stack, to->stack_bytes);
    from = jump_fcontext(to->context, c);
    coroutine_arrive(c, &from);
}
