/* test_leaks.c - what a driver holds, kind by kind, each thing in words; of
 * another driver nothing. */
#include "api/core/leaks.h"
#include "api/core/thread.h"
#include "api/ex/pool.h"

#include <stdio.h>

#include "api/boot/exports.h"
#include "api/pcw/instance.h"
#include "api/pcw/pcw.h"
#include "tests/api/core/allocation.h"
#include "tests/api/pcw/pcw_scene.h"

/* Driver code: takes one thing of each kind but the I/O manager's. */
struct taking {
    HANDLE *handle;
    PVOID block, tagless;
    KSPIN_LOCK *lock;
    KTIMER *timer;
};

static void take(void *argument)
{
    struct taking *taking = argument;
    uint32_t *step = &thread_current(kernel_current())->step;

    *step = 3;
    HalAllocateHardwareCounters(NULL, 0, NULL, taking->handle);
    *step = 1;
    taking->block = ExAllocatePool2(POOL_FLAG_NON_PAGED, 64, 0x31676154);
    *step = 0;
    taking->tagless = ExAllocatePool(0, 17);
    *step = 8;
    KeInitializeTimer(taking->timer);
    KeSetTimer(taking->timer, -1000000, NULL);
    *step = 70000;
    KeAcquireSpinLockRaiseToDpc(taking->lock);
}

static void give_back(void *argument)
{
    struct taking *taking = argument;

    KeReleaseSpinLock(taking->lock, 0);
    KeCancelTimer(taking->timer);
    ExFreePool(taking->tagless);
    ExFreePool(taking->block);
    HalFreeHardwareCounters(*taking->handle);
}

static void note(void *context, const struct leak_found *found)
{
    char *noted = context;

    sprintf(
        noted + strlen(noted), "%s: %s", leak_names[found->leak], found->text);
    if (found->step != 0) {
        sprintf(noted + strlen(noted), ", step %u", (unsigned)found->step);
    }
    strcat(noted, "\n");
}

static const char *held_by(
    struct booted_kernel *booted, const struct driver *driver)
{
    static char noted[1000];

    noted[0] = '\0';
    leaks_list(&booted->kernel, &(struct leak_listing){driver, note, noted});
    return noted;
}

static void everything_that_is_held_is_listed_until_it_is_given_back(
    void **state)
{
    static const struct driver other = {.name = "other"};
    struct booted_kernel booted;
    struct taking taking;

    (void)state;
    booted_init_usual(&booted);
    taking.handle = booted_block(&booted, sizeof(*taking.handle), 0);
    taking.lock = booted_block(&booted, sizeof(*taking.lock), 0);
    taking.timer = booted_block(&booted, sizeof(*taking.timer), 0);
    assert_string_equal(held_by(&booted, &booted.driver), "");

    booted_run(&booted, 1, take, &taking);
    assert_string_equal(held_by(&booted, &booted.driver),
        "counter_set: set#1, step 3\n"
        "pool_block: 64 bytes with tag 'Tag1', step 1\n"
        "pool_block: 17 bytes\n"
        "spin_lock: acquired by KeAcquireSpinLockRaiseToDpc on cpu 1, step "
        "70000\n"
        "timer: timer, step 8\n");
    assert_string_equal(held_by(&booted, &other), "");

    booted_run(&booted, 1, give_back, &taking);
    assert_string_equal(held_by(&booted, &booted.driver), "");
    booted_release(&booted);
}

/* Somebody works with a registration and reads an instance of another. */
struct going {
    struct pcw_registration *registration;
    struct pcw_instance *instance;
    char held[1000];
    unsigned registrations, instances; /* reported */
};

static void report_then_leave(void *argument)
{
    struct going *going = argument;
    struct kernel *kernel = kernel_current();
    const struct driver *driver = kernel_driver(kernel, kernel_cpu(kernel));

    cpu_spend(kernel_cpu(kernel), 100000, 0);
    cpu_checkpoint(kernel_cpu(kernel));
    leaks_list(kernel, &(struct leak_listing){driver, note, going->held});
    leaks_report(kernel, driver);
    for (size_t i = 0; i < kernel->rules.count; i++) {
        enum rule rule = kernel->rules.event[i].rule;

        going->registrations += rule == RULE_LEAK_PCW_REGISTRATION;
        going->instances += rule == RULE_LEAK_PCW_INSTANCE;
    }
    pcw_registration_leave(kernel, going->registration);
    pcw_instance_leave(kernel, going->instance);
}

