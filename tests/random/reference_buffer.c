/* reference_buffer.c - records of events, and the sets whose handlers get them:
 * one list of entries on each processor, which every set reads for itself. */
#include "tests/random/reference_buffer.h"

#include <assert.h>
#include <string.h>

#include "tests/random/reference.h"

static bool reads(const struct held_set *set, unsigned processor)
{
    return set->live && set->threshold > 0 && set->touches[processor];
}

size_t reference_buffer_readers(
    const struct reference *reference, unsigned processor)
{
    size_t count = 0;

    for (size_t i = 0; i < reference->set_count; i++) {
        count += reads(&reference->set[i], processor);
    }
    return count;
}

/* HAL-EVB-03b: the smallest of all sets there. */
static uint32_t threshold_of(
    const struct reference *reference, unsigned processor)
{
    uint32_t least = UINT32_MAX;

    for (size_t i = 0; i < reference->set_count; i++) {
        const struct held_set *set = &reference->set[i];

        if (reads(set, processor) && set->threshold < least) {
            least = set->threshold;
        }
    }
    return least;
}

/* HAL-EVB-06: the set's counters are sampled, or not any more; one that is not
 * has no record to come. */
static void sample(struct reference *reference, const struct held_set *set,
    unsigned processor, bool sampled)
{
    for (uint32_t i = 0; i < REFERENCE_SAMPLED; i++) {
        struct counter_state *counter =
            &reference->processor[processor].counter[i];

        if ((set->counters[processor] >> i & 1) != 0) {
            counter->sampled = sampled;
            counter->armed = counter->armed && sampled;
        }
    }
}

void reference_buffer_join(struct reference *reference, struct held_set *set)
{
    for (unsigned i = 0; i < MACHINE_PROCESSORS; i++) {
        struct buffer_state *buffer = &reference->buffer[i];

        if (!reads(set, i)) {
            continue;
        }
        if (reference_buffer_readers(reference, i) == 1) {
            memset(buffer, 0, sizeof(*buffer)); /* HAL-EVB-07 */
        }
        set->got[i] = buffer->count; /* HAL-EVB-03c */
        sample(reference, set, i, true);
    }
}

/* Who set the buffer up clears its bit (docs/fidelity.md). */
void reference_buffer_leave(
    struct reference *reference, const struct held_set *set)
{
    for (unsigned i = 0; i < MACHINE_PROCESSORS; i++) {
        if (set->threshold > 0 && set->touches[i]) {
            sample(reference, set, i, false);
            if (reference_buffer_readers(reference, i) == 0) {
                reference->processor[i].status &= ~REFERENCE_BUFFER_BIT;
            }
        }
    }
}

/* Whether one of the sets has got few enough of what is there. */
static bool is_full(const struct reference *reference, unsigned processor)
{
    const uint32_t threshold = threshold_of(reference, processor);

    for (size_t i = 0; i < reference->set_count; i++) {
        const struct held_set *set = &reference->set[i];

        if (reads(set, processor) &&
            reference->buffer[processor].count - set->got[processor] >=
                threshold) {
            return true;
        }
    }
    return false;
}

/* pmu.md 1.4: the record, its counter's bit, the reset values of all counters
 * that have overflowed, the threshold. */
static void record(struct reference *reference, const struct counting *run,
    uint32_t index, struct answer *answer)
{
    struct processor_state *state = &reference->processor[run->processor];
    struct buffer_state *buffer = &reference->buffer[run->processor];

    assert(buffer->count < REFERENCE_ENTRIES);
    buffer->entry[buffer->count++] = (struct entry){1U << index, run->ip};
    answer->records++;
    state->status &= ~(UINT64_C(1) << index);
    for (uint32_t i = 0; i < REFERENCE_SAMPLED; i++) {
        struct counter_state *counter = &state->counter[i];

        if (counter->armed || counter->due) {
            counter->value = buffer->reset[i];
        }
    }
    state->counter[index].due = false;
    if (is_full(reference, run->processor) &&
        (state->status & REFERENCE_BUFFER_BIT) == 0) {
        state->status |= REFERENCE_BUFFER_BIT;
        reference_pmu_request(reference, run->processor);
    }
}

void reference_buffer_record(struct reference *reference,
    const struct counting *run, struct answer *answer)
{
    for (uint32_t i = 0; i < REFERENCE_SAMPLED; i++) {
        if (reference->processor[run->processor].counter[i].due) {
            record(reference, run, i, answer);
        }
    }
}

