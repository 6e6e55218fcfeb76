/* counter_sets.h - providers of performance counter sets, PCW_* and Pcw*, as
 * wdm.h of Windows 7 to 11 has them (facts.md 5.1). For wdm.h only. */
#ifndef NTPMU_INCLUDE_COUNTER_SETS_H
#define NTPMU_INCLUDE_COUNTER_SETS_H

/* PCW-TYPE-01: a driver for NTDDI_WIN10_MN knows version 2 and has version 1 as
 * its own. */
#define PCW_VERSION_1 0x0100
#if NTDDI_VERSION >= NTDDI_WIN10_MN
#define PCW_VERSION_2 0x0200
#endif
#if NTDDI_VERSION >= NTDDI_WIN10_FE
#define PCW_CURRENT_VERSION PCW_VERSION_2
#else
#define PCW_CURRENT_VERSION PCW_VERSION_1
#endif

/* In a header of its own in the WDK (PCW-TYPE-02). */
#define PCW_ANY_INSTANCE_ID 0xFFFFFFFFu

typedef struct _PCW_REGISTRATION *PPCW_REGISTRATION, **PPPCW_REGISTRATION;
typedef struct _PCW_INSTANCE *PPCW_INSTANCE, **PPPCW_INSTANCE;
typedef struct _PCW_BUFFER *PPCW_BUFFER;

typedef struct _PCW_DATA {
    const VOID *Data;
    ULONG Size; /* bytes */
} PCW_DATA, *PPCW_DATA;

typedef struct _PCW_COUNTER_INFORMATION {
    ULONG64 CounterMask; /* bit x: counter x */
    PCUNICODE_STRING InstanceMask;
} PCW_COUNTER_INFORMATION, *PPCW_COUNTER_INFORMATION;

typedef struct _PCW_MASK_INFORMATION {
    ULONG64 CounterMask;
    PCUNICODE_STRING InstanceMask;
    ULONG InstanceId; /* or PCW_ANY_INSTANCE_ID */
    BOOLEAN CollectMultiple;
    PPCW_BUFFER Buffer;
    PKEVENT CancelEvent;
} PCW_MASK_INFORMATION, *PPCW_MASK_INFORMATION;

/* Which member holds is the callback's type's to say (PCW-TYPE-04). */
typedef union _PCW_CALLBACK_INFORMATION {
    PCW_COUNTER_INFORMATION AddCounter;
    PCW_COUNTER_INFORMATION RemoveCounter;
    PCW_MASK_INFORMATION EnumerateInstances;
    PCW_MASK_INFORMATION CollectData;
} PCW_CALLBACK_INFORMATION, *PPCW_CALLBACK_INFORMATION;

typedef enum _PCW_CALLBACK_TYPE {
    PcwCallbackAddCounter = 0,
    PcwCallbackRemoveCounter = 1,
    PcwCallbackEnumerateInstances = 2,
    PcwCallbackCollectData = 3
} PCW_CALLBACK_TYPE;

typedef NTSTATUS NTAPI PCW_CALLBACK(
    PCW_CALLBACK_TYPE Type, PPCW_CALLBACK_INFORMATION Info, PVOID Context);
typedef PCW_CALLBACK *PPCW_CALLBACK;

typedef struct _PCW_COUNTER_DESCRIPTOR {
    USHORT Id; /* as in the manifest */
    USHORT StructIndex;
    USHORT Offset; /* bytes */
    USHORT Size;   /* 4 or 8 */
} PCW_COUNTER_DESCRIPTOR, *PPCW_COUNTER_DESCRIPTOR;

#if NTDDI_VERSION >= NTDDI_WIN10_MN
typedef enum _PCW_REGISTRATION_FLAGS {
    PcwRegistrationNone = 0,
    PcwRegistrationSiloNeutral = 1
} PCW_REGISTRATION_FLAGS;
#endif

typedef struct _PCW_REGISTRATION_INFORMATION {
    ULONG Version;
    PCUNICODE_STRING Name;
    ULONG CounterCount;
    PPCW_COUNTER_DESCRIPTOR Counters;
    PPCW_CALLBACK Callback; /* may be NULL */
    PVOID CallbackContext;
#if NTDDI_VERSION >= NTDDI_WIN10_MN
    PCW_REGISTRATION_FLAGS Flags;
#endif
} PCW_REGISTRATION_INFORMATION, *PPCW_REGISTRATION_INFORMATION;

#ifdef __cplusplus
extern "C" {
#endif

NTKERNELAPI NTSTATUS NTAPI PcwRegister(
    PPCW_REGISTRATION *Registration, PPCW_REGISTRATION_INFORMATION Info);
NTKERNELAPI VOID NTAPI PcwUnregister(PPCW_REGISTRATION Registration);
NTKERNELAPI NTSTATUS NTAPI PcwCreateInstance(PPCW_INSTANCE *Instance,
    PPCW_REGISTRATION Registration, PCUNICODE_STRING Name, ULONG Count,
    PPCW_DATA Data);
NTKERNELAPI VOID NTAPI PcwCloseInstance(PPCW_INSTANCE Instance);
NTKERNELAPI NTSTATUS NTAPI PcwAddInstance(PPCW_BUFFER Buffer,
    PCUNICODE_STRING Name, ULONG Id, ULONG Count, PPCW_DATA Data);

#ifdef __cplusplus
}
#endif

#endif
