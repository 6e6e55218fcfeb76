/* fnv.h - FNV-1a with 64 bits: a number for a text that is the same on every
 * host and in every version of the program. */
#ifndef RUNNER_FNV_H
#define RUNNER_FNV_H

#include <stdint.h>

static inline uint64_t fnv1a(const char *text)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);

    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    }
    return hash;
}

#endif
