/* tick_queue.c - timers by the tick at which they are due.
 *
 * Many timers share few ticks, so what the heap compares and moves is a tick,
 * and its timers are a list that is found by it. */
#include "api/ke/tick_queue.h"

#include <assert.h>
#include <stdlib.h>

enum {
    CAPACITY_AT_FIRST = 64,
    CACHE_LINE = 64,
    RECORD_BEFORE = 2, /* lines: a timer's object stands before it */
    RECORD_LINES = 5,
};

static struct clock_timer **bucket_of(
    const struct tick_queue *queue, uint64_t tick)
{
    return &queue->first[tick & (queue->capacity - 1)];
}

/* The first timer of the tick; NULL: there is none. */
static struct clock_timer *find(const struct tick_queue *queue, uint64_t tick)
{
    struct clock_timer *timer;

    if (queue->capacity == 0) {
        return NULL;
    }
    timer = *bucket_of(queue, tick);
    while (timer != NULL && timer->tick != tick) {
        timer = timer->other;
    }
    return timer;
}

static void enter(struct tick_queue *queue, struct clock_timer *timer)
{
    struct clock_timer **bucket = bucket_of(queue, timer->tick);

    timer->other = *bucket;
    *bucket = timer;
}

static void forget(struct tick_queue *queue, struct clock_timer *timer)
{
    struct clock_timer **link = bucket_of(queue, timer->tick);

    while (*link != timer) {
        assert(*link != NULL);
        link = &(*link)->other;
    }
    *link = timer->other;
}

static void put(struct tick_queue *queue, size_t place, struct tick_place entry)
{
    queue->heap[place] = entry;
    entry.first->place = place;
}

/* The tick finds its place, from this one upwards. */
static void rise(
    struct tick_queue *queue, size_t place, struct tick_place entry)
{
    while (place > 1 && entry.tick < queue->heap[place / 2].tick) {
        put(queue, place, queue->heap[place / 2]);
        place /= 2;
    }
    put(queue, place, entry);
}

static void sink(
    struct tick_queue *queue, size_t place, struct tick_place entry)
{
    while (2 * place <= queue->ticks) {
        size_t child = 2 * place;

        child += child < queue->ticks &&
                 queue->heap[child + 1].tick < queue->heap[child].tick;
        if (queue->heap[child].tick >= entry.tick) {
            break;
        }
        put(queue, place, queue->heap[child]);
        place = child;
    }
    put(queue, place, entry);
}

/* The tick of this first timer, which has no other, or none that stays. */
static void take_out(struct tick_queue *queue, struct clock_timer *first)
{
    size_t place = first->place;
    struct tick_place last = queue->heap[queue->ticks--];

    assert(place > 0 && queue->heap[place].first == first);
    forget(queue, first);
    first->place = 0;
    if (last.first == first) {
        return;
    }
    if (place > 1 && last.tick < queue->heap[place / 2].tick) {
        rise(queue, place, last);
    } else {
        sink(queue, place, last);
    }
}

/* There is room for one more tick. */
static void grow(struct tick_queue *queue)
{
    if (queue->ticks + 2 <= queue->capacity) {
        return;
    }
    queue->capacity =
        queue->capacity == 0 ? CAPACITY_AT_FIRST : 2 * queue->capacity;
    assert((queue->capacity & (queue->capacity - 1)) == 0); /* bucket_of() */
    free(queue->first);
    queue->first = calloc(queue->capacity, sizeof(*queue->first));
    queue->heap = realloc(queue->heap, queue->capacity * sizeof(*queue->heap));
    assert(queue->heap != NULL && queue->first != NULL);
    for (size_t i = 1; i <= queue->ticks; i++) {
        enter(queue, queue->heap[i].first);
    }
}

void tick_queue_add(struct tick_queue *queue, struct clock_timer *timer)
{
    struct clock_timer *first = find(queue, timer->tick);

    assert(timer->state == CLOCK_TIMER_IDLE && timer->place == 0);
    timer->state = CLOCK_TIMER_SET;
    timer->next = NULL;
    if (first != NULL) {
        timer->previous = first->previous;
        first->previous->next = timer;
        first->previous = timer;
        return;
    }
    timer->previous = timer;
    grow(queue);
    enter(queue, timer);
    queue->ticks++;
    rise(queue, queue->ticks, (struct tick_place){timer->tick, timer});
}

/* The second timer of a tick is the first from now on. */
static void succeed(struct tick_queue *queue, struct clock_timer *first)
{
    struct clock_timer *second = first->next;

    second->previous = first->previous;
    forget(queue, first);
    enter(queue, second);
    put(queue, first->place, (struct tick_place){second->tick, second});
    first->place = 0;
}

/* What is fetched ahead is of this first timer's tick; NULL: nothing is. */
static void fetch_from(struct tick_queue *queue, struct clock_timer *first)
{
    queue->forward = first;
    queue->back = NULL;
}

void tick_queue_remove(struct tick_queue *queue, struct clock_timer *timer)
{
    assert(timer->state == CLOCK_TIMER_SET);
    timer->state = CLOCK_TIMER_IDLE;
    if (queue->forward == timer || queue->back == timer) {
        fetch_from(queue, NULL);
    }
    if (timer->place == 0) {
        struct clock_timer *behind =
            timer->next != NULL ? timer->next : find(queue, timer->tick);

        timer->previous->next = timer->next;
        behind->previous = timer->previous;
    } else if (timer->next != NULL) {
        succeed(queue, timer);
    } else {
        take_out(queue, timer);
    }
}

struct clock_timer *tick_queue_take(struct tick_queue *queue)
{
    struct clock_timer *first = queue->heap[1].first;

    assert(queue->ticks > 0);
    take_out(queue, first);
    fetch_from(queue, queue->ticks == 0 ? NULL : queue->heap[1].first);
    return first;
}

void tick_queue_fetch(const struct clock_timer *timer)
{
    const char *start = (const char *)timer - RECORD_BEFORE * CACHE_LINE;

    for (size_t line = 0; line < RECORD_LINES; line++) {
        __builtin_prefetch(start + line * CACHE_LINE, true);
    }
}

/* From both ends in turn, so that the host waits for two at once. */
void tick_queue_fetch_ahead(struct tick_queue *queue)
{
    struct clock_timer *from =
        queue->goes_back && queue->back != NULL ? queue->back : queue->forward;

    if (queue->forward == queue->back) {
        return;
    }
    assert(from->state == CLOCK_TIMER_SET);
    __builtin_prefetch(from->touches, true);
    if (queue->back == NULL || queue->goes_back) {
        queue->back = from->previous; /* before the first stands the last */
        tick_queue_fetch(queue->back);
    } else {
        queue->forward = from->next;
        tick_queue_fetch(queue->forward);
    }
    queue->goes_back = !queue->goes_back;
}

void tick_queue_release(struct tick_queue *queue)
{
    free(queue->heap);
    free(queue->first);
}
