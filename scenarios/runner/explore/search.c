/* search.c - schedules in order of their preemptions: each that was tried gives
 * those that have one more. Of two that differ only in whether a processor was
 * kept before or behind something that nobody else has anything to do with, the
 * one in which it was kept behind stands for both. */
#include "scenarios/runner/explore/search.h"

#include <assert.h>
#include <stdlib.h>
#include <talloc.h>

#include "scenarios/runner/explore/tried.h"
#include "scenarios/runner/run/verdict.h"

#define NO_PARENT UINT32_MAX

/* Of a schedule that every part tries: what can be left out further on depends
 * on those that were tried. */
enum { SEARCH_SHARED = 1 };

/* A schedule: that of its parent up to a choice, where another processor goes
 * on; from there on as usual. */
struct choice_node {
    uint32_t parent;
    uint32_t preemptions;
    struct deviation deviation;
    uint32_t kept;    /* the processor that goes on in the parent */
    uint32_t run;     /* the machine's */
    bool may_be_same; /* as the one that deviates one choice later */
    struct schedule_footprint touched; /* by that one then */
};

/* The one tried last in which this processor goes on, of the parent's. */
struct sibling {
    uint32_t processor, choice;
    struct schedule_footprint others; /* what all but the one that is kept
                                         touch from there on */
};

struct frontier {
    struct choice_node *node; /* free() frees it: talloc has too little room */
    size_t count, capacity;
    /* Those that were tried or will be, because there is none that they may be
     * the same as. */
    uint64_t certain;
    uint32_t parent; /* of the siblings */
    struct sibling *sibling;
    size_t siblings, sibling_capacity;
};

static void push(struct frontier *frontier, const struct choice_node *node)
{
    if (frontier->count == frontier->capacity) {
        frontier->capacity =
            frontier->capacity == 0 ? 256 : 2 * frontier->capacity;
        frontier->node = realloc(
            frontier->node, frontier->capacity * sizeof(*frontier->node));
        assert(frontier->node != NULL);
    }
    frontier->node[frontier->count++] = *node;
    frontier->certain += !node->may_be_same;
}

static struct sibling *find_sibling(
    struct frontier *frontier, uint32_t processor)
{
    for (size_t i = 0; i < frontier->siblings; i++) {
        if (frontier->sibling[i].processor == processor) {
            return &frontier->sibling[i];
        }
    }
    return NULL;
}

static struct sibling *make_sibling(
    struct frontier *frontier, uint32_t processor)
{
    struct sibling *sibling = find_sibling(frontier, processor);

    if (sibling != NULL) {
        return sibling;
    }
    if (frontier->siblings == frontier->sibling_capacity) {
        frontier->sibling_capacity = 2 * frontier->sibling_capacity + 8;
        frontier->sibling = talloc_realloc(frontier, frontier->sibling,
            struct sibling, (unsigned)frontier->sibling_capacity);
        assert(frontier->sibling != NULL);
    }
    sibling = &frontier->sibling[frontier->siblings++];
    sibling->processor = processor;
    return sibling;
}

/* Whether the schedule in which the processor is kept one choice later was
 * tried, and what lies between makes no difference to anybody. */
static bool is_same(struct frontier *frontier, const struct choice_node *node)
{
    struct sibling *sibling;

    if (node->parent != frontier->parent) {
        frontier->parent = node->parent;
        frontier->siblings = 0;
    }
    sibling = find_sibling(frontier, node->deviation.processor);
    if (!node->may_be_same || sibling == NULL ||
        sibling->choice != node->deviation.choice + 1 ||
        schedule_footprints_conflict(node->touched, sibling->others)) {
        return false;
    }
    sibling->choice = node->deviation.choice;
    return true;
}

/* It was tried: what others touch while the processor may still be kept. */
static void note_sibling(struct frontier *frontier,
    const struct choice_node *node, const struct tried *tried)
{
    struct sibling *sibling = make_sibling(frontier, node->deviation.processor);

    sibling->choice = node->deviation.choice;
    sibling->others = (struct schedule_footprint){0};
    for (size_t i = node->deviation.choice;
         i < tried->log->count && tried->log->choice[i].run == node->run; i++) {
        const struct tried_choice *choice = &tried->log->choice[i];

        if (choice->taken != node->kept || !choice->alone) {
            schedule_footprint_add(&sibling->others, choice->touched);
        }
    }
}

static bool is_shared(const struct choice_node *node)
{
    return node->preemptions <= SEARCH_SHARED;
}

/* Whether those that come of this one are another part's. */
static bool is_elsewhere(
    const struct search *search, const struct choice_node *node, uint32_t n)
{
    return search->parts != 0 && node->preemptions == SEARCH_SHARED &&
           n % search->parts != search->part - 1;
}

