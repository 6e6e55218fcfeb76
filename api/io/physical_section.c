/* physical_section.c - \Device\PhysicalMemory: ZwOpenSection,
 * ZwMapViewOfSection and ZwUnmapViewOfSection, the way in which tools of old
 * reach physical memory.
 */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/io/io.h"
#include "api/io/object.h"
#include "api/mm/claim.h"
#include "api/mm/copy.h"
#include "api/mm/io_space.h"
#include "api/mm/page_protection.h"
#include "api/ob/handle.h"

enum {
    GRANULARITY = 0x10000,
    MEM_COMMIT = 0x1000,
    ZERO_BITS = 21, /* fewer than these */
};

/* The section as one handle knows it. */
struct section {
    struct counted_object counted;
    uint32_t access;
};

static void section_gone(struct kernel *kernel, void *object)
{
    struct section *section = object; /* its first member */

    memory_free(
        &kernel->machine->memory, (void *)(uintptr_t)section->counted.address);
    record_give(&kernel->io->section_pool, section);
}

static const struct object_type section_type = {
    .name = OBJECT_TYPE_SECTION, .text = "section", .gone = section_gone};

/* Whether the name is that of the one section there is. */
static NTSTATUS find(struct kernel *kernel, const OBJECT_ATTRIBUTES *given)
{
    const enum routine routine = ROUTINE_ZwOpenSection;
    struct object_name name, wanted;
    OBJECT_ATTRIBUTES attributes;
    struct object section = {.name = {.length = 0}};
    NTSTATUS status;

    copy_in(kernel, routine, &attributes, given, sizeof(attributes));
    status = object_name_read(kernel, routine, &name, attributes.ObjectName);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = object_name_parse_text(&wanted, "\\Device\\PhysicalMemory");
    assert(NT_SUCCESS(status));
    section.name = wanted;
    if (object_find(&section, &name) != NULL) {
        return STATUS_SUCCESS;
    }
    return object_find(kernel->io->objects, &name) == NULL
               ? STATUS_OBJECT_NAME_NOT_FOUND
               : STATUS_OBJECT_TYPE_MISMATCH;
}

/* A handle of it; NULL: no handle is left. */
static HANDLE open(struct kernel *kernel, ULONG desired)
{
    struct section *section = record_take(
        kernel, &kernel->io->section_pool, sizeof(*section), "sections");
    void *storage = run_needs(
        kernel, memory_alloc(&kernel->machine->memory, 0, 0), "a section");
    HANDLE handle;

    section->counted = (struct counted_object){
        .type = &section_type, .address = (uintptr_t)storage};
    section->access = object_type_access(OBJECT_TYPE_SECTION, desired);
    counted_object_add(kernel, &section->counted);
    handle = handle_open(kernel, &section->counted);
    counted_object_release(kernel, &section->counted);
    return handle;
}

