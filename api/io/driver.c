/* driver.c - driver objects, DriverEntry and DriverUnload. One lies behind its
 * DRIVER_EXTENSION; its names are a block of their own, and so is the registry
 * path, which a driver must copy. */
#include "api/io/driver.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "api/cm/registry.h"
#include "api/core/kernel.h"
#include "api/core/run_end.h"
#include "api/core/trace_events.h"
#include "api/io/attach.h"
#include "api/io/device.h"
#include "api/io/driver_extension.h"
#include "api/io/file.h"
#include "api/io/io.h"
#include "api/io/link.h"
#include "api/io/named_object.h"
#include "api/ke/code.h"

enum {
    OBJECT_OFFSET = 48, /* DRIVER_EXTENSION, and the object at a 16th byte */
    DRVO_LEGACY_DRIVER = 2,
};

static const char driver_directory[] = "\\Driver\\";
static const char services[] =
    "\\Registry\\Machine\\System\\CurrentControlSet\\Services\\";
static const char hardware[] = "\\Registry\\Machine\\Hardware";

_Static_assert(OBJECT_OFFSET >= sizeof(DRIVER_EXTENSION), "room for it");

/* A driver that is there, with all its devices. */
static bool driver_check(const struct io_driver *driver)
{
    const uint8_t *block = driver->block;

    assert(driver->object.kind == OBJECT_DRIVER);
    assert((const uint8_t *)driver->guest == block + OBJECT_OFFSET);
    for (const struct io_device *device = driver->devices; device != NULL;
         device = device->next) {
        assert(device->driver == driver);
    }
    return true;
}

struct io_driver *io_driver_at(struct kernel *kernel, const void *address)
{
    struct io_driver *driver = kernel->io->drivers;

    while (driver != NULL && driver->guest != address) {
        driver = driver->next;
    }
    return driver;
}

/* Bytes of guest memory that text_put() needs. */
static size_t text_bytes(const char *start, const char *end)
{
    return (strlen(start) + strlen(end) + 1) * sizeof(WCHAR);
}

/* Writes both parts, with a NUL, to `at`, and the string that has them.
 * Returns what follows. */
static WCHAR *text_put(
    UNICODE_STRING *string, WCHAR *at, const char *start, const char *end)
{
    const char *const part[] = {start, end};
    size_t bytes = text_bytes(start, end);

    *string = (UNICODE_STRING){.Length = (USHORT)(bytes - sizeof(WCHAR)),
        .MaximumLength = (USHORT)bytes,
        .Buffer = at};
    for (unsigned i = 0; i < 2; i++) {
        for (const char *c = part[i]; *c != '\0'; c++) {
            *at++ = (uint8_t)*c;
        }
    }
    *at = 0;
    assert(at + 1 == (WCHAR *)string->Buffer + bytes / sizeof(WCHAR));
    return at + 1;
}

/* Fills the two blocks of the object. */
static void fill_object(struct io_driver *driver, const char *name,
    uint64_t image_base, uint32_t image_size)
{
    DRIVER_EXTENSION *extension = driver->block;
    DRIVER_OBJECT *object = driver->guest;
    UNICODE_STRING *database = driver->names;
    WCHAR *at = (WCHAR *)(void *)(database + 1);

    *object = (DRIVER_OBJECT){
        .Type = IO_TYPE_DRIVER,
        .Size = sizeof(*object),
        .Flags = DRVO_LEGACY_DRIVER,
        .DriverStart = (void *)(uintptr_t)image_base,
        .DriverSize = image_size,
        .DriverExtension = extension,
        .HardwareDatabase = database,
    };
    extension->DriverObject = object;
    at = text_put(database, at, hardware, "");
    at = text_put(&object->DriverName, at, driver_directory, name);
    text_put(&extension->ServiceKeyName, at, name, "");
    for (unsigned i = 0; i < 28; i++) {
        object->MajorFunction[i] = (void *)(uintptr_t)IO_INVALID_DEVICE_REQUEST;
    }
}

static void free_memory(struct kernel *kernel, struct io_driver *driver)
{
    struct memory *memory = &kernel->machine->memory;

    assert(driver->registry_path == NULL); /* DriverEntry has returned */
    io_extensions_free(kernel, driver);
    memory_free(memory, driver->block);
    memory_free(memory, driver->names);
    record_give(&kernel->io->driver_pool, driver);
}

