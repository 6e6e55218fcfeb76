/* handle.h - objects that have references and handles: counted, found by handle
 * or address, and gone with the last one (OB-01). Knows nothing of what they
 * are. */
#ifndef API_OB_HANDLE_H
#define API_OB_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/nt/nt.h"
#include "api/ob/object_type.h"

struct driver;
struct kernel;

/* What all of them have. It lies in the owner's record. */
struct counted_object {
    const struct object_type *type;
    uint64_t address; /* as drivers know it */
    uint32_t references, handles;
    struct counted_object *next; /* in its bucket */
};

struct handle {
    struct counted_object *object; /* NULL: it is closed */
    const struct driver *driver;
    uint64_t place;
    uint32_t step;
    uint32_t next_free;
    bool reported; /* as left behind */
};

enum { OBJECT_BUCKETS = 256 };

struct handles {
    struct handle *handle; /* number 0 is nobody's */
    uint32_t count, capacity;
    uint32_t first_free; /* 0: none */
    struct counted_object *bucket[OBJECT_BUCKETS];
    void *type[OBJECT_TYPES]; /* addresses; NULL: nobody has asked yet */
    void **type_pointers;     /* guest memory with all of them; or NULL, too */
};

/* The object is known from now on, with one reference, its maker's. */
void counted_object_add(struct kernel *kernel, struct counted_object *object);

/* NULL: there is none at that address. */
struct counted_object *counted_object_find(
    struct kernel *kernel, const void *address);

void counted_object_reference(struct counted_object *object);
void counted_object_release(
    struct kernel *kernel, struct counted_object *object);

/* A new kernel handle of the running driver's. NULL: there is no room. */
HANDLE handle_open(struct kernel *kernel, struct counted_object *object);

/* NULL: it is not open. */
struct counted_object *handle_object(struct kernel *kernel, HANDLE handle);

/* The handle is open. */
void handle_close(struct kernel *kernel, HANDLE handle);

/* What a driver has not closed: when it ends, the warning leak.handle. */
extern const struct leak_source handle_leaks;

void handles_release(struct handles *handles);

#endif
