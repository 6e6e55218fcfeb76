/* mdl.c - memory descriptor lists: what is kept of each, its bytes, its locks.
 */
#include "api/mm/mdl.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/run_end.h"
#include "api/core/thread.h"
#include "api/mm/claim.h"
#include "api/mm/copy.h"
#include "api/mm/mdl_user.h"
#include "api/mm/physical.h"
#include "api/mm/physical_room.h"
#include "api/mm/reserved_mapping.h"

uint32_t mdl_pages(uint64_t address, uint64_t length)
{
    uint64_t offset = address % MEMORY_PAGE_BYTES;

    return (uint32_t)((offset + length + MEMORY_PAGE_BYTES - 1) /
                      MEMORY_PAGE_BYTES);
}

uint64_t mdl_size(uint64_t address, uint64_t length)
{
    return sizeof(MDL) + mdl_pages(address, length) * sizeof(uint64_t);
}

MDL mdl_read(struct kernel *kernel, enum routine routine, const MDL *at)
{
    MDL mdl;

    copy_in(kernel, routine, &mdl, at, sizeof(mdl));
    return mdl;
}

uint64_t mdl_address(const MDL *mdl)
{
    return (uintptr_t)mdl->StartVa + mdl->ByteOffset;
}

static bool mdl_check(const struct mdl *mdl)
{
    assert((mdl->locked == 0) == (mdl->locked_pages == 0));
    assert(mdl->mapping == NULL || mdl->mapped);
    return true;
}

struct mdl *mdl_find(const struct kernel *kernel, const MDL *at)
{
    struct mdl *mdl =
        (struct mdl *)(void *)storage_find(&kernel->mdls->table, (uintptr_t)at);

    assert(mdl == NULL || mdl_check(mdl));
    return mdl;
}

struct mdl *mdl_keep(struct kernel *kernel, const MDL *at, enum mdl_kind kind)
{
    struct mdls *mdls = kernel->mdls;
    struct mdl *mdl = mdl_find(kernel, at);

    if (mdl != NULL) {
        return mdl;
    }
    mdl = record_take(kernel, &mdls->pool, sizeof(*mdl), "MDLs");
    *mdl = (struct mdl){
        .stored = {.address = (uintptr_t)at},
        .kind = kind,
        .owner = kind == MDL_OF_REQUESTER
                     ? NULL
                     : kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel),
        .previous = mdls->last,
    };
    storage_enter(kernel, &mdls->table, &mdl->stored, "MDLs");
    *(mdls->last == NULL ? &mdls->first : &mdls->last->next) = mdl;
    mdls->last = mdl;
    return mdl;
}

void mdl_forget(struct kernel *kernel, struct mdl *mdl)
{
    struct mdls *mdls = kernel->mdls;

    assert(mdl->locked == 0 && !mdl->mapped);
    mdl_user_forget(kernel, mdl);
    storage_remove(&mdls->table, &mdl->stored);
    *(mdl->previous == NULL ? &mdls->first : &mdl->previous->next) = mdl->next;
    *(mdl->next == NULL ? &mdls->last : &mdl->next->previous) = mdl->previous;
    record_give(&mdls->pool, mdl);
}

void mdl_write_pages(struct kernel *kernel, enum routine routine, MDL *at,
    uint64_t address, uint64_t length)
{
    uint64_t *to = (uint64_t *)(void *)(at + 1);
    uint32_t pages = mdl_pages(address, length);

    for (uint32_t i = 0; i < pages; i++) {
        uint64_t page = physical_page(
            kernel, address / MEMORY_PAGE_BYTES * MEMORY_PAGE_BYTES +
                        (uint64_t)i * MEMORY_PAGE_BYTES);

        copy_out(kernel, routine, &to[i], &page, sizeof(page));
    }
}

MDL *mdl_new(struct kernel *kernel, enum mdl_kind kind, uint64_t address,
    uint64_t length)
{
    struct memory *memory = &kernel->machine->memory;
    uint64_t size = mdl_size(address, length);
    uint64_t rounded = (size + 15) / 16 * 16; /* MDLs are aligned */
    uint8_t *block = memory_alloc(memory, rounded, 0xCD);
    MDL *at = (MDL *)(void *)block;

    if (block == NULL) {
        return NULL;
    }
    mdl_keep(kernel, at, kind);
    *at = (MDL){
        .Size = (CSHORT)size,
        .StartVa =
            (PVOID)(uintptr_t)(address / MEMORY_PAGE_BYTES * MEMORY_PAGE_BYTES),
        .ByteCount = (ULONG)length,
        .ByteOffset = (ULONG)(address % MEMORY_PAGE_BYTES),
    };
    return at;
}

static void give_pages_back(struct kernel *kernel, uint64_t page, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        page_lock_drop(kernel, page + (uint64_t)i * MEMORY_PAGE_BYTES);
    }
}

void mdl_lock(
    struct kernel *kernel, struct mdl *mdl, uint64_t address, uint64_t length)
{
    uint64_t page = address / MEMORY_PAGE_BYTES * MEMORY_PAGE_BYTES;
    uint32_t pages = length == 0 ? 0 : mdl_pages(address, length);

    assert(mdl->locked == 0);
    for (uint32_t i = 0; i < pages; i++) {
        page_lock_add(kernel, page + (uint64_t)i * MEMORY_PAGE_BYTES);
    }
    mdl->locked = pages == 0 ? 0 : page;
    mdl->locked_pages = pages;
    mdl->program =
        physical_is_user(kernel, address) ? claim_program(kernel) : NULL;
}