static struct io_driver *driver_of(const struct counted_object *counted)
{
    return (struct io_driver *)(uintptr_t)((const char *)counted -
                                           offsetof(struct io_driver, counted));
}

/* It was unloaded, and nobody refers to it. */
static void driver_gone(struct kernel *kernel, void *counted)
{
    free_memory(kernel, driver_of(counted));
}

static size_t driver_path(
    const struct counted_object *counted, WCHAR text[OBJECT_PATH_UNITS])
{
    return object_path(&driver_of(counted)->object, text);
}

static const struct object_type driver_type = {
    .name = OBJECT_TYPE_DRIVER,
    .text = "driver",
    .gone = driver_gone,
    .path = driver_path,
};

/* The guest's memory for it. */
static void take_memory(
    struct kernel *kernel, struct io_driver *driver, const char *name)
{
    struct memory *memory = &kernel->machine->memory;
    uint8_t *block = run_needs(kernel,
        memory_alloc(memory, OBJECT_OFFSET + sizeof(DRIVER_OBJECT), 0),
        "a driver");

    driver->block = block;
    driver->guest = (DRIVER_OBJECT *)(void *)(block + OBJECT_OFFSET);
    driver->names = run_needs(kernel,
        memory_alloc(memory,
            (sizeof(UNICODE_STRING) + text_bytes(hardware, "") +
                text_bytes(driver_directory, name) + text_bytes(name, "") +
                15) /
                16 * 16,
            0),
        "a driver");
    driver->registry_path = run_needs(kernel,
        memory_alloc(memory,
            (sizeof(UNICODE_STRING) + text_bytes(services, name) + 15) / 16 *
                16,
            0),
        "a driver");
}

static NTSTATUS parse_name(
    struct kernel *kernel, const char *name, struct object_name *object_name)
{
    char path[OBJECT_NAME_TEXT_BYTES];
    NTSTATUS status;

    if (strlen(driver_directory) + strlen(name) > OBJECT_NAME_CHARS) {
        return STATUS_NAME_TOO_LONG;
    }
    strcpy(path, driver_directory);
    strcat(path, name);
    status = object_name_parse_text(object_name, path);
    if (NT_SUCCESS(status) &&
        object_find(kernel->io->objects, object_name) != NULL) {
        return STATUS_OBJECT_NAME_COLLISION;
    }
    return status;
}

NTSTATUS io_driver_check_name(struct kernel *kernel, const char *name)
{
    struct object_name object_name;

    return parse_name(kernel, name, &object_name);
}

struct io_driver *io_driver_make(struct kernel *kernel, struct driver *owner,
    const char *name, uint64_t image_base, uint32_t image_size)
{
    struct object_name object_name;
    struct io_driver *driver;

    if (!NT_SUCCESS(parse_name(kernel, name, &object_name))) {
        return NULL;
    }
    driver = record_take(
        kernel, &kernel->io->driver_pool, sizeof(*driver), "drivers");
    take_memory(kernel, driver, name);
    driver->object.kind = OBJECT_DRIVER;
    driver->object.name = object_name;
    driver->owner = owner;
    driver->next = kernel->io->drivers;
    fill_object(driver, name, image_base, image_size);
    text_put(driver->registry_path,
        (WCHAR *)(void *)(driver->registry_path + 1), services, name);
    registry_make_service(kernel, name);
    kernel->io->drivers = driver;
    driver->counted = (struct counted_object){
        .type = &driver_type, .address = (uintptr_t)driver->guest};
    counted_object_add(kernel, &driver->counted);
    object_insert(&kernel->io->objects, &driver->object);
    assert(driver_check(driver));
    return driver;
}

/* The oldest device that the driver has not deleted; NULL: there is none. */
static struct io_device *oldest_device(const struct io_driver *driver)
{
    struct io_device *oldest = NULL;

    for (struct io_device *device = driver->devices; device != NULL;
         device = device->next) {
        oldest = device->deleted ? oldest : device;
    }
    return oldest;
}

static struct io_link *oldest_link(
    const struct kernel *kernel, const struct driver *owner)
{
    struct io_link *oldest = NULL;

    for (struct io_link *link = kernel->io->links; link != NULL;
         link = link->next) {
        oldest = link->owner == owner ? link : oldest;
    }
    return oldest;
}

