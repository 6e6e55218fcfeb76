/* model.c - the rows of models.def and events.def. */
#include "sim/pmu/model.h"

#include <assert.h>
#include <string.h>

#include "sim/base/bits.h"
#include "sim/base/limits.h"
#include "sim/pmu/armv8.h"

const struct event_row event_rows[EVENT_COUNT] = {
#define EVENT(name, spelling, clock) [EVENT_##name] = {spelling, clock},
#include "sim/pmu/events.def"
};

const struct vendor_row vendor_rows[VENDOR_COUNT] = {
#define VENDOR(name, spelling, cpuid) [VENDOR_##name] = {spelling, cpuid},
#include "sim/pmu/vendors.def"
};

const struct pmu_model pmu_models[MODEL_COUNT] = {
#define MODEL(name_, spelling, title_, vendor_, signature_, ...)               \
    [MODEL_##name_] = {.name = (spelling),                                     \
        .title = (title_),                                                     \
        .vendor = VENDOR_##vendor_,                                            \
        .signature = (signature_),                                             \
        __VA_ARGS__},
#include "sim/pmu/models.def"
};

static const struct event_code event_codes[] = {
#define CODE(vendor, event, select, umask, bit)                                \
    {VENDOR_##vendor, EVENT_##event, select, umask, bit},
#include "sim/pmu/event_codes.def"
};

static const struct {
    enum vendor vendor;
    uint32_t number;
    const char *name;
} versions[] = {
#define VERSION(vendor, number, spelling) {VENDOR_##vendor, number, spelling},
#include "sim/pmu/versions.def"
};

const struct pmu_model *model_find(const char *name)
{
    for (enum model i = 0; i < MODEL_COUNT; i++) {
        if (strcmp(pmu_models[i].name, name) == 0) {
            return &pmu_models[i];
        }
    }
    return NULL;
}

const char *model_version(const struct pmu_model *model)
{
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        if (versions[i].vendor == model->vendor &&
            versions[i].number == model->version) {
            return versions[i].name;
        }
    }
    return NULL;
}

bool model_has_fixed(const struct pmu_model *model, unsigned n)
{
    assert(n < 64);
    return model->vendor == VENDOR_INTEL && model->version >= 2 &&
           (n < model->fixed ||
               (model->version >= 5 && bit_is_set(model->fixed_map, n)));
}

uint64_t model_counters(const struct pmu_model *model)
{
    uint64_t counters = bits_low(model->general);

    if (model->vendor == VENDOR_ARM && model->version > 0) {
        counters |= bit(ARMV8_CYCLES);
    }
    for (unsigned n = 0; n < LIMIT_FIXED_COUNTERS; n++) {
        counters |= bit_if(model_has_fixed(model, n), 32 + n);
    }
    return counters;
}

/* Whether the processor has the event at all (CPUID.0AH EBX). */
static bool model_has_code(
    const struct pmu_model *model, const struct event_code *code)
{
    return code->vendor == model->vendor &&
           (code->vendor != VENDOR_INTEL ||
               (code->bit < model->event_bits &&
                   !bit_is_set(model->events_missing, code->bit)));
}

const struct event_code *model_code_at(size_t n)
{
    return n < sizeof(event_codes) / sizeof(event_codes[0]) ? &event_codes[n]
                                                            : NULL;
}

enum event model_event(
    const struct pmu_model *model, unsigned select, unsigned umask)
{
    const struct event_code *code;

    for (size_t i = 0; (code = model_code_at(i)) != NULL; i++) {
        if (code->select == select && code->umask == umask &&
            model_has_code(model, code)) {
            return code->event;
        }
    }
    return EVENT_COUNT;
}

const struct event_code *model_code(
    const struct pmu_model *model, enum event event)
{
    const struct event_code *code;

    for (size_t i = 0; (code = model_code_at(i)) != NULL; i++) {
        if (code->event == event && model_has_code(model, code)) {
            return code;
        }
    }
    return NULL;
}
