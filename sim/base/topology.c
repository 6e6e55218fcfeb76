/* topology.c - logical processors in groups. */
#include "sim/base/topology.h"

#include <assert.h>

#include "sim/base/bits.h"

bool topology_is_possible(uint32_t processors, uint32_t groups)
{
    return groups >= 1 && groups <= LIMIT_GROUPS && processors >= groups &&
           processors <= groups * LIMIT_GROUP_PROCESSORS;
}

bool topology_check(const struct topology *topology)
{
    uint32_t first = 0;

    assert(topology_is_possible(topology->processors, topology->groups));
    for (uint32_t g = 0; g < topology->groups; g++) {
        assert(topology->group_size[g] >= 1);
        assert(topology->group_size[g] <= LIMIT_GROUP_PROCESSORS);
        assert(topology->group_first[g] == first);
        first += topology->group_size[g];
    }
    assert(first == topology->processors);
    return true;
}

void topology_init(
    struct topology *topology, uint32_t processors, uint32_t groups)
{
    uint8_t size[LIMIT_GROUPS];

    assert(topology_is_possible(processors, groups));
    for (uint32_t g = 0; g < groups; g++) {
        size[g] = (uint8_t)(processors / groups + (g < processors % groups));
    }
    topology_init_sizes(topology, size, groups);
    assert(topology->processors == processors);
}

void topology_init_sizes(
    struct topology *topology, const uint8_t *size, uint32_t groups)
{
    assert(groups >= 1 && groups <= LIMIT_GROUPS);
    *topology = (struct topology){.groups = (uint16_t)groups};
    for (uint32_t g = 0; g < groups; g++) {
        topology->group_size[g] = size[g];
        topology->group_first[g] = topology->processors;
        topology->processors += size[g];
    }
    assert(topology_check(topology));
}

void topology_init_first(
    struct topology *topology, const struct topology *all, uint32_t processors)
{
    uint8_t size[LIMIT_GROUPS] = {0};
    uint32_t groups = 0;

    assert(processors >= 1 && processors <= all->processors);
    while (groups < all->groups && all->group_first[groups] < processors) {
        uint32_t left = processors - all->group_first[groups];

        size[groups] = left < all->group_size[groups] ? (uint8_t)left
                                                      : all->group_size[groups];
        groups++;
    }
    topology_init_sizes(topology, size, groups);
    assert(topology->processors == processors);
}

uint64_t topology_mask(const struct topology *topology, uint32_t group)
{
    if (group >= topology->groups) {
        return 0;
    }
    return bits_low(topology->group_size[group]);
}
