/* object_type.h - kinds of objects as drivers name them: what PsThreadType and
 * its kin point to. */
#ifndef API_OB_OBJECT_TYPE_H
#define API_OB_OBJECT_TYPE_H

#include <stddef.h>
#include <stdint.h>

#include "api/nt/access_right.h"
#include "api/nt/nt.h"

struct counted_object;
struct kernel;

enum object_type_name {
#define OBJECT_TYPE(name, ...) OBJECT_TYPE_##name,
#include "api/ob/object_types.def"
    OBJECT_TYPES
};

enum {
    OBJECT_PATH_UNITS = 32767, /* of a full path at most, with its NUL: what
                                * a UNICODE_STRING holds */
};

#define GENERIC_RIGHTS                                                         \
    (GENERIC_READ | GENERIC_WRITE | GENERIC_EXECUTE | GENERIC_ALL)

/* What generic rights mean: GENERIC_MAPPING (wdm.h). */
struct generic_rights {
    uint32_t read, write, execute, all;
};

_Static_assert(sizeof(struct generic_rights) == 16, "GENERIC_MAPPING");

/* A kind of object. */
struct object_type {
    enum object_type_name name;
    const char *text;
    /* Neither a handle nor a reference is left; NULL: that never comes. */
    void (*gone)(struct kernel *kernel, void *object);
    /* The last handle was closed, and the object is still there: its name may
     * have to go. NULL: nothing happens. */
    void (*closed)(struct kernel *kernel, struct counted_object *object);
    /* Its full path; returns the characters, 0: it has no name. NULL: none of
     * the kind has. */
    size_t (*path)(
        const struct counted_object *object, WCHAR text[OBJECT_PATH_UNITS]);
    /* Whether a handle of it can be made by its address (OB-08). NULL: always.
     */
    bool (*opens)(const struct counted_object *object);
};

/* The rights without generic ones, as those are meant; MAXIMUM_ALLOWED is all.
 */
uint32_t generic_access(const struct generic_rights *generic, uint32_t access);

/* What they mean for a kind, and the rights in the kind's own. */
const struct generic_rights *object_type_generic(enum object_type_name name);
uint32_t object_type_access(enum object_type_name name, uint32_t access);

/* The address that stands for it, which nobody can look into. */
void *object_type_address(struct kernel *kernel, enum object_type_name name);

/* What the variable of the kernel points to: a pointer to that address. */
void *object_type_pointer(struct kernel *kernel, enum object_type_name name);

#endif
