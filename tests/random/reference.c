/* reference.c - what counter sets, thread profiling's configuration and levels
 * must do, requirement by requirement, as simply as it can be said. */
#include "tests/random/reference.h"

#include <string.h>

enum { FIXED_FIRST = 32, TYPE_PMC = 0, LEVEL_PASSIVE = 0, LEVEL_APC = 1 };

static const char success[] = "STATUS_SUCCESS";
static const char invalid[] = "STATUS_INVALID_PARAMETER";
static const char unsupported[] = "STATUS_NOT_SUPPORTED";

void reference_start(struct reference *reference, const struct program *program)
{
    /* KHC-SET-05: the configuration is empty. */
    memset(reference, 0, sizeof(*reference));
    reference->program = program;
}

static void break_rule(struct answer *answer, const char *rule)
{
    answer->rule[answer->rule_count++] = rule;
}

static uint64_t all_counters(const struct program *program)
{
    return ((UINT64_C(1) << program->general) - 1) |
           ((UINT64_C(1) << program->fixed) - 1) << FIXED_FIRST;
}

static bool has_counter(const struct program *program, uint32_t index)
{
    return index < 64 && (all_counters(program) >> index & 1) != 0;
}

/* How many descriptors of the list are of this type. */
static size_t of_type(
    const struct program_step *step, enum descriptor_type type)
{
    size_t count = 0;

    for (size_t i = 0; i < step->descriptor_count; i++) {
        count += step->descriptor[i].type == type;
    }
    return count;
}

/* HAL-ALLOC-33a, 33b, 36b: NULL when the affinity is fine. The processors that
 * it names are marked. */
static const char *check_affinity(const struct program *program,
    const struct program_step *step, bool *selected, struct answer *answer)
{
    const uint64_t active = (UINT64_C(1) << program->per_group) - 1;
    bool reserved = false;

    for (unsigned i = 0; i < program->groups * program->per_group; i++) {
        selected[i] = !step->affinity_given; /* HAL-ALLOC-01 */
    }
    for (size_t i = 0; step->affinity_given && i < step->affinity_count; i++) {
        const struct affinity *one = &step->affinity[i];

        if (one->group >= program->groups || (one->mask & active) == 0) {
            return invalid;
        }
        for (unsigned n = 0; n < program->per_group; n++) {
            if ((one->mask >> n & 1) != 0) {
                selected[one->group * program->per_group + n] = true;
            }
        }
        reserved = reserved || one->reserved;
    }
    if (reserved) {
        break_rule(answer, "hal.alloc.reserved");
    }
    return NULL;
}

/* HAL-ALLOC-37a, 37b, 37c, one check over the whole list after the other. */
static const char *check_indexes(const struct program *program,
    const struct program_step *step, uint64_t *wanted)
{
    bool bad_single = false, bad_range = false, twice = false;

    *wanted = 0;
    for (size_t i = 0; i < step->descriptor_count; i++) {
        const struct descriptor *one = &step->descriptor[i];
        uint32_t last = one->type == DESCRIPTOR_SINGLE ? one->first : one->last;

        if (one->type == DESCRIPTOR_SINGLE &&
            !has_counter(program, one->first)) {
            bad_single = true;
        } else if (one->type == DESCRIPTOR_RANGE && one->first > last) {
            bad_range = true;
        } else if (one->type == DESCRIPTOR_SINGLE ||
                   one->type == DESCRIPTOR_RANGE) {
            /* HAL-TYPE-05b: the last one belongs to it. */
            for (uint32_t index = one->first; index <= last; index++) {
                if (!has_counter(program, index)) {
                    bad_range = true;
                    break;
                }
                twice = twice || (*wanted >> index & 1) != 0;
                *wanted |= UINT64_C(1) << index;
            }
        }
    }
    return bad_single || bad_range || twice ? invalid : NULL;
}

