/* dispatch_object.c - dispatcher objects (DISPATCHER_HEADER), found by address:
 * made, checked, set, forgotten. */
#include "api/ke/dispatch_object.h"

#include <assert.h>
#include <string.h>

#include "api/core/kernel.h"
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

enum {
    STATE_AT = 4,
    PAGE_SHIFT = 12,
    LINE_SHIFT = 6,
    LINES = 1 << (PAGE_SHIFT - LINE_SHIFT),
};

/* Objects whose storage begins on a page. */
struct dispatch_page {
    uint64_t number;
    struct dispatch_object *line[LINES]; /* by the line that they begin in */
    struct dispatch_page *next;          /* in its bucket */
};

static struct dispatch_page *find_page(
    const struct dispatch_table *table, uint64_t number)
{
    struct dispatch_page *page;

    if (table->bucket == NULL) {
        return NULL;
    }
    page = table->bucket[number % DISPATCH_BUCKETS];
    while (page != NULL && page->number != number) {
        page = page->next;
    }
    return page;
}

static struct dispatch_object **line_of(
    struct dispatch_page *page, uint64_t address)
{
    return &page->line[address >> LINE_SHIFT & (LINES - 1)];
}

static void *take(struct kernel *kernel, size_t size)
{
    return run_needs(kernel,
        arena_alloc_for_guest(&kernel->machine->arena, size),
        "objects to wait for");
}

static struct dispatch_page *make_page(struct kernel *kernel, uint64_t number)
{
    struct dispatch_table *table = kernel->dispatch_table;
    struct dispatch_page *page = find_page(table, number);
    struct dispatch_page **bucket;

    if (page != NULL) {
        return page;
    }
    if (table->bucket == NULL) {
        table->bucket = take(kernel, DISPATCH_BUCKETS * sizeof(*table->bucket));
    }
    bucket = &table->bucket[number % DISPATCH_BUCKETS];
    page = take(kernel, sizeof(*page));
    *page = (struct dispatch_page){.number = number, .next = *bucket};
    *bucket = page;
    return page;
}

struct dispatch_object *dispatch_object_find(
    struct kernel *kernel, uint64_t address)
{
    struct dispatch_page *page =
        find_page(kernel->dispatch_table, address >> PAGE_SHIFT);
    struct dispatch_object *object =
        page == NULL ? NULL : *line_of(page, address);

    while (object != NULL && object->address != address) {
        object = object->next;
    }
    return object;
}

void dispatch_object_forget(
    struct kernel *kernel, struct dispatch_object *object)
{
    struct dispatch_table *table = kernel->dispatch_table;
    struct dispatch_object **link = line_of(
        find_page(table, object->address >> PAGE_SHIFT), object->address);

    assert(object->first == NULL);
    while (*link != object) {
        link = &(*link)->next;
        assert(*link != NULL);
    }
    *link = object->next;
    object->next = table->free;
    table->free = object;
}

struct dispatch_object *dispatch_object_make_opaque(
    struct kernel *kernel, uint64_t address, enum dispatch_kind kind)
{
    struct dispatch_table *table = kernel->dispatch_table;
    struct dispatch_page *page = make_page(kernel, address >> PAGE_SHIFT);
    struct dispatch_object *object = table->free;
    struct dispatch_object **line = line_of(page, address);

    assert(dispatch_object_find(kernel, address) == NULL);
    if (object != NULL) {
        table->free = object->next;
    } else {
        object = take(kernel, sizeof(*object));
    }
    *object = (struct dispatch_object){
        .address = address, .kind = kind, .next = *line};
    *line = object;
    return object;
}

/* One that is initialised anew while somebody waits for it: who waits does so
 * for ever, as on Windows, unless it is signalled under its new kind. */
static void refuse_waiters(struct kernel *kernel, enum routine routine,
    const struct dispatch_object *object)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = routine_rows[routine].name}, {.value = object->address}};

    if (object->first != NULL || object->owner != NULL) {
        rule_stop(
            kernel, kernel_cpu(kernel), RULE_OBJECT_IN_USE, routine, parameter);
    }
}

/* EXE-GEN-04 [C], EXE-LAY-02 [C]. */
static void check_storage(
    struct kernel *kernel, enum routine routine, uint64_t address, size_t size)
{
    struct cpu *cpu = kernel_cpu(kernel);

    if (memory_is_pageable(
            &kernel->machine->memory, (const void *)(uintptr_t)address, size)) {
        rule_warn(kernel, cpu, RULE_OBJECT_PAGED, routine);
    }
    if (address % sizeof(uint64_t) != 0 &&
        !ruling_is(kernel, RULED_EXE_LAY_02_silent)) {
        rule_warn(kernel, cpu, RULE_OBJECT_MISALIGNED, routine);
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

    check_storage(kernel, routine, address, sizeof(header));
    if (object != NULL) {
        refuse_waiters(kernel, routine, object);
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
        rule_stop(kernel, kernel_cpu(kernel), RULE_OBJECT_UNINITIALIZED,
            routine, parameter);
    }
    if (memory_is_pageable(&kernel->machine->memory, address, sizeof(header))) {
        copy_in(kernel, routine, &header, address, sizeof(header));
    }
    if ((kinds >> object->kind & 1) == 0) {
        parameter[2].name = dispatch_kinds[object->kind].text;
        rule_stop(
            kernel, kernel_cpu(kernel), RULE_OBJECT_KIND, routine, parameter);
    }
    return object;
}

/* Nobody's storage is looked at that is not there any more; a thread's cannot
 * be. */
void dispatch_object_set(
    struct kernel *kernel, struct dispatch_object *object, int32_t state)
{
    struct machine *machine = kernel->machine;
    int32_t *shown = (int32_t *)(uintptr_t)(object->address + STATE_AT);

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

void dispatch_object_free(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct dispatch_object *object)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = dispatch_kinds[object->kind].text},
        {.value = object->address}};

    if (object->first != NULL || object->owner != NULL) {
        rule_stop(kernel, cpu, RULE_OBJECT_FREED, routine, parameter);
    }
    if (object->freed != NULL) {
        object->freed(kernel, cpu, routine, object);
    }
    dispatch_object_forget(kernel, object);
}

/* Those that begin in the block. */
static void free_line(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, struct dispatch_object *object,
    const struct memory_block *block)
{
    uint64_t start = (uintptr_t)block->start;

    while (object != NULL) {
        struct dispatch_object *next = object->next;

        if (object->address >= start && object->address - start < block->size) {
            dispatch_object_free(kernel, cpu, routine, object);
        }
        object = next;
    }
}

static void block_freed(struct kernel *kernel, struct cpu *cpu,
    enum routine routine, const struct memory_block *block)
{
    const struct dispatch_table *table = kernel->dispatch_table;
    uint64_t start = (uintptr_t)block->start;
    uint64_t end = start + block->size;

    if (table->bucket == NULL) {
        return;
    }
    for (uint64_t number = start >> PAGE_SHIFT; number << PAGE_SHIFT < end;
         number++) {
        struct dispatch_page *page = find_page(table, number);

        for (unsigned i = 0; page != NULL && i < LINES; i++) {
            free_line(kernel, cpu, routine, page->line[i], block);
        }
    }
}

const struct block_watcher dispatch_block_watcher = {block_freed};
