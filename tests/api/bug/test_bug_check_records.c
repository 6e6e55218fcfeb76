/* test_bug_check_records.c - records of bug check callbacks whose memory is
 * freed, and may be another's then, and those that a driver leaves behind
 * (BUG-03). */
#include "api/boot/exports.h"
#include "api/bug/bug_check_callback.h"
#include "api/core/leaks.h"
#include "api/mm/block.h"
#include "sim/memory/memory.h"
#include "tests/api/booted_kernel.h"

static VOID NTAPI on_record(PVOID Buffer, ULONG Length)
{
    (void)Buffer;
    (void)Length;
}

struct scene {
    struct booted_kernel booted;
    KBUGCHECK_CALLBACK_RECORD *record;
    UCHAR *name;
    int64_t start; /* of what is freed, from the record's address on */
    size_t size;
};

static bool add(struct scene *scene)
{
    scene->record->State = BufferEmpty;
    return KeRegisterBugCheckCallback(
        scene->record, on_record, NULL, 0, scene->name);
}

/* The caller releases what was booted. */
static void scene_run(struct scene *scene, void (*code)(void *argument))
{
    booted_init_usual(&scene->booted);
    scene->record = booted_block(&scene->booted, sizeof(*scene->record), 0);
    scene->name = booted_block(&scene->booted, 4, 'a');
    booted_run(&scene->booted, 0, code, scene);
}

static void tell_freed(const struct scene *scene)
{
    struct kernel *kernel = kernel_current();
    const struct memory_block block = {
        .start = (uint8_t *)scene->record + scene->start, .size = scene->size};

    bug_check_callback_block_watcher.freed(
        kernel, kernel_cpu(kernel), ROUTINE_ExFreePoolWithTag, &block);
}

static unsigned told(const struct scene *scene)
{
    return booted_broken(&scene->booted, RULE_BUGCHECK_CALLBACK_FREED);
}

static void add_and_free(void *argument)
{
    const struct scene *scene = argument;

    assert_true(add(argument));
    tell_freed(scene);
    tell_freed(scene);
}

static struct freed_row {
    const char *name;
    int64_t start;
    size_t size;
    unsigned want;
} freed_rows[] = {
    {"alone", 0, 64, 1},
    {"with_what_is_before_it", -64, 128, 1},
    {"first_byte_of_it", -63, 64, 1},
    {"what_ends_before_it", -64, 64, 0},
    {"what_begins_behind_its_first_byte", 1, 64, 0},
    {"what_is_far_behind_it", 4096, 64, 0},
};

/* However often: it is told of once. */
static void freed_row(void **state)
{
    const struct freed_row *row = *state;
    struct scene scene = {.start = row->start, .size = row->size};

    scene_run(&scene, add_and_free);
    assert_int_equal(told(&scene), row->want);
    booted_release(&scene.booted);
}

static void add_where_one_was_freed(void *argument)
{
    struct scene *scene = argument;

    assert_true(add(scene));
    tell_freed(scene);
    assert_false(KeDeregisterBugCheckCallback(scene->record));
    assert_true(add(scene));
    assert_true(KeDeregisterBugCheckCallback(scene->record));
    assert_false(KeDeregisterBugCheckCallback(scene->record));
}

static void another_one_may_lie_where_one_was_freed(void **state)
{
    struct scene scene = {.size = 64};

    (void)state;
    scene_run(&scene, add_where_one_was_freed);
    booted_release(&scene.booted);
}

static void add_and_remove(void *argument)
{
    struct scene *scene = argument;
    const struct arena *arena = &kernel_current()->machine->arena;
    size_t used = 0;

    for (unsigned i = 0; i < 3; i++) {
        assert_true(add(scene));
        assert_true(KeDeregisterBugCheckCallback(scene->record));
        used = i == 0 ? arena->used : used;
    }
    assert_int_equal(arena->used, used);
}

static void what_a_removed_one_had_is_used_again(void **state)
{
    struct scene scene = {.size = 64};

    (void)state;
    scene_run(&scene, add_and_remove);
    booted_release(&scene.booted);
}

static void leave_one(void *argument)
{
    const struct driver other = {.name = "other"};
    struct scene *scene = argument;
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);

    assert_true(add(scene));
    bug_check_callback_leaks.report(kernel, cpu, &other);
    assert_int_equal(
        booted_broken(&scene->booted, RULE_LEAK_BUGCHECK_CALLBACK), 0);
    bug_check_callback_leaks.report(kernel, cpu, &scene->booted.driver);
    bug_check_callback_leaks.report(kernel, cpu, &scene->booted.driver);
    assert_int_equal(
        booted_broken(&scene->booted, RULE_LEAK_BUGCHECK_CALLBACK), 1);
}

static void what_its_driver_leaves_is_told_of_once(void **state)
{
    struct scene scene = {.size = 64};

    (void)state;
    scene_run(&scene, leave_one);
    booted_release(&scene.booted);
}

TEST_FILE(test_bug_check_records)
{
    TEST_ADD_ROWS(list, freed_row, freed_rows);
    test_add(list, "another_one_may_lie_where_one_was_freed",
        another_one_may_lie_where_one_was_freed, NULL);
    test_add(list, "what_a_removed_one_had_is_used_again",
        what_a_removed_one_had_is_used_again, NULL);
    test_add(list, "what_its_driver_leaves_is_told_of_once",
        what_its_driver_leaves_is_told_of_once, NULL);
}
