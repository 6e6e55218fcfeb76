/* host_ranges.c - the simulator's own memory, out of the host's list of this
 * process's mappings. */
#define _GNU_SOURCE
#include "tests/secrets/host_ranges.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/asan_fiber.h"

/* Below lies AddressSanitizer's, at addresses that small numbers look like. */
#define OWN_LOW UINT64_C(0x200000000000)

/* AddressSanitizer's heap lies at round addresses, which are all over any
 * image: it is searched for in builds without. */
static bool is_sanitizers(uint64_t address)
{
#ifdef ASAN_FIBER
    return address >> 44 == 6;
#else
    (void)address;
    return false;
#endif
}

static void fail(const char *what)
{
    fprintf(stderr, "host_ranges: %s\n", what);
    exit(EXIT_FAILURE);
}

void host_ranges_read(struct host_ranges *ranges)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    struct host_range range;
    char line[4352], readable;

    ranges->count = 0;
    if (maps == NULL) {
        fail("no list of mappings");
    }
    while (fgets(line, sizeof(line), maps) != NULL) {
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %c", &range.low, &range.high,
                &readable) != 3 ||
            ranges->count == HOST_RANGES) {
            fail("a list of mappings that is not understood");
        }
        if (readable == 'r' && range.low >= OWN_LOW &&
            !is_sanitizers(range.low)) {
            ranges->item[ranges->count++] = range;
        }
    }
    fclose(maps);
}

bool host_ranges_hold(const struct host_ranges *ranges, uint64_t address)
{
    size_t low = 0, high = ranges->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (address < ranges->item[middle].low) {
            high = middle;
        } else if (address >= ranges->item[middle].high) {
            low = middle + 1;
        } else {
            return true;
        }
    }
    return false;
}

/* Six letters, as in the name of a section, could be an address. Of addresses
 * one in fifty could be letters. */
static bool is_text(const uint8_t *bytes)
{
    for (int i = 0; i < 6; i++) {
        if (bytes[i] < 0x20 || bytes[i] > 0x7E) {
            return false;
        }
    }
    return true;
}

size_t host_ranges_find(
    const struct host_ranges *ranges, const uint8_t *bytes, size_t size)
{
    uint64_t value;

    for (size_t i = 0; i + sizeof(value) <= size; i++) {
        memcpy(&value, bytes + i, sizeof(value));
        if (host_ranges_hold(ranges, value) && !is_text(bytes + i)) {
            return i;
        }
    }
    return size;
}

bool host_memory_read(uintptr_t from, void *to, size_t size)
{
    static int memory = -1;

    if (memory < 0) {
        memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    }
    return memory >= 0 && pread(memory, to, size, (off_t)from) == (ssize_t)size;
}
