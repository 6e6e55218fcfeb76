/* generate_claim.c - claims of counters: mostly sound, and in each other's way;
 * now and then one that is wrong in a way that has a documented answer. */
#include "tests/random/generate.h"

/* With bits of processors that are not there, now and then: with others they
 * are dropped, alone they are a fault (HAL-ALLOC-33a). */
static void make_affinity(struct generator *generator, struct claim *claim)
{
    const struct machine *machine = &generator->program->machine;

    claim->affinity_given = true;
    claim->affinity_count = 1 + generate_below(generator, PROGRAM_AFFINITIES);
    claim->group_count = (uint32_t)claim->affinity_count;
    for (size_t i = 0; i < claim->affinity_count; i++) {
        const unsigned group = generate_below(generator, machine->groups);
        const unsigned size = machine->size[group];

        claim->affinity[i] = (struct affinity){
            .group = group,
            .mask = 1 + generate_below(generator, (1U << size) - 1),
            .reserved = generate_one_in(generator, 20),
        };
        if (generate_one_in(generator, 12)) {
            claim->affinity[i].mask |=
                UINT64_C(1) << (size + generate_below(generator, 20));
        }
        if (generate_one_in(generator, 30)) {
            claim->affinity[i].mask = UINT64_C(1) << size;
        }
    }
    if (generate_one_in(generator, 40)) {
        claim->affinity[0].mask =
            machine->architecture == ARCH_X86 ? UINT32_MAX : UINT64_MAX;
    }
    if (generate_one_in(generator, 20)) {
        claim->affinity[0].group = machine->groups;
    }
    if (generate_one_in(generator, 40)) {
        claim->affinity[claim->affinity_count - 1].mask = 0;
    }
    if (generate_one_in(generator, 20)) {
        claim->group_count = 0;
    }
}

/* Mostly an index that there is. */
static uint32_t make_index(struct generator *generator)
{
    const struct machine *machine = &generator->program->machine;
    const unsigned n =
        generate_below(generator, machine->general + machine->fixed);

    if (generate_one_in(generator, 25)) {
        static const uint32_t odd[] = {31, 35, 63, 64, 0x40000000, UINT32_MAX};

        return odd[generate_below(generator, sizeof(odd) / sizeof(odd[0]))];
    }
    return n < machine->general
               ? n
               : machine->model->fixed_first + n - machine->general;
}

static struct descriptor make_descriptor(struct generator *generator)
{
    struct descriptor one = {.type = DESCRIPTOR_SINGLE};
    const unsigned kind = generate_below(generator, 40);

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
    if (one.type == DESCRIPTOR_EVENT_BUFFER) {
        one = generate_buffer_descriptor(generator, false);
    }
    one.flags = generate_one_in(generator, 20)
                    ? 1U << generate_below(generator, 32)
                    : 0;
    one.first = make_index(generator);
    one.last = one.first;
    if (one.type == DESCRIPTOR_RANGE) {
        one.last += generate_below(generator, 3);
        if (generate_one_in(generator, 20)) {
            one.last = one.first / 2;
        }
    }
    if (one.type == DESCRIPTOR_OVERFLOW) {
        one.handler = !generate_one_in(generator, 10);
    }
    return one;
}

/* A list that nothing is wrong with, and that has a handler. */
static void make_sound_list(struct generator *generator, struct claim *claim)
{
    const struct machine *machine = &generator->program->machine;
    struct descriptor *range = &claim->descriptor[0];

    *range = (struct descriptor){.type = DESCRIPTOR_RANGE};
    range->first = generate_below(generator, machine->general);
    range->last = range->first;
    if (range->first + 1 < machine->general && generate_one_in(generator, 2)) {
        range->last++;
    }
    claim->descriptor[1] =
        (struct descriptor){.type = DESCRIPTOR_OVERFLOW, .handler = true};
    claim->descriptor_count = 2;
    if (machine->model->has_pebs && !generate_one_in(generator, 6)) {
        claim->descriptor_count -= generate_one_in(generator, 2);
        claim->descriptor[claim->descriptor_count++] =
            generate_buffer_descriptor(generator, true);
    }
    if (machine->fixed > 0 && generate_one_in(generator, 2)) {
        claim->descriptor[claim->descriptor_count++] = (struct descriptor){
            .type = DESCRIPTOR_SINGLE,
            .first = machine->model->fixed_first +
                     generate_below(generator, machine->fixed),
        };
    }
}

static void make_list(struct generator *generator, struct claim *claim)
{
    if (generator->counts ? !generate_one_in(generator, 6)
                          : generate_one_in(generator, 3)) {
        make_sound_list(generator, claim);
        return;
    }
    if (!generate_one_in(generator, 30)) {
        claim->descriptor_count =
            1 + generate_below(generator,
                    generate_one_in(generator, 2) ? 2 : PROGRAM_DESCRIPTORS);
    }
    for (size_t i = 0; i < claim->descriptor_count; i++) {
        claim->descriptor[i] = make_descriptor(generator);
    }
}

static bool has_handler(const struct claim *claim)
{
    for (size_t i = 0; i < claim->descriptor_count; i++) {
        if (claim->descriptor[i].type == DESCRIPTOR_OVERFLOW &&
            claim->descriptor[i].handler) {
            return true;
        }
    }
    return false;
}

/* The handler loads the first counter of the list, so that it overflows again
 * soon, or late. */
static void make_reload(struct generator *generator, struct claim *claim)
{
    const struct machine *machine = &generator->program->machine;
    const uint32_t index = claim->descriptor[0].first;
    const unsigned period = PROGRAM_LEAST + generate_below(generator, 800);

    if (!has_handler(claim) || generator->reloads == PROGRAM_RELOADS ||
        claim->descriptor[0].type > DESCRIPTOR_RANGE ||
        !machine_has_counter(machine, index) || index == 31 ||
        !machine->model->has_status || generate_one_in(generator, 2)) {
        return;
    }
    claim->reload = (struct reload){true, generator->reloads++, index,
        generate_one_in(generator, 6) ? period : 0};
    if (claim->reload.value != 0) {
        return;
    }
    claim->reload.value = machine->model->registers == REGISTERS_INTEL &&
                                  index < machine->model->fixed_first
                              ? UINT32_MAX - period
                              : (UINT64_C(1) << machine->width_bits) - period;
}

bool generate_claim(struct generator *generator, struct program_step *step)
{
    const struct program *program = generator->program;
    struct claim *claim = &step->claim;

    claim->no_handle = generate_one_in(generator, 30);
    if (program->machine.windows < WINDOWS_10_1903 &&
        !generate_one_in(generator, 4)) {
        return true;
    }
    if (generate_one_in(generator, generator->counts ? 5 : 2)) {
        make_affinity(generator, claim);
    } else if (generate_one_in(generator, 12)) {
        claim->group_count = 1;
    }
    claim->list_given =
        !generate_one_in(generator, program->machine.model->has_pebs ? 40 : 10);
    if (claim->list_given) {
        make_list(generator, claim);
        make_reload(generator, claim);
    }
    return true;
}
