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
