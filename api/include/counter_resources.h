/* counter_resources.h - PHYSICAL_COUNTER_* and HalAllocateHardwareCounters of
 * Windows 10 1903 and later (facts.md 2.1). For ntddk.h only. */
#ifndef NTPMU_INCLUDE_COUNTER_RESOURCES_H
#define NTPMU_INCLUDE_COUNTER_RESOURCES_H

typedef enum _PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE {
    ResourceTypeSingle = 0,
    ResourceTypeRange = 1,
    ResourceTypeExtendedCounterConfiguration = 2,
    ResourceTypeOverflow = 3,
    ResourceTypeEventBuffer = 4,
    ResourceTypeIdenitificationTag = 5, /* [sic], as in the WDK */
    ResourceTypeMax = 6
} PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE;

/* Both without NTAPI (HAL-TYPE-04): x64 has one convention. */
typedef VOID (*PPHYSICAL_COUNTER_OVERFLOW_HANDLER)(
    ULONGLONG OverflowBits, HANDLE OwningHandle);
typedef VOID (*PPHYSICAL_COUNTER_EVENT_BUFFER_OVERFLOW_HANDLER)(
    PVOID EventBuffer, SIZE_T EntrySize, SIZE_T NumberOfEntries,
    HANDLE OwningHandle);

typedef struct _PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION {
    PPHYSICAL_COUNTER_EVENT_BUFFER_OVERFLOW_HANDLER OverflowHandler;
    ULONG CustomEventBufferEntrySize; /* 0 (HAL-EVB-04a) */
    ULONG EventThreshold;
} PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION,
    *PPHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION;

typedef struct _PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR {
    PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE Type;
    ULONG Flags; /* 0 (HAL-TYPE-02) */
    union {
        ULONG CounterIndex;
        struct {
            ULONG Begin; /* first index (HAL-TYPE-05a) */
            ULONG End;   /* last index */
        } Range;
        PPHYSICAL_COUNTER_OVERFLOW_HANDLER OverflowHandler;
        PHYSICAL_COUNTER_EVENT_BUFFER_CONFIGURATION EventBufferConfiguration;
        ULONG IdentificationTag;
    } u;
} PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR, *PPHYSICAL_COUNTER_RESOURCE_DESCRIPTOR;

/* As long as the offset of Descriptors[Count] says (HAL-TYPE-01). */
typedef struct _PHYSICAL_COUNTER_RESOURCE_LIST {
    ULONG Count;
    PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR Descriptors[ANYSIZE_ARRAY];
} PHYSICAL_COUNTER_RESOURCE_LIST, *PPHYSICAL_COUNTER_RESOURCE_LIST;

NTHALAPI NTSTATUS NTAPI HalAllocateHardwareCounters(
    PGROUP_AFFINITY GroupAffinty, /* [sic] */
    ULONG GroupCount, PPHYSICAL_COUNTER_RESOURCE_LIST ResourceList,
    PHANDLE CounterSetHandle);

#endif
