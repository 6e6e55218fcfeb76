/* test_drive_shutdown.c - registrations for a shutdown, and its requests, as
 * traces have them. */
#include "scenarios/runner/commands/drive/drive_shutdown.h"
#include "tests/rows.h"

#include <string.h>

#define CALLED "5 cpu0 driver_call driver=a routine=IRP_MJ_SHUTDOWN\n"
#define RETURNED                                                               \
    "6 cpu0 driver_return driver=a routine=IRP_MJ_SHUTDOWN "                   \
    "status=STATUS_SUCCESS\n"

static struct wanted_row {
    const char *name, *trace;
    bool want;
} wanted_rows[] = {
    {"nothing_wants_none", "", false},
    {"registration_wants_one",
        "1 cpu0 call IoRegisterShutdownNotification(DeviceObject=x)\n"
        "2 cpu0 return api=IoRegisterShutdownNotification "
        "status=STATUS_SUCCESS\n",
        true},
    {"last_chance_wants_one",
        "2 cpu0 return api=IoRegisterLastChanceShutdownNotification "
        "status=STATUS_SUCCESS\n",
        true},
    {"one_that_was_taken_back_wants_one",
        "2 cpu0 return api=IoRegisterShutdownNotification "
        "status=STATUS_SUCCESS\n"
        "3 cpu0 return api=IoUnregisterShutdownNotification\n",
        true},
    {"one_that_failed_wants_none",
        "2 cpu0 return api=IoRegisterShutdownNotification "
        "status=STATUS_INSUFFICIENT_RESOURCES\n",
        false},
    {"other_registration_wants_none",
        "2 cpu0 return api=IoRegisterDeviceInterface status=STATUS_SUCCESS\n",
        false},
    {"call_alone_wants_none",
        "1 cpu0 call IoRegisterShutdownNotification(DeviceObject=x)\n"
        "2 cpu0 return api=KeSetTimer status=STATUS_SUCCESS\n",
        false},
};

static void wanted_row(void **state)
{
    const struct wanted_row *row = *state;

    assert_int_equal(drive_shutdown_is_wanted(row->trace), row->want);
}

static struct told_row {
    const char *name, *trace;
    size_t told, returned;
    const char *calls;
} told_rows[] = {
    {"no_request_is_none", "1 cpu0 driver_call driver=a routine=IRP_MJ_READ\n",
        0, 0, ""},
    {"request_is_told", "1 cpu0 call X()\n" CALLED "5 cpu0 call Y()\n" RETURNED,
        1, 1, CALLED "5 cpu0 call Y()\n" RETURNED},
    {"second_request_is_told_behind_the_first",
        CALLED RETURNED "6 cpu0 print text=\"x\"\n" CALLED RETURNED, 2, 2,
        CALLED RETURNED "6 cpu0 print text=\"x\"\n" CALLED RETURNED},
    {"who_does_not_come_back_has_not_returned", CALLED RETURNED CALLED, 2, 1,
        CALLED RETURNED CALLED},
};

static void told_row(void **state)
{
    const struct told_row *row = *state;
    const struct drive_shutdown shutdown = drive_shutdown_read(row->trace);

    assert_int_equal(shutdown.told, row->told);
    assert_int_equal(shutdown.returned, row->returned);
    assert_string_equal(shutdown.calls, row->calls);
}

TEST_FILE(test_drive_shutdown)
{
    TEST_ADD_ROWS(list, wanted_row, wanted_rows);
    TEST_ADD_ROWS(list, told_row, told_rows);
}
