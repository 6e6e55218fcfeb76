/* copy.c - checked against the guest's memory, byte by byte of the range. */
#include "api/mm/copy.h"

#include <string.h>

#include "api/ke/exception.h"
#include "api/kernel.h"

void copy_probe(struct kernel *kernel, enum routine routine,
    const void *address, size_t size, bool write)
{
    const struct memory *memory = &kernel->machine->memory;
    const struct memory_block *block = memory_find(memory, address);
    struct exception_record record = {.code = STATUS_ACCESS_VIOLATION,
        .routine = routine,
        .address = address,
        .write = write};

    if (memory_is_open(memory, address, size)) {
        return;
    }
    if (block != NULL) {
        /* The first byte past the block is the one that faults. */
        record.address = block->start + block->size;
    }
    exception_raise(kernel, &record);
}

void copy_in(struct kernel *kernel, enum routine routine, void *to,
    const void *from, size_t size)
{
    copy_probe(kernel, routine, from, size, false);
    if (size > 0) { /* with nothing to copy NULL is fine */
        memcpy(to, from, size);
    }
}

void copy_out(struct kernel *kernel, enum routine routine, void *to,
    const void *from, size_t size)
{
    copy_probe(kernel, routine, to, size, true);
    if (size > 0) {
        memcpy(to, from, size);
    }
}
