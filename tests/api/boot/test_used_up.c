/* test_used_up.c - what becomes of a driver's calls when a machine has no more
 * of something: of its arena, of guest memory, of stacks, of handles. */
#include "api/boot/exports.h"
#include "api/ke/kthread.h"
#include "api/ob/handle.h"
#include "tests/api/booted_kernel.h"

enum what { ARENA, GUEST_MEMORY, STACKS, HANDLES };

enum { HANDLES_MAX = 1 << 24 };

/* In the driver's memory, a page each. */
struct scene {
    const struct used_up_row *row;
    void *object, *other;
    WORK_QUEUE_ITEM *item;
    HANDLE *handle;
    PVOID *out;
    UNICODE_STRING *name;
    OBJECT_ATTRIBUTES *attributes;
    uint64_t thread;
    uint32_t status; /* what the call returned, where it did */
};

static void use_up(enum what what)
{
    struct machine *machine = kernel_current()->machine;

    switch (what) {
    case ARENA:
        machine->arena.reserve = machine->arena.limit - machine->arena.used;
        break;
    case GUEST_MEMORY:
        machine->memory.held_most = machine->memory.held;
        machine->memory.live_most = machine->memory.live;
        break;
    case STACKS:
        machine->strands = (uint32_t)machine->stacks.count;
        break;
    case HANDLES:
        kernel_current()->handles->of_kernel.count = HANDLES_MAX;
        break;
    }
}

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

static void NTAPI called_back(PVOID context, PVOID first, PVOID second)
{
    (void)context;
    (void)first;
    (void)second;
}

static void be_a_thread(struct scene *scene)
{
    scene->thread = (uintptr_t)PsGetCurrentThreadId();
}

static void make_push_lock(struct scene *scene)
{
    ExInitializePushLock(scene->object);
}

static void make_event(struct scene *scene)
{
    KeInitializeEvent(scene->object, NotificationEvent, 0);
}

static void make_timer(struct scene *scene)
{
    KeInitializeTimer(scene->object);
}

static void make_dpc(struct scene *scene)
{
    KeInitializeDpc(scene->object, deferred, NULL);
}

static void make_threaded_dpc(struct scene *scene)
{
    KeInitializeThreadedDpc(scene->object, deferred, NULL);
}

static void make_low_dpc(struct scene *scene)
{
    make_dpc(scene);
    KeSetImportanceDpc(scene->object, LowImportance);
}

static void queue_dpc(struct scene *scene)
{
    KeInsertQueueDpc(scene->object, NULL, NULL);
}

static void queue_work(struct scene *scene)
{
    ExQueueWorkItem(scene->item, CriticalWorkQueue);
}

/* The item's record can be used again. */
static void work_elsewhere(struct scene *scene)
{
    be_a_thread(scene);
    ExQueueWorkItem(scene->item, DelayedWorkQueue);
    cpu_spin(kernel_cpu(kernel_current()), 1000000);
    cpu_checkpoint(kernel_cpu(kernel_current()));
}

static void hold_one_of_two(struct scene *scene)
{
    KeEnterCriticalRegion();
    ExInitializePushLock(scene->object);
    ExInitializePushLock(scene->other);
    ExAcquirePushLockExclusiveEx(scene->object, 0);
}

static void take_the_other(struct scene *scene)
{
    ExAcquirePushLockExclusiveEx(scene->other, 0);
}

static void wait_in_queue(void *argument)
{
    (void)argument;
}

static void have_an_equal(struct scene *scene)
{
    be_a_thread(scene);
    strand_spawn(kernel_cpu(kernel_current()), wait_in_queue, NULL, NULL);
}

static void ask_for_a_quantum(struct scene *scene)
{
    (void)scene;
    KeSetPriorityThread(KeGetCurrentThread(), 8);
}

static void profile(struct scene *scene)
{
    scene->status =
        EnableThreadProfiling(GetCurrentThread(), 1, 0, scene->handle);
}

static void look_up_thread(struct scene *scene)
{
    PsLookupThreadByThreadId((HANDLE)(uintptr_t)scene->thread, scene->out);
}

