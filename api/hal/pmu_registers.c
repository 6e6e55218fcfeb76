/* pmu_registers.c - where x86 PMUs have their registers, by vendor and
 * version: the rows of pmu_registers.def. */
#include "api/hal/pmu_registers.h"

#include <assert.h>
#include <stddef.h>

#include "sim/base/limits.h"

/* LBR_FRZ and CTR_FRZ. */
#define FREEZES (UINT64_C(3) << 58)

static const struct pmu_registers rows[] = {
#define REGISTERS(vendor, ...) {VENDOR_##vendor, __VA_ARGS__},
#include "api/hal/pmu_registers.def"
};

const struct pmu_registers *pmu_registers_find(
    enum vendor vendor, unsigned version)
{
    const struct pmu_registers *found = NULL;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].vendor == vendor && rows[i].since <= version) {
            assert(found == NULL || found->since < rows[i].since);
            found = &rows[i];
        }
    }
    return found;
}

uint32_t pmu_registers_counter(const struct pmu_registers *at, unsigned n)
{
    assert(n < LIMIT_GP_COUNTERS);
    return at->counter + n * at->stride;
}

uint32_t pmu_registers_select(const struct pmu_registers *at, unsigned n)
{
    assert(n < LIMIT_GP_COUNTERS);
    return at->select + n * at->stride;
}

uint32_t pmu_registers_whole(const struct pmu_registers *at, unsigned n)
{
    assert(n < LIMIT_GP_COUNTERS);
    return at->whole + n * at->stride;
}