/* What every part leaves is counted in the first. */
static void leave(struct search *search, const struct choice_node *node)
{
    search->left += search->parts == 0 || search->part == 1 || !is_shared(node);
}

/* Whether it is one too many. Parts have the same share of what they do not
 * have in common. */
static bool is_too_many(
    const struct search *search, const struct choice_node *node)
{
    uint64_t own = search->max_schedules - search->shared;

    if (search->parts != 0 && !is_shared(node)) {
        return search->schedules - search->shared >=
               own / search->parts + (search->part <= own % search->parts);
    }
    return search->schedules >= search->max_schedules;
}

/* Whether the same processor goes on one choice later, kept is the same one,
 * and nobody else went on between. */
static bool may_be_same(
    const struct search *search, uint32_t number, uint32_t processor)
{
    const struct tried *tried = search->tried;
    const struct tried_choice *choice = &tried->log->choice[number];

    return !search->every && choice->alone && number + 1 < tried->log->count &&
           choice[1].taken == choice->taken &&
           tried_could(tried, number + 1, processor);
}

static void push_choice(struct search *search, struct frontier *frontier,
    uint32_t parent, uint32_t number)
{
    const struct tried *tried = search->tried;
    const struct tried_choice *choice = &tried->log->choice[number];
    struct choice_node node = {
        .parent = parent,
        .preemptions = frontier->node[parent].preemptions + 1,
        .kept = choice->taken,
        .run = choice->run,
        .touched = choice->touched,
    };

    for (uint32_t i = 0; i < choice->count; i++) {
        uint32_t processor = tried->log->candidate[choice->first + i];

        if (processor == choice->taken) {
            continue;
        }
        if (frontier->certain >= search->max_schedules) {
            leave(search, &node);
            continue;
        }
        node.deviation = (struct deviation){number, processor};
        node.may_be_same = may_be_same(search, number, processor);
        push(frontier, &node);
    }
}

/* Those with one preemption more than the one that was just tried, the latest
 * first. */
static void push_children(
    struct search *search, struct frontier *frontier, uint32_t parent)
{
    const struct choice_node *node = &frontier->node[parent];
    uint32_t first = node->parent == NO_PARENT ? 0 : node->deviation.choice + 1;

    if (node->preemptions == search->preemptions ||
        is_elsewhere(search, node, parent)) {
        return;
    }
    for (uint32_t i = (uint32_t)search->tried->log->count; i-- > first;) {
        push_choice(search, frontier, parent, i);
    }
}

static struct deviations deviations_of(
    void *context, const struct frontier *frontier, uint32_t n)
{
    struct deviations made = {.count = frontier->node[n].preemptions};

    made.item =
        talloc_array(context, struct deviation, (unsigned)made.count + 1);
    assert(made.item != NULL);
    for (size_t i = made.count; i-- > 0;) {
        made.item[i] = frontier->node[n].deviation;
        n = frontier->node[n].parent;
    }
    return made;
}

/* Returns whether it is what was looked for. */
static bool try_node(
    void *context, struct search *search, struct frontier *frontier, uint32_t n)
{
    void *memory = talloc_new(context);
    struct deviations deviations = deviations_of(memory, frontier, n);
    struct verdict *verdict =
        tried_replay(memory, search->tried, &deviations, NULL);
    bool found;

    search->coming = frontier->count - n - 1;
    found = search->heard(search->context, verdict);
    search->schedules++;
    search->shared += is_shared(&frontier->node[n]);
    frontier->certain += frontier->node[n].may_be_same;
    if (n > 0) {
        note_sibling(frontier, &frontier->node[n], search->tried);
    }
    talloc_free(memory);
    return found;
}

bool search_run(void *context, struct search *search, struct deviations *found)
{
    struct frontier *frontier = talloc_zero(context, struct frontier);
    const struct choice_node usual = {.parent = NO_PARENT};
    bool ended = false;

    assert(frontier != NULL);
    frontier->parent = NO_PARENT;
    push(frontier, &usual);
    for (uint32_t n = 0; n < frontier->count && !ended; n++) {
        if (n > 0 && is_same(frontier, &frontier->node[n])) {
            search->same++;
        } else if (is_too_many(search, &frontier->node[n])) {
            leave(search, &frontier->node[n]);
        } else if (try_node(context, search, frontier, n)) {
            *found = deviations_of(context, frontier, n);
            ended = true;
        } else {
            push_children(search, frontier, n);
        }
    }
    free(frontier->node);
    talloc_free(frontier);
    return ended;
}
