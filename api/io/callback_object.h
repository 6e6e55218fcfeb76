/* callback_object.h - callback objects: routines of drivers by a name, which
 * whoever knows the name may have called. */
#ifndef API_IO_CALLBACK_OBJECT_H
#define API_IO_CALLBACK_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/io/object.h"
#include "api/ob/handle.h"

struct callback_registration {
    uint64_t handle; /* as the driver knows it */
    uint64_t function, context;
    const struct driver *driver;
    uint64_t place;   /* of the call that made it; 0: unknown */
    uint32_t step;    /* of the actor's (struct thread) */
    uint32_t running; /* calls that are under way */
    bool removed;     /* it is called no more */
    bool reported;    /* as left behind */
    struct callback_object *object;
    struct callback_registration *next; /* registered after it */
};

struct callback_object {
    struct object object; /* first */
    struct counted_object counted;
    bool multiple;  /* more than one routine may be registered */
    bool system;    /* Windows' own */
    uint32_t calls; /* of ExNotifyCallback, under way */
    struct callback_registration *first, *last;
};

/* Windows' own object whose routines are told of processors (CBK-05a). */
#define CALLBACK_PROCESSOR_ADD "\\Callback\\ProcessorAdd"

/* What comes behind each routine that was called. */
struct callback_told {
    void (*one)(struct kernel *kernel, void *context, uint64_t function);
    void *context;
};

/* Calls the routines of one of Windows' own objects, if a driver has it open.
 */
void callback_object_tell(struct kernel *kernel, const char *name, PVOID first,
    PVOID second, const struct callback_told *told);

/* What a driver has not unregistered: when it ends, leak.callback. */
extern const struct leak_source callback_leaks;

#endif
