/* handle.c - handles of the kernel and of processes: opened, found, closed,
 * left open by a driver. */
#include "api/ob/handle.h"

#include <assert.h>
#include <stdlib.h>

#include "api/core/driver.h"
#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ke/kthread.h"

/* Handles look so; each number is used again once closed [C]. Those of files
 * that a scenario's steps open are numbers below. */
#define KERNEL_BASE UINT64_C(0xFFFFFFFF80000000)
#define PROCESS_BASE UINT64_C(0x10000)

enum {
    HANDLE_STEP = 4,
    HANDLES_MAX = 1 << 24,
};

const struct driver *handle_process(struct kernel *kernel)
{
    return kthread_process(kthread_current(kernel));
}

bool handle_is_of_kernel(HANDLE handle)
{
    return (uintptr_t)handle >= KERNEL_BASE;
}

/* The number of one that is closed; 0: there is no room. */
static uint32_t take_number(struct handle_table *table)
{
    uint32_t number = table->first_free;

    if (number != 0) {
        table->first_free = table->handle[number].next_free;
        return number;
    }
    if (table->count == HANDLES_MAX) {
        return 0;
    }
    if (table->count + 1 >= table->capacity) {
        table->capacity = table->capacity == 0 ? 64 : 2 * table->capacity;
        table->handle =
            realloc(table->handle, table->capacity * sizeof(*table->handle));
        assert(table->handle != NULL);
        table->handle[0] = (struct handle){.object = NULL};
    }
    return ++table->count;
}

static HANDLE open_in(struct kernel *kernel, struct handle_table *table,
    struct counted_object *object, const struct driver *program,
    uint32_t access)
{
    uint64_t base =
        table == &kernel->handles->of_kernel ? KERNEL_BASE : PROCESS_BASE;
    uint32_t number = take_number(table);

    if (number == 0) {
        return NULL;
    }
    counted_object_open(object);
    table->handle[number] = (struct handle){
        .object = object,
        .driver = program != NULL ? program /* it is the program's to close */
                                  : kernel_driver(kernel, kernel_cpu(kernel)),
        .program = program,
        .place = place_current(kernel),
        .step = thread_step(kernel),
        .access = access,
    };
    return (HANDLE)(uintptr_t)(base + (uint64_t)HANDLE_STEP * number);
}

HANDLE handle_open(struct kernel *kernel, struct counted_object *object)
{
    const struct driver *driver = kernel_driver(kernel, kernel_cpu(kernel));
    uint32_t access = object_type_access(object->type->name, GENERIC_ALL);

    return driver != NULL && driver->user
               ? handle_open_in(kernel, object, driver, access)
               : handle_open_as(kernel, object, OBJ_KERNEL_HANDLE, access);
}

HANDLE handle_open_as(struct kernel *kernel, struct counted_object *object,
    uint32_t attributes, uint32_t access)
{
    if ((attributes & OBJ_KERNEL_HANDLE) != 0) {
        return open_in(
            kernel, &kernel->handles->of_kernel, object, NULL, access);
    }
    return handle_open_in(kernel, object, handle_process(kernel), access);
}

HANDLE handle_open_in(struct kernel *kernel, struct counted_object *object,
    const struct driver *program, uint32_t access)
{
    return open_in(
        kernel, &kernel->handles->of_processes, object, program, access);
}

static struct handle *in_table(
    const struct handle_table *table, uint64_t base, HANDLE handle)
{
    uint64_t offset = (uintptr_t)handle - base;
    uint64_t number = offset / HANDLE_STEP;

    if (offset % HANDLE_STEP != 0 || number == 0 || number > table->count ||
        table->handle[number].object == NULL) {
        return NULL;
    }
    return &table->handle[number];
}

const struct handle *handle_find_in(
    struct kernel *kernel, HANDLE handle, const struct driver *program)
{
    const struct handles *handles = kernel->handles;
    const struct handle *found;

    if (handle_is_of_kernel(handle)) {
        return in_table(&handles->of_kernel, KERNEL_BASE, handle);
    }
    found = in_table(&handles->of_processes, PROCESS_BASE, handle);
    return found != NULL && found->program == program ? found : NULL;
}

const struct handle *handle_find(struct kernel *kernel, HANDLE handle)
{
    const struct driver *driver;

    if (!handle_is_of_kernel(handle)) {
        return handle_find_in(kernel, handle, handle_process(kernel));
    }
    driver = kernel_driver(kernel, kernel_cpu(kernel));
    return driver != NULL && driver->user
               ? NULL
               : handle_find_in(kernel, handle, NULL);
}

struct counted_object *handle_object(struct kernel *kernel, HANDLE handle)
{
    const struct handle *found = handle_find(kernel, handle);

    return found == NULL ? NULL : found->object;
}

void handle_close(struct kernel *kernel, HANDLE handle)
{
    bool of_kernel = handle_is_of_kernel(handle);
    struct handle_table *table = of_kernel ? &kernel->handles->of_kernel
                                           : &kernel->handles->of_processes;
    struct handle *found =
        in_table(table, of_kernel ? KERNEL_BASE : PROCESS_BASE, handle);
    struct counted_object *object;

    assert(found != NULL);
    object = found->object;
    *found = (struct handle){.next_free = table->first_free};
    table->first_free = (uint32_t)(found - table->handle);
    counted_object_close(kernel, object);
}

void handle_close_all(struct kernel *kernel, const struct driver *program)
{
    const struct handle_table *table = &kernel->handles->of_processes;

    for (uint32_t n = 1; n <= table->count; n++) {
        const struct handle *handle = &table->handle[n];

        if (handle->object != NULL && handle->program == program) {
            handle_close(kernel,
                (HANDLE)(uintptr_t)(PROCESS_BASE + (uint64_t)HANDLE_STEP * n));
        }
    }
}

static void list_in(
    const struct handle_table *table, const struct leak_listing *listing)
{
    for (uint32_t n = 1; n <= table->count; n++) {
        const struct handle *handle = &table->handle[n];

        if (handle->object != NULL && handle->driver == listing->driver) {
            leaks_found(
                listing, LEAK_HANDLE, handle->object->type->text, handle->step);
        }
    }
}

static void list_handles(
    struct kernel *kernel, const struct leak_listing *listing)
{
    list_in(&kernel->handles->of_kernel, listing);
    list_in(&kernel->handles->of_processes, listing);
}

static void report_in(struct kernel *kernel, struct cpu *cpu,
    const struct handle_table *table, const struct driver *driver)
{
    for (uint32_t n = 1; n <= table->count; n++) {
        struct handle *handle = &table->handle[n];

        if (handle->object != NULL && handle->driver == driver &&
            leaks_is_news(&handle->reported)) {
            rule_warn_at(
                kernel, cpu, RULE_LEAK_HANDLE, ROUTINE_COUNT, handle->place);
        }
    }
}

static void report_handles(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    report_in(kernel, cpu, &kernel->handles->of_kernel, driver);
    report_in(kernel, cpu, &kernel->handles->of_processes, driver);
}

const struct leak_source handle_leaks = {
    LEAK_HANDLE, list_handles, report_handles, NULL};

void handles_release(struct handles *handles)
{
    counted_objects_release(&handles->objects);
    free(handles->of_kernel.handle);
    free(handles->of_processes.handle);
    *handles = (struct handles){.type_pointers = NULL};
}