/* Another thread is about to give it back: it waits for who is in. */
static void counter_set_that_is_being_given_back_is_not_held(void **state)
{
    static const struct pcw_set sets[] = {
        {.name = PCW_TEXT_ROW(u"Disk")}, {.name = PCW_TEXT_ROW(u"Net")}};
    struct booted_kernel booted;
    struct pcw_job unregister = {.routine = ROUTINE_PcwUnregister};
    struct pcw_job close = {.routine = ROUTINE_PcwCloseInstance};
    struct going going = {.held = ""};
    uint64_t net;

    (void)state;
    booted_init_usual(&booted);
    unregister.argument[0] = pcw_register(&booted, &sets[0]);
    net = pcw_register(&booted, &sets[1]);
    close.argument[0] = pcw_create(&booted, net, PCW_TEXT(u"eth"), NULL, 0);
    going.registration = booted.kernel.pcw->first;
    going.instance = going.registration->next->first_instance;
    pcw_registration_enter(going.registration);
    pcw_instance_enter(going.instance);

    booted_spawn(&booted, 0, pcw_job_main, &unregister);
    booted_spawn(&booted, 1, pcw_job_main, &close);
    booted_run(&booted, 0, report_then_leave, &going);
    assert_true(unregister.done && close.done);
    assert_string_equal(going.held, "pcw_registration: Net\n");
    assert_int_equal(going.registrations, 1);
    assert_int_equal(going.instances, 0);
    booted_release(&booted);
}

/* Driver code: has a thing in the driver's memory left behind, the second time
 * anew. */
struct leaving {
    void (*leave)(struct leaving *leaving, bool anew);
    PVOID memory;
    KEVENT *go;
    enum rule rule;
    unsigned reported[3];
};

static void leave_timer(struct leaving *leaving, bool anew)
{
    if (!anew) {
        KeInitializeTimer(leaving->memory);
    }
    KeSetTimer(leaving->memory, -10000000, NULL);
}

static void leave_routine(struct leaving *leaving, bool anew)
{
    const uint64_t routine = 0x1000;

    (void)anew;
    memcpy(leaving->memory, &routine, sizeof(routine));
    HalSetSystemInformation(
        HalProfileSourceInterruptHandler, sizeof(routine), leaving->memory);
}

static void NTAPI wait_for_event(void *event)
{
    KeWaitForSingleObject(event, Executive, 0, 0, NULL);
}

/* The same worker runs it. */
static void leave_work(struct leaving *leaving, bool anew)
{
    WORK_QUEUE_ITEM *item = leaving->memory;

    if (anew) {
        KeSetEvent(leaving->go, 0, 0);
        cpu_spin(kernel_cpu(kernel_current()), 1000000);
        cpu_checkpoint(kernel_cpu(kernel_current()));
    }
    KeInitializeEvent(leaving->go, NotificationEvent, 0);
    *item = (WORK_QUEUE_ITEM){
        .WorkerRoutine = wait_for_event, .Parameter = leaving->go};
    ExQueueWorkItem(item, DelayedWorkQueue);
    cpu_spin(kernel_cpu(kernel_current()), 1000000);
    cpu_checkpoint(kernel_cpu(kernel_current()));
}

static void leave_and_end(void *argument)
{
    struct leaving *leaving = argument;
    struct kernel *kernel = kernel_current();

    for (unsigned i = 0; i < 3; i++) {
        if (i != 1) {
            leaving->leave(leaving, i == 2);
        }
        leaks_report(kernel, kernel_driver(kernel, kernel_cpu(kernel)));
        for (size_t k = 0; k < kernel->rules.count; k++) {
            leaving->reported[i] +=
                kernel->rules.event[k].rule == leaving->rule;
        }
    }
}

static struct left_row {
    const char *name;
    void (*leave)(struct leaving *leaving, bool anew);
    enum rule rule;
} left_rows[] = {
    {"timer_that_is_set_anew", leave_timer, RULE_LEAK_TIMER},
    {"routine_that_is_installed_anew", leave_routine,
        RULE_LEAK_PROFILE_ROUTINE},
    {"item_that_runs_anew", leave_work, RULE_LEAK_WORK_ITEM},
};

static void left_row(void **state)
{
    const struct left_row *row = *state;
    struct leaving leaving = {.leave = row->leave, .rule = row->rule};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    booted.kernel.rulings.value[RULING_EXE_GEN_05] = RULED_EXE_GEN_05_event;
    leaving.memory = booted_block(&booted, 256, 0);
    leaving.go = booted_block(&booted, sizeof(*leaving.go), 0);
    booted_run(&booted, 0, leave_and_end, &leaving);

    assert_int_equal(leaving.reported[0], 1);
    assert_int_equal(leaving.reported[1], 1);
    assert_int_equal(leaving.reported[2], 2);
    booted_release(&booted);
}

TEST_FILE(test_leaks)
{
    test_add(list, "everything_that_is_held_is_listed_until_it_is_given_back",
        everything_that_is_held_is_listed_until_it_is_given_back, NULL);
    test_add(list, "counter_set_that_is_being_given_back_is_not_held",
        counter_set_that_is_being_given_back_is_not_held, NULL);
    TEST_ADD_ROWS(list, left_row, left_rows);
}
