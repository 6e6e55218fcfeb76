/* guest_text.h - text in a driver's memory that ends with a NUL, read piece by
 * piece: never a byte of a page that comes after the NUL's. */
#ifndef API_RTL_GUEST_TEXT_H
#define API_RTL_GUEST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/core/exports.h"

struct kernel;

/* A driver's memory, as far as it can be read. */
struct guest_reader {
    void *context;
    /* Copies bytes that lie in one page, or in two where one character does.
     * Returns false when they cannot be read; or does not return. */
    bool (*read)(void *context, void *to, uint64_t address, size_t size);
};

/* The running kernel's reader: copy_in() on behalf of a routine, which raises
 * at the caller. `source` outlives it. */
struct guest_source {
    struct kernel *kernel;
    enum routine routine;
};
struct guest_reader guest_reader_of(struct guest_source *source);

enum { GUEST_TEXT_PIECE = 64 }; /* characters at a time */

#define GUEST_TEXT_FAULT SIZE_MAX

/* Copies characters of `unit` bytes (1 or 2) up to a NUL, or `most`. Returns
 * how many; GUEST_TEXT_FAULT when one cannot be read. */
size_t guest_text_read(const struct guest_reader *reader, uint64_t address,
    size_t unit, void *buffer, size_t most);

/* The number of characters before the NUL, at most `most`; it may raise. */
size_t guest_text_length(struct kernel *kernel, enum routine routine,
    const void *address, size_t unit, size_t most);

#endif
