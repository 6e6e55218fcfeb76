/* test_used_again.c - what a driver has given back is used again: the machine's
 * arena holds no more, and there are no more blocks of memory, behind the
 * hundredth time than behind the third. */
#include "api/boot/exports.h"
#include "api/io/driver.h"
#include "api/io/processor_callback.h"
#include "api/ke/nmi.h"
#include "tests/api/booted_kernel.h"

enum { FIRST_TIMES = 3, TIMES = 100 };

/* In the driver's memory. */
struct scene {
    void (*once)(struct scene *scene);
    void *object, *other;
    IO_REMOVE_LOCK *remove_lock;
    HANDLE *handle;
    struct driver *asks;
    PDRIVER_OBJECT driver;
    PDEVICE_OBJECT *made;
    UNICODE_STRING *name, *target, *part, *memory;
    size_t used_before, used; /* of the arena */
    size_t live_before, live; /* blocks of memory */
};

static void NTAPI nothing(PVOID context)
{
    (void)context;
}

static void NTAPI deferred(PKDPC dpc, PVOID context, PVOID a, PVOID b)
{
    (void)dpc;
    (void)context;
    (void)a;
    (void)b;
}

static BOOLEAN NTAPI on_nmi(PVOID context, BOOLEAN handled)
{
    (void)context;
    return (BOOLEAN)!handled;
}

/* A block of the pool, and with it what lies there. */
static void *block(void)
{
    return ExAllocatePool2(0x40, 256, 0x31676154) /* not paged */;
}

static void free_block(void *at)
{
    ExFreePoolWithTag(at, 0x31676154);
}

static void wish(struct scene *scene)
{
    (void)scene;
    ExSetTimerResolution(10000, 1);
    ExSetTimerResolution(0, 0);
}

static void lookaside(struct scene *scene)
{
    ExInitializeNPagedLookasideList(
        scene->object, NULL, NULL, 0, 32, 0x31676154, 0);
    ExDeleteNPagedLookasideList(scene->object);
}

static void resource(struct scene *scene)
{
    ExInitializeResourceLite(scene->object);
    KeEnterCriticalRegion();
    ExAcquireResourceExclusiveLite(scene->object, 1);
    ExReleaseResourceLite(scene->object);
    KeLeaveCriticalRegion();
    ExDeleteResourceLite(scene->object);
}

/* One behind the other has an order, which goes with the first. */
static void order(struct scene *scene)
{
    ExInitializeResourceLite(scene->object);
    ExInitializeResourceLite(scene->other);
    KeEnterCriticalRegion();
    ExAcquireResourceExclusiveLite(scene->object, 1);
    ExAcquireResourceExclusiveLite(scene->other, 1);
    ExReleaseResourceLite(scene->other);
    ExReleaseResourceLite(scene->object);
    KeLeaveCriticalRegion();
    ExDeleteResourceLite(scene->other);
    ExDeleteResourceLite(scene->object);
}

static void remove_lock(struct scene *scene)
{
    IoAcquireRemoveLockEx(
        scene->remove_lock, scene, "", 1, sizeof(*scene->remove_lock));
    IoReleaseRemoveLockEx(
        scene->remove_lock, scene, sizeof(*scene->remove_lock));
}

static void event(struct scene *scene)
{
    void *at = block();

    (void)scene;
    KeInitializeEvent(at, NotificationEvent, 0);
    free_block(at);
}

static void timer(struct scene *scene)
{
    void *at = block();

    (void)scene;
    KeInitializeTimer(at);
    free_block(at);
}

static void dpc(struct scene *scene)
{
    void *at = block();

    (void)scene;
    KeInitializeDpc(at, deferred, NULL);
    free_block(at);
}

static void work_item(struct scene *scene)
{
    WORK_QUEUE_ITEM *item = block();

    (void)scene;
    *item = (WORK_QUEUE_ITEM){.WorkerRoutine = nothing};
    ExQueueWorkItem(item, DelayedWorkQueue);
    cpu_spin(kernel_cpu(kernel_current()), 1000000);
    cpu_checkpoint(kernel_cpu(kernel_current()));
    free_block(item);
}

static void ex_timer(struct scene *scene)
{
    PVOID made = ExAllocateTimer(NULL, NULL, 0);

    (void)scene;
    ExDeleteTimer(made, 1, 0, NULL);
}

