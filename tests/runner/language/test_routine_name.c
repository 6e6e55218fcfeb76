/* test_routine_name.c - routines that are known and cannot be called, and why.
 */
#include <string.h>

#include "api/core/routine.h"
#include "scenarios/runner/language/routine_name.h"
#include "tests/rows.h"

static struct known_row {
    const char *name;
    const char *routine;
    const char *want; /* the reason has this word; NULL: not known */
} known_rows[] = {
    {"macro_names_the_routine_behind_it", "KeRaiseIrql", "KfRaiseIrql"},
    {"acquiring_a_spin_lock", "KeAcquireSpinLock",
        "KeAcquireSpinLockRaiseToDpc"},
    {"releasing_a_spin_lock", "KeReleaseSpinLock", NULL},
    {"calling_a_driver", "IoCallDriver", "IofCallDriver"},
    {"calling_a_driver_fast", "IofCallDriver", NULL},
    {"connecting_an_interrupt", "IoConnectInterrupt", "IoConnectInterruptEx"},
    {"macro_of_completion", "IoCompleteRequest", "IofCompleteRequest"},
    {"routine_that_can_be_called", "KfRaiseIrql", NULL},
    {"name_of_nothing", "NtClose", NULL},
    {"name_in_other_case", "keinitializedpc", NULL},
    {"part_of_a_name", "KeInitialize", NULL},
    {"empty_name", "", NULL},
};

static void known_row(void **state)
{
    const struct known_row *row = *state;
    const char *why = routine_name_why_not(row->routine);

    if (row->want == NULL) {
        assert_null(why);
    } else {
        assert_non_null(why);
        assert_non_null(strstr(why, row->want));
    }
}

static void nothing_that_can_be_called_is_refused(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ROUTINE_COUNT; i++) {
        assert_null(routine_name_why_not(routine_rows[i].name));
    }
}

TEST_FILE(test_routine_name)
{
    TEST_ADD_ROWS(list, known_row, known_rows);
    test_add(list, "nothing_that_can_be_called_is_refused",
        nothing_that_can_be_called_is_refused, NULL);
}
