/* well_known.c - SeExports: privileges by their numbers and well-known SIDs
 * (SEC-08a). */
#include "api/se/well_known.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"

static const struct sid sids[WELL_KNOWN_SIDS] = {
#define WELL_KNOWN(name, authority, count, ...)                                \
    {SID_REVISION, count, {0, 0, 0, 0, 0, authority}, {__VA_ARGS__}},
#include "api/se/well_known.def"
};

/* The numbers of privileges (wdm.h), in three runs among the SIDs. */
static const uint32_t privileges[][23] = {
    {2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 14, 11, 12, 13, 16, 17, 18, 19, 20, 21, 22,
        23, 24},
    {25, 26, 27},
    {28, 29, 30, 31, 32, 33, 34, 35},
};

static const struct {
    unsigned privileges, sids; /* of them, one after the other */
} runs[] = {{23, 22}, {3, 2}, {8, 7}};

enum {
    RUNS = 3,
    EXPORTED_SIDS = 22 + 2 + 7,
    EXPORTS_BYTES = 8 * (23 + 22 + 3 + 2 + 8 + 7),
};

const struct sid *well_known_sid(enum well_known name)
{
    assert(name < WELL_KNOWN_SIDS);
    return &sids[name];
}

void *well_known_exports(struct kernel *kernel)
{
    size_t bytes =
        (EXPORTS_BYTES + EXPORTED_SIDS * sizeof(struct sid) + 15) / 16 * 16;
    uint8_t *block = run_needs(
        kernel, memory_alloc(&kernel->machine->memory, bytes, 0), "SeExports");
    uint64_t *at = (uint64_t *)(void *)block;
    uint8_t *sid_at = block + EXPORTS_BYTES;
    unsigned sid = 0;

    for (unsigned run = 0; run < RUNS; run++) {
        for (unsigned i = 0; i < runs[run].privileges; i++) {
            *at++ = privileges[run][i];
        }
        for (unsigned i = 0; i < runs[run].sids; i++) {
            memcpy(sid_at, &sids[sid++], sizeof(struct sid));
            *at++ = (uintptr_t)sid_at;
            sid_at += sizeof(struct sid);
        }
    }
    assert(sid == EXPORTED_SIDS && (uint8_t *)at == block + EXPORTS_BYTES);
    return block;
}
