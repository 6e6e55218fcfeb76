/* test_notify.c - how many routines are told of processes: 64, whichever
 * routine they were registered by (PROC-20). */
#include "api/ps/notify.h"

#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

enum { FIRST = 0x10000, MANY = 64 };

struct counted {
    unsigned registered, removed;
    NTSTATUS full, extended, again;
};

static struct counted counted;

/* Nobody looks whether code is there before it is called. */
static PCREATE_PROCESS_NOTIFY_ROUTINE routine_at(unsigned n)
{
    return (PCREATE_PROCESS_NOTIFY_ROUTINE)(uintptr_t)(FIRST + n);
}

static void register_and_remove(void *argument)
{
    (void)argument;
    while (counted.registered <= MANY &&
           NT_SUCCESS(PsSetCreateProcessNotifyRoutine(
               routine_at(counted.registered), 0))) {
        counted.registered++;
    }
    counted.full = PsSetCreateProcessNotifyRoutine(routine_at(MANY), 0);
    counted.extended = PsSetCreateProcessNotifyRoutineEx(
        (PCREATE_PROCESS_NOTIFY_ROUTINE_EX)(uintptr_t)FIRST, 0);
    PsSetCreateProcessNotifyRoutine(routine_at(5), 1);
    counted.again = PsSetCreateProcessNotifyRoutine(routine_at(MANY), 0);
    for (unsigned i = 0; i <= MANY; i++) {
        counted.removed +=
            NT_SUCCESS(PsSetCreateProcessNotifyRoutine(routine_at(i), 1));
    }
}

static void processes_have_64(void **state)
{
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    counted = (struct counted){.registered = 0};
    booted_run(&booted, 0, register_and_remove, NULL);
    assert_int_equal(counted.registered, MANY);
    assert_int_equal(counted.full, STATUS_INVALID_PARAMETER);
    assert_int_equal(counted.extended, STATUS_INVALID_PARAMETER);
    assert_int_equal(counted.again, STATUS_SUCCESS);
    assert_int_equal(counted.removed, MANY);
    booted_release(&booted);
}

TEST_FILE(test_notify)
{
    test_add(list, "processes_have_64", processes_have_64, NULL);
}
