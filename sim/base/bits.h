/* bits.h - single bits and runs of bits in 64-bit registers. */
#ifndef SIM_BASE_BITS_H
#define SIM_BASE_BITS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* Bit `n`, 0..63. */
static inline uint64_t bit(unsigned n)
{
    assert(n < 64);
    return UINT64_C(1) << n;
}

/* Bit `n` if `set`, else none. */
static inline uint64_t bit_if(bool set, unsigned n)
{
    return set ? bit(n) : 0;
}

static inline bool bit_is_set(uint64_t value, unsigned n)
{
    return (value & bit(n)) != 0;
}

/* The low `count` bits, 0..64. */
static inline uint64_t bits_low(unsigned count)
{
    assert(count <= 64);
    return count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* `count` bits of `value` from bit `low` up, moved to bit 0. */
static inline uint64_t bits_get(uint64_t value, unsigned low, unsigned count)
{
    assert(low < 64);
    return (value >> low) & bits_low(count);
}

/* The number of the lowest set bit; `value` is not 0. */
static inline unsigned bits_lowest(uint64_t value)
{
    assert(value != 0);
    return (unsigned)__builtin_ctzll(value);
}

/* The number of the highest set bit; `value` is not 0. */
static inline unsigned bits_highest(uint64_t value)
{
    assert(value != 0);
    return 63 ^ (unsigned)__builtin_clzll(value);
}

#endif
