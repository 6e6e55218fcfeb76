/* virtual_memory.c - ZwAllocateVirtualMemory and ZwFreeVirtualMemory: memory of
 * a program that a driver reserves, commits and gives back. A page that is only
 * reserved lets nobody touch it and holds zeroes: it needs no mark of its own.
 */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/mm/claim.h"
#include "api/mm/copy.h"
#include "api/mm/page_lock.h"
#include "api/mm/page_protection.h"
#include "api/mm/probing.h"
#include "api/mm/user_memory.h"
#include "api/ob/handle_use.h"
#include "api/ps/process.h"

/* Of AllocationType and FreeType. */
enum {
    MEM_COMMIT = 0x1000,
    MEM_RESERVE = 0x2000,
    MEM_DECOMMIT = 0x4000,
    MEM_RELEASE = 0x8000,
    MEM_RESET = 0x80000,
    MEM_TOP_DOWN = 0x100000,
    MEM_WRITE_WATCH = 0x200000,
    MEM_PHYSICAL = 0x400000,
    MEM_LARGE_PAGES = 0x20000000,
};

enum { ZERO_BITS = 21 }; /* fewer than these */

/* What a call is about, as given, and then in whole pages. */
struct range_request {
    enum routine routine;
    const struct driver *program; /* in whose process; NULL: the system's */
    uint64_t begin, bytes;
    ULONG type;
    unsigned access;
};

static _Noreturn void refuse(
    const struct range_request *request, const char *what)
{
    run_end_stop(kernel_current(), RUN_NOT_MODELLED,
        "%s with %s is not modelled", routine_rows[request->routine].name,
        what);
}

static NTSTATUS find_process(
    struct kernel *kernel, struct range_request *request, HANDLE handle)
{
    const struct handle_use use = {.handle = handle,
        .type = object_type_address(kernel, OBJECT_TYPE_PROCESS)};
    struct counted_object *object;
    const struct ps_process *process;
    NTSTATUS status = handle_use(kernel, request->routine, &use, &object);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    process = (const struct ps_process *)(const void *)object;
    request->program = process->program;
    return process->ended ? STATUS_PROCESS_IS_TERMINATING : STATUS_SUCCESS;
}

static void read_range(struct kernel *kernel, struct range_request *request,
    PVOID *base, const ULONG64 *size)
{
    PVOID at;

    copy_in(kernel, request->routine, &at, base, sizeof(at));
    copy_probe(kernel, request->routine, base, sizeof(at), true);
    copy_in(kernel, request->routine, &request->bytes, size, sizeof(*size));
    copy_probe(kernel, request->routine, size, sizeof(*size), true);
    request->begin = (uintptr_t)at;
}

static void write_range(struct kernel *kernel,
    const struct range_request *request, PVOID *base, ULONG64 *size)
{
    PVOID at = (PVOID)(uintptr_t)request->begin;

    copy_out(kernel, request->routine, base, &at, sizeof(at));
    copy_out(kernel, request->routine, size, &request->bytes, sizeof(*size));
}

/* All pages that have a byte of it; false: there are no such addresses. */
static bool round_range(struct range_request *request)
{
    uint64_t last = request->begin + request->bytes - 1;

    assert(request->bytes > 0);
    if (last < request->begin || last >= UINT64_MAX - MEMORY_PAGE_BYTES) {
        return false;
    }
    request->begin -= request->begin % MEMORY_PAGE_BYTES;
    request->bytes =
        last - last % MEMORY_PAGE_BYTES + MEMORY_PAGE_BYTES - request->begin;
    return true;
}

/* The region, whoever's, in which the address lies; NULL: there is none. */
static struct claim *allocated_at(const struct kernel *kernel, uint64_t address)
{
    struct claim *claim = kernel->claims->first;

    while (claim != NULL && (claim->kind != CLAIM_ALLOCATED ||
                                address - claim->address >= claim->bytes)) {
        claim = claim->next;
    }
    return claim;
}

/* The region of the program's in which the range begins; NULL: there is none.
 */
static struct claim *region_at(
    const struct kernel *kernel, const struct range_request *request)
{
    struct claim *claim = allocated_at(kernel, request->begin);

    return claim != NULL && claim->program == request->program ? claim : NULL;
}