/* Reports what is left, in the order in which it was made, and removes it. */
static void driver_remove(struct kernel *kernel, struct io_driver *driver)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct io_driver **at = &kernel->io->drivers;
    struct io_device *device;
    struct io_link *link;

    assert(driver_check(driver));
    while ((device = oldest_device(driver)) != NULL) {
        rule_warn_at(
            kernel, cpu, RULE_LEAK_DEVICE, ROUTINE_COUNT, device->place);
        if (device->below != NULL) {
            io_device_detach(kernel, device->below);
        }
        if (device->above != NULL) {
            io_device_detach(kernel, device);
        }
        io_device_delete(kernel, device);
    }
    while ((link = oldest_link(kernel, driver->owner)) != NULL) {
        rule_warn_at(
            kernel, cpu, RULE_LEAK_SYMBOLIC_LINK, ROUTINE_COUNT, link->place);
        io_link_delete(kernel, link);
    }
    while (*at != driver) {
        assert(*at != NULL);
        at = &(*at)->next;
    }
    object_remove(&kernel->io->objects, &driver->object);
    if (driver->devices != NULL) { /* another driver has one of them open */
        return;
    }
    *at = driver->next;
    counted_object_release(kernel, &driver->counted);
}

/* Devices that DriverEntry made are ready now; of later ones the driver itself
 * says so (page Initializing a Device Object). */
static void devices_ready(const struct io_driver *driver)
{
    for (struct io_device *device = driver->devices; device != NULL;
         device = device->next) {
        device->guest->Flags &= ~(ULONG)DO_DEVICE_INITIALIZING;
    }
}

/* A driver that makes its devices there has not been asked to: nobody reports a
 * device of Plug and Play (docs/fidelity.md). */
static void note_add_device(struct kernel *kernel, struct io_driver *driver)
{
    const DRIVER_EXTENSION *extension = driver->block;

    if (extension->AddDevice != NULL) {
        cpu_trace(kernel_cpu(kernel), &api_events[API_EVENT_ADD_DEVICE],
            trace_text(&kernel->machine->trace, driver->owner->name));
    }
}

struct driver_target io_target(
    const struct io_driver *driver, const char *routine, uint64_t address)
{
    return (struct driver_target){
        .driver = driver->owner,
        .routine = routine,
        .address = address,
        .irql_rule = RULE_IO_DISPATCH_IRQL,
        .interrupts_rule = RULE_IO_DISPATCH_INTERRUPTS,
    };
}

NTSTATUS io_driver_entry(
    struct kernel *kernel, struct io_driver *driver, uint64_t entry)
{
    const struct driver_target target = io_target(driver, "DriverEntry", entry);
    const uint64_t argument[CODE_ARGUMENTS] = {
        (uint64_t)(uintptr_t)driver->guest,
        (uint64_t)(uintptr_t)driver->registry_path};
    NTSTATUS status;

    assert(driver_check(driver));
    assert(irql_current(kernel, kernel_cpu(kernel)) ==
           irql_number(kernel, LEVEL_PASSIVE_LEVEL));
    driver->guest->DriverInit = (void *)(uintptr_t)entry;
    status = (NTSTATUS)(uint32_t)driver_call(kernel, &target, argument);
    if (NT_SUCCESS(status)) {
        note_add_device(kernel, driver);
    }
    driver_call_trace(kernel, &target, status);
    /* A driver keeps a copy of the path, not its address (page
     * DRIVER_INITIALIZE). */
    memory_free(&kernel->machine->memory, driver->registry_path);
    driver->registry_path = NULL;
    if (NT_SUCCESS(status)) {
        devices_ready(driver);
    } else {
        driver_remove(kernel, driver);
    }
    return status;
}

NTSTATUS io_driver_unload(struct kernel *kernel, struct io_driver *driver)
{
    const struct driver_target target = io_target(driver, "DriverUnload",
        (uint64_t)(uintptr_t)driver->guest->DriverUnload);
    const uint64_t argument[CODE_ARGUMENTS] = {
        (uint64_t)(uintptr_t)driver->guest};

    assert(driver_check(driver));
    assert(driver->registry_path == NULL); /* DriverEntry has returned */
    if (target.address == 0) {
        return STATUS_INVALID_DEVICE_REQUEST;
    }
    io_files_drain(kernel);
    for (struct io_device *device = driver->devices; device != NULL;
         device = device->next) {
        if (io_device_busy(device)) {
            return STATUS_DEVICE_BUSY;
        }
    }
    driver_call(kernel, &target, argument);
    driver_call_trace(kernel, &target, STATUS_SUCCESS);
    driver_remove(kernel, driver);
    return STATUS_SUCCESS;
}
