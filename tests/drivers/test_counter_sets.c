/* test_counter_sets.c - the versions that a driver's headers know, by the
 * Windows that it is built for (PCW-TYPE-01), and what they have besides
 * (PCW-TYPE-02). Compiled with NTDDI_VERSION and what is wanted then. */
#include <ntddk.h>

_Static_assert(PCW_VERSION_1 == 0x0100, "PCW_VERSION_1");
_Static_assert(PCW_CURRENT_VERSION == WANT_CURRENT, "PCW_CURRENT_VERSION");
_Static_assert(PCW_ANY_INSTANCE_ID == 0xFFFFFFFF, "PCW_ANY_INSTANCE_ID");

#ifdef WANT_VERSION_2
_Static_assert(PCW_VERSION_2 == WANT_VERSION_2, "PCW_VERSION_2");
_Static_assert(PcwRegistrationNone == 0, "PcwRegistrationNone");
_Static_assert(PcwRegistrationSiloNeutral == 1, "PcwRegistrationSiloNeutral");
_Static_assert(offsetof(PCW_REGISTRATION_INFORMATION, Flags) == 48, "Flags");
_Static_assert(sizeof(PCW_REGISTRATION_INFORMATION) == 56, "information");
#else
#ifdef PCW_VERSION_2
#error "PCW_VERSION_2 is there too early"
#endif
_Static_assert(sizeof(PCW_REGISTRATION_INFORMATION) == 48, "information");
#endif
