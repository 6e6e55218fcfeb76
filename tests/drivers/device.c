/* device.c - drivers whose DriverEntry accesses registers of a device by
 * instructions that are none of one register: each definition is one. Whatever
 * they catch, their run has ended. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;

#define REGISTERS 0xFEB00000ULL
enum { REGISTERS_BYTES = 4096, MAPPED_BYTES = 2 * REGISTERS_BYTES };

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    UNREFERENCED_PARAMETER(driver);
}

/* The first register, and one 64 bytes behind it; or what lies on both sides of
 * a page's end. */
static VOID access(volatile UCHAR *registers)
{
#if defined(DEVICE_BY_VECTOR)
    __asm__ volatile("movups (%0), %%xmm0" : : "r"(registers) : "xmm0");
#elif defined(DEVICE_TO_DEVICE)
    const volatile UCHAR *from = registers;
    volatile UCHAR *to = registers + 64;

    __asm__ volatile("movsl" : "+S"(from), "+D"(to) : : "memory");
#elif defined(DEVICE_ACROSS)
    *(volatile ULONG *)(registers + REGISTERS_BYTES - 2) = 1;
#else /* DEVICE_EXECUTED */
    ((VOID(*)(VOID))(ULONG_PTR)registers)();
#endif
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    PHYSICAL_ADDRESS at = {.QuadPart = REGISTERS};
    PVOID registers = MmMapIoSpace(at, MAPPED_BYTES, MmNonCached);
    NTSTATUS status = STATUS_SUCCESS;

    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    if (registers == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    __try {
        access(registers);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        status = GetExceptionCode();
    }
    MmUnmapIoSpace(registers, MAPPED_BYTES);
    return status;
}
