/* io_space.h - physical memory shown at system addresses: RAM as it is,
 * firmware, where writes are dropped, what is nobody's, where all ones are read
 * besides (MMIO-04 [C]), and registers of devices, whose every access stops. */
#ifndef API_MM_IO_SPACE_H
#define API_MM_IO_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel;

/* Whether the physical page is RAM that Windows manages. */
bool io_space_is_ram(const struct kernel *kernel, uint64_t page);

/* Shows so many physical pages at the pages of a live block, with this access
 * to RAM; the others may be read only, as far as the host goes, and registers
 * of devices not even that. False: the host refuses. */
bool io_space_show(struct kernel *kernel, uint8_t *block, uint64_t first,
    uint32_t count, unsigned access);

/* Whether the address is in a page mapped for writing where what is stored is
 * dropped. */
bool io_space_is_hole(const struct kernel *kernel, uint64_t address);

/* A driver's code is about to store there: the page, which is such a one, is
 * open up to the end. */
void io_space_begin(struct kernel *kernel, uint64_t address);

/* What it has stored is dropped. */
void io_space_end(struct kernel *kernel, uint64_t address);

/* Whether the address is in a mapped page with registers of a device, and, for
 * a write, in one that is mapped for that; *physical is where it leads. */
bool io_space_is_device(const struct kernel *kernel, uint64_t address,
    bool write, uint64_t *physical);

/* An access of a step that began in memory has come to this address: if it is
 * such a one, the run ends as not modelled. */
void io_space_stop_across(struct kernel *kernel, uint64_t address, bool write);

/* A driver's code is about to access the page of the host's memory behind it,
 * where these bytes, at most 8, hold the value, and all others ones, up to the
 * end. */
void io_space_open_device(
    struct kernel *kernel, uint64_t address, uint64_t value, uint32_t bytes);

void io_space_close_device(struct kernel *kernel, uint64_t address);

#endif
