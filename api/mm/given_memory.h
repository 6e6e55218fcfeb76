/* given_memory.h - what a machine has at physical addresses besides the model's
 * own RAM: more RAM, firmware, and registers of devices (MMIO-50 [C]). Knows
 * nothing of buses, nor of where drivers see it. */
#ifndef API_MM_GIVEN_MEMORY_H
#define API_MM_GIVEN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel;

enum given_kind { GIVEN_RAM, GIVEN_ROM, GIVEN_REGISTERS, GIVEN_KINDS };

enum register_access {
#define REGISTER_ACCESS(name, ...) REGISTER_##name,
#include "api/mm/register_access.def"
    REGISTER_ACCESSES
};

/* What a device does with a register of its range when a write has these bits,
 * all of them. */
struct register_effect {
    uint64_t bits;
    size_t reg;            /* the register that changes */
    uint64_t sets, clears; /* its bits; what is in both is set */
};

/* A register of a device. */
struct given_register {
    const char *name;
    uint64_t at;   /* bytes from the range's beginning, a multiple of `bytes` */
    uint8_t bytes; /* 1, 2, 4 or 8 */
    enum register_access access;
    uint64_t reset;        /* what it holds at first */
    uint64_t writable;     /* bits that a write changes */
    const uint64_t *reads; /* what it gives, one after another; the last one
                              stays. NULL: what it holds */
    size_t read_count;
    const struct register_effect *effect; /* in their order */
    size_t effect_count;
};

struct given_range {
    const char *name;
    enum given_kind kind;
    uint64_t base, bytes; /* of RAM and ROM whole pages */
    const uint8_t *content;
    size_t content_bytes; /* from the beginning on; the rest of RAM is 0, of
                             ROM FFH */
    const struct given_register *reg;
    size_t register_count;
};

struct given_memory {
    const struct given_range *range; /* no two of which overlap */
    size_t count;
};

/* What a register holds, and how often a driver's code has accessed it. */
struct register_state {
    uint64_t value;
    uint64_t reads, writes;
};

/* What the kernel keeps. */
struct given_state {
    struct given_memory given;
    struct range_state {
        struct register_state *reg;
        bool filled; /* the content has been put there */
        bool silent; /* nobody answers: its device does not decode it */
    } * range;
};

/* Why a range cannot lie there, in words for people; NULL: it can. */
const char *given_memory_problem(
    enum given_kind kind, uint64_t base, uint64_t bytes);

/* The machine, which has just booted, has this from now on; it stays where it
 * is. */
void given_memory_start(
    struct kernel *kernel, const struct given_memory *given);

/* The range with the byte; NULL: there is none. */
const struct given_range *given_memory_at(
    const struct kernel *kernel, uint64_t address);

/* A range with a byte in the page; NULL: there is none. */
const struct given_range *given_memory_in(
    const struct kernel *kernel, uint64_t page);

struct range_state *given_memory_state(
    const struct kernel *kernel, const struct given_range *range);

/* The bytes of one of the pages of a range of RAM or ROM, as they are now.
 * NULL: the host has no more. */
uint8_t *given_memory_bytes(
    struct kernel *kernel, const struct given_range *range, uint64_t page);

#endif
