/* generate.c - random programs: mostly sound calls that get in each other's
 * way, now and then one that is wrong in a way that has a documented answer. */
#include <string.h>

#include "tests/random/program.h"
#include "tests/splitmix.h"

static unsigned below(struct splitmix *stream, unsigned bound)
{
    return (unsigned)splitmix_below(stream, bound);
}

static bool one_in(struct splitmix *stream, unsigned odds)
{
    return below(stream, odds) == 0;
}

/* Bits of processors that are not there are left out: what becomes of them is
 * HAL-ALLOC-33a, a ruling. */
static void make_affinity(struct splitmix *stream,
    const struct program *program, struct program_step *step)
{
    const unsigned active = (1U << program->per_group) - 1;

    step->affinity_given = true;
    step->affinity_count = 1 + below(stream, PROGRAM_AFFINITIES);
    step->group_count = (uint32_t)step->affinity_count;
    for (size_t i = 0; i < step->affinity_count; i++) {
        step->affinity[i] = (struct affinity){
            .group = below(stream, program->groups),
            .mask = 1 + below(stream, active),
            .reserved = one_in(stream, 20),
        };
    }
    if (one_in(stream, 20)) {
        step->affinity[0].group = program->groups;
    }
    if (one_in(stream, 20)) {
        step->affinity[step->affinity_count - 1].mask = 0;
    }
    if (one_in(stream, 20)) {
        step->group_count = 0;
    }
}

/* Mostly an index that there is. */
static uint32_t make_index(
    struct splitmix *stream, const struct program *program)
{
    const unsigned n = below(stream, program->general + program->fixed);

    if (one_in(stream, 25)) {
        static const uint32_t odd[] = {31, 35, 63, 64, 0x40000000, UINT32_MAX};

        return odd[below(stream, sizeof(odd) / sizeof(odd[0]))];
    }
    return n < program->general ? n : 32 + n - program->general;
}

static struct descriptor make_descriptor(
    struct splitmix *stream, const struct program *program)
{
    struct descriptor one = {.type = DESCRIPTOR_SINGLE};
    const unsigned kind = below(stream, 40);

    if (kind >= 20 && kind < 30) {
        one.type = DESCRIPTOR_RANGE;
    } else if (kind >= 30 && kind < 35) {
        one.type = DESCRIPTOR_OVERFLOW;
    } else if (kind >= 35 && kind < 37) {
        one.type = DESCRIPTOR_TAG;
    } else if (kind >= 37) {
        one.type = kind == 37   ? DESCRIPTOR_EXTENDED
                   : kind == 38 ? DESCRIPTOR_EVENT_BUFFER
                                : DESCRIPTOR_NONE;
    }
    one.flags = one_in(stream, 20) ? 1U << below(stream, 32) : 0;
    one.first = make_index(stream, program);
    one.last = one.first;
    if (one.type == DESCRIPTOR_RANGE) {
        one.last += below(stream, 3);
        if (one_in(stream, 20)) {
            one.last = one.first / 2;
        }
    }
    one.handler = !one_in(stream, 10);
    return one;
}

static void make_allocate(struct splitmix *stream,
    const struct program *program, struct program_step *step)
{
    const bool plain = program->windows < WINDOWS_10_1903 && !one_in(stream, 4);

    step->no_handle = one_in(stream, 30);
    if (plain) {
        return;
    }
    if (!one_in(stream, 3)) {
        make_affinity(stream, program, step);
    } else if (one_in(stream, 12)) {
        step->group_count = 1;
    }
    step->list_given = !one_in(stream, 6);
    if (step->list_given && !one_in(stream, 30)) {
        step->descriptor_count =
            1 + below(stream, one_in(stream, 2) ? 2 : PROGRAM_DESCRIPTORS);
    }
    for (size_t i = 0; i < step->descriptor_count; i++) {
        step->descriptor[i] = make_descriptor(stream, program);
    }
}

/* What of an element is wrong is wrong in all of the array, if at all: which of
 * two faults is told of first is nobody's requirement. */
static void make_configuration(
    struct splitmix *stream, struct program_step *step)
{
    static const uint32_t counts[] = {0, 1, 1, 2, 3, 15, 16, 17};
    const unsigned fault = below(stream, 8);

