/* test_mutex.c - how often a mutex can be owned (MTX-07), which no scenario
 * lives to see; and what comes of the exception where EXE-GEN-07 is flipped. */
#include "api/boot/exports.h"
#include "api/core/exception.h"
#include "api/core/thread.h"
#include "api/ke/dispatch_object.h"
#include "tests/api/booted_kernel.h"

struct owning {
    KMUTEX *mutex;
    LARGE_INTEGER *none; /* 0: to look alone */
    LONG state;          /* before the wait */
    NTSTATUS raised, returned;
};

static NTSTATUS look(const struct owning *owning)
{
    return KeWaitForSingleObject(owning->mutex, Executive, 0, 0, owning->none);
}

static void own(void *argument)
{
    struct owning *owning = argument;
    struct kernel *kernel = kernel_current();
    struct exception_frame frame = {.deliver = NULL};

    KeInitializeMutex(owning->mutex, 0);
    look(owning);
    dispatch_object_find(kernel, (uintptr_t)owning->mutex)->state =
        owning->state;
    exception_push(kernel, &frame);
    if (setjmp(frame.caught) == 0) {
        owning->returned = look(owning);
    } else {
        owning->raised = frame.record.code;
    }
    exception_pop(kernel, &frame);
    assert_null(thread_current(kernel)->way_out);
}

static struct row {
    const char *name;
    LONG state, want_state;
    NTSTATUS want_raised, want_returned;
    enum ruled ruled; /* RULED_EXE_GEN_07_status, or another */
} rows[] = {
    {"once_more_is_possible", INT32_MIN + 1, INT32_MIN, STATUS_SUCCESS,
        STATUS_SUCCESS, RULED_EXE_GEN_07_exception},
    {"beyond_the_limit_raises", INT32_MIN, INT32_MIN,
        STATUS_MUTANT_LIMIT_EXCEEDED, STATUS_SUCCESS,
        RULED_EXE_GEN_07_exception},
    {"beyond_the_limit_returns_where_that_is_ruled", INT32_MIN, INT32_MIN,
        STATUS_SUCCESS, STATUS_MUTANT_LIMIT_EXCEEDED, RULED_EXE_GEN_07_status},
    {"who_returns_so_may_succeed", INT32_MIN + 1, INT32_MIN, STATUS_SUCCESS,
        STATUS_SUCCESS, RULED_EXE_GEN_07_status},
    {"other_rulings_raise_as_ever", INT32_MIN, INT32_MIN,
        STATUS_MUTANT_LIMIT_EXCEEDED, STATUS_SUCCESS, RULED_EXE_GEN_02_event},
};

static void limit_row(void **state)
{
    const struct row *row = *state;
    struct booted_kernel booted;
    struct owning owning = {.state = row->state, .returned = STATUS_SUCCESS};

    booted_init_usual(&booted);
    owning.mutex = booted_block(&booted, sizeof(KMUTEX), 0);
    owning.none = booted_block(&booted, sizeof(LARGE_INTEGER), 0);
    owning.none->QuadPart = 0;
    booted.kernel.rulings.value[ruled_rows[row->ruled].ruling] =
        (uint16_t)row->ruled;
    booted_run(&booted, 1, own, &owning);
    assert_int_equal(owning.raised, row->want_raised);
    assert_int_equal(owning.returned, row->want_returned);
    assert_int_equal(
        dispatch_object_find(&booted.kernel, (uintptr_t)owning.mutex)->state,
        row->want_state);
    booted_release(&booted);
}

TEST_FILE(test_mutex)
{
    TEST_ADD_ROWS(list, limit_row, rows);
}
