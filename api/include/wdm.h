/* wdm.h - what a driver gets for #include <wdm.h>: mingw-w64's header, with
 * what it lacks. Knows nothing of our own side, which is api/nt. */
#ifndef NTPMU_INCLUDE_WDM_H
#define NTPMU_INCLUDE_WDM_H

/* First, because it says how inline functions are declared. */
#include <intrin.h>

#include_next <wdm.h>

/* Sources ask for it before they place functions in PAGE and INIT. */
#ifndef ALLOC_PRAGMA
#define ALLOC_PRAGMA 1
#endif

/* Annotations for static analysis that driverspecs.h has not yet. */
#ifndef _Dispatch_type_
#define _Dispatch_type_(function)
#endif
#ifndef _IRQL_saves_global_
#define _IRQL_saves_global_(kind, parameter)
#define _IRQL_restores_global_(kind, parameter)
#endif

/* On x64 it is inline; mingw has it for x86 and ARM. */
#ifndef KeMemoryBarrier
FORCEINLINE VOID KeMemoryBarrier(VOID)
{
    __asm__ __volatile__("mfence" : : : "memory");
}
#define KeMemoryBarrier KeMemoryBarrier
#endif

/* Performance counter sets, which mingw lacks. */
#include <counter_sets.h>

/* What makes a pool type one that is not executable. */
#ifndef POOL_NX_ALLOCATION
#define POOL_NX_ALLOCATION 512
#endif

/* Flags of ExAllocatePool2 (POOL-02). */
#ifndef POOL_FLAG_USE_QUOTA
typedef ULONG64 POOL_FLAGS;
#define POOL_FLAG_USE_QUOTA 0x0000000000000001ULL
#define POOL_FLAG_UNINITIALIZED 0x0000000000000002ULL
#define POOL_FLAG_SESSION 0x0000000000000004ULL
#define POOL_FLAG_CACHE_ALIGNED 0x0000000000000008ULL
#define POOL_FLAG_RAISE_ON_FAILURE 0x0000000000000020ULL
#define POOL_FLAG_NON_PAGED 0x0000000000000040ULL
#define POOL_FLAG_NON_PAGED_EXECUTE 0x0000000000000080ULL
#define POOL_FLAG_PAGED 0x0000000000000100ULL
#define POOL_FLAG_SPECIAL_POOL 0x0000000100000000ULL

/* Windows 10 2004 and later (POOL-04); NULL on failure (POOL-01). */
#if NTDDI_VERSION >= NTDDI_WIN10_VB
NTKERNELAPI PVOID NTAPI ExAllocatePool2(
    POOL_FLAGS Flags, SIZE_T NumberOfBytes, ULONG Tag);
#endif
#endif

/* Windows 8 and later. */
#if NTDDI_VERSION >= 0x06020000
NTKERNELAPI BOOLEAN NTAPI IoTryQueueWorkItem(PIO_WORKITEM IoWorkItem,
    PIO_WORKITEM_ROUTINE_EX WorkerRoutine, WORK_QUEUE_TYPE QueueType,
    PVOID Context);
#endif

/* mingw has them for x86 alone. */
#ifdef _AMD64_
NTKERNELAPI NTSTATUS NTAPI KeSaveFloatingPointState(PKFLOATING_SAVE FloatSave);
NTKERNELAPI NTSTATUS NTAPI KeRestoreFloatingPointState(
    PKFLOATING_SAVE FloatSave);
#endif

/* On x64 they are inline: mingw's copy to the registers, not from them, and it
 * has none of 64 bits (MMIO-08). */
#ifdef _AMD64_
FORCEINLINE VOID ntpmu_read_register_buffer_uchar(
    PUCHAR Register, PUCHAR Buffer, ULONG Count)
{
    __movsb(Buffer, Register, Count);
}
#define READ_REGISTER_BUFFER_UCHAR ntpmu_read_register_buffer_uchar

FORCEINLINE VOID ntpmu_read_register_buffer_ushort(
    PUSHORT Register, PUSHORT Buffer, ULONG Count)
{
    __movsw(Buffer, Register, Count);
}
#define READ_REGISTER_BUFFER_USHORT ntpmu_read_register_buffer_ushort

FORCEINLINE VOID ntpmu_read_register_buffer_ulong(
    PULONG Register, PULONG Buffer, ULONG Count)
{
    __movsd(Buffer, Register, Count);
}
#define READ_REGISTER_BUFFER_ULONG ntpmu_read_register_buffer_ulong

#ifndef READ_REGISTER_ULONG64
FORCEINLINE ULONG64 READ_REGISTER_ULONG64(volatile ULONG64 *Register)
{
    return *Register;
}
#define READ_REGISTER_ULONG64 READ_REGISTER_ULONG64

FORCEINLINE VOID WRITE_REGISTER_ULONG64(
    volatile ULONG64 *Register, ULONG64 Value)
{
    *Register = Value;
    KeMemoryBarrier();
}
#define WRITE_REGISTER_ULONG64 WRITE_REGISTER_ULONG64
#endif
#endif

/* Of RtlQueryRegistryValues, Windows 8 and updates of those before. */
#ifndef RTL_QUERY_REGISTRY_TYPECHECK
#define RTL_QUERY_REGISTRY_TYPECHECK 0x00000100
#define RTL_QUERY_REGISTRY_TYPECHECK_SHIFT 24
#endif

/* Locks that mingw lacks. */
#ifndef EX_PUSH_LOCK_AUTO_EXPAND_SHIFT
typedef LONG EX_SPIN_LOCK, *PEX_SPIN_LOCK;
typedef ULONG_PTR EX_PUSH_LOCK, *PEX_PUSH_LOCK;
#endif

#endif
