/* topology.h - logical processors in groups. Knows no affinity structures. */
#ifndef SIM_BASE_TOPOLOGY_H
#define SIM_BASE_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/limits.h"

struct topology {
    uint32_t processors;
    uint16_t groups;
    uint8_t group_size[LIMIT_GROUPS];   /* processors, 1..64 */
    uint32_t group_first[LIMIT_GROUPS]; /* system-wide index of number 0 */
};

/* Whether `processors` fit in `groups` groups, each with at least one. */
bool topology_is_possible(uint32_t processors, uint32_t groups);

/* Spreads the processors as evenly as it goes, the first groups get one more.
 * The two numbers must be possible. */
void topology_init(
    struct topology *topology, uint32_t processors, uint32_t groups);

/* Groups of these sizes, each 1..64, at most LIMIT_GROUPS of them. */
void topology_init_sizes(
    struct topology *topology, const uint8_t *size, uint32_t groups);

/* The first processors of `all`, at least one. */
void topology_init_first(
    struct topology *topology, const struct topology *all, uint32_t processors);

/* Whether its groups are possible and hold the processors one after another;
 * asserts each part. */
bool topology_check(const struct topology *topology);

/* One bit for each processor of the group; 0 when there is no such group. */
uint64_t topology_mask(const struct topology *topology, uint32_t group);

#endif
