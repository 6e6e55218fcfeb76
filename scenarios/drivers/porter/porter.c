/* porter.c - sample driver that tells a program who it is, by the token of the
 * process that asks, and keeps a number that only those change who opened the
 * device for writing, though its control code lets everybody ask. */
#include <ntifs.h>

#include "scenarios/drivers/porter/defects.h"

DRIVER_INITIALIZE DriverEntry;

enum {
    PORTER_WHO = 0x222000, /* whose, or nobody, in; out: struct who */
    PORTER_SET = 0x222004, /* a number in, which is kept */
    PORTER_MAY = 0x222008, /* rights in; out: the status */
};

struct who {
    ULONG admin, captured_admin; /* the process; who the thread runs for */
    ULONG session, level;
    LUID logon;
    ULONG sid_bytes;
    UCHAR sid[28];
};

static UNICODE_STRING name = RTL_CONSTANT_STRING(L"\\Device\\Porter");
static ULONG kept;

static VOID free_block(PVOID block)
{
#if DEFECT != DEFECT_BLOCK_LEFT
    ExFreePool(block);
#else
    UNREFERENCED_PARAMETER(block);
#endif
}

static VOID give_back(PACCESS_TOKEN token)
{
#if DEFECT == DEFECT_BY_OBJECT
    ObDereferenceObject(token);
#elif DEFECT != DEFECT_TOKEN_LEFT
    PsDereferencePrimaryToken(token);
#endif
#if DEFECT == DEFECT_TOKEN_TWICE
    PsDereferencePrimaryToken(token);
#endif
}

/* A number instead of a pointer; the rest of the variable stays as it is. */
static ULONG number_of(PACCESS_TOKEN token, TOKEN_INFORMATION_CLASS class)
{
    PVOID number = NULL;

    if (!NT_SUCCESS(SeQueryInformationToken(token, class, &number))) {
        return MAXULONG;
    }
#if DEFECT == DEFECT_LEVEL_FREED
    if (number != NULL) {
        ExFreePool(number);
    }
#endif
    return (ULONG)(ULONG_PTR)number;
}

static ULONG captured_is_admin(VOID)
{
    SECURITY_SUBJECT_CONTEXT context;
    ULONG is;

    SeCaptureSubjectContext(&context);
    is = SeTokenIsAdmin(SeQuerySubjectContextToken(&context));
    SeReleaseSubjectContext(&context);
    return is;
}

static NTSTATUS tell_who(PACCESS_TOKEN token, struct who *who)
{
    PTOKEN_USER user;
    NTSTATUS status = SeQueryInformationToken(token, TokenUser, (PVOID *)&user);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    who->sid_bytes = RtlLengthSid(user->User.Sid);
    RtlCopyMemory(who->sid, user->User.Sid, who->sid_bytes);
    free_block(user);
    who->admin = SeTokenIsAdmin(token);
    who->captured_admin = captured_is_admin();
    who->session = number_of(token, TokenSessionId);
    who->level = number_of(token, TokenIntegrityLevel);
    return SeQueryAuthenticationIdToken(token, &who->logon);
}

static NTSTATUS token_of(HANDLE id, PACCESS_TOKEN *token)
{
    PEPROCESS process;
    NTSTATUS status = PsLookupProcessByProcessId(id, &process);

    if (NT_SUCCESS(status)) {
        *token = PsReferencePrimaryToken(process);
        ObDereferenceObject(process);
    }
    return status;
}

static NTSTATUS who_asks(PIRP irp, ULONG input, ULONG output)
{
    const ULONG *id = irp->AssociatedIrp.SystemBuffer;
    struct who who = {0};
    PACCESS_TOKEN token;
    NTSTATUS status;

    if (output < sizeof(who)) {
        return STATUS_BUFFER_TOO_SMALL;
    }
    if (input < sizeof(*id)) {
        token = PsReferencePrimaryToken(PsGetCurrentProcess());
    } else {
        status = token_of((HANDLE)(ULONG_PTR)*id, &token);
        if (!NT_SUCCESS(status)) {
            return status;
        }
    }
    status = tell_who(token, &who);
    give_back(token);
    if (NT_SUCCESS(status)) {
        *(struct who *)irp->AssociatedIrp.SystemBuffer = who;
        irp->IoStatus.Information = sizeof(who);
    }
    return status;
}

static NTSTATUS dispatch_control(PIRP irp, PIO_STACK_LOCATION location)
{
    ULONG input = location->Parameters.DeviceIoControl.InputBufferLength;
    ULONG output = location->Parameters.DeviceIoControl.OutputBufferLength;
    PULONG buffer = irp->AssociatedIrp.SystemBuffer;
    NTSTATUS status;

    switch (location->Parameters.DeviceIoControl.IoControlCode) {
    case PORTER_WHO:
        return who_asks(irp, input, output);
    case PORTER_SET:
        if (input < sizeof(ULONG)) {
            return STATUS_BUFFER_TOO_SMALL;
        }
#if DEFECT != DEFECT_UNCHECKED
        status = IoValidateDeviceIoControlAccess(irp, FILE_WRITE_ACCESS);
        if (!NT_SUCCESS(status)) {
            return status;
        }
#endif
        kept = *buffer;
        return STATUS_SUCCESS;
    case PORTER_MAY:
        if (input < sizeof(ULONG) || output < sizeof(NTSTATUS)) {
            return STATUS_BUFFER_TOO_SMALL;
        }
        status = IoValidateDeviceIoControlAccess(irp, *buffer);
        *(NTSTATUS *)buffer = status;
        irp->IoStatus.Information = sizeof(status);
        return STATUS_SUCCESS;
    default:
        return STATUS_INVALID_DEVICE_REQUEST;
    }
}

static NTSTATUS NTAPI dispatch(PDEVICE_OBJECT device, PIRP irp)
{
    PIO_STACK_LOCATION location = IoGetCurrentIrpStackLocation(irp);
    NTSTATUS status = STATUS_SUCCESS;

    UNREFERENCED_PARAMETER(device);
    irp->IoStatus.Information = 0;
    if (location->MajorFunction == IRP_MJ_DEVICE_CONTROL) {
        status = dispatch_control(irp, location);
    } else if (location->MajorFunction == IRP_MJ_READ) {
        /* It is no control, so that nobody can be asked for. */
        status = IoValidateDeviceIoControlAccess(irp, FILE_READ_ACCESS);
    }
    irp->IoStatus.Status = status;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    IoDeleteDevice(driver->DeviceObject);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    PDEVICE_OBJECT device;

    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    driver->MajorFunction[IRP_MJ_CREATE] = dispatch;
    driver->MajorFunction[IRP_MJ_CLEANUP] = dispatch;
    driver->MajorFunction[IRP_MJ_CLOSE] = dispatch;
    driver->MajorFunction[IRP_MJ_READ] = dispatch;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = dispatch;
    return IoCreateDevice(driver, 0, &name, FILE_DEVICE_UNKNOWN,
        FILE_DEVICE_SECURE_OPEN, FALSE, &device);
}
