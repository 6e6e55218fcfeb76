/* lookup.c - functions that tests call by name: each looks a routine of the
 * kernel up, and calls what it finds. */
#include <ntddk.h>

DRIVER_INITIALIZE DriverEntry;

ULONG64 is_there(PUNICODE_STRING name);
ULONG64 is_there_raised(PUNICODE_STRING name);
ULONG64 level_by_address(ULONG64 irql);
ULONG64 pool_by_address(ULONG64 bytes);
ULONG64 build_by_address(void);

static PVOID find(PCWSTR name)
{
    UNICODE_STRING string;

    RtlInitUnicodeString(&string, name);
    return MmGetSystemRoutineAddress(&string);
}

ULONG64 is_there(PUNICODE_STRING name)
{
    return MmGetSystemRoutineAddress(name) != NULL;
}

ULONG64 is_there_raised(PUNICODE_STRING name)
{
    KIRQL old;

    KeRaiseIrql(APC_LEVEL, &old);
    return is_there(name);
}

/* What the routine says at a level. */
ULONG64 level_by_address(ULONG64 irql)
{
    KIRQL(NTAPI * get)(VOID) = (KIRQL(NTAPI *)(VOID))find(L"KeGetCurrentIrql");
    ULONG64 level;
    KIRQL old;

    KeRaiseIrql((KIRQL)irql, &old);
    level = get();
    KeLowerIrql(old);
    return level;
}

/* 2: by ExAllocatePool2, whose blocks are zero; 1: by what there was before. */
ULONG64 pool_by_address(ULONG64 bytes)
{
    PVOID(NTAPI * allocate)
    (ULONG64, SIZE_T, ULONG) =
        (PVOID(NTAPI *)(ULONG64, SIZE_T, ULONG))find(L"ExAllocatePool2");
    volatile UCHAR *block;

    if (allocate == NULL) {
        return 1;
    }
    block = allocate(POOL_FLAG_NON_PAGED, bytes, 'kool');
    if (block == NULL || block[bytes - 1] != 0) {
        return 0;
    }
    ExFreePoolWithTag((PVOID)block, 'kool');
    return 2;
}

ULONG64 build_by_address(void)
{
    const ULONG *build = find(L"NtBuildNumber");

    return build == NULL ? 0 : *build;
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING path)
{
    UNREFERENCED_PARAMETER(driver);
    UNREFERENCED_PARAMETER(path);
    return STATUS_SUCCESS;
}
