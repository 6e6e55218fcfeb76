/* generate_pcw.c - counter sets, their instances, and consumers that ask for
 * them. */
#include "tests/random/generate.h"
#include "tests/random/names.h"

enum { TRIES = 16 };

/* PCW-ADD-04c: this one and the next. */
#define RESERVED_ID UINT32_C(0xFFFFFFFE)

/* At most one thing is wrong, so that nobody has to say which comes first. */
static void make_counters(
    struct generator *generator, struct registering *registering)
{
    static const uint16_t ids[] = {0, 35, 3, 63, 9, 34, 64, 200};
    bool wrong = false;

    registering->counter_count =
        generate_below(generator, PROGRAM_COUNTERS + 1);
    for (size_t i = 0; i < registering->counter_count; i++) {
        struct pcw_counter *counter = &registering->counter[i];

        *counter = (struct pcw_counter){
            .id = ids[2 * i + generate_below(generator, 2)],
            .structure =
                (uint16_t)generate_below(generator, PROGRAM_STRUCTURES),
            .offset = (uint16_t)(4 * generate_below(generator, 4)),
            .size = generate_one_in(generator, 2) ? 4 : 8,
        };
        if (!wrong && generate_one_in(generator, 20)) {
            wrong = true;
            counter->size = 2;
        } else if (!wrong && i > 0 && generate_one_in(generator, 20)) {
            wrong = true;
            counter->id = registering->counter[0].id;
        }
    }
}

/* Bytes that the structure's counters reach to. */
static uint32_t reach(const struct registering *registering, uint32_t structure)
{
    uint32_t bytes = 0;

    for (size_t i = 0; i < registering->counter_count; i++) {
        const struct pcw_counter *counter = &registering->counter[i];

        if (counter->structure == structure &&
            (uint32_t)counter->offset + counter->size > bytes) {
            bytes = (uint32_t)counter->offset + counter->size;
        }
    }
    return bytes;
}

static struct pcw_data make_data(struct generator *generator, uint32_t needed)
{
    return (struct pcw_data){
        .block = needed > 0 || generate_one_in(generator, 2)
                     ? generate_below(generator, PROGRAM_BLOCKS)
                     : PROGRAM_BLOCKS,
        .size = generate_one_in(generator, 2) ? PROGRAM_BLOCK_BYTES : needed,
    };
}

static void make_added(
    struct generator *generator, struct registering *registering, size_t place)
{
    struct pcw_added *added = &registering->added[place];

    added->name = generate_below(generator, NAME_ADDED);
    added->id = generate_one_in(generator, 12)
                    ? RESERVED_ID + generate_below(generator, 2)
                    : (uint32_t)place + generate_below(generator, 2) * 10;
    added->count = PROGRAM_STRUCTURES;
    for (uint32_t i = 0; i < PROGRAM_STRUCTURES; i++) {
        added->data[i] = make_data(generator, reach(registering, i));
    }
}

/* A block that is too short, or missing: the instance is not there whenever
 * its counters are asked for. */
static void spoil_added(struct generator *generator,
    const struct registering *registering, struct pcw_added *added)
{
    const uint32_t structure = generate_below(generator, PROGRAM_STRUCTURES);

    if (added->id >= RESERVED_ID) {
        added->id = 7;
    }
    if (generate_one_in(generator, 2)) {
        added->count = structure;
    } else if (generate_one_in(generator, 3)) {
        added->data[structure].block = PROGRAM_BLOCKS;
    } else if (reach(registering, structure) > 0) {
        added->data[structure].size = reach(registering, structure) - 1;
    }
}

/* Of names that several have, all are there or none is: which of them had what
 * id the time before (PCW-ADD-04a) is then nobody's question. */
static void make_callback(
    struct generator *generator, struct registering *registering)
{
    bool twins = false;

    registering->callback = true;
    registering->slot = generator->callbacks++;
    registering->added_count = generate_below(generator, PROGRAM_ADDED + 1);
    for (size_t i = 0; i < registering->added_count; i++) {
        make_added(generator, registering, i);
        twins = twins || reference_pcw_is_twin(registering, i);
    }
    if (registering->added_count > 0 && !twins &&
        generate_one_in(generator, 3)) {
        spoil_added(generator, registering,
            &registering->added[generate_below(
                generator, (unsigned)registering->added_count)]);
    }
}