static void make_thread(struct scene *scene)
{
    scene->status = (uint32_t)PsCreateSystemThread(
        scene->handle, 0, NULL, NULL, NULL, nothing, NULL);
}

static void ask_for_process(struct scene *scene)
{
    (void)scene;
    PsGetCurrentProcess();
}

static void compare_type(struct scene *scene)
{
    ObReferenceObjectByHandle(
        *scene->handle, 0, scene->object, 0, scene->out, NULL);
}

static void name_event(struct scene *scene)
{
    scene->status =
        IoCreateNotificationEvent(scene->name, scene->handle) != NULL;
}

static void make_callback(struct scene *scene)
{
    scene->status =
        (uint32_t)ExCreateCallback(scene->out, scene->attributes, 1, 1);
}

static BOOLEAN NTAPI on_nmi(PVOID context, BOOLEAN handled)
{
    (void)context;
    return handled;
}

static void register_for_nmi(struct scene *scene)
{
    (void)scene;
    KeRegisterNmiCallback(on_nmi, NULL);
}

static VOID NTAPI on_change(
    PVOID context, PKE_PROCESSOR_CHANGE_NOTIFY_CONTEXT change, NTSTATUS *status)
{
    (void)context;
    (void)change;
    (void)status;
}

static void register_for_processors(struct scene *scene)
{
    (void)scene;
    KeRegisterProcessorChangeCallback(on_change, NULL, 0);
}

static void save_float_state(struct scene *scene)
{
    KeSaveFloatingPointState(scene->object);
}

static void register_callback(struct scene *scene)
{
    scene->status = ExRegisterCallback(*scene->out, called_back, NULL) != NULL;
}

/* before: what there is when it is used up; NULL: nothing. reason: why the run
 * ends; NULL: the call returns `want`. */
static struct used_up_row {
    const char *name;
    enum what what;
    void (*before)(struct scene *scene);
    void (*call)(struct scene *scene);
    const char *reason;
    uint32_t want;
} used_up_rows[] = {
    {"lock", ARENA, NULL, make_push_lock,
        "this machine has no memory left for locks", 0},
    {"event", ARENA, NULL, make_event,
        "this machine has no memory left for objects to wait for", 0},
    {"timer", ARENA, make_event, make_timer,
        "this machine has no memory left for timers", 0},
    {"dpc", ARENA, NULL, make_dpc, "this machine has no memory left for DPCs",
        0},
    {"dpc_queue", ARENA, make_dpc, queue_dpc,
        "this machine has no memory left for queues of DPCs", 0},
    {"work_item", ARENA, NULL, queue_work,
        "this machine has no memory left for work items", 0},
    {"worker", ARENA, work_elsewhere, queue_work,
        "this machine has no memory left for a worker thread", 0},
    {"lock_order", ARENA, hold_one_of_two, take_the_other,
        "this machine has no memory left for the order of locks", 0},
    {"quantum", ARENA, have_an_equal, ask_for_a_quantum,
        "this machine has no memory left for its clock", 0},
    {"profile", ARENA, be_a_thread, profile,
        "this machine has no memory left for thread profiling", 0},
    {"nmi_callback", ARENA, NULL, register_for_nmi,
        "this machine has no memory left for NMI callbacks", 0},
    {"processor_change_callback", ARENA, NULL, register_for_processors,
        "this machine has no memory left for processor callbacks", 0},
    {"floating_point_state", ARENA, be_a_thread, save_float_state,
        "this machine has no memory left for floating-point states", 0},
    {"own_thread", ARENA, NULL, be_a_thread,
        "this machine has no memory left for threads", 0},
    {"thread_object", ARENA, be_a_thread, look_up_thread,
        "this machine has no memory left for threads", 0},
    {"thread", ARENA, be_a_thread, make_thread,
        "this machine has no memory left for threads", 0},
    {"own_thread_in_guest_memory", GUEST_MEMORY, NULL, be_a_thread,
        "this machine has no memory left for a thread", 0},
    {"process", GUEST_MEMORY, be_a_thread, ask_for_process,
        "this machine has no memory left for a process", 0},
    {"object_type", GUEST_MEMORY, make_thread, compare_type,
        "this machine has no memory left for types of objects", 0},
    {"named_event", ARENA, be_a_thread, name_event,
        "this machine has no memory left for events", 0},
    {"named_event_in_guest_memory", GUEST_MEMORY, be_a_thread, name_event,
        "this machine has no memory left for an event", 0},
    {"callback", ARENA, be_a_thread, make_callback,
        "this machine has no memory left for callback objects", 0},
    {"callback_in_guest_memory", GUEST_MEMORY, be_a_thread, make_callback,
        "this machine has no memory left for a callback object", 0},
    {"callback_routine", ARENA, make_callback, register_callback,
        "this machine has no memory left for callback routines", 0},
    {"idle_thread", STACKS, make_low_dpc, queue_dpc,
        "this machine has no memory left for an idle thread", 0},
    {"threaded_dpc", STACKS, make_threaded_dpc, queue_dpc,
        "this machine has no memory left for a thread of DPCs", 0},
    {"worker_stack", STACKS, be_a_thread, queue_work,
        "this machine has no memory left for a worker thread", 0},
    {"thread_handle", HANDLES, be_a_thread, make_thread, NULL,
        (uint32_t)STATUS_INSUFFICIENT_RESOURCES},
    {"named_event_s_handle", HANDLES, be_a_thread, name_event, NULL, false},
    {"thread_stack", STACKS, be_a_thread, make_thread, NULL,
        (uint32_t)STATUS_INSUFFICIENT_RESOURCES},
};

