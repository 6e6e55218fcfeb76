/* driver_extension.h - memory that a driver keeps with its driver object. */
#ifndef API_IO_DRIVER_EXTENSION_H
#define API_IO_DRIVER_EXTENSION_H

struct io_driver;
struct kernel;

/* The driver is gone, and what it kept goes with it. */
void io_extensions_free(struct kernel *kernel, struct io_driver *driver);

#endif
