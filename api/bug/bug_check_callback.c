/* bug_check_callback.c - KeRegisterBugCheckCallback and its kin: records of
 * callbacks added and removed, left behind, and freed. */
#include "api/bug/bug_check_callback.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/core/thread.h"
#include "api/mm/block.h"
#include "api/mm/copy.h"
#include "api/nt/type.h"
#include "sim/memory/memory.h"

bool bug_check_callbacks_check(const struct bug_check_callbacks *callbacks)
{
    const struct bug_check_callback *before = NULL;

    for (const struct bug_check_callback *callback = callbacks->first;
         callback != NULL; callback = callback->next) {
        assert(callback->previous == before && !callback->removed);
        before = callback;
    }
    assert(callbacks->last == before);
    return true;
}

static size_t record_size(const struct bug_check_callback *callback)
{
    return callback->reason == KbCallbackInvalid
               ? sizeof(KBUGCHECK_CALLBACK_RECORD)
               : sizeof(KBUGCHECK_REASON_CALLBACK_RECORD);
}

static UCHAR *state_of(const struct bug_check_callback *callback)
{
    size_t offset = callback->reason == KbCallbackInvalid
                        ? offsetof(KBUGCHECK_CALLBACK_RECORD, State)
                        : offsetof(KBUGCHECK_REASON_CALLBACK_RECORD, State);

    return (UCHAR *)(uintptr_t)(callback->record + offset);
}

bool bug_check_callback_is_sound(
    struct kernel *kernel, const struct bug_check_callback *callback)
{
    const struct memory *memory = &kernel->machine->memory;
    const uint8_t *record = (const uint8_t *)(uintptr_t)callback->record;
    const size_t routine = offsetof(KBUGCHECK_CALLBACK_RECORD, CallbackRoutine);

    _Static_assert(
        offsetof(KBUGCHECK_CALLBACK_RECORD, CallbackRoutine) ==
            offsetof(KBUGCHECK_REASON_CALLBACK_RECORD, CallbackRoutine),
        "both begin alike");
    return !callback->freed &&
           memory_is_usable(memory, record, record_size(callback)) &&
           nt_load(record + routine, sizeof(PVOID)) == callback->routine &&
           *state_of(callback) == BufferInserted;
}

void bug_check_callback_set_state(
    const struct bug_check_callback *callback, UCHAR state)
{
    *state_of(callback) = state;
}

/* Where the record is registered, plain or for a reason; NULL: it is not. */
static struct bug_check_callback *find(
    const struct kernel *kernel, const void *record, bool plain)
{
    struct bug_check_callback *callback = kernel->bug_check_callbacks->first;

    while (callback != NULL &&
           (callback->freed || callback->record != (uintptr_t)record ||
               (callback->reason == KbCallbackInvalid) != plain)) {
        callback = callback->next;
    }
    return callback;
}

static void unlink_it(
    struct kernel *kernel, struct bug_check_callback *callback)
{
    struct bug_check_callbacks *callbacks = kernel->bug_check_callbacks;

    if (callback->previous != NULL) {
        callback->previous->next = callback->next;
    } else {
        callbacks->first = callback->next;
    }
    if (callback->next != NULL) {
        callback->next->previous = callback->previous;
    } else {
        callbacks->last = callback->previous;
    }
}

static void link_last(
    struct kernel *kernel, struct bug_check_callback *callback)
{
    struct bug_check_callbacks *callbacks = kernel->bug_check_callbacks;

    callback->next = NULL;
    callback->previous = callbacks->last;
    if (callbacks->last != NULL) {
        callbacks->last->next = callback;
    } else {
        callbacks->first = callback;
    }
    callbacks->last = callback;
    assert(bug_check_callbacks_check(callbacks));
}

/* Whoever calls callbacks finds its way on from one that is removed. */
static void give(struct kernel *kernel, struct bug_check_callback *callback)
{
    unlink_it(kernel, callback);
    callback->removed = true;
    if (kernel->bugcheck.code == BUGCHECK_NONE) {
        record_give(&kernel->bug_check_callbacks->pool, callback);
    }
}