/* Whether the address is in a program's own buffer. */
static bool is_buffer(const struct kernel *kernel, uint64_t address)
{
    const struct memory *memory = &kernel->machine->memory;

    return memory_is_user(memory, address) &&
           memory_find(memory, (const void *)(uintptr_t)address) != NULL &&
           claim_around(kernel, address) == NULL &&
           allocated_at(kernel, address) == NULL;
}

/* Whether the region, in which the range begins, has all of it. */
static bool holds(
    const struct claim *region, const struct range_request *request)
{
    return request->bytes <= region->bytes - (request->begin - region->address);
}

static void set_pages(
    struct kernel *kernel, const struct range_request *request, unsigned access)
{
    page_protection_set(
        kernel, request->begin, request->bytes / MEMORY_PAGE_BYTES, access);
}

/* MEM_RESET alone, or one or both of the others. */
static bool is_type(ULONG type)
{
    const ULONG rest = type & ~(ULONG)MEM_TOP_DOWN;

    return type == MEM_RESET ||
           (rest != 0 && (rest & ~(ULONG)(MEM_COMMIT | MEM_RESERVE)) == 0);
}

static NTSTATUS check_allocation(
    struct range_request *request, ULONG_PTR zero_bits, ULONG protection)
{
    struct page_protection said;

    if ((request->type & MEM_PHYSICAL) != 0) {
        refuse(request, "MEM_PHYSICAL");
    }
    if ((request->type & MEM_LARGE_PAGES) != 0) {
        refuse(request, "MEM_LARGE_PAGES");
    }
    if ((request->type & MEM_WRITE_WATCH) != 0) {
        refuse(request, "MEM_WRITE_WATCH");
    }
    if (request->begin == 0 && zero_bits >= ZERO_BITS) {
        return STATUS_INVALID_PARAMETER_3;
    }
    if (!is_type(request->type)) {
        return STATUS_INVALID_PARAMETER_5;
    }
    if ((protection & PAGE_GUARD) != 0) {
        refuse(request, "PAGE_GUARD");
    }
    if (!page_protection_read(protection, &said)) {
        return STATUS_INVALID_PAGE_PROTECTION;
    }
    request->access = said.access;
    return request->bytes == 0 || !round_range(request)
               ? STATUS_INVALID_PARAMETER_4
               : STATUS_SUCCESS;
}

/* A region of its own, reserved, and committed if that is asked for, too. */
static NTSTATUS reserve(struct kernel *kernel, struct range_request *request)
{
    struct claim given = {.kind = CLAIM_ALLOCATED,
        .program = request->program,
        .bytes = request->bytes};
    unsigned access =
        (request->type & MEM_COMMIT) != 0 ? request->access : MEMORY_NONE;

    given.block = user_memory_allocate(kernel, request->bytes, 0);
    if (given.block == NULL) {
        return STATUS_NO_MEMORY;
    }
    given.address = request->begin = (uintptr_t)given.block;
    claim_add(kernel, &given);
    set_pages(kernel, request, access);
    return STATUS_SUCCESS;
}

static NTSTATUS allocate(struct kernel *kernel, struct range_request *request)
{
    const struct claim *region = region_at(kernel, request);
    NTSTATUS status = STATUS_SUCCESS;

    if (request->begin == 0 && request->type != MEM_RESET) {
        status = reserve(kernel, request);
    } else if ((request->type & MEM_RESERVE) != 0 || region == NULL ||
               !holds(region, request)) {
        return STATUS_CONFLICTING_ADDRESSES; /* nobody may choose (ZW-20e) */
    } else if (request->type != MEM_RESET) {
        set_pages(kernel, request, request->access);
    }
    if (NT_SUCCESS(status) && (request->type & MEM_COMMIT) != 0) {
        probing_add(kernel, (const void *)(uintptr_t)request->begin,
            request->bytes); /* the driver has it from us */
    }
    return status;
}

