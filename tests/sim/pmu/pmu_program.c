/* pmu_program.c - chooses figures, accesses and code, weighted so that counters
 * run and overflow. */
#include "tests/sim/pmu/pmu_program.h"

#include <assert.h>
#include <inttypes.h>

#include "tests/sim/pmu/program_value.h"

unsigned pmu_registers(
    enum naive_vendor vendor, uint32_t address[PMU_REGISTERS_MAX])
{
    unsigned count = 0;

    for (unsigned i = 0; i < program_register_row_count; i++) {
        const struct program_register_row *row = &program_register_rows[i];

        for (uint32_t n = 0; n < row->count; n++) {
            if ((row->vendors >> vendor & 1) != 0) {
                assert(count < PMU_REGISTERS_MAX);
                address[count++] = row->address + n * row->step;
            }
        }
    }
    return count;
}

enum { EOI = 0x80B };

static const struct program_register_row *random_row(
    struct splitmix *stream, const struct naive_model *model)
{
    unsigned sum = 0;
    uint64_t chosen;

    for (unsigned i = 0; i < program_register_row_count; i++) {
        if ((program_register_rows[i].vendors >> model->vendor & 1) != 0) {
            sum += program_register_rows[i].weight;
        }
    }
    chosen = splitmix_below(stream, sum);
    for (unsigned i = 0;; i++) {
        const struct program_register_row *row = &program_register_rows[i];

        if ((row->vendors >> model->vendor & 1) == 0) {
            continue;
        }
        if (chosen < row->weight) {
            return row;
        }
        chosen -= row->weight;
    }
}

/* Whether an access to it can do something. */
static bool exists(const struct naive_model *model, uint32_t address)
{
    const struct naive_pmu pmu = {.model = *model};
    uint64_t value;

    return address == EOI || naive_peek(&pmu, address, &value);
}

/* A register that is there, or one time in eight any. */
static const struct program_register_row *random_register(
    struct splitmix *stream, const struct naive_model *model, uint32_t *address)
{
    bool any = program_one_in(stream, 8);

    for (;;) {
        const struct program_register_row *row =
            any && program_one_in(stream, 2)
                ? &program_register_rows[splitmix_below(
                      stream, program_register_row_count)]
                : random_row(stream, model);

        *address = row->address +
                   row->step * (uint32_t)splitmix_below(stream, row->count);
        if (any || exists(model, *address)) {
            return row;
        }
    }
}

static struct naive_rate random_rate(struct splitmix *stream)
{
    static const uint64_t q[] = {1, 1, 2, 3, 4, 7, 30, 100};
    struct naive_rate rate = {0, 1, 0};

    if (program_one_in(stream, 4)) {
        return rate;
    }
    rate.q = q[splitmix_below(stream, sizeof(q) / sizeof(q[0]))];
    rate.p = splitmix_below(
        stream, rate.q * (program_one_in(stream, 6) ? 5 : 2) + 1);
    rate.phase = program_one_in(stream, 2) ? splitmix_below(stream, rate.q) : 0;
    return rate;
}

static void random_segment(struct splitmix *stream, struct naive_segment *code)
{
    code->cycles =
        1 + splitmix_below(stream, program_one_in(stream, 5) ? 300 : 60);
    code->user = program_one_in(stream, 2);
    code->halted = program_one_in(stream, 12);
    for (unsigned e = 0; e < NAIVE_CODE_EVENTS; e++) {
        code->rate[e] = random_rate(stream);
    }
}

/* ECX: a type and an index, or anything. */
static uint32_t random_selector(
    struct splitmix *stream, const struct naive_model *model)
{
    static const uint32_t types[] = {0, 0, 0, 0, 0x40000000, 0x40000000,
        0x20000000, 0x80000000, 0xC0000000, 0x10000};
    uint32_t index = (uint32_t)splitmix_below(stream, model->general + 2);

    if (program_one_in(stream, 20)) {
        return (uint32_t)splitmix_next(stream);
    }
    return types[splitmix_below(stream, sizeof(types) / sizeof(types[0]))] |
           index;
}

static enum pmu_op_kind random_kind(struct splitmix *stream)
{
    static const enum pmu_op_kind kinds[] = {PMU_WRMSR, PMU_WRMSR, PMU_WRMSR,
        PMU_WRMSR, PMU_WRMSR, PMU_WRMSR, PMU_WRMSR, PMU_RDMSR, PMU_RDMSR,
        PMU_RDPMC, PMU_RUN, PMU_RUN, PMU_RUN, PMU_RUN, PMU_RUN, PMU_RUN,
        PMU_SETTLE, PMU_STI, PMU_ADD};

