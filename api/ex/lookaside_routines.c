/* lookaside_routines.c - lookaside lists as drivers use them: made, flushed,
 * deleted by the kernel; taken from and given back to by the driver's own code,
 * which the WDK has inline (executive.md 9). */
#include "api/core/exception.h"
#include "api/core/gate.h"
#include "api/core/integrity.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/ex/lookaside.h"
#include "api/ex/pool.h"
#include "api/ex/slist.h"
#include "api/ke/code.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

enum {
    TYPE_NO_RAISE = 8, /* POOL_QUOTA_FAIL_INSTEAD_OF_RAISE */
    TYPE_RAISE = 16,   /* POOL_RAISE_IF_ALLOCATION_FAILURE */
    TYPE_NX = 512,     /* POOL_NX_ALLOCATION */
    RAISE_ON_FAIL = 1, /* EX_LOOKASIDE_LIST_EX_FLAGS_... */
    FAIL_NO_RAISE = 2,
    DEPTH = 4, /* LOOK-06 [C] */
    DEPTH_MOST = 256,
    BLOCK_LEAST = 8, /* LOOKASIDE_MINIMUM_BLOCK_SIZE */
};

/* What a list is to be. */
struct wanted {
    enum routine routine;
    enum lookaside_kind kind;
    size_t head_bytes;
    uint32_t type;
    uint64_t size, allocate, free;
    uint32_t tag;
    uint16_t depth; /* reserved */
};

static void warn(struct kernel *kernel, enum rule rule, enum routine routine)
{
    rule_warn(kernel, kernel_cpu(kernel), rule, routine);
}

/* LOOK-06 [C]. */
static uint16_t depth(const struct kernel *kernel)
{
    return ruling_is(kernel, RULED_LOOK_06_number)
               ? (uint16_t)ruling_number(kernel, RULING_LOOK_06)
               : DEPTH;
}

/* LOOK-06 [C]. */
static uint32_t block_size(struct kernel *kernel, const struct wanted *wanted)
{
    if (wanted->size >= BLOCK_LEAST) {
        return (uint32_t)wanted->size;
    }
    warn(kernel, RULE_LOOKASIDE_SMALL, wanted->routine);
    return BLOCK_LEAST;
}

/* CI-02: entries of pool that is executable. */
static void report_type(struct kernel *kernel, const struct wanted *wanted)
{
    const struct bugcheck_parameter parameter[3] = {
        {.value = place_current(kernel), .name = "driver code"},
        {.value = wanted->type}, {.value = wanted->tag}};

    if ((wanted->type & (PagedPool | TYPE_NX)) == 0) {
        integrity_report(kernel, RULE_INTEGRITY_POOL_TYPE, wanted->routine,
            place_current(kernel), "", parameter);
    }
}

static void initialize(
    struct kernel *kernel, void *address, const struct wanted *wanted)
{
    const enum routine routine = wanted->routine;
    uint64_t allocate = wanted->allocate, release = wanted->free;
    GENERAL_LOOKASIDE_POOL head = {.Depth = depth(kernel),
        .MaximumDepth = DEPTH_MOST,
        .Type = (POOL_TYPE)wanted->type,
        .Tag = wanted->tag};

    copy_probe(kernel, routine, address, wanted->head_bytes, true);
    report_type(kernel, wanted);
    if (wanted->depth != 0) {
        warn(kernel, RULE_LOOKASIDE_RESERVED, routine);
    }
    head.Size = block_size(kernel, wanted);
    head.Allocate =
        (PVOID)(uintptr_t)(allocate != 0 ? allocate
                                         : code_of_routine(kernel,
                                               ROUTINE_ExAllocatePoolWithTag));
    head.Free = (PVOID)(uintptr_t)(release != 0 ? release
                                                : code_of_routine(kernel,
                                                      ROUTINE_ExFreePool));
    lookaside_make(kernel, routine, address, wanted->kind);
    copy_out(kernel, routine, address, &head, sizeof(head));
}

/* LOOK-01: what the flags make of the type. */
static uint32_t type_of(struct kernel *kernel, enum routine routine,
    POOL_TYPE type, ULONG flags, ULONG known)
{
    if (kernel->os < &os_rows[OS_WIN8]) {
        known = 0;
    }
    if ((flags & ~known) != 0) {
        warn(kernel, RULE_LOOKASIDE_RESERVED, routine);
    }
    return (uint32_t)type | (flags & known);
}

