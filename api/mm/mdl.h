/* mdl.h - memory descriptor lists (io.md 2.1): the physical pages of a buffer,
 * locked and shown at system addresses. An MDL lies in guest memory, where
 * drivers read it; what is locked and mapped by it is kept here, whatever
 * becomes of its bytes. Knows nothing of IRPs. */
#ifndef API_MM_MDL_H
#define API_MM_MDL_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "api/mm/block.h"
#include "api/mm/page_lock.h"
#include "api/mm/storage_table.h"
#include "api/nt/nt.h"
#include "sim/base/record_pool.h"

struct kernel;

/* MdlFlags (MDL-01). */
enum mdl_flag {
    MDL_MAPPED_TO_SYSTEM_VA = 0x1,
    MDL_PAGES_LOCKED = 0x2,
    MDL_SOURCE_IS_NONPAGED_POOL = 0x4,
    MDL_PARTIAL = 0x10,
    MDL_PARTIAL_HAS_BEEN_MAPPED = 0x20,
    MDL_WRITE_OPERATION = 0x80,
    MDL_PARENT_MAPPED_SYSTEM_VA = 0x100,
};

/* LOCK_OPERATION. */
enum { IO_READ_ACCESS = 0, IO_WRITE_ACCESS = 1, IO_MODIFY_ACCESS = 2 };

enum mdl_kind {
    MDL_OF_DRIVER,    /* its memory is the driver's own */
    MDL_OF_IO,        /* IoAllocateMdl's */
    MDL_OF_PAGES,     /* with the pages, of MmAllocatePagesForMdl */
    MDL_OF_REQUESTER, /* the I/O manager's, for a request's buffer */
};

/* What is kept of an MDL that was allocated, locked or mapped. */
struct mdl {
    struct stored stored; /* first: it is found by it */
    enum mdl_kind kind;
    const struct driver *owner; /* NULL: nobody's */
    uint64_t place;
    uint32_t step;
    bool reported;         /* as left behind */
    uint64_t locked;       /* the first page's address; 0: none is locked */
    uint32_t locked_pages; /* so many */
    const struct driver *program; /* whose they are; NULL: no program's */
    bool holds_pages;             /* of MmAllocatePagesForMdl, not given back */
    void *mapping;      /* the block that shows them; NULL: none does */
    bool mapped;        /* at an address that is no block of its own, too */
    uint64_t mapped_at; /* that address, as the driver got it */
    struct mdl *previous, *next;
};

struct mdls {
    struct storage_table table;
    struct mdl *first, *last; /* in order of first use */
    struct record_pool pool;
    struct page_locks locks;
    struct physical_run *runs; /* physical_room.h */
    struct record_pool run_pool;
    unsigned depth; /* blocks that are being freed, one for the other */
};

/* Bytes of an MDL for a buffer (MmSizeOfMdl). */
uint64_t mdl_size(uint64_t address, uint64_t length);

/* How many pages hold the buffer. */
uint32_t mdl_pages(uint64_t address, uint64_t length);

/* The MDL's own bytes but for its page numbers; raises where there are none. */
MDL mdl_read(struct kernel *kernel, enum routine routine, const MDL *at);

/* The address that its buffer has, and the first page's. */
uint64_t mdl_address(const MDL *mdl);

/* What is kept of the MDL at the address; NULL: nothing. */
struct mdl *mdl_find(const struct kernel *kernel, const MDL *at);

/* The same, and from now on something is, if the kind is a new one's. */
struct mdl *mdl_keep(struct kernel *kernel, const MDL *at, enum mdl_kind kind);

/* Nothing is kept of it any more. */
void mdl_forget(struct kernel *kernel, struct mdl *mdl);

/* Writes the numbers of the buffer's pages behind the MDL; raises. */
void mdl_write_pages(struct kernel *kernel, enum routine routine, MDL *at,
    uint64_t address, uint64_t length);

/* An MDL in a block of its own that describes the buffer; NULL: no room. */
MDL *mdl_new(struct kernel *kernel, enum mdl_kind kind, uint64_t address,
    uint64_t length);

/* Unlocks and unmaps what is, and gives its block back. */
void mdl_end(struct kernel *kernel, enum routine routine, struct mdl *mdl);

/* Locks the pages of the buffer, which may be touched. */
void mdl_lock(
    struct kernel *kernel, struct mdl *mdl, uint64_t address, uint64_t length);

/* What locks it has goes, and what shows it at system addresses. */
void mdl_unlock(struct kernel *kernel, enum routine routine, struct mdl *mdl);

/* Its mapping goes, by that routine. */
void mdl_unmap(struct kernel *kernel, enum routine routine, struct mdl *mdl);

/* For the I/O manager: an MDL of a requester's buffer, locked for reading or
 * for writing (MDL-04, IO-32a): of kind MDL_OF_REQUESTER, or MDL_OF_IO, which
 * the driver that asked for it unlocks and frees (IO-45c). NULL and *status:
 * STATUS_ACCESS_VIOLATION or STATUS_INSUFFICIENT_RESOURCES. */
MDL *mdl_of_requester(struct kernel *kernel, enum mdl_kind kind,
    uint64_t address, uint64_t length, bool write, NTSTATUS *status);

/* The same: at the completion of a request every MDL of the chain that begins
 * there is unlocked, unmapped and freed. */
void mdl_complete(struct kernel *kernel, enum routine routine, MDL *first);

/* MDLs that a driver has left locked, mapped, or allocated. */
extern const struct leak_source mdl_leaks;
extern const struct leak_source mdl_mapping_leaks;
extern const struct leak_source mdl_lock_leaks;
extern const struct leak_source mdl_page_leaks;

extern const struct block_watcher mdl_block_watcher;

#endif