static void call_when_used_up(void *argument)
{
    struct scene *scene = argument;
    struct machine *machine = kernel_current()->machine;
    struct handles *handles = kernel_current()->handles;
    uint32_t strands, open;

    if (scene->row->before != NULL) {
        scene->row->before(scene);
    }
    strands = machine->strands;
    open = handles->of_kernel.count;
    use_up(scene->row->what);
    scene->row->call(scene);
    machine->strands = strands;
    handles->of_kernel.count = open;
}

/* \Callback\Own, in the driver's memory. */
static void make_name(struct booted_kernel *booted, struct scene *scene)
{
    static const char text[] = "\\Callback\\Own";
    WCHAR *units = booted_block(booted, sizeof(text) * sizeof(WCHAR), 0);

    for (size_t i = 0; text[i] != '\0'; i++) {
        units[i] = (WCHAR)text[i];
    }
    scene->name = booted_block(booted, sizeof(*scene->name), 0);
    *scene->name = (UNICODE_STRING){.Length = 2 * (sizeof(text) - 1),
        .MaximumLength = 2 * sizeof(text),
        .Buffer = units};
    scene->attributes = booted_block(booted, sizeof(*scene->attributes), 0);
    scene->attributes->ObjectName = scene->name;
}

static void used_up_row(void **state)
{
    const struct used_up_row *row = *state;
    struct scene scene = {.row = row, .status = 0xA5A5A5A5};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    scene.object = booted_block(&booted, 256, 0);
    scene.other = booted_block(&booted, 256, 0);
    scene.item = booted_block(&booted, sizeof(*scene.item), 0);
    scene.item->WorkerRoutine = nothing;
    scene.handle = booted_block(&booted, sizeof(*scene.handle), 0);
    scene.out = booted_block(&booted, sizeof(*scene.out), 0);
    make_name(&booted, &scene);
    if (row->reason == NULL) {
        booted_run(&booted, 0, call_when_used_up, &scene);
        assert_int_equal(scene.status, row->want);
    } else {
        booted_run_to_stop(&booted, 0, call_when_used_up, &scene);
        assert_int_equal(booted.kernel.end.kind, RUN_NOT_MODELLED);
        assert_string_equal(booted.kernel.end.reason, row->reason);
    }
    booted_release(&booted);
}

TEST_FILE(test_used_up)
{
    TEST_ADD_ROWS(list, used_up_row, used_up_rows);
}
