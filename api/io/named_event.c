/* named_event.c - IoCreateNotificationEvent, IoCreateSynchronizationEvent:
 * events that drivers share by a name. */
#include "api/io/named_event.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/run_end.h"
#include "api/io/io.h"
#include "api/io/named_object.h"
#include "api/ke/dispatch_object.h"
#include "api/ke/object_wait.h"
#include "api/mm/copy.h"

static struct named_event *event_of(const struct counted_object *object)
{
    return (
        struct named_event *)(uintptr_t)((const char *)object -
                                         offsetof(struct named_event, counted));
}

static void unlist(struct kernel *kernel, struct named_event *event)
{
    if (event->listed) {
        object_remove(&kernel->io->objects, &event->object);
        event->listed = false;
    }
}

/* Its address is nobody's any more (EVT-10 [C]). */
static void event_gone(struct kernel *kernel, void *object)
{
    struct named_event *event = event_of(object);
    uint64_t address = event->counted.address;

    dispatch_object_free(kernel, kernel_cpu(kernel), ROUTINE_ZwClose,
        dispatch_object_find(kernel, address));
    memory_free(&kernel->machine->memory, (void *)(uintptr_t)address);
    unlist(kernel, event);
    record_give(&kernel->io->event_pool, event);
}

static void event_closed(struct kernel *kernel, struct counted_object *object)
{
    if (!object->permanent) {
        unlist(kernel, event_of(object));
    }
}

static size_t event_path(
    const struct counted_object *object, WCHAR text[OBJECT_PATH_UNITS])
{
    const struct named_event *event = event_of(object);

    return event->listed ? object_path(&event->object, text) : 0;
}

static const struct object_type event_type = {
    .name = OBJECT_TYPE_EVENT,
    .text = "event",
    .gone = event_gone,
    .closed = event_closed,
    .path = event_path,
};

struct named_event *named_event_make(struct kernel *kernel,
    enum routine routine, const struct object_name *name,
    enum dispatch_kind kind, int32_t state)
{
    struct named_event *event =
        record_take(kernel, &kernel->io->event_pool, sizeof(*event), "events");
    void *storage = run_needs(kernel,
        memory_alloc(&kernel->machine->memory, sizeof(KEVENT), 0), "an event");

    event->object = (struct object){.kind = OBJECT_EVENT};
    event->listed = name != NULL;
    event->counted = (struct counted_object){
        .type = &event_type, .address = (uintptr_t)storage};
    dispatch_object_make(kernel, routine, (uintptr_t)storage, kind, state);
    if (name != NULL) {
        event->object.name = *name;
        object_insert(&kernel->io->objects, &event->object);
    }
    counted_object_add(kernel, &event->counted);
    return event;
}

struct dispatch_object *named_event_state(
    struct kernel *kernel, const struct counted_object *counted)
{
    struct dispatch_object *state =
        dispatch_object_find(kernel, counted->address);

    assert(counted->type == &event_type && state != NULL);
    return state;
}

int32_t named_event_set(
    struct kernel *kernel, const struct counted_object *counted, int32_t state)
{
    struct dispatch_object *event = named_event_state(kernel, counted);
    int32_t before = event->state;

    if (before != state) {
        dispatch_object_set(kernel, event, state);
        object_signal(kernel, event); /* nobody goes on for one that is clear */
    }
    return before;
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
        return named_event_make(kernel, routine, name, kind, 1);
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
