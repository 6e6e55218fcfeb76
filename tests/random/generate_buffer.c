/* generate_buffer.c - event buffers: what sets ask for, and the values that
 * their counters begin anew with after each record. */
#include "tests/random/generate.h"

enum {
    THRESHOLDS = 6,
    PERIODS = 240,
    TRIES = 4,
};

struct descriptor generate_buffer_descriptor(
    struct generator *generator, bool sound)
{
    struct descriptor one = {.type = DESCRIPTOR_EVENT_BUFFER, .handler = true};

    one.threshold = 1 + generate_below(generator, THRESHOLDS);
    if (generate_one_in(generator, 20)) {
        one.threshold = UINT32_MAX - generate_below(generator, 2);
    }
    if (!sound && generate_one_in(generator, 4)) {
        const unsigned fault = generate_below(generator, 3);

        one.handler = fault != 0;
        one.threshold = fault == 1 ? 0 : one.threshold;
        one.entry_size = fault == 2 ? 200 : 0;
    }
    return one;
}

/* The counter that was programmed last, if it can have records and is the
 * actor's. */
static bool pick_programmed(
    struct generator *generator, struct program_step *step)
{
    const struct program *program = generator->program;

    for (size_t i = program->count; i-- > 0;) {
        const struct program_step *one = &program->step[i];

        if (one->kind == ACT_PROGRAM && !generate_one_in(generator, 3)) {
            step->actor = one->actor;
            step->counting.processor = one->counting.processor;
            step->counting.index = one->counting.index;
            return true;
        }
    }
    return false;
}

/* Now and then the value that it has anyway, 0. */
bool generate_buffer(struct generator *generator, struct program_step *step)
{
    const struct machine *machine = &generator->program->machine;
    struct counting *counting = &step->counting;

    counting->value = generate_one_in(generator, 12)
                          ? 0
                          : (UINT64_C(1) << machine->width_bits) -
                                PROGRAM_LEAST -
                                generate_below(generator, PERIODS);
    for (unsigned tries = 0; tries < TRIES; tries++) {
        if ((pick_programmed(generator, step) ||
                generate_held(generator, step)) &&
            reference_allows(&generator->reference, step)) {
            return true;
        }
    }
    return false;
}
