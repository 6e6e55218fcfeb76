/* handles.c - handles of registrations, instances and buffers: they look like
 * pointers to kernel memory that nobody can touch, and each is used once. */
#include <assert.h>
#include <stdio.h>

#include "api/pcw/pcw.h"

#include "api/core/kernel.h"
#include "api/core/show.h"
#include "sim/base/list_room.h"

#define HANDLE_STEP UINT64_C(0x40)

static const struct {
    uint64_t base;
    const char *name;
} kinds[PCW_KINDS] = {
    [PCW_REGISTRATION] = {UINT64_C(0xFFFFE70100000000), "registration"},
    [PCW_INSTANCE] = {UINT64_C(0xFFFFE80200000000), "instance"},
    [PCW_BUFFER] = {UINT64_C(0xFFFFE90300000000), "buffer"},
};

static bool handles_check(const struct pcw_handles *handles)
{
    assert(handles->count <= handles->capacity);
    assert((handles->handle == NULL) == (handles->capacity == 0));
    return true;
}

static bool handle_check(const struct pcw_handle *handle)
{
    assert(handle->state > PCW_HANDLE_NEVER);
    assert(handle->state <= PCW_HANDLE_CLOSED_WITH);
    assert(handle->state != PCW_HANDLE_OPEN || handle->object != NULL);
    return true;
}

uint64_t pcw_handle_new(struct pcw *pcw, enum pcw_kind kind, void *object)
{
    struct pcw_handles *handles = &pcw->handles[kind];
    uint64_t value;

    assert(kind < PCW_KINDS && handles_check(handles));
    assert(handles->count < UINT32_MAX);
    handles->handle = list_room(handles->handle, &handles->capacity,
        handles->count, sizeof(*handles->handle));
    handles->handle[handles->count++] =
        (struct pcw_handle){PCW_HANDLE_OPEN, object};
    value = kinds[kind].base + handles->count * HANDLE_STEP;
    assert(pcw_handle_number(pcw, kind, value) == handles->count);
    return value;
}

uint32_t pcw_handle_number(
    const struct pcw *pcw, enum pcw_kind kind, uint64_t handle)
{
    uint64_t offset = handle - kinds[kind].base;

    assert(kind < PCW_KINDS);
    if (offset % HANDLE_STEP != 0 ||
        offset / HANDLE_STEP > pcw->handles[kind].count) {
        return 0;
    }
    return (uint32_t)(offset / HANDLE_STEP);
}

static struct pcw_handle *find(
    const struct pcw *pcw, enum pcw_kind kind, uint64_t handle)
{
    uint32_t number = pcw_handle_number(pcw, kind, handle);
    struct pcw_handle *found =
        number == 0 ? NULL : &pcw->handles[kind].handle[number - 1];

    assert(found == NULL || handle_check(found));
    return found;
}

enum pcw_handle_state pcw_handle_state(
    const struct pcw *pcw, enum pcw_kind kind, uint64_t handle)
{
    const struct pcw_handle *found = find(pcw, kind, handle);

    return found == NULL ? PCW_HANDLE_NEVER : found->state;
}

void *pcw_handle_object(
    const struct pcw *pcw, enum pcw_kind kind, uint64_t handle)
{
    const struct pcw_handle *found = find(pcw, kind, handle);

    return found == NULL || found->state != PCW_HANDLE_OPEN ? NULL
                                                            : found->object;
}

void pcw_handle_close(struct pcw *pcw, enum pcw_kind kind, uint64_t handle,
    enum pcw_handle_state state)
{
    struct pcw_handle *found = find(pcw, kind, handle);

    assert(found != NULL && found->state == PCW_HANDLE_OPEN);
    assert(state == PCW_HANDLE_CLOSED ||
           (state == PCW_HANDLE_CLOSED_WITH && kind == PCW_INSTANCE));
    found->state = state;
}

void pcw_handle_closing(struct pcw *pcw, enum pcw_kind kind, uint64_t handle)
{
    const struct pcw_handle *found = find(pcw, kind, handle);

    if (pcw->observer.closing != NULL && found != NULL &&
        found->state == PCW_HANDLE_OPEN) {
        pcw->observer.closing(
            pcw->observer.context, kind, pcw_handle_number(pcw, kind, handle));
    }
}

void pcw_handle_forget(struct pcw *pcw, enum pcw_kind kind, uint64_t handle)
{
    struct pcw_handle *found = find(pcw, kind, handle);

    assert(found != NULL && found->state != PCW_HANDLE_OPEN);
    assert(found->object != NULL); /* once */
    found->object = NULL;
}

static bool name_handle(
    struct kernel *kernel, uint64_t handle, char *text, size_t size)
{
    for (enum pcw_kind kind = 0; kind < PCW_KINDS; kind++) {
        uint32_t number = pcw_handle_number(kernel->pcw, kind, handle);

        if (number != 0) {
            snprintf(text, size, "%s#%u", kinds[kind].name, number);
            return true;
        }
    }
    return false;
}

const struct show_namer pcw_namer = {.handle = name_handle};
