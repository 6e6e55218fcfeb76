/* irp.c - I/O requests: an IRP is made, dispatched, completed. One driver, one
 * stack location: nobody attaches to a device yet. */
#include "api/io/irp.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/core/thread.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/file.h"
#include "api/io/io.h"
#include "api/ke/code.h"
#include "api/ke/wait.h"
#include "api/mm/block.h"

enum {
    SL_PENDING_RETURNED = 1,
    USER_MODE = 1,
    IRP_SYNCHRONOUS_API = 0x4,
    IRP_BUFFERED_IO = 0x10,
    IRP_DEALLOCATE_BUFFER = 0x20,
    /* What nobody wrote into a system buffer [C]: in Windows whatever was in
     * the pool. */
    BUFFER_FILL = 0xCD,
};

static const char *major_name(enum io_major major)
{
    switch (major) {
    case IRP_MJ_CREATE:
        return "IRP_MJ_CREATE";
    case IRP_MJ_CLOSE:
        return "IRP_MJ_CLOSE";
    case IRP_MJ_DEVICE_CONTROL:
        return "IRP_MJ_DEVICE_CONTROL";
    case IRP_MJ_CLEANUP:
        return "IRP_MJ_CLEANUP";
    }
    return NULL;
}

/* A request that is made, not completed, and in the list. */
static bool request_check(
    const struct kernel *kernel, const struct io_request *request)
{
    const struct memory *memory = &kernel->machine->memory;
    const struct memory_block *block = memory_find(memory, request->irp);

    assert(!request->done && major_name(request->major) != NULL);
    assert(block != NULL && block->start == (const uint8_t *)request->irp);
    assert(
        (const uint8_t *)(request->location + 1) <= block->start + block->size);
    assert(!request->lost || request->output == NULL); /* nobody's any more */
    assert(request->output_size == 0 || request->system_buffer != NULL);
    return true;
}

/* As the driver finds it: the last location is its own (page
 * IoGetCurrentIrpStackLocation). */
static void fill_irp(
    struct io_request *request, const struct io_file *file, CHAR locations)
{
    IRP *irp = request->irp;
    IO_STACK_LOCATION *first = (IO_STACK_LOCATION *)(void *)(irp + 1);

    request->location = first + (locations - 1);
    irp->Type = IO_TYPE_IRP;
    irp->Size =
        (USHORT)(sizeof(*irp) + (size_t)locations * sizeof(*request->location));
    irp->Flags = IRP_SYNCHRONOUS_API;
    irp->RequestorMode = USER_MODE;
    irp->StackCount = locations;
    irp->CurrentLocation = locations;
    irp->Tail.Overlay.CurrentStackLocation = request->location;
    irp->Tail.Overlay.OriginalFileObject = file->guest;
    request->location->MajorFunction = (UCHAR)request->major;
    request->location->DeviceObject = file->device->guest;
    request->location->FileObject = file->guest;
}

struct io_request *io_request_make(
    struct kernel *kernel, const struct io_file *file, enum io_major major)
{
    struct machine *machine = kernel->machine;
    CHAR wanted = file->device->guest->StackSize;
    CHAR locations = wanted > 0 ? wanted : 1; /* the driver may write to it */
    size_t size = sizeof(IRP) + (size_t)locations * sizeof(IO_STACK_LOCATION);
    IRP *irp = memory_alloc(&machine->memory, (size + 15) / 16 * 16, 0);
    struct io_request *request;

