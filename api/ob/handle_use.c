/* handle_use.c - what a routine does with a handle that it was given: found,
 * compared with a kind and rights, refused. */
#include "api/ob/handle_use.h"

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/ke/kthread.h"

enum { VERIFIER_USER_HANDLE = 0xF6 };

static NTSTATUS refuse_by(
    struct kernel *kernel, enum routine routine, enum rule rule)
{
    rule_warn(kernel, kernel_cpu(kernel), rule, routine);
    return STATUS_INVALID_HANDLE;
}

NTSTATUS handle_refuse(
    struct kernel *kernel, enum routine routine, HANDLE handle)
{
    return refuse_by(kernel, routine,
        handle == NULL ? RULE_HANDLE_NULL : RULE_HANDLE_INVALID);
}

void zw_begin(struct kernel *kernel, enum routine routine)
{
    if (kthread_current(kernel)->special_apcs != 0) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_ZW_APCS, routine);
    }
}

/* OB-05b [C]: a program could close it meanwhile, and open another. */
static void check_trust(
    struct kernel *kernel, enum routine routine, HANDLE handle)
{
    const struct bugcheck_parameter parameter[4] = {
        {.value = VERIFIER_USER_HANDLE}, {.value = (uintptr_t)handle}};
    struct cpu *cpu = kernel_cpu(kernel);

    if (ruling_is(kernel, RULED_OB_05b_fatal)) {
        rule_stop_with(kernel, cpu, RULE_HANDLE_OF_PROGRAM, routine,
            place_current(kernel), BUGCHECK_DRIVER_VERIFIER_DETECTED_VIOLATION,
            parameter);
    }
    rule_warn(kernel, cpu, RULE_HANDLE_OF_PROGRAM, routine);
}

/* OB-04b [C]. */
static NTSTATUS check_rights(struct kernel *kernel, enum routine routine,
    const struct handle_use *use, enum object_type_name type, ULONG granted)
{
    if ((use->access & GENERIC_RIGHTS) != 0) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_HANDLE_GENERIC, routine);
        if (ruling_is(kernel, RULED_OB_04b_denied)) {
            return STATUS_ACCESS_DENIED;
        }
    }
    if (use->mode == USER_MODE &&
        (object_type_access(type, use->access) & ~granted) != 0) {
        return STATUS_ACCESS_DENIED;
    }
    return STATUS_SUCCESS;
}

/* Kernel code that says UserMode means a handle of the program's. */
static const struct handle *find(
    struct kernel *kernel, const struct handle_use *use)
{
    return use->mode == USER_MODE && handle_is_of_kernel(use->handle)
               ? NULL
               : handle_find(kernel, use->handle);
}

/* Of a program's thread it may be what the program has made up (OB-05c [C]); a
 * thread of the system's has nobody to ask for it (OB-05). */
static NTSTATUS refuse(
    struct kernel *kernel, enum routine routine, const struct handle_use *use)
{
    bool of_program = use->mode == USER_MODE &&
                      kthread_process(kthread_current(kernel)) != NULL;

    if (of_program && !ruling_is(kernel, RULED_OB_05c_event)) {
        return STATUS_INVALID_HANDLE;
    }
    if (of_program || handle_find(kernel, use->handle) == NULL) {
        return handle_refuse(kernel, routine, use->handle);
    }
    return refuse_by(kernel, routine, RULE_HANDLE_OF_KERNEL);
}

NTSTATUS handle_use(struct kernel *kernel, enum routine routine,
    const struct handle_use *use, struct counted_object **object)
{
    struct counted_object *self =
        kernel->hooks->self_object(kernel, use->handle);
    const struct handle *found = self != NULL ? NULL : find(kernel, use);
    enum object_type_name type;

    if (self == NULL && found == NULL) {
        return refuse(kernel, routine, use);
    }
    *object = self != NULL ? self : found->object;
    type = (*object)->type->name;
    if (use->type != NULL && use->type != object_type_address(kernel, type)) {
        return STATUS_OBJECT_TYPE_MISMATCH; /* OB-06a */
    }
    if (found != NULL && found->program != NULL && use->mode == KERNEL_MODE) {
        check_trust(kernel, routine, use->handle);
    }
    return check_rights(kernel, routine, use, type,
        found == NULL ? object_type_access(type, GENERIC_ALL) : found->access);
}

NTSTATUS handle_use_kind(struct kernel *kernel, enum routine routine,
    HANDLE handle, enum object_type_name kind, struct counted_object **object)
{
    struct counted_object *self = kernel->hooks->self_object(kernel, handle);
    const struct handle *found =
        self != NULL ? NULL : handle_find(kernel, handle);

    if (self == NULL && found == NULL) {
        return handle_refuse(kernel, routine, handle);
    }
    *object = self != NULL ? self : found->object;
    return (*object)->type->name == kind ? STATUS_SUCCESS
                                         : STATUS_OBJECT_TYPE_MISMATCH;
}
