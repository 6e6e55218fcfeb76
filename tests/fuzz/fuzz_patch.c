/* fuzz_patch.c - any bytes as an image, with ranges out of its first ones:
 * scanned within its bounds, patched and put back. */
#include <stdlib.h>
#include <string.h>

#include "api/image/patch.h"
#include "tests/api/image/patch_revert.h"

enum { RANGES = 6, HEADER = RANGES * 4 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_sites(const struct patch *patch, size_t size)
{
    for (size_t i = 0; i < patch->count; i++) {
        const struct patch_site *site = &patch->site[i];

        check(site->rva + site->length <= size);
        check(i == 0 || site[-1].rva + site[-1].length <= site->rva);
        check(patch_find(patch, site->rva) == site);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct patch_range range[RANGES];
    struct patch patch;
    uint8_t *image;

    if (size <= HEADER || size > UINT16_MAX) {
        return 0;
    }
    for (unsigned i = 0; i < RANGES; i++) {
        range[i].begin = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8;
        range[i].end = bytes[4 * i + 2] | (uint32_t)bytes[4 * i + 3] << 8;
    }
    size -= HEADER;
    image = malloc(size);
    if (image == NULL) {
        return 0;
    }
    memcpy(image, bytes + HEADER, size);
    check(patch_scan(&patch, &(struct patch_input){.image = image,
                                 .image_size = (uint32_t)size,
                                 .code = range,
                                 .code_count = 2,
                                 .data = range + 2,
                                 .data_count = 1,
                                 .function = range + 3,
                                 .function_count = 3,
                                 .start = &range[0].begin,
                                 .start_count = 1,
                                 .with_may_trap = true}));
    check_sites(&patch, size);
    patch_apply(&patch, image);
    patch_revert(&patch, image);
    check(memcmp(image, bytes + HEADER, size) == 0);
    patch_release(&patch);
    free(image);
    return 0;
}
