/* seed.h - where a random test begins, and how long it is. Case n has seed + n,
 * so that a failing case is the first one again when its own seed is given. */
#ifndef TESTS_SIM_PMU_SEED_H
#define TESTS_SIM_PMU_SEED_H

#include <stdint.h>
#include <stdlib.h>

/* The environment's NTPMU_SEED, decimal or with 0x; `otherwise` without. */
static inline uint64_t seed_first(uint64_t otherwise)
{
    const char *text = getenv("NTPMU_SEED");

    return text == NULL ? otherwise : strtoull(text, NULL, 0);
}

/* How many cases: the environment's NTPMU_SEEDS; `otherwise` without. */
static inline uint64_t seed_count(uint64_t otherwise)
{
    const char *text = getenv("NTPMU_SEEDS");

    return text == NULL ? otherwise : strtoull(text, NULL, 0);
}

#endif
