/* image_driver.c - a loaded image as a driver: DriverEntry, DriverUnload, and
 * what it leaves behind. */
#include "api/image/image_driver.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/missing.h"
#include "api/core/trace_events.h"
#include "api/image/image.h"
#include "api/io/driver.h"
#include "api/ke/dpc.h"
#include "api/ke/wait.h"
#include "api/pcw/refusal.h"
#include "api/ps/notify.h"

/* A driver that is to go, and what it waits for. */
struct going {
    const struct kernel *kernel;
    const struct driver *driver;
};

static bool is_kept_no_more(void *context)
{
    const struct going *going = context;
    bool kept = false;

    for (size_t i = 0; going->kernel->hooks->keepers[i] != NULL && !kept; i++) {
        kept = going->kernel->hooks->keepers[i](going->kernel, going->driver);
    }
    return !kept;
}

/* Nothing of the driver runs any more, but for what keeps it: that may give
 * back at its very end what else would be called left behind. */
static void end(struct kernel *kernel, struct image *image)
{
    struct going going = {kernel, image->driver};

    if (!is_kept_no_more(&going)) {
        wait_until(kernel, is_kept_no_more, &going);
    }
    leaks_report(kernel, image->driver);
    dpc_flush_all(kernel); /* TMR-11 */
    image_unload(kernel, image);
}

/* How much of what it imports nobody models, and all of that. */
static void trace_missing(struct kernel *kernel, const struct image *image)
{
    const struct missing_imports *missing = kernel->missing;
    struct cpu *cpu = kernel_cpu(kernel);
    struct trace *trace = &kernel->machine->trace;
    size_t count = missing_count(missing, image);

    if (trace->off || count == 0) {
        return;
    }
    cpu_trace(cpu, &api_events[API_EVENT_IMPORTS_MISSING],
        trace_text(trace, image->name), count);
    for (size_t i = 0; i < missing->count; i++) {
        const struct missing_import *import = &missing->item[i];

        if (import->owner == image) {
            cpu_trace(cpu, &api_events[API_EVENT_IMPORT_MISSING],
                trace_text(trace, image->name), trace_text(trace, import->name),
                trace_text(trace, import->module));
        }
    }
}

NTSTATUS image_driver_start(struct kernel *kernel, struct image *image)
{
    uint64_t entry = (uintptr_t)image->base + image->pe.entry_rva;
    NTSTATUS status = io_driver_check_name(kernel, image->driver->name);
    size_t refusals;

    assert(!image->unloaded && image->io == NULL); /* it starts once */
    trace_missing(kernel, image);
    if (NT_SUCCESS(status)) {
        image->io = io_driver_make(kernel, image->driver, image->driver->name,
            (uintptr_t)image->base, image->pe.image_size);
        assert(image->io != NULL); /* of a good name one is made */
    }
    if (!NT_SUCCESS(status)) {
        image_unload(kernel, image);
        return status;
    }
    notify_driver_image(kernel, image->name, image->base, image->pe.image_size);
    refusals = pcw_refusals_count(kernel);
    status = io_driver_entry(kernel, image->io, entry);
    if (NT_SUCCESS(status)) {
        pcw_refusals_hide(
            kernel, refusals, "DriverEntry", (struct pcw_text){NULL, 0});
        image_discard(kernel, image);
    } else {
        end(kernel, image);
    }
    return status;
}

NTSTATUS image_driver_stop(struct kernel *kernel, struct image *image)
{
    NTSTATUS status;

    assert(!image->unloaded && image->io != NULL);
    status = io_driver_unload(kernel, image->io);
    if (NT_SUCCESS(status)) {
        end(kernel, image);
    }
    return status;
}
