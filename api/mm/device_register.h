/* device_register.h - an access of a driver's code to registers of a device:
 * what is read, what a write does, and what of it is not modelled. Knows
 * physical addresses alone. */
#ifndef API_MM_DEVICE_REGISTER_H
#define API_MM_DEVICE_REGISTER_H

#include <stdbool.h>
#include <stdint.h>

#include "api/mm/given_memory.h"

enum { DEVICE_CYCLES = 200 }; /* [C] of an access, which is not cached */

/* What an access is to: bytes of one register, or nobody's (`reg` NULL), which
 * read as ones and drop writes. */
struct device_place {
    const struct given_range *range;
    const struct given_register *reg;
    struct register_state *state;
    uint32_t offset; /* of the access in the register, bytes */
    uint32_t bytes;  /* 1, 2, 4 or 8; 0 where it is nobody's */
};

/* What is at the physical address. Stops the machine where the model does not
 * know what such an access does. */
struct device_place device_find(
    struct kernel *kernel, uint64_t address, uint64_t bytes, bool write);

/* What a read would give, without its effects. */
uint64_t device_peek(const struct device_place *place);

/* It was read, and this is what it gave. */
void device_was_read(
    struct kernel *kernel, const struct device_place *place, uint64_t value);

void device_write(
    struct kernel *kernel, const struct device_place *place, uint64_t value);

#endif
