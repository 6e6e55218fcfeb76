/* allocation.h - calls of HalAllocateHardwareCounters, its arguments in the
 * driver's memory, descriptors in one word each; and of
 * HalFreeHardwareCounters. */
#ifndef TESTS_API_CORE_ALLOCATION_H
#define TESTS_API_CORE_ALLOCATION_H

#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

#define SINGLE(index)                                                          \
    {                                                                          \
        .Type = ResourceTypeSingle, .u = {.CounterIndex = (index) }            \
    }
#define RANGE(begin, end)                                                      \
    {                                                                          \
        .Type = ResourceTypeRange, .u = {.Range = {(begin), (end)} }           \
    }
#define HANDLER(function)                                                      \
    {                                                                          \
        .Type = ResourceTypeOverflow, .u = {.OverflowHandler = (function) }    \
    }
#define EVENTS(function, entry_size, threshold)                                \
    {                                                                          \
        .Type = ResourceTypeEventBuffer, .u = {                                \
            .EventBufferConfiguration = {(function), (entry_size),             \
                (threshold)}                                                   \
        }                                                                      \
    }
#define TAG(value)                                                             \
    {                                                                          \
        .Type = ResourceTypeIdenitificationTag, .u = {                         \
            .IdentificationTag = (value)                                       \
        }                                                                      \
    }
#define TYPE(number)                                                           \
    {                                                                          \
        .Type = (PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR_TYPE)(number)            \
    }

struct allocation {
    PGROUP_AFFINITY affinity;
    ULONG groups;
    PPHYSICAL_COUNTER_RESOURCE_LIST list;
    PHANDLE handle;
    bool raised;
    struct exception_record record; /* when it raised */
    uint32_t status;                /* when it returned */
};

/* A list in the driver's memory that ends with its last descriptor. */
static inline PPHYSICAL_COUNTER_RESOURCE_LIST allocation_list(
    struct booted_kernel *booted,
    const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR *descriptor, ULONG count)
{
    size_t bytes = count * sizeof(*descriptor);
    uint8_t *block = booted_block(booted, 8 + bytes, 0);

    memcpy(block, &count, sizeof(count));
    if (bytes > 0) {
        memcpy(block + 8, descriptor, bytes);
    }
    return (PPHYSICAL_COUNTER_RESOURCE_LIST)(void *)block;
}

/* A place for the handle, filled with A5H. */
static inline PHANDLE allocation_handle(struct booted_kernel *booted)
{
    return booted_block(booted, sizeof(HANDLE), 0xA5);
}

static inline void allocation_call(void *argument)
{
    struct allocation *call = argument;

    call->status = (uint32_t)HalAllocateHardwareCounters(
        call->affinity, call->groups, call->list, call->handle);
}

/* Driver code: calls, and catches. */
static inline void allocation_try(void *argument)
{
    struct allocation *call = argument;

    call->raised = booted_catch(allocation_call, call, &call->record);
}

/* Calls from processor 0; a null `descriptor` is a NULL list. Returns the
 * status, which nothing raised instead of; *handle is what was written. */
static inline uint32_t allocate(struct booted_kernel *booted,
    const PHYSICAL_COUNTER_RESOURCE_DESCRIPTOR *descriptor, ULONG count,
    uint64_t *handle)
{
    struct allocation call = {.handle = allocation_handle(booted)};

    if (descriptor != NULL) {
        call.list = allocation_list(booted, descriptor, count);
    }
    booted_run(booted, 0, allocation_try, &call);
    assert_false(call.raised);
    *handle = (uint64_t)(uintptr_t)*call.handle;
    return call.status;
}

struct release {
    uint64_t handle;
    uint32_t status;
    uint64_t time; /* at which it returned */
};

/* Driver code: frees the set. */
static inline void release_call(void *argument)
{
    struct release *call = argument;

    call->status =
        (uint32_t)HalFreeHardwareCounters((HANDLE)(uintptr_t)call->handle);
    call->time = kernel_cpu(kernel_current())->time;
}

#endif
