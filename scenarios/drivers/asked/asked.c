/* asked.c - a driver that does with requests, devices, links and strings what a
 * program asks for, mistakes too: what the I/O manager makes of it is seen by
 * the program. */
#include <ntddk.h>

#include "scenarios/drivers/asked/asked.h"
#include "scenarios/drivers/asked/pageable.h"
#include "scenarios/drivers/asked/waits.h"

struct device {
    UCHAR zero[64]; /* as the I/O manager left them */
    NTSTATUS create_status, create_returns;
};

struct request {
    PDEVICE_OBJECT object;
    PFILE_OBJECT file;
    PIRP irp;
    PVOID buffer;
    ULONG input, output;
    ULONG_PTR bytes_back;
};

DRIVER_INITIALIZE DriverEntry;

/* ntifs.h, which is not for beside ntddk.h. */
NTKERNELAPI PEPROCESS NTAPI IoGetRequestorProcess(PIRP Irp);
NTKERNELAPI ULONG NTAPI IoGetRequestorProcessId(PIRP Irp);
NTKERNELAPI VOID NTAPI KeStackAttachProcess(PEPROCESS Process, PVOID State);
NTKERNELAPI VOID NTAPI KeUnstackDetachProcess(PVOID State);

static PDEVICE_OBJECT made; /* the last one that a program asked for */

/* Requests that were kept, the first one first. */
static struct {
    KSPIN_LOCK lock;
    LIST_ENTRY list;
} kept;

static ULONG cleanups; /* ASKED_CLEANUP_* */

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

/* A name of a request, in 16 bits. */
struct name {
    UNICODE_STRING string;
    WCHAR text[256];
};

static PUNICODE_STRING name_of(
    struct name *name, const CHAR *ascii, ULONG length)
{
    ULONG i;

    for (i = 0; i < length && i < RTL_NUMBER_OF(name->text); i++) {
        name->text[i] = (UCHAR)ascii[i];
    }
    name->string.Buffer = name->text;
    name->string.Length = (USHORT)(i * sizeof(WCHAR));
    name->string.MaximumLength = name->string.Length;
    return &name->string;
}

static NTSTATUS handle_device(struct request *request)
{
    struct asked_device *asked = request->buffer;
    ULONG length = request->input - FIELD_OFFSET(struct asked_device, name);
    struct name name;
    PDEVICE_OBJECT object;
    NTSTATUS status =
        IoCreateDevice(request->object->DriverObject, sizeof(struct device),
            length == 0 ? NULL : name_of(&name, asked->name, length),
            FILE_DEVICE_UNKNOWN, 0, asked->exclusive != 0, &object);

    if (NT_SUCCESS(status)) {
        made = object;
        if (asked->ready != 0) {
            object->Flags &= ~(ULONG)DO_DEVICE_INITIALIZING;
        }
    }
    return status;
}

static NTSTATUS handle_delete(struct request *request)
{
    UNREFERENCED_PARAMETER(request);
    IoDeleteDevice(made);
    return STATUS_SUCCESS;
}

static NTSTATUS handle_link(struct request *request)
{
    struct asked_link *asked = request->buffer;
    ULONG rest =
        request->input - FIELD_OFFSET(struct asked_link, name) - asked->length;
    struct name name, target;

    return IoCreateSymbolicLink(name_of(&name, asked->name, asked->length),
        name_of(&target, asked->name + asked->length, rest));
}

static NTSTATUS handle_unlink(struct request *request)
{
    struct name name;

    return IoDeleteSymbolicLink(
        name_of(&name, request->buffer, request->input));
}

/* The NUL is the last unit of the block, or there is none. */
static PVOID make_text(const struct asked_string *asked)
{
    ULONG unit = asked->ansi != 0 ? 1 : sizeof(WCHAR);
    ULONG units = asked->count + (asked->with_nul != 0 ? 1 : 0);
    UCHAR *text = ExAllocatePoolWithTag(NonPagedPoolNx, units * unit, 'ksaA');
    ULONG i;

    for (i = 0; text != NULL && i < units * unit; i++) {
        text[i] = i < asked->count * unit && i % unit == 0 ? 'x' : 0;
    }
    return text;
}

