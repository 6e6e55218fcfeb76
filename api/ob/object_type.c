/* object_type.c - addresses for PsThreadType, ExEventObjectType and the other
 * types of objects, made when asked for. */
#include "api/ob/object_type.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/ob/handle.h"

static const struct generic_rights generics[OBJECT_TYPES] = {
#define OBJECT_TYPE(name, variable, text, ...) {__VA_ARGS__},
#include "api/ob/object_types.def"
};

uint32_t generic_access(const struct generic_rights *generic, uint32_t access)
{
    uint32_t mapped = access & ~(GENERIC_RIGHTS | MAXIMUM_ALLOWED);

    mapped |= (access & GENERIC_READ) != 0 ? generic->read : 0;
    mapped |= (access & GENERIC_WRITE) != 0 ? generic->write : 0;
    mapped |= (access & GENERIC_EXECUTE) != 0 ? generic->execute : 0;
    return (access & (GENERIC_ALL | MAXIMUM_ALLOWED)) != 0
               ? mapped | generic->all
               : mapped;
}

const struct generic_rights *object_type_generic(enum object_type_name name)
{
    assert(name < OBJECT_TYPES);
    return &generics[name];
}

uint32_t object_type_access(enum object_type_name name, uint32_t access)
{
    return generic_access(object_type_generic(name), access);
}

static void *take(struct kernel *kernel, size_t size)
{
    return run_needs(kernel, memory_alloc(&kernel->machine->memory, size, 0),
        "types of objects");
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
