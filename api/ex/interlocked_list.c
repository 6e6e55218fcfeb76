/* interlocked_list.c - ExInterlocked routines for SLISTs, linked lists and
 * numbers, which change them in one step (executive.md 10). */
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/ex/slist.h"
#include "api/mm/copy.h"

enum {
    ENTRY_ALIGNMENT = 16,
    FAST_FAIL_CORRUPT_LIST = 3,
    FLINK_AT = 0,
    BLINK_AT = 8,
};

static _Noreturn void stop(struct kernel *kernel, enum rule rule,
    enum routine routine, uint64_t first, const void *address)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = first}, {.value = (uintptr_t)address}};

    rule_stop(kernel, kernel_cpu(kernel), rule, routine, parameter);
}

/* Of the header 4 bits are another's, so the entry's address has to have none
 * (EXE-LAY-02 [C]). */
static void check_aligned(
    struct kernel *kernel, enum routine routine, const void *entry)
{
    if ((uintptr_t)entry % ENTRY_ALIGNMENT != 0) {
        stop(kernel, RULE_SLIST_MISALIGNED, routine,
            (uint32_t)STATUS_DATATYPE_MISALIGNMENT, entry);
    }
}

static struct slist_header header_read(
    struct kernel *kernel, enum routine routine, const void *list)
{
    struct slist_header header;

    check_aligned(kernel, routine, list);
    copy_in(kernel, routine, &header, list, sizeof(header));
    return header;
}

static uint64_t first_of(const struct slist_header *header)
{
    return header->next & ~(uint64_t)(ENTRY_ALIGNMENT - 1);
}

/* With as many entries, and `first` in front; the depth has 16 bits (SLIST-04
 * [C]). */
static void header_write(struct kernel *kernel, enum routine routine,
    void *list, const struct slist_header *before, int more, uint64_t first)
{
    struct slist_header header = {
        .depth = (uint16_t)(before->depth + more),
        .next = first | (before->next & (ENTRY_ALIGNMENT - 1)),
    };
    uint64_t sequence = slist_sequence(before) + 1;

    slist_set_sequence(&header, sequence);
    copy_out(kernel, routine, list, &header, sizeof(header));
}

uint16_t slist_depth(
    struct kernel *kernel, enum routine routine, const void *list)
{
    return header_read(kernel, routine, list).depth;
}

void *slist_push(
    struct kernel *kernel, enum routine routine, void *list, void *entry)
{
    struct slist_header header = header_read(kernel, routine, list);
    uint64_t first = first_of(&header);

    check_aligned(kernel, routine, entry);
    copy_out(kernel, routine, entry, &first, sizeof(first));
    header_write(kernel, routine, list, &header, 1, (uintptr_t)entry);
    return (void *)(uintptr_t)first;
}

void *slist_pop(struct kernel *kernel, enum routine routine, void *list)
{
    struct slist_header header = header_read(kernel, routine, list);
    void *first = (void *)(uintptr_t)first_of(&header);
    uint64_t next;

    if (first == NULL) {
        return NULL;
    }
    copy_in(kernel, routine, &next, first, sizeof(next));
    header_write(kernel, routine, list, &header, -1, next);
    return first;
}

VOID InitializeSListHead_body(PVOID SListHead)
{
    const struct slist_header empty = {.next = 0};
    const enum routine routine = ROUTINE_InitializeSListHead;

    check_aligned(kernel_current(), routine, SListHead);
    copy_out(kernel_current(), routine, SListHead, &empty, sizeof(empty));
}

PVOID ExpInterlockedPushEntrySList_body(PVOID ListHead, PVOID ListEntry)
{
    return slist_push(kernel_current(), ROUTINE_ExpInterlockedPushEntrySList,
        ListHead, ListEntry);
}

PVOID ExpInterlockedPopEntrySList_body(PVOID ListHead)
{
    return slist_pop(
        kernel_current(), ROUTINE_ExpInterlockedPopEntrySList, ListHead);
}

PVOID ExpInterlockedFlushSList_body(PVOID ListHead)
{
    const enum routine routine = ROUTINE_ExpInterlockedFlushSList;
    struct kernel *kernel = kernel_current();
    struct slist_header header = header_read(kernel, routine, ListHead);
    uint64_t first = first_of(&header);

    header_write(kernel, routine, ListHead, &header, -(int)header.depth, 0);
    return (PVOID)(uintptr_t)first;
}

USHORT ExQueryDepthSList_body(PVOID SListHead)
{
    return slist_depth(kernel_current(), ROUTINE_ExQueryDepthSList, SListHead);
}

/* One that is held serves something else as well (SLIST-03, SLIST-04 [C]). */
static void check_lock(
    struct kernel *kernel, enum routine routine, const KSPIN_LOCK *lock)
{
    KSPIN_LOCK value;

    copy_in(kernel, routine, &value, lock, sizeof(value));
    if (value != 0) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_LIST_LOCK_HELD, routine);
    }
}

static uint64_t pointer_at(struct kernel *kernel, enum routine routine,
    uint64_t address, unsigned offset)
{
    uint64_t value;

    copy_in(kernel, routine, &value,
        (const void *)(uintptr_t)(address + offset), sizeof(value));
    return value;
}

static void set_pointer(struct kernel *kernel, enum routine routine,
    uint64_t address, unsigned offset, uint64_t value)
{
    copy_out(kernel, routine, (void *)(uintptr_t)(address + offset), &value,
        sizeof(value));
}

