/* early_end.c - a driver's call of a kernel routine ends before the routine is
 * through: with a status, where a ruling wants one in place of a bug check or
 * an exception (EXE-GEN-02, EXE-GEN-07). */
#include "api/core/early_end.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/thread.h"

static uint64_t call(
    const struct kernel *kernel, enum routine routine, const uint64_t *argument)
{
    return kernel->hooks->entries[routine].body(argument);
}

/* No body that is left has pushed frames of its own. */
static uint64_t call_with_way_out(
    struct kernel *kernel, enum routine routine, const uint64_t *argument)
{
    struct thread *const thread = thread_current(kernel);
    struct way_out *const outer = thread->way_out;
    const struct exception_frame *const frames = thread->frames;
    struct way_out own = {.routine = routine};

    thread->way_out = &own;
    if (setjmp(own.left) == 0) {
        own.result = call(kernel, routine, argument);
    }
    assert(thread->frames == frames);
    thread->way_out = outer;
    return own.result;
}

uint64_t early_end_call(
    struct kernel *kernel, enum routine routine, const uint64_t *argument)
{
    return ruling_is(kernel, RULED_EXE_GEN_02_event) ||
                   ruling_is(kernel, RULED_EXE_GEN_07_status)
               ? call_with_way_out(kernel, routine, argument)
               : call(kernel, routine, argument);
}

static bool has_status(enum routine routine)
{
    assert(routine < ROUTINE_COUNT);
    return routine_rows[routine].returns == NT_NTSTATUS;
}

static _Noreturn void leave(struct way_out *way, NTSTATUS status)
{
    assert(NT_ERROR(status));
    way->result = has_status(way->routine) ? (uint32_t)status : 0;
    longjmp(way->left, 1);
}

_Noreturn void early_end_for_object(struct kernel *kernel, enum rule rule,
    enum routine routine, const struct bugcheck_parameter parameter[4])
{
    struct way_out *way = thread_current(kernel)->way_out;

    if (!ruling_is(kernel, RULED_EXE_GEN_02_event)) {
        rule_stop(kernel, kernel_cpu(kernel), rule, routine, parameter);
    }
    assert(way != NULL); /* objects are given to routines */
    rule_report(kernel, kernel_cpu(kernel), rule, routine);
    leave(way, STATUS_INVALID_PARAMETER);
}

void early_end_for_exception(
    struct kernel *kernel, const struct exception_record *record)
{
    struct way_out *way = thread_current(kernel)->way_out;

    if (!ruling_is(kernel, RULED_EXE_GEN_07_status) ||
        record->code == STATUS_ACCESS_VIOLATION ||
        record->routine == ROUTINE_COUNT || !has_status(record->routine)) {
        return;
    }
    assert(way != NULL && way->routine == record->routine); /* its own body */
    leave(way, record->code);
}
