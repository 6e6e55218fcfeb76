/* object_type.h - kinds of objects as drivers name them: what PsThreadType and
 * its kin point to. */
#ifndef API_OB_OBJECT_TYPE_H
#define API_OB_OBJECT_TYPE_H

#include <stdint.h>

struct kernel;

enum object_type_name {
#define OBJECT_TYPE(name, variable) OBJECT_TYPE_##name,
#include "api/ob/object_types.def"
    OBJECT_TYPES
};

/* A kind of object. */
struct object_type {
    enum object_type_name name;
    const char *text;
    /* Neither a handle nor a reference is left. */
    void (*gone)(struct kernel *kernel, void *object);
};

/* The address that stands for it, which nobody can look into. */
void *object_type_address(struct kernel *kernel, enum object_type_name name);

/* What the variable of the kernel points to: a pointer to that address. */
void *object_type_pointer(struct kernel *kernel, enum object_type_name name);

#endif
