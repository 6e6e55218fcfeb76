/* imports.h - an image's imports against what this Windows exports: the rows of
 * exports.def and data_exports.def. */
#ifndef API_IMAGE_IMPORTS_H
#define API_IMAGE_IMPORTS_H

#include <stdbool.h>
#include <stdint.h>

struct image;
struct kernel;
struct pe_problems;

/* Adds a problem for each import that this Windows does not have, or not in the
 * image that it names; and one where anything is missing and nothing may be:
 * each name is entered then. */
void imports_check(struct kernel *kernel, const struct image *image,
    struct pe_problems *problems);

/* The address of the routine or variable that this Windows exports by that
 * name, 0 if it has none. native_prepare() has been called. */
uint64_t imports_find(struct kernel *kernel, const char *name);

/* A processor is active now that was not: KeNumberProcessors counts it. */
void imports_processor_added(struct kernel *kernel);

/* Writes every import's address into the image at its base; those that are
 * missing get pages. They were checked, and native_prepare() has been called.
 * Returns false when there is no room. */
bool imports_bind(struct kernel *kernel, struct image *image);

/* Enters the missing ones of an image that was loaded. */
void imports_note_missing(struct kernel *kernel, const struct image *image);

/* Those that a loaded image imports from stay in memory as long as it does. */
void imports_hold(struct kernel *kernel, struct image *image);

#endif
