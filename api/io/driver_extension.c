/* driver_extension.c - IoAllocateDriverObjectExtension and
 * IoGetDriverObjectExtension: memory that a driver keeps with its driver
 * object, and that goes with it (IO-58). */
#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/io/driver.h"
#include "api/io/driver_extension.h"
#include "api/io/io.h"
#include "api/mm/copy.h"

struct io_extension {
    struct io_extension *next; /* made before */
    uint64_t id;               /* an address of the driver's, say */
    void *block;               /* guest memory */
};

static struct io_driver *driver_of(
    struct kernel *kernel, enum routine routine, const DRIVER_OBJECT *object)
{
    struct io_driver *driver = io_driver_at(kernel, object);

    if (driver == NULL) {
        io_stop(kernel, RULE_IO_NOT_OBJECT, routine, "driver object");
    }
    return driver;
}

static struct io_extension *find(const struct io_driver *driver, uint64_t id)
{
    struct io_extension *extension = driver->extensions;

    while (extension != NULL && extension->id != id) {
        extension = extension->next;
    }
    return extension;
}

NTSTATUS IoAllocateDriverObjectExtension_body(PDRIVER_OBJECT DriverObject,
    PVOID ClientIdentificationAddress, ULONG DriverObjectExtensionSize,
    PVOID *DriverObjectExtension)
{
    const enum routine routine = ROUTINE_IoAllocateDriverObjectExtension;
    struct kernel *kernel = kernel_current();
    struct io_driver *driver = driver_of(kernel, routine, DriverObject);
    uint64_t id = (uintptr_t)ClientIdentificationAddress;
    size_t size = ((size_t)DriverObjectExtensionSize + 15) / 16 * 16;
    struct io_extension *extension;
    PVOID block = NULL;

    copy_out(kernel, routine, DriverObjectExtension, &block, sizeof(block));
    if (find(driver, id) != NULL) {
        return STATUS_OBJECT_NAME_COLLISION;
    }
    block = memory_alloc(&kernel->machine->memory, size, 0);
    if (block == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    extension = record_take(kernel, &kernel->io->extension_pool,
        sizeof(*extension), "extensions of driver objects");
    *extension = (struct io_extension){driver->extensions, id, block};
    driver->extensions = extension;
    copy_out(kernel, routine, DriverObjectExtension, &block, sizeof(block));
    return STATUS_SUCCESS;
}

PVOID IoGetDriverObjectExtension_body(
    PDRIVER_OBJECT DriverObject, PVOID ClientIdentificationAddress)
{
    const struct io_extension *extension =
        find(driver_of(kernel_current(), ROUTINE_IoGetDriverObjectExtension,
                 DriverObject),
            (uintptr_t)ClientIdentificationAddress);

    return extension == NULL ? NULL : extension->block;
}

void io_extensions_free(struct kernel *kernel, struct io_driver *driver)
{
    while (driver->extensions != NULL) {
        struct io_extension *extension = driver->extensions;

        driver->extensions = extension->next;
        memory_free(&kernel->machine->memory, extension->block);
        record_give(&kernel->io->extension_pool, extension);
    }
}
