/* test_io_pdo.c - devices of Windows' own bus driver (BUS-08b): one driver, of
 * no image, has all of them and takes every request itself. */
#include "api/io/pdo.h"

#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/io/irp.h"
#include "tests/api/booted_kernel.h"

static void one_driver_has_all_devices(void **state)
{
    const struct io_pdo pdo = {.interface = 5, .bus = 1, .address = 0x50000};
    struct booted_kernel booted;
    const struct io_driver *driver;
    const DRIVER_OBJECT *guest;

    (void)state;
    booted_init_usual(&booted);
    assert_null(booted.kernel.io->drivers);
    pdo_make(&booted.kernel, "\\Device\\First", &pdo);
    pdo_make(&booted.kernel, "\\Device\\Second", &pdo);
    driver = booted.kernel.io->drivers;
    assert_non_null(driver);
    assert_null(driver->next);
    guest = driver->guest;
    assert_null(guest->DriverStart);
    assert_int_equal(guest->DriverSize, 0);
    for (unsigned i = 0; i < IRP_MAJORS; i++) {
        assert_int_equal(
            (uintptr_t)guest->MajorFunction[i], IO_OWN_DEVICE_REQUEST);
    }
    booted_release(&booted);
}

TEST_FILE(test_io_pdo)
{
    test_add(
        list, "one_driver_has_all_devices", one_driver_has_all_devices, NULL);
}