/* What a driver asks to be registered. */
struct wanted {
    enum routine routine;
    const void *record;
    UCHAR state; /* that the record has */
    uint64_t code, buffer;
    uint32_t length;
    KBUGCHECK_CALLBACK_REASON reason;
};

/* A record that is registered already moves to the end, where BUG-04 [C] says
 * that it may be registered again. Returns whether it is registered now. */
static bool insert(struct kernel *kernel, const struct wanted *wanted)
{
    struct bug_check_callback *callback =
        find(kernel, wanted->record, wanted->reason == KbCallbackInvalid);

    if (wanted->state != BufferEmpty &&
        !ruling_is(kernel, RULED_BUG_04_reinsert)) {
        return false;
    }
    if (callback != NULL) {
        unlink_it(kernel, callback);
    } else {
        callback = record_pool_take(&kernel->bug_check_callbacks->pool,
            &kernel->machine->arena, sizeof(*callback));
    }
    if (callback == NULL) {
        return false;
    }
    *callback = (struct bug_check_callback){
        .record = (uintptr_t)wanted->record,
        .routine = wanted->code,
        .buffer = wanted->buffer,
        .length = wanted->length,
        .reason = wanted->reason,
        .owner = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel),
    };
    link_last(kernel, callback);
    if (memory_is_pageable(
            &kernel->machine->memory, wanted->record, record_size(callback))) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_BUGCHECK_CALLBACK_PAGED,
            wanted->routine);
    }
    return true;
}

BOOLEAN KeRegisterBugCheckCallback_body(
    PKBUGCHECK_CALLBACK_RECORD CallbackRecord,
    PKBUGCHECK_CALLBACK_ROUTINE CallbackRoutine, PVOID Buffer, ULONG Length,
    PUCHAR Component)
{
    const enum routine routine = ROUTINE_KeRegisterBugCheckCallback;
    struct kernel *kernel = kernel_current();
    KBUGCHECK_CALLBACK_RECORD record;

    copy_in(kernel, routine, &record, CallbackRecord, sizeof(record));
    copy_probe(kernel, routine, CallbackRecord, sizeof(record), true);
    copy_probe(kernel, routine, Component, sizeof(*Component), false);
    if (!insert(kernel, &(struct wanted){.routine = routine,
                            .record = CallbackRecord,
                            .state = record.State,
                            .code = (uintptr_t)CallbackRoutine,
                            .buffer = (uintptr_t)Buffer,
                            .length = Length,
                            .reason = KbCallbackInvalid})) {
        return false;
    }
    record.CallbackRoutine = CallbackRoutine;
    record.Buffer = Buffer;
    record.Length = Length;
    record.Component = Component;
    record.Checksum = (uintptr_t)CallbackRoutine + (uintptr_t)Buffer + Length +
                      (uintptr_t)Component;
    record.State = BufferInserted;
    copy_out(kernel, routine, CallbackRecord, &record, sizeof(record));
    return true;
}

/* Returns whether a callback can be registered for it at all; ends the run for
 * one that the machine does not call. */
static bool is_reason(KBUGCHECK_CALLBACK_REASON reason)
{
    switch (reason) {
    case KbCallbackSecondaryDumpData:
    case KbCallbackDumpIo:
    case KbCallbackAddPages:
    case KbCallbackRemovePages:
        return true;
    case KbCallbackSecondaryMultiPartDumpData:
    case KbCallbackTriageDumpData:
        run_end_stop(kernel_current(), RUN_NOT_MODELLED,
            "a bug check callback for the reason %s is not modelled",
            reason == KbCallbackTriageDumpData
                ? "KbCallbackTriageDumpData"
                : "KbCallbackSecondaryMultiPartDumpData");
    case KbCallbackInvalid:
    case KbCallbackReserved1:
        break;
    }
    return false;
}