VOID ExInitializeNPagedLookasideList_body(PNPAGED_LOOKASIDE_LIST Lookaside,
    PALLOCATE_FUNCTION Allocate, PFREE_FUNCTION Free, ULONG Flags, SIZE_T Size,
    ULONG Tag, USHORT Depth)
{
    const enum routine routine = ROUTINE_ExInitializeNPagedLookasideList;
    struct kernel *kernel = kernel_current();
    const struct wanted wanted = {.routine = routine,
        .kind = LOOKASIDE_NONPAGED,
        .head_bytes = sizeof(*Lookaside),
        .type =
            type_of(kernel, routine, NonPagedPool, Flags, TYPE_RAISE | TYPE_NX),
        .size = Size,
        .allocate = (uintptr_t)Allocate,
        .free = (uintptr_t)Free,
        .tag = Tag,
        .depth = Depth};

    initialize(kernel, Lookaside, &wanted);
}

VOID ExInitializePagedLookasideList_body(PPAGED_LOOKASIDE_LIST Lookaside,
    PALLOCATE_FUNCTION Allocate, PFREE_FUNCTION Free, ULONG Flags, SIZE_T Size,
    ULONG Tag, USHORT Depth)
{
    const enum routine routine = ROUTINE_ExInitializePagedLookasideList;
    struct kernel *kernel = kernel_current();
    const struct wanted wanted = {.routine = routine,
        .kind = LOOKASIDE_PAGED,
        .head_bytes = sizeof(*Lookaside),
        .type = type_of(kernel, routine, PagedPool, Flags, TYPE_RAISE),
        .size = Size,
        .allocate = (uintptr_t)Allocate,
        .free = (uintptr_t)Free,
        .tag = Tag,
        .depth = Depth};

    initialize(kernel, Lookaside, &wanted);
}

/* The pools that entries may be of; NonPagedPoolNx came with Windows 8. */
static bool is_pool(const struct kernel *kernel, POOL_TYPE type)
{
    return type == NonPagedPool || type == PagedPool ||
           (type == NonPagedPoolNx && kernel->os >= &os_rows[OS_WIN8]);
}

/* LOOK-03: as the callback is told. */
static uint32_t type_with_flags(POOL_TYPE type, ULONG flags)
{
    return (uint32_t)type | ((flags & RAISE_ON_FAIL) != 0 ? TYPE_RAISE : 0) |
           ((flags & FAIL_NO_RAISE) != 0 ? TYPE_NO_RAISE : 0);
}

NTSTATUS ExInitializeLookasideListEx_body(PLOOKASIDE_LIST_EX Lookaside,
    PALLOCATE_FUNCTION_EX Allocate, PFREE_FUNCTION_EX Free, POOL_TYPE PoolType,
    ULONG Flags, SIZE_T Size, ULONG Tag, USHORT Depth)
{
    const enum routine routine = ROUTINE_ExInitializeLookasideListEx;
    struct kernel *kernel = kernel_current();
    const struct wanted wanted = {.routine = routine,
        .kind = LOOKASIDE_EX,
        .head_bytes = sizeof(*Lookaside),
        .type = type_with_flags(PoolType, Flags),
        .size = Size,
        .allocate = (uintptr_t)Allocate,
        .free = (uintptr_t)Free,
        .tag = Tag,
        .depth = Depth};

    if (!is_pool(kernel, PoolType)) {
        return STATUS_INVALID_PARAMETER_4;
    }
    if (Flags > FAIL_NO_RAISE) { /* LOOK-06 [C]: nor both of them */
        return STATUS_INVALID_PARAMETER_5;
    }
    if (Flags == FAIL_NO_RAISE && wanted.allocate == 0) {
        warn(kernel, RULE_LOOKASIDE_NO_ALLOCATE, routine);
    }
    initialize(kernel, Lookaside, &wanted);
    return STATUS_SUCCESS;
}

/* A driver's own routine, called by the driver's inline code or by the kernel:
 * then what it raises is nobody's. */