/* HAL-EVB-05: what all have got is gone. */
static void empty(struct reference *reference, unsigned processor)
{
    struct buffer_state *buffer = &reference->buffer[processor];
    size_t got = buffer->count;

    for (size_t i = 0; i < reference->set_count; i++) {
        const struct held_set *set = &reference->set[i];

        if (reads(set, processor) && set->got[processor] < got) {
            got = set->got[processor];
        }
    }
    buffer->count -= got;
    memmove(buffer->entry, &buffer->entry[got],
        buffer->count * sizeof(buffer->entry[0]));
    for (size_t i = 0; i < reference->set_count; i++) {
        if (reads(&reference->set[i], processor)) {
            reference->set[i].got[processor] -= got;
        }
    }
}

/* HAL-EVB-03a, 03b: as often as there are as many as the threshold, and never
 * more at once. */
void reference_buffer_serve(
    struct reference *reference, unsigned processor, struct answer *answer)
{
    const struct buffer_state *buffer = &reference->buffer[processor];
    const uint32_t threshold = threshold_of(reference, processor);

    for (size_t i = 0; i < reference->set_count; i++) {
        struct held_set *set = &reference->set[i];
        size_t *got = &set->got[processor];

        while (reads(set, processor) && buffer->count - *got >= threshold) {
            answer_call(
                answer, (struct handler_call){i, processor, 0, threshold});
            answer->told = buffer->entry[*got];
            *got += threshold;
        }
    }
    empty(reference, processor);
}

void reference_buffer_reset(struct reference *reference,
    const struct program_step *step, struct answer *answer)
{
    const struct counting *counting = &step->counting;

    (void)answer;
    reference->buffer[counting->processor].reset[counting->index] =
        counting->value;
}

/* HAL-EVB-06: the HAL interrupts the set's processors, and waits for them. */
static bool is_kept_out(
    const struct reference *reference, unsigned actor, const bool *touches)
{
    const struct machine *machine = &reference->program->machine;

    for (unsigned i = 0; i < machine_processors(machine); i++) {
        if (i != actor && (touches == NULL || touches[i]) &&
            reference_level(reference, i) >=
                machine_ipi_level(machine->architecture)) {
            return true;
        }
    }
    return false;
}

static bool asks_for_buffer(const struct claim *claim)
{
    for (size_t i = 0; i < claim->descriptor_count; i++) {
        if (claim->descriptor[i].type == DESCRIPTOR_EVENT_BUFFER) {
            return true;
        }
    }
    return false;
}

/* Whether the actor holds the counter in a set with an event buffer. */
static bool holds_sampled(
    const struct reference *reference, const struct program_step *step)
{
    const struct counting *counting = &step->counting;

    for (size_t i = 0; i < reference->set_count; i++) {
        const struct held_set *set = &reference->set[i];

        if (set->actor == step->actor && reads(set, counting->processor) &&
            counting->index < REFERENCE_SAMPLED &&
            (set->counters[counting->processor] >> counting->index & 1) != 0) {
            return true;
        }
    }
    return false;
}

/* A counter makes one record of what it has counted, one of its overflow that
 * has been, and then one in PROGRAM_LEAST events at the most. */
static bool has_room(
    const struct reference *reference, const struct counting *run)
{
    const size_t readers = reference_buffer_readers(reference, run->processor);
    size_t count = reference->buffer[run->processor].count;

    for (uint32_t i = 0; i < REFERENCE_SAMPLED; i++) {
        const struct counter_state *counter =
            &reference->processor[run->processor].counter[i];

        if (counter->running && counter->sampled) {
            count +=
                2 + reference_pmu_events(run, counter->event, run->cycles) /
                        PROGRAM_LEAST;
        }
    }
    return readers == 0 ||
           (count <= REFERENCE_ENTRIES && count * readers <= REFERENCE_HANDED);
}

bool reference_buffer_allows(
    const struct reference *reference, const struct program_step *step)
{
    if (step->kind == ACT_ALLOCATE) {
        return !asks_for_buffer(&step->claim) ||
               !is_kept_out(reference, step->actor, NULL);
    }
    if (step->kind == ACT_FREE) {
        for (size_t i = 0; i < reference->set_count; i++) {
            const struct held_set *set = &reference->set[i];

            if (set->step->number == step->of && set->live &&
                set->threshold > 0) {
                return !is_kept_out(reference, step->actor, set->touches);
            }
        }
    }
    if (step->kind == ACT_RESET) {
        return holds_sampled(reference, step);
    }
    return step->kind != ACT_RUN || has_room(reference, &step->counting);
}