static HANDLE thread(struct scene *scene)
{
    PsCreateSystemThread(scene->handle, 0, NULL, NULL, NULL, nothing, NULL);
    return *scene->handle;
}

/* Its object outlives it. */
static void awaited_thread(struct scene *scene)
{
    HANDLE handle = thread(scene);
    PVOID object = NULL;

    ObReferenceObjectByHandle(handle, 0, NULL, 0, scene->object, NULL);
    object = *(PVOID *)scene->object;
    ZwClose(handle);
    KeWaitForSingleObject(object, 0, 0, 0, NULL);
    ObfDereferenceObject(object);
}

/* Nobody refers to it any more when it ends. */
static void lonely_thread(struct scene *scene)
{
    ZwClose(thread(scene));
    *(int64_t *)scene->object = -10000; /* a millisecond */
    KeDelayExecutionThread(0, 0, scene->object);
}

static void profile(struct scene *scene)
{
    EnableThreadProfiling(GetCurrentThread(), 1, 0, scene->handle);
    DisableThreadProfiling(*scene->handle);
}

static void float_state(struct scene *scene)
{
    KeSaveFloatingPointState(scene->object);
    KeRestoreFloatingPointState(scene->object);
}

/* Nobody is on the way past a record behind the NMI. */
static void told_of_nmi(struct scene *scene)
{
    struct kernel *kernel = kernel_current();
    PVOID handle = KeRegisterNmiCallback(on_nmi, NULL);

    (void)scene;
    nmi_service(kernel, kernel_cpu(kernel));
    KeDeregisterNmiCallback(handle);
}

static void locked_pages(struct scene *scene)
{
    PMDL mdl = IoAllocateMdl(scene->object, 256, 0, 0, NULL);

    MmProbeAndLockPages(mdl, 0, 1); /* KernelMode, IoWriteAccess */
    MmUnlockPages(mdl);
    IoFreeMdl(mdl);
}

static void contiguous(struct scene *scene)
{
    (void)scene;
    MmFreeContiguousMemory(MmAllocateContiguousMemory(8192, INT64_MAX));
}

static void pages(struct scene *scene)
{
    PMDL mdl = MmAllocatePagesForMdl(0, INT64_MAX, 0, 8192);

    (void)scene;
    MmFreePagesFromMdl(mdl);
    ExFreePoolWithTag(mdl, 0);
}

static void subject(struct scene *scene)
{
    SeCaptureSubjectContext(scene->object);
    SeReleaseSubjectContext(scene->object);
}

static void counters(struct scene *scene)
{
    HalAllocateHardwareCounters(NULL, 0, NULL, scene->handle);
    HalFreeHardwareCounters(*scene->handle);
}

static void irp(struct scene *scene)
{
    (void)scene;
    IoFreeIrp(IoAllocateIrp(2, 0));
}

static void device(struct scene *scene)
{
    IoCreateDevice(scene->driver, 0, NULL, 0x22, 0, 0, scene->made);
    IoFreeWorkItem(IoAllocateWorkItem(*scene->made));
    IoDeleteDevice(*scene->made);
}

/* It is not taken back, and goes with the memory that it lies in. */
static void lost_work_item(struct scene *scene)
{
    void *item = block();

    IoCreateDevice(scene->driver, 0, NULL, 0x22, 0, 0, scene->made);
    IoInitializeWorkItem(*scene->made, item);
    free_block(item);
    IoDeleteDevice(*scene->made);
}

static void named(struct scene *scene)
{
    IoCreateSymbolicLink(scene->name, scene->target);
    IoDeleteSymbolicLink(scene->name);
}

static VOID NTAPI on_bug_check(PVOID buffer, ULONG length)
{
    (void)buffer;
    (void)length;
}

static void told_of_bug_check(struct scene *scene)
{
    *(KBUGCHECK_CALLBACK_RECORD *)scene->object =
        (KBUGCHECK_CALLBACK_RECORD){.State = 0};
    KeRegisterBugCheckCallback(
        scene->object, on_bug_check, NULL, 0, scene->other);
    KeDeregisterBugCheckCallback(scene->object);
}

