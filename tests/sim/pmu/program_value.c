/* program_value.c - one function a kind of register. */
#include "tests/sim/pmu/program_value.h"

#define VENDORS_INTEL (1u << NAIVE_INTEL)
#define VENDORS_AMD (1u << NAIVE_AMD)
#define VENDORS_BOTH (VENDORS_INTEL | VENDORS_AMD)

const struct program_register_row program_register_rows[] = {
#define REG(name, vendor, address, count, step, value, weight)                 \
    {name, VENDORS_##vendor, address, count, step, PROGRAM_VALUE_##value,      \
        weight},
#include "tests/sim/pmu/program_registers.def"
};
const unsigned program_register_row_count =
    sizeof(program_register_rows) / sizeof(program_register_rows[0]);

bool program_one_in(struct splitmix *stream, uint64_t n)
{
    return splitmix_below(stream, n) == 0;
}

uint64_t program_counters(const struct naive_model *model)
{
    return ((UINT64_C(1) << model->general) - 1) | model->fixed << 32;
}

static uint64_t one_bit(struct splitmix *stream)
{
    return UINT64_C(1) << splitmix_below(stream, 64);
}

/* 2^width - n overflows after n events. */
static uint64_t useful_counter(
    struct splitmix *stream, const struct naive_model *model)
{
    uint64_t events =
        1 + splitmix_below(stream, program_one_in(stream, 3) ? 400 : 40);

    return (UINT64_C(1) << model->width) - events;
}

static uint64_t counter(
    struct splitmix *stream, const struct naive_model *model)
{
    static const uint64_t borders[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
        0x100000000, 0x7FFFFFFFFFFF, 0xFFFFFFFFFFFF, 0x1000000000000,
        UINT64_MAX};

    switch (splitmix_below(stream, 8)) {
    case 0:
        return borders[splitmix_below(
            stream, sizeof(borders) / sizeof(borders[0]))];
    case 1:
        return splitmix_next(stream);
    case 2: /* what a legacy write extends */
        return UINT64_C(0xFFFFFFFF) - splitmix_below(stream, 300);
    case 3: /* above the width */
        return useful_counter(stream, model) |
               UINT64_C(1) << (model->width + splitmix_below(stream, 4));
    default:
        return useful_counter(stream, model);
    }
}

/* Event and umask. */
static uint64_t event_code(
    struct splitmix *stream, const struct naive_model *model)
{
    static const uint64_t intel[] = {0x00C0, 0x00C0, 0x00C0, 0x003C, 0x003C,
        0x003C, 0x003C, 0x00C0, 0x013C, 0x4F2E, 0x412E, 0x00C4, 0x00C5, 0x01A4,
        0x01C0, 0x023C, 0x0000};
    static const uint64_t amd[] = {0x00C0, 0x00C0, 0x00C0, 0x0076, 0x0076,
        0x0076, 0x00C2, 0x00C3, 0x01C0, 0x0000, 0x1000000C0, 0x100000076,
        0x003C};

    if (model->vendor == NAIVE_AMD) {
        return amd[splitmix_below(stream, sizeof(amd) / sizeof(amd[0]))];
    }
    return intel[splitmix_below(stream, sizeof(intel) / sizeof(intel[0]))];
}

static uint64_t useful_select(
    struct splitmix *stream, const struct naive_model *model)
{
    uint64_t value = event_code(stream, model);

    if (model->pebs && program_one_in(stream, 2)) { /* one that PEBS takes */
        value |= 0x530000;
        return model->pebs_format >= 4 && program_one_in(stream, 2)
                   ? value | UINT64_C(1) << 34
                   : value;
    }
    value |= program_one_in(stream, 12) ? 0 : 1u << 22; /* EN */
    value |= program_one_in(stream, 6) ? 0 : 1u << 20;  /* INT */
    value |= program_one_in(stream, 5) ? 0 : 1u << 17;  /* OS */
    value |= program_one_in(stream, 5) ? 0 : 1u << 16;  /* USR */
    value |= program_one_in(stream, 6) ? 1u << 18 : 0;  /* EDGE */
    value |= program_one_in(stream, 6) ? 1u << 23 : 0;  /* INV */
    if (program_one_in(stream, 4)) {
        value |= (1 + splitmix_below(stream, 3)) << 24; /* CMASK */
    }
    return value;
}

static uint64_t any_select(
    struct splitmix *stream, const struct naive_model *model)
{
    uint64_t value = useful_select(stream, model);