NTSTATUS ZwAllocateVirtualMemory_body(HANDLE ProcessHandle, PVOID *BaseAddress,
    ULONG_PTR ZeroBits, PULONG64 RegionSize, ULONG AllocationType,
    ULONG Protect)
{
    struct kernel *kernel = kernel_current();
    struct range_request request = {
        .routine = ROUTINE_ZwAllocateVirtualMemory, .type = AllocationType};
    NTSTATUS status;

    zw_begin(kernel, request.routine);
    status = find_process(kernel, &request, ProcessHandle);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    read_range(kernel, &request, BaseAddress, RegionSize);
    status = check_allocation(&request, ZeroBits, Protect);
    if (NT_SUCCESS(status)) {
        status = allocate(kernel, &request);
    }
    if (NT_SUCCESS(status)) {
        write_range(kernel, &request, BaseAddress, RegionSize);
    }
    return status;
}

/* Whether pages of the region may go (ZW-22c [C]). */
static NTSTATUS check_use(struct kernel *kernel,
    const struct range_request *request, const struct claim *region)
{
    const struct memory_block *block =
        memory_find(&kernel->machine->memory, region->block);

    if (page_lock_in(kernel, block) != 0) {
        refuse(request, "pages that an MDL has locked");
    }
    return claim_secures(kernel, block) ? STATUS_ACCESS_DENIED : STATUS_SUCCESS;
}

/* All of the region, from where it begins. */
static NTSTATUS check_release(
    struct range_request *request, const struct claim *region)
{
    if (request->bytes != 0) {
        return STATUS_INVALID_PARAMETER_3;
    }
    if (request->begin != region->address) {
        return STATUS_FREE_VM_NOT_AT_BASE;
    }
    request->bytes = region->bytes;
    return STATUS_SUCCESS;
}

static NTSTATUS check_decommit(
    struct range_request *request, const struct claim *region)
{
    if (request->bytes == 0 && request->begin != region->address) {
        return STATUS_FREE_VM_NOT_AT_BASE;
    }
    if (request->bytes == 0) {
        request->bytes = region->bytes;
    }
    return round_range(request) && holds(region, request)
               ? STATUS_SUCCESS
               : STATUS_UNABLE_TO_FREE_VM;
}

/* The pages are reserved, and what they held is gone. */
static void decommit(struct kernel *kernel, const struct range_request *request)
{
    set_pages(kernel, request, MEMORY_READ | MEMORY_WRITE);
    memset((void *)(uintptr_t)request->begin, 0, request->bytes);
    set_pages(kernel, request, MEMORY_NONE);
}

static NTSTATUS free_pages(struct kernel *kernel, struct range_request *request)
{
    struct claim *region = region_at(kernel, request);
    bool releases = request->type == MEM_RELEASE;
    NTSTATUS status;

    if (is_buffer(kernel, request->begin)) {
        refuse(request, "a buffer that a program has of its own");
    }
    if (region == NULL) {
        return STATUS_MEMORY_NOT_ALLOCATED;
    }
    status = releases ? check_release(request, region)
                      : check_decommit(request, region);
    if (NT_SUCCESS(status)) {
        status = check_use(kernel, request, region);
    }
    if (NT_SUCCESS(status) && releases) {
        claim_end(kernel, request->routine, region);
    } else if (NT_SUCCESS(status)) {
        decommit(kernel, request);
    }
    return status;
}

NTSTATUS ZwFreeVirtualMemory_body(HANDLE ProcessHandle, PVOID *BaseAddress,
    PULONG64 RegionSize, ULONG FreeType)
{
    struct kernel *kernel = kernel_current();
    struct range_request request = {
        .routine = ROUTINE_ZwFreeVirtualMemory, .type = FreeType};
    NTSTATUS status;

    zw_begin(kernel, request.routine);
    status = find_process(kernel, &request, ProcessHandle);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    read_range(kernel, &request, BaseAddress, RegionSize);
    if (FreeType != MEM_DECOMMIT && FreeType != MEM_RELEASE) {
        return STATUS_INVALID_PARAMETER_4;
    }
    status = free_pages(kernel, &request);
    if (NT_SUCCESS(status)) {
        write_range(kernel, &request, BaseAddress, RegionSize);
    }
    return status;
}
