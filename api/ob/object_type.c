/* object_type.c - addresses for PsThreadType, ExEventObjectType and the other
 * types of objects, made when asked for. */
#include "api/ob/object_type.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/ob/handle.h"

/* Of each kind, in the order of the bits from GENERIC_ALL up. */
static const uint32_t generic[OBJECT_TYPES][4] = {
#define OBJECT_TYPE(name, variable, text, read, write, execute, all)           \
    {all, execute, write, read},
#include "api/ob/object_types.def"
};

uint32_t object_type_access(enum object_type_name name, uint32_t access)
{
    uint32_t mapped = access & ~(GENERIC_RIGHTS | MAXIMUM_ALLOWED);

    assert(name < OBJECT_TYPES);
    for (unsigned i = 0; i < 4; i++) {
        mapped |= (access & GENERIC_ALL << i) != 0 ? generic[name][i] : 0;
    }
    return (access & MAXIMUM_ALLOWED) != 0 ? mapped | generic[name][0] : mapped;
}

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
