/* dispatch_object.c - dispatcher objects (DISPATCHER_HEADER), found by address:
 * made, checked, set, forgotten. */
#include "api/ke/dispatch_object.h"

#include <assert.h>
#include <string.h>

#include "api/core/early_end.h"
#include "api/core/kernel.h"
#include "api/core/leaks.h"
#include "api/core/place.h"
#include "api/mm/copy.h"
#include "sim/machine/strand.h"

const struct dispatch_kind_row dispatch_kinds[DISPATCH_KINDS] = {
#define DISPATCH_KIND(name, type, words, takes, text)                          \
    [DISPATCH_##name] = {type, words, TAKES_##takes, text},
#include "api/ke/dispatch_kinds.def"
};

/* DISPATCHER_HEADER (executive.md 1.2). */
struct header {
    uint8_t type, absolute, words, inserted;
    int32_t state;
    uint64_t waiters[2];
};

enum { STATE_AT = 4 };

struct dispatch_object *dispatch_object_find(
    struct kernel *kernel, uint64_t address)
{
    return (struct dispatch_object *)(void *)storage_find(
        &kernel->dispatch_table->table, address);
}

void dispatch_object_forget(
    struct kernel *kernel, struct dispatch_object *object)
{
    struct dispatch_table *dispatch = kernel->dispatch_table;

    assert(object->first == NULL && object->away == 0);
    storage_remove(&dispatch->table, &object->stored);
    record_give(&dispatch->pool, object);
}

struct dispatch_object *dispatch_object_make_opaque(
    struct kernel *kernel, uint64_t address, enum dispatch_kind kind)
{
    static const char what[] = "objects to wait for";
    struct dispatch_table *dispatch = kernel->dispatch_table;
    struct dispatch_object *object =
        record_take(kernel, &dispatch->pool, sizeof(*object), what);

    object->stored.address = address;
    object->kind = kind;
    storage_enter(kernel, &dispatch->table, &object->stored, what);
    return object;
}

/* Somebody waits for it or holds it. */
static bool is_kept(const struct dispatch_object *object)
{
    return object->first != NULL || object->away > 0 || object->owner != NULL;
}

/* One that is initialised anew while somebody waits for it: who waits does so
 * for ever, as on Windows, unless it is signalled under its new kind. A timer
 * that is set would come all the same. */
static void refuse_in_use(struct kernel *kernel, enum routine routine,
    const struct dispatch_object *object)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name},
        {.value = object->stored.address}};

    if (is_kept(object) || (object->in_use != NULL && object->in_use(object))) {
        rule_stop(
            kernel, kernel_cpu(kernel), RULE_OBJECT_IN_USE, routine, parameter);
    }
}

/* EXE-GEN-04 [C]. */
static void report_paged(
    struct kernel *kernel, enum routine routine, uint64_t address)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = address}};

    if (ruling_is(kernel, RULED_EXE_GEN_04_fatal)) {
        rule_stop_with(kernel, cpu, RULE_OBJECT_PAGED, routine,
            place_current(kernel), BUGCHECK_IRQL_NOT_LESS_OR_EQUAL, parameter);
    }
    rule_warn(kernel, cpu, RULE_OBJECT_PAGED, routine);
}

void dispatch_storage_check(struct kernel *kernel, enum routine routine,
    uint64_t address, size_t size, size_t alignment)
{
    if (memory_is_pageable(
            &kernel->machine->memory, (const void *)(uintptr_t)address, size)) {
        report_paged(kernel, routine, address);
    }
    copy_probe(kernel, routine, (void *)(uintptr_t)address, size, true);
    if (address % alignment != 0 &&
        !ruling_is(kernel, RULED_EXE_LAY_02_silent)) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_OBJECT_MISALIGNED, routine);
    }
}

