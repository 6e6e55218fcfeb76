/* naive_registers.c - which registers a model has, what may be written to
 * them and what they read (pmu.md 1.2, 1.5 and 1.6). */
#include <stddef.h>

#include "tests/sim/pmu/naive_pmu.h"

enum kind {
    NONE,
    PMC,   /* write: 32 bits, sign-extended */
    A_PMC, /* all bits */
    SELECT,
    FIXED,
    FIXED_CTRL,
    STATUS,
    GLOBAL_CTRL,
    STATUS_RESET,
    STATUS_SET,
    INUSE,
    DEBUGCTL,
    MISC_ENABLE,
    CAPABILITIES,
    PEBS_ENABLE,
    DATA_CFG,
    DS_AREA,
    TPR,
    EOI,
    LVTPC,
};

/* A register: n of this kind. */
struct place {
    enum kind kind;
    unsigned n;
};

/* The lowest `count` bits. */
static uint64_t low(unsigned count)
{
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static uint64_t counters(const struct naive_model *model)
{
    return low(model->general) | model->fixed << 32;
}

/* Both vendors have the same APIC. */
static struct place apic_place(uint32_t address)
{
    switch (address) {
    case 0x808:
        return (struct place){TPR, 0};
    case 0x80B:
        return (struct place){EOI, 0};
    case 0x834:
        return (struct place){LVTPC, 0};
    default:
        return (struct place){NONE, 0};
    }
}

/* Registers that are alone at their address, and since which version. */
static struct place intel_single(
    const struct naive_model *model, uint32_t address)
{
    static const struct {
        uint32_t address;
        unsigned since;
        enum kind kind;
    } singles[] = {
        {0x1A0, 0, MISC_ENABLE},
        {0x1D9, 0, DEBUGCTL},
        {0x38D, 2, FIXED_CTRL},
        {0x38E, 2, STATUS},
        {0x38F, 2, GLOBAL_CTRL},
        {0x390, 2, STATUS_RESET},
        {0x391, 4, STATUS_SET},
        {0x392, 4, INUSE},
    };

    for (size_t i = 0; i < sizeof(singles) / sizeof(singles[0]); i++) {
        if (singles[i].address == address &&
            model->version >= singles[i].since) {
            return (struct place){singles[i].kind, 0};
        }
    }
    return apic_place(address);
}

static struct place intel_place(
    const struct naive_model *model, uint32_t address)
{
    if (address >= 0xC1 && address < 0xC1 + model->general) {
        return (struct place){PMC, address - 0xC1};
    }
    if (address >= 0x186 && address < 0x186 + model->general) {
        return (struct place){SELECT, address - 0x186};
    }
    if (address >= 0x309 && address < 0x309 + NAIVE_FIXED_MAX &&
        (model->fixed >> (address - 0x309) & 1) != 0) {
        return (struct place){FIXED, address - 0x309};
    }
    if (address >= 0x4C1 && address < 0x4C1 + model->general &&
        model->full_width) {
        return (struct place){A_PMC, address - 0x4C1};
    }
    if (address == 0x345 && (model->full_width || model->pebs)) {
        return (struct place){CAPABILITIES, 0};
    }
    if (address == 0x3F1 && model->pebs) {
        return (struct place){PEBS_ENABLE, 0};
    }
    if (address == 0x3F2 && model->pebs && model->pebs_format >= 4) {
        return (struct place){DATA_CFG, 0};
    }
    if (address == 0x600 && model->pebs) {
        return (struct place){DS_AREA, 0};
    }
    return intel_single(model, address);
}

static struct place amd_place(const struct naive_model *model, uint32_t address)
{
    if (address >= 0xC0010000 && address < 0xC0010004) {
        return (struct place){SELECT, address - 0xC0010000};
    }
    if (address >= 0xC0010004 && address < 0xC0010008) {
        return (struct place){A_PMC, address - 0xC0010004};
    }
    if (model->version >= 2 && address >= 0xC0010200 &&
        address < 0xC0010200 + 2 * model->general) {
        return (struct place){
            address % 2 == 0 ? SELECT : A_PMC, (address - 0xC0010200) / 2};
    }
    if (naive_has_global(model)) {
        switch (address) {
        case 0xC0000300:
            return (struct place){STATUS, 0};
        case 0xC0000301:
            return (struct place){GLOBAL_CTRL, 0};
        case 0xC0000302:
            return (struct place){STATUS_RESET, 0};
        case 0xC0000303:
            return (struct place){STATUS_SET, 0};
        default:
            break;
        }
    }
    return address == 0x1D9 ? (struct place){DEBUGCTL, 0} : apic_place(address);
}

static struct place find(const struct naive_pmu *pmu, uint32_t address)
{
    return pmu->model.vendor == NAIVE_AMD ? amd_place(&pmu->model, address)
                                          : intel_place(&pmu->model, address);
}

/* Of IA32_FIXED_CTR_CTRL; behind them are the adaptive bits. */
enum { FIXED_FIELDS = 8 };

/* Computed from what the registers say (pmu.md 1.2). */
static uint64_t inuse(const struct naive_pmu *pmu)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < pmu->model.general; i++) {
        if ((pmu->select[i] & 0xFF) != 0) {
            value |= UINT64_C(1) << i;
        }
        if ((pmu->select[i] >> 20 & 1) != 0) {
            value |= UINT64_C(1) << 63;
        }
    }
    for (unsigned i = 0; i < FIXED_FIELDS; i++) {
        if ((pmu->fixed_ctrl >> 4 * i & 3) != 0) {
            value |= UINT64_C(1) << (32 + i);
        }
        if ((pmu->fixed_ctrl >> 4 * i & 8) != 0) {
            value |= UINT64_C(1) << 63;
        }
    }
    return pmu->pebs_enable != 0 ? value | UINT64_C(1) << 63 : value;
}

