/* layout_windows7.c - the counter resources of a driver that is built for
 * Windows 7 (facts.md 2.1). Compiled with NTDDI_VERSION=NTDDI_WIN7. */
#include <ntddk.h>

typedef PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR descriptor;
typedef PHYSICAL_COUNTER_RESOURCE_LIST list;

_Static_assert(NTDDI_VERSION == 0x06010000, "Windows 7");

_Static_assert(sizeof(PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE) == 4, "type");
_Static_assert(ResourceTypeSingle == 0, "ResourceTypeSingle");
_Static_assert(ResourceTypeRange == 1, "ResourceTypeRange");
_Static_assert(ResourceTypeExtendedCounterConfiguration == 2, "extended");
_Static_assert(ResourceTypeOverflow == 3, "ResourceTypeOverflow");
_Static_assert(ResourceTypeMax == 4, "ResourceTypeMax");

_Static_assert(sizeof(descriptor) == 16, "descriptor");
_Static_assert(offsetof(descriptor, Type) == 0, "Type");
_Static_assert(offsetof(descriptor, Flags) == 4, "Flags");
_Static_assert(offsetof(descriptor, u) == 8, "u");
_Static_assert(offsetof(descriptor, u.CounterIndex) == 8, "CounterIndex");
_Static_assert(offsetof(descriptor, u.ExtendedRegisterAddress) == 8, "address");
_Static_assert(offsetof(descriptor, u.Range.Begin) == 8, "Begin");
_Static_assert(offsetof(descriptor, u.Range.End) == 12, "End");

_Static_assert(sizeof(list) == 20, "list");
_Static_assert(offsetof(list, Count) == 0, "Count");
_Static_assert(offsetof(list, Descriptors) == 4, "Descriptors");
