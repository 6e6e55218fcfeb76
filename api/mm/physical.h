/* physical.h - physical addresses of a driver's memory: what MDLs and
 * MmGetPhysicalAddress tell of. Pages of guest memory are numbered from 4 GiB
 * on as they lie, those of kernel stacks behind them. */
#ifndef API_MM_PHYSICAL_H
#define API_MM_PHYSICAL_H

#include <stdbool.h>
#include <stdint.h>

struct kernel;

#define PHYSICAL_NONE UINT64_MAX

/* The number of the physical page behind the address; PHYSICAL_NONE: there is
 * none. */
uint64_t physical_page(const struct kernel *kernel, uint64_t address);

/* Whether it is a page of a kernel stack, which cannot be shown elsewhere. */
bool physical_is_stack(const struct kernel *kernel, uint64_t address);

/* Whether the address is one of a program's. */
bool physical_is_user(const struct kernel *kernel, uint64_t address);

#endif