    switch (splitmix_below(stream, 10)) {
    case 0:
        return value | one_bit(stream);
    case 1:
        return value | 1u << 21; /* ANY */
    case 2:
        return value | 1u << 19; /* PC */
    case 3:
        return splitmix_next(stream);
    case 4:
        return value | splitmix_below(stream, 256) << 24;
    default:
        return value;
    }
}

static uint64_t useful_fixed_ctrl(
    struct splitmix *stream, const struct naive_model *model)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < NAIVE_FIXED_MAX; i++) {
        if ((model->fixed >> i & 1) != 0) {
            value |= (splitmix_next(stream) & 0xB) << 4 * i;
            value |= model->pebs && model->pebs_format >= 4
                         ? (splitmix_next(stream) & 1) << (32 + 4 * i)
                         : 0;
        }
    }
    return value;
}

static uint64_t fixed_ctrl(
    struct splitmix *stream, const struct naive_model *model)
{
    uint64_t value = useful_fixed_ctrl(stream, model);

    switch (splitmix_below(stream, 8)) {
    case 0:
        return value | one_bit(stream);
    case 1: /* AnyThread */
        return value | UINT64_C(4) << 4 * splitmix_below(stream, 4);
    case 2:
        return splitmix_next(stream);
    default:
        return value;
    }
}

static uint64_t counters(
    struct splitmix *stream, const struct naive_model *model)
{
    uint64_t all = program_counters(model);

    switch (splitmix_below(stream, 8)) {
    case 0:
        return all | one_bit(stream);
    case 1:
        return splitmix_next(stream);
    case 2:
        return 0;
    case 3:
    case 4:
        return all & splitmix_next(stream);
    default:
        return all;
    }
}

static uint64_t status(struct splitmix *stream, const struct naive_model *model)
{
    uint64_t all = program_counters(model) | model->status_more;

    switch (splitmix_below(stream, 9)) {
    case 0:
        return all;
    case 1:
        return one_bit(stream);
    case 2: /* LBR_FRZ, CTR_FRZ, ASCI, uncore, DS buffer, CondChgd */
        return UINT64_C(1) << (58 + splitmix_below(stream, 6));
    case 3:
        return UINT64_C(1) << 59;
    case 4:
        return splitmix_next(stream);
    default:
        return all & splitmix_next(stream);
    }
}

static uint64_t debugctl(struct splitmix *stream)
{
    switch (splitmix_below(stream, 6)) {
    case 0:
        return 0;
    case 1: /* bit 14 would need SMM */
        return one_bit(stream) & ~UINT64_C(0x4000);
    case 2:
        return 0x1801;
    default:
        return 1u << 12;
    }
}

static uint64_t useful_lvtpc(struct splitmix *stream)
{
    static const uint64_t values[] = {0xFE, 0xFE, 0xD1, 0x31, 0x400, 0x4FE};

    return values[splitmix_below(stream, sizeof(values) / sizeof(values[0]))];
}

static uint64_t lvtpc(struct splitmix *stream)
{
    switch (splitmix_below(stream, 10)) {
    case 0:
        return useful_lvtpc(stream) | 0x10000; /* masked */
    case 1:
        return 0x10000;
    case 2: /* illegal vectors, SMI, INIT, ExtINT */
        return splitmix_below(stream, 0x800);
    case 3: /* reserved */
        return useful_lvtpc(stream) | UINT64_C(1)
                                          << (17 + splitmix_below(stream, 47));
    default:
        return useful_lvtpc(stream);
    }
}

static uint64_t tpr(struct splitmix *stream)
{
    switch (splitmix_below(stream, 4)) {
    case 0:
        return splitmix_below(stream, 256);
    case 1:
        return splitmix_below(stream, 4) << 7; /* one is above bit 7 */
    default:
        return 0;
    }
}

static uint64_t eoi(struct splitmix *stream)
{
    return program_one_in(stream, 8) ? splitmix_next(stream) : 0;
}

static uint64_t useful_pebs(
    struct splitmix *stream, const struct naive_model *model)
{
    uint64_t general = (UINT64_C(1) << model->general) - 1;
    uint64_t all = model->pebs_format >= 4 ? program_counters(model) : general;

    return program_one_in(stream, 2) ? all : all & splitmix_next(stream);
}

static uint64_t pebs(struct splitmix *stream, const struct naive_model *model)
{
    uint64_t value = useful_pebs(stream, model);

    return program_one_in(stream, 5)   ? value | one_bit(stream)
           : program_one_in(stream, 5) ? 0
                                       : value;
}

/* Groups, and few last branches, so that records fit. */
static uint64_t useful_data_cfg(struct splitmix *stream)
{
    return splitmix_next(stream) & 0x300000F;
}

