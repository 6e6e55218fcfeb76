/* msr_map.h - the registers that the processors of one model have, by address:
 * what becomes of an access, worked out of its row before there is one. */
#ifndef SIM_MACHINE_MSR_MAP_H
#define SIM_MACHINE_MSR_MAP_H

#include <stdint.h>

#include "sim/machine/msr.h"

/* A register. */
struct msr_slot {
    uint32_t address;
    uint8_t row;         /* enum msr; MSR_COUNT: it is none */
    uint8_t n;           /* which of its row */
    uint8_t read, write; /* enum msr_how; MSR_ASK: the row has to be asked */
    uint64_t refused;    /* bits for which the row has to be asked */
    uint64_t kept;       /* bits that are stored */
    union msr_from from;
    union msr_to to;
};

/* No two addresses of registers.def share these low bits. */
enum { MSR_MAP_BITS = 12, MSR_SLOTS = 96 };

struct msr_map {
    struct msr_slot slot[MSR_SLOTS]; /* the first is no register's */
    uint16_t at[1 << MSR_MAP_BITS];  /* where in `slot`, in bytes */
};

/* All zeroes before. The model must outlive the map. */
void msr_map_init(struct msr_map *map, const struct pmu_model *model);

/* The register that the address may be; another one's, or nobody's, where it is
 * none. */
static inline const struct msr_slot *msr_map_slot(
    const struct msr_map *map, uint32_t address)
{
    return (const void *)((const char *)map->slot +
                          map->at[address % (1 << MSR_MAP_BITS)]);
}

#endif