/* Perfmon available; BTS unavailable, and PEBS where it is; fast strings,
 * thermal control and SpeedStep on. */
static uint64_t misc_enable(const struct naive_model *model)
{
    return 0x10809 | (model->version > 0 ? UINT64_C(1) << 7 : 0) |
           (model->pebs ? 0 : UINT64_C(1) << 12);
}

/* Trap-like records with the architectural registers, their format, full-width
 * writes, and the baseline (pmu.md 1.1). */
static uint64_t capabilities(const struct naive_model *model)
{
    uint64_t value = model->full_width ? 0x2000 : 0;

    if (model->pebs) {
        value |= 0xC0 | (uint64_t)model->pebs_format << 8;
    }
    return model->pebs && model->pebs_format >= 4 ? value | 0x4000 : value;
}

static uint64_t place_value(const struct naive_pmu *pmu, struct place place)
{
    switch (place.kind) {
    case PMC:
    case A_PMC:
        return pmu->general[place.n];
    case SELECT:
        return pmu->select[place.n];
    case FIXED:
        return pmu->fixed[place.n];
    case FIXED_CTRL:
        return pmu->fixed_ctrl;
    case STATUS:
        return pmu->status;
    case GLOBAL_CTRL:
        return pmu->global_ctrl;
    case INUSE:
        return inuse(pmu);
    case DEBUGCTL:
        return pmu->debugctl;
    case MISC_ENABLE:
        return misc_enable(&pmu->model);
    case CAPABILITIES:
        return capabilities(&pmu->model);
    case PEBS_ENABLE:
        return pmu->pebs_enable;
    case DATA_CFG:
        return pmu->data_cfg;
    case DS_AREA:
        return pmu->ds_area;
    case TPR:
        return pmu->task_priority;
    case LVTPC:
        return pmu->lvtpc;
    case STATUS_RESET:
    case STATUS_SET:
    case EOI:
    case NONE:
        return 0;
    }
    return 0;
}

bool naive_peek(const struct naive_pmu *pmu, uint32_t address, uint64_t *value)
{
    struct place place = find(pmu, address);

    if (place.kind == NONE || place.kind == EOI) {
        return false;
    }
    *value = place_value(pmu, place);
    return true;
}

static bool has_adaptive(const struct naive_model *model)
{
    return model->pebs && model->pebs_format >= 4;
}

/* The bits that FIXED_CTR_CTRL has: four a counter that exists,
 * and the adaptive one. */
static uint64_t fixed_ctrl_bits(const struct naive_model *model)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < NAIVE_FIXED_MAX; i++) {
        if ((model->fixed >> i & 1) != 0) {
            bits |= (model->any_thread ? UINT64_C(0xF) : UINT64_C(0xB))
                    << 4 * i;
            bits |= has_adaptive(model) ? UINT64_C(1) << (32 + 4 * i) : 0;
        }
    }
    return bits;
}

