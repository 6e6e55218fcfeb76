/* real_msr.h - registers that a part has in truth and the model has not, by
 * name: the rows of real_msrs.def. */
#ifndef SIM_MACHINE_REAL_MSR_H
#define SIM_MACHINE_REAL_MSR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/pmu/model.h"

enum { REAL_MSR_NAME_BYTES = 48 };

/* Whether the part that the model is like has such a register at the address.
 * Writes its name unless `name` is NULL. */
bool real_msr_find(const struct pmu_model *model, uint32_t address,
    char name[REAL_MSR_NAME_BYTES]);

/* One of all such registers. */
struct real_msr_place {
    uint32_t address;
    uint64_t parts; /* whose it is: bits by enum model, as part_number() has
                       them */
};

/* The n-th of them, by rows; the same name can come again for other parts.
 * false: there are no more. */
bool real_msr_nth(
    size_t n, struct real_msr_place *place, char name[REAL_MSR_NAME_BYTES]);

/* Whether the rows stand in order of their addresses and none is too long to be
 * found; asserts each part. */
bool real_msr_check(void);

#endif
