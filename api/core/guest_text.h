/* guest_text.h - text in a driver's memory that ends with a NUL, read piece by
 * piece: never a byte of a page that comes after the NUL's. */
#ifndef API_CORE_GUEST_TEXT_H
#define API_CORE_GUEST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A driver's memory, as far as it can be read. */
struct guest_reader {
    void *context;
    /* Copies bytes that lie in one page, or in two where one character does.
     * Returns false when they cannot be read; or does not return. */
    bool (*read)(void *context, void *to, uint64_t address, size_t size);
};

enum { GUEST_TEXT_PIECE = 64 }; /* characters at a time */

#define GUEST_TEXT_FAULT SIZE_MAX

/* Copies characters of `unit` bytes (1 or 2) up to a NUL, or `most`. Returns
 * how many; GUEST_TEXT_FAULT when one cannot be read. */
size_t guest_text_read(const struct guest_reader *reader, uint64_t address,
    size_t unit, void *buffer, size_t most);

#endif
