/* allocated_irp.c - IRPs that a driver makes and ends itself: IoAllocateIrp,
 * IoInitializeIrp, IoReuseIrp, IoFreeIrp, IoMakeAssociatedIrp (IO-45). */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/io.h"
#include "api/io/irp.h"
#include "api/io/irp_block.h"
#include "api/io/safe_completion.h"
#include "api/mm/copy.h"

PVOID IoAllocateIrp_body(CHAR StackSize, BOOLEAN ChargeQuota)
{
    struct kernel *kernel = kernel_current();
    struct io_request *request = io_request_new(
        kernel, IRP_ALLOCATED, StackSize < 0 ? 0 : StackSize, NULL);

    (void)ChargeQuota; /* there are no quotas */
    return request == NULL ? NULL : request->irp;
}

PVOID IoMakeAssociatedIrp_body(PIRP Irp, CHAR StackSize)
{
    const enum routine routine = ROUTINE_IoMakeAssociatedIrp;
    struct kernel *kernel = kernel_current();
    struct io_request *master = io_request_at(kernel, routine, Irp);
    struct io_request *request = io_request_new(
        kernel, IRP_ASSOCIATED, StackSize < 0 ? 0 : StackSize, NULL);

    if (request == NULL) {
        return NULL;
    }
    request->master = master;
    request->irp->Flags |= IRP_ASSOCIATED_IRP;
    request->irp->AssociatedIrp.MasterIrp = Irp;
    request->irp->Tail.Overlay.Thread = Irp->Tail.Overlay.Thread;
    return request->irp;
}

/* It is with another driver, which has its address, or not a driver's at all.
 */
static void check_idle(struct kernel *kernel, enum routine routine,
    const struct io_request *request)
{
    if (request->under_way || io_request_is_awaited(request)) {
        io_stop(kernel, RULE_IO_IRP_IN_USE, routine, "request");
    }
}

VOID IoFreeIrp_body(PIRP Irp)
{
    const enum routine routine = ROUTINE_IoFreeIrp;
    struct kernel *kernel = kernel_current();
    struct io_request *request = io_request_at(kernel, routine, Irp);

    check_idle(kernel, routine, request);
    if (request->origin == IRP_INITIALIZED ||
        (request->origin != IRP_ALLOCATED && request->sent)) {
        io_stop(kernel, RULE_IO_IRP_FREED, routine, "request");
    }
    io_request_end(kernel, routine, request);
    io_request_give(kernel, request);
}

VOID IoReuseIrp_body(PIRP Irp, NTSTATUS Iostatus)
{
    const enum routine routine = ROUTINE_IoReuseIrp;
    struct kernel *kernel = kernel_current();
    struct io_request *request = io_request_at(kernel, routine, Irp);

    check_idle(kernel, routine, request);
    if (request->origin != IRP_ALLOCATED &&
        request->origin != IRP_INITIALIZED) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_IRP_KIND, routine);
    }
    safe_completion_lost(kernel, request);
    io_request_fill(request);
    Irp->IoStatus.Status = Iostatus;
}

VOID IoInitializeIrp_body(PIRP Irp, USHORT PacketSize, CHAR StackSize)
{
    const enum routine routine = ROUTINE_IoInitializeIrp;
    struct kernel *kernel = kernel_current();
    struct io_request *request = io_request_find(kernel, Irp);
    CHAR locations = StackSize < 0 ? 0 : StackSize;
    USHORT needed =
        (USHORT)(sizeof(IRP) + (size_t)locations * sizeof(IO_STACK_LOCATION));

    copy_probe(kernel, routine, Irp, needed, true);
    if (PacketSize < needed) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_IO_IRP_SIZE, routine);
    }
    if (request == NULL) {
        io_request_new(kernel, IRP_INITIALIZED, locations, Irp);
        return;
    }
    check_idle(kernel, routine, request);
    if (request->origin == IRP_INITIALIZED) {
        io_request_end(kernel, routine, request);
        io_request_give(kernel, request);
        io_request_new(kernel, IRP_INITIALIZED, locations, Irp);
        return;
    }
    rule_warn(kernel, kernel_cpu(kernel), RULE_IO_IRP_KIND, routine);
    safe_completion_lost(kernel, request);
    io_request_fill(request);
}

/* Memory that is freed holds no IRP any more. */
static void memory_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct memory_block *block)
{
    struct io_request *request = kernel->io->requests;

    (void)cpu;
    while (request != NULL) {
        struct io_request *next = request->next;
        const uint8_t *at = (const uint8_t *)request->irp;

        if (request->origin == IRP_INITIALIZED && at >= block->start &&
            at < block->start + block->size) {
            check_idle(kernel, routine, request);
            io_request_end(kernel, routine, request);
            io_request_give(kernel, request);
        }
        request = next;
    }
}

const struct block_watcher io_irp_block_watcher = {memory_freed};