/* Whether both neighbours know the place between them; SLIST-04 [C]. */
static void check_link(struct kernel *kernel, enum routine routine,
    uint64_t before, uint64_t behind)
{
    if (pointer_at(kernel, routine, before, FLINK_AT) == behind &&
        pointer_at(kernel, routine, behind, BLINK_AT) == before) {
        return;
    }
    if (ruling_is(kernel, RULED_SLIST_04_event)) {
        rule_report(kernel, kernel_cpu(kernel), RULE_LIST_DAMAGED, routine);
        return;
    }
    stop(kernel, RULE_LIST_DAMAGED, routine, FAST_FAIL_CORRUPT_LIST,
        (const void *)(uintptr_t)before);
}

static void insert(struct kernel *kernel, enum routine routine, uint64_t before,
    uint64_t behind, uint64_t entry)
{
    check_link(kernel, routine, before, behind);
    set_pointer(kernel, routine, entry, FLINK_AT, behind);
    set_pointer(kernel, routine, entry, BLINK_AT, before);
    set_pointer(kernel, routine, before, FLINK_AT, entry);
    set_pointer(kernel, routine, behind, BLINK_AT, entry);
}

/* At the end of the list that the head's link leads to. Returns the entry that
 * was there. */
static PVOID insert_at(enum routine routine, PVOID list, PVOID entry,
    PKSPIN_LOCK lock, unsigned link)
{
    struct kernel *kernel = kernel_current();
    uint64_t head = (uintptr_t)list;
    uint64_t there;

    check_lock(kernel, routine, lock);
    there = pointer_at(kernel, routine, head, link);
    insert(kernel, routine, link == FLINK_AT ? head : there,
        link == FLINK_AT ? there : head, (uintptr_t)entry);
    return there == head ? NULL : (PVOID)(uintptr_t)there;
}

PVOID ExInterlockedInsertHeadList_body(
    PVOID ListHead, PVOID ListEntry, PKSPIN_LOCK Lock)
{
    return insert_at(ROUTINE_ExInterlockedInsertHeadList, ListHead, ListEntry,
        Lock, FLINK_AT);
}

PVOID ExInterlockedInsertTailList_body(
    PVOID ListHead, PVOID ListEntry, PKSPIN_LOCK Lock)
{
    return insert_at(ROUTINE_ExInterlockedInsertTailList, ListHead, ListEntry,
        Lock, BLINK_AT);
}

PVOID ExInterlockedRemoveHeadList_body(PVOID ListHead, PKSPIN_LOCK Lock)
{
    const enum routine routine = ROUTINE_ExInterlockedRemoveHeadList;
    struct kernel *kernel = kernel_current();
    uint64_t head = (uintptr_t)ListHead;
    uint64_t first, second;

    check_lock(kernel, routine, Lock);
    first = pointer_at(kernel, routine, head, FLINK_AT);
    if (first == head) {
        return NULL;
    }
    check_link(kernel, routine, head, first);
    second = pointer_at(kernel, routine, first, FLINK_AT);
    check_link(kernel, routine, first, second);
    set_pointer(kernel, routine, head, FLINK_AT, second);
    set_pointer(kernel, routine, second, BLINK_AT, head);
    return (PVOID)(uintptr_t)first;
}

PVOID ExInterlockedPushEntryList_body(
    PVOID ListHead, PVOID ListEntry, PKSPIN_LOCK Lock)
{
    const enum routine routine = ROUTINE_ExInterlockedPushEntryList;
    struct kernel *kernel = kernel_current();
    uint64_t first;

    check_lock(kernel, routine, Lock);
    first = pointer_at(kernel, routine, (uintptr_t)ListHead, FLINK_AT);
    set_pointer(kernel, routine, (uintptr_t)ListEntry, FLINK_AT, first);
    set_pointer(
        kernel, routine, (uintptr_t)ListHead, FLINK_AT, (uintptr_t)ListEntry);
    return (PVOID)(uintptr_t)first;
}

PVOID ExInterlockedPopEntryList_body(PVOID ListHead, PKSPIN_LOCK Lock)
{
    const enum routine routine = ROUTINE_ExInterlockedPopEntryList;
    struct kernel *kernel = kernel_current();
    uint64_t first;

    check_lock(kernel, routine, Lock);
    first = pointer_at(kernel, routine, (uintptr_t)ListHead, FLINK_AT);
    if (first != 0) {
        set_pointer(kernel, routine, (uintptr_t)ListHead, FLINK_AT,
            pointer_at(kernel, routine, first, FLINK_AT));
    }
    return (PVOID)(uintptr_t)first;
}

/* Numbers of 4 or 8 bytes. Returns the one that was there. */
static uint64_t add(enum routine routine, void *addend, size_t size,
    uint64_t increment, const KSPIN_LOCK *lock)
{
    struct kernel *kernel = kernel_current();
    uint64_t before = 0;
    uint64_t after;

    check_lock(kernel, routine, lock);
    copy_in(kernel, routine, &before, addend, size);
    after = before + increment;
    copy_out(kernel, routine, addend, &after, size);
    return before;
}

ULONG ExInterlockedAddUlong_body(
    PULONG Addend, ULONG Increment, PKSPIN_LOCK Lock)
{
    return (ULONG)add(ROUTINE_ExInterlockedAddUlong, Addend, sizeof(*Addend),
        Increment, Lock);
}

/* A LARGE_INTEGER in a register, as x64 passes and returns it. */
LONGLONG ExInterlockedAddLargeInteger_body(
    PLARGE_INTEGER Addend, LONGLONG Increment, PKSPIN_LOCK Lock)
{
    return (LONGLONG)add(ROUTINE_ExInterlockedAddLargeInteger, Addend,
        sizeof(*Addend), (uint64_t)Increment, Lock);
}
