/* io_space.h - physical memory shown at system addresses: RAM as it is, and
 * what is no RAM, where all ones are read and writes are dropped (MMIO-04 [C]).
 */
#ifndef API_MM_IO_SPACE_H
#define API_MM_IO_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel;

/* Whether the physical page is RAM. */
bool io_space_is_ram(const struct kernel *kernel, uint64_t page);

/* Shows so many physical pages at the pages of a live block, with this access
 * to RAM; the others may be read only, as far as the host goes. False: the host
 * refuses. */
bool io_space_show(struct kernel *kernel, uint8_t *block, uint64_t first,
    uint32_t count, unsigned access);

/* Whether the address is in a mapped page that is no RAM. */
bool io_space_is_hole(const struct kernel *kernel, uint64_t address);

/* A driver's code is about to store there: the page, which is such a one, is
 * open up to the end. */
void io_space_begin(struct kernel *kernel, uint64_t address);

/* What it has stored is dropped. */
void io_space_end(struct kernel *kernel, uint64_t address);

#endif
