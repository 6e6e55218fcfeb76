/* fnv.h - FNV-1a with 64 bits: a number for a text that is the same on every
 * host and in every version of the program. */
#ifndef API_TEXT_FNV_H
#define API_TEXT_FNV_H

#include <stddef.h>
#include <stdint.h>

/* The hash of nothing, from which fnv1a_byte() goes on. */
#define FNV1A_EMPTY UINT64_C(0xCBF29CE484222325)

static inline uint64_t fnv1a_byte(uint64_t hash, uint8_t byte)
{
    return (hash ^ byte) * UINT64_C(0x100000001B3);
}

/* A code unit of UTF-16 as a whole: half the work of its two bytes. */
static inline uint64_t fnv1a_unit(uint64_t hash, uint16_t unit)
{
    return (hash ^ unit) * UINT64_C(0x100000001B3);
}

static inline uint64_t fnv1a_bytes(const void *bytes, size_t length)
{
    const uint8_t *at = (const uint8_t *)bytes;
    uint64_t hash = FNV1A_EMPTY;

    for (size_t i = 0; i < length; i++) {
        hash = fnv1a_byte(hash, at[i]);
    }
    return hash;
}

static inline uint64_t fnv1a(const char *text)
{
    uint64_t hash = FNV1A_EMPTY;

    for (; *text != '\0'; text++) {
        hash = fnv1a_byte(hash, (uint8_t)*text);
    }
    return hash;
}

#endif
