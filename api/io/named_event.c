/* named_event.c - IoCreateNotificationEvent, IoCreateSynchronizationEvent:
 * events that drivers share by a name. */
#include "api/io/named_event.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/io/io.h"
#include "api/ke/dispatch_object.h"
#include "api/mm/copy.h"

static struct named_event *event_of(struct counted_object *object)
{
    return (
        struct named_event *)(void *)((char *)object -
                                      offsetof(struct named_event, counted));
}

/* The last handle is closed: its address is nobody's any more (EVT-10 [C]). */
static void event_gone(struct kernel *kernel, void *object)
{
    struct named_event *event = event_of(object);
    uint64_t address = event->counted.address;

    dispatch_object_free(kernel, kernel_cpu(kernel), ROUTINE_ZwClose,
        dispatch_object_find(kernel, address));
    memory_free(&kernel->machine->memory, (void *)(uintptr_t)address);
    object_remove(&kernel->io->objects, &event->object);
    record_give(&kernel->io->event_pool, event);
}

static const struct object_type event_type = {
    OBJECT_TYPE_EVENT, "event", event_gone};

/* Signalled, with the reference of its maker. NULL: there is no room. */
static struct named_event *make(struct kernel *kernel, enum routine routine,
    const struct object_name *name, enum dispatch_kind kind)
{
    struct memory *memory = &kernel->machine->memory;
    struct named_event *event = record_take(
        &kernel->io->event_pool, &kernel->machine->arena, sizeof(*event));
    void *storage =
        event == NULL ? NULL : memory_alloc(memory, sizeof(KEVENT), 0);

    if (storage == NULL) {
        if (event != NULL) {
            record_give(&kernel->io->event_pool, event);
        }
        return NULL;
    }
    event->object = (struct object){.name = *name, .kind = OBJECT_EVENT};
    event->counted = (struct counted_object){
        .type = &event_type, .address = (uintptr_t)storage};
    dispatch_object_make(kernel, routine, (uintptr_t)storage, kind, 1);
    object_insert(&kernel->io->objects, &event->object);
    counted_object_add(kernel, &event->counted);
    return event;
}

/* The one of that name with a reference of the caller's, or a new one; NULL:
 * the name is another object's, or the event of another kind where that fails
 * (EVT-10 [C]). */
static struct named_event *open(struct kernel *kernel, enum routine routine,
    const struct object_name *name, enum dispatch_kind kind)
{
    struct object *found = object_find(kernel->io->objects, name);
    struct named_event *event = (struct named_event *)(void *)found;

    if (found == NULL) {
        return make(kernel, routine, name, kind);
    }
    if (found->kind != OBJECT_EVENT) {
        return NULL;
    }
    if (dispatch_object_find(kernel, event->counted.address)->kind != kind) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_EVENT_OTHER_KIND, routine);
        if (ruling_is(kernel, RULED_EVT_10_fail)) {
            return NULL;
        }
    }
    counted_object_reference(&event->counted);
    return event;
}

static PVOID create(enum routine routine, PUNICODE_STRING name_given,
    PHANDLE handle_out, enum dispatch_kind kind)
{
    struct kernel *kernel = kernel_current();
    struct named_event *event;
    struct object_name name;
    HANDLE handle;
    PVOID address;

    copy_probe(kernel, routine, handle_out, sizeof(*handle_out), true);
    if (!NT_SUCCESS(object_name_read(kernel, routine, &name, name_given))) {
        return NULL;
    }
    event = open(kernel, routine, &name, kind);
    if (event == NULL) {
        return NULL;
    }
    address = (PVOID)(uintptr_t)event->counted.address;
    handle = handle_open(kernel, &event->counted);
    counted_object_release(kernel, &event->counted);
    if (handle == NULL) {
        return NULL;
    }
    copy_out(kernel, routine, handle_out, &handle, sizeof(handle));
    return address;
}

PVOID IoCreateNotificationEvent_body(
    PUNICODE_STRING EventName, PHANDLE EventHandle)
{
    return create(ROUTINE_IoCreateNotificationEvent, EventName, EventHandle,
        DISPATCH_NOTIFICATION_EVENT);
}

PVOID IoCreateSynchronizationEvent_body(
    PUNICODE_STRING EventName, PHANDLE EventHandle)
{
    return create(ROUTINE_IoCreateSynchronizationEvent, EventName, EventHandle,
        DISPATCH_SYNCHRONIZATION_EVENT);
}
