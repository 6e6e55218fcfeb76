/* patch.c - the sites of an image whose instructions were replaced by traps. */
#include "api/image/patch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { OPCODE_INT = 0xCD, OPCODE_INT3 = 0xCC, OPCODE_NOP = 0x90 };

static bool site_check(const struct patch_site *site)
{
    assert(site->length > 0 && site->length <= INSTRUCTION_MAX_BYTES);
    assert(site->kind != INSTRUCTION_OTHER && site->kind < INSTRUCTION_KINDS);
    assert(instruction_rows[site->kind].vector != 0);
    return true;
}

bool patch_check(const struct patch *patch, uint32_t image_size)
{
    size_t counted = 0;
    uint32_t end = 0;

    assert(patch->site != NULL || patch->count == 0);
    for (size_t i = 0; i < patch->count; i++) {
        const struct patch_site *site = &patch->site[i];

        assert(site_check(site));
        assert(site->rva >= end);
        end = site->rva + site->length;
    }
    assert(end <= image_size);
    for (size_t kind = 0; kind < INSTRUCTION_KINDS; kind++) {
        counted += patch->counts.sites[kind];
    }
    assert(counted == patch->count);
    return true;
}

static int by_rva(const void *left, const void *right)
{
    const struct patch_site *a = left, *b = right;

    return (a->rva > b->rva) - (a->rva < b->rva);
}

void patch_sort(struct patch *patch)
{
    if (patch->count > 0) {
        qsort(patch->site, patch->count, sizeof(*patch->site), by_rva);
    }
    for (size_t i = 0; i < patch->count; i++) {
        const struct patch_site *site = &patch->site[i];

        assert(i == 0 || site[-1].rva + site[-1].length <= site->rva);
        patch->counts.sites[site->kind]++;
    }
}

void patch_release(struct patch *patch)
{
    free(patch->site);
    *patch = (struct patch){.site = NULL};
}

void patch_apply(const struct patch *patch, uint8_t *image)
{
    for (size_t i = 0; i < patch->count; i++) {
        const struct patch_site *site = &patch->site[i];
        uint8_t vector = instruction_rows[site->kind].vector;

        assert(site_check(site));
        assert(memcmp(image + site->rva, site->bytes, site->length) == 0);
        memset(image + site->rva, OPCODE_NOP, site->length);
        if (site->length == 1) {
            image[site->rva] = OPCODE_INT3;
            continue;
        }
        image[site->rva] = OPCODE_INT;
        image[site->rva + 1] = vector;
    }
}

const struct patch_site *patch_find(const struct patch *patch, uint32_t rva)
{
    size_t low = 0, high = patch->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (patch->site[middle].rva < rva) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < patch->count && patch->site[low].rva == rva ? &patch->site[low]
                                                             : NULL;
}
