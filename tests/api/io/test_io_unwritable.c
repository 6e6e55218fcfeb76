/* test_io_unwritable.c - what an answer cannot be written to, or data not be
 * read from, raises STATUS_ACCESS_VIOLATION before anything is done. */
#include "api/boot/exports.h"
#include "api/ex/work_queue.h"
#include "api/io/interrupt_object.h"
#include "api/io/io.h"
#include "api/io/irp.h"
#include "tests/api/io/io_scene.h"

enum {
    DO_BUFFERED = 4,
    BUFFERED_CODE = 0x222000,
    IRP_BYTES = 1024,
    PAGE = 4096
};

/* What the calls could change. */
struct state {
    unsigned requests;    /* that there are */
    unsigned came;        /* to the driver */
    unsigned locks;       /* of a queue of the driver's, that were taken */
    PDEVICE_OBJECT above; /* on the first device */
    LONG references;      /* to it */
    ULONG_PTR low;        /* of the stack's limits */
    bool item, busy, connected;
    KIRQL irql;
};

struct trial {
    struct io_scene scene;
    PIO_CSQ csq;
    KDEVICE_QUEUE *queue;
    ULONG_PTR *low;
    PVOID *top;
    PIRP irp;               /* a page of its own */
    uint32_t *connection;   /* IO_CONNECT_INTERRUPT_PARAMETERS */
    const uint8_t *refused; /* the address of the exception */
    OBJECT_ATTRIBUTES *named;
    PHANDLE handles;
    IO_STATUS_BLOCK *answer;
    struct state before, after;
    void (*call)(struct trial *trial);
    bool raised;
    struct exception_record record;
};

static unsigned locks_taken;

static VOID NTAPI acquire(PIO_CSQ csq, PKIRQL irql)
{
    (void)csq;
    *irql = 0;
    locks_taken++;
}

static VOID NTAPI release(PIO_CSQ csq, KIRQL irql)
{
    (void)csq;
    (void)irql;
}

static PIRP NTAPI nobody(PIO_CSQ csq, PIRP irp, PVOID context)
{
    (void)csq;
    (void)irp;
    (void)context;
    return NULL;
}

static void initialize_irp(struct trial *trial)
{
    (void)trial;
    IoInitializeIrp(NULL, IRP_BYTES, 1);
}

static void attach_safe(struct trial *trial)
{
    IoAttachDeviceToDeviceStackSafe(
        trial->scene.notes.device[1], trial->scene.notes.device[0], NULL);
}

static void attach(struct trial *trial)
{
    IoAttachDevice(trial->scene.notes.device[1], trial->scene.name[0], NULL);
}

static void build_control(struct trial *trial)
{
    IoBuildDeviceIoControlRequest(BUFFERED_CODE, trial->scene.notes.device[0],
        NULL, 4, NULL, 0, 0, NULL, NULL);
}

static void build_write(struct trial *trial)
{
    IoBuildAsynchronousFsdRequest(
        IRP_MJ_WRITE, trial->scene.notes.device[0], NULL, 4, NULL, NULL);
}

static void take_cancel_lock(struct trial *trial)
{
    (void)trial;
    IoAcquireCancelSpinLock(NULL);
}

static void remove_from_queue(struct trial *trial)
{
    IoCsqRemoveIrp(trial->csq, NULL);
}

static void point_without_file(struct trial *trial)
{
    IoGetDeviceObjectPointer(
        trial->scene.name[0], 1, NULL, (PDEVICE_OBJECT *)(void *)trial->top);
}

static void point_without_device(struct trial *trial)
{
    IoGetDeviceObjectPointer(trial->scene.name[0], 1, trial->top, NULL);
}

static void insert_into_queue(struct trial *trial)
{
    KeInsertDeviceQueue(trial->queue, NULL);
}

static void ask_high_limit(struct trial *trial)
{
    IoGetStackLimits(trial->low, NULL);
}

static void ask_both_limits(struct trial *trial)
{
    (void)trial;
    IoGetStackLimits(NULL, (PULONG_PTR)(uintptr_t)8);
}

static void initialize_work(struct trial *trial)
{
    IoInitializeWorkItem(trial->scene.notes.device[0], NULL);
}

static void connect_interrupt(struct trial *trial)
{
    IoConnectInterruptEx(trial->connection);
}

static void reuse_irp(struct trial *trial)
{
    IoReuseIrp(trial->irp, STATUS_SUCCESS);
}

/* By the handle that is opened before. */
static void ask_by_handle(struct trial *trial)
{
    ZwDeviceIoControlFile(trial->handles[0], NULL, NULL, NULL, trial->answer,
        BUFFERED_CODE, NULL, 4, NULL, 0);
}

static void open_handle(struct trial *trial)
{
    OBJECT_ATTRIBUTES *named = trial->named;

    named->Length = sizeof(*named);
    named->ObjectName = trial->scene.name[0];
    named->Attributes = 0x200; /* OBJ_KERNEL_HANDLE */
    ZwOpenFile(trial->handles, 0x100003, named, trial->answer, 7, 0x20);
}

static void call_now(void *argument)
{
    struct trial *trial = argument;

    trial->call(trial);
}

static struct state look(const struct trial *trial)
{
    struct kernel *kernel = kernel_current();
    PDEVICE_OBJECT device = trial->scene.notes.device[0];
    struct state state = {.came = trial->scene.notes.requests,
        .locks = locks_taken,
        .above = device->AttachedDevice,
        .references = device->ReferenceCount,
        .item = work_find(kernel, NULL) != NULL,
        .low = *trial->low,
        .busy = trial->queue->Busy != 0,
        .connected = kernel->interrupts->first != NULL,
        .irql = KeGetCurrentIrql()};

