/* handle.c - handles and reference counts of objects: opened, closed, counted,
 * left open by a driver. */
#include "api/ob/handle.h"

#include <assert.h>
#include <stdlib.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"

/* Kernel handles look so; each number is used again once closed [C]. */
#define HANDLE_BASE UINT64_C(0xFFFFFFFF80000000)

enum {
    HANDLE_STEP = 4,
    HANDLES_MAX = 1 << 24,
    ADDRESS_SHIFT = 12, /* such objects lie on pages of their own */
};

static struct counted_object **bucket_of(
    struct kernel *kernel, uint64_t address)
{
    return &kernel->handles
                ->bucket[(address >> ADDRESS_SHIFT) % OBJECT_BUCKETS];
}

void counted_object_add(struct kernel *kernel, struct counted_object *object)
{
    struct counted_object **bucket = bucket_of(kernel, object->address);

    object->references = 1;
    object->handles = 0;
    object->next = *bucket;
    *bucket = object;
}

struct counted_object *counted_object_find(
    struct kernel *kernel, const void *address)
{
    struct counted_object *object = *bucket_of(kernel, (uintptr_t)address);

    while (object != NULL && object->address != (uintptr_t)address) {
        object = object->next;
    }
    return object;
}

void counted_object_reference(struct counted_object *object)
{
    assert(object->references > 0 || object->handles > 0);
    object->references++;
}

static void end_if_unused(struct kernel *kernel, struct counted_object *object)
{
    struct counted_object **link = bucket_of(kernel, object->address);

    if (object->references > 0 || object->handles > 0) {
        return;
    }
    while (*link != object) {
        link = &(*link)->next;
        assert(*link != NULL);
    }
    *link = object->next;
    object->type->gone(kernel, object);
}

void counted_object_release(
    struct kernel *kernel, struct counted_object *object)
{
    assert(object->references > 0);
    object->references--;
    end_if_unused(kernel, object);
}

/* The number of one that is closed; 0: there is no room. */
static uint32_t take_number(struct handles *handles)
{
    uint32_t number = handles->first_free;

    if (number != 0) {
        handles->first_free = handles->handle[number].next_free;
        return number;
    }
    if (handles->count == HANDLES_MAX) {
        return 0;
    }
    if (handles->count + 1 >= handles->capacity) {
        handles->capacity = handles->capacity == 0 ? 64 : 2 * handles->capacity;
        handles->handle = realloc(
            handles->handle, handles->capacity * sizeof(*handles->handle));
        assert(handles->handle != NULL);
        handles->handle[0] = (struct handle){.object = NULL};
    }
    return ++handles->count;
}

HANDLE handle_open(struct kernel *kernel, struct counted_object *object)
{
    struct handles *handles = kernel->handles;
    uint32_t number = take_number(handles);

    if (number == 0) {
        return NULL;
    }
    object->handles++;
    handles->handle[number] = (struct handle){
        .object = object,
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel),
    };
    return (HANDLE)(uintptr_t)(HANDLE_BASE + (uint64_t)HANDLE_STEP * number);
}

static struct handle *find(struct kernel *kernel, HANDLE handle)
{
    struct handles *handles = kernel->handles;
    uint64_t offset = (uintptr_t)handle - HANDLE_BASE;
    uint64_t number = offset / HANDLE_STEP;

    if (offset % HANDLE_STEP != 0 || number == 0 || number > handles->count ||
        handles->handle[number].object == NULL) {
        return NULL;
    }
    return &handles->handle[number];
}

struct counted_object *handle_object(struct kernel *kernel, HANDLE handle)
{
    const struct handle *found = find(kernel, handle);

    return found == NULL ? NULL : found->object;
}

void handle_close(struct kernel *kernel, HANDLE handle)
{
    struct handles *handles = kernel->handles;
    struct handle *found = find(kernel, handle);
    struct counted_object *object;

    assert(found != NULL);
    object = found->object;
    *found = (struct handle){.next_free = handles->first_free};
    handles->first_free = (uint32_t)(found - handles->handle);
    assert(object->handles > 0);
    object->handles--;
    end_if_unused(kernel, object);
}

static void list_handles(
    struct kernel *kernel, const struct leak_listing *listing)
{
    const struct handles *handles = kernel->handles;

    for (uint32_t n = 1; n <= handles->count; n++) {
        const struct handle *handle = &handles->handle[n];

        if (handle->object != NULL && handle->driver == listing->driver) {
            leaks_found(
                listing, LEAK_HANDLE, handle->object->type->text, handle->step);
        }
    }
}

static void report_handles(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    struct handles *handles = kernel->handles;

    for (uint32_t n = 1; n <= handles->count; n++) {
        struct handle *handle = &handles->handle[n];

        if (handle->object != NULL && handle->driver == driver &&
            !handle->reported) {
            handle->reported = true;
            rule_warn_at(
                kernel, cpu, RULE_LEAK_HANDLE, ROUTINE_COUNT, handle->place);
        }
    }
}

const struct leak_source handle_leaks = {
    LEAK_HANDLE, list_handles, report_handles, NULL};

void handles_release(struct handles *handles)
{
    free(handles->handle);
    *handles = (struct handles){.handle = NULL};
}
