/* mdl_user.c - MDLs mapped where a program, not the kernel, sees the pages, and
 * what is left of that when one of the two ends (MDL-13a). */
#include "api/mm/mdl_user.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/mm/claim.h"
#include "api/mm/copy.h"
#include "api/mm/io_space.h"
#include "api/mm/physical.h"
#include "api/mm/user_memory.h"

enum { LOCKED_AT_END = 0 }; /* parameter 1 of PROCESS_HAS_LOCKED_PAGES */

static _Noreturn void raise_status(
    struct kernel *kernel, enum routine routine, NTSTATUS status)
{
    const struct exception_record record = {.code = status, .routine = routine};

    exception_raise(kernel, &record);
}

/* A program's memory is there at APC_LEVEL at the most. */
static void check_level(struct kernel *kernel, enum routine routine)
{
    struct cpu *cpu = kernel_cpu(kernel);
    uint8_t limit = irql_number(kernel, LEVEL_APC_LEVEL);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name},
        {.value = irql_current(kernel, cpu)}, {.value = limit}};

    if (irql_current(kernel, cpu) <= limit) {
        return;
    }
    if (!ruling_is(kernel, RULED_IRQL_GEN_01_event)) {
        rule_stop(kernel, cpu, RULE_IRQL_CONTRACT, routine, parameter);
    }
    rule_report(kernel, cpu, RULE_IRQL_CONTRACT, routine);
}

/* Shows the pages one by one, registers of devices and all; false: the host
 * refuses. */
static bool show_pages(struct kernel *kernel,
    const struct mdl_user_request *request, uint8_t *block, uint32_t pages)
{
    const uint64_t *numbers = (const uint64_t *)(const void *)(request->at + 1);
    unsigned access =
        request->read_only ? MEMORY_READ : MEMORY_READ | MEMORY_WRITE;

    for (uint32_t i = 0; i < pages; i++) {
        uint64_t number;

        copy_in(kernel, request->routine, &number, &numbers[i], sizeof(number));
        if (!io_space_show(kernel, block + (size_t)i * MEMORY_PAGE_BYTES,
                number, 1, access)) {
            return false;
        }
    }
    return true;
}

static void *map(struct kernel *kernel, const struct mdl_user_request *request,
    uint32_t pages)
{
    const MDL *mdl = &request->mdl;
    struct claim given = {.kind = CLAIM_USER_MAPPING,
        .bytes = mdl->ByteCount,
        .mdl = (uintptr_t)request->at,
        .pages = pages,
        .writable = !request->read_only};

    given.block =
        user_memory_allocate(kernel, (size_t)pages * MEMORY_PAGE_BYTES, 0);
    if (given.block == NULL) {
        return NULL;
    }
    given.address = (uintptr_t)given.block + mdl->ByteOffset;
    if (!show_pages(kernel, request, given.block, pages)) {
        user_memory_free(kernel, given.block);
        return NULL;
    }
    mdl_keep(kernel, request->at, MDL_OF_DRIVER);
    claim_add(kernel, &given);
    return (void *)(uintptr_t)given.address;
}

void *mdl_user_map(
    struct kernel *kernel, const struct mdl_user_request *request)
{
    const MDL *mdl = &request->mdl;
    uint32_t pages = mdl_pages(mdl_address(mdl), mdl->ByteCount);
    void *address;

    check_level(kernel, request->routine);
    copy_probe(kernel, request->routine, request->at + 1,
        pages * sizeof(uint64_t), false);
    if (physical_is_stack(kernel, mdl_address(mdl))) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "a kernel stack mapped into a program is not modelled");
    }
    if (request->wanted != 0) { /* no address is free that one may choose */
        raise_status(kernel, request->routine, STATUS_CONFLICTING_ADDRESSES);
    }
    address = pages == 0 ? NULL : map(kernel, request, pages);
    if (address == NULL) {
        raise_status(kernel, request->routine, STATUS_INSUFFICIENT_RESOURCES);
    }
    return address;
}

/* The next mapping of the MDL into a program, from that claim on; NULL: there
 * is none. */
static struct claim *next_of(struct claim *claim, uint64_t mdl)
{
    while (claim != NULL &&
           (claim->kind != CLAIM_USER_MAPPING || claim->mdl != mdl)) {
        claim = claim->next;
    }
    return claim;
}

bool mdl_user_unmap(
    struct kernel *kernel, enum routine routine, const MDL *at, uint64_t base)
{
    struct claim *claim = claim_find(kernel, CLAIM_USER_MAPPING, base);
    struct mdl *kept = mdl_find(kernel, at);

    if (claim == NULL || claim->mdl != (uintptr_t)at) {
        return false;
    }
    check_level(kernel, routine);
    if (claim->program != claim_program(kernel)) { /* MDL-13c [C] */
        rule_warn_about(kernel, kernel_cpu(kernel), RULE_MDL_UNMAP_ELSEWHERE,
            routine, claim->place);
        return true;
    }
    claim_end(kernel, routine, claim);
    assert(kept != NULL); /* as long as the mapping is of an MDL */
    if (kept->kind == MDL_OF_DRIVER && kept->locked == 0 && !kept->mapped &&
        next_of(kernel->claims->first, (uintptr_t)at) == NULL) {
        mdl_forget(kernel, kept);
    }
    return true;
}

void mdl_user_unlocked(
    struct kernel *kernel, enum routine routine, const struct mdl *mdl)
{
    struct claim *claim = next_of(kernel->claims->first, mdl->stored.address);

    for (; claim != NULL; claim = next_of(claim->next, mdl->stored.address)) {
        if (!claim->lost) {
            rule_warn_about(kernel, kernel_cpu(kernel),
                RULE_MDL_MAPPED_IN_PROGRAM, routine, claim->place);
        }
        claim->lost = true;
    }
}

void mdl_user_forget(struct kernel *kernel, const struct mdl *mdl)
{
    struct claim *claim = next_of(kernel->claims->first, mdl->stored.address);

    while (claim != NULL) {
        claim->mdl = 0; /* another MDL may lie there */
        claim = next_of(claim->next, mdl->stored.address);
    }
}

/* Pages of the program's that a driver has left locked (MDL-07b). */
static void check_locks(struct kernel *kernel, const struct driver *program)
{
    const struct mdl *mdl = kernel->mdls->first;

    while (mdl != NULL && (mdl->locked == 0 || mdl->owner == NULL ||
                              mdl->program != program)) {
        mdl = mdl->next;
    }
    if (mdl != NULL) {
        const struct bugcheck_parameter parameter[4] = {
            {.value = LOCKED_AT_END}, {.name = program->name},
            {.value = mdl->locked_pages}};

        rule_stop_at(kernel, kernel_cpu(kernel), RULE_MDL_LOCKED_AT_END,
            ROUTINE_COUNT, mdl->place, parameter);
    }
}

void mdl_user_process_ends(struct kernel *kernel, const struct driver *program)
{
    struct claim *claim = kernel->claims->first;

    check_locks(kernel, program);
    while (claim != NULL) {
        struct claim *next = claim->next;

        if (claim->kind == CLAIM_USER_MAPPING && claim->program == program) {
            rule_warn_at(kernel, kernel_cpu(kernel), RULE_MDL_PROGRAM_ENDED,
                ROUTINE_COUNT, claim->place);
        }
        if (claim->program == program) {
            claim_end(kernel, ROUTINE_MmUnmapLockedPages, claim);
        }
        claim = next;
    }
}