static NTSTATUS handle_string(struct request *request)
{
    struct asked_string asked = *(struct asked_string *)request->buffer;
    struct asked_counted *back = request->buffer;
    PVOID text = asked.count == MAXULONG ? NULL : make_text(&asked);
    UNICODE_STRING wide = {1, 1, (PVOID)1};
    ANSI_STRING ansi = {1, 1, (PVOID)1};

    if (asked.ansi != 0) {
        RtlInitAnsiString(&ansi, text);
        back->length = ansi.Length;
        back->maximum_length = ansi.MaximumLength;
        back->is_source = (PVOID)ansi.Buffer == text;
    } else {
        RtlInitUnicodeString(&wide, text);
        back->length = wide.Length;
        back->maximum_length = wide.MaximumLength;
        back->is_source = (PVOID)wide.Buffer == text;
    }
    if (text != NULL) {
        ExFreePoolWithTag(text, 'ksaA');
    }
    request->bytes_back = sizeof(*back);
    return STATUS_SUCCESS;
}

static NTSTATUS handle_object(struct request *request)
{
    const struct device *device = request->object->DeviceExtension;
    struct asked_object *back = request->buffer;
    ULONG i;

    back->flags = request->object->Flags;
    back->stack_size = request->object->StackSize;
    back->extension_was_zero = 1;
    for (i = 0; i < sizeof(device->zero); i++) {
        back->extension_was_zero &= device->zero[i] == 0;
    }
    back->is_head =
        request->object->DriverObject->DeviceObject == request->object;
    back->has_next = request->object->NextDevice != NULL;
    request->bytes_back = sizeof(*back);
    return STATUS_SUCCESS;
}

static NTSTATUS handle_creates(struct request *request)
{
    struct device *device = request->object->DeviceExtension;
    const NTSTATUS *status = request->buffer;

    device->create_status = status[0];
    device->create_returns = status[request->input / sizeof(*status) - 1];
    return STATUS_SUCCESS;
}

static VOID keep(PIRP irp)
{
    KIRQL irql;

    KeAcquireSpinLock(&kept.lock, &irql);
    InsertTailList(&kept.list, &irp->Tail.Overlay.ListEntry);
    KeReleaseSpinLock(&kept.lock, irql);
}

/* The one kept first, of that file or with NULL of any; NULL: there is none. */
static PIRP take(PFILE_OBJECT file)
{
    PIRP found = NULL;
    KIRQL irql;

    KeAcquireSpinLock(&kept.lock, &irql);
    for (PLIST_ENTRY entry = kept.list.Flink;
         entry != &kept.list && found == NULL; entry = entry->Flink) {
        PIRP irp = CONTAINING_RECORD(entry, IRP, Tail.Overlay.ListEntry);

        if (file == NULL ||
            IoGetCurrentIrpStackLocation(irp)->FileObject == file) {
            found = irp;
        }
    }
    if (found != NULL) {
        RemoveEntryList(&found->Tail.Overlay.ListEntry);
    }
    KeReleaseSpinLock(&kept.lock, irql);
    return found;
}

static NTSTATUS handle_release(struct request *request)
{
    struct asked_answer *asked = request->buffer;
    PIRP irp = take(NULL);

    if (irp == NULL) {
        return STATUS_UNSUCCESSFUL;
    }
    complete(irp, asked->completed, asked->information);
    return STATUS_SUCCESS;
}

static NTSTATUS NTAPI cleanup(PDEVICE_OBJECT object, PIRP irp)
{
    PFILE_OBJECT file = IoGetCurrentIrpStackLocation(irp)->FileObject;
    PIRP left;

    UNREFERENCED_PARAMETER(object);
    while ((cleanups & ASKED_CLEANUP_CANCELS) != 0 &&
           (left = take(file)) != NULL) {
        complete(left, STATUS_CANCELLED, 0);
    }
    return complete(irp, STATUS_SUCCESS, 0);
}

static DRIVER_UNLOAD unload;

static NTSTATUS handle_cleanup(struct request *request)
{
    cleanups = *(ULONG *)request->buffer;
    request->object->DriverObject->MajorFunction[IRP_MJ_CLEANUP] = cleanup;
    request->object->DriverObject->DriverUnload =
        (cleanups & ASKED_NO_UNLOAD) != 0 ? NULL : unload;
    return STATUS_SUCCESS;
}

