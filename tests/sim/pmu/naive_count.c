/* naive_count.c - what each counter adds in one cycle: its event, its ring, its
 * enables, and what CMASK, INV and EDGE make of that. */
#include <stddef.h>

#include "tests/sim/pmu/naive_pmu.h"

static bool is_set(uint64_t value, unsigned bit)
{
    return (value >> bit & 1) != 0;
}

/* An event select and what it names. */
struct selectable {
    unsigned event, umask;
    enum naive_event what;
};

static enum naive_event selectable_find(const struct selectable *list,
    size_t count, unsigned there, unsigned event, unsigned umask)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].event == event && list[i].umask == umask &&
            is_set(there, (unsigned)i)) {
            return list[i].what;
        }
    }
    return NAIVE_EVENTS;
}

/* The codes of pmu.md 1.1, in the order of CPUID.0AH EBX, and of 1.6. */
enum naive_event naive_general_event(const struct naive_pmu *pmu, unsigned i)
{
    static const struct selectable intel[] = {
        {0x3C, 0x00, NAIVE_CORE_CYCLES},
        {0xC0, 0x00, NAIVE_INSTRUCTIONS},
        {0x3C, 0x01, NAIVE_REF_CYCLES},
        {0x2E, 0x4F, NAIVE_LLC_REFERENCES},
        {0x2E, 0x41, NAIVE_LLC_MISSES},
        {0xC4, 0x00, NAIVE_BRANCHES},
        {0xC5, 0x00, NAIVE_BRANCH_MISSES},
        {0xA4, 0x01, NAIVE_SLOTS},
    };
    static const struct selectable amd[] = {
        {0x76, 0x00, NAIVE_CORE_CYCLES},
        {0xC0, 0x00, NAIVE_INSTRUCTIONS},
        {0xC2, 0x00, NAIVE_BRANCHES},
        {0xC3, 0x00, NAIVE_BRANCH_MISSES},
    };
    const struct naive_model *model = &pmu->model;
    uint64_t select = pmu->select[i];
    unsigned event = select & 0xFF;
    unsigned umask = select >> 8 & 0xFF;

    if (model->vendor == NAIVE_AMD) {
        if ((select >> 40 & 3) == 1) {
            return NAIVE_EVENTS; /* of guests alone; there are none */
        }
        event |= (unsigned)(select >> 32 & 0xF) << 8;
        return selectable_find(
            amd, sizeof(amd) / sizeof(amd[0]), 0xF, event, umask);
    }
    return selectable_find(
        intel, sizeof(intel) / sizeof(intel[0]), model->events, event, umask);
}

enum naive_event naive_fixed_event(const struct naive_pmu *pmu, unsigned i)
{
    static const enum naive_event events[] = {
        NAIVE_INSTRUCTIONS, NAIVE_CORE_CYCLES, NAIVE_TSC_CYCLES, NAIVE_SLOTS};

    return i < sizeof(events) / sizeof(events[0]) && is_set(pmu->model.fixed, i)
               ? events[i]
               : NAIVE_EVENTS;
}

/* CMASK, and INV when there is one (pmu.md 1.2). EDGE without CMASK looks for
 * at least one event (docs/fidelity.md). */
static bool condition(uint64_t select, unsigned events)
{
    unsigned cmask = select >> 24 & 0xFF;

    if (cmask == 0) {
        return events >= 1;
    }
    return is_set(select, 23) ? events < cmask : events >= cmask;
}

/* Whether GLOBAL_CTRL and the freeze let the counter with this bit run (pmu.md
 * 1.2). */
static bool globally_enabled(const struct naive_pmu *pmu, unsigned bit)
{
    if (!naive_has_global(&pmu->model)) {
        return true;
    }
    return is_set(pmu->global_ctrl, bit) && !is_set(pmu->status, 59);
}

unsigned naive_general_pulses(const struct naive_pmu *pmu, unsigned i,
    bool user, const unsigned now[NAIVE_EVENTS], const unsigned *before)
{
    uint64_t select = pmu->select[i];
    bool edge = is_set(select, 18);
    enum naive_event event;

    if (!is_set(select, 22) || !is_set(select, user ? 16 : 17) ||
        !globally_enabled(pmu, i)) {
        return 0;
    }
    event = naive_general_event(pmu, i);
    if (event == NAIVE_EVENTS) {
        return 0;
    }
    if ((select >> 24 & 0xFF) == 0 && !edge) {
        return now[event];
    }
    if (!condition(select, now[event])) {
        return 0;
    }
    return !(edge && before != NULL && condition(select, before[event]));
}

unsigned naive_fixed_pulses(const struct naive_pmu *pmu, unsigned i, bool user,
    const unsigned now[NAIVE_EVENTS])
{
    enum naive_event event = naive_fixed_event(pmu, i);

    if (event == NAIVE_EVENTS ||
        !is_set(pmu->fixed_ctrl, 4 * i + (user ? 1 : 0)) ||
        !globally_enabled(pmu, 32 + i)) {
        return 0;
    }
    return now[event];
}
