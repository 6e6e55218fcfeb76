/* handle_use.h - a handle that a routine was given: what it is of, whether it
 * is of the kind and has the rights that the routine needs. */
#ifndef API_OB_HANDLE_USE_H
#define API_OB_HANDLE_USE_H

#include "api/core/routine.h"
#include "api/ob/handle.h"

struct kernel;

struct handle_use {
    HANDLE handle; /* also that of the current process or thread, -1 and -2 */
    ULONG access;  /* that a UserMode caller needs */
    const void *type; /* NULL: any */
    KPROCESSOR_MODE mode;
};

/* STATUS_INVALID_HANDLE, with the rule; STATUS_OBJECT_TYPE_MISMATCH,
 * STATUS_ACCESS_DENIED. The object has no reference more than before. */
NTSTATUS handle_use(struct kernel *kernel, enum routine routine,
    const struct handle_use *use, struct counted_object **object);

/* The same, with -1 and -2, for the kernel's own routines that need one kind
 * (ZwSetEvent): the caller's mode is KernelMode (OB-15). */
NTSTATUS handle_use_kind(struct kernel *kernel, enum routine routine,
    HANDLE handle, enum object_type_name kind, struct counted_object **object);

/* What kernel code does to a handle that is not open: a rule event, another for
 * NULL, and STATUS_INVALID_HANDLE. */
NTSTATUS handle_refuse(
    struct kernel *kernel, enum routine routine, HANDLE handle);

/* A Zw routine begins: special kernel APCs may not be off (OB-14). */
void zw_begin(struct kernel *kernel, enum routine routine);

#endif
