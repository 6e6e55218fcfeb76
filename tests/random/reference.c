/* reference.c - what counter sets, thread profiling's configuration and levels
 * must do, requirement by requirement, as simply as it can be said. */
#include "tests/random/reference.h"

#include <assert.h>
#include <string.h>

enum {
    TYPE_PMC = 0,
    LEVEL_PASSIVE = 0,
    LEVEL_APC = 1,
    LEVEL_ANY = UINT8_MAX,
};

static const char success[] = "STATUS_SUCCESS";
static const char invalid[] = "STATUS_INVALID_PARAMETER";
static const char unsupported[] = "STATUS_NOT_SUPPORTED";

void reference_start(struct reference *reference, const struct program *program)
{
    /* KHC-SET-05: the configuration is empty. */
    memset(reference, 0, sizeof(*reference));
    reference->program = program;
    reference_pcw_start(&reference->pcw);
}

void answer_rule(struct answer *answer, const char *rule)
{
    assert(answer->rule_count < REFERENCE_RULES);
    answer->rule[answer->rule_count++] = rule;
}

void answer_call(struct answer *answer, struct handler_call call)
{
    assert(answer->call_count < REFERENCE_CALLS);
    answer->call[answer->call_count++] = call;
}

void answer_stop(struct reference *reference, struct answer *answer,
    const char *rule, const char *bugcheck)
{
    reference->stopped = true;
    answer_rule(answer, rule);
    answer->bugcheck = bugcheck;
}

uint8_t reference_level(const struct reference *reference, unsigned processor)
{
    return processor < reference->program->actors ? reference->level[processor]
                                                  : LEVEL_PASSIVE;
}

/* How many descriptors of the list are of this type. */
static size_t of_type(const struct claim *claim, enum descriptor_type type)
{
    size_t count = 0;

    for (size_t i = 0; i < claim->descriptor_count; i++) {
        count += claim->descriptor[i].type == type;
    }
    return count;
}

/* HAL-ALLOC-33a, 33b, 36b: NULL when the affinity is fine. The processors that
 * it names are marked. */
static const char *check_affinity(const struct machine *machine,
    const struct claim *claim, bool *selected, struct answer *answer)
{
    bool inactive = false, reserved = false;

    for (unsigned i = 0; i < machine_processors(machine); i++) {
        selected[i] = !claim->affinity_given; /* HAL-ALLOC-01 */
    }
    for (size_t i = 0; claim->affinity_given && i < claim->affinity_count;
         i++) {
        const struct affinity *one = &claim->affinity[i];
        uint64_t active = 0;

        if (one->group < machine->groups) {
            active = (UINT64_C(1) << machine->size[one->group]) - 1;
        }
        if ((one->mask & active) == 0) {
            return invalid;
        }
        for (unsigned n = 0; n < machine->size[one->group]; n++) {
            if ((one->mask >> n & 1) != 0) {
                selected[machine_first(machine, one->group) + n] = true;
            }
        }
        inactive = inactive || (one->mask & ~active) != 0;
        reserved = reserved || one->reserved;
    }
    if (inactive) {
        answer_rule(answer, "hal.alloc.inactive");
    }
    if (reserved) {
        answer_rule(answer, "hal.alloc.reserved");
    }
    return NULL;
}

