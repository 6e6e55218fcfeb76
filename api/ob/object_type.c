/* object_type.c - an address for each kind of object, when it is asked for. */
#include "api/ob/object_type.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/ob/handle.h"

void *object_type_address(struct kernel *kernel, enum object_type_name name)
{
    void **address = &kernel->handles->type[name];

    assert(name < OBJECT_TYPES);
    if (*address == NULL) {
        *address = memory_alloc(&kernel->machine->memory, 0, 0);
    }
    if (*address == NULL) {
        run_end_stop(kernel, RUN_NOT_MODELLED,
            "there is no guest memory left for a type of objects");
    }
    return *address;
}
