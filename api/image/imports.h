/* imports.h - an image's imports against what this Windows exports: the rows of
 * exports.def and data_exports.def. */
#ifndef API_IMAGE_IMPORTS_H
#define API_IMAGE_IMPORTS_H

#include <stdint.h>

#include "api/pe/pe.h"

struct kernel;

/* Adds a problem for each import that does not exist here, or not in the image
 * that it names. */
void imports_check(const struct kernel *kernel, const struct pe *pe,
    struct pe_problems *problems);

/* The address of the routine or variable that this Windows exports by that
 * name, 0 if it has none. native_prepare() has been called. */
uint64_t imports_find(struct kernel *kernel, const char *name);

/* Writes every import's address into the image at `base`. All exist, and
 * native_prepare() has been called. */
void imports_bind(struct kernel *kernel, const struct pe *pe, uint8_t *base);

#endif
