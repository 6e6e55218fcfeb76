/* spoil.c - a driver that stores somewhere what tests/secrets/spoil.c has put
 * into its file, with all that a small driver has around it. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static DRIVER_DISPATCH complete;

/* Found in the file by `mark`. */
volatile struct spoil_order {
    UCHAR mark[16];
    ULONG64 address; /* 0: nothing is stored */
    ULONG64 value;
    ULONG64 words;
} order = {{'s', 'p', 'o', 'i', 'l', ' ', 'o', 'r', 'd', 'e', 'r', ' ', 'h',
               'e', 'r', 'e'},
    0, 0, 0};

static PDEVICE_OBJECT device;
static UNICODE_STRING link_name;
static PVOID pool, paged;
static KSPIN_LOCK lock;

static void store(void)
{
    volatile ULONG64 *at = (volatile ULONG64 *)(ULONG_PTR)order.address;

    __try {
        for (ULONG64 i = 0; i < order.words && at != NULL; i++) {
            at[i] = order.value;
        }
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        DbgPrint("spoil: %x\n", GetExceptionCode());
    }
}

static NTSTATUS NTAPI complete(PDEVICE_OBJECT opened, PIRP irp)
{
    UNREFERENCED_PARAMETER(opened);
    irp->IoStatus.Status = STATUS_SUCCESS;
    irp->IoStatus.Information = 0;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return STATUS_SUCCESS;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    IoDeleteSymbolicLink(&link_name);
    IoDeleteDevice(device);
    ExFreePoolWithTag(pool, 'lopS');
    ExFreePoolWithTag(paged, 'lopS');
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNICODE_STRING name;
    NTSTATUS status;
    KIRQL level;

    UNREFERENCED_PARAMETER(path);
    RtlInitUnicodeString(&name, L"\\Device\\Spoil");
    RtlInitUnicodeString(&link_name, L"\\DosDevices\\Spoil");
    driver->DriverUnload = unload;
    driver->MajorFunction[IRP_MJ_CREATE] = complete;
    driver->MajorFunction[IRP_MJ_CLEANUP] = complete;
    driver->MajorFunction[IRP_MJ_CLOSE] = complete;
    status = IoCreateDevice(
        driver, 64, &name, FILE_DEVICE_UNKNOWN, 0, FALSE, &device);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = IoCreateSymbolicLink(&link_name, &name);
    pool = ExAllocatePoolWithTag(NonPagedPool, 200, 'lopS');
    paged = ExAllocatePoolWithTag(PagedPool, 5000, 'lopS');
    if (!NT_SUCCESS(status) || pool == NULL || paged == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    KeInitializeSpinLock(&lock);
    KeAcquireSpinLock(&lock, &level);
    KeReleaseSpinLock(&lock, level);
    store();
    return STATUS_SUCCESS;
}
