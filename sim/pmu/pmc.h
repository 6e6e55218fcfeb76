/* pmc.h - one performance monitoring counter: counts up, wraps at its width.
 * Knows nothing of MSRs, enables or interrupts; pmu.c owns those. */
#ifndef SIM_PMU_PMC_H
#define SIM_PMU_PMC_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/base/bits.h"

struct pmc {
    uint64_t value;     /* always < 1 << width_bits */
    uint8_t width_bits; /* CPUID.0AH; fixed after pmc_init */
};

/* Zeroes the counter. The width comes from our own model table, so a bad one
 * is a bug here: it asserts, it does not return an error. */
void pmc_init(struct pmc *pmc, uint8_t width_bits);

/* Whether the value is one of that many bits; asserts each part. */
bool pmc_check(const struct pmc *pmc);

/* Adds `pulses` events. Returns how many times the counter wrapped past zero;
 * the caller latches the overflow bit and decides about the interrupt. */
static inline uint64_t pmc_add(struct pmc *pmc, uint64_t pulses)
{
    uint64_t sum = pmc->value + pulses;

    assert(sum >= pulses); /* totals stay below 2^63, see limits.h */
    pmc->value = sum & bits_low(pmc->width_bits);
    return sum >> pmc->width_bits;
}

/* Events until the counter next wraps, at least 1. A counter at zero needs all
 * 2^width (pmu.md 2.16). */
static inline uint64_t pmc_headroom(const struct pmc *pmc)
{
    assert(pmc->value <= bits_low(pmc->width_bits));
    return bits_low(pmc->width_bits) - pmc->value + 1;
}

/* What a write of IA32_PMCx makes of a 64-bit value: the low 32 bits,
 * sign-extended from bit 31 to the width of the counter, which holds at most
 * `most` (pmu.md 1.2). */
static inline uint64_t pmc_legacy(uint64_t value, uint64_t most)
{
    const uint64_t sign = UINT64_C(1) << 31;

    return (((value & bits_low(32)) ^ sign) - sign) & most;
}

#endif