struct dispatch_object *dispatch_object_make(struct kernel *kernel,
    enum routine routine, uint64_t address, enum dispatch_kind kind,
    int32_t state)
{
    const struct header header = {.type = dispatch_kinds[kind].type,
        .words = dispatch_kinds[kind].words,
        .state = state,
        .waiters = {address + 8, address + 8}};
    struct dispatch_object *object = dispatch_object_find(kernel, address);

    dispatch_storage_check(
        kernel, routine, address, sizeof(header), sizeof(uint64_t));
    if (object != NULL) {
        refuse_in_use(kernel, routine, object);
        if (object->freed != NULL) {
            object->freed(kernel, kernel_cpu(kernel), routine, object);
        }
        dispatch_object_forget(kernel, object);
    }
    copy_out(
        kernel, routine, (void *)(uintptr_t)address, &header, sizeof(header));
    object = dispatch_object_make_opaque(kernel, address, kind);
    object->state = state;
    object->driver = kernel_driver(kernel, kernel_cpu(kernel));
    object->place = place_current(kernel);
    return object;
}

struct dispatch_object *dispatch_object_get(struct kernel *kernel,
    enum routine routine, const void *address, uint32_t kinds)
{
    struct dispatch_object *object =
        dispatch_object_find(kernel, (uintptr_t)address);
    struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = (uintptr_t)address}};
    struct header header;

    if (object == NULL) {
        copy_in(kernel, routine, &header, address, sizeof(header));
        early_end_for_object(
            kernel, RULE_OBJECT_UNINITIALIZED, routine, parameter);
    }
    if (memory_is_pageable(&kernel->machine->memory, address, sizeof(header))) {
        copy_in(kernel, routine, &header, address, sizeof(header));
    }
    if ((kinds >> object->kind & 1) == 0) {
        parameter[2].name = dispatch_kinds[object->kind].text;
        early_end_for_object(kernel, RULE_OBJECT_KIND, routine, parameter);
    }
    return object;
}

/* Nobody's storage is looked at that is not there any more; a thread's cannot
 * be. */
void dispatch_object_set(
    struct kernel *kernel, struct dispatch_object *object, int32_t state)
{
    struct machine *machine = kernel->machine;
    int32_t *shown = (int32_t *)(uintptr_t)(object->stored.address + STATE_AT);

    object->state = state;
    if (memory_is_usable(&machine->memory, shown, sizeof(*shown)) ||
        stack_pool_holds(&machine->guest_stacks, shown, sizeof(*shown))) {
        memcpy(shown, &state, sizeof(state));
    }
}

bool dispatch_object_is_signalled(
    const struct dispatch_object *object, const struct kthread *thread)
{
    return object->state > 0 ||
           (dispatch_kinds[object->kind].takes == TAKES_OWN &&
               object->owner == thread && thread != NULL);
}

/* Its storage is no more: what it was is done with. Where EXE-GEN-05 [C] is
 * flipped whoever waits for it goes on to do so, and for that it is kept. */
static void end(struct kernel *kernel, struct cpu *cpu, enum routine routine,
    struct dispatch_object *object)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = dispatch_kinds[object->kind].text},
        {.value = object->stored.address}};

    bool kept = is_kept(object);

    if (kept) {
        leaks_alive(kernel, cpu, RULE_OBJECT_FREED, routine,
            place_current(kernel), parameter);
    }
    if (object->freed != NULL) {
        object->freed(kernel, cpu, routine, object);
    }
    if (!kept) {
        record_give(&kernel->dispatch_table->pool, object);
    }
}

void dispatch_object_free(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct dispatch_object *object)
{
    storage_remove(&kernel->dispatch_table->table, &object->stored);
    end(kernel, cpu, routine, object);
}

static void block_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct memory_block *block)
{
    struct stored *stored = storage_take_all(
        &kernel->dispatch_table->table, (uintptr_t)block->start, block->size);

    while (stored != NULL) {
        struct dispatch_object *object =
            (struct dispatch_object *)(void *)stored;

        stored = stored->next;
        end(kernel, cpu, routine, object);
    }
}

const struct block_watcher dispatch_block_watcher = {block_freed};