static uint64_t call_driver(struct kernel *kernel, enum routine routine,
    uint64_t address, const uint64_t argument[CODE_ARGUMENTS])
{
    bool hides = routine_rows[routine].image != IMAGE_INLINE;
    uint8_t irql = irql_current(kernel, kernel_cpu(kernel));
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = irql}};
    struct exception_frame *hidden = hides ? exception_hide(kernel) : NULL;
    uint64_t result;

    if (!code_is_at(kernel, address)) {
        rule_stop(
            kernel, kernel_cpu(kernel), RULE_CODE_NOT_CODE, routine, parameter);
    }
    result = code_call(kernel, address, argument);
    if (irql_current(kernel, kernel_cpu(kernel)) != irql) {
        rule_stop_at(kernel, kernel_cpu(kernel), RULE_LOOKASIDE_IRQL, routine,
            address, parameter);
    }
    if (hides) {
        exception_show(kernel, hidden);
    }
    return result;
}

static GENERAL_LOOKASIDE_POOL read_head(
    struct kernel *kernel, enum routine routine, const void *address)
{
    GENERAL_LOOKASIDE_POOL head;

    copy_in(kernel, routine, &head, address, sizeof(head));
    return head;
}

/* The callback's address is its own or a routine's of the kernel. */
static bool is_routine(
    struct kernel *kernel, const void *address, enum routine routine)
{
    return address == NULL ||
           (uintptr_t)address == code_of_routine(kernel, routine);
}

/* Entries of the paged kind take APC_LEVEL at the most. */
static void check_level(struct kernel *kernel, enum routine routine,
    const GENERAL_LOOKASIDE_POOL *head)
{
    struct cpu *cpu = kernel_cpu(kernel);
    uint8_t limit = irql_number(kernel, LEVEL_APC_LEVEL);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name},
        {.value = irql_current(kernel, cpu)}, {.value = limit}};

    if (((uint32_t)head->Type & PagedPool) == 0 ||
        irql_current(kernel, cpu) <= limit) {
        return;
    }
    if (!ruling_is(kernel, RULED_IRQL_GEN_01_event)) {
        rule_stop(kernel, cpu, RULE_IRQL_CONTRACT, routine, parameter);
    }
    rule_report(kernel, cpu, RULE_IRQL_CONTRACT, routine);
}

static void free_entry(struct kernel *kernel, enum routine routine,
    void *address, const GENERAL_LOOKASIDE_POOL *head, void *entry)
{
    const uint64_t argument[CODE_ARGUMENTS] = {
        (uintptr_t)entry, (uintptr_t)address};

    if (!is_routine(kernel, head->Free, ROUTINE_ExFreePool)) {
        call_driver(kernel, routine, (uintptr_t)head->Free, argument);
    } else if (routine_rows[routine].image == IMAGE_INLINE) {
        gate_call(ROUTINE_ExFreePool, argument);
    } else {
        pool_free(kernel, kernel_cpu(kernel), routine, entry, 0);
    }
}

/* LOOK-04. */
static void flush(enum routine routine, void *address, enum lookaside_kind kind)
{
    struct kernel *kernel = kernel_current();
    GENERAL_LOOKASIDE_POOL head;
    void *entry;

    lookaside_get(kernel, routine, address, kind);
    head = read_head(kernel, routine, address);
    check_level(kernel, routine, &head);
    while ((entry = slist_pop(kernel, routine, address)) != NULL) {
        free_entry(kernel, routine, address, &head, entry);
    }
}

static void delete (
    enum routine routine, void *address, enum lookaside_kind kind)
{
    struct kernel *kernel = kernel_current();

    flush(routine, address, kind);
    lookaside_forget(kernel, lookaside_get(kernel, routine, address, kind));
}

VOID ExDeleteNPagedLookasideList_body(PNPAGED_LOOKASIDE_LIST Lookaside)
{
    delete (ROUTINE_ExDeleteNPagedLookasideList, Lookaside, LOOKASIDE_NONPAGED);
}

VOID ExDeletePagedLookasideList_body(PPAGED_LOOKASIDE_LIST Lookaside)
{
    delete (ROUTINE_ExDeletePagedLookasideList, Lookaside, LOOKASIDE_PAGED);
}

VOID ExDeleteLookasideListEx_body(PLOOKASIDE_LIST_EX Lookaside)
{
    delete (ROUTINE_ExDeleteLookasideListEx, Lookaside, LOOKASIDE_EX);
}

VOID ExFlushLookasideListEx_body(PLOOKASIDE_LIST_EX Lookaside)
{
    flush(ROUTINE_ExFlushLookasideListEx, Lookaside, LOOKASIDE_EX);
}