/* Mostly the set of a query that is open: who comes late is told of it. */
static unsigned pick_set(struct generator *generator)
{
    const struct pcw_state *state = &generator->reference.pcw;

    for (size_t i = 0; i < state->query_count; i++) {
        if (state->query[i].live && !generate_one_in(generator, 3)) {
            return state->query[i].step->asking.set_name;
        }
    }
    if (state->registration_count > 0 && generate_one_in(generator, 2)) {
        return state
            ->registration[generate_below(
                generator, (unsigned)state->registration_count)]
            .step->registering.name;
    }
    return generate_below(generator, NAME_SETS);
}

static void make_registering(
    struct generator *generator, struct program_step *step)
{
    static const enum fault faults[] = {FAULT_NULL_OUTPUT, FAULT_NULL_INFO,
        FAULT_NULL_NAME, FAULT_NULL_ARRAY, FAULT_EMPTY_NAME, FAULT_BLANK_NAME,
        FAULT_ODD_NAME, FAULT_HUGE_COUNT};
    struct registering *registering = &step->registering;
    const bool second = generator->program->machine.windows >= WINDOWS_FE;

    registering->name = pick_set(generator);
    registering->version =
        second && generate_one_in(generator, 2) ? 0x200 : 0x100;
    make_counters(generator, registering);
    if (generate_one_in(generator, 5)) {
        registering->fault = faults[generate_below(
            generator, sizeof(faults) / sizeof(faults[0]))];
        registering->counter[0] = (struct pcw_counter){.size = 4};
        registering->counter_count = 1;
        return;
    }
    if (generate_one_in(generator, 10)) {
        static const uint32_t versions[] = {0, 0x200, 0x300, 0x101};

        registering->version = versions[generate_below(generator, 4)];
    }
    if (generator->program->machine.silos && second &&
        generate_one_in(generator, 2)) {
        registering->version = 0x200;
        registering->flags = 1;
    } else if (generate_one_in(generator, 6)) {
        registering->flags = 1 + generate_below(generator, 3);
    }
    if (generator->callbacks < PROGRAM_CALLBACKS &&
        generate_one_in(generator, 2)) {
        make_callback(generator, registering);
    }
}

/* A registration that is open, or with these odds was. */
static const struct held_registration *pick_registration(
    struct generator *generator, unsigned odds)
{
    const struct pcw_state *state = &generator->reference.pcw;
    const bool closed = generate_one_in(generator, odds);

    for (unsigned tries = 0; tries < TRIES && state->registration_count > 0;
         tries++) {
        const struct held_registration *one =
            &state->registration[generate_below(
                generator, (unsigned)state->registration_count)];

        if (one->live != closed) {
            return one;
        }
    }
    return NULL;
}

static void spoil_creating(struct generator *generator,
    const struct registering *registering, struct creating *creating)
{
    static const enum fault faults[] = {FAULT_NULL_OUTPUT, FAULT_NULL_NAME,
        FAULT_NULL_ARRAY, FAULT_NULL_REGISTRATION, FAULT_ODD_NAME,
        FAULT_ODD_NAME};
    const unsigned kind = generate_below(generator, 6);
    const uint32_t structure = generate_below(generator, PROGRAM_STRUCTURES);

    if (kind == 0) {
        creating->fault = faults[generate_below(
            generator, sizeof(faults) / sizeof(faults[0]))];
        if (creating->fault == FAULT_NULL_ARRAY && creating->count == 0) {
            creating->fault = FAULT_NONE;
        } else if (creating->fault == FAULT_ODD_NAME) {
            creating->name = generate_below(generator, 3); /* of ASCII */
        }
    } else if (kind == 1 && creating->count > 0) {
        creating->count--;
    } else if (kind == 2 || kind == 5) {
        static const uint32_t huge[] = {
            0x0FFFFFFF, 0x10000000, 0x1FFFFFFF, 0x20000000, UINT32_MAX};

        creating->count = generate_one_in(generator, 3)
                              ? creating->count + 1
                              : huge[generate_below(generator, 5)];
    } else if (reach(registering, structure) > 0) {
        if (kind == 3) {
            creating->data[structure].size = reach(registering, structure) - 1;
        } else {
            creating->data[structure].block = PROGRAM_BLOCKS;
        }
    }
}

/* Silo-neutral sets have instances of callbacks only: from which silo's count
 * the ids of others would come is nobody's requirement. */
static bool make_creating(
    struct generator *generator, struct program_step *step)
{
    const struct held_registration *one = pick_registration(generator, 20);
    struct creating *creating = &step->creating;
    const struct registering *registering;

