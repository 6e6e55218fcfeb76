/* hello_seh.c - a driver whose DriverEntry survives a register that is not
 * there: the #GP is caught by its own __except. For clang only. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;
static DRIVER_UNLOAD unload;
static BOOLEAN has_register(ULONG index);

#ifdef ALLOC_PRAGMA
#pragma alloc_text(INIT, DriverEntry)
#pragma alloc_text(PAGE, unload)
#endif

static BOOLEAN has_register(ULONG index)
{
    __try {
        (void)__readmsr(index);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return FALSE;
    }
    return TRUE;
}

static VOID NTAPI unload(PDRIVER_OBJECT driver)
{
    PAGED_CODE();
    UNREFERENCED_PARAMETER(driver);
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(path);
    driver->DriverUnload = unload;
    return has_register(0xFFFFFFFF) ? STATUS_UNSUCCESSFUL : STATUS_SUCCESS;
}
