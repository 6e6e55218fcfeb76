/* generate.c - random programs: a machine, a subject, and steps that go on from
 * what is there. */
#include "tests/random/generate.h"

#include <string.h>

enum {
    TRIES = 100,
    CONTENDED = 3, /* general counters, at the most */
    SAMPLED_OF = 4,
};

/* What most steps of a program are about. */
static const struct subject {
    const char *name;
    bool contended;   /* PROGRAM_ACTORS drivers and few counters */
    unsigned sampled; /* of SAMPLED_OF machines so many have PEBS */
    /* How often each kind of step is tried. What a claim asks for besides
     * counters is generate_claim's. */
    uint8_t weight[ACT_KINDS];
} subjects[] = {
    {"claims", false, 0,
        {[ACT_ALLOCATE] = 10,
            [ACT_FREE] = 4,
            [ACT_CONFIGURE] = 2,
            [ACT_QUERY] = 2,
            [ACT_RAISE] = 1,
            [ACT_LOWER] = 2}},
    {"counting", false, 0,
        {[ACT_ALLOCATE] = 4,
            [ACT_FREE] = 1,
            [ACT_RAISE] = 3,
            [ACT_LOWER] = 3,
            [ACT_PROGRAM] = 20,
            [ACT_STOP] = 1,
            [ACT_WRITE] = 2,
            [ACT_CLEAR] = 1,
            [ACT_READ] = 1,
            [ACT_RUN] = 10}},
    {"counter_sets", false, 0,
        {[ACT_REGISTER] = 6,
            [ACT_UNREGISTER] = 2,
            [ACT_CREATE] = 9,
            [ACT_CLOSE] = 2,
            [ACT_STORE] = 3,
            [ACT_COLLECT] = 10,
            [ACT_OPEN] = 3,
            [ACT_CLOSE_QUERY] = 1,
            [ACT_RAISE] = 1,
            [ACT_LOWER] = 2}},
    {"claims_and_counting", false, 0,
        {[ACT_ALLOCATE] = 6,
            [ACT_FREE] = 2,
            [ACT_RAISE] = 1,
            [ACT_LOWER] = 2,
            [ACT_PROGRAM] = 12,
            [ACT_STOP] = 1,
            [ACT_WRITE] = 1,
            [ACT_CLEAR] = 1,
            [ACT_READ] = 1,
            [ACT_RUN] = 5,
            [ACT_CONFIGURE] = 1,
            [ACT_QUERY] = 1}},
    {"everything", false, 0,
        {[ACT_ALLOCATE] = 4,
            [ACT_FREE] = 2,
            [ACT_CONFIGURE] = 1,
            [ACT_QUERY] = 1,
            [ACT_RAISE] = 1,
            [ACT_LOWER] = 2,
            [ACT_PROGRAM] = 8,
            [ACT_STOP] = 1,
            [ACT_WRITE] = 1,
            [ACT_READ] = 1,
            [ACT_RUN] = 4,
            [ACT_REGISTER] = 4,
            [ACT_UNREGISTER] = 2,
            [ACT_CREATE] = 4,
            [ACT_CLOSE] = 2,
            [ACT_STORE] = 1,
            [ACT_COLLECT] = 4,
            [ACT_OPEN] = 2,
            [ACT_CLOSE_QUERY] = 1}},
    {"event_buffers", true, SAMPLED_OF,
        {[ACT_ALLOCATE] = 5,
            [ACT_FREE] = 2,
            [ACT_RAISE] = 4,
            [ACT_LOWER] = 3,
            [ACT_PROGRAM] = 9,
            [ACT_STOP] = 1,
            [ACT_WRITE] = 1,
            [ACT_CLEAR] = 1,
            [ACT_RESET] = 9,
            [ACT_RUN] = 18}},
    {"contention", true, SAMPLED_OF / 2,
        {[ACT_ALLOCATE] = 8,
            [ACT_FREE] = 5,
            [ACT_RAISE] = 2,
            [ACT_LOWER] = 3,
            [ACT_PROGRAM] = 10,
            [ACT_STOP] = 1,
            [ACT_RESET] = 6,
            [ACT_RUN] = 9}},
};

enum {
    SUBJECTS = sizeof(subjects) / sizeof(subjects[0]),
    DRAWN = SUBJECTS - 1, /* where none is named: all but contention */
};

const char *program_subject_name(unsigned subject)
{
    return subject < SUBJECTS ? subjects[subject].name : NULL;
}

