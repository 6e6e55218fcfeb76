/* counted_object.h - objects that have references and handles: counted, found
 * by their address, and gone with the last one (OB-01). Knows nothing of what
 * they are. */
#ifndef API_OB_COUNTED_OBJECT_H
#define API_OB_COUNTED_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "api/core/leaks.h"
#include "api/core/routine.h"
#include "api/ob/object_type.h"

struct driver;
struct kernel;

/* What all of them have. It lies in the owner's record. */
struct counted_object {
    const struct object_type *type;
    uint64_t address;             /* as drivers know it */
    uint32_t references, handles; /* a handle is no reference here */
    uint32_t held;                /* the references that drivers hold: the last
                                   * one's number; 0: none */
    bool permanent; /* by a reference of its own (OB-01); or it loses its name
                     * with its last handle */
    void *security; /* a descriptor (api/se); NULL: it is as it was made */
    struct counted_object *secures; /* what its handles are asked for and set
                                     * the descriptor of; NULL: itself */
    struct counted_object *next;    /* in its bucket */
};

/* A reference that a driver has to give back (OB-02). */
struct held_reference {
    struct counted_object *object; /* NULL: it was given back */
    const struct driver *driver;
    uint64_t place;
    uint32_t step;
    uint32_t before; /* held before it, of its object; or the next free one */
    bool reported;   /* as left behind */
};

enum { OBJECT_BUCKETS = 256 };

struct counted_objects {
    struct counted_object *bucket[OBJECT_BUCKETS];
    struct held_reference *held; /* number 0 is nobody's */
    uint32_t count, capacity;
    uint32_t first_free; /* 0: none */
};

/* The object is known from now on, with one reference, its maker's. */
void counted_object_add(struct kernel *kernel, struct counted_object *object);

/* NULL: there is none at that address. */
struct counted_object *counted_object_find(
    struct kernel *kernel, const void *address);

/* The kernel's own references, which no driver can give back. */
void counted_object_reference(struct counted_object *object);
void counted_object_release(
    struct kernel *kernel, struct counted_object *object);

/* References of the running driver's. Who gives one back need not have taken
 * it; false: nobody has, and nothing is changed. */
void counted_object_hold(struct kernel *kernel, struct counted_object *object);
bool counted_object_drop(struct kernel *kernel, struct counted_object *object);

/* A new object's first handle was opened, or was not: its maker's reference is
 * given back, unless OBJ_PERMANENT among the attributes keeps it. */
void counted_object_made(struct kernel *kernel, struct counted_object *object,
    uint32_t attributes, NTSTATUS opened);

/* Handles are opened and closed in handle.h. */
void counted_object_open(struct counted_object *object);
void counted_object_close(struct kernel *kernel, struct counted_object *object);

/* The object a routine was given: an address where there is none stops the
 * machine (OB-03b). */
struct counted_object *counted_object_get(
    struct kernel *kernel, enum routine routine, const void *address);

/* Pointers and handles, as Windows counts both in one number. */
int64_t counted_object_count(const struct counted_object *object);

/* References that a driver has not given back: when it ends, the warning
 * leak.reference. */
extern const struct leak_source reference_leaks;

void counted_objects_release(struct counted_objects *objects);

#endif
