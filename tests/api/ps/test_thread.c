/* test_thread.c - what a driver is left with of a thread of the system: one
 * that lives is listed with the step that made it (THR-03), and of one that
 * could not be made there is nothing (THR-08). One that ends with an APC
 * pending stops the machine (THR-09a). */
#include "api/ps/thread.h"

#include "api/boot/exports.h"
#include "api/core/leaks.h"
#include "api/core/thread.h"
#include "api/ke/kthread.h"
#include "api/ps/apc.h"
#include "tests/api/booted_kernel.h"

enum { STEP = 7 };

struct scene {
    HANDLE *handle;
    uint32_t status;
    unsigned threads, others; /* that are listed */
    uint32_t step;
};

static void NTAPI nothing(PVOID context)
{
    (void)context;
}

static void note(void *context, const struct leak_found *found)
{
    struct scene *scene = context;

    if (found->leak == LEAK_THREAD) {
        scene->threads++;
        scene->step = found->step;
    } else {
        scene->others++;
    }
}

static void list_left(struct scene *scene)
{
    struct kernel *kernel = kernel_current();
    const struct leak_listing listing = {
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
        .found = note,
        .context = scene};

    leaks_list(kernel, &listing);
}

static void create(struct scene *scene)
{
    scene->status = (uint32_t)PsCreateSystemThread(
        scene->handle, 0, NULL, NULL, NULL, nothing, NULL);
}

static void make_one(void *argument)
{
    struct scene *scene = argument;
    struct thread *thread = thread_current(kernel_current());

    thread->step = STEP;
    create(scene);
    thread->step = STEP + 1;
    list_left(scene);
    ZwClose(*scene->handle);
}

/* There is no stack left for it. */
static void make_none(void *argument)
{
    struct machine *machine = kernel_current()->machine;
    uint32_t strands = machine->strands;

    machine->strands = (uint32_t)machine->stacks.count;
    create(argument);
    machine->strands = strands;
    list_left(argument);
}

/* How often it was told that a thread begins, and that one ends. */
static unsigned begun, ended;

static void NTAPI told(HANDLE process, HANDLE thread, BOOLEAN create)
{
    (void)process;
    (void)thread;
    begun += create != 0;
    ended += create == 0;
}

static void make_none_and_tell(void *argument)
{
    PsSetCreateThreadNotifyRoutine(told);
    make_none(argument);
    PsRemoveCreateThreadNotifyRoutine(told);
}

/* THR-08: who was told that it begins is told that it ends. */
static void end_of_one_that_was_not_made_is_told(void **state)
{
    struct scene scene = {.handle = NULL};
    struct booted_kernel booted;

    (void)state;
    begun = ended = 0;
    booted_init_usual(&booted);
    scene.handle = booted_block(&booted, sizeof(*scene.handle), 0);
    booted_run(&booted, 0, make_none_and_tell, &scene);
    assert_int_equal(scene.status, 0xC000009A);
    assert_int_equal(begun, 1);
    assert_int_equal(ended, 1);
    booted_release(&booted);
}

/* Blocks of memory that are there with the first thread gone, and the second.
 */
struct again {
    struct scene scene;
    size_t live[2];
};

static void make_two(void *argument)
{
    struct again *again = argument;

    for (unsigned i = 0; i < 2; i++) {
        create(&again->scene);
        ZwWaitForSingleObject(*again->scene.handle, 0, NULL);
        ZwClose(*again->scene.handle);
        again->live[i] = kernel_current()->machine->memory.live;
    }
}

static void memory_of_one_that_has_ended_is_given_back(void **state)
{
    struct again again = {.live = {0}};
    struct booted_kernel booted;

    (void)state;
    booted_init_usual(&booted);
    again.scene.handle = booted_block(&booted, sizeof(*again.scene.handle), 0);
    booted_run(&booted, 0, make_two, &again);
    assert_int_equal(again.scene.status, 0x00000000);
    assert_int_equal(again.live[1], again.live[0]);
    booted_release(&booted);
}

static struct left_row {
    const char *name;
    void (*function)(void *argument);
    uint32_t want;
    unsigned want_threads, want_others; /* its handle */
    uint32_t want_step;
} left_rows[] = {
    {"one_that_lives_is_listed_with_its_step", make_one, 0x00000000, 1, 1,
        STEP},
    {"nothing_is_left_of_one_that_was_not_made", make_none, 0xC000009A, 0, 0,
        0},
};

static void left_row(void **state)
{
    const struct left_row *row = *state;
    struct scene scene = {.handle = NULL};
    struct booted_kernel booted;

    booted_init_usual(&booted);
    scene.handle = booted_block(&booted, sizeof(*scene.handle), 0);
    booted_run(&booted, 0, row->function, &scene);
    assert_int_equal(scene.status, row->want);
    assert_int_equal(scene.threads, row->want_threads);
    assert_int_equal(scene.step, row->want_step);
    assert_int_equal(scene.others, row->want_others);
    booted_release(&booted);
}

/* Those of the kernel that the thread has when it ends; in a guarded region
 * none of them runs. */
static struct pending_row {
    const char *name;
    unsigned special, normal;
    const char *want; /* the first parameter; NULL: 0 */
} pending_rows[] = {
    {"no_apc_is_pending_at_the_end", 0, 0, NULL},
    {"special_one_is_pending_at_the_end", 1, 0, "APC"},
    {"normal_one_is_pending_at_the_end", 0, 1, "APC"},
    {"one_of_each_is_pending_at_the_end", 1, 1, "APC"},
};

static void queue(unsigned times, enum apc_kind kind)
{
    struct kernel *kernel = kernel_current();
    struct kthread *thread = kthread_current(kernel);
    const struct apc apc = {
        .kind = kind, .driver = thread->driver, .routine = (uintptr_t)nothing};

    for (; times > 0; times--) {
        apc_queue(kernel, thread, &apc);
    }
}

static void NTAPI end_with_apcs(PVOID context)
{
    const struct pending_row *row = context;

    KeEnterGuardedRegion();
    queue(row->special, APC_SPECIAL);
    queue(row->normal, APC_NORMAL);
    PsTerminateSystemThread(0);
}

struct pending_scene {
    struct pending_row *row;
    HANDLE *handle;
};

static void make_one_that_ends(void *argument)
{
    struct pending_scene *scene = argument;

    PsCreateSystemThread(
        scene->handle, 0, NULL, NULL, NULL, end_with_apcs, scene->row);
}

static void pending_row(void **state)
{
    struct pending_scene scene = {.row = *state};
    struct booted_kernel booted;
    const struct bugcheck *bugcheck = &booted.kernel.bugcheck;

    booted_init_usual(&booted);
    scene.handle = booted_block(&booted, sizeof(*scene.handle), 0);
    booted_run_to_stop(&booted, 0, make_one_that_ends, &scene);
    assert_int_equal(bugcheck->code, 0x20);
    if (scene.row->want == NULL) {
        assert_null(bugcheck->parameter[0].name);
    } else {
        assert_non_null(bugcheck->parameter[0].name);
        assert_string_equal(bugcheck->parameter[0].name, scene.row->want);
    }
    booted_release(&booted);
}

TEST_FILE(test_thread)
{
    test_add(list, "end_of_one_that_was_not_made_is_told",
        end_of_one_that_was_not_made_is_told, NULL);
    test_add(list, "memory_of_one_that_has_ended_is_given_back",
        memory_of_one_that_has_ended_is_given_back, NULL);
    TEST_ADD_ROWS(list, pending_row, pending_rows);
    TEST_ADD_ROWS(list, left_row, left_rows);
}
