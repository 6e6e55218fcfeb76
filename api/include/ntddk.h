/* ntddk.h - what a driver gets for #include <ntddk.h>: mingw-w64's header, with
 * the counter resources in the shape of Windows 10 1903 (facts.md 2.1). For an
 * NTDDI_VERSION below NTDDI_WIN10_19H1 they keep mingw's, which is that of
 * Windows 7. */
#ifndef NTPMU_INCLUDE_NTDDK_H
#define NTPMU_INCLUDE_NTDDK_H

#include <wdm.h>

#if NTDDI_VERSION >= NTDDI_WIN10_19H1

/* mingw's own get other names, so that these are free. */
#define _PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE _WIN7_COUNTER_DESCRIPTOR_TYPE
#define PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE WIN7_COUNTER_DESCRIPTOR_TYPE
#define ResourceTypeSingle Win7ResourceTypeSingle
#define ResourceTypeRange Win7ResourceTypeRange
#define ResourceTypeExtendedCounterConfiguration Win7ResourceTypeExtended
#define ResourceTypeOverflow Win7ResourceTypeOverflow
#define ResourceTypeMax Win7ResourceTypeMax
#define _PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR _WIN7_COUNTER_DESCRIPTOR
#define PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR WIN7_COUNTER_DESCRIPTOR
#define PPHYSICAL_COUNTER_RESOURCE_DESCRIPTOR PWIN7_COUNTER_DESCRIPTOR
#define _PHYSICAL_COUNTER_RESOURCE_LIST _WIN7_COUNTER_LIST
#define PHYSICAL_COUNTER_RESOURCE_LIST WIN7_COUNTER_LIST
#define PPHYSICAL_COUNTER_RESOURCE_LIST PWIN7_COUNTER_LIST
#define HalAllocateHardwareCounters Win7HalAllocateHardwareCounters

#include_next <ntddk.h>

#undef _PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE
#undef PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE
#undef ResourceTypeSingle
#undef ResourceTypeRange
#undef ResourceTypeExtendedCounterConfiguration
#undef ResourceTypeOverflow
#undef ResourceTypeMax
#undef _PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR
#undef PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR
#undef PPHYSICAL_COUNTER_RESOURCE_DESCRIPTOR
#undef _PHYSICAL_COUNTER_RESOURCE_LIST
#undef PHYSICAL_COUNTER_RESOURCE_LIST
#undef PPHYSICAL_COUNTER_RESOURCE_LIST
#undef HalAllocateHardwareCounters

#include <counter_resources.h>

#else

#include_next <ntddk.h>

#endif

#if NTDDI_VERSION >= NTDDI_WINBLUE

#define MM_COPY_MEMORY_PHYSICAL 0x1
#define MM_COPY_MEMORY_VIRTUAL 0x2

typedef struct _MM_COPY_ADDRESS {
    union {
        PVOID VirtualAddress;
        PHYSICAL_ADDRESS PhysicalAddress;
    };
} MM_COPY_ADDRESS, *PMMCOPY_ADDRESS;

NTKERNELAPI NTSTATUS NTAPI MmCopyMemory(PVOID TargetAddress,
    MM_COPY_ADDRESS SourceAddress, SIZE_T NumberOfBytes, ULONG Flags,
    PSIZE_T NumberOfBytesTransferred);

#endif

/* Windows 7 and later. */
NTKERNELAPI PVOID NTAPI PsGetCurrentThreadTeb(VOID);

#endif