static void told_of_shutdown(struct scene *scene)
{
    IoCreateDevice(scene->driver, 0, NULL, 0x22, 0, 0, scene->made);
    IoRegisterShutdownNotification(*scene->made);
    IoUnregisterShutdownNotification(*scene->made);
    IoDeleteDevice(*scene->made);
}

static BOOLEAN NTAPI on_interrupt(PVOID interrupt, PVOID context)
{
    (void)interrupt;
    (void)context;
    return 1;
}

/* IO_CONNECT_INTERRUPT_PARAMETERS, line based, and to disconnect. A device
 * keeps its line. */
static void interrupt(struct scene *scene)
{
    uint64_t *given = scene->object;

    if (*scene->made == NULL) {
        IoCreateDevice(scene->driver, 0, NULL, 0x22, 0, 0, scene->made);
    }
    memset(given, 0, 128);
    given[0] = 2; /* CONNECT_LINE_BASED */
    given[1] = (uintptr_t)*scene->made;
    given[2] = (uintptr_t)scene->other;
    given[3] = (uintptr_t)on_interrupt;
    IoConnectInterruptEx(given);
    given[1] = *(uint64_t *)scene->other;
    IoDisconnectInterruptEx(given);
}

static void named_event(struct scene *scene)
{
    IoCreateNotificationEvent(scene->name, scene->handle);
    ZwClose(*scene->handle);
}

static OBJECT_ATTRIBUTES *attributes(struct scene *scene, UNICODE_STRING *name)
{
    OBJECT_ATTRIBUTES *made = scene->object;

    *made = (OBJECT_ATTRIBUTES){.Length = sizeof(*made),
        .ObjectName = name,
        .Attributes = 0x200}; /* OBJ_KERNEL_HANDLE */
    return made;
}

static void opened_link(struct scene *scene)
{
    IoCreateSymbolicLink(scene->name, scene->target);
    ZwOpenSymbolicLinkObject(scene->handle, 1, attributes(scene, scene->name));
    IoDeleteSymbolicLink(scene->name);
    ZwClose(*scene->handle);
}

static void programs_event(struct scene *scene)
{
    HANDLE handle = CreateEventW(NULL, 1, 1, NULL);

    (void)scene;
    WaitForSingleObject(handle, 0);
    CloseHandle(handle);
}

static void told_of_processor(struct scene *scene)
{
    struct kernel *kernel = kernel_current();

    (void)scene;
    processor_callback_begin(kernel, kernel_cpu(kernel));
    processor_callback_complete(kernel, kernel_cpu(kernel));
}

static void section(struct scene *scene)
{
    ZwOpenSection(scene->handle, 6, attributes(scene, scene->memory));
    ZwClose(*scene->handle);
}

static VOID NTAPI every_second(PDEVICE_OBJECT device, PVOID context)
{
    (void)device;
    (void)context;
}

static void device_timer(struct scene *scene)
{
    IoCreateDevice(scene->driver, 0, NULL, 0x22, 0, 0, scene->made);
    IoInitializeTimer(*scene->made, (PVOID)(uintptr_t)every_second, NULL);
    IoStartTimer(*scene->made);
    IoStopTimer(*scene->made);
    IoDeleteDevice(*scene->made);
}

/* Its driver, which has no dispatch routine, refuses to open it. */
static void named_file(struct scene *scene)
{
    IoCreateDevice(scene->driver, 0, scene->target, 0x22, 0, 0, scene->made);
    (*scene->made)->Flags &= ~0x80u; /* DO_DEVICE_INITIALIZING */
    ZwOpenFile(scene->handle, 0x100001, attributes(scene, scene->part),
        scene->object, 7, 0x20);
    IoDeleteDevice(*scene->made);
}

static NTSTATUS NTAPI keep(PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    (void)device;
    (void)irp;
    (void)context;
    return (NTSTATUS)0xC0000016; /* STATUS_MORE_PROCESSING_REQUIRED */
}

/* Its driver, which has no dispatch routine, completes it at once. */
static void completion(struct scene *scene)
{
    PIRP irp = IoAllocateIrp(1, 0);

    IoCreateDevice(scene->driver, 0, NULL, 0x22, 0, 0, scene->made);
    IoSetCompletionRoutineEx(
        *scene->made, irp, (PVOID)(uintptr_t)keep, NULL, 1, 1, 1);
    IofCallDriver(*scene->made, irp);
    IoFreeIrp(irp);
    IoDeleteDevice(*scene->made);
}