void mdl_unmap(struct kernel *kernel, enum routine routine, struct mdl *mdl)
{
    void *mapping = mdl->mapping;

    reserved_mapping_lost(kernel, routine, mdl);
    mdl->mapping = NULL;
    mdl->mapped = false;
    mdl->mapped_at = 0;
    if (mapping != NULL) {
        block_free_at(kernel, routine, mapping);
    }
}

void mdl_unlock(struct kernel *kernel, enum routine routine, struct mdl *mdl)
{
    assert(mdl_check(mdl));
    mdl_user_unlocked(kernel, routine, mdl);
    mdl_unmap(kernel, routine, mdl);
    give_pages_back(kernel, mdl->locked, mdl->locked_pages);
    mdl->locked = mdl->locked_pages = 0;
}

void mdl_end(struct kernel *kernel, enum routine routine, struct mdl *mdl)
{
    void *block = (void *)(uintptr_t)mdl->stored.address;
    bool own = mdl->kind == MDL_OF_IO || mdl->kind == MDL_OF_REQUESTER;

    mdl_unlock(kernel, routine, mdl);
    mdl_forget(kernel, mdl);
    if (own) {
        block_free_at(kernel, routine, block);
    }
}

MDL *mdl_of_requester(struct kernel *kernel, enum mdl_kind kind,
    uint64_t address, uint64_t length, bool write, NTSTATUS *status)
{
    struct memory *memory = &kernel->machine->memory;
    const void *at = (const void *)(uintptr_t)address;
    MDL *made;

    assert(kind == MDL_OF_REQUESTER || kind == MDL_OF_IO);
    if (!memory_allows(
            memory, at, length, write ? MEMORY_WRITE : MEMORY_READ) &&
        !stack_pool_holds(&kernel->machine->guest_stacks, at, length)) {
        *status = STATUS_ACCESS_VIOLATION;
        return NULL;
    }
    *status = STATUS_INSUFFICIENT_RESOURCES;
    made = mdl_new(kernel, kind, address, length);
    if (made == NULL) {
        return NULL;
    }
    *status = STATUS_SUCCESS;
    mdl_lock(kernel, mdl_find(kernel, made), address, length);
    mdl_write_pages(kernel, ROUTINE_IoFreeMdl, made, address, length);
    made->MdlFlags = MDL_PAGES_LOCKED | (write ? MDL_WRITE_OPERATION : 0);
    return made;
}

void mdl_complete(struct kernel *kernel, enum routine routine, MDL *first)
{
    const struct memory *memory = &kernel->machine->memory;
    struct mdl *mdl;

    while ((mdl = mdl_find(kernel, first)) != NULL) {
        MDL *next = memory_is_usable(memory, first, sizeof(*first))
                        ? first->Next
                        : NULL;

        mdl_end(kernel, routine, mdl);
        first = next;
    }
}

/* Whether the block is no more than another place where pages show, which do
 * not go with it: those of contiguous and noncached memory do. */
static bool shows_others(const struct kernel *kernel,
    const struct memory_block *block, uint64_t page)
{
    const struct memory *memory = &kernel->machine->memory;
    uint64_t own =
        FRAMES_REGION + (page - (uintptr_t)memory->base) / MEMORY_PAGE_BYTES;
    uint64_t start = (uintptr_t)block->start;

    return frames_number(memory, (const void *)(uintptr_t)page) != own &&
           claim_find(kernel, CLAIM_CONTIGUOUS, start) == NULL &&
           claim_find(kernel, CLAIM_NONCACHED, start) == NULL;
}

/* The first MDL that lies in the block; NULL: none does. */
static struct mdl *mdl_in(
    const struct kernel *kernel, const struct memory_block *block)
{
    struct mdl *mdl = kernel->mdls->first;
    uintptr_t start = (uintptr_t)block->start;

    while (mdl != NULL && (mdl->stored.address < start ||
                              mdl->stored.address - start >= block->size)) {
        mdl = mdl->next;
    }
    return mdl;
}

/* Of blocks that are freed, one because of the other. */
enum { DEEPEST = 60 };

/* MDLs in a block that is freed, and blocks that are freed while locked. An
 * MDL's mapping may have MDLs in it, which go as well. */
static void freed(struct kernel *kernel, struct cpu *cpu, enum routine routine,
    const struct memory_block *block)
{
    uint64_t page = page_lock_in(kernel, block);
    const struct bugcheck_parameter parameter[4] = {
        {.value = 0x9A}, {.value = physical_page(kernel, page)}};
    struct mdl *mdl;

    if (kernel->mdls->depth == DEEPEST) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "mappings of MDLs that lie in such mappings, and so on, more "
            "than 60 times are not modelled");
    }
    kernel->mdls->depth++;
    if (page != 0 && !shows_others(kernel, block, page)) {
        rule_stop(kernel, cpu, RULE_MDL_FREED_UNDER, routine, parameter);
    }
    while ((mdl = mdl_in(kernel, block)) != NULL) {
        if (mdl->locked != 0 || mdl->mapped || mdl->holds_pages) {
            rule_warn(kernel, cpu, RULE_MDL_FREED_LOCKED, routine);
        }
        mdl_unlock(kernel, routine, mdl);
        physical_room_give(kernel, mdl);
        mdl_forget(kernel, mdl);
    }
    kernel->mdls->depth--;
}

const struct block_watcher mdl_block_watcher = {freed};
