/* seh_scopes.c - __C_specific_handler's work: what __try, __except and
 * __finally of C became, a table of scopes behind the handler's address. */
#include <string.h>

#include "api/image/seh_walk.h"

enum { FILTER_EXECUTES = 1 }; /* a filter's rva that means a constant */

/* As it lies in the image; all but the filter are ends of ranges or places
 * relative to the image's base. */
struct scope {
    uint32_t begin, end;
    uint32_t handler; /* of the filter, or of the __finally */
    uint32_t target;  /* where the __except block is; 0: it is a __finally */
};

struct scopes {
    const struct seh_ops *ops;
    struct seh_activation *activation;
    const DISPATCHER_CONTEXT *dispatcher;
    uint64_t frame;
    uint64_t table; /* the first one's address */
    uint32_t count;
    uint32_t pc;     /* rva of the code that runs in the frame */
    uint32_t target; /* rva where an unwind goes to */
};

static bool scopes_open(
    struct scopes *scopes, uint64_t frame, const DISPATCHER_CONTEXT *dispatcher)
{
    const struct unwind_memory *memory = &scopes->ops->memory;
    const struct seh_image *image = &scopes->activation->walk.frame.image;
    uint64_t data = (uintptr_t)dispatcher->HandlerData;

    scopes->dispatcher = dispatcher;
    scopes->frame = frame;
    scopes->table = data + sizeof(scopes->count);
    scopes->pc = (uint32_t)(dispatcher->ControlPc - dispatcher->ImageBase);
    scopes->target = (uint32_t)(dispatcher->TargetIp - dispatcher->ImageBase);
    return memory->read(
               memory->context, data, &scopes->count, sizeof(scopes->count)) &&
           scopes->count <= image->size / sizeof(struct scope);
}

static bool scope_read(
    const struct scopes *scopes, uint32_t index, struct scope *scope)
{
    const struct unwind_memory *memory = &scopes->ops->memory;

    return memory->read(memory->context,
        scopes->table + index * (uint64_t)sizeof(*scope), scope,
        sizeof(*scope));
}

static bool holds(const struct scope *scope, uint32_t rva)
{
    return rva >= scope->begin && rva < scope->end;
}

/* Runs a filter or a __finally; both take the frame second. */
static bool run(const struct scopes *scopes, const struct scope *scope,
    uint64_t first, uint64_t *returned)
{
    const struct seh_ops *ops = scopes->ops;
    uint64_t address = scopes->dispatcher->ImageBase + scope->handler;
    const uint64_t argument[4] = {first, scopes->frame};

    if (!ops->is_code(ops->context, address)) {
        return false;
    }
    *returned = ops->call(ops->context, address, argument);
    return true;
}

static bool filter(
    const struct scopes *scopes, const struct scope *scope, int32_t *said)
{
    struct seh_records *records = scopes->activation->records;
    uint64_t returned;

    if (scope->handler == FILTER_EXECUTES) {
        *said = EXCEPTION_EXECUTE_HANDLER;
        return true;
    }
    records->pointers =
        (EXCEPTION_POINTERS){&records->record, &records->context};
    if (!run(scopes, scope, (uintptr_t)&records->pointers, &returned)) {
        return false;
    }
    *said = (int32_t)(uint32_t)returned;
    return true;
}

/* The __except block is gone to through the second phase. */
static uint32_t execute(const struct scopes *scopes, const struct scope *scope)
{
    struct seh_records *records = scopes->activation->records;
    uint64_t target_ip = scopes->dispatcher->ImageBase + scope->target;

    seh_unwind_from(scopes->ops, scopes->activation->outer, scopes->frame,
        target_ip, (uint32_t)records->record.ExceptionCode, records);
    return SEH_DISPOSITION_BROKEN; /* it came back */
}

static uint32_t search(const struct scopes *scopes)
{
    struct scope scope;
    int32_t said;

    for (uint32_t i = scopes->dispatcher->ScopeIndex; i < scopes->count; i++) {
        if (!scope_read(scopes, i, &scope)) {
            return SEH_DISPOSITION_BROKEN;
        }
        if (!holds(&scope, scopes->pc) || scope.target == 0) {
            continue;
        }
        if (!filter(scopes, &scope, &said)) {
            return SEH_DISPOSITION_BROKEN;
        }
        if (said < 0) {
            return ExceptionContinueExecution;
        }
        if (said > 0) {
            return execute(scopes, &scope);
        }
    }
    return ExceptionContinueSearch;
}

/* Whether the unwind's target lies within the same __try: its scope, and every
 * one around it, is not left. A __try may have more than one row. */
static bool stays_inside(
    const struct scopes *scopes, const struct scope *scope, bool *stays)
{
    struct scope other;

    *stays = scope->target != 0 && scopes->target == scope->target;
    for (uint32_t i = 0; i < scopes->count && !*stays; i++) {
        if (!scope_read(scopes, i, &other)) {
            return false;
        }
        *stays = holds(&other, scopes->target) &&
                 other.handler == scope->handler &&
                 other.target == scope->target;
    }
    return true;
}

static uint32_t terminate(
    const struct scopes *scopes, DISPATCHER_CONTEXT *dispatcher, bool at_target)
{
    struct scope scope;
    uint64_t ignored;
    bool stays = false;

    for (uint32_t i = dispatcher->ScopeIndex; i < scopes->count; i++) {
        if (!scope_read(scopes, i, &scope)) {
            return SEH_DISPOSITION_BROKEN;
        }
        if (!holds(&scope, scopes->pc)) {
            continue;
        }
        if (at_target && !stays_inside(scopes, &scope, &stays)) {
            return SEH_DISPOSITION_BROKEN;
        }
        if (stays) {
            break;
        }
        if (scope.target != 0) {
            continue;
        }
        /* First: an unwind that collides with this one goes on after it. */
        dispatcher->ScopeIndex = i + 1;
        if (!run(scopes, &scope, true, &ignored)) {
            return SEH_DISPOSITION_BROKEN;
        }
    }
    return ExceptionContinueSearch;
}

uint32_t seh_c_specific_handler(const struct seh_ops *ops,
    EXCEPTION_RECORD *record, uint64_t frame, CONTEXT *context,
    DISPATCHER_CONTEXT *dispatcher)
{
    struct scopes scopes = {.ops = ops, .activation = *ops->innermost};
    const struct seh_activation *activation = scopes.activation;
    ULONG flags;

    if (activation == NULL || record != &activation->records->record ||
        dispatcher != &activation->records->dispatcher ||
        (context != &activation->records->context &&
            context != &activation->records->unwound) ||
        !scopes_open(&scopes, frame, dispatcher)) {
        return SEH_DISPOSITION_BROKEN;
    }
    flags = record->ExceptionFlags;
    if ((flags & (EXCEPTION_UNWINDING | EXCEPTION_EXIT_UNWIND)) == 0) {
        return search(&scopes);
    }
    return terminate(
        &scopes, dispatcher, (flags & EXCEPTION_TARGET_UNWIND) != 0);
}