/* What of an element is wrong is wrong in all of the array, if at all: which of
 * two faults is told of first is nobody's requirement. */
static void make_configuration(
    struct generator *generator, struct configuration *wanted)
{
    static const uint32_t counts[] = {0, 1, 1, 2, 3, 15, 16, 17};
    const unsigned fault = generate_below(generator, 8);

    wanted->array_given = true;
    wanted->count =
        counts[generate_below(generator, sizeof(counts) / sizeof(counts[0]))];
    for (uint32_t i = 0; i < wanted->count; i++) {
        wanted->element[i] = (struct element){
            .type = fault == 0 && i == wanted->count - 1,
            .reserved = fault == 1 ? generate_below(generator, 2) : 0,
            .index = generate_one_in(generator, 4)
                         ? splitmix_next(&generator->stream)
                         : (generate_one_in(generator, 4) ? UINT64_C(0x40000000)
                                                          : 0) +
                               generate_below(generator, 8),
        };
    }
    if (wanted->count == 0 || generate_one_in(generator, 16)) {
        wanted->array_given = false;
    }
}

static void make_query(struct generator *generator, struct configuration *room)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 15, 16, 17};

    room->count =
        counts[generate_below(generator, sizeof(counts) / sizeof(counts[0]))];
    room->array_given = room->count > 0 && !generate_one_in(generator, 6);
}

static void make_free(struct generator *generator, struct program_step *step)
{
    const struct reference *reference = &generator->reference;
    const unsigned count = (unsigned)reference->set_count;
    const bool freed = generate_one_in(generator, 4);

    step->of = generate_one_in(generator, 2) ? PROGRAM_NOBODY : PROGRAM_NULL;
    for (unsigned tries = 0;
         tries < TRIES && count > 0 && !generate_one_in(generator, 12);
         tries++) {
        const struct held_set *set =
            &reference->set[generate_below(generator, count)];

        if (set->live || freed) {
            step->of = set->step->number;
            return;
        }
    }
}

/* Where counters run and interrupts are masked, mostly. */
static void make_level(struct generator *generator, struct program_step *step)
{
    const struct machine *machine = &generator->program->machine;

    step->level = generate_one_in(generator, 2)
                      ? machine_profile_level(machine->architecture)
                      : machine_levels(machine->architecture)[generate_below(
                            generator, MACHINE_LEVELS)];
}

/* Where there are event buffers, whoever raises a level keeps claims of them
 * out: it is for whoever is where counters run. Returns whether one does. */
static bool pick_level_owner(
    struct generator *generator, struct program_step *step)
{
    const unsigned processor = generate_processor(generator);

    if (!generator->program->machine.model->has_pebs ||
        (step->kind != ACT_RAISE && step->kind != ACT_LOWER)) {
        return true;
    }
    if (processor < generator->program->actors) {
        step->actor = processor;
    }
    return step->kind == ACT_LOWER || generate_runs(generator, step->actor);
}

static enum act pick_kind(struct generator *generator, const uint8_t *weight)
{
    unsigned all = 0, left;
    enum act kind = 0;

    for (unsigned i = 0; i < ACT_KINDS; i++) {
        all += weight[i];
    }
    for (left = generate_below(generator, all); left >= weight[kind]; kind++) {
        left -= weight[kind];
    }
    return kind;
}

static bool make_step(struct generator *generator, const uint8_t *weight,
    struct program_step *step)
{
    step->kind = pick_kind(generator, weight);
    step->actor = generate_below(generator, generator->program->actors);
    if (step->kind == ACT_RESET) {
        return generate_buffer(generator, step);
    }
    if (step->kind >= ACT_PROGRAM && step->kind <= ACT_RUN) {
        return generate_counting(generator, step);
    }
    if (step->kind >= ACT_REGISTER) {
        return generate_pcw(generator, step);
    }
    if (step->kind == ACT_ALLOCATE) {
        return generate_claim(generator, step);
    }
    if (step->kind == ACT_FREE) {
        make_free(generator, step);
    } else if (step->kind == ACT_CONFIGURE) {
        make_configuration(generator, &step->configuration);
    } else if (step->kind == ACT_QUERY) {
        make_query(generator, &step->configuration);
    } else if (step->kind == ACT_RAISE) {
        make_level(generator, step);
    }
    return pick_level_owner(generator, step);
}

static bool is_counting(const struct generator *generator)
{
    return subjects[generator->subject].weight[ACT_PROGRAM] > 0;
}

