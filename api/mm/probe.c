/* probe.c - ProbeForRead, ProbeForWrite, MmSecureVirtualMemory: a program's
 * memory, as a driver checks it before it uses it. */
#include <assert.h>
#include <stddef.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/mm/claim.h"
#include "api/mm/copy.h"
#include "api/mm/probing.h"
#include "api/mm/user_memory.h"

enum {
    PROTECT_READ = 0x02,
    PROTECT_WRITE = 0x04,
    UNSECURED = 0x15001, /* parameter 1 of MEMORY_MANAGEMENT */
    LARGEST_ALIGNMENT = 16,
};

static _Noreturn void raise_status(struct kernel *kernel, enum routine routine,
    NTSTATUS status, const void *address)
{
    const struct exception_record record = {
        .code = status, .routine = routine, .address = address};

    exception_raise(kernel, &record);
}

/* Whether all of the bytes are a program's (MMIO-40a). */
static bool is_user(
    const struct kernel *kernel, uint64_t address, uint64_t length)
{
    uint64_t end = address + length;

    return end >= address && end <= user_memory_probe_address(kernel);
}

/* Raises for what is misaligned, or not all of a program's; false: there is
 * nothing to look at. */
static bool probe(enum routine routine, const volatile void *at, SIZE_T length,
    ULONG alignment)
{
    struct kernel *kernel = kernel_current();
    uint64_t address = (uintptr_t)at;

    if (length == 0) {
        return false;
    }
    if (alignment == 0 || alignment > LARGEST_ALIGNMENT ||
        (alignment & (alignment - 1)) != 0) { /* MMIO-40c [C] */
        rule_warn(kernel, kernel_cpu(kernel), RULE_MM_PROBE_ALIGNMENT, routine);
        alignment = 1;
    }
    if (address % alignment != 0) {
        raise_status(kernel, routine, STATUS_DATATYPE_MISALIGNMENT, NULL);
    }
    if (!is_user(kernel, address, length)) {
        raise_status(kernel, routine, STATUS_ACCESS_VIOLATION,
            (const void *)(uintptr_t)address);
    }
    probing_add(kernel, at, length);
    return true;
}

VOID ProbeForRead_body(PVOID Address, SIZE_T Length, ULONG Alignment)
{
    probe(ROUTINE_ProbeForRead, Address, Length, Alignment);
}

VOID ProbeForWrite_body(PVOID Address, SIZE_T Length, ULONG Alignment)
{
    if (probe(ROUTINE_ProbeForWrite, Address, Length, Alignment)) {
        copy_probe(
            kernel_current(), ROUTINE_ProbeForWrite, Address, Length, true);
    }
}

/* What is returned is opaque: it is no address of the range. */
PVOID MmSecureVirtualMemory_body(PVOID Address, SIZE_T Size, ULONG ProbeMode)
{
    struct kernel *kernel = kernel_current();
    unsigned access = ProbeMode == PROTECT_WRITE  ? MEMORY_WRITE
                      : ProbeMode == PROTECT_READ ? MEMORY_READ
                                                  : MEMORY_NONE;
    const struct claim given = {
        .kind = CLAIM_SECURED, .bytes = Size, .secured = (uintptr_t)Address};
    struct claim *claim;

    if (access == MEMORY_NONE || Size == 0 ||
        !is_user(kernel, (uintptr_t)Address, Size) ||
        !memory_allows(&kernel->machine->memory, Address, Size, access)) {
        return NULL;
    }
    claim = claim_add(kernel, &given);
    probing_add(kernel, Address, Size);
    kernel->claims->secured++;
    claim->address = kernel->claims->secured * 2 + 1;
    return (PVOID)(uintptr_t)claim->address;
}

VOID MmUnsecureVirtualMemory_body(PVOID SecureHandle)
{
    struct kernel *kernel = kernel_current();
    struct claim *claim =
        claim_find(kernel, CLAIM_SECURED, (uintptr_t)SecureHandle);
    const struct bugcheck_parameter parameter[4] = {
        {.value = UNSECURED}, {.value = (uintptr_t)SecureHandle}};

    if (claim == NULL) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_MM_UNSECURE,
            ROUTINE_MmUnsecureVirtualMemory, parameter);
    }
    claim_end(kernel, ROUTINE_MmUnsecureVirtualMemory, claim);
}