static NTSTATUS handle_print(struct request *request)
{
    static CHAR narrow[] = "narrow";
    static WCHAR wide[] = L"wide";
    static UNICODE_STRING unicode = {6, 8, wide};
    static ANSI_STRING ansi = {4, 6, narrow};
    PVOID strings[] = {NULL, narrow, wide, &unicode, &ansi};
    const struct asked_print *asked = request->buffer;
    ULONG length = request->input - FIELD_OFFSET(struct asked_print, format);
    ULONG64 first = asked->string == ASKED_STRING_NONE
                        ? asked->first
                        : (ULONG_PTR)strings[asked->string];
    CHAR format[64] = "";
    ULONG i;

    for (i = 0; i < length && i < sizeof(format) - 1; i++) {
        format[i] = asked->format[i];
    }
    DbgPrint(format, first, asked->second);
    return STATUS_SUCCESS;
}

/* Each file counts for itself. */
static NTSTATUS handle_who(struct request *request)
{
    struct asked_who *back = request->buffer;

    request->file->FsContext = (PVOID)((ULONG_PTR)request->file->FsContext + 1);
    back->asked = (ULONG)(ULONG_PTR)request->file->FsContext;
    back->process = (ULONG)(ULONG_PTR)PsGetCurrentProcessId();
    back->thread = (ULONG)(ULONG_PTR)PsGetCurrentThreadId();
    back->has_teb = PsGetCurrentThreadTeb() != NULL;
    request->bytes_back = sizeof(*back);
    return STATUS_SUCCESS;
}

static NTSTATUS handle_wait(struct request *request)
{
    return waits_wait(request->buffer);
}

static NTSTATUS handle_set(struct request *request)
{
    return waits_set(request->buffer);
}

static NTSTATUS handle_look_up(struct request *request)
{
    return waits_look_up(request->buffer);
}

static NTSTATUS handle_paged(struct request *request)
{
    const ULONG *levels = request->buffer;
    KIRQL before;

    KeRaiseIrql((KIRQL)levels[0], &before);
    pageable((KIRQL)levels[1]);
    KeLowerIrql(before);
    return STATUS_SUCCESS;
}

static NTSTATUS handle_synch(struct request *request)
{
    ULONG *levels = request->buffer;
    KIRQL before;

    if (request->output < 2 * sizeof(*levels)) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    before = KeRaiseIrqlToSynchLevel();
    levels[0] = KeGetCurrentIrql();
    KeLowerIrql(before);
    levels[1] = KeGetCurrentIrql();
    request->bytes_back = 2 * sizeof(*levels);
    return STATUS_SUCCESS;
}

static VOID look_at_stack(struct asked_requestor *seen)
{
    ULONG_PTR low, high;
    ULONG_PTR here = (ULONG_PTR)&low;
    ULONG_PTR left = IoGetRemainingStackSize();

    IoGetStackLimits(&low, &high);
    seen->on_stack = low < here && here < high;
    seen->bytes = (ULONG)(high - low);
    seen->fits = left > here - low - 512 && left < here - low + 512;
}

