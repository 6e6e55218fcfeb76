/* shrink.c - leaves out steps, and parts of steps, as long as what is left
 * fails. */
#include "tests/random/shrink.h"

#include <string.h>

#include "tests/random/reference.h"

struct shrinking {
    struct program *program;
    bool (*fails)(void *argument, const struct program *program);
    void *argument;
};

/* What every step uses is there when it comes. */
static bool is_sound(const struct program *program)
{
    struct reference reference;
    struct answer answer;

    reference_start(&reference, program);
    for (size_t i = 0; i < program->count && !reference.stopped; i++) {
        if (!reference_allows(&reference, &program->step[i])) {
            return false;
        }
        reference_step(&reference, &program->step[i], &answer);
    }
    return program->count > 0;
}

/* Takes the smaller one in if it fails too. */
static bool try_smaller(
    struct shrinking *shrinking, const struct program *smaller)
{
    if (!is_sound(smaller) || !shrinking->fails(shrinking->argument, smaller)) {
        return false;
    }
    *shrinking->program = *smaller;
    return true;
}

/* Leaves out the step and those that use what it made, which are later. */
static bool drop_step(struct shrinking *shrinking, size_t at)
{
    struct program smaller = *shrinking->program;
    struct reference reference;
    struct answer answer;
    size_t count = 0;

    memmove(&smaller.step[at], &smaller.step[at + 1],
        (smaller.count - at - 1) * sizeof(smaller.step[0]));
    reference_start(&reference, &smaller);
    for (size_t i = 0; i + 1 < smaller.count && !reference.stopped; i++) {
        smaller.step[count] = smaller.step[i];
        if (reference_allows(&reference, &smaller.step[count])) {
            reference_step(&reference, &smaller.step[count], &answer);
            count++;
        }
    }
    smaller.count = count;
    return try_smaller(shrinking, &smaller);
}

/* Leaves out one of the `count` elements that a list has; nothing outside of
 * it changes with them. */
static bool drop_element(struct shrinking *shrinking, struct program *smaller,
    void *list, size_t size, size_t *count, size_t n)
{
    char *element = (char *)list + n * size;

    --*count;
    memmove(element, element + size, (*count - n) * size);
    return try_smaller(shrinking, smaller);
}

static bool drop_descriptor(struct shrinking *shrinking, size_t at, size_t n)
{
    struct program smaller = *shrinking->program;
    struct claim *claim = &smaller.step[at].claim;

    return claim->descriptor_count > 1 &&
           drop_element(shrinking, &smaller, claim->descriptor,
               sizeof(claim->descriptor[0]), &claim->descriptor_count, n);
}

static bool drop_affinity(struct shrinking *shrinking, size_t at, size_t n)
{
    struct program smaller = *shrinking->program;
    struct claim *claim = &smaller.step[at].claim;

    if (claim->affinity_count < 2 || claim->group_count == 0) {
        return false;
    }
    claim->group_count--;
    return drop_element(shrinking, &smaller, claim->affinity,
        sizeof(claim->affinity[0]), &claim->affinity_count, n);
}

static bool drop_counter(struct shrinking *shrinking, size_t at, size_t n)
{
    struct program smaller = *shrinking->program;
    struct registering *registering = &smaller.step[at].registering;

    return drop_element(shrinking, &smaller, registering->counter,
        sizeof(registering->counter[0]), &registering->counter_count, n);
}

static bool drop_added(struct shrinking *shrinking, size_t at, size_t n)
{
    struct program smaller = *shrinking->program;
    struct registering *registering = &smaller.step[at].registering;

    return drop_element(shrinking, &smaller, registering->added,
        sizeof(registering->added[0]), &registering->added_count, n);
}

static bool drop_reload(struct shrinking *shrinking, size_t at)
{
    struct program smaller = *shrinking->program;
    struct reload *reload = &smaller.step[at].claim.reload;

    if (!reload->used) {
        return false;
    }
    *reload = (struct reload){0};
    return try_smaller(shrinking, &smaller);
}

