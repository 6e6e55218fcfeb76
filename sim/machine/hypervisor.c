/* hypervisor.c - CPUID leaves 40000000H to 400000FFH of a hypervisor: those of
 * Microsoft's, which grants its guest nothing (Hypervisor Top Level Functional
 * Specification, "Feature discovery").
 *
 * HAL-ALLOC-56a names it; that it is this one, and grants nothing, is [C]. */
#include "sim/machine/hypervisor.h"

#include <string.h>

enum {
    LEAF_FIRST = 0x40000000,
    LEAF_LAST = 0x400000FF,
    LEAVES = 6,
};

/* Vendor; interface "Hv#1"; version; privileges and features; recommendations;
 * limits. A version is told to a guest that has told its own, by an MSR that
 * this one has no access to; a limit of 0 is one that is not told. EBX of the
 * recommendations: it is never to be told of spinning. */
static const uint32_t leaves[LEAVES][4] = {
    {LEAF_FIRST + LEAVES - 1, 0x7263694D, 0x666F736F, 0x76482074},
    {0x31237648},
    {0},
    {0},
    {0, UINT32_MAX},
    {0},
};

bool hypervisor_leaf(
    enum virtualized virtualized, uint32_t leaf, uint32_t out[4])
{
    if (virtualized == VIRTUALIZED_NOT || leaf < LEAF_FIRST ||
        leaf > LEAF_LAST) {
        return false;
    }
    memset(out, 0, sizeof(leaves[0]));
    if (leaf - LEAF_FIRST < LEAVES) {
        memcpy(out, leaves[leaf - LEAF_FIRST], sizeof(leaves[0]));
    }
    return true;
}
