/* io_scene.h - a driver in the I/O manager, made of functions here: its
 * DriverEntry makes what the test plans, its dispatch routine does with a
 * request what the test plans, and both note what they got. */
#ifndef TESTS_API_IO_IO_SCENE_H
#define TESTS_API_IO_IO_SCENE_H

#include "api/boot/exports.h"
#include "api/io/device.h"
#include "api/io/driver.h"
#include "api/io/link.h"
#include "tests/api/booted_kernel.h"
#include "tests/api/io/program_file.h"

enum { SCENE_DEVICES = 3, SCENE_REQUESTS = 8, SCENE_BYTES = 64 };

/* What the driver does. */
struct io_plan {
    const char *device[SCENE_DEVICES]; /* names; "" for none */
    const char *link, *target;
    NTSTATUS entry_status;
    bool exclusive;
    bool no_dispatch, no_unload;
    bool unload_deletes; /* everything */
    /* Of a device control request. */
    bool mark_pending, leave, raise;
    bool cancel; /* it gets a cancel routine */
    NTSTATUS completes, returns;
    uint64_t information;
    const char *writes; /* into the system buffer */
    NTSTATUS create;    /* what IRP_MJ_CREATE is completed with */
};

/* What it saw. */
struct io_notes {
    uint8_t major[SCENE_REQUESTS];
    unsigned requests;
    KIRQL irql;
    const struct driver *driver; /* on whose behalf it ran */
    IRP irp;
    IO_STACK_LOCATION location;
    uint8_t buffer[SCENE_BYTES]; /* the system buffer's beginning */
    uint16_t path[SCENE_BYTES];  /* the registry path's characters */
    uint16_t path_length;        /* bytes */
    NTSTATUS device_status[SCENE_DEVICES], link_status;
    PDEVICE_OBJECT device[SCENE_DEVICES];
    ULONG flags; /* of the first device, still in DriverEntry */
    unsigned unloads;
    ULONG desired_access; /* of the last IRP_MJ_CREATE */
};

struct io_scene {
    struct booted_kernel booted;
    struct io_plan plan;
    struct io_notes notes;
    struct io_driver *driver;
    NTSTATUS status; /* of the last operation */
    struct io_file *file;
    struct io_result result;
    PDEVICE_OBJECT *device_out; /* the driver's variables */
    PUNICODE_STRING name[SCENE_DEVICES], link, target;
    PIRP kept; /* a request that the driver did not complete */
};

/* The driver's functions get no pointer to it. */
static struct io_scene *scene_now;

/* A counted string in the driver's memory; NULL for NULL. */
static inline PUNICODE_STRING scene_string(
    struct booted_kernel *booted, const char *text)
{
    size_t length;
    UNICODE_STRING *string;
    uint16_t *wide;

    if (text == NULL) {
        return NULL;
    }
    length = strlen(text);
    string = booted_block(booted, sizeof(*string), 0);
    wide = booted_block(booted, (length + 1) * sizeof(*wide), 0);
    for (size_t i = 0; i < length; i++) {
        wide[i] = (uint8_t)text[i];
    }
    string->Length = (USHORT)(2 * length);
    string->MaximumLength = (USHORT)(2 * length + 2);
    string->Buffer = wide;
    return string;
}

/* What the dispatch routine got; a device that is not the location's makes it
 * too many requests. */
static inline void scene_note_request(struct io_notes *notes, uint64_t device,
    const IRP *request, const IO_STACK_LOCATION *location)
{
    struct kernel *kernel = kernel_current();

    notes->major[notes->requests++ % SCENE_REQUESTS] = location->MajorFunction;
    notes->irql = KeGetCurrentIrql();
    notes->driver = kernel_driver(kernel, kernel_cpu(kernel));
    notes->irp = *request;
    notes->location = *location;
    if (location->DeviceObject != (void *)(uintptr_t)device) {
        notes->requests += 100;
    }
    if (location->MajorFunction == IRP_MJ_CREATE) {
        const IO_SECURITY_CONTEXT *context =
            location->Parameters.Create.SecurityContext;

        notes->desired_access = context->DesiredAccess;
    }
}

static inline uint64_t NTAPI scene_dispatch(uint64_t device, uint64_t irp,
    uint64_t third, uint64_t fourth, uint64_t fifth, uint64_t sixth)
{
    struct io_scene *scene = scene_now;
    const struct io_plan *plan = &scene->plan;
    struct io_notes *notes = &scene->notes;
    PIRP request = (PIRP)(uintptr_t)irp;
    IO_STACK_LOCATION *location = request->Tail.Overlay.CurrentStackLocation;
    bool control = location->MajorFunction == IRP_MJ_DEVICE_CONTROL;

    (void)third;
    (void)fourth;
    (void)fifth;
    (void)sixth;
    scene_note_request(notes, device, request, location);
    request->IoStatus.Status = STATUS_SUCCESS;
    request->IoStatus.Information = 0;
    if (!control) {
        NTSTATUS status = location->MajorFunction == IRP_MJ_CREATE
                              ? plan->create
                              : STATUS_SUCCESS;

        request->IoStatus.Status = status;
        IofCompleteRequest(request, 0);
        return (uint32_t)status;
    }
    if (request->AssociatedIrp.SystemBuffer != NULL) {
        memcpy(notes->buffer, request->AssociatedIrp.SystemBuffer, 16);
    }
    if (plan->writes != NULL) {
        memcpy(request->AssociatedIrp.SystemBuffer, plan->writes,
            strlen(plan->writes));
    }
    if (plan->raise) {
        KfRaiseIrql(2);
    }
    if (plan->mark_pending) {
        location->Control |= 1;
    }
    if (plan->cancel) {
        request->CancelRoutine = request; /* any address */
    }
    scene->kept = request;
    if (!plan->leave) {
        request->IoStatus.Status = plan->completes;
        request->IoStatus.Information = plan->information;
        IofCompleteRequest(request, 0);
    }
    return (uint32_t)plan->returns;
}

