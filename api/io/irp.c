/* irp.c - IRPs: made, found, ended. What is known of each is kept here, where
 * no driver can spoil it. */
#include "api/io/irp.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/io/device.h"
#include "api/io/dispatch.h"
#include "api/io/file.h"
#include "api/io/io.h"
#include "api/io/safe_completion.h"
#include "api/mm/block.h"
#include "api/mm/claim.h"
#include "api/mm/copy.h"
#include "api/mm/mdl.h"

enum {
    /* What nobody wrote into a system buffer [C]: in Windows whatever was in
     * the pool. */
    BUFFER_FILL = 0xCD,
};

const char *io_major_name(unsigned major)
{
    static const char *const names[IRP_MAJORS] = {"IRP_MJ_CREATE",
        "IRP_MJ_CREATE_NAMED_PIPE", "IRP_MJ_CLOSE", "IRP_MJ_READ",
        "IRP_MJ_WRITE", "IRP_MJ_QUERY_INFORMATION", "IRP_MJ_SET_INFORMATION",
        "IRP_MJ_QUERY_EA", "IRP_MJ_SET_EA", "IRP_MJ_FLUSH_BUFFERS",
        "IRP_MJ_QUERY_VOLUME_INFORMATION", "IRP_MJ_SET_VOLUME_INFORMATION",
        "IRP_MJ_DIRECTORY_CONTROL", "IRP_MJ_FILE_SYSTEM_CONTROL",
        "IRP_MJ_DEVICE_CONTROL", "IRP_MJ_INTERNAL_DEVICE_CONTROL",
        "IRP_MJ_SHUTDOWN", "IRP_MJ_LOCK_CONTROL", "IRP_MJ_CLEANUP",
        "IRP_MJ_CREATE_MAILSLOT", "IRP_MJ_QUERY_SECURITY",
        "IRP_MJ_SET_SECURITY", "IRP_MJ_POWER", "IRP_MJ_SYSTEM_CONTROL",
        "IRP_MJ_DEVICE_CHANGE", "IRP_MJ_QUERY_QUOTA", "IRP_MJ_SET_QUOTA",
        "IRP_MJ_PNP"};

    return major < IRP_MAJORS ? names[major] : "IRP_MJ";
}

IO_STACK_LOCATION *io_request_location(
    const struct io_request *request, CHAR number)
{
    assert(number >= 1 && number <= request->locations + 1);
    return (IO_STACK_LOCATION *)(void *)(request->irp + 1) + (number - 1);
}

bool io_request_is_placed(const struct io_request *request)
{
    const IRP *irp = request->irp;
    CHAR number = irp->CurrentLocation;

    return number >= 1 && number <= request->locations + 1 &&
           irp->Tail.Overlay.CurrentStackLocation ==
               io_request_location(request, number);
}

IO_STACK_LOCATION *io_request_next_location(const struct io_request *request)
{
    return io_request_location(
        request, (CHAR)(request->irp->CurrentLocation - 1));
}

struct io_device *io_request_holder(
    struct kernel *kernel, const struct io_request *request)
{
    CHAR number = request->irp->CurrentLocation;

    return number < 1 || number > request->entered
               ? NULL
               : io_device_any(kernel,
                     io_request_location(request, number)->DeviceObject);
}

static size_t irp_bytes(CHAR locations)
{
    return sizeof(IRP) + (size_t)locations * sizeof(IO_STACK_LOCATION);
}

/* A request that is made, not ended, and in the list. */
static bool request_check(
    const struct kernel *kernel, const struct io_request *request)
{
    const struct memory *memory = &kernel->machine->memory;
    const struct memory_block *block = memory_find(memory, request->irp);

    assert(!request->done && request->locations >= 0);
    assert(request->origin == IRP_INITIALIZED ||
           (block != NULL && block->start == (const uint8_t *)request->irp &&
               block->size >= irp_bytes(request->locations)));
    assert(!request->lost || request->output == NULL); /* nobody's any more */
    assert(request->origin != IRP_OF_PROGRAM || request->output_size == 0 ||
           request->system_buffer != NULL || request->direct != NULL);
    return true;
}

/* As who made it finds it: no location is anybody's yet (page
 * IoGetCurrentIrpStackLocation). */