static uint64_t data_cfg(struct splitmix *stream)
{
    return program_one_in(stream, 6)   ? splitmix_next(stream)
           : program_one_in(stream, 6) ? splitmix_next(stream) & 0xFF00000F
                                       : useful_data_cfg(stream);
}

/* The block's beginning; or where it ends too soon, or is not. */
static uint64_t ds_area(
    struct splitmix *stream, const struct naive_model *model)
{
    static const uint64_t odd[] = {0x800000000000, 0xFFFF7FFFFFFFFFFF, 0,
        0x7FFFFFFFF000, 0xFFFF800000000000};

    switch (splitmix_below(stream, 8)) {
    case 0:
        return odd[splitmix_below(stream, sizeof(odd) / sizeof(odd[0]))];
    case 1:
        return model->ds_area + NAIVE_MEMORY - splitmix_below(stream, 0xA8);
    case 2:
        return model->ds_area + 8 * splitmix_below(stream, 4);
    default:
        return model->ds_area;
    }
}

enum { BUFFER = 0xC0 /* of the block: behind the area */ };

/* The end of a buffer of a few records, or of the block. */
static uint64_t buffer_end(
    struct splitmix *stream, const struct naive_model *model)
{
    return model->ds_area + (program_one_in(stream, 2)
                                    ? NAIVE_MEMORY
                                    : BUFFER + splitmix_below(stream, 1500));
}

uint64_t program_area_word(
    struct splitmix *stream, const struct naive_model *model, unsigned offset)
{
    uint64_t buffer = model->ds_area + BUFFER;

    if (program_one_in(stream, 40)) {
        return splitmix_next(stream) >> splitmix_below(stream, 64);
    }
    switch (offset) {
    case 0x20:
        return buffer;
    case 0x28:
        return program_one_in(stream, 12)
                   ? model->ds_area + splitmix_below(stream, NAIVE_MEMORY + 400)
                   : buffer;
    case 0x30:
        return buffer_end(stream, model);
    case 0x38:
        return buffer + splitmix_below(stream, 900);
    default:
        return offset < 0x40 ? 0 : counter(stream, model);
    }
}

static uint64_t any(struct splitmix *stream)
{
    return program_one_in(stream, 2) ? splitmix_next(stream) : 0;
}

uint64_t program_value(struct splitmix *stream, const struct naive_model *model,
    enum program_value_kind kind)
{
    switch (kind) {
    case PROGRAM_VALUE_ANY:
        return any(stream);
    case PROGRAM_VALUE_COUNTER:
        return counter(stream, model);
    case PROGRAM_VALUE_SELECT:
        return any_select(stream, model);
    case PROGRAM_VALUE_FIXED_CTRL:
        return fixed_ctrl(stream, model);
    case PROGRAM_VALUE_COUNTERS:
        return counters(stream, model);
    case PROGRAM_VALUE_STATUS:
        return status(stream, model);
    case PROGRAM_VALUE_DEBUGCTL:
        return debugctl(stream);
    case PROGRAM_VALUE_LVTPC:
        return lvtpc(stream);
    case PROGRAM_VALUE_TPR:
        return tpr(stream);
    case PROGRAM_VALUE_EOI:
        return eoi(stream);
    case PROGRAM_VALUE_PEBS:
        return pebs(stream, model);
    case PROGRAM_VALUE_DATA_CFG:
        return data_cfg(stream);
    case PROGRAM_VALUE_DS_AREA:
        return ds_area(stream, model);
    }
    return 0;
}

uint64_t program_value_useful(struct splitmix *stream,
    const struct naive_model *model, enum program_value_kind kind)
{
    switch (kind) {
    case PROGRAM_VALUE_COUNTER:
        return useful_counter(stream, model);
    case PROGRAM_VALUE_SELECT:
        return useful_select(stream, model);
    case PROGRAM_VALUE_FIXED_CTRL:
        return useful_fixed_ctrl(stream, model);
    case PROGRAM_VALUE_COUNTERS:
        return program_counters(model);
    case PROGRAM_VALUE_STATUS:
        return program_counters(model) | model->status_more;
    case PROGRAM_VALUE_LVTPC:
        return useful_lvtpc(stream);
    case PROGRAM_VALUE_PEBS:
        return useful_pebs(stream, model);
    case PROGRAM_VALUE_DATA_CFG:
        return useful_data_cfg(stream);
    case PROGRAM_VALUE_DS_AREA:
        return model->ds_area;
    case PROGRAM_VALUE_ANY:
    case PROGRAM_VALUE_DEBUGCTL:
    case PROGRAM_VALUE_TPR:
    case PROGRAM_VALUE_EOI:
        return 0;
    }
    return 0;
}
