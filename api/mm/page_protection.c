/* page_protection.c - the table of page protections (PAGE_READONLY and so on),
 * and pages of a block that get another one. */
#include "api/mm/page_protection.h"

#include <assert.h>

#include "api/core/run_end.h"

static const struct {
    ULONG protection;
    unsigned access;
} rows[] = {
    {PAGE_NOACCESS, MEMORY_NONE},
    {0x02, MEMORY_READ},
    {0x04, MEMORY_READ | MEMORY_WRITE},
    {PAGE_EXECUTE, MEMORY_READ | MEMORY_EXECUTE}, /* no processor has less */
    {0x20, MEMORY_READ | MEMORY_EXECUTE},
    {0x40, MEMORY_READ | MEMORY_WRITE | MEMORY_EXECUTE},
};

bool page_protection_read(ULONG protection, struct page_protection *said)
{
    const ULONG cache = protection & (PAGE_NOCACHE | PAGE_WRITECOMBINE);
    const ULONG base = protection - cache;

    if (cache == (PAGE_NOCACHE | PAGE_WRITECOMBINE) ||
        (cache != 0 && base == PAGE_NOACCESS)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].protection == base) {
            *said = (struct page_protection){.base = base,
                .access = rows[i].access,
                .cache = cache == 0              ? MmCached
                         : cache == PAGE_NOCACHE ? MmNonCached
                                                 : MmWriteCombined};
            return true;
        }
    }
    return false;
}

void page_protection_set(
    struct kernel *kernel, uint64_t start, size_t pages, unsigned access)
{
    if (!memory_set(&kernel->machine->memory, (void *)(uintptr_t)start, pages,
            access, false)) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "this host does not protect so many pages otherwise");
    }
}
