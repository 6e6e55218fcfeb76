/* pdo.c - devices of Windows' own bus driver, which is \Driver\PCI: they are
 * opened and closed, and asked for their properties (BUS-08b). */
#include "api/io/pdo.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/io/driver.h"
#include "api/io/io.h"
#include "api/io/irp.h"

/* Of all drivers the first one. */
static struct io_driver *bus_driver(struct kernel *kernel)
{
    struct io_driver *driver = kernel->io->drivers;

    if (driver != NULL) {
        assert(driver->owner == NULL && driver->next == NULL);
        return driver;
    }
    driver = io_driver_make(kernel, NULL, "PCI", 0, 0);
    assert(driver != NULL); /* nothing else is there yet */
    for (unsigned i = 0; i < IRP_MAJORS; i++) {
        driver->guest->MajorFunction[i] =
            (void *)(uintptr_t)IO_OWN_DEVICE_REQUEST;
    }
    return driver;
}

void pdo_make(struct kernel *kernel, const char *name, const struct io_pdo *pdo)
{
    struct io_device *device = io_device_make(kernel, bus_driver(kernel), name);

    device->reported = true;
    device->pdo = *pdo;
}