static inline uint64_t NTAPI scene_unload(uint64_t object, uint64_t second,
    uint64_t third, uint64_t fourth, uint64_t fifth, uint64_t sixth)
{
    struct io_scene *scene = scene_now;

    (void)object;
    (void)second;
    (void)third;
    (void)fourth;
    (void)fifth;
    (void)sixth;
    scene->notes.unloads++;
    if (scene->plan.unload_deletes) {
        if (scene->link != NULL) {
            scene->notes.link_status = IoDeleteSymbolicLink(scene->link);
        }
        for (unsigned i = 0; i < SCENE_DEVICES; i++) {
            if (scene->notes.device[i] != NULL) {
                IoDeleteDevice(scene->notes.device[i]);
            }
        }
    }
    return 0;
}

static inline uint64_t NTAPI scene_entry(uint64_t object, uint64_t path,
    uint64_t third, uint64_t fourth, uint64_t fifth, uint64_t sixth)
{
    struct io_scene *scene = scene_now;
    struct io_notes *notes = &scene->notes;
    PDRIVER_OBJECT driver = (PDRIVER_OBJECT)(uintptr_t)object;
    const UNICODE_STRING *registry = (const void *)(uintptr_t)path;
    code_function *dispatch = scene_dispatch, *unload = scene_unload;

    (void)third;
    (void)fourth;
    (void)fifth;
    (void)sixth;
    notes->path_length = registry->Length;
    memcpy(notes->path, registry->Buffer, sizeof(notes->path));
    for (unsigned i = 0; i < SCENE_DEVICES; i++) {
        const char *name = scene->plan.device[i];

        if (name != NULL) {
            notes->device_status[i] = IoCreateDevice(driver, 24,
                name[0] == '\0' ? NULL : scene->name[i], 0x22, 0x100,
                scene->plan.exclusive, scene->device_out);
            notes->device[i] = *scene->device_out;
        }
    }
    if (notes->device[0] != NULL) {
        notes->flags = notes->device[0]->Flags;
    }
    if (scene->link != NULL) {
        notes->link_status = IoCreateSymbolicLink(scene->link, scene->target);
    }
    if (!scene->plan.no_dispatch) {
        driver->MajorFunction[IRP_MJ_CREATE] = (void *)(uintptr_t)dispatch;
        driver->MajorFunction[IRP_MJ_CLOSE] = (void *)(uintptr_t)dispatch;
        driver->MajorFunction[IRP_MJ_CLEANUP] = (void *)(uintptr_t)dispatch;
        driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] =
            (void *)(uintptr_t)dispatch;
    }
    if (!scene->plan.no_unload) {
        driver->DriverUnload = (void *)(uintptr_t)unload;
    }
    return (uint32_t)scene->plan.entry_status;
}

/* Boots, makes the driver object and what the plan needs. */
static inline void scene_init(
    struct io_scene *scene, const struct io_plan *plan)
{
    *scene = (struct io_scene){.plan = *plan};
    scene_now = scene;
    booted_init_usual(&scene->booted);
    scene->device_out = booted_block(&scene->booted, sizeof(PVOID), 0);
    for (unsigned i = 0; i < SCENE_DEVICES; i++) {
        scene->name[i] = scene_string(&scene->booted, plan->device[i]);
    }
    scene->link = scene_string(&scene->booted, plan->link);
    scene->target = scene_string(&scene->booted, plan->target);
    scene->driver = io_driver_make(&scene->booted.kernel, &scene->booted.driver,
        "sampler", 0x180000000, 0x5000);
    assert_non_null(scene->driver);
}

static inline void scene_load_now(void *argument)
{
    struct io_scene *scene = argument;
    code_function *entry = scene_entry;

    scene->status = io_driver_entry(
        kernel_current(), scene->driver, (uint64_t)(uintptr_t)entry);
}

static inline void scene_load(struct io_scene *scene)
{
    booted_run(&scene->booted, 0, scene_load_now, scene);
}

static inline void scene_unload_now(void *argument)
{
    struct io_scene *scene = argument;

    scene->status = io_driver_unload(kernel_current(), scene->driver);
}

static inline void scene_open_now(void *argument)
{
    struct io_scene *scene = argument;

    scene->status =
        program_open(kernel_current(), scene->driver, NULL, &scene->file);
}

static inline void scene_close_now(void *argument)
{
    struct io_scene *scene = argument;

    io_close(kernel_current(), scene->file);
    scene->status = STATUS_SUCCESS;
}

static inline void scene_release(struct io_scene *scene)
{
    booted_release(&scene->booted);
    scene_now = NULL;
}

#endif