/* HAL-ALLOC-38a to 39a, and 40b. */
static const char *check_others(
    const struct program_step *step, uint64_t wanted, struct answer *answer)
{
    const size_t overflows = of_type(step, DESCRIPTOR_OVERFLOW);
    const size_t tags = of_type(step, DESCRIPTOR_TAG);

    for (size_t i = 0; i < step->descriptor_count; i++) {
        if (step->descriptor[i].type == DESCRIPTOR_OVERFLOW &&
            !step->descriptor[i].handler) {
            return invalid; /* HAL-ALLOC-38a */
        }
    }
    if (overflows > 1) {
        return invalid; /* HAL-ALLOC-38b */
    }
    if (overflows == 1 && wanted == 0) {
        break_rule(answer, "hal.alloc.lone_overflow"); /* HAL-ALLOC-38c */
    }
    if (tags == step->descriptor_count) {
        return invalid; /* HAL-ALLOC-38e */
    }
    if (of_type(step, DESCRIPTOR_EVENT_BUFFER) > 0) {
        return invalid; /* HAL-ALLOC-39a: its handler is NULL */
    }
    return tags > 1 ? invalid : NULL; /* HAL-ALLOC-40b */
}

static const char *check_list(const struct program *program,
    const struct program_step *step, uint64_t *wanted, struct answer *answer)
{
    /* HAL-ALLOC-40a: the tag came with the version after 1903. */
    const enum descriptor_type types =
        program->windows == WINDOWS_10_1903 ? DESCRIPTOR_TAG : DESCRIPTOR_NONE;
    const char *fault;
    bool unknown = false, flags = false;

    if (step->descriptor_count == 0) {
        return invalid; /* HAL-ALLOC-34 */
    }
    if (of_type(step, DESCRIPTOR_EXTENDED) > 0) {
        return unsupported; /* HAL-ALLOC-23, 35a */
    }
    for (size_t i = 0; i < step->descriptor_count; i++) {
        unknown = unknown || step->descriptor[i].type >= types;
        flags = flags || step->descriptor[i].flags != 0;
    }
    if (unknown) {
        return invalid; /* HAL-ALLOC-35b */
    }
    if (flags) {
        break_rule(answer, "hal.alloc.flags"); /* HAL-ALLOC-36a */
    }
    fault = check_indexes(program, step, wanted);
    return fault != NULL ? fault : check_others(step, *wanted, answer);
}

/* HAL-ALLOC-30 to 40b in their order; NULL: the request is sound. */
static const char *check_request(const struct program *program,
    const struct program_step *step, bool *selected, uint64_t *wanted,
    struct answer *answer)
{
    const char *fault;

    if (step->no_handle) {
        return invalid; /* HAL-ALLOC-30 */
    }
    if (step->affinity_given == (step->group_count == 0)) {
        return invalid; /* HAL-ALLOC-31a, 31b */
    }
    if (program->windows < WINDOWS_10_1903 &&
        (step->affinity_given || step->list_given)) {
        return invalid; /* HAL-ALLOC-10, 11 */
    }
    fault = check_affinity(program, step, selected, answer);
    if (fault != NULL) {
        return fault;
    }
    if (!step->list_given) {
        *wanted = all_counters(program); /* HAL-ALLOC-03a, 03b */
        return NULL;
    }
    return check_list(program, step, wanted, answer);
}

/* HAL-ALLOC-21, 50, 51: on this processor. */
static bool conflicts(
    const struct held_set *held, const struct held_set *set, unsigned processor)
{
    return held->live && held->touches[processor] && set->touches[processor] &&
           (held->exclusive || set->exclusive ||
               (held->counters[processor] & set->counters[processor]) != 0);
}

static void allocate(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    const struct program *program = reference->program;
    const unsigned processors = program->groups * program->per_group;
    struct held_set set = {.number = step->number,
        .actor = step->actor,
        .live = true,
        .exclusive = !step->list_given};
    uint64_t wanted = 0;

    answer->status = check_request(program, step, set.touches, &wanted, answer);
    if (answer->status != NULL) {
        return; /* HAL-ALLOC-24b */
    }
    for (unsigned i = 0; i < processors; i++) {
        set.counters[i] = set.touches[i] ? wanted : 0;
        for (size_t n = 0; n < reference->set_count; n++) {
            if (conflicts(&reference->set[n], &set, i)) {
                answer->status = "STATUS_INSUFFICIENT_RESOURCES";
                return;
            }
        }
    }
    reference->set[reference->set_count++] = set;
    answer->status = success;
    answer->granted = true;
}