    if (program_one_in(stream, 16)) {
        return PMU_SETTLE + (enum pmu_op_kind)splitmix_below(stream, 4);
    }
    return kinds[splitmix_below(stream, sizeof(kinds) / sizeof(kinds[0]))];
}

static void add(struct pmu_ops *ops, const struct pmu_op *op)
{
    if (ops->count < PMU_OPS_MAX) {
        ops->op[ops->count++] = *op;
    }
}

static void add_random(struct pmu_ops *ops, struct splitmix *stream,
    const struct naive_model *model)
{
    struct pmu_op op = {.kind = random_kind(stream)};
    const struct program_register_row *row =
        random_register(stream, model, &op.address);

    switch (op.kind) {
    case PMU_RDMSR:
        break;
    case PMU_WRMSR:
        op.value = program_value(stream, model, row->value);
        break;
    case PMU_RDPMC:
        op.address = random_selector(stream, model);
        op.user = program_one_in(stream, 3);
        op.pce = !program_one_in(stream, 3);
        break;
    case PMU_RUN:
        random_segment(stream, &op.segment);
        break;
    case PMU_ADD:
        op.address = (uint32_t)splitmix_below(stream, NAIVE_CODE_EVENTS);
        op.value =
            1 + splitmix_below(stream, program_one_in(stream, 2) ? 4 : 50);
        op.user = program_one_in(stream, 2);
        break;
    case PMU_CR8:
        op.value = program_one_in(stream, 2) ? splitmix_below(stream, 16) : 0;
        break;
    case PMU_SETTLE:
    case PMU_CLI:
    case PMU_STI:
        break;
    case PMU_STORE: /* add_store() */
        return;
    }
    add(ops, &op);
}

/* Index, maximum, threshold or a reset value anew. */
static void add_store(struct pmu_ops *ops, struct splitmix *stream,
    const struct naive_model *model)
{
    struct pmu_op op = {.kind = PMU_STORE,
        .address = program_one_in(stream, 2)
                       ? 0x28
                       : 8 * (uint32_t)(5 + splitmix_below(
                                                stream, PMU_AREA_WORDS - 5))};

    op.value = program_area_word(stream, model, op.address);
    add(ops, &op);
}

/* Writes a value that does something to three of four registers of these kinds,
 * and to most of those that are alone. */
static void add_useful(struct pmu_ops *ops, struct splitmix *stream,
    const struct naive_model *model, unsigned kinds)
{
    for (unsigned i = 0; i < program_register_row_count; i++) {
        const struct program_register_row *row = &program_register_rows[i];

        for (uint32_t n = 0; n < row->count; n++) {
            struct pmu_op op = {
                .kind = PMU_WRMSR, .address = row->address + n * row->step};

            if ((kinds >> row->value & 1) != 0 && exists(model, op.address) &&
                !program_one_in(stream, row->count == 1 ? 8 : 4)) {
                op.value = program_value_useful(stream, model, row->value);
                add(ops, &op);
            }
        }
    }
}

/* What is written to set up, to serve an interrupt, and to go on after it. */
enum {
    PRESETS = 1 << PROGRAM_VALUE_COUNTER,
    CONTROL = 1 << PROGRAM_VALUE_SELECT | 1 << PROGRAM_VALUE_FIXED_CTRL |
              1 << PROGRAM_VALUE_COUNTERS | 1 << PROGRAM_VALUE_PEBS |
              1 << PROGRAM_VALUE_DATA_CFG | 1 << PROGRAM_VALUE_DS_AREA,
    SERVICE = 1 << PROGRAM_VALUE_STATUS | 1 << PROGRAM_VALUE_LVTPC |
              1 << PROGRAM_VALUE_EOI,
    RELOAD = PRESETS | 1 << PROGRAM_VALUE_COUNTERS,
};

static void make_setup(struct pmu_program *program, struct splitmix *stream)
{
    struct pmu_ops *ops = &program->body;
    const struct naive_model *model = &program->model;

    add_useful(ops, stream, model, 1 << PROGRAM_VALUE_LVTPC);
    if (program_one_in(stream, 2)) {
        add_useful(ops, stream, model, PRESETS | CONTROL);
    } else {
        add_useful(ops, stream, model, CONTROL);
        add_useful(ops, stream, model, PRESETS);
    }
}