void io_request_fill(struct io_request *request)
{
    IRP *irp = request->irp;
    LIST_ENTRY *entry = &irp->ThreadListEntry;

    memset(irp, 0, irp_bytes(request->locations));
    request->sent = false;
    request->under_way = false;
    request->entered = 0;
    irp->Type = IO_TYPE_IRP;
    irp->Size = (USHORT)irp_bytes(request->locations);
    irp->StackCount = request->locations;
    irp->CurrentLocation = (CHAR)(request->locations + 1);
    irp->Tail.Overlay.CurrentStackLocation =
        io_request_location(request, irp->CurrentLocation);
    entry->Flink = entry;
    entry->Blink = entry;
}

struct io_request *io_request_new(
    struct kernel *kernel, enum irp_origin origin, CHAR locations, IRP *at)
{
    struct io_request *request;
    IRP *irp = at;

    assert((at != NULL) == (origin == IRP_INITIALIZED));
    if (locations < 0 || locations > IRP_LOCATIONS_MOST) {
        return NULL;
    }
    if (irp == NULL) {
        irp = memory_alloc(
            &kernel->machine->memory, (irp_bytes(locations) + 15) / 16 * 16, 0);
    }
    if (irp == NULL) {
        return NULL;
    }
    request = record_take(
        kernel, &kernel->io->request_pool, sizeof(*request), "requests");
    *request = (struct io_request){.next = kernel->io->requests,
        .origin = origin,
        .irp = irp,
        .locations = locations};
    if (origin != IRP_OF_PROGRAM && origin != IRP_BY_HANDLE) {
        request->driver = kernel_driver(kernel, kernel_cpu(kernel));
        request->place = place_current(kernel);
    }
    io_request_fill(request);
    kernel->io->requests = request;
    assert(request_check(kernel, request));
    return request;
}

bool io_request_buffer(
    struct kernel *kernel, struct io_request *request, size_t size)
{
    /* At a 16th byte, as from the pool; so up to 15 bytes too many go unseen.
     */
    void *buffer = memory_alloc(
        &kernel->machine->memory, (size + 15) / 16 * 16, BUFFER_FILL);

    assert(size > 0 && request->system_buffer == NULL);
    if (buffer == NULL) {
        return false;
    }
    request->system_buffer = buffer;
    request->irp->AssociatedIrp.SystemBuffer = buffer;
    request->irp->Flags |= IRP_BUFFERED_IO | IRP_DEALLOCATE_BUFFER;
    return true;
}

NTSTATUS io_request_direct(struct kernel *kernel, struct io_request *request,
    void *data, size_t size, bool write)
{
    NTSTATUS status = STATUS_INSUFFICIENT_RESOURCES;
    void *block;

    if (size == 0) {
        return STATUS_SUCCESS;
    }
    block = memory_alloc(
        &kernel->machine->memory, (size + 15) / 16 * 16, BUFFER_FILL);
    if (block == NULL) {
        return status;
    }
    memcpy(block, data, size);
    request->irp->MdlAddress = mdl_of_requester(
        kernel, MDL_OF_REQUESTER, (uintptr_t)block, size, write, &status);
    if (request->irp->MdlAddress == NULL) {
        memory_free(&kernel->machine->memory, block);
        return status;
    }
    request->direct = block;
    request->output = data;
    request->output_size = size;
    return STATUS_SUCCESS;
}

/* At a 16th byte of a page, as a program's allocations lie. */
static void *give_user(struct kernel *kernel, const void *bytes, size_t size)
{
    void *block = memory_user_alloc(
        &kernel->machine->memory, (size + 15) / 16 * 16, BUFFER_FILL);

    if (block != NULL) {
        memcpy(block, bytes, size);
    }
    return block;
}

bool io_request_neither(struct kernel *kernel, struct io_request *request,
    const void **input, size_t input_size, void *output, size_t output_size)
{
    assert(request->direct == NULL && request->direct_input == NULL);
    if (input_size > 0) {
        request->direct_input = give_user(kernel, *input, input_size);
        if (request->direct_input == NULL) {
            return false;
        }
    }
    *input = request->direct_input;
    if (output_size == 0) {
        return true;
    }
    request->direct = give_user(kernel, output, output_size);
    if (request->direct == NULL) {
        return false;
    }
    request->irp->UserBuffer = request->direct;
    request->output = output;
    request->output_size = output_size;
    return true;
}

/* A program's buffer, which is the driver's no more; what a driver has locked
 * or secured itself stays, as the program's own memory does. */