/* The counter at `offset` of the head goes up by one. */
static void count(
    struct kernel *kernel, enum routine routine, void *address, size_t offset)
{
    ULONG *at = (ULONG *)(void *)((uint8_t *)address + offset);
    ULONG value;

    copy_in(kernel, routine, &value, at, sizeof(value));
    value++;
    copy_out(kernel, routine, at, &value, sizeof(value));
}

/* What the WDK compiles into a driver, call for call (LOOK-02). */
static void *allocate(
    enum routine routine, void *address, enum lookaside_kind kind)
{
    struct kernel *kernel = kernel_current();
    uint64_t argument[CODE_ARGUMENTS] = {(uintptr_t)address};
    GENERAL_LOOKASIDE_POOL head;
    uint64_t entry;

    lookaside_get(kernel, routine, address, kind);
    head = read_head(kernel, routine, address);
    check_level(kernel, routine, &head);
    count(kernel, routine, address,
        offsetof(GENERAL_LOOKASIDE_POOL, TotalAllocates));
    entry = gate_call(ROUTINE_ExpInterlockedPopEntrySList, argument);
    if (entry != 0) {
        return (void *)(uintptr_t)entry;
    }
    count(kernel, routine, address,
        offsetof(GENERAL_LOOKASIDE_POOL, AllocateMisses));
    argument[0] = (uint64_t)head.Type;
    argument[1] = head.Size;
    argument[2] = head.Tag;
    argument[3] = kind == LOOKASIDE_EX ? (uintptr_t)address : 0;
    if (is_routine(kernel, head.Allocate, ROUTINE_ExAllocatePoolWithTag)) {
        entry = gate_call(ROUTINE_ExAllocatePoolWithTag, argument);
    } else {
        entry =
            call_driver(kernel, routine, (uintptr_t)head.Allocate, argument);
    }
    return (void *)(uintptr_t)entry;
}

static void release(
    enum routine routine, void *address, enum lookaside_kind kind, void *entry)
{
    struct kernel *kernel = kernel_current();
    const uint64_t argument[CODE_ARGUMENTS] = {
        (uintptr_t)address, (uintptr_t)entry};
    GENERAL_LOOKASIDE_POOL head;

    lookaside_get(kernel, routine, address, kind);
    head = read_head(kernel, routine, address);
    check_level(kernel, routine, &head);
    count(
        kernel, routine, address, offsetof(GENERAL_LOOKASIDE_POOL, TotalFrees));
    if (gate_call(ROUTINE_ExQueryDepthSList, argument) < head.Depth) {
        gate_call(ROUTINE_ExpInterlockedPushEntrySList, argument);
        return;
    }
    count(
        kernel, routine, address, offsetof(GENERAL_LOOKASIDE_POOL, FreeMisses));
    free_entry(kernel, routine, address, &head, entry);
}

PVOID ExAllocateFromNPagedLookasideList_body(PNPAGED_LOOKASIDE_LIST Lookaside)
{
    return allocate(ROUTINE_ExAllocateFromNPagedLookasideList, Lookaside,
        LOOKASIDE_NONPAGED);
}

PVOID ExAllocateFromPagedLookasideList_body(PPAGED_LOOKASIDE_LIST Lookaside)
{
    return allocate(
        ROUTINE_ExAllocateFromPagedLookasideList, Lookaside, LOOKASIDE_PAGED);
}

PVOID ExAllocateFromLookasideListEx_body(PLOOKASIDE_LIST_EX Lookaside)
{
    return allocate(
        ROUTINE_ExAllocateFromLookasideListEx, Lookaside, LOOKASIDE_EX);
}

VOID ExFreeToNPagedLookasideList_body(
    PNPAGED_LOOKASIDE_LIST Lookaside, PVOID Entry)
{
    release(ROUTINE_ExFreeToNPagedLookasideList, Lookaside, LOOKASIDE_NONPAGED,
        Entry);
}

VOID ExFreeToPagedLookasideList_body(
    PPAGED_LOOKASIDE_LIST Lookaside, PVOID Entry)
{
    release(
        ROUTINE_ExFreeToPagedLookasideList, Lookaside, LOOKASIDE_PAGED, Entry);
}

VOID ExFreeToLookasideListEx_body(PLOOKASIDE_LIST_EX Lookaside, PVOID Entry)
{
    release(ROUTINE_ExFreeToLookasideListEx, Lookaside, LOOKASIDE_EX, Entry);
}
