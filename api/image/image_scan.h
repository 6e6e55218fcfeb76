/* image_scan.h - what the host would execute of an image without telling us,
 * looked for where its file says that code is. It is the same whenever the same
 * file is loaded, as long as nothing is written into its code. */
#ifndef API_IMAGE_IMAGE_SCAN_H
#define API_IMAGE_IMAGE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/image/patch.h"
#include "api/pe/pe.h"

/* Scans the image as it is mapped. Returns false when there is no memory. */
bool image_scan(const struct pe *pe, const uint8_t *image, struct patch *out);

/* Scans a file's code as it stands there. Returns false when it is no image, or
 * there is no memory. */
bool image_scan_file(const uint8_t *bytes, size_t size, struct patch *out);

/* What the mapped image gets: a copy of `known`, which image_scan_file() found
 * in its file, or where relocations, imports or the loader's slots have changed
 * the code, or nothing is known, what is found in it. Returns false when there
 * is no memory. */
bool image_scan_known(const struct pe *pe, const uint8_t *image,
    const struct patch *known, struct patch *out);

#endif