static void end_buffer(struct kernel *kernel, enum routine routine, void *start)
{
    const struct memory_block *block =
        memory_find(&kernel->machine->memory, start);

    if (page_lock_in(kernel, block) == 0 && !claim_secures(kernel, block)) {
        block_free_at(kernel, routine, start);
    }
}

/* The pages are the requester's alone again. */
static void end_direct(
    struct kernel *kernel, enum routine routine, struct io_request *request)
{
    if (request->irp->MdlAddress != NULL && request->origin != IRP_ALLOCATED &&
        request->origin != IRP_INITIALIZED) { /* MDL-04; IO-45b */
        mdl_complete(kernel, routine, request->irp->MdlAddress);
    }
    if (request->direct_input != NULL) {
        end_buffer(kernel, routine, request->direct_input);
        request->direct_input = NULL;
    }
    if (request->direct == NULL) {
        return;
    }
    if (request->output != NULL) {
        memcpy(request->output, request->direct, request->output_size);
    }
    end_buffer(kernel, routine, request->direct);
    request->direct = NULL;
}

void io_request_leave_file(struct kernel *kernel, struct io_request *request)
{
    struct io_file *file = request->file;

    if (file != NULL && request->returned && (request->done || request->lost)) {
        assert(file->requests > 0);
        file->requests--;
        request->file = NULL;
        if (request->origin == IRP_BY_HANDLE) {
            counted_object_release(kernel, &file->counted);
        }
    }
}

struct io_request *io_request_find(struct kernel *kernel, const IRP *irp)
{
    struct io_request *request = kernel->io->requests;

    while (request != NULL && request->irp != irp) {
        request = request->next;
    }
    return request;
}

struct io_request *io_request_at(
    struct kernel *kernel, enum routine routine, const IRP *irp)
{
    const struct memory_block *block =
        memory_near(&kernel->machine->memory, irp);
    struct io_request *request = io_request_find(kernel, irp);

    if (request == NULL) {
        bool freed = block != NULL && block->freed &&
                     block->start == (const uint8_t *)irp;

        io_stop(kernel,
            freed && routine == ROUTINE_IofCompleteRequest
                ? RULE_IO_COMPLETE_TWICE
                : RULE_IO_NOT_OBJECT,
            routine, "request");
    }
    if (request->origin == IRP_INITIALIZED) { /* the driver's own memory */
        copy_probe(kernel, routine, irp, irp_bytes(request->locations), true);
    }
    return request;
}

void io_request_end(
    struct kernel *kernel, enum routine routine, struct io_request *request)
{
    struct io_request **at = &kernel->io->requests;

    assert(request_check(kernel, request));
    while (*at != request) {
        assert(*at != NULL);
        at = &(*at)->next;
    }
    *at = request->next;
    for (struct io_request *part = kernel->io->requests; part != NULL;
         part = part->next) {
        part->master = part->master == request ? NULL : part->master;
    }
    safe_completion_lost(kernel, request);
    end_direct(kernel, routine, request);
    if (request->origin != IRP_INITIALIZED) {
        block_free_at(kernel, routine, request->irp);
    }
    if (request->system_buffer != NULL) {
        block_free_at(kernel, routine, request->system_buffer);
    }
    request->done = true;
    io_calls_forget(request);
    io_request_leave_file(kernel, request);
}

void io_request_give(struct kernel *kernel, struct io_request *request)
{
    assert(request->done && request->calls == NULL);
    probing_end(kernel, &request->probing);
    record_give(&kernel->io->request_pool, request);
}

/* What a driver made, and nobody else ends. */
static bool is_left(
    const struct io_request *request, const struct driver *driver)
{
    return request->driver == driver && driver != NULL &&
           request->origin != IRP_INITIALIZED;
}

static void list_requests(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct io_request *request = kernel->io->requests;
         request != NULL; request = request->next) {
        if (is_left(request, listing->driver)) {
            leaks_found(
                listing, LEAK_IRP, "a request of its own", LEAK_NO_STEP);
        }
    }
}

static void report_requests(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    for (struct io_request *request = kernel->io->requests; request != NULL;
         request = request->next) {
        if (is_left(request, driver) && leaks_is_news(&request->reported)) {
            rule_warn_at(
                kernel, cpu, RULE_LEAK_IRP, ROUTINE_COUNT, request->place);
        }
    }
}

const struct leak_source io_request_leaks = {
    LEAK_IRP, list_requests, report_requests, NULL};
