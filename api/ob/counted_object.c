/* counted_object.c - objects and their references, the kernel's own and those
 * that drivers hold. */
#include "api/ob/counted_object.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/ob/handle.h"

enum { ADDRESS_SHIFT = 4 };

static struct counted_object **bucket_of(
    struct kernel *kernel, uint64_t address)
{
    uint64_t mixed = address >> ADDRESS_SHIFT;

    mixed ^= mixed >> 8; /* many begin with a page */
    return &kernel->handles->objects.bucket[mixed % OBJECT_BUCKETS];
}

void counted_object_add(struct kernel *kernel, struct counted_object *object)
{
    struct counted_object **bucket = bucket_of(kernel, object->address);

    object->references = 1;
    object->handles = 0;
    object->held = 0;
    object->permanent = false;
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

static bool object_check(const struct counted_object *object)
{
    assert(object->references > 0 || object->handles > 0);
    assert(object->held == 0 || object->references > 0);
    return true;
}

void counted_object_reference(struct counted_object *object)
{
    assert(object_check(object));
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
    assert(object->type->gone != NULL);
    object->type->gone(kernel, object);
}

void counted_object_release(
    struct kernel *kernel, struct counted_object *object)
{
    assert(object->references > 0);
    object->references--;
    end_if_unused(kernel, object);
}

/* The number of one that was given back. */
static uint32_t take_number(struct counted_objects *objects)
{
    uint32_t number = objects->first_free;

    if (number != 0) {
        objects->first_free = objects->held[number].before;
        return number;
    }
    if (objects->count + 1 >= objects->capacity) {
        objects->capacity = objects->capacity == 0 ? 64 : 2 * objects->capacity;
        objects->held =
            realloc(objects->held, objects->capacity * sizeof(*objects->held));
        assert(objects->held != NULL);
        objects->held[0] = (struct held_reference){.object = NULL};
    }
    return ++objects->count;
}

void counted_object_hold(struct kernel *kernel, struct counted_object *object)
{
    struct counted_objects *objects = &kernel->handles->objects;
    uint32_t number = take_number(objects);

    counted_object_reference(object);
    objects->held[number] = (struct held_reference){
        .object = object,
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel),
        .before = object->held,
    };
    object->held = number;
}

/* The one that the driver took last; another's where it has none. */
static uint32_t *link_of(struct counted_objects *objects,
    struct counted_object *object, const struct driver *driver)
{
    uint32_t *link = &object->held;

    while (*link != 0 && objects->held[*link].driver != driver) {
        link = &objects->held[*link].before;
    }
    return *link != 0 ? link : &object->held;
}

bool counted_object_drop(struct kernel *kernel, struct counted_object *object)
{
    struct counted_objects *objects = &kernel->handles->objects;
    uint32_t *link =
        link_of(objects, object, kernel_driver(kernel, kernel_cpu(kernel)));
    uint32_t number = *link;

    if (number == 0) {
        return false;
    }
    *link = objects->held[number].before;
    objects->held[number] =
        (struct held_reference){.before = objects->first_free};
    objects->first_free = number;
    counted_object_release(kernel, object);
    return true;
}

void counted_object_made(struct kernel *kernel, struct counted_object *object,
    uint32_t attributes, NTSTATUS opened)
{
    if (NT_SUCCESS(opened) && (attributes & OBJ_PERMANENT) != 0) {
        object->permanent = true;
        return;
    }
    if (!NT_SUCCESS(opened) && object->type->closed != NULL) {
        object->type->closed(kernel, object);
    }
    counted_object_release(kernel, object);
}

void counted_object_open(struct counted_object *object)
{
    assert(object_check(object));
    object->handles++;
}

void counted_object_close(struct kernel *kernel, struct counted_object *object)
{
    assert(object->handles > 0);
    object->handles--;
    if (object->handles == 0 && object->type->closed != NULL) {
        object->references++; /* it is still there meanwhile */
        object->type->closed(kernel, object);
        object->references--;
    }
    end_if_unused(kernel, object);
}

int64_t counted_object_count(const struct counted_object *object)
{
    return (int64_t)object->references + object->handles;
}

/* An object was there and is gone: it had one reference less than was taken for
 * granted (OB-03). */
static bool is_gone(struct kernel *kernel, const void *address)
{
    const struct memory_block *block =
        memory_near(&kernel->machine->memory, address);

    return block != NULL && block->freed;
}

struct counted_object *counted_object_get(
    struct kernel *kernel, enum routine routine, const void *address)
{
    struct counted_object *object = counted_object_find(kernel, address);
    const struct bugcheck_parameter none[4] = {
        {.value = (uintptr_t)address}, {.name = routine_rows[routine].name}};
    const struct bugcheck_parameter gone[4] = {
        {.name = "gone"}, {.value = (uintptr_t)address}};

    if (object == NULL && is_gone(kernel, address)) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_OBJECT_DEREFERENCED, routine,
            gone);
    }
    if (object == NULL) {
        rule_stop(kernel, kernel_cpu(kernel), RULE_OBJECT_NONE, routine, none);
    }
    return object;
}

static void list_references(
    struct kernel *kernel, const struct leak_listing *listing)
{
    const struct counted_objects *objects = &kernel->handles->objects;

    for (uint32_t n = 1; n <= objects->count; n++) {
        const struct held_reference *held = &objects->held[n];

        if (held->object != NULL && held->driver == listing->driver) {
            leaks_found(
                listing, LEAK_REFERENCE, held->object->type->text, held->step);
        }
    }
}

static void report_references(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    struct counted_objects *objects = &kernel->handles->objects;

    for (uint32_t n = 1; n <= objects->count; n++) {
        struct held_reference *held = &objects->held[n];

        if (held->object != NULL && held->driver == driver &&
            leaks_is_news(&held->reported)) {
            rule_warn_at(
                kernel, cpu, RULE_LEAK_REFERENCE, ROUTINE_COUNT, held->place);
        }
    }
}

const struct leak_source reference_leaks = {
    LEAK_REFERENCE, list_references, report_references, NULL};

void counted_objects_release(struct counted_objects *objects)
{
    free(objects->held);
    *objects = (struct counted_objects){.held = NULL};
}