/* HAL-FREE-01, 02a, 02b, 04a: whoever calls. */
static void give_back(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    struct held_set *set = reference_set(reference, step->freed);

    if (set != NULL && set->live) {
        set->live = false;
        answer->status = success;
        return;
    }
    answer->status = invalid;
    if (set != NULL) {
        break_rule(answer, "hal.free.twice");
    }
}

/* KHC-SET-15: the count, the pointer, the elements. */
static void configure(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    bool reserved = false;

    if (step->count > REFERENCE_LEGAL) {
        answer->status = invalid; /* KHC-SET-03 */
        return;
    }
    if (step->count > 0 && !step->array_given) {
        answer->faulted = true; /* KHC-SET-04c, GEN-PTR-01 */
        return;
    }
    for (uint32_t i = 0; i < step->count; i++) {
        if (step->element[i].type != TYPE_PMC) {
            answer->status = invalid; /* KHC-SET-13a, 06b */
            break_rule(answer, "khc.set.type");
            return;
        }
        reserved = reserved || step->element[i].reserved != 0;
    }
    if (reserved) {
        break_rule(answer, "khc.set.reserved"); /* KHC-SET-13b */
    }
    /* KHC-SET-06a; KHC-SET-12: whatever the index. */
    memcpy(reference->configured, step->element,
        step->count * sizeof(step->element[0]));
    reference->configured_count = step->count;
    answer->status = success;
}

/* KHC-QRY-13: the size, then the pointer. */
static void query(const struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    const uint32_t count = reference->configured_count;

    if (step->count >= count && count > 0 && !step->array_given) {
        answer->faulted = true; /* KHC-QRY-07 */
        return;
    }
    answer->count_given = true; /* KHC-QRY-01, 03a, 03b */
    answer->count = count;
    if (step->count < count) {
        answer->status = "STATUS_BUFFER_TOO_SMALL"; /* KHC-QRY-04, 12 */
        return;
    }
    answer->status = success; /* KHC-QRY-06, 08, 11 */
    answer->array_given = count > 0;
}

static void change_level(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    uint8_t *level = &reference->level[step->actor];
    size_t *count = &reference->left_count[step->actor];

    if (step->kind == ACT_LOWER) {
        *level = reference->left[step->actor][--*count]; /* IRQL-02a */
        return;
    }
    answer->level_given = true; /* IRQL-01c */
    answer->level = *level;
    reference->left[step->actor][(*count)++] = *level;
    *level = step->level;
}

/* The highest level that the routine may be called at (facts 1.4). */
static uint8_t level_allowed(enum act kind)
{
    switch (kind) {
    case ACT_ALLOCATE:
    case ACT_FREE:
        return LEVEL_PASSIVE;
    case ACT_CONFIGURE:
    case ACT_QUERY:
        return LEVEL_APC;
    case ACT_RAISE:
    case ACT_LOWER:
    case ACT_KINDS:
        break;
    }
    return UINT8_MAX;
}

struct answer reference_step(
    struct reference *reference, const struct program_step *step)
{
    struct answer answer = {0};

    if (reference->level[step->actor] > level_allowed(step->kind)) {
        reference->stopped = true; /* IRQL-GEN-01 */
        break_rule(&answer, "irql.contract");
        return answer;
    }
    switch (step->kind) {
    case ACT_ALLOCATE:
        allocate(reference, step, &answer);
        break;
    case ACT_FREE:
        give_back(reference, step, &answer);
        break;
    case ACT_CONFIGURE:
        configure(reference, step, &answer);
        break;
    case ACT_QUERY:
        query(reference, step, &answer);
        break;
    case ACT_RAISE:
    case ACT_LOWER:
        change_level(reference, step, &answer);
        break;
    case ACT_KINDS:
        break;
    }
    return answer;
}

struct held_set *reference_set(struct reference *reference, unsigned number)
{
    for (size_t i = 0; i < reference->set_count; i++) {
        if (reference->set[i].number == number) {
            return &reference->set[i];
        }
    }
    return NULL;
}

uint64_t reference_counters(
    const struct reference *reference, unsigned actor, unsigned processor)
{
    uint64_t counters = 0;

    for (size_t i = 0; i < reference->set_count; i++) {
        const struct held_set *set = &reference->set[i];

        if (set->live && set->actor == actor) {
            counters |= set->counters[processor];
        }
    }
    return counters;
}
