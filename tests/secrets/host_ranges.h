/* host_ranges.h - where this process has memory that is the simulator's own:
 * an address in there is what no driver may find. */
#ifndef TESTS_SECRETS_HOST_RANGES_H
#define TESTS_SECRETS_HOST_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HOST_RANGES = 4096 };

struct host_ranges {
    struct host_range {
        uint64_t low, high; /* [low, high) */
    } item[HOST_RANGES];
    size_t count;
};

/* Asks the host anew, for what can be read. What lies below 2^45 is left out:
 * what guests see, and what sanitizers have at fixed addresses. The program is
 * linked as -pie. Ends the process when that fails. */
void host_ranges_read(struct host_ranges *ranges);

bool host_ranges_hold(const struct host_ranges *ranges, uint64_t address);

/* The offset of the first 8 bytes, aligned or not, that are such an address;
 * `size` where there are none. */
size_t host_ranges_find(
    const struct host_ranges *ranges, const uint8_t *bytes, size_t size);

/* A copy of this process's memory, whatever its protection: false when there is
 * none. */
bool host_memory_read(uintptr_t from, void *to, size_t size);

#endif
