/* pdo.h - devices by which Windows' own bus driver reports what is on a bus.
 * Knows nothing of any bus. */
#ifndef API_IO_PDO_H
#define API_IO_PDO_H

#include "api/io/device.h"

struct kernel;

/* The machine, which has just booted, has such a device by this name; the bus
 * driver is \Driver\PCI, and there from the first one on. */
void pdo_make(
    struct kernel *kernel, const char *name, const struct io_pdo *pdo);

#endif
