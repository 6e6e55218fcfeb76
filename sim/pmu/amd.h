/* amd.h - what AMD's registers have. */
#ifndef SIM_PMU_AMD_H
#define SIM_PMU_AMD_H

#include <stdint.h>

/* The bits of an event select: 19, 21, 39:36 and 63:42 are reserved; 40 and 41
 * choose between a host and its guests, of which the model has none. What is
 * written to the others is left out (pmu.md 1.6). */
#define AMD_SELECT_BITS UINT64_C(0x0000030FFFD7FFFF)

#endif
