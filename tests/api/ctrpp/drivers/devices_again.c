/* devices_again.c - what the generated Register does not do: the same counter
 * set once more, and flags, with a handle of the driver's own (CTR-GEN-03).
 * Tests call these by name. */
#include "../golden/devices_driver.h"

ULONG64 register_again(ULONG64 flags);
ULONG64 unregister_again(void);

static PPCW_REGISTRATION again;

ULONG64 register_again(ULONG64 flags)
{
    PCW_REGISTRATION_INFORMATION information;

    DemoInitRegistrationInformationBus(NULL, NULL, &information);
    information.Flags = (PCW_REGISTRATION_FLAGS)flags;
    return (ULONG)PcwRegister(&again, &information);
}

ULONG64 unregister_again(void)
{
    PcwUnregister(again);
    return DemoBus != NULL && DemoBus != again;
}