    for (struct io_request *request = kernel->io->requests; request != NULL;
         request = request->next) {
        state.requests++;
    }
    return state;
}

static void try_now(void *argument)
{
    struct trial *trial = argument;

    IoCsqInitialize(trial->csq, (PVOID)(uintptr_t)nobody,
        (PVOID)(uintptr_t)nobody, (PVOID)(uintptr_t)nobody,
        (PVOID)(uintptr_t)acquire, (PVOID)(uintptr_t)release,
        (PVOID)(uintptr_t)nobody);
    KeInitializeDeviceQueue(trial->queue);
    if (trial->call == reuse_irp) {
        IoInitializeIrp(trial->irp, IRP_BYTES, 1);
        memory_set(&kernel_current()->machine->memory, trial->irp, 1,
            MEMORY_READ, false);
        trial->refused = (const uint8_t *)trial->irp + PAGE;
    }
    if (trial->call == ask_by_handle) {
        open_handle(trial);
    }
    if (trial->call == insert_into_queue) {
        KfRaiseIrql(2);
    }
    trial->before = look(trial);
    trial->raised = booted_catch(call_now, trial, &trial->record);
    trial->after = look(trial);
    if (trial->after.irql > 0) {
        KeLowerIrql(0);
    }
}

static struct unwritable_row {
    const char *name;
    void (*call)(struct trial *trial);
} unwritable_rows[] = {
    {"request_is_not_made_where_nothing_is", initialize_irp},
    {"device_below_is_told_first", attach_safe},
    {"device_of_a_name_is_told_first", attach},
    {"input_of_a_control_is_there", build_control},
    {"data_of_a_write_are_there", build_write},
    {"level_is_told_first", take_cancel_lock},
    {"context_is_there", remove_from_queue},
    {"file_is_told_first", point_without_file},
    {"device_is_told_first", point_without_device},
    {"entry_is_there", insert_into_queue},
    {"high_limit_is_told_first", ask_high_limit},
    {"low_limit_is_told_first", ask_both_limits},
    {"work_item_is_there", initialize_work},
    {"interrupt_object_is_told_first", connect_interrupt},
    {"input_by_a_handle_is_there", ask_by_handle},
    {"initialized_request_is_still_there", reuse_irp},
};

/* A latched interrupt of the first device's, with no place for its object. */
static uint32_t *connection_of(struct io_scene *scene)
{
    code_function *service = scene_dispatch;
    uint64_t device = (uintptr_t)scene->notes.device[0];
    uint64_t code = (uint64_t)(uintptr_t)service;
    uint32_t *words = booted_block(&scene->booted, 80, 0);

    words[0] = 1; /* fully specified */
    memcpy(words + 2, &device, sizeof(device));
    memcpy(words + 6, &code, sizeof(code));
    words[12] = 5; /* SynchronizeIrql, and not shared */
    words[13] = 0x51;
    words[14] = 5;
    words[15] = 1;
    words[16] = 1;
    return words;
}

static void trial_init(struct trial *trial)
{
    const struct io_plan plan = {.device = {"\\Device\\Taken", ""}};
    struct booted_kernel *booted = &trial->scene.booted;

    scene_init(&trial->scene, &plan);
    scene_load(&trial->scene);
    trial->csq = booted_block(booted, sizeof(*trial->csq), 0);
    trial->queue = booted_block(booted, sizeof(*trial->queue), 0);
    trial->low = booted_block(booted, sizeof(*trial->low), 0x55);
    trial->top = booted_block(booted, sizeof(*trial->top), 0);
    trial->irp = booted_block(booted, PAGE, 0);
    trial->named = booted_block(booted, sizeof(*trial->named), 0);
    trial->handles = booted_block(booted, sizeof(*trial->handles), 0);
    trial->answer = booted_block(booted, sizeof(*trial->answer), 0);
    trial->connection = connection_of(&trial->scene);
    trial->scene.notes.device[0]->Flags |= DO_BUFFERED;
    locks_taken = 0;
}

static void unwritable_row(void **state)
{
    const struct unwritable_row *row = *state;
    struct trial trial = {.call = row->call};

    trial_init(&trial);
    booted_run(&trial.scene.booted, 0, try_now, &trial);
    assert_true(trial.raised);
    assert_int_equal((uint32_t)trial.record.code, 0xC0000005);
    assert_ptr_equal(trial.record.address, trial.refused);
    assert_int_equal(trial.after.requests, trial.before.requests);
    assert_int_equal(trial.after.came, trial.before.came);
    assert_int_equal(trial.after.locks, trial.before.locks);
    assert_ptr_equal(trial.after.above, trial.before.above);
    assert_int_equal(trial.after.references, trial.before.references);
    assert_int_equal(trial.after.item, trial.before.item);
    assert_int_equal(trial.after.low, trial.before.low);
    assert_int_equal(trial.after.busy, trial.before.busy);
    assert_int_equal(trial.after.connected, trial.before.connected);
    assert_int_equal(trial.after.irql, trial.before.irql);
    scene_release(&trial.scene);
}

TEST_FILE(test_io_unwritable)
{
    TEST_ADD_ROWS(list, unwritable_row, unwritable_rows);
}
