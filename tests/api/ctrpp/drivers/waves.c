/* waves.c - a driver with the counters of waves.man, by -backcompat: it imports
 * no Pcw routine and finds them when it registers (CTR-CLI-07). With HIDDEN it
 * is on a Windows that has none. */
#include <wdm.h>

#ifdef HIDDEN
PVOID find_nothing(PUNICODE_STRING name)
{
    UNREFERENCED_PARAMETER(name);
    return NULL;
}
#define MmGetSystemRoutineAddress find_nothing
#endif

typedef struct {
    ULONG Sine, Square;
    ULONG64 Hidden;
} WAVES;

#include "waves.h"

DRIVER_INITIALIZE DriverEntry;
DRIVER_UNLOAD unload;

static WAVES waves = {1, 2, 3};
static PPCW_INSTANCE instance;

void NTAPI unload(DRIVER_OBJECT *driver)
{
    UNREFERENCED_PARAMETER(driver);
    DemoCloseWaves(instance);
    DemoUnregisterWaves();
}

NTSTATUS NTAPI DriverEntry(DRIVER_OBJECT *driver, UNICODE_STRING *path)
{
    UNICODE_STRING name;
    NTSTATUS status = DemoRegisterWaves(NULL, NULL);

    UNREFERENCED_PARAMETER(path);
    if (!NT_SUCCESS(status)) {
        return status;
    }
    driver->DriverUnload = unload;
    RtlInitUnicodeString(&name, L"all");
    return DemoCreateWaves(&instance, &name, &waves);
}
