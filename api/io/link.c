/* link.c - symbolic links, and the way from a name to its device. A link's
 * target need not exist until somebody follows it. */
#include "api/io/link.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/routine_bodies.h"
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

void io_link_delete(struct kernel *kernel, struct io_link *link)
{
    struct io_link **at = &kernel->io->links;

    assert(link->object.kind == OBJECT_LINK);
    while (*at != link) {
        assert(*at != NULL);
        at = &(*at)->next;
    }
    *at = link->next;
    object_remove(&kernel->io->objects, &link->object);
    record_give(&kernel->io->link_pool, link);
}

static NTSTATUS link_make(struct kernel *kernel, const struct object_name *name,
    const struct object_name *target)
{
    struct io_link *link = record_take(
        &kernel->io->link_pool, &kernel->machine->arena, sizeof(*link));

    if (link == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
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
    return STATUS_SUCCESS;
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
    return link_make(kernel, &name, &target);
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
