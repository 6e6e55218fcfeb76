/* hypervisor.h - what a hypervisor tells its guest of itself by CPUID. */
#ifndef SIM_MACHINE_HYPERVISOR_H
#define SIM_MACHINE_HYPERVISOR_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/model.h"

/* Bit of CPUID.1 ECX by which a guest knows that it is one; a processor has it
 * 0 (SDM volume 2, APM volume 3, CPUID). */
enum { HYPERVISOR_PRESENT = 31 };

/* Whether the leaf is one of a hypervisor's, which no processor has, and the
 * machine has one; then EAX, EBX, ECX, EDX are written. */
bool hypervisor_leaf(
    enum virtualized virtualized, uint32_t leaf, uint32_t out[4]);

#endif
