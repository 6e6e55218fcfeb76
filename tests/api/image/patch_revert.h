/* patch_revert.h - undoes patch_apply(): what each site knows is what was
 * there.
 */
#ifndef TESTS_API_IMAGE_PATCH_REVERT_H
#define TESTS_API_IMAGE_PATCH_REVERT_H

#include <string.h>

#include "api/image/patch.h"

static inline void patch_revert(const struct patch *patch, uint8_t *image)
{
    for (size_t i = 0; i < patch->count; i++) {
        const struct patch_site *site = &patch->site[i];

        memcpy(image + site->rva, site->bytes, site->length);
    }
}

#endif
