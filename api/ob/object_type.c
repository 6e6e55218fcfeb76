/* object_type.c - addresses for PsThreadType, ExEventObjectType and the other
 * types of objects, made when asked for. */
#include "api/ob/object_type.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/ob/handle.h"

static void *take(struct kernel *kernel, size_t size)
{
    void *memory = memory_alloc(&kernel->machine->memory, size, 0);

    if (memory == NULL) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "there is no guest memory left for types of objects");
    }
    return memory;
}

void *object_type_address(struct kernel *kernel, enum object_type_name name)
{
    void **address = &kernel->handles->type[name];

    assert(name < OBJECT_TYPES);
    if (*address == NULL) {
        *address = take(kernel, 0);
    }
    return *address;
}

void *object_type_pointer(struct kernel *kernel, enum object_type_name name)
{
    struct handles *handles = kernel->handles;

    if (handles->type_pointers == NULL) {
        handles->type_pointers = take(kernel, sizeof(handles->type));
        for (enum object_type_name i = 0; i < OBJECT_TYPES; i++) {
            handles->type_pointers[i] = object_type_address(kernel, i);
        }
    }
    return &handles->type_pointers[name];
}