/* HAL-ALLOC-37a, 37b, 37c, one check over the whole list after the other. */
static const char *check_indexes(
    const struct machine *machine, const struct claim *claim, uint64_t *wanted)
{
    bool bad_single = false, bad_range = false, twice = false;

    *wanted = 0;
    for (size_t i = 0; i < claim->descriptor_count; i++) {
        const struct descriptor *one = &claim->descriptor[i];
        uint32_t last = one->type == DESCRIPTOR_SINGLE ? one->first : one->last;

        if (one->type == DESCRIPTOR_SINGLE &&
            !machine_has_counter(machine, one->first)) {
            bad_single = true;
        } else if (one->type == DESCRIPTOR_RANGE && one->first > last) {
            bad_range = true;
        } else if (one->type == DESCRIPTOR_SINGLE ||
                   one->type == DESCRIPTOR_RANGE) {
            /* HAL-TYPE-05b: the last one belongs to it. */
            for (uint32_t index = one->first; index <= last; index++) {
                if (!machine_has_counter(machine, index)) {
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

/* HAL-ALLOC-39a to 39e. */
static const char *check_buffers(
    const struct machine *machine, const struct claim *claim)
{
    const size_t buffers = of_type(claim, DESCRIPTOR_EVENT_BUFFER);

    for (size_t i = 0; i < claim->descriptor_count; i++) {
        const struct descriptor *one = &claim->descriptor[i];

        if (one->type == DESCRIPTOR_EVENT_BUFFER &&
            (!one->handler || one->entry_size != 0 || one->threshold == 0)) {
            return invalid; /* HAL-ALLOC-39a, 39b, 39c */
        }
    }
    if (buffers > 1) {
        return invalid; /* HAL-ALLOC-39d */
    }
    return buffers == 1 && !machine->model->has_pebs ? unsupported : NULL;
}

/* HAL-ALLOC-38a to 39e, and 40b. */
static const char *check_others(const struct machine *machine,
    const struct claim *claim, uint64_t wanted, struct answer *answer)
{
    const char *fault;
    const size_t overflows = of_type(claim, DESCRIPTOR_OVERFLOW);
    const size_t tags = of_type(claim, DESCRIPTOR_TAG);

    for (size_t i = 0; i < claim->descriptor_count; i++) {
        if (claim->descriptor[i].type == DESCRIPTOR_OVERFLOW &&
            !claim->descriptor[i].handler) {
            return invalid; /* HAL-ALLOC-38a */
        }
    }
    if (overflows > 1) {
        return invalid; /* HAL-ALLOC-38b */
    }
    if (overflows == 1 && wanted == 0) {
        answer_rule(answer, "hal.alloc.lone_overflow"); /* HAL-ALLOC-38c */
    }
    if (tags == claim->descriptor_count) {
        return invalid; /* HAL-ALLOC-38e */
    }
    fault = check_buffers(machine, claim);
    if (fault != NULL) {
        return fault;
    }
    return tags > 1 ? invalid : NULL; /* HAL-ALLOC-40b */
}

static const char *check_list(const struct machine *machine,
    const struct claim *claim, uint64_t *wanted, struct answer *answer)
{
    /* HAL-ALLOC-40a: the tag came with the version after 1903. */
    const enum descriptor_type types =
        machine->windows == WINDOWS_10_1903 ? DESCRIPTOR_TAG : DESCRIPTOR_NONE;
    const char *fault;
    bool unknown = false, flags = false;

    if (claim->descriptor_count == 0) {
        return invalid; /* HAL-ALLOC-34 */
    }
    if (of_type(claim, DESCRIPTOR_EXTENDED) > 0) {
        return unsupported; /* HAL-ALLOC-23, 35a */
    }
    for (size_t i = 0; i < claim->descriptor_count; i++) {
        unknown = unknown || claim->descriptor[i].type >= types;
        flags = flags || claim->descriptor[i].flags != 0;
    }
    if (unknown) {
        return invalid; /* HAL-ALLOC-35b */
    }
    if (flags) {
        answer_rule(answer, "hal.alloc.flags"); /* HAL-ALLOC-36a */
    }
    fault = check_indexes(machine, claim, wanted);
    return fault != NULL ? fault
                         : check_others(machine, claim, *wanted, answer);
}

/* HAL-ALLOC-30 to 40b in their order; NULL: the request is sound. */
static const char *check_claim(const struct machine *machine,
    const struct claim *claim, bool *selected, uint64_t *wanted,
    struct answer *answer)
{
    const char *fault;

    if (claim->no_handle) {
        return invalid; /* HAL-ALLOC-30 */
    }
    if (claim->affinity_given == (claim->group_count == 0)) {
        return invalid; /* HAL-ALLOC-31a, 31b */
    }
    if (machine->windows < WINDOWS_10_1903 &&
        (claim->affinity_given || claim->list_given)) {
        return invalid; /* HAL-ALLOC-10, 11 */
    }
    fault = check_affinity(machine, claim, selected, answer);
    if (fault != NULL) {
        return fault;
    }
    if (!claim->list_given) {
        *wanted = machine_counters(machine); /* HAL-ALLOC-03a, 03b */
        return NULL;
    }
    return check_list(machine, claim, wanted, answer);
}

/* HAL-ALLOC-21, 50, 51: on this processor. */
static bool conflicts(
    const struct held_set *held, const struct held_set *set, unsigned processor)
{
    return held->live && held->touches[processor] && set->touches[processor] &&
           (held->exclusive || set->exclusive ||
               (held->counters[processor] & set->counters[processor]) != 0);
}

/* 0: it asks for no event buffer. */
static uint32_t threshold_of(const struct claim *claim)
{
    for (size_t i = 0; i < claim->descriptor_count; i++) {
        if (claim->descriptor[i].type == DESCRIPTOR_EVENT_BUFFER) {
            return claim->descriptor[i].threshold;
        }
    }
    return 0;
}

static void allocate(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    const struct machine *machine = &reference->program->machine;
    const struct claim *claim = &step->claim;
    struct held_set set = {.step = step,
        .actor = step->actor,
        .live = true,
        .exclusive = !claim->list_given,
        .handler = of_type(claim, DESCRIPTOR_OVERFLOW) > 0,
        .reload = claim->reload,
        .threshold = threshold_of(claim)};
    uint64_t wanted = 0;

    answer->status = check_claim(machine, claim, set.touches, &wanted, answer);
    if (answer->status != NULL) {
        /* HAL-ALLOC-24b; without a place for the handle nothing is left. */
        reference->failed[step->actor] |= !claim->no_handle;
        return;
    }
    for (unsigned i = 0; i < machine_processors(machine); i++) {
        set.counters[i] = set.touches[i] ? wanted : 0;
        for (size_t n = 0; n < reference->set_count; n++) {
            if (conflicts(&reference->set[n], &set, i)) {
                answer->status = "STATUS_INSUFFICIENT_RESOURCES";
                reference->failed[step->actor] = true;
                return;
            }
        }
    }
    reference->failed[step->actor] = false;
    reference->set[reference->set_count++] = set;
    reference_buffer_join(reference, &reference->set[reference->set_count - 1]);
    answer->status = success;
    answer->granted = true;
}

/* HAL-FREE-01, 02a, 02b, 03b, 04a: whoever calls. */
static void give_back(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    struct held_set *set = reference_set(reference, step->of);

    if (set != NULL && set->live) {
        if (reference_pmu_is_running(
                reference, (size_t)(set - reference->set))) {
            answer_rule(answer, "hal.free.running");
        }
        set->live = false;
        reference_buffer_leave(reference, set);
        answer->status = success;
        return;
    }
    answer->status = invalid;
    if (set != NULL) {
        answer_rule(answer, "hal.free.twice");
    } else if (reference->failed[step->actor]) {
        answer_rule(answer, "hal.free.failed"); /* HAL-ALLOC-06 */
    } else if (step->of == PROGRAM_NULL) {
        answer_rule(answer, "hal.free.null");
    }
}

/* KHC-SET-11b: whether somebody holds the counter that the index selects, as
 * RDPMC would (KHC-TYPE-05), on whatever processor. */
static bool is_claimed(const struct reference *reference, uint64_t index)
{
    const uint64_t fixed = UINT64_C(0x40000000);
    uint64_t counter = 0;

    if (index < 32) {
        counter = UINT64_C(1) << index;
    } else if (index >= fixed && index - fixed < 32) {
        counter = UINT64_C(1) << (32 + index - fixed);
    }
    for (size_t i = 0; i < reference->set_count; i++) {
        const struct held_set *set = &reference->set[i];

        for (unsigned n = 0; set->live && n < MACHINE_PROCESSORS; n++) {
            if ((set->counters[n] & counter) != 0 || set->exclusive) {
                return true;
            }
        }
    }
    return false;
}

/* KHC-SET-15: the count, the pointer, the elements. */
static void configure(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    const struct configuration *wanted = &step->configuration;
    bool reserved = false, unclaimed = false;

    if (wanted->count > REFERENCE_LEGAL) {
        answer->status = invalid; /* KHC-SET-03 */
        return;
    }
    if (wanted->count > 0 && !wanted->array_given) {
        answer->faulted = true; /* KHC-SET-04c, GEN-PTR-01 */
        return;
    }
    for (uint32_t i = 0; i < wanted->count; i++) {
        if (wanted->element[i].type != TYPE_PMC) {
            answer->status = invalid; /* KHC-SET-13a, 06b */
            answer_rule(answer, "khc.set.type");
            return;
        }
        reserved = reserved || wanted->element[i].reserved != 0;
        unclaimed =
            unclaimed || !is_claimed(reference, wanted->element[i].index);
    }
    if (reserved) {
        answer_rule(answer, "khc.set.reserved"); /* KHC-SET-13b */
    }
    if (unclaimed) {
        answer_rule(answer, "khc.set.unowned");
    }
    /* KHC-SET-06a; KHC-SET-12: whatever the index. */
    memcpy(reference->configured, wanted->element,
        wanted->count * sizeof(wanted->element[0]));
    reference->configured_count = wanted->count;
    answer->status = success;
}

/* KHC-QRY-13: the size, then the pointer. */
static void query(struct reference *reference, const struct program_step *step,
    struct answer *answer)
{
    const uint32_t count = reference->configured_count;
    const struct configuration *room = &step->configuration;

    if (room->count >= count && count > 0 && !room->array_given) {
        answer->faulted = true; /* KHC-QRY-07 */
        return;
    }
    answer->count_given = true; /* KHC-QRY-01, 03a, 03b */
    answer->count = count;
    if (room->count < count) {
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
        *level = reference->left[step->actor][--*count];       /* IRQL-02a */
        reference_pmu_deliver(reference, step->actor, answer); /* IRQL-05 */
        return;
    }
    answer->level_given = true; /* IRQL-01c */
    answer->level = *level;
    reference->left[step->actor][(*count)++] = *level;
    *level = step->level;
}

/* What each kind of step does, and the highest level for it (facts 1.4). */
static const struct {
    uint8_t level;
    void (*take)(struct reference *reference, const struct program_step *step,
        struct answer *answer);
} acts[ACT_KINDS] = {
#define ACT(name, level, said, take) [ACT_##name] = {LEVEL_##level, take},
#include "tests/random/acts.def"
};

void reference_step(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    memset(answer, 0, sizeof(*answer));
    if (reference->level[step->actor] > acts[step->kind].level) {
        answer_stop(reference, answer, "irql.contract",
            "IRQL_NOT_LESS_OR_EQUAL"); /* IRQL-GEN-01 */
        return;
    }
    acts[step->kind].take(reference, step, answer);
}

/* PCW_CALLBACK is called at APC_LEVEL at most, and consumers are bound by it.
 */
static bool is_consumer(enum act kind)
{
    return kind == ACT_COLLECT || kind == ACT_OPEN || kind == ACT_CLOSE_QUERY;
}

/* A handler loads the counter that its list begins with. */
static bool is_own(const struct claim *claim)
{
    const struct descriptor *first = &claim->descriptor[0];

    return !claim->reload.used || (first->type <= DESCRIPTOR_RANGE &&
                                      first->first == claim->reload.index);
}

bool reference_allows(
    const struct reference *reference, const struct program_step *step)
{
    const unsigned processors =
        machine_processors(&reference->program->machine);

    if (step->actor >= reference->program->actors ||
        reference->program->actors > processors ||
        (is_consumer(step->kind) &&
            reference->level[step->actor] > LEVEL_APC) ||
        (step->kind == ACT_RAISE &&
            step->level < reference->level[step->actor]) ||
        (step->kind == ACT_LOWER && reference->left_count[step->actor] == 0)) {
        return false;
    }
    return step->counting.processor < processors && is_own(&step->claim) &&
           reference_pmu_allows(reference, step) &&
           reference_buffer_allows(reference, step) &&
           reference_pcw_allows(reference, step);
}

struct held_set *reference_set(struct reference *reference, unsigned number)
{
    for (size_t i = 0; i < reference->set_count; i++) {
        if (reference->set[i].step->number == number) {
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
