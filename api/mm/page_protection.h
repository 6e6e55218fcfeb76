/* page_protection.h - what a PAGE_ protection, as routines are given one, lets
 * be done (page Memory Protection Constants, header ntddk.h). Each routine says
 * itself which of them it takes. */
#ifndef API_MM_PAGE_PROTECTION_H
#define API_MM_PAGE_PROTECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/kernel.h"

enum {
    PAGE_NOACCESS = 0x01,
    PAGE_EXECUTE = 0x10,
    PAGE_GUARD = 0x100,
    PAGE_NOCACHE = 0x200,
    PAGE_WRITECOMBINE = 0x400,
};

struct page_protection {
    ULONG base;      /* without what goes with it */
    unsigned access; /* to memory (memory_access) */
    MEMORY_CACHING_TYPE cache;
};

/* Reads one value, with PAGE_NOCACHE or PAGE_WRITECOMBINE or neither; nothing
 * goes with PAGE_NOACCESS. False: it is none of those, and `said` as it was. */
bool page_protection_read(ULONG protection, struct page_protection *said);

/* The guest may do that with these whole pages of a live block from now on.
 * Ends the run where the host does not keep so many apart. */
void page_protection_set(
    struct kernel *kernel, uint64_t start, size_t pages, unsigned access);

#endif
