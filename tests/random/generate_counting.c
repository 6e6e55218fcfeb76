/* generate_counting.c - counters that run, overflow and are looked at: mostly
 * those that somebody holds, on the processors that he holds them on. */
#include "tests/random/generate.h"

enum {
    TRIES = 32,
    CYCLES = 1500,
    TOGETHER = 200, /* events to an overflow, so that several come at once */
};

static uint64_t values(const struct machine *machine)
{
    return UINT64_C(1) << machine->width_bits;
}

/* A counter that a driver has the registers of; the one that counts slots and
 * Arm's cycle counter are used by no program. */
static bool is_used(const struct machine *machine, uint32_t index)
{
    return machine_has_counter(machine, index) && index != 31 &&
           index < machine->model->fixed_first + 3;
}

unsigned generate_processor(struct generator *generator)
{
    const struct program *program = generator->program;
    /* Records gather while others do something else. */
    const unsigned odds = program->machine.model->has_pebs ? 8 : 2;

    for (size_t i = program->count;
         i-- > 0 && !generate_one_in(generator, odds);) {
        if (program->step[i].kind == ACT_PROGRAM) {
            return program->step[i].counting.processor;
        }
    }

    return generate_below(generator,
        generate_one_in(generator, 2) ? program->actors
                                      : machine_processors(&program->machine));
}

bool generate_held(struct generator *generator, struct program_step *step)
{
    const struct reference *reference = &generator->reference;
    const struct machine *machine = &generator->program->machine;

    for (unsigned tries = 0; tries < TRIES && reference->set_count > 0;
         tries++) {
        const struct held_set *set = &reference->set[generate_below(
            generator, (unsigned)reference->set_count)];
        const unsigned processor = generate_processor(generator);
        const uint32_t index = generate_below(generator, 36);

        if (set->live && (set->counters[processor] >> index & 1) != 0 &&
            is_used(machine, index)) {
            step->actor = set->actor;
            step->counting.processor = processor;
            step->counting.index = index;
            return true;
        }
    }
    return false;
}

/* PEBS asks for its own interrupts. */
static bool is_sampled(
    const struct generator *generator, const struct counting *counting)
{
    return generator->reference.processor[counting->processor]
        .counter[counting->index]
        .sampled;
}

static bool make_program(struct generator *generator, struct program_step *step)
{
    const struct machine *machine = &generator->program->machine;
    struct counting *counting = &step->counting;

    if (generate_one_in(generator, 12)) {
        counting->processor = generate_processor(generator);
        counting->index = generate_below(generator, machine->general);
    } else if (!generate_held(generator, step)) {
        return false;
    }
    counting->event = generate_one_in(generator, 2)
                          ? EVENT_INSTRUCTIONS
                          : (enum event)generate_below(generator, EVENTS);
    if (counting->index >= machine->model->fixed_first) {
        counting->event = counting->index == machine->model->fixed_first
                              ? EVENT_INSTRUCTIONS
                              : EVENT_CYCLES;
    }
    counting->interrupts =
        machine->model->has_status &&
        (is_sampled(generator, counting) ? generate_one_in(generator, 5)
                                         : !generate_one_in(generator, 5));
    counting->value = values(machine) - 1 - generate_below(generator, CYCLES);
    if (generate_one_in(generator, 10)) {
        counting->value = 0;
    } else if (!generate_one_in(generator, 3)) {
        counting->value = values(machine) - TOGETHER;
    }
    return true;
}

/* Of Intel's general counters the 32 bits that are written. */
static bool make_write(struct generator *generator, struct program_step *step)
{
    const struct machine *machine = &generator->program->machine;
    struct counting *counting = &step->counting;
    const unsigned small = generate_below(generator, CYCLES);

    if (generate_one_in(generator, 3)) {
        counting->processor =
            generate_below(generator, machine_processors(machine));
        counting->index = generate_below(generator, machine->general);
    } else if (!generate_held(generator, step)) {
        return false;
    }
    counting->value = small;
    if (generate_one_in(generator, 2)) {
        counting->value = machine->model->registers == REGISTERS_INTEL &&
                                  counting->index < machine->model->fixed_first
                              ? UINT32_MAX - small
                              : values(machine) - 1 - small;
    } else if (generate_one_in(generator, 2)) {
        counting->value =
            splitmix_next(&generator->stream) >> generate_below(generator, 3) &
            UINT32_MAX;
    }
    return true;
}

static bool make_read(struct generator *generator, struct program_step *step)
{
    const struct machine *machine = &generator->program->machine;
    struct counting *counting = &step->counting;

    counting->processor =
        generate_below(generator, machine_processors(machine));
    counting->index = generate_below(generator, machine->general);
    if (machine->fixed > 0 && machine->model->fixed_first == 32 &&
        generate_one_in(generator, 4)) {
        counting->index = 32 + generate_below(generator, machine->fixed);
    }
    if (machine->model->registers != REGISTERS_ARM &&
        generate_one_in(generator, 8)) {
        counting->index = machine->general + generate_below(generator, 20);
    }
    return is_used(machine, counting->index) ||
           counting->index < machine->model->fixed_first;
}

bool generate_runs(const struct generator *generator, unsigned processor)
{
    for (uint32_t i = 0; i < MACHINE_INDEXES; i++) {
        if (generator->reference.processor[processor].counter[i].running) {
            return true;
        }
    }
    return false;
}

static bool make_run(struct generator *generator, struct program_step *step)
{
    struct counting *counting = &step->counting;

    for (unsigned tries = 0; tries < TRIES; tries++) {
        counting->processor = generate_processor(generator);
        if (generate_runs(generator, counting->processor)) {
            break;
        }
    }
    counting->cycles = 1 + generate_below(generator, CYCLES);
    counting->ip = 0x401000 + 0x100 * step->number;
    counting->rate[EVENT_INSTRUCTIONS] = (struct rate){
        1 + generate_below(generator, 4), 1 + generate_below(generator, 3)};
    counting->rate[EVENT_BRANCHES] = (struct rate){
        generate_below(generator, 3), 1 + generate_below(generator, 9)};
    return generate_runs(generator, counting->processor) ||
           generate_one_in(generator, 10);
}

bool generate_counting(struct generator *generator, struct program_step *step)
{
    if (step->kind == ACT_PROGRAM) {
        return make_program(generator, step);
    }
    if (step->kind == ACT_WRITE) {
        return make_write(generator, step);
    }
    if (step->kind == ACT_READ) {
        return make_read(generator, step);
    }
    if (step->kind == ACT_RUN) {
        return make_run(generator, step);
    }
    return generate_held(generator, step) &&
           (step->kind == ACT_STOP ||
               generator->program->machine.model->has_status);
}
