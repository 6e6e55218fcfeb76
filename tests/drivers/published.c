/* published.c - a driver with one counter, whose DriverEntry does not look at
 * what PcwCreateInstance returns. With TOO_SHORT the instance is refused. */
#include <wdm.h>

#ifdef TOO_SHORT
#define BYTES 2
#else
#define BYTES 4
#endif

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;

static PPCW_REGISTRATION registration;
static PPCW_INSTANCE instance;
static ULONG height = 5;

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
    PcwUnregister(registration);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    PCW_COUNTER_DESCRIPTOR counter = {.Id = 0, .Size = 4};
    PCW_REGISTRATION_INFORMATION info = {
        .Version = PCW_VERSION_1, .CounterCount = 1, .Counters = &counter};
    PCW_DATA data = {.Data = &height, .Size = BYTES};
    UNICODE_STRING set, name;
    NTSTATUS status;

    UNREFERENCED_PARAMETER(path);
    RtlInitUnicodeString(&set, L"Heat");
    RtlInitUnicodeString(&name, L"core");
    info.Name = &set;
    driver->DriverUnload = unload;
    status = PcwRegister(&registration, &info);
    if (NT_SUCCESS(status)) {
        PcwCreateInstance(&instance, registration, &name, 1, &data);
    }
    return status;
}