NTSTATUS ZwOpenSection_body(PHANDLE SectionHandle, ULONG DesiredAccess,
    POBJECT_ATTRIBUTES ObjectAttributes)
{
    const enum routine routine = ROUTINE_ZwOpenSection;
    struct kernel *kernel = kernel_current();
    NTSTATUS status;
    HANDLE handle;

    copy_probe(kernel, routine, SectionHandle, sizeof(*SectionHandle), true);
    status = find(kernel, ObjectAttributes);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    handle = open(kernel, DesiredAccess);
    if (handle == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    copy_out(kernel, routine, SectionHandle, &handle, sizeof(handle));
    return STATUS_SUCCESS;
}

struct view_request {
    const struct section *section;
    uint64_t base, offset, size; /* as given; what they are rounded to */
    uint64_t skipped;            /* bytes between the two offsets */
    ULONG protect;
    unsigned access; /* to memory */
    uint32_t needs;  /* of the handle */
    MEMORY_CACHING_TYPE cache;
};

/* What a protection lets the program do, and what the handle must be good for;
 * false: it says nothing, too much, or that nobody may touch it. */
static bool decode(struct view_request *request)
{
    struct page_protection said;

    if (!page_protection_read(request->protect, &said) ||
        said.base == PAGE_NOACCESS) {
        return false;
    }
    request->access = said.access;
    request->cache = said.cache;
    request->needs =
        ((said.access & MEMORY_READ) != 0 && said.base != PAGE_EXECUTE
                ? SECTION_MAP_READ
                : 0) |
        ((said.access & MEMORY_WRITE) != 0 ? SECTION_MAP_WRITE : 0) |
        ((said.access & MEMORY_EXECUTE) != 0 ? SECTION_MAP_EXECUTE : 0);
    return true;
}

/* Behind the last byte of RAM (ZW-08 [C]). */
static uint64_t section_bytes(const struct kernel *kernel)
{
    return (FRAMES_REGION + kernel->machine->memory.page_count) *
           MEMORY_PAGE_BYTES;
}

static NTSTATUS check(const struct kernel *kernel, struct view_request *request)
{
    uint64_t bytes = section_bytes(kernel);

    if (!decode(request)) {
        return STATUS_INVALID_PAGE_PROTECTION;
    }
    if ((request->section->access & request->needs) != request->needs) {
        return STATUS_ACCESS_DENIED;
    }
    if (request->base != 0) { /* no address is free that a program may choose */
        return STATUS_CONFLICTING_ADDRESSES;
    }
    request->skipped = request->offset % GRANULARITY;
    request->offset -= request->skipped;
    if (request->offset >= bytes || request->size > bytes - request->offset) {
        return STATUS_INVALID_VIEW_SIZE;
    }
    request->size = request->size == 0 ? bytes - request->offset
                                       : request->size + request->skipped;
    request->size = (request->size + MEMORY_PAGE_BYTES - 1) /
                    MEMORY_PAGE_BYTES * MEMORY_PAGE_BYTES;
    return request->size > bytes - request->offset ? STATUS_INVALID_VIEW_SIZE
                                                   : STATUS_SUCCESS;
}

/* The view's address; NULL: there is no room. */
static void *map(struct kernel *kernel, const struct view_request *request)
{
    struct memory *memory = &kernel->machine->memory;
    struct claim given = {.kind = CLAIM_VIEW,
        .bytes = request->size,
        .first = request->offset / MEMORY_PAGE_BYTES,
        .pages = (uint32_t)(request->size / MEMORY_PAGE_BYTES),
        .cache = request->cache,
        .writable = (request->access & MEMORY_WRITE) != 0};

    given.block = memory_user_alloc(memory, request->size, 0);
    if (given.block == NULL) {
        return NULL;
    }
    given.address = (uintptr_t)given.block;
    if (!io_space_show(
            kernel, given.block, given.first, given.pages, request->access)) {
        memory_free(memory, given.block);
        return NULL;
    }
    claim_add(kernel, &given);
    return given.block;
}

static const struct section *section_of(struct kernel *kernel, HANDLE handle)
{
    struct counted_object *object = handle_object(kernel, handle);

    return object != NULL && object->type == &section_type
               ? (const struct section *)(const void *)object
               : NULL;
}

static bool is_current(HANDLE process)
{
    return (uintptr_t)process == UINTPTR_MAX; /* ZwCurrentProcess() */
}

/* What the call is given, which may raise. */
static void read_request(struct view_request *request, PVOID *base,
    const LARGE_INTEGER *offset, const SIZE_T *size)
{
    const enum routine routine = ROUTINE_ZwMapViewOfSection;
    struct kernel *kernel = kernel_current();
    LARGE_INTEGER begin = {.QuadPart = 0};
    PVOID at;

    copy_in(kernel, routine, &at, base, sizeof(at));
    copy_probe(kernel, routine, base, sizeof(at), true);
    copy_in(kernel, routine, &request->size, size, sizeof(*size));
    copy_probe(kernel, routine, size, sizeof(*size), true);
    if (offset != NULL) {
        copy_in(kernel, routine, &begin, offset, sizeof(begin));
        copy_probe(kernel, routine, offset, sizeof(begin), true);
    }
    request->base = (uintptr_t)at;
    request->offset = (uint64_t)begin.QuadPart;
}

static NTSTATUS map_view(struct kernel *kernel, struct view_request *request,
    PVOID *base, LARGE_INTEGER *offset, SIZE_T *size)
{
    const enum routine routine = ROUTINE_ZwMapViewOfSection;
    NTSTATUS status = check(kernel, request);
    LARGE_INTEGER begin = {.QuadPart = (LONGLONG)request->offset};
    void *view;

    if (!NT_SUCCESS(status)) {
        return status;
    }
    view = request->size > (uint64_t)FRAMES_MOST * MEMORY_PAGE_BYTES
               ? NULL
               : map(kernel, request);
    if (view == NULL) {
        return STATUS_NO_MEMORY;
    }
    if (request->skipped != 0) { /* Q8 [C] */
        rule_warn(kernel, kernel_cpu(kernel), RULE_SECTION_ROUNDED, routine);
    }
    copy_out(kernel, routine, base, &view, sizeof(view));
    copy_out(kernel, routine, size, &request->size, sizeof(*size));
    if (offset != NULL) {
        copy_out(kernel, routine, offset, &begin, sizeof(begin));
    }
    return STATUS_SUCCESS;
}

NTSTATUS ZwMapViewOfSection_body(HANDLE SectionHandle, HANDLE ProcessHandle,
    PVOID *BaseAddress, ULONG_PTR ZeroBits, SIZE_T CommitSize,
    PLARGE_INTEGER SectionOffset, PULONG64 ViewSize, ULONG InheritDisposition,
    ULONG AllocationType, ULONG Win32Protect)
{
    struct kernel *kernel = kernel_current();
    struct view_request request = {.protect = Win32Protect};

    (void)CommitSize; /* of sections in the paging file */
    (void)InheritDisposition;
    request.section = section_of(kernel, SectionHandle);
    if (request.section == NULL || !is_current(ProcessHandle)) {
        return STATUS_INVALID_HANDLE;
    }
    if (ZeroBits >= ZERO_BITS || (AllocationType & MEM_COMMIT) != 0) {
        return STATUS_INVALID_PARAMETER;
    }
    read_request(&request, BaseAddress, SectionOffset, ViewSize);
    return map_view(kernel, &request, BaseAddress, SectionOffset, ViewSize);
}

NTSTATUS ZwUnmapViewOfSection_body(HANDLE ProcessHandle, PVOID BaseAddress)
{
    struct kernel *kernel = kernel_current();
    struct claim *claim = claim_around(kernel, (uintptr_t)BaseAddress);

    if (!is_current(ProcessHandle)) {
        return STATUS_INVALID_HANDLE;
    }
    if (claim == NULL || claim->kind != CLAIM_VIEW) {
        return STATUS_NOT_MAPPED_VIEW;
    }
    claim_end(kernel, ROUTINE_ZwUnmapViewOfSection, claim);
    return STATUS_SUCCESS;
}