static bool shorten(struct shrinking *shrinking, size_t at)
{
    struct program smaller = *shrinking->program;
    struct program_step *step = &smaller.step[at];

    if (step->configuration.count < 2) {
        return false;
    }
    step->configuration.count--;
    return try_smaller(shrinking, &smaller);
}

static bool shorten_run(struct shrinking *shrinking, size_t at)
{
    struct program smaller = *shrinking->program;
    struct program_step *step = &smaller.step[at];

    if (step->counting.cycles < 2) {
        return false;
    }
    step->counting.cycles /= 2;
    return try_smaller(shrinking, &smaller);
}

/* Every instance, by any name, with all counters. */
static bool widen_filter(struct shrinking *shrinking, size_t at)
{
    struct program smaller = *shrinking->program;
    struct asking *asking = &smaller.step[at].asking;

    if (asking->pattern == 0 && asking->any_id && asking->multiple &&
        asking->counter_count == 0) {
        return false;
    }
    asking->pattern = 0;
    asking->any_id = asking->multiple = true;
    asking->counter_count = 0;
    return try_smaller(shrinking, &smaller);
}

static bool drop_group(struct shrinking *shrinking)
{
    struct program smaller = *shrinking->program;

    smaller.machine.groups--;
    return try_smaller(shrinking, &smaller);
}

static bool drop_actor(struct shrinking *shrinking)
{
    struct program smaller = *shrinking->program;

    smaller.actors--;
    smaller.machine.silos = smaller.machine.silos && smaller.actors > 1;
    return try_smaller(shrinking, &smaller);
}

static bool shrink_claim(struct shrinking *shrinking, size_t at)
{
    const struct claim *claim = &shrinking->program->step[at].claim;
    bool smaller = drop_reload(shrinking, at);

    for (size_t n = claim->descriptor_count; n-- > 0;) {
        smaller |= drop_descriptor(shrinking, at, n);
    }
    for (size_t n = claim->affinity_count; n-- > 0;) {
        smaller |= drop_affinity(shrinking, at, n);
    }
    return smaller;
}

static bool shrink_registering(struct shrinking *shrinking, size_t at)
{
    const struct registering *registering =
        &shrinking->program->step[at].registering;
    bool smaller = false;

    for (size_t n = registering->counter_count; n-- > 0;) {
        smaller |= drop_counter(shrinking, at, n);
    }
    for (size_t n = registering->added_count; n-- > 0;) {
        smaller |= drop_added(shrinking, at, n);
    }
    return smaller;
}

static bool shrink_step(struct shrinking *shrinking, size_t at)
{
    const enum act kind = shrinking->program->step[at].kind;
    bool smaller = false;

    if (kind == ACT_ALLOCATE) {
        return shrink_claim(shrinking, at);
    }
    if (kind == ACT_REGISTER) {
        return shrink_registering(shrinking, at);
    }
    if (kind == ACT_COLLECT || kind == ACT_OPEN) {
        return widen_filter(shrinking, at);
    }
    while ((kind == ACT_CONFIGURE || kind == ACT_QUERY) &&
           shorten(shrinking, at)) {
        smaller = true;
    }
    while (kind == ACT_RUN && shorten_run(shrinking, at)) {
        smaller = true;
    }
    return smaller;
}

void program_shrink(struct program *program,
    bool (*fails)(void *argument, const struct program *program),
    void *argument)
{
    struct shrinking shrinking = {program, fails, argument};
    bool smaller = true;

    while (smaller) {
        smaller = false;
        for (size_t i = program->count; i-- > 0;) {
            if (i < program->count) {
                smaller |=
                    drop_step(&shrinking, i) || shrink_step(&shrinking, i);
            }
        }
        while (program->machine.groups > 1 && drop_group(&shrinking)) {
            smaller = true;
        }
        while (program->actors > 1 && drop_actor(&shrinking)) {
            smaller = true;
        }
    }
}
