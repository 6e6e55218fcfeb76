/* program_request.c - requests of programs, and of drivers that have a handle:
 * made for a file, sent to the top of its device's stack, waited for. */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/run_end.h"
#include "api/core/thread.h"
#include "api/io/attach.h"
#include "api/io/device.h"
#include "api/io/dispatch.h"
#include "api/io/file.h"
#include "api/io/irp.h"
#include "api/ke/kthread.h"
#include "api/ke/wait.h"
#include "api/ob/handle.h"

/* As many as its driver wants, which may write whatever it likes. */
static CHAR locations_of(const struct io_device *device)
{
    CHAR wanted = device->guest->StackSize;

    if (wanted < 1) {
        return 1;
    }
    return wanted > IRP_LOCATIONS_MOST ? IRP_LOCATIONS_MOST : wanted;
}

/* For what is on top of the device's stack. */
static struct io_request *make_for(struct kernel *kernel,
    struct io_device *device, enum io_major major, enum irp_origin origin)
{
    struct io_device *top = io_device_top(device);
    struct io_request *request = run_needs(kernel,
        io_request_new(kernel, origin, locations_of(top), NULL), "a request");
    const struct kthread *thread = thread_current(kernel)->object;

    request->device = top;
    request->major = major;
    request->irp->Flags = IRP_SYNCHRONOUS_API;
    request->irp->Tail.Overlay.Thread =
        thread == NULL ? NULL : (void *)(uintptr_t)thread->address;
    io_request_next_location(request)->MajorFunction = (UCHAR)major;
    return request;
}

static struct io_request *make(struct kernel *kernel,
    const struct io_file *file, enum io_major major, enum irp_origin origin)
{
    struct io_request *request = make_for(kernel, file->device, major, origin);

    request->irp->RequestorMode = file->kernel_mode ? 0 : USER_MODE;
    request->user = file->kernel_mode ? 0 : (uint8_t)(file->user + 1);
    request->irp->Tail.Overlay.OriginalFileObject = file->guest;
    io_request_next_location(request)->FileObject = file->guest;
    return request;
}

struct io_request *io_request_make_for_device(
    struct kernel *kernel, struct io_device *device, enum io_major major)
{
    return make_for(kernel, device, major, IRP_OF_PROGRAM);
}

struct io_request *io_request_make(
    struct kernel *kernel, const struct io_file *file, enum io_major major)
{
    return make(kernel, file, major, IRP_OF_PROGRAM);
}

struct io_request *io_request_make_by_handle(
    struct kernel *kernel, const struct io_file *file, enum io_major major)
{
    return make(kernel, file, major, IRP_BY_HANDLE);
}

void io_request_drop(struct kernel *kernel, struct io_request *request)
{
    request->returned = true; /* it was never called */
    io_request_end(kernel, ROUTINE_IofCompleteRequest, request);
    io_request_give(kernel, request);
}

/* The thread is who asks while drivers have the request; for a driver's it is
 * who it is. */
static NTSTATUS call_as_user(struct kernel *kernel, struct io_request *request)
{
    struct thread *thread = thread_current(kernel);
    uint8_t before = thread->user;
    NTSTATUS returned;

    thread->user = request->user != 0 ? request->user : before;
    returned = io_call(kernel, ROUTINE_COUNT, request, request->device);
    thread->user = before;
    return returned;
}

bool io_request_start(
    struct kernel *kernel, struct io_request *request, struct io_result *result)
{
    bool of_program = request->origin == IRP_OF_PROGRAM &&
                      request->irp->RequestorMode == USER_MODE;
    NTSTATUS returned;

    assert(
        request->origin == IRP_OF_PROGRAM || request->origin == IRP_BY_HANDLE);
    if (of_program) {
        probing_begin(kernel, &request->probing);
    }
    returned = call_as_user(kernel, request);
    if (of_program) {
        probing_leave(kernel, &request->probing);
    }
    request->returned = true;
    if (returned != STATUS_PENDING && !request->done) {
        request->lost = true;
        request->output = NULL;
    }
    io_request_leave_file(kernel, request);
    *result = (struct io_result){.status = returned};
    if (returned == STATUS_PENDING || request->lost) {
        return !request->lost;
    }
    result->information = request->result.information;
    io_request_give(kernel, request);
    return false;
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
    io_request_give(kernel, request);
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