    step->array_given = true;
    step->count = counts[below(stream, sizeof(counts) / sizeof(counts[0]))];
    for (uint32_t i = 0; i < step->count; i++) {
        step->element[i] = (struct element){
            .type = fault == 0 && i == step->count - 1,
            .reserved = fault == 1 ? below(stream, 2) : 0,
            .index =
                one_in(stream, 4) ? splitmix_next(stream) : below(stream, 40),
        };
    }
    if (step->count == 0 || one_in(stream, 16)) {
        step->array_given = false;
    }
}

static void make_query(struct splitmix *stream, struct program_step *step)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 15, 16, 17};

    step->count = counts[below(stream, sizeof(counts) / sizeof(counts[0]))];
    step->array_given = step->count > 0 && !one_in(stream, 6);
}

/* Raises and lowers are each other's, and end when a program ends. */
static bool make_level(struct splitmix *stream, struct program_step *step,
    uint8_t levels[][PROGRAM_STEPS], size_t *depth)
{
    static const uint8_t known[] = {1, 2, 13, 14, 15};
    size_t *at = &depth[step->actor];
    const uint8_t level = levels[step->actor][*at];

    if (step->kind == ACT_LOWER) {
        if (*at == 0) {
            return false;
        }
        --*at;
        return true;
    }
    step->level = known[one_in(stream, 3) ? below(stream, sizeof(known)) : 0];
    if (step->level < level) {
        return false;
    }
    levels[step->actor][++*at] = step->level;
    return true;
}

static unsigned pick_set(struct splitmix *stream, const struct program *program)
{
    for (unsigned tries = 0; tries < 16 && program->count > 0; tries++) {
        const struct program_step *step =
            &program->step[below(stream, (unsigned)program->count)];

        if (step->kind == ACT_ALLOCATE) {
            return step->number;
        }
    }
    return PROGRAM_STEPS; /* nobody's */
}

static enum act pick_kind(struct splitmix *stream, bool raised)
{
    const unsigned kind = below(stream, 20);

    if (raised && kind < 14) {
        return kind < 9 ? ACT_LOWER : kind < 12 ? ACT_QUERY : ACT_CONFIGURE;
    }
    return kind < 10   ? ACT_ALLOCATE
           : kind < 14 ? ACT_FREE
           : kind < 16 ? ACT_CONFIGURE
           : kind < 18 ? ACT_QUERY
                       : ACT_RAISE;
}

void program_generate(struct program *program, uint64_t seed)
{
    struct splitmix stream = {seed};
    uint8_t levels[PROGRAM_ACTORS][PROGRAM_STEPS] = {{0}};
    size_t depth[PROGRAM_ACTORS] = {0};
    unsigned wanted;

    memset(program, 0, sizeof(*program));
    program->windows =
        one_in(&stream, 5)
            ? (enum windows)below(&stream, WINDOWS_10_1903)
            : (enum windows)(WINDOWS_10_1903 + below(&stream, 3));
    program->groups = 1 + below(&stream, PROGRAM_GROUPS);
    program->per_group = 1 + below(&stream, 3);
    program->general = 1 + below(&stream, 8);
    program->fixed = below(&stream, 4);
    wanted = 4 + below(&stream, PROGRAM_STEPS - 3);
    for (unsigned number = 0; number < wanted; number++) {
        struct program_step step = {.number = number};
        const unsigned processors = program->groups * program->per_group;

        /* Each has a processor of its own, and so its level. */
        step.actor = below(
            &stream, processors < PROGRAM_ACTORS ? processors : PROGRAM_ACTORS);
        step.kind =
            pick_kind(&stream, depth[step.actor] > 0 && !one_in(&stream, 8));
        if (step.kind == ACT_ALLOCATE) {
            make_allocate(&stream, program, &step);
        } else if (step.kind == ACT_FREE) {
            step.freed = pick_set(&stream, program);
        } else if (step.kind == ACT_CONFIGURE) {
            make_configuration(&stream, &step);
        } else if (step.kind == ACT_QUERY) {
            make_query(&stream, &step);
        } else if (!make_level(&stream, &step, levels, depth)) {
            continue;
        }
        program->step[program->count++] = step;
    }
}
