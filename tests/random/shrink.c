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

/* Each actor has a processor; levels are raised, and lowered as often at most.
 */
static bool is_sound(const struct program *program)
{
    struct reference reference;

    reference_start(&reference, program);
    for (size_t i = 0; i < program->count && !reference.stopped; i++) {
        const struct program_step *step = &program->step[i];

        if (step->actor >= program->groups * program->per_group ||
            (step->kind == ACT_RAISE &&
                step->level < reference.level[step->actor]) ||
            (step->kind == ACT_LOWER &&
                reference.left_count[step->actor] == 0)) {
            return false;
        }
        reference_step(&reference, step);
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

static bool drop_step(struct shrinking *shrinking, size_t at)
{
    struct program smaller = *shrinking->program;

    smaller.count--;
    memmove(&smaller.step[at], &smaller.step[at + 1],
        (smaller.count - at) * sizeof(smaller.step[0]));
    return try_smaller(shrinking, &smaller);
}

static bool drop_descriptor(struct shrinking *shrinking, size_t at, size_t n)
{
    struct program smaller = *shrinking->program;
    struct program_step *step = &smaller.step[at];

    step->descriptor_count--;
    memmove(&step->descriptor[n], &step->descriptor[n + 1],
        (step->descriptor_count - n) * sizeof(step->descriptor[0]));
    return try_smaller(shrinking, &smaller);
}

static bool drop_affinity(struct shrinking *shrinking, size_t at, size_t n)
{
    struct program smaller = *shrinking->program;
    struct program_step *step = &smaller.step[at];

    step->affinity_count--;
    step->group_count = (uint32_t)step->affinity_count;
    memmove(&step->affinity[n], &step->affinity[n + 1],
        (step->affinity_count - n) * sizeof(step->affinity[0]));
    return try_smaller(shrinking, &smaller);
}

static bool drop_element(struct shrinking *shrinking, size_t at)
{
    struct program smaller = *shrinking->program;

    smaller.step[at].count--;
    return try_smaller(shrinking, &smaller);
}

static bool drop_group(struct shrinking *shrinking)
{
    struct program smaller = *shrinking->program;

    smaller.groups--;
    return try_smaller(shrinking, &smaller);
}

static bool shrink_step(struct shrinking *shrinking, size_t at)
{
    const struct program_step *step = &shrinking->program->step[at];
    bool smaller = false;

    for (size_t n = step->descriptor_count; n-- > 0;) {
        smaller |=
            step->descriptor_count > 1 && drop_descriptor(shrinking, at, n);
    }
    for (size_t n = step->affinity_count; n-- > 0;) {
        smaller |= step->affinity_count > 1 && step->group_count > 0 &&
                   drop_affinity(shrinking, at, n);
    }
    while (step->count > 1 && drop_element(shrinking, at)) {
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
            smaller |= drop_step(&shrinking, i) || shrink_step(&shrinking, i);
        }
        while (program->groups > 1 && drop_group(&shrinking)) {
            smaller = true;
        }
    }
}
