/* methods.c - sample driver whose requests have a program's own addresses:
 * METHOD_NEITHER, and reads and writes of a device with neither DO_BUFFERED_IO
 * nor DO_DIRECT_IO. */
#include <ntddk.h>

#include "scenarios/drivers/control_device.h"
#include "scenarios/drivers/methods/defects.h"

DRIVER_INITIALIZE DriverEntry;

#define CODE(function)                                                         \
    CTL_CODE(FILE_DEVICE_UNKNOWN, function, METHOD_NEITHER, FILE_ANY_ACCESS)

#define CODE_DOUBLE CODE(0x800) /* each byte of the input, doubled */
#define CODE_FILL CODE(0x801)   /* what struct fill says */
#define CODE_STORE CODE(0x802)  /* the output is 5A each */

enum { MARK = 0x5A };

/* The input of CODE_FILL: where, how many bytes and with what. */
struct fill {
    UCHAR *at;
    ULONG count;
    ULONG mark;
};

#if DEFECT == DEFECT_NO_TRY
#define TOUCH
#define ELSE_RAISED if (FALSE)
#define RAISED STATUS_SUCCESS
#else
#define TOUCH __try
#define ELSE_RAISED __except (EXCEPTION_EXECUTE_HANDLER)
#define RAISED GetExceptionCode()
#endif

#if DEFECT == DEFECT_KEPT
static UCHAR *kept;
#endif

static NTSTATUS complete(PIRP irp, NTSTATUS status, ULONG_PTR information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS double_bytes(
    const UCHAR *from, ULONG from_count, UCHAR *to, ULONG to_count)
{
    ULONG i;

    if (DEFECT != DEFECT_LENGTH && to_count < from_count) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    TOUCH
    {
        ProbeForRead((PVOID)(ULONG_PTR)from, from_count, 1);
        ProbeForWrite(to, to_count, 1);
        for (i = 0; i < from_count; i++) {
            to[i] = (UCHAR)(from[i] + from[i]);
        }
    }
    ELSE_RAISED
    {
        return RAISED;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS fill(const struct fill *from, ULONG from_count)
{
    struct fill fill;
    ULONG i;

    if (from_count != sizeof(fill)) {
        return STATUS_INVALID_PARAMETER;
    }
    TOUCH
    {
        ProbeForRead((PVOID)(ULONG_PTR)from, sizeof(fill), sizeof(PVOID));
        fill = *from; /* once: the program may change it meanwhile */
        if (DEFECT != DEFECT_TRUSTED) {
            ProbeForWrite(fill.at, fill.count, 1);
        }
        for (i = 0; i < fill.count; i++) {
            fill.at[i] = (UCHAR)fill.mark;
        }
    }
    ELSE_RAISED
    {
        return RAISED;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS store(UCHAR *to, ULONG count, UCHAR mark)
{
    ULONG i;

#if DEFECT == DEFECT_KEPT
    UCHAR *other = kept;

    kept = to;
    to = other == NULL ? to : other;
#endif
    TOUCH
    {
        ProbeForWrite(to, count, 1);
        for (i = 0; i < count; i++) {
            to[i] = mark;
        }
    }
    ELSE_RAISED
    {
        return RAISED;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS sum(const UCHAR *from, ULONG count, ULONG_PTR *result)
{
    ULONG i;

    TOUCH
    {
        ProbeForRead((PVOID)(ULONG_PTR)from, count, 1);
        for (*result = 0, i = 0; i < count; i++) {
            *result += from[i];
        }
    }
    ELSE_RAISED
    {
        return RAISED;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS NTAPI control(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    PVOID input = stack->Parameters.DeviceIoControl.Type3InputBuffer;
    ULONG in = stack->Parameters.DeviceIoControl.InputBufferLength;
    ULONG out = stack->Parameters.DeviceIoControl.OutputBufferLength;
    NTSTATUS status = STATUS_INVALID_DEVICE_REQUEST;

    UNREFERENCED_PARAMETER(device);
    switch (stack->Parameters.DeviceIoControl.IoControlCode) {
    case CODE_DOUBLE:
        status = double_bytes(input, in, irp->UserBuffer, out);
        return complete(irp, status, NT_SUCCESS(status) ? in : 0);
    case CODE_FILL:
        return complete(irp, fill(input, in), 0);
    case CODE_STORE:
        status = store(irp->UserBuffer, out, MARK);
        return complete(irp, status, NT_SUCCESS(status) ? out : 0);
    default:
        return complete(irp, status, 0);
    }
}

static NTSTATUS NTAPI read(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG count = stack->Parameters.Read.Length;
    NTSTATUS status = store(irp->UserBuffer, count,
        (UCHAR)stack->Parameters.Read.ByteOffset.QuadPart);

    UNREFERENCED_PARAMETER(device);
    return complete(irp, status, NT_SUCCESS(status) ? count : 0);
}

static NTSTATUS NTAPI write(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG_PTR result = 0;
    NTSTATUS status =
        sum(irp->UserBuffer, stack->Parameters.Write.Length, &result);

    UNREFERENCED_PARAMETER(device);
    return complete(irp, status, NT_SUCCESS(status) ? result : 0);
}

static NTSTATUS NTAPI come_and_go(PDEVICE_OBJECT device, PIRP irp)
{
    UNREFERENCED_PARAMETER(device);
    return complete(irp, STATUS_SUCCESS, 0);
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    control_device_remove(driver, L"\\DosDevices\\Methods");
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->MajorFunction[IRP_MJ_CREATE] = come_and_go;
    driver->MajorFunction[IRP_MJ_CLOSE] = come_and_go;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = control;
    driver->MajorFunction[IRP_MJ_READ] = read;
    driver->MajorFunction[IRP_MJ_WRITE] = write;
    driver->DriverUnload = unload;
    return control_device_make(
        driver, L"\\Device\\Methods", L"\\DosDevices\\Methods", FALSE);
}