static void make_machine(struct generator *generator, struct machine *machine)
{
    static const uint8_t widths[] = {32, 40, 48, 57};
    static const uint8_t delays[] = {0, 30, 90};
    const bool sampled = generate_below(generator, SAMPLED_OF) <
                         subjects[generator->subject].sampled;
    const struct model *model;

    machine->architecture = (enum architecture)generate_below(
        generator, sampled ? ARCH_ARM64 : ARCH_ARM64 + 1);
    do {
        machine->windows =
            generate_one_in(generator, generator->counts ? 20 : 5)
                ? (enum windows)generate_below(generator, WINDOWS_10_1903)
                : (enum windows)(
                      WINDOWS_10_1903 + generate_below(generator, 3));
    } while (!machine_exists(machine->windows, machine->architecture));
    do {
        model = &machine_models[generate_below(
            generator, (unsigned)machine_model_count)];
    } while ((machine->architecture == ARCH_ARM64) !=
                 (model->registers == REGISTERS_ARM) ||
             (sampled && !model->has_pebs) ||
             (!model->has_status && generator->counts &&
                 !generate_one_in(generator, 4)));
    machine->model = model;
    machine->groups =
        machine->architecture == ARCH_X86
            ? 1
            : 1 + generate_below(generator, sampled ? 2 : MACHINE_GROUPS);
    for (unsigned i = 0; i < machine->groups; i++) {
        machine->size[i] = 1 + generate_below(generator, MACHINE_PER_GROUP);
    }
    machine->general = model->general;
    machine->fixed = model->fixed;
    machine->width_bits = model->width_bits;
    if (model->may_have_fewer) {
        machine->general = generate_one_in(generator, 2)
                               ? model->general
                               : 1 + generate_below(generator, model->general);
        machine->fixed = generate_below(generator, model->fixed + 1);
    }
    if (model->may_have_fewer && subjects[generator->subject].contended) {
        machine->general = 1 + generate_below(generator, CONTENDED);
    }
    if (model->any_width) {
        machine->width_bits = widths[generate_below(generator, sizeof(widths))];
    }
    machine->latency = delays[generate_below(generator, sizeof(delays))];
    machine->skid = delays[generate_below(generator, sizeof(delays))];
}

static void make_program(struct generator *generator)
{
    struct program *program = generator->program;
    const uint8_t *weight = subjects[generator->subject].weight;
    const unsigned wanted = 6 + generate_below(generator, PROGRAM_STEPS - 5);

    for (unsigned tries = 0;
         program->count < wanted && tries < TRIES + wanted &&
         !generator->reference.stopped;
         tries++) {
        struct program_step *step = &program->step[program->count];
        const struct generator before = *generator;
        struct answer answer;

        memset(step, 0, sizeof(*step));
        step->number = (unsigned)program->count;
        if (!make_step(generator, weight, step) ||
            !reference_allows(&generator->reference, step)) {
            generator->reloads = before.reloads;
            generator->callbacks = before.callbacks;
            continue;
        }
        reference_step(&generator->reference, step, &answer);
        /* What ends a program is the exception. */
        if (generator->reference.stopped &&
            !generate_one_in(generator,
                strcmp(answer.rule[0], "irql.contract") == 0 ? 8 : 2)) {
            generator->reference = before.reference;
            generator->reloads = before.reloads;
            generator->callbacks = before.callbacks;
            continue;
        }
        program->count++;
    }
}

void program_generate(struct program *program, uint64_t seed, unsigned subject)
{
    struct generator generator = {.stream = {seed}, .program = program};
    const struct machine *machine = &program->machine;
    unsigned processors;

    memset(program, 0, sizeof(*program));
    generator.subject = subject == PROGRAM_ANY_SUBJECT
                            ? generate_below(&generator, DRAWN)
                            : subject;
    generator.counts = is_counting(&generator);
    do {
        make_machine(&generator, &program->machine);
        processors = machine_processors(machine);
    } while (
        subjects[generator.subject].contended && processors < PROGRAM_ACTORS);
    program->actors =
        subjects[generator.subject].contended
            ? PROGRAM_ACTORS
            : 1 + generate_below(&generator, processors < PROGRAM_ACTORS
                                                 ? processors
                                                 : PROGRAM_ACTORS);
    program->machine.silos = program->actors > 1 &&
                             machine->windows >= WINDOWS_10_1903 &&
                             generate_one_in(&generator, 4);
    reference_start(&generator.reference, program);
    make_program(&generator);
}