    if (irp == NULL) {
        return NULL;
    }
    request = record_take(
        &kernel->io->request_pool, &machine->arena, sizeof(*request));
    if (request == NULL) {
        memory_free(&machine->memory, irp);
        return NULL;
    }
    *request = (struct io_request){.next = kernel->io->requests,
        .device = file->device,
        .major = major,
        .irp = irp};
    fill_irp(request, file, locations);
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

/* A file has one request less when that is completed and its dispatch routine
 * has returned: till then its device stays. */
static void leave_file(struct io_request *request)
{
    if (request->file != NULL && request->returned &&
        (request->done || request->lost)) {
        assert(request->file->requests > 0);
        request->file->requests--;
        request->file = NULL;
    }
}

/* Takes it out of the list; what the driver could touch is inaccessible. */
static void request_close(struct kernel *kernel, struct io_request *request)
{
    struct io_request **at = &kernel->io->requests;

    assert(request_check(kernel, request));
    while (*at != request) {
        assert(*at != NULL);
        at = &(*at)->next;
    }
    *at = request->next;
    block_free_at(kernel, ROUTINE_IofCompleteRequest, request->irp);
    if (request->system_buffer != NULL) {
        block_free_at(
            kernel, ROUTINE_IofCompleteRequest, request->system_buffer);
    }
    request->done = true;
    leave_file(request);
}

static void request_give(struct kernel *kernel, struct io_request *request)
{
    assert(request->done);
    record_give(&kernel->io->request_pool, request);
}

void io_request_drop(struct kernel *kernel, struct io_request *request)
{
    request->returned = true; /* it was never called */
    request_close(kernel, request);
    request_give(kernel, request);
}

/* What a driver returns, against what it did. */
static void judge(struct kernel *kernel, const struct io_request *request,
    NTSTATUS returned, uint64_t place)
{
    bool pended = returned == STATUS_PENDING;
    bool marked = request->done
                      ? request->pending_marked
                      : (request->location->Control & SL_PENDING_RETURNED) != 0;
    enum rule rule;

    if (!pended && !request->done) {
        rule = RULE_IO_DISPATCH_LOST;
    } else if (pended != marked) {
        rule = RULE_IO_DISPATCH_PENDING; /* page IoMarkIrpPending */
    } else if (!pended && returned != request->result.status) {
        rule = RULE_IO_DISPATCH_STATUS;
    } else {
        return;
    }
    rule_warn_at(kernel, kernel_cpu(kernel), rule, ROUTINE_COUNT, place);
}

/* Calls the dispatch routine. */
static bool dispatch(struct kernel *kernel, struct io_request *request,
    const struct driver_target *target, struct io_result *result)
{
    const uint64_t argument[CODE_ARGUMENTS] = {
        (uint64_t)(uintptr_t)request->device->guest,
        (uint64_t)(uintptr_t)request->irp};
    NTSTATUS returned =
        (NTSTATUS)(uint32_t)driver_call(kernel, target, argument);

    driver_call_trace(kernel, target, returned);
    judge(kernel, request, returned, target->address);
    request->returned = true;
    if (returned != STATUS_PENDING && !request->done) {
        request->lost = true;
        request->output = NULL;
    }
    leave_file(request);
    *result = (struct io_result){.status = returned};
    if (returned == STATUS_PENDING || request->lost) {
        return !request->lost;
    }
    result->information = request->result.information;
    request_give(kernel, request);
    return false;
}

bool io_request_start(
    struct kernel *kernel, struct io_request *request, struct io_result *result)
{
    const struct io_driver *driver = request->device->driver;
    const struct driver_target target =
        io_target(driver, major_name(request->major),
            (uint64_t)(uintptr_t)driver->guest->MajorFunction[request->major]);

    assert(request_check(kernel, request));
    if (target.address == IO_INVALID_DEVICE_REQUEST) {
        driver_call_trace(kernel, &target, STATUS_INVALID_DEVICE_REQUEST);
        io_request_drop(kernel, request);
        *result = (struct io_result){.status = STATUS_INVALID_DEVICE_REQUEST};
        return false;
    }
    return dispatch(kernel, request, &target, result);
}

static bool request_done(void *context)
{
    return ((const struct io_request *)context)->done;
}

struct io_result io_request_wait(
    struct kernel *kernel, struct io_request *request)
{
    struct io_result result;

    wait_until(kernel, request_done, request);
    assert(request->done && !request->lost);
    result = request->result;
    request_give(kernel, request);
    return result;
}

struct io_result io_request_send(
    struct kernel *kernel, struct io_request *request)
{
    struct io_result result;

    return io_request_start(kernel, request, &result)
               ? io_request_wait(kernel, request)
               : result;
}

/* The request whose IRP lies there; it does not return without one. */
static struct io_request *request_at(struct kernel *kernel, const IRP *irp)
{
    const struct memory_block *block =
        memory_near(&kernel->machine->memory, irp);
    struct io_request *request = kernel->io->requests;

    while (request != NULL && request->irp != irp) {
        request = request->next;
    }
    if (request == NULL) {
        bool freed = block != NULL && block->freed &&
                     block->start == (const uint8_t *)irp;

        io_stop(kernel, freed ? RULE_IO_COMPLETE_TWICE : RULE_IO_NOT_OBJECT,
            ROUTINE_IofCompleteRequest, "request");
    }
    return request;
}

/* METHOD_BUFFERED: as much as Information says comes back, unless the status is
 * an error (page Buffer Descriptions for I/O Control Codes). */
static void copy_back(struct kernel *kernel, struct io_request *request)
{
    uint64_t information = request->result.information;
    size_t size = information < request->output_size ? (size_t)information
                                                     : request->output_size;

    if (request->major != IRP_MJ_DEVICE_CONTROL ||
        NT_ERROR(request->result.status)) {
        return;
    }
    if (information > request->output_size) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_INFORMATION,
            ROUTINE_IofCompleteRequest);
    }
    assert(size <= request->output_size);
    if (size > 0 && request->output != NULL) {
        memcpy(request->output, request->system_buffer, size);
    }
}

VOID IofCompleteRequest_body(PIRP Irp, CHAR PriorityBoost)
{
    struct kernel *kernel = kernel_current();
    struct io_request *request = request_at(kernel, Irp);

    (void)PriorityBoost; /* threads have no priorities */
    request->result =
        (struct io_result){Irp->IoStatus.Status, Irp->IoStatus.Information};
    if (request->result.status == STATUS_PENDING) {
        io_stop(kernel, RULE_IO_COMPLETE_PENDING, ROUTINE_IofCompleteRequest,
            "STATUS_PENDING");
    }
    if (Irp->CancelRoutine != NULL) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_COMPLETE_CANCEL,
            ROUTINE_IofCompleteRequest);
    }
    request->pending_marked =
        (request->location->Control & SL_PENDING_RETURNED) != 0;
    copy_back(kernel, request);
    request_close(kernel, request);
    if (request->lost) {
        request_give(kernel, request);
    }
}
