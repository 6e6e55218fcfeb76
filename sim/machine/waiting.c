/* waiting.c - strands that wait, by what they wait for.
 *
 * An interrupt to all processors has thousands wait for one thing, which is
 * looked at at every preemption point. */
#include "sim/machine/waiting.h"

#include <assert.h>
#include <stddef.h>

#include "sim/machine/machine.h"
#include "sim/machine/strand.h"

static struct waiters *make(struct machine *machine)
{
    struct waiting *waiting = &machine->waiting;
    struct waiters *waiters = waiting->free;

    if (waiters != NULL) {
        waiting->free = waiters->next;
    } else {
        waiters = arena_alloc(&machine->arena, sizeof(*waiters));
        assert(waiters != NULL); /* no more than strands */
    }
    return waiters;
}

/* Those that wait for the same as the strand. */
static struct waiters *find(
    struct machine *machine, const struct strand *strand)
{
    struct waiting *waiting = &machine->waiting;
    struct waiters *waiters = waiting->waiters;

    while (
        waiters != NULL && (waiters->condition != strand->condition ||
                               waiters->context != strand->condition_context)) {
        waiters = waiters->next;
    }
    if (waiters == NULL) {
        waiters = make(machine);
        *waiters = (struct waiters){.condition = strand->condition,
            .context = strand->condition_context,
            .next = waiting->waiters};
        waiting->waiters = waiters;
    }
    return waiters;
}

void waiting_add(struct machine *machine, struct strand *strand)
{
    struct waiting *waiting = &machine->waiting;
    struct waiters *waiters = find(machine, strand);

    assert(strand->state != STRAND_READY && strand->waiters == NULL);
    strand->waiters = waiters;
    strand->since = waiting->begun++;
    strand->mate = NULL;
    strand->mate_before = waiters->last;
    *(waiters->last == NULL ? &waiters->first : &waiters->last->mate) = strand;
    waiters->last = strand;
}

/* Nobody waits for it any more. */
static void give_back(struct waiting *waiting, struct waiters *waiters)
{
    struct waiters **link = &waiting->waiters;

    while (*link != waiters) {
        link = &(*link)->next;
    }
    *link = waiters->next;
    waiters->next = waiting->free;
    waiting->free = waiters;
}

void waiting_remove(struct machine *machine, struct strand *strand)
{
    struct waiting *waiting = &machine->waiting;
    struct waiters *waiters = strand->waiters;

    assert(waiters != NULL);
    *(strand->mate_before == NULL ? &waiters->first
                                  : &strand->mate_before->mate) = strand->mate;
    *(strand->mate == NULL ? &waiters->last : &strand->mate->mate_before) =
        strand->mate_before;
    strand->waiters = NULL;
    if (waiters->first == NULL) {
        give_back(waiting, waiters);
    }
}

bool waiting_look(struct machine *machine)
{
    bool any = false;

    for (struct waiters *waiters = machine->waiting.waiters; waiters != NULL;
         waiters = waiters->next) {
        waiters->hold = waiters->condition(waiters->context);
        any |= waiters->hold;
    }
    return any;
}

struct strand *waiting_take(struct machine *machine)
{
    struct strand *oldest = NULL;

    for (const struct waiters *waiters = machine->waiting.waiters;
         waiters != NULL; waiters = waiters->next) {
        if (waiters->hold &&
            (oldest == NULL || waiters->first->since < oldest->since)) {
            oldest = waiters->first;
        }
    }
    if (oldest != NULL) {
        waiting_remove(machine, oldest);
    }
    return oldest;
}

struct strand *waiting_next(
    const struct machine *machine, const struct strand *strand)
{
    struct strand *next = NULL;

    for (const struct waiters *waiters = machine->waiting.waiters;
         waiters != NULL; waiters = waiters->next) {
        struct strand *at = waiters->first;

        while (at != NULL && strand != NULL && at->since <= strand->since) {
            at = at->mate;
        }
        if (at != NULL && (next == NULL || at->since < next->since)) {
            next = at;
        }
    }
    return next;
}