BOOLEAN KeRegisterBugCheckReasonCallback_body(
    PKBUGCHECK_REASON_CALLBACK_RECORD CallbackRecord,
    PKBUGCHECK_REASON_CALLBACK_ROUTINE CallbackRoutine,
    KBUGCHECK_CALLBACK_REASON Reason, PUCHAR Component)
{
    const enum routine routine = ROUTINE_KeRegisterBugCheckReasonCallback;
    struct kernel *kernel = kernel_current();
    KBUGCHECK_REASON_CALLBACK_RECORD record;

    copy_in(kernel, routine, &record, CallbackRecord, sizeof(record));
    copy_probe(kernel, routine, CallbackRecord, sizeof(record), true);
    copy_probe(kernel, routine, Component, sizeof(*Component), false);
    if (!is_reason(Reason) ||
        !insert(kernel, &(struct wanted){.routine = routine,
                            .record = CallbackRecord,
                            .state = record.State,
                            .code = (uintptr_t)CallbackRoutine,
                            .reason = Reason})) {
        return false;
    }
    record.CallbackRoutine = CallbackRoutine;
    record.Component = Component;
    record.Checksum =
        (uintptr_t)CallbackRoutine + Reason + (uintptr_t)Component;
    record.Reason = Reason;
    record.State = BufferInserted;
    copy_out(kernel, routine, CallbackRecord, &record, sizeof(record));
    return true;
}

static BOOLEAN deregister(
    enum routine routine, void *record, size_t size, bool plain)
{
    const UCHAR empty = BufferEmpty;
    struct kernel *kernel = kernel_current();
    struct bug_check_callback *callback;
    UCHAR *state;

    copy_probe(kernel, routine, record, size, true);
    callback = find(kernel, record, plain);
    if (callback == NULL) {
        return false;
    }
    state = state_of(callback);
    give(kernel, callback);
    copy_out(kernel, routine, state, &empty, sizeof(empty));
    return true;
}

BOOLEAN KeDeregisterBugCheckCallback_body(
    PKBUGCHECK_CALLBACK_RECORD CallbackRecord)
{
    return deregister(ROUTINE_KeDeregisterBugCheckCallback, CallbackRecord,
        sizeof(*CallbackRecord), true);
}

BOOLEAN KeDeregisterBugCheckReasonCallback_body(
    PKBUGCHECK_REASON_CALLBACK_RECORD CallbackRecord)
{
    return deregister(ROUTINE_KeDeregisterBugCheckReasonCallback,
        CallbackRecord, sizeof(*CallbackRecord), false);
}

static void list_callbacks(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct bug_check_callback *callback =
             kernel->bug_check_callbacks->first;
         callback != NULL; callback = callback->next) {
        if (callback->owner == listing->driver) {
            leaks_found(listing, LEAK_BUGCHECK_CALLBACK, "a bug check callback",
                callback->step);
        }
    }
}

static void report_callbacks(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    for (struct bug_check_callback *callback =
             kernel->bug_check_callbacks->first;
         callback != NULL; callback = callback->next) {
        if (callback->owner == driver && leaks_is_news(&callback->reported)) {
            rule_warn_at(kernel, cpu, RULE_LEAK_BUGCHECK_CALLBACK,
                ROUTINE_COUNT, callback->place);
        }
    }
}

const struct leak_source bug_check_callback_leaks = {
    LEAK_BUGCHECK_CALLBACK, list_callbacks, report_callbacks, NULL};

/* It stays in the list: its turn comes, and is left out. */
static void block_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct memory_block *block)
{
    uint64_t start = (uintptr_t)block->start;

    for (struct bug_check_callback *callback =
             kernel->bug_check_callbacks->first;
         callback != NULL; callback = callback->next) {
        if (!callback->freed && callback->record >= start &&
            callback->record - start < block->size) {
            callback->freed = true;
            rule_warn_about(kernel, cpu, RULE_BUGCHECK_CALLBACK_FREED, routine,
                callback->place);
        }
    }
}

const struct block_watcher bug_check_callback_block_watcher = {block_freed};