static NTSTATUS handle_requestor(struct request *request)
{
    struct asked_requestor *seen = request->buffer;
    PIRP own = IoAllocateIrp(1, FALSE);
    ULONG64 state[6]; /* a KAPC_STATE */

    if (own == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    if (request->output < sizeof(*seen)) {
        IoFreeIrp(own);
        return STATUS_BUFFER_TOO_SMALL;
    }
    KeStackAttachProcess(PsInitialSystemProcess, state);
    seen->id = IoGetRequestorProcessId(request->irp);
    seen->process =
        (ULONG)(ULONG_PTR)PsGetProcessId(IoGetRequestorProcess(request->irp));
    seen->current = (ULONG)(ULONG_PTR)PsGetCurrentProcessId();
    seen->own = IoGetRequestorProcessId(own);
    seen->nobody = IoGetRequestorProcess(own) == NULL;
    KeUnstackDetachProcess(state);
    look_at_stack(seen);
    IoFreeIrp(own);
    request->bytes_back = sizeof(*seen);
    return STATUS_SUCCESS;
}

/* Nobody cancels. */
static VOID NTAPI cancelled(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    UNREFERENCED_PARAMETER(irp);
}

static const struct control_row {
    ULONG code;
    NTSTATUS (*handle)(struct request *request);
} control_rows[] = {
    {IOCTL_ASKED_DEVICE, handle_device},
    {IOCTL_ASKED_DELETE, handle_delete},
    {IOCTL_ASKED_LINK, handle_link},
    {IOCTL_ASKED_UNLINK, handle_unlink},
    {IOCTL_ASKED_STRING, handle_string},
    {IOCTL_ASKED_OBJECT, handle_object},
    {IOCTL_ASKED_CREATES, handle_creates},
    {IOCTL_ASKED_RELEASE, handle_release},
    {IOCTL_ASKED_CLEANUP, handle_cleanup},
    {IOCTL_ASKED_PRINT, handle_print},
    {IOCTL_ASKED_WHO, handle_who},
    {IOCTL_ASKED_PAGED, handle_paged},
    {IOCTL_ASKED_WAIT, handle_wait},
    {IOCTL_ASKED_SET, handle_set},
    {IOCTL_ASKED_LOOK_UP, handle_look_up},
    {IOCTL_ASKED_SYNCH, handle_synch},
    {IOCTL_ASKED_REQUESTOR, handle_requestor},
};

/* Right or wrong, as the program says. */
static NTSTATUS answer(PIRP irp, const struct request *request)
{
    struct asked_answer asked = *(struct asked_answer *)request->buffer;
    ULONG i;

    for (i = 0; i < request->output && (asked.how & ASKED_UNTOUCHED) == 0;
         i++) {
        ((UCHAR *)request->buffer)[i] = ASKED_FILL;
    }
    if ((asked.how & ASKED_MARK) != 0) {
        IoMarkIrpPending(irp);
    }
    if ((asked.how & ASKED_CANCEL) != 0) {
        IoSetCancelRoutine(irp, cancelled);
    }
    if ((asked.how & ASKED_KEEP) != 0) {
        keep(irp);
    } else if ((asked.how & ASKED_LEAVE) == 0) {
        complete(irp, asked.completed, asked.information);
    }
    if ((asked.how & ASKED_TWICE) != 0) {
        IoCompleteRequest(irp, IO_NO_INCREMENT);
    }
    return asked.returned;
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT object, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    ULONG code = location->Parameters.DeviceIoControl.IoControlCode;
    struct request request = {.object = object,
        .irp = irp,
        .file = location->FileObject,
        .buffer = irp->AssociatedIrp.SystemBuffer,
        .input = location->Parameters.DeviceIoControl.InputBufferLength,
        .output = location->Parameters.DeviceIoControl.OutputBufferLength};
    NTSTATUS status = STATUS_INVALID_DEVICE_REQUEST;
    ULONG i;

    if (code == IOCTL_ASKED_ANSWER) {
        return answer(irp, &request);
    }
    for (i = 0; i < RTL_NUMBER_OF(control_rows); i++) {
        if (control_rows[i].code == code) {
            status = control_rows[i].handle(&request);
        }
    }
    return complete(irp, status, request.bytes_back);
}

static NTSTATUS NTAPI create(PDEVICE_OBJECT object, PIRP irp)
{
    const struct device *device = object->DeviceExtension;

    NTSTATUS returns = device->create_returns;

    complete(irp, device->create_status, 0);
    return returns;
}

static NTSTATUS NTAPI close(PDEVICE_OBJECT object, PIRP irp)
{
    UNREFERENCED_PARAMETER(object);
    return complete(irp, STATUS_SUCCESS, 0);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    while (driver->DeviceObject != NULL) {
        IoDeleteDevice(driver->DeviceObject);
    }
}

/* Its own device has no name; cleanups have no routine. */
NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    PDEVICE_OBJECT object;

    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = create;
    driver->MajorFunction[IRP_MJ_CLOSE] = close;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->DriverUnload = unload;
    KeInitializeSpinLock(&kept.lock);
    InitializeListHead(&kept.list);
    waits_init();
    return IoCreateDevice(driver, sizeof(struct device), NULL,
        FILE_DEVICE_UNKNOWN, 0, FALSE, &object);
}