static struct again_row {
    const char *name;
    void (*once)(struct scene *scene);
} again_rows[] = {
    {"timer_resolution", wish},
    {"lookaside_list", lookaside},
    {"resource", resource},
    {"order_of_locks", order},
    {"tag_of_a_remove_lock", remove_lock},
    {"event", event},
    {"timer", timer},
    {"dpc", dpc},
    {"work_item", work_item},
    {"ex_timer", ex_timer},
    {"thread_that_is_awaited", awaited_thread},
    {"thread_of_nobody", lonely_thread},
    {"thread_profile", profile},
    {"floating_point_state", float_state},
    {"nmi_callback", told_of_nmi},
    {"locked_pages", locked_pages},
    {"contiguous_memory", contiguous},
    {"pages_of_an_mdl", pages},
    {"subject_context", subject},
    {"counter_set", counters},
    {"irp", irp},
    {"device_and_its_work_item", device},
    {"work_item_in_a_block_that_is_freed", lost_work_item},
    {"symbolic_link", named},
    {"bug_check_callback", told_of_bug_check},
    {"registration_for_the_shutdown", told_of_shutdown},
    {"interrupt_object", interrupt},
    {"event_with_a_name", named_event},
    {"event_of_a_program", programs_event},
    {"symbolic_link_with_a_handle", opened_link},
    {"processor_that_is_told_of", told_of_processor},
    {"section_of_physical_memory", section},
    {"timer_of_a_device", device_timer},
    {"completion_routine", completion},
    {"file_with_a_name", named_file},
};

static void all_times(void *argument)
{
    struct scene *scene = argument;
    struct kernel *kernel = kernel_current();
    const struct arena *arena = &kernel->machine->arena;

    scene->driver =
        io_driver_make(kernel, scene->asks, "sampler", 0x10000, 0x1000)->guest;
    IoInitializeRemoveLockEx(
        scene->remove_lock, 0x31676154, 0, 0, sizeof(*scene->remove_lock));
    for (int i = 0; i < FIRST_TIMES; i++) {
        scene->once(scene);
    }
    scene->used_before = arena->used;
    scene->live_before = kernel->machine->memory.live;
    for (int i = FIRST_TIMES; i < TIMES; i++) {
        scene->once(scene);
    }
    scene->used = arena->used;
    scene->live = kernel->machine->memory.live;
}

static UNICODE_STRING *string(struct booted_kernel *booted, const char *text)
{
    size_t bytes = strlen(text) * sizeof(WCHAR);
    UNICODE_STRING *made = booted_block(booted, sizeof(*made), 0);
    WCHAR *unit = booted_block(booted, bytes, 0);

    for (size_t i = 0; text[i] != '\0'; i++) {
        unit[i] = (WCHAR)text[i];
    }
    *made = (UNICODE_STRING){.Length = (USHORT)bytes,
        .MaximumLength = (USHORT)bytes,
        .Buffer = unit};
    return made;
}

static void again_row(void **state)
{
    const struct again_row *row = *state;
    struct booted_kernel booted;
    struct scene scene = {.once = row->once, .asks = &booted.driver};

    booted_init_usual(&booted);
    scene.object = booted_block(&booted, 512, 0);
    scene.other = booted_block(&booted, 512, 0);
    scene.remove_lock = booted_block(&booted, sizeof(*scene.remove_lock), 0);
    scene.handle = booted_block(&booted, sizeof(*scene.handle), 0);
    scene.made = booted_block(&booted, sizeof(*scene.made), 0);
    *scene.made = NULL;
    scene.name = string(&booted, "\\DosDevices\\Own");
    scene.target = string(&booted, "\\Device\\Own");
    scene.part = string(&booted, "\\Device\\Own\\part");
    scene.memory = string(&booted, "\\Device\\PhysicalMemory");
    booted_run(&booted, 0, all_times, &scene);
    assert_int_equal(booted.kernel.rules.count, 0);
    assert_true(scene.used_before > 0);
    assert_int_equal(scene.used, scene.used_before);
    assert_int_equal(scene.live, scene.live_before);
    booted_release(&booted);
}

TEST_FILE(test_used_again)
{
    TEST_ADD_ROWS(list, again_row, again_rows);
}