/* Most handlers do what theirs is, some also reload, others do anything. */
static void make_handler(struct pmu_program *program, struct splitmix *stream)
{
    struct pmu_ops *ops = &program->handler;

    if (!program_one_in(stream, 4)) {
        unsigned kinds = SERVICE;

        kinds |= program_one_in(stream, 3) ? RELOAD : 0;
        add_useful(ops, stream, &program->model, kinds);
        if (program->model.pebs && !program_one_in(stream, 4)) {
            add_store(ops, stream, &program->model);
        }
    }
    for (uint64_t n = splitmix_below(stream, 4); n > 0; n--) {
        add_random(ops, stream, &program->model);
    }
}

/* Which fixed counters there are: a count of them, or since version 5 any. */
static uint64_t random_fixed(
    struct splitmix *stream, const struct naive_model *model)
{
    if (model->version >= 5) {
        return splitmix_below(stream, 16);
    }
    return model->fixed >> splitmix_below(stream, 4);
}

static void random_times(struct splitmix *stream, struct naive_model *model)
{
    static const struct naive_rate clocks[] = {
        {1, 25, 0}, {1, 1, 0}, {3, 7, 0}, {5, 2, 0}, {2, 3, 0}, {1, 90, 0}};

    model->access_cycles = 1 + splitmix_below(stream, 30);
    model->latency_cycles =
        program_one_in(stream, 3)
            ? 0
            : splitmix_below(stream, program_one_in(stream, 3) ? 300 : 60);
    model->skid_cycles =
        program_one_in(stream, 3) ? 0 : splitmix_below(stream, 60);
    model->ref = clocks[splitmix_below(stream, 6)];
    model->tsc = clocks[splitmix_below(stream, 6)];
    model->slots = 1 + (unsigned)splitmix_below(stream, 6);
}

static void random_figures(struct splitmix *stream, struct naive_model *model)
{
    static const unsigned widths[] = {32, 40, 48, 57};

    random_times(stream, model);
    if (model->version == 0) {
        return;
    }
    if (model->vendor == NAIVE_AMD) {
        model->general -=
            model->version > 1 ? (unsigned)splitmix_below(stream, 3) : 0;
        return;
    }
    model->width = widths[splitmix_below(stream, 4)];
    model->general = 1 + (unsigned)splitmix_below(stream, model->general);
    model->fixed = random_fixed(stream, model);
    if (program_one_in(stream, 2)) {
        model->events &= (unsigned)splitmix_next(stream);
    }
    if (model->pebs && model->pebs_format < 4) {
        model->pebs_format = (unsigned)splitmix_below(stream, 4);
    }
    model->full_width = model->version >= 2 && program_one_in(stream, 2);
    model->any_thread = model->version >= 3 && program_one_in(stream, 2);
}

void pmu_program_make(
    struct pmu_program *program, uint64_t seed, const struct naive_model *model)
{
    struct splitmix stream = {.state = seed};

    program->seed = seed;
    program->model = *model;
    program->body.count = 0;
    program->handler.count = 0;
    if (!program_one_in(&stream, 5)) {
        random_figures(&stream, &program->model);
    }
    make_handler(program, &stream);
    if (!program_one_in(&stream, 8)) {
        make_setup(program, &stream);
    }
    for (uint64_t n = 4 + splitmix_below(&stream, 24); n > 0; n--) {
        if (model->pebs && program_one_in(&stream, 10)) {
            add_store(&program->body, &stream, &program->model);
        }
        add_random(&program->body, &stream, &program->model);
    }
    for (unsigned i = 0; i < PMU_AREA_WORDS; i++) {
        program->area[i] = program_area_word(&stream, &program->model, 8 * i);
    }
}

void pmu_register_print(FILE *file, uint32_t address)
{
    for (unsigned i = 0; i < program_register_row_count; i++) {
        const struct program_register_row *row = &program_register_rows[i];
        uint32_t offset = address - row->address;

        if (address < row->address || offset % row->step != 0 ||
            offset / row->step >= row->count) {
            continue;
        }
        fprintf(file, "%s", row->name);
        if (row->count > 1) {
            fprintf(file, "%" PRIu32, offset / row->step);
        }
        fprintf(file, " (%" PRIX32 "H)", address);
        return;
    }
    fprintf(file, "MSR %" PRIX32 "H", address);
}
