/* safe_completion.c - IoSetCompletionRoutineEx: a completion routine whose
 * driver is not unloaded before it has run (IO-43f). */
#include "api/io/safe_completion.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/device.h"
#include "api/io/io.h"
#include "api/io/irp.h"

struct safe_completion {
    struct safe_completion *next;     /* set before, and not done either */
    const struct io_request *request; /* NULL: it runs, or is lost */
    CHAR location;
    struct io_device *device;    /* with a reference */
    const struct driver *driver; /* who set it */
};

struct safe_completion *safe_completion_take(
    struct kernel *kernel, const struct io_request *request, CHAR location)
{
    struct safe_completion *completion = kernel->io->completions;

    while (completion != NULL && (completion->request != request ||
                                     completion->location != location)) {
        completion = completion->next;
    }
    if (completion != NULL) {
        completion->request = NULL;
    }
    return completion;
}

void safe_completion_end(
    struct kernel *kernel, struct safe_completion *completion)
{
    struct safe_completion **at = &kernel->io->completions;
    struct io_device *device;

    if (completion == NULL) {
        return;
    }
    while (*at != completion) {
        assert(*at != NULL);
        at = &(*at)->next;
    }
    *at = completion->next;
    device = completion->device;
    record_give(&kernel->io->completion_pool, completion);
    counted_object_release(kernel, &device->counted);
}

static void lose(
    struct kernel *kernel, const struct io_request *request, CHAR location)
{
    for (struct safe_completion *completion = kernel->io->completions;
         completion != NULL; completion = completion->next) {
        if (completion->request == request &&
            (location == 0 || completion->location == location)) {
            completion->request = NULL;
        }
    }
}

void safe_completion_lost(
    struct kernel *kernel, const struct io_request *request)
{
    lose(kernel, request, 0);
}

static UCHAR control_of(BOOLEAN on_success, BOOLEAN on_error, BOOLEAN on_cancel)
{
    return (UCHAR)((on_success ? SL_INVOKE_ON_SUCCESS : 0) |
                   (on_error ? SL_INVOKE_ON_ERROR : 0) |
                   (on_cancel ? SL_INVOKE_ON_CANCEL : 0));
}

NTSTATUS IoSetCompletionRoutineEx_body(PDEVICE_OBJECT DeviceObject, PIRP Irp,
    PVOID CompletionRoutine, PVOID Context, BOOLEAN InvokeOnSuccess,
    BOOLEAN InvokeOnError, BOOLEAN InvokeOnCancel)
{
    const enum routine routine = ROUTINE_IoSetCompletionRoutineEx;
    struct kernel *kernel = kernel_current();
    struct io_request *request = io_request_at(kernel, routine, Irp);
    struct io_device *device = io_device_get_any(kernel, routine, DeviceObject);
    const struct bugcheck_parameter parameter[4] = {{.value = (uintptr_t)Irp}};
    struct safe_completion *completion;
    IO_STACK_LOCATION *location;

    if (!io_request_is_placed(request)) {
        io_stop(kernel, RULE_IO_NOT_OBJECT, routine, "stack location");
    }
    if (Irp->CurrentLocation == 1) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_IO_NO_LOCATION, routine,
            parameter);
    }
    completion = record_take(kernel, &kernel->io->completion_pool,
        sizeof(*completion), "completion routines");
    lose(kernel, request, (CHAR)(Irp->CurrentLocation - 1));
    *completion = (struct safe_completion){.next = kernel->io->completions,
        .request = request,
        .location = (CHAR)(Irp->CurrentLocation - 1),
        .device = device,
        .driver = kernel_driver(kernel, kernel_cpu(kernel))};
    kernel->io->completions = completion;
    counted_object_reference(&device->counted);
    location = io_request_next_location(request);
    location->CompletionRoutine = CompletionRoutine;
    location->Context = Context;
    location->Control =
        control_of(InvokeOnSuccess, InvokeOnError, InvokeOnCancel);
    return STATUS_SUCCESS;
}

static void list_completions(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct safe_completion *completion = kernel->io->completions;
         completion != NULL; completion = completion->next) {
        if (completion->driver == listing->driver) {
            leaks_found(listing, LEAK_COMPLETION,
                completion->request == NULL ? "of a request that was not sent"
                                            : "that has not run",
                LEAK_NO_STEP);
        }
    }
}

/* A driver that has one is not unloaded. */
const struct leak_source safe_completion_leaks = {
    LEAK_COMPLETION, list_completions, NULL, NULL};
