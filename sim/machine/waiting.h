/* waiting.h - strands that wait, by what they wait for: those with one
 * condition are asked as one. What strand.c and the machine's loop share; not
 * for others.
 */
#ifndef SIM_MACHINE_WAITING_H
#define SIM_MACHINE_WAITING_H

#include <stdbool.h>
#include <stdint.h>

struct machine;
struct strand;

/* All that wait for condition(context). */
struct waiters {
    bool (*condition)(void *context);
    void *context;
    struct strand *first, *last; /* by `mate`, oldest first */
    struct waiters *next;        /* another condition's, or a free one */
    bool hold;                   /* what waiting_look() has found */
};

struct waiting {
    struct waiters *waiters;
    struct waiters *free; /* to be used again */
    uint64_t begun;       /* waits so far */
};

/* The strand, which is ready no more, waits for its condition. */
void waiting_add(struct machine *machine, struct strand *strand);

/* It does so no longer. */
void waiting_remove(struct machine *machine, struct strand *strand);

/* Asks each condition once. Returns whether any holds. */
bool waiting_look(struct machine *machine);

/* Takes out the oldest strand whose condition held at the last look, since
 * which nothing has happened; NULL: there is none. */
struct strand *waiting_take(struct machine *machine);

/* Of all that wait the oldest one that began after `strand`, or the oldest for
 * NULL. NULL: there is none. For reports: it looks at everybody. */
struct strand *waiting_next(
    const struct machine *machine, const struct strand *strand);

#endif
