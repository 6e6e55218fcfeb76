/* model.c - processor models: figures, counters, events, impossible ones. */
#include "sim/pmu/model.h"

#include <assert.h>

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

const struct virtualized_row virtualized_rows[VIRTUALIZED_COUNT] = {
#define VIRTUALIZED(name, spelling, title)                                     \
    [VIRTUALIZED_##name] = {spelling, title},
#include "sim/pmu/virtualized.def"
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
    assert(n < 32);
    return model->vendor == VENDOR_INTEL && model->version >= 2 &&
           (n < model->fixed ||
               (model->version >= 5 && bit_is_set(model->fixed_map, n)));
}

uint64_t model_counters(const struct pmu_model *model)
{
    uint64_t counters = bits_low(model->general);

    assert(model->vendor < VENDOR_COUNT);
    assert(model->general <= LIMIT_EVENT_COUNTERS);
    if (model->vendor == VENDOR_ARM && model->version > 0) {
        counters |= bit(ARMV8_CYCLES);
    }
    if (model->vendor == VENDOR_INTEL && model->version >= 2) {
        uint64_t fixed = bits_low(model->fixed) |
                         (model->version >= 5 ? model->fixed_map : UINT64_C(0));

        counters |= bits_get(fixed, 0, LIMIT_FIXED_COUNTERS) << 32;
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

    assert(event < EVENT_COUNT);
    for (size_t i = 0; (code = model_code_at(i)) != NULL; i++) {
        if (code->event == event && model_has_code(model, code)) {
            return code;
        }
    }
    return NULL;
}

/* Its clocks and costs are the core's. */
static struct pmu_model without_pmu(const struct pmu_model *model)
{
    struct pmu_model left = *model;

    left.version = 0;
    left.general = 0;
    left.fixed = 0;
    left.fixed_map = 0;
    left.full_width = false;
    left.any_thread = false;
    left.pebs = false;
    left.pebs_format = 0;
    left.pebs_baseline = false;
    left.event_bits = 0;
    left.events_missing = 0;
    return left;
}

struct pmu_model model_virtualized(
    const struct pmu_model *model, enum virtualized virtualized)
{
    struct pmu_model seen = *model;

    assert(virtualized < VIRTUALIZED_COUNT);
    if (virtualized == VIRTUALIZED_ABSENT) {
        seen = without_pmu(model);
    }
    seen.inert = virtualized == VIRTUALIZED_INERT;
    return seen;
}

/* What is wrong with a model: a table of conditions, each with what to say
 * (pmu.md 1.1 to 1.7). */
struct problem {
    bool is;
    const char *reason;
};

/* The first that is. */
static const char *first_problem(const struct problem *problem, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (problem[i].is) {
            return problem[i].reason;
        }
    }
    return NULL;
}

#define FIRST_PROBLEM(list)                                                    \
    first_problem(list, sizeof(list) / sizeof((list)[0]))

static const char *intel_problem(const struct pmu_model *model)
{
    const struct problem problems[] = {
        {model->general > LIMIT_GP_COUNTERS,
            "an Intel PMU has at most 8 general counters here"},
        {model->width > LIMIT_COUNTER_BITS, "its counters have 32 to 57 bits"},
        {model->version < 2 && (model->fixed > 0 || model->fixed_map != 0),
            "fixed counters came with version 2"},
        {model->version < 5 && model->fixed_map != 0,
            "fixed counters by bitmap came with version 5"},
        {model->version < 2 && model->full_width,
            "full-width writes came after version 1"},
        {model->version < 3 && model->any_thread,
            "AnyThread came with version 3"},
        {model->pebs_baseline && !(model->pebs && model->pebs_format == 4),
            "a PEBS baseline needs pebs with pebs_format 4"},
        {model->pebs && model->version < 2,
            "PEBS needs the global registers of version 2"},
        {model->pebs_format != 0 && !model->pebs, "a PEBS format needs pebs"},
        {model->events_missing >> model->event_bits != 0,
            "events_missing has bits at or past event_bits"},
    };

    return FIRST_PROBLEM(problems);
}

static const char *amd_problem(const struct pmu_model *model)
{
    const struct problem problems[] = {
        {model->width != 48, "an AMD PMU has counters of 48 bits"},
        {model->version == 1 && model->general != 4,
            "K7 has exactly 4 counters"},
        {model->version >= 2 && (model->general < 4 || model->general > 6),
            "the core extension has 4 to 6 counters here"},
    };

    return FIRST_PROBLEM(problems);
}

static const char *arm_problem(const struct pmu_model *model)
{
    const struct problem problems[] = {
        {model->version < 6 && model->width != 32,
            "event counters have 32 bits before PMUv3p5"},
        {model->version >= 6 && model->width != 64,
            "event counters have 64 bits since PMUv3p5"},
    };

    return FIRST_PROBLEM(problems);
}

static const char *no_intel_problem(const struct pmu_model *model)
{
    const struct problem problems[] = {
        {model->fixed > 0 || model->fixed_map != 0,
            "only Intel's PMUs have fixed counters"},
        {model->full_width || model->any_thread,
            "full_width and any_thread are Intel's"},
        {model->pebs || model->pebs_baseline || model->pebs_format != 0,
            "PEBS is Intel's"},
        {model->event_bits != 0 || model->events_missing != 0,
            "event_bits and events_missing are Intel's"},
        {model->core_type != 0, "core_type is Intel's"},
    };
    const char *reason = FIRST_PROBLEM(problems);

    if (reason != NULL) {
        return reason;
    }
    return model->vendor == VENDOR_AMD ? amd_problem(model)
                                       : arm_problem(model);
}

static const char *rate_problem(const struct rate *rate)
{
    if (!rate_is_possible(rate->p, rate->q) || rate->p == 0 ||
        rate->p > 8 * rate->q) {
        return "a clock has more than 0 and at most 8 cycles per core cycle";
    }
    return NULL;
}

const char *model_problem(const struct pmu_model *model)
{
    const char *reason = rate_problem(&model->tsc);

    reason = reason != NULL ? reason : rate_problem(&model->ref);
    if (reason != NULL) {
        return reason;
    }
    if (model->version == 0) {
        return model->general > 0 || model->fixed > 0 ||
                       model->fixed_map != 0 || model->pebs
                   ? "a processor without a PMU (version 0) has no counters"
                   : NULL;
    }
    if (model_version(model) == NULL) {
        return "the vendor has no such version";
    }
    if (model->general == 0 && model->vendor != VENDOR_ARM) {
        return "a PMU has at least one general counter; model none has no PMU";
    }
    return model->vendor == VENDOR_INTEL ? intel_problem(model)
                                         : no_intel_problem(model);
}

const char *model_pair_problem(
    const struct pmu_model *one, const struct pmu_model *other)
{
    const struct problem problems[] = {
        {one->vendor != other->vendor, "they are of different vendors"},
        {one->vendor == VENDOR_AMD,
            "processors of AMD's with unlike PMUs are not modelled"},
        {one->version == 0 || other->version == 0, "each has a PMU, or none"},
        {one->version != other->version,
            "their PMUs have different versions, which no real ones have"},
        {one->mhz != other->mhz || one->tsc.p != other->tsc.p ||
                one->tsc.q != other->tsc.q,
            "they have different mhz or tsc, and time is the machine's"},
    };

    return FIRST_PROBLEM(problems);
}