    if (one == NULL || one->step->registering.flags != 0) {
        return false;
    }
    registering = &one->step->registering;
    creating->registration = one->step->number;
    creating->name = generate_below(generator, NAME_CREATED);
    for (size_t i = 0; i < registering->counter_count; i++) {
        if (registering->counter[i].structure >= creating->count) {
            creating->count = registering->counter[i].structure + 1U;
        }
    }
    for (uint32_t i = 0; i <= PROGRAM_STRUCTURES; i++) {
        creating->data[i] = make_data(generator, reach(registering, i));
    }
    if (one->live && generate_one_in(generator, 3)) {
        spoil_creating(generator, registering, creating);
    }
    return true;
}

static void make_asking(struct generator *generator, struct program_step *step)
{
    static const uint16_t ids[] = {0, 35, 3, 63, 9, 34};
    struct asking *asking = &step->asking;

    asking->query = PROGRAM_NOBODY;
    asking->set_name = generate_below(generator, NAME_SETS);
    asking->pattern = generate_one_in(generator, 3)
                          ? generate_below(generator, NAME_PATTERNS)
                          : 0;
    asking->any_id = !generate_one_in(generator, 5);
    asking->id = generate_below(generator, 4);
    asking->multiple = !generate_one_in(generator, 5);
    asking->enumerate = generate_one_in(generator, 4);
    if (generate_one_in(generator, 3)) {
        const unsigned first = generate_below(generator, 5);

        asking->counter_count = 1 + generate_below(generator, PROGRAM_ASKED);
        asking->counter[0] = ids[first];
        asking->counter[1] = ids[first + 1];
    }
}

/* A counter that the set has, where a mask can name it. */
static void ask_for_own(struct generator *generator,
    const struct registering *registering, struct asking *asking)
{
    const size_t count = registering->counter_count;
    const struct pcw_counter *counter;

    if (asking->counter_count != 1 || count == 0) {
        return;
    }
    counter = &registering->counter[generate_below(generator, (unsigned)count)];
    if (counter->id < 64) {
        asking->counter[0] = counter->id;
    }
}

/* Mostly a set that there is, and an open query if there is one. */
static bool make_collect(struct generator *generator, struct program_step *step)
{
    const struct held_registration *one = pick_registration(generator, 20);
    const struct pcw_state *state = &generator->reference.pcw;

    make_asking(generator, step);
    if (one != NULL && !generate_one_in(generator, 6)) {
        step->asking.set_name = one->step->registering.name;
        ask_for_own(generator, &one->step->registering, &step->asking);
    }
    for (size_t i = 0; i < state->query_count; i++) {
        if (step->kind == ACT_COLLECT && state->query[i].live &&
            generate_one_in(generator, 2)) {
            step->asking.query = state->query[i].step->number;
            step->actor = state->query[i].step->actor;
        }
    }
    return one != NULL || generate_one_in(generator, 8);
}

static bool make_store(struct generator *generator, struct program_step *step)
{
    struct storing *storing = &step->storing;

    storing->bytes = generate_one_in(generator, 2) ? 4 : 8;
    storing->block = generate_below(generator, PROGRAM_BLOCKS);
    storing->offset = 4 * generate_below(generator, 5);
    storing->value = splitmix_next(&generator->stream);
    return true;
}

/* Mostly what is still open: what is not ends the program. */
static bool pick_closed(struct generator *generator, struct program_step *step)
{
    const struct pcw_state *state = &generator->reference.pcw;
    const bool closed = generate_one_in(generator, 3);

    for (unsigned tries = 0; tries < TRIES && state->instance_count > 0;
         tries++) {
        const struct held_instance *one = &state->instance[generate_below(
            generator, (unsigned)state->instance_count)];

        if (one->live != closed) {
            step->of = one->step->number;
            return true;
        }
    }
    return false;
}

bool generate_pcw(struct generator *generator, struct program_step *step)
{
    const struct pcw_state *state = &generator->reference.pcw;
    const struct held_registration *one;

    if (step->kind == ACT_REGISTER) {
        make_registering(generator, step);
        return true;
    }
    if (step->kind == ACT_UNREGISTER) {
        one = pick_registration(generator, 4);
        step->of = one != NULL ? one->step->number : PROGRAM_NOBODY;
        return one != NULL;
    }
    if (step->kind == ACT_CREATE) {
        return make_creating(generator, step);
    }
    if (step->kind == ACT_CLOSE) {
        return pick_closed(generator, step);
    }
    if (step->kind == ACT_STORE) {
        return make_store(generator, step);
    }
    if (step->kind != ACT_CLOSE_QUERY) {
        return make_collect(generator, step);
    }
    for (size_t i = 0; i < state->query_count; i++) {
        if (state->query[i].live) {
            step->of = state->query[i].step->number;
            step->actor = state->query[i].step->actor;
            return true;
        }
    }
    return false;
}
