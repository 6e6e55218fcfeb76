/* pmc.c - one performance monitoring counter, which wraps here and only here.
 */
#include "sim/pmu/pmc.h"

#include <assert.h>

#include "sim/base/bits.h"
#include "sim/base/limits.h"

bool pmc_check(const struct pmc *pmc)
{
    assert(pmc->width_bits >= 32);
    assert(pmc->width_bits <= LIMIT_COUNTER_BITS);
    assert(pmc->value <= bits_low(pmc->width_bits));
    return true;
}

void pmc_init(struct pmc *pmc, uint8_t width_bits)
{
    *pmc = (struct pmc){.width_bits = width_bits};
    assert(pmc_check(pmc));
}

uint64_t pmc_add(struct pmc *pmc, uint64_t pulses)
{
    uint64_t sum = pmc->value + pulses;

    assert(sum >= pulses); /* totals stay below 2^63, see limits.h */
    pmc->value = sum & bits_low(pmc->width_bits);
    return sum >> pmc->width_bits;
}

uint64_t pmc_headroom(const struct pmc *pmc)
{
    assert(pmc->value <= bits_low(pmc->width_bits));
    return bits_low(pmc->width_bits) - pmc->value + 1;
}

void pmc_set_legacy(struct pmc *pmc, uint64_t value)
{
    uint64_t low = bits_get(value, 0, 32);
    uint64_t sign = bit_is_set(low, 31) ? ~bits_low(32) : 0;

    assert(pmc_check(pmc));
    pmc->value = (low | sign) & bits_low(pmc->width_bits);
}
