/* link.c - symbolic links, and the way from a name to its device. A link's
 * target need not exist until somebody follows it. */
#include "api/io/link.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/core/thread.h"
#include "api/io/device.h"
#include "api/io/io.h"

enum { LINK_STEPS = 32 };

NTSTATUS io_link_resolve(struct kernel *kernel, const struct object_name *name,
    struct io_device **device)
{
    for (unsigned step = 0; step < LINK_STEPS; step++) {
        struct object *object = object_find(kernel->io->objects, name);

        if (object == NULL) {
            break;
        }
        if (object->kind == OBJECT_DEVICE) {
            *device = (struct io_device *)(void *)object;
            assert(!(*device)->deleted); /* or it would have no name */
            return STATUS_SUCCESS;
        }
        if (object->kind != OBJECT_LINK) {
            return STATUS_OBJECT_TYPE_MISMATCH;
        }
        name = &((struct io_link *)(void *)object)->target;
    }
    return STATUS_OBJECT_NAME_NOT_FOUND;
}

NTSTATUS io_link_resolve_file(struct kernel *kernel, const WCHAR *text,
    size_t length, struct io_device **device, size_t *end)
{
    struct object_name name;
    NTSTATUS status = object_name_resolve(kernel, &name, text, length);

    for (size_t at = 1; at <= length; at++) {
        struct object_name before;
        NTSTATUS found;

        if ((at < length && text[at] != '\\') ||
            !NT_SUCCESS(object_name_resolve(kernel, &before, text, at))) {
            continue;
        }
        found = io_link_resolve(kernel, &before, device);
        if (NT_SUCCESS(found)) {
            *end = at;
            return found;
        }
        status = at == length ? found : status;
    }
    assert(!NT_SUCCESS(status));
    return status;
}

static struct io_link *link_of(const struct counted_object *counted)
{
    return (struct io_link *)(uintptr_t)((const char *)counted -
                                         offsetof(struct io_link, counted));
}

static void link_gone(struct kernel *kernel, void *counted)
{
    struct io_link *link = link_of(counted);

    assert(link->removed);
    memory_free(
        &kernel->machine->memory, (void *)(uintptr_t)link->counted.address);
    record_give(&kernel->io->link_pool, link);
}

/* ZwMakeTemporaryObject came before, and this was the last handle. */
static void link_closed(struct kernel *kernel, struct counted_object *counted)
{
    struct io_link *link = link_of(counted);

    if (!counted->permanent && !link->removed) {
        io_link_delete(kernel, link);
    }
}

static size_t link_path(
    const struct counted_object *counted, WCHAR text[OBJECT_PATH_UNITS])
{
    const struct object_name *name = &link_of(counted)->object.name;

    memcpy(text, name->text, name->length * sizeof(*text));
    return name->length;
}

static const struct object_type link_type = {
    .name = OBJECT_TYPE_LINK,
    .text = "symbolic link",
    .gone = link_gone,
    .closed = link_closed,
    .path = link_path,
};

/* As IoCreateSymbolicLink makes it, it is permanent. */
struct counted_object *io_link_counted(
    struct kernel *kernel, struct io_link *link)
{
    void *address;

    if (link->counted.address != 0) {
        return &link->counted;
    }
    address = run_needs(kernel, memory_alloc(&kernel->machine->memory, 0, 0),
        "a symbolic link");
    link->counted = (struct counted_object){
        .type = &link_type, .address = (uintptr_t)address};
    counted_object_add(kernel, &link->counted);
    link->counted.permanent = true;
    return &link->counted;
}

const struct object_name *io_link_target(const struct counted_object *link)
{
    return &link_of(link)->target;
}

void io_link_delete(struct kernel *kernel, struct io_link *link)
{
    struct io_link **at = &kernel->io->links;

    assert(link->object.kind == OBJECT_LINK && !link->removed);
    while (*at != link) {
        assert(*at != NULL);
        at = &(*at)->next;
    }
    *at = link->next;
    object_remove(&kernel->io->objects, &link->object);
    link->removed = true;
    if (link->counted.address == 0) {
        record_give(&kernel->io->link_pool, link);
    } else if (link->counted.permanent) {
        link->counted.permanent = false;
        counted_object_release(kernel, &link->counted);
    }
}

static void link_make(struct kernel *kernel, const struct object_name *name,
    const struct object_name *target)
{
    struct io_link *link = record_take(
        kernel, &kernel->io->link_pool, sizeof(*link), "symbolic links");

    *link = (struct io_link){
        .object = {.kind = OBJECT_LINK, .name = *name},
        .target = *target,
        .owner = kernel_driver(kernel, kernel_cpu(kernel)),
        .place = place_current(kernel),
        .step = thread_step(kernel),
        .next = kernel->io->links,
    };
    kernel->io->links = link;
    object_insert(&kernel->io->objects, &link->object);
}

NTSTATUS IoCreateSymbolicLink_body(
    PUNICODE_STRING SymbolicLinkName, PUNICODE_STRING DeviceName)
{
    struct kernel *kernel = kernel_current();
    struct object_name name, target;
    NTSTATUS status = object_name_read(
        kernel, ROUTINE_IoCreateSymbolicLink, &name, SymbolicLinkName);

    if (NT_SUCCESS(status)) {
        status = object_name_read(
            kernel, ROUTINE_IoCreateSymbolicLink, &target, DeviceName);
    }
    if (!NT_SUCCESS(status)) {
        return status;
    }
    if (object_find(kernel->io->objects, &name) != NULL) {
        return STATUS_OBJECT_NAME_COLLISION;
    }
    link_make(kernel, &name, &target);
    return STATUS_SUCCESS;
}

NTSTATUS IoDeleteSymbolicLink_body(PUNICODE_STRING SymbolicLinkName)
{
    struct kernel *kernel = kernel_current();
    struct object_name name;
    struct object *object;
    NTSTATUS status = object_name_read(
        kernel, ROUTINE_IoDeleteSymbolicLink, &name, SymbolicLinkName);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    object = object_find(kernel->io->objects, &name);
    if (object == NULL) {
        return STATUS_OBJECT_NAME_NOT_FOUND;
    }
    if (object->kind != OBJECT_LINK) {
        return STATUS_OBJECT_TYPE_MISMATCH;
    }
    io_link_delete(kernel, (struct io_link *)(void *)object);
    return STATUS_SUCCESS;
}

static void list_links(
    struct kernel *kernel, const struct leak_listing *listing)
{
    for (const struct io_link *link = kernel->io->links; link != NULL;
         link = link->next) {
        if (link->owner == listing->driver) {
            object_found(
                listing, LEAK_SYMBOLIC_LINK, &link->object.name, link->step);
        }
    }
}

/* io_driver_unload() reports and removes them. */
const struct leak_source io_link_leaks = {
    LEAK_SYMBOLIC_LINK, list_links, NULL, NULL};