/* The bits that a register has; others are reserved. */
static uint64_t place_bits(const struct naive_model *model, struct place place)
{
    switch (place.kind) {
    case PMC:
        return UINT64_MAX;
    case A_PMC:
    case FIXED:
        return low(model->width);
    case SELECT:
        if (model->vendor == NAIVE_AMD) {
            return 0x30FFFD7FFFF; /* 40 and 41 tell a host from its guests */
        }
        return (model->any_thread ? 0xFFFFFFFF : 0xFFDFFFFF) |
               (has_adaptive(model) ? UINT64_C(1) << 34 : 0);
    case PEBS_ENABLE: /* without the baseline general counters alone */
        return has_adaptive(model) ? counters(model) : low(model->general);
    case DATA_CFG:
        return 0xFF00000F;
    case DS_AREA: /* canonical: poked apart */
        return UINT64_MAX;
    case FIXED_CTRL:
        return fixed_ctrl_bits(model);
    case GLOBAL_CTRL:
        return counters(model);
    case STATUS_RESET:
        return counters(model) | model->status_more;
    case STATUS_SET:
        return counters(model) | model->status_set;
    case DEBUGCTL:
        return model->debugctl;
    case TPR:
        return 0xFF;
    case LVTPC:
        return 0x107FF;
    case EOI:
    case NONE:
    case STATUS:
    case INUSE:
    case MISC_ENABLE:
    case CAPABILITIES:
        return 0;
    }
    return 0;
}

/* Low 32 bits, sign-extended to the counter's width (pmu.md 1.2). */
static uint64_t sign_extended(uint64_t value, unsigned width)
{
    value &= 0xFFFFFFFF;
    if ((value & 0x80000000) != 0) {
        value |= 0xFFFFFFFF00000000;
    }
    return value & low(width);
}

static void end_of_interrupt(struct naive_pmu *pmu)
{
    for (unsigned v = 256; v-- > 0;) {
        if (pmu->in_service[v]) {
            pmu->in_service[v] = false;
            return;
        }
    }
}

static void store(struct naive_pmu *pmu, struct place place, uint64_t value)
{
    switch (place.kind) {
    case PMC:
        pmu->general[place.n] = sign_extended(value, pmu->model.width);
        break;
    case A_PMC:
        pmu->general[place.n] = value;
        break;
    case SELECT:
        pmu->select[place.n] = value;
        break;
    case FIXED:
        pmu->fixed[place.n] = value;
        break;
    case FIXED_CTRL:
        pmu->fixed_ctrl = value;
        break;
    case GLOBAL_CTRL:
        pmu->global_ctrl = value;
        break;
    case STATUS_RESET:
        pmu->status &= ~value;
        break;
    case STATUS_SET:
        pmu->status |= value;
        break;
    case DEBUGCTL:
        pmu->debugctl = value;
        break;
    case PEBS_ENABLE:
        pmu->pebs_enable = value;
        break;
    case DATA_CFG:
        pmu->data_cfg = value;
        break;
    case DS_AREA:
        pmu->ds_area = value;
        break;
    case TPR:
        pmu->task_priority = value;
        break;
    case LVTPC:
        pmu->lvtpc = value;
        break;
    case EOI:
        end_of_interrupt(pmu);
        break;
    case NONE:
    case STATUS:
    case INUSE:
    case MISC_ENABLE:
    case CAPABILITIES:
        break;
    }
}

static bool is_read_only(struct place place)
{
    return place.kind == STATUS || place.kind == INUSE ||
           place.kind == MISC_ENABLE || place.kind == CAPABILITIES;
}

/* AMD's PMU ignores what Intel's refuses (pmu.md 1.5); the APIC does not. */
static bool ignores_reserved(
    const struct naive_model *model, struct place place)
{
    return model->vendor == NAIVE_AMD && place.kind != TPR &&
           place.kind != EOI && place.kind != LVTPC && place.kind != DEBUGCTL;
}

bool naive_poke(struct naive_pmu *pmu, uint32_t address, uint64_t value)
{
    struct place place = find(pmu, address);
    uint64_t bits = place_bits(&pmu->model, place);

    if (place.kind == NONE) {
        return false;
    }
    if (place.kind == MISC_ENABLE) {
        return value == misc_enable(&pmu->model);
    }
    if (ignores_reserved(&pmu->model, place)) {
        store(pmu, place, value & bits);
        return true;
    }
    if (is_read_only(place) || (value & ~bits) != 0 ||
        (place.kind == DS_AREA && value >> 47 != 0 && value >> 47 != 0x1FFFF)) {
        return false;
    }
    store(pmu, place, value);
    pmu->armed &= naive_pebs_sampling(pmu);
    return true;
}

/* Intel: ECX[31:16] is a type, 0 GP and 4000H fixed; AMD: an index (pmu.md
 * 1.5). */
bool naive_peek_counter(const struct naive_pmu *pmu, uint32_t selector,
    bool user, bool pce, uint64_t *value)
{
    uint32_t index = selector & 0xFFFF;

    if (user && !pce) {
        return false;
    }
    if (selector >> 16 == 0 && index < pmu->model.general) {
        *value = pmu->general[index];
        return true;
    }
    if (selector >> 16 == 0x4000 && index < NAIVE_FIXED_MAX &&
        (pmu->model.fixed >> index & 1) != 0) {
        *value = pmu->fixed[index];
        return true;
    }
    return false;
}
