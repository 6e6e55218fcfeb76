/* model.h - what a processor model has: figures only, no state. */
#ifndef SIM_PMU_MODEL_H
#define SIM_PMU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/pmu/rate.h"

enum event {
#define EVENT(name, ...) EVENT_##name,
#include "sim/pmu/events.def"
    EVENT_COUNT
};

struct event_row {
    const char *name;
    bool clock; /* runs with the core; a workload gives it no rate */
};

extern const struct event_row event_rows[EVENT_COUNT];

enum vendor {
#define VENDOR(name, ...) VENDOR_##name,
#include "sim/pmu/vendors.def"
    VENDOR_COUNT
};

struct vendor_row {
    const char *name;
    const char *cpuid; /* twelve bytes of leaf 0: EBX, EDX, ECX */
};

extern const struct vendor_row vendor_rows[VENDOR_COUNT];

enum model {
#define MODEL(name, ...) MODEL_##name,
#include "sim/pmu/models.def"
    MODEL_COUNT
};

/* Whether a hypervisor runs the machine, and what its guest has of the PMU. */
enum virtualized {
#define VIRTUALIZED(name, ...) VIRTUALIZED_##name,
#include "sim/pmu/virtualized.def"
    VIRTUALIZED_COUNT
};

struct virtualized_row {
    const char *name; /* NULL: there is no hypervisor */
    const char *title;
};

extern const struct virtualized_row virtualized_rows[VIRTUALIZED_COUNT];

struct pmu_model {
    const char *name;
    const char *title; /* a few words */
    enum vendor vendor;
    uint32_t signature; /* CPUID.1 EAX; Arm: PMCR_EL0[31:16] */
    bool inert; /* counters and their overflow bits read 0, whatever happens */
#define MODEL_TYPE_NUMBER uint32_t
#define MODEL_TYPE_FLAG bool
#define MODEL_TYPE_RATIO struct rate
#define FIELD(name, kind, ...) MODEL_TYPE_##kind name;
#include "sim/pmu/model_fields.def"
#undef MODEL_TYPE_NUMBER
#undef MODEL_TYPE_FLAG
#undef MODEL_TYPE_RATIO
};

extern const struct pmu_model pmu_models[MODEL_COUNT];

/* Why no processor can be like this, in words; NULL: one can. Whoever changes
 * figures asks before a machine is made. */
const char *model_problem(const struct pmu_model *model);

/* What the guest of a hypervisor sees of the processor; the same of what is one
 * already. Everything but its PMU stays. */
struct pmu_model model_virtualized(
    const struct pmu_model *model, enum virtualized virtualized);

/* Why no machine has processors of both, in words; NULL: one can. */
const char *model_pair_problem(
    const struct pmu_model *one, const struct pmu_model *other);

/* The version as its vendor calls it: v4, PerfMonV2. NULL when there is no such
 * version. */
const char *model_version(const struct pmu_model *model);

/* Bits of the counters that exist, which are also the HAL's indexes (facts.md
 * A27): as in IA32_PERF_GLOBAL_CTRL GP n is bit n, fixed n bit 32+n; on Arm, as
 * in PMCNTENSET, event counter n is bit n, the cycle counter bit 31. */
uint64_t model_counters(const struct pmu_model *model);

/* Whether fixed counter n exists: by the contiguous count or, since version 5,
 * by the bitmap (pmu.md 1.1). */
bool model_has_fixed(const struct pmu_model *model, unsigned n);

/* Whether there are registers that enable all counters at once and tell what
 * has overflowed (Intel since version 2, AMD since PerfMonV2). */
static inline bool model_has_global(const struct pmu_model *model)
{
    return model->version >= (model->vendor == VENDOR_AMD ? 3u : 2u);
}

/* The event that a select (12 bits on AMD) and umask name on this model;
 * EVENT_COUNT when it counts nothing that the simulator knows. */
enum event model_event(
    const struct pmu_model *model, unsigned select, unsigned umask);

/* A number that the vendor has for an event. */
struct event_code {
    enum vendor vendor;
    enum event event;
    uint16_t select;
    uint8_t umask, bit; /* in CPUID.0AH EBX */
};

/* The code of the event on this model; NULL when no select means it. */
const struct event_code *model_code(
    const struct pmu_model *model, enum event event);

/* The n-th of all codes; NULL when there are not that many. */
const struct event_code *model_code_at(size_t n);

#endif
