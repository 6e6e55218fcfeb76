/* tick_queue.h - timers by the tick at which they are due: a heap of ticks,
 * each with its timers in the order of setting. Knows no time and no processor.
 */
#ifndef API_KE_TICK_QUEUE_H
#define API_KE_TICK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel;

enum clock_timer_state {
    CLOCK_TIMER_IDLE,
    CLOCK_TIMER_SET, /* in the queue */
    CLOCK_TIMER_DUE, /* its tick has come, it has not been called */
};

/* Something that is due at a tick. Its owner keeps it, zero at first but for
 * the first two. */
struct clock_timer {
    /* Called on the processor, at DISPATCH_LEVEL, in the interrupt that the
     * clock's leads to; it is set no more then. */
    void (*expired)(struct kernel *kernel, struct clock_timer *timer);
    uint32_t processor;
    uint8_t state; /* enum clock_timer_state */
    bool fine;     /* its tick is one of 100 ns */
    uint64_t tick;
    uint64_t due; /* its interrupt time; 0: when that tick comes */
    /* What `expired` is going to touch besides the record: the host fetches it
     * before. NULL: nothing. */
    const void *touches;
    /* Of those of its tick, or of its processor once it is due. Before the
     * first one of a tick stands the last. */
    struct clock_timer *next, *previous;
    /* Of the first one of a tick: its place in the heap, from 1, else 0; and
     * another tick's first. */
    size_t place;
    struct clock_timer *other;
};

struct tick_place {
    uint64_t tick;
    struct clock_timer *first;
};

struct tick_queue {
    struct tick_place *heap;    /* the earliest at 1 */
    struct clock_timer **first; /* of a tick, by its low bits: as `other` */
    size_t ticks, capacity;     /* of both; a power of two, or 0 */
    /* Of the tick that tick_queue_fetch_ahead() is at, what was fetched last,
     * from its first timer on and from its last one back. The same: all were,
     * or there is none. */
    struct clock_timer *forward, *back;
    bool goes_back; /* the next time */
};

/* The earliest tick; UINT64_MAX: there is no timer. */
static inline uint64_t tick_queue_next(const struct tick_queue *queue)
{
    return queue->ticks == 0 ? UINT64_MAX : queue->heap[1].tick;
}

/* The timer is in no queue, and its tick says where it goes. */
void tick_queue_add(struct tick_queue *queue, struct clock_timer *timer);

/* It is in this one. */
void tick_queue_remove(struct tick_queue *queue, struct clock_timer *timer);

/* Takes out all timers of the earliest tick: the first, and by `next` the
 * others. There is one. */
struct clock_timer *tick_queue_take(struct tick_queue *queue);

/* Has the host fetch one more timer of the tick behind the last that was taken:
 * nobody has touched those since they were set, to fetch one takes longer than
 * all else of an expiry, and each is found by its neighbour only. Changes
 * nothing that can be seen. */
void tick_queue_fetch_ahead(struct tick_queue *queue);

/* The same of one that was found. */
void tick_queue_fetch(const struct clock_timer *timer);

void tick_queue_release(struct tick_queue *queue);

#endif
