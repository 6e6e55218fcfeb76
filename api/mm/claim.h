/* claim.h - memory that a driver has asked for by its address and gives back:
 * mappings of physical memory, contiguous and noncached memory, views, MDLs
 * mapped into programs, a program's memory that is allocated or secured. Knows
 * nothing of the routines. */
#ifndef API_MM_CLAIM_H
#define API_MM_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "api/mm/probing.h"
#include "api/nt/nt.h"
#include "sim/base/record_pool.h"

struct kernel;
struct memory_block;

enum claim_kind {
    CLAIM_IO_SPACE,
    CLAIM_CONTIGUOUS,
    CLAIM_NONCACHED,
    CLAIM_SECURED,      /* a program's memory */
    CLAIM_VIEW,         /* of the section of physical memory */
    CLAIM_ALLOCATED,    /* in a process that the driver names */
    CLAIM_USER_MAPPING, /* of an MDL, in a program */
    CLAIM_RESERVED,     /* addresses for MDLs */
    CLAIM_KINDS
};

struct claim {
    enum claim_kind kind;
    uint64_t address; /* as the driver got it */
    uint64_t bytes;   /* that it asked for */
    uint64_t secured; /* where they begin, of CLAIM_SECURED */
    uint8_t *block;   /* of guest memory; NULL: none */
    uint64_t first;   /* physical page; not of CLAIM_USER_MAPPING */
    uint32_t pages;
    uint64_t mdl; /* of CLAIM_USER_MAPPING, CLAIM_RESERVED: it lies there; 0:
                     nowhere now, or none is mapped */
    ULONG tag;    /* of CLAIM_RESERVED */
    uint32_t mapped_pages; /* the same; 0: no MDL is mapped */
    bool lost;             /* the same: its pages were unlocked or given back */
    MEMORY_CACHING_TYPE cache;
    bool writable;
    const struct driver *owner;
    const struct driver *program; /* in whose process; NULL: the system's. Is
                                     given for CLAIM_ALLOCATED alone */
    uint64_t place;
    uint32_t step;
    bool reported; /* as left behind */
    struct claim *previous, *next;
};

struct claims {
    struct claim *first, *last; /* in order of claiming */
    struct record_pool pool;
    uint64_t secured; /* ranges so far: each has a handle of its own */
    struct probings probings;
};

/* A new one of the running driver's, with what is given. */
struct claim *claim_add(struct kernel *kernel, const struct claim *given);

/* The program whose process is current; NULL: it is the system's. */
const struct driver *claim_program(struct kernel *kernel);

/* The one of that kind at the address; NULL: there is none. */
struct claim *claim_find(
    const struct kernel *kernel, enum claim_kind kind, uint64_t address);

/* The mapping in whose block the address lies; NULL: there is none. */
struct claim *claim_around(const struct kernel *kernel, uint64_t address);

/* Whether memory in the block is secured. */
bool claim_secures(
    const struct kernel *kernel, const struct memory_block *block);

/* It ends by that routine, and its block with it. */
void claim_end(
    struct kernel *kernel, enum routine routine, struct claim *claim);

extern const struct leak_source claim_io_space_leaks;
extern const struct leak_source claim_contiguous_leaks;
extern const struct leak_source claim_noncached_leaks;
extern const struct leak_source claim_secured_leaks;
extern const struct leak_source claim_view_leaks;
extern const struct leak_source claim_allocated_leaks;
extern const struct leak_source claim_user_mapping_leaks;
extern const struct leak_source claim_reserved_leaks;

#endif
