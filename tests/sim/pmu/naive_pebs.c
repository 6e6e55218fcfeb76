/* naive_pebs.c - PEBS of the reference: which overflows arm a counter, what a
 * sample writes, and what comes with it (pmu.md 1.4, docs/fidelity.md). */
#include <string.h>

#include "tests/sim/pmu/naive_pmu.h"

enum {
    WORDS_AT = 0x20, /* of the DS area: base, index, maximum, threshold */
    INDEX_AT = 0x28,
    RESETS_AT = 0x40, /* 8 bytes a counter: 8 general ones, then fixed ones */
    RECORD_MAX = 8192,
};

static bool is_set(uint64_t value, unsigned bit)
{
    return (value >> bit & 1) != 0;
}

uint64_t naive_pebs_sampling(const struct naive_pmu *pmu)
{
    uint64_t bits = pmu->pebs_enable;

    for (unsigned i = 0; i < NAIVE_GENERAL_MAX; i++) {
        uint64_t select = pmu->select[i];

        if (is_set(select, 18) || is_set(select, 21) || is_set(select, 23) ||
            (select >> 24 & 0xFF) != 0) {
            bits &= ~(UINT64_C(1) << i);
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        if (is_set(pmu->fixed_ctrl, 4 * i + 2)) {
            bits &= ~(UINT64_C(1) << (32 + i));
        }
    }
    return bits;
}

/* The bytes there; NULL where the block does not have them all. */
static uint8_t *memory_at(
    const struct naive_pmu *pmu, uint64_t address, uint64_t size)
{
    uint64_t offset = address - pmu->model.ds_area;

    if (address < pmu->model.ds_area || offset > NAIVE_MEMORY ||
        size > NAIVE_MEMORY - offset) {
        return NULL;
    }
    return (uint8_t *)pmu->memory + offset;
}

static uint64_t word_at(const uint8_t *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof(word));
    return word;
}

static uint64_t reset_address(const struct naive_pmu *pmu, unsigned bit)
{
    unsigned n = bit < 32 ? bit : 8 + bit - 32;

    return pmu->ds_area + RESETS_AT + 8 * n;
}

static void load(struct naive_pmu *pmu, unsigned bit)
{
    uint64_t value = word_at(memory_at(pmu, reset_address(pmu, bit), 8)) &
                     ((UINT64_C(1) << pmu->model.width) - 1);

    if (bit < 32) {
        pmu->general[bit] = value;
    } else {
        pmu->fixed[bit - 32] = value;
    }
}

/* A record as it is written. */
struct record {
    uint8_t byte[RECORD_MAX];
    uint64_t size;
};

static void put(struct record *record, unsigned at, uint64_t value)
{
    memcpy(record->byte + at, &value, sizeof(value));
}

/* TSC: as if it had never been written. */
static uint64_t tsc(const struct naive_pmu *pmu)
{
    return pmu->time * pmu->model.tsc.p / pmu->model.tsc.q;
}

static void make_fixed(
    const struct naive_pmu *pmu, uint64_t counters, struct record *record)
{
    static const unsigned sizes[] = {144, 176, 192, 200};
    unsigned format = pmu->model.pebs_format;

    record->size = sizes[format];
    if (format == 1 || format == 2) {
        put(record, 0x90, pmu->status | counters);
    }
    if (format == 3) {
        put(record, 0x90, counters);
        put(record, 0xC0, tsc(pmu));
    }
}

/* The basic group, and those that MSR_PEBS_DATA_CFG asks for where the counter
 * has its adaptive bit. */
static void make_adaptive(
    const struct naive_pmu *pmu, uint64_t counters, struct record *record)
{
    uint64_t cfg = 0;

    for (unsigned i = 0; i < NAIVE_GENERAL_MAX; i++) {
        if (is_set(counters, i) && is_set(pmu->select[i], 34)) {
            cfg = pmu->data_cfg;
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        if (is_set(counters, 32 + i) && is_set(pmu->fixed_ctrl, 32 + 4 * i)) {
            cfg = pmu->data_cfg;
        }
    }
    record->size = 32;
    record->size += is_set(cfg, 0) ? 32 : 0;
    record->size += is_set(cfg, 1) ? 144 : 0;
    record->size += is_set(cfg, 2) ? 256 : 0;
    record->size += is_set(cfg, 3) ? 24 * ((cfg >> 24 & 0xFF) + 1) : 0;
    put(record, 0x00, cfg | record->size << 48);
    put(record, 0x10, counters);
    put(record, 0x18, tsc(pmu));
}

/* Whether all reset values are where they can be read. */
static bool can_load(const struct naive_pmu *pmu, uint64_t counters)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        if (is_set(counters, bit) &&
            memory_at(pmu, reset_address(pmu, bit), 8) == NULL) {
            return false;
        }
    }
    return true;
}

/* A record of `counters`; with it `waiting` are loaded, too. Returns whether it
 * asks for an interrupt. */
static bool write_record(
    struct naive_pmu *pmu, uint64_t counters, uint64_t waiting)
{
    uint8_t *words = memory_at(pmu, pmu->ds_area + WORDS_AT, 32);
    struct record record = {.size = 0};
    uint64_t index, maximum, threshold;
    bool told;

    if (words == NULL) {
        return false;
    }
    index = word_at(words + 8);
    maximum = word_at(words + 16);
    threshold = word_at(words + 24);
    if (pmu->model.pebs_format < 4) {
        make_fixed(pmu, counters, &record);
    } else {
        make_adaptive(pmu, counters, &record);
    }
    if (index > maximum || maximum - index < record.size ||
        memory_at(pmu, index, record.size) == NULL ||
        !can_load(pmu, counters | waiting)) {
        return false;
    }
    memcpy(memory_at(pmu, index, record.size), record.byte, record.size);
    index += record.size;
    memcpy(memory_at(pmu, pmu->ds_area + INDEX_AT, 8), &index, 8);
    pmu->status &= ~counters;
    for (unsigned bit = 0; bit < 64; bit++) {
        if (is_set(counters | waiting, bit)) {
            load(pmu, bit);
        }
    }
    if (index < threshold) {
        return false;
    }
    told = is_set(pmu->status, 62);
    pmu->status |= UINT64_C(1) << 62;
    return !told;
}

/* Below format 3 one record has the bits of all that have overflowed, and who
 * is armed goes with it; then each has its own. */
bool naive_pebs_take(struct naive_pmu *pmu)
{
    uint64_t left = pmu->sampled;
    bool asks = false;

    pmu->sampled = 0;
    if (left == 0) {
        return false;
    }
    if (pmu->model.pebs_format < 3) {
        left |= pmu->armed;
        pmu->armed = 0;
        return write_record(pmu, left, 0);
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        if (is_set(left, bit)) {
            left &= ~(UINT64_C(1) << bit);
            asks |= write_record(pmu, UINT64_C(1) << bit, left | pmu->armed);
        }
    }
    return asks;
}
