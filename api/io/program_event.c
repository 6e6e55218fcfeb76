/* program_event.c - what a program does with events: CreateEventW, SetEvent,
 * ResetEvent, WaitForSingleObject. Its handles are what it gives to drivers. */
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/io/io.h"
#include "api/io/named_event.h"
#include "api/io/named_object.h"
#include "api/ke/clock.h"
#include "api/ke/object_wait.h"
#include "api/mm/copy.h"
#include "api/ob/handle.h"

enum {
    UNITS_PER_MS = 10000, /* of 100 ns */
    WAIT_OBJECT_0 = 0,
    WAIT_TIMEOUT = 0x102,
};

static const ULONG WAIT_FAILED = UINT32_MAX;
static const ULONG INFINITE = UINT32_MAX;

/* Where Windows puts a program's names; there is one session [C]. */
static NTSTATUS read_name(
    struct kernel *kernel, const WCHAR *given, struct object_name *name)
{
    static const char directory[] = "\\BaseNamedObjects\\";
    const enum routine routine = ROUTINE_CreateEventW;
    WCHAR text[2 * OBJECT_NAME_CHARS];
    size_t start = sizeof(directory) - 1;
    size_t length = copy_text_length(
        kernel, routine, given, sizeof(*given), OBJECT_NAME_CHARS);

    copy_in(kernel, routine, &text[start], given, length * sizeof(*text));
    for (size_t i = 0; i < start; i++) {
        text[i] = (WCHAR)directory[i];
    }
    return object_name_parse(name, text, start + length);
}

/* The one of that name, or a new one with a reference that is given back; NULL:
 * neither can be had. */
static struct named_event *find_or_make(struct kernel *kernel,
    const struct object_name *name, bool manual, bool state, bool *made)
{
    struct object *found =
        name == NULL ? NULL : object_find(kernel->io->objects, name);

    *made = found == NULL;
    if (found == NULL) {
        return named_event_make(kernel, ROUTINE_CreateEventW, name,
            manual ? DISPATCH_NOTIFICATION_EVENT
                   : DISPATCH_SYNCHRONIZATION_EVENT,
            state);
    }
    return found->kind == OBJECT_EVENT ? (struct named_event *)(void *)found
                                       : NULL;
}

HANDLE CreateEventW_body(PVOID lpEventAttributes, ULONG bManualReset,
    ULONG bInitialState, PCWSTR lpName)
{
    struct kernel *kernel = kernel_current();
    struct named_event *event;
    struct object_name name;
    HANDLE handle;
    bool made;

    (void)lpEventAttributes;
    if (lpName != NULL && !NT_SUCCESS(read_name(kernel, lpName, &name))) {
        return NULL;
    }
    event = find_or_make(kernel, lpName == NULL ? NULL : &name,
        bManualReset != 0, bInitialState != 0, &made);
    if (event == NULL) {
        return NULL;
    }
    handle = handle_open(kernel, &event->counted);
    if (made) {
        counted_object_made(kernel, &event->counted, 0,
            handle == NULL ? STATUS_INSUFFICIENT_RESOURCES : STATUS_SUCCESS);
    }
    return handle;
}

/* FALSE: it is no event's. */
static ULONG set(HANDLE handle, int32_t state)
{
    struct kernel *kernel = kernel_current();
    struct counted_object *object = handle_object(kernel, handle);

    if (object == NULL || object->type->name != OBJECT_TYPE_EVENT) {
        return false;
    }
    named_event_set(kernel, object, state);
    return true;
}

ULONG SetEvent_body(HANDLE hEvent)
{
    return set(hEvent, 1);
}

ULONG ResetEvent_body(HANDLE hEvent)
{
    return set(hEvent, 0);
}

static struct wait_until until_of(struct kernel *kernel, ULONG milliseconds)
{
    if (milliseconds == 0) {
        return (struct wait_until){.limit = WAIT_NOT};
    }
    if (milliseconds == INFINITE) {
        return (struct wait_until){.limit = WAIT_FOR_EVER};
    }
    return wait_until_after(kernel, clock_interrupt_time(kernel),
        (uint64_t)milliseconds * UNITS_PER_MS);
}

ULONG WaitForSingleObject_body(HANDLE hHandle, ULONG dwMilliseconds)
{
    struct kernel *kernel = kernel_current();
    struct counted_object *object = handle_object(kernel, hHandle);
    struct wait_until until = until_of(kernel, dwMilliseconds);
    struct dispatch_object *waited =
        object == NULL ? NULL : dispatch_object_find(kernel, object->address);
    NTSTATUS status;

    if (waited == NULL) {
        return WAIT_FAILED;
    }
    counted_object_reference(object);
    status =
        object_wait(kernel, &waited, 1, WAIT_HOW_ANY, &until, SWITCH_EXECUTIVE);
    counted_object_release(kernel, object);
    return status == STATUS_TIMEOUT ? WAIT_TIMEOUT : WAIT_OBJECT_0;
}
