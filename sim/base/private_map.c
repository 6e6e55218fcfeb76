/* private_map.c - host memory of the simulator's own at an address that is
 * drawn: what a guest cannot guess it cannot spoil. */
#define _GNU_SOURCE
#include "sim/base/private_map.h"

#include <assert.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/random.h>

/* Free on every host with 47 bits of addresses, also under sanitizers, and
 * apart from what guests see. */
#define LOWEST UINT64_C(0x200000000000)
#define HIGHEST UINT64_C(0x700000000000)

enum { PAGE_BYTES = 4096, DRAWS = 16 };

/* An address for `size` bytes; 0, which leaves it to the host, when the host
 * has no random bits, or no such room. */
static uintptr_t draw(size_t size)
{
    uint64_t bits;

    if (size >= HIGHEST - LOWEST ||
        getrandom(&bits, sizeof(bits), GRND_NONBLOCK) != sizeof(bits)) {
        return 0;
    }
    return LOWEST +
           bits % ((HIGHEST - LOWEST - size) / PAGE_BYTES) * PAGE_BYTES;
}

static void *map_at(uintptr_t address, size_t size, int protection, int flags)
{
    void *at = mmap((void *)address, size, protection,
        MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

static void *map_drawn(size_t size, int protection, int kind)
{
    uintptr_t wanted = draw(size);
    void *at = NULL;

    assert(size > 0);
    for (int i = 0; wanted != 0 && at == NULL && i < DRAWS; i++) {
        at = map_at(wanted, size, protection, kind | MAP_FIXED_NOREPLACE);
        if (at != NULL && (uintptr_t)at != wanted) {
            munmap(at, size); /* a host that takes it for a hint */
            at = NULL;
        }
        wanted = draw(size);
    }
    return at != NULL ? at : map_at(0, size, protection, kind);
}

void *private_map(size_t size, bool open)
{
    return map_drawn(
        size, open ? PROT_READ | PROT_WRITE : PROT_NONE, MAP_PRIVATE);
}

void *shared_map(size_t size)
{
    return map_drawn(size, PROT_READ | PROT_WRITE, MAP_SHARED);
}
