/* pmc.h - one performance monitoring counter: counts up, wraps at its width.
 * Knows nothing of MSRs, enables or interrupts; pmu.c owns those. */
#ifndef SIM_PMU_PMC_H
#define SIM_PMU_PMC_H

#include <stdbool.h>
#include <stdint.h>

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
uint64_t pmc_add(struct pmc *pmc, uint64_t pulses);

/* Events until the counter next wraps, at least 1. A counter at zero needs all
 * 2^width (pmu.md 2.16). */
uint64_t pmc_headroom(const struct pmc *pmc);

/* What IA32_PMCx does with a 64-bit value: the low 32 bits, sign-extended from
 * bit 31 to the counter's width (pmu.md 1.2). */
void pmc_set_legacy(struct pmc *pmc, uint64_t value);

#endif
