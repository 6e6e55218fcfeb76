/* test_drive_plan.c - the steps that follow from the devices of a trace. */
#include "scenarios/runner/commands/drive/drive_plan.h"
#include "tests/rows.h"

#include <stdlib.h>
#include <talloc.h>

#define MADE(name)                                                             \
    "1 cpu0 call IoCreateDevice(DriverObject=x, DeviceName=\"" name            \
    "\", DeviceType=34)\n2 cpu0 return api=IoCreateDevice "                    \
    "status=STATUS_SUCCESS\n"
#define LINKED(name, device)                                                   \
    "3 cpu0 call IoCreateSymbolicLink(SymbolicLinkName=\"" name                \
    "\", DeviceName=\"" device                                                 \
    "\")\n4 cpu0 return api=IoCreateSymbolicLink status=STATUS_SUCCESS\n"
#define OPEN(n, name)                                                          \
    "  - {as: program, driver: {open: \"" name                                 \
    "\"}, expect: {status: STATUS_SUCCESS}, "                                  \
    "save: {file" n ": out.FileHandle}}\n"
#define CLOSE(n) "  - {as: program, driver: {close: $file" n "}}\n"

static struct plan_row {
    const char *name, *trace, *request, *want;
    enum drive_request_kind kind;
} plan_rows[] = {
    {"no_device", "1 cpu0 driver_call routine=DriverEntry\n", "1", "",
        DRIVE_CONTROL},
    {"device_by_its_name", MADE("\\Device\\A"), NULL,
        OPEN("1", "\\\\Device\\\\A") CLOSE("1"), DRIVE_CONTROL},
    {"device_by_its_link",
        MADE("\\Device\\A") LINKED("\\DosDevices\\B", "\\device\\a"), NULL,
        OPEN("1", "\\\\\\\\.\\\\B") CLOSE("1"), DRIVE_CONTROL},
    {"first_link_counts",
        MADE("\\Device\\A") LINKED("\\??\\B", "\\Device\\A")
            LINKED("\\??\\C", "\\Device\\A"),
        NULL, OPEN("1", "\\\\\\\\.\\\\B") CLOSE("1"), DRIVE_CONTROL},
    {"link_to_another_device",
        MADE("\\Device\\A") LINKED("\\??\\B", "\\Device\\C"), NULL,
        OPEN("1", "\\\\Device\\\\A") CLOSE("1"), DRIVE_CONTROL},
    {"two_devices", MADE("\\Device\\A") MADE("\\Device\\B"), NULL,
        OPEN("1", "\\\\Device\\\\A") CLOSE("1") OPEN("2", "\\\\Device\\\\B")
            CLOSE("2"),
        DRIVE_CONTROL},
    {"device_that_was_refused",
        "1 cpu0 call IoCreateDevice(DriverObject=x, DeviceName=\"\\Device\\A\","
        " DeviceType=34)\n2 cpu0 return api=IoCreateDevice "
        "status=STATUS_OBJECT_NAME_COLLISION\n",
        NULL, "", DRIVE_CONTROL},
    {"device_without_a_name",
        "1 cpu0 call IoCreateDevice(DriverObject=x, DeviceName=null, "
        "DeviceType=34)\n2 cpu0 return api=IoCreateDevice "
        "status=STATUS_SUCCESS\n",
        NULL, "", DRIVE_CONTROL},
    {"device_of_later",
        "5 cpu0 driver_return driver=a routine=DriverEntry "
        "status=STATUS_SUCCESS\n" MADE("\\Device\\A"),
        NULL, "", DRIVE_CONTROL},
    {"requests_come_when_it_was_opened", MADE("\\Device\\A"), "0x22E000:0aFF:4",
        OPEN("1", "\\\\Device\\\\A") "  - {as: program, driver: {ioctl: "
                                     "0x22E000, file: "
                                     "$file1, input: {bytes: [0x0a, "
                                     "0xFF]}, output: 4}, expect: {status: "
                                     "STATUS_SUCCESS, out: "
                                     "{Information: 0}}}\n" CLOSE("1"),
        DRIVE_CONTROL},
    {"read", MADE("\\Device\\A"), "16:4096",
        OPEN("1", "\\\\Device\\\\A") "  - {as: program, driver: {read: 16, "
                                     "file: $file1, "
                                     "offset: 4096}, expect: {status: "
                                     "STATUS_SUCCESS, out: {Information: "
                                     "0}}}\n" CLOSE("1"),
        DRIVE_READ},
    {"write", MADE("\\Device\\A"), "0102",
        OPEN("1", "\\\\Device\\\\A") "  - {as: program, driver: {write: "
                                     "{bytes: [0x01, "
                                     "0x02]}, file: $file1, offset: 0}, "
                                     "expect: {status: STATUS_SUCCESS, out: "
                                     "{Information: 0}}}\n" CLOSE("1"),
        DRIVE_WRITE},
};

static void plan_row(void **state)
{
    const struct plan_row *row = *state;
    struct options *options = calloc(1, sizeof(*options));
    struct drive_plan *plan;

    assert_non_null(options);
    if (row->request != NULL) {
        options->asked_kind[options->asked.count] = row->kind;
        options->asked.item[options->asked.count++] = row->request;
    }
    plan = drive_plan_new(NULL, options);
    drive_plan_devices(plan, row->trace);
    while (drive_plan_next(plan)) {
    }
    assert_string_equal(drive_plan_steps(plan), row->want);
    assert_string_equal(drive_plan_phase(plan, PHASE_START), "stopped");
    /* It was not loaded: nothing behind that has stopped. */
    assert_string_equal(drive_plan_phase(plan, PHASE_OPEN), "-");
    assert_string_equal(drive_plan_phase(plan, PHASE_UNLOAD), "-");
    talloc_free(plan);
    free(options);
}

TEST_FILE(test_drive_plan)
{
    TEST_ADD_ROWS(list, plan_row, plan_rows);
}
