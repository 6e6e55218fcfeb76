/* claim.c - memory that a driver has asked for by its address: kept, found,
 * left behind. */
#include "api/mm/claim.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/mm/block.h"

const struct driver *claim_program(struct kernel *kernel)
{
    const void *current = (const void *)(intptr_t)-1; /* ZwCurrentProcess() */

    return kernel->hooks->program_of(
        kernel->hooks->self_object(kernel, current));
}

static bool is_of_process(enum claim_kind kind)
{
    return kind == CLAIM_SECURED || kind == CLAIM_VIEW ||
           kind == CLAIM_USER_MAPPING;
}

struct claim *claim_add(struct kernel *kernel, const struct claim *given)
{
    struct claims *claims = kernel->claims;
    struct claim *claim = record_take(
        kernel, &claims->pool, sizeof(*claim), "memory that drivers ask for");

    *claim = *given;
    claim->owner = kernel_driver(kernel, kernel_cpu(kernel));
    if (is_of_process(claim->kind)) {
        claim->program = claim_program(kernel);
    }
    claim->place = place_current(kernel);
    claim->step = thread_step(kernel);
    claim->previous = claims->last;
    claim->next = NULL;
    *(claims->last == NULL ? &claims->first : &claims->last->next) = claim;
    claims->last = claim;
    return claim;
}

struct claim *claim_find(
    const struct kernel *kernel, enum claim_kind kind, uint64_t address)
{
    struct claim *claim = kernel->claims->first;

    while (
        claim != NULL && (claim->kind != kind || claim->address != address)) {
        claim = claim->next;
    }
    return claim;
}

struct claim *claim_around(const struct kernel *kernel, uint64_t address)
{
    struct claim *claim = kernel->claims->first;

    while (claim != NULL &&
           ((claim->kind != CLAIM_IO_SPACE && claim->kind != CLAIM_VIEW &&
                claim->kind != CLAIM_USER_MAPPING) ||
               address - (uintptr_t)claim->block >=
                   (uint64_t)claim->pages * MEMORY_PAGE_BYTES)) {
        claim = claim->next;
    }
    return claim;
}

bool claim_secures(
    const struct kernel *kernel, const struct memory_block *block)
{
    const struct claim *claim = kernel->claims->first;
    uint64_t start = (uintptr_t)block->start;

    while (claim != NULL && (claim->kind != CLAIM_SECURED ||
                                claim->secured >= start + block->size ||
                                start >= claim->secured + claim->bytes)) {
        claim = claim->next;
    }
    return claim != NULL;
}

void claim_end(struct kernel *kernel, enum routine routine, struct claim *claim)
{
    struct claims *claims = kernel->claims;

    if (claim->block != NULL) {
        block_free_at(kernel, routine, claim->block);
    }
    *(claim->previous == NULL ? &claims->first : &claim->previous->next) =
        claim->next;
    *(claim->next == NULL ? &claims->last : &claim->next->previous) =
        claim->previous;
    record_give(&claims->pool, claim);
}

static const struct {
    enum leak leak;
    enum rule rule;
    const char *text;
} kinds[CLAIM_KINDS] = {
    [CLAIM_IO_SPACE] = {LEAK_IO_MAPPING, RULE_LEAK_IO_MAPPING,
        "mapping of physical memory"},
    [CLAIM_CONTIGUOUS] = {LEAK_CONTIGUOUS, RULE_LEAK_CONTIGUOUS,
        "contiguous memory"},
    [CLAIM_NONCACHED] = {LEAK_NONCACHED, RULE_LEAK_NONCACHED,
        "noncached memory"},
    [CLAIM_SECURED] = {LEAK_SECURED, RULE_LEAK_SECURED,
        "memory of a program that is secured"},
    [CLAIM_VIEW] = {LEAK_SECTION_VIEW, RULE_LEAK_SECTION_VIEW,
        "view of a section"},
    [CLAIM_ALLOCATED] = {LEAK_VIRTUAL_MEMORY, RULE_LEAK_VIRTUAL_MEMORY,
        "memory allocated in a program"},
    [CLAIM_USER_MAPPING] = {LEAK_USER_MAPPING, RULE_LEAK_USER_MAPPING,
        "mapping of an MDL in a program"},
    [CLAIM_RESERVED] = {LEAK_RESERVED_MAPPING, RULE_LEAK_RESERVED_MAPPING,
        "reserved addresses"},
};

static void list(const struct kernel *kernel,
    const struct leak_listing *listing, enum claim_kind kind)
{
    for (const struct claim *claim = kernel->claims->first; claim != NULL;
         claim = claim->next) {
        if (claim->kind == kind && claim->owner == listing->driver) {
            leaks_found(
                listing, kinds[kind].leak, kinds[kind].text, claim->step);
        }
    }
}

static void report(struct kernel *kernel, struct cpu *cpu,
    const struct driver *driver, enum claim_kind kind)
{
    for (struct claim *claim = kernel->claims->first; claim != NULL;
         claim = claim->next) {
        if (claim->kind == kind && claim->owner == driver &&
            leaks_is_news(&claim->reported)) {
            rule_warn_at(
                kernel, cpu, kinds[kind].rule, ROUTINE_COUNT, claim->place);
        }
    }
}

#define SOURCE(name, kind, leak)                                               \
    static void list_##name(                                                   \
        struct kernel *kernel, const struct leak_listing *listing)             \
    {                                                                          \
        list(kernel, listing, kind);                                           \
    }                                                                          \
    static void report_##name(                                                 \
        struct kernel *kernel, struct cpu *cpu, const struct driver *driver)   \
    {                                                                          \
        report(kernel, cpu, driver, kind);                                     \
    }                                                                          \
    const struct leak_source claim_##name##_leaks = {                          \
        leak, list_##name, report_##name, NULL};

SOURCE(io_space, CLAIM_IO_SPACE, LEAK_IO_MAPPING)
SOURCE(contiguous, CLAIM_CONTIGUOUS, LEAK_CONTIGUOUS)
SOURCE(noncached, CLAIM_NONCACHED, LEAK_NONCACHED)
SOURCE(secured, CLAIM_SECURED, LEAK_SECURED)
SOURCE(view, CLAIM_VIEW, LEAK_SECTION_VIEW)
SOURCE(allocated, CLAIM_ALLOCATED, LEAK_VIRTUAL_MEMORY)
SOURCE(user_mapping, CLAIM_USER_MAPPING, LEAK_USER_MAPPING)
SOURCE(reserved, CLAIM_RESERVED, LEAK_RESERVED_MAPPING)
