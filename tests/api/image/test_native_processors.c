/* test_native_processors.c - a driver's native code on two processors at a
 * time. */
#include "api/boot/exports.h"
#include "api/core/place.h"
#include "api/hal/arbiter.h"
#include "api/ke/code.h"
#include "tests/api/image/native_scene.h"

/* A function of the scene's image on a processor of its own. */
struct other_call {
    struct native_scene *scene;
    uint64_t address;
    uint64_t argument[CODE_ARGUMENTS];
    uint64_t result;
};

static void run_other(void *argument)
{
    struct other_call *other = argument;

    other->result = code_call(
        &other->scene->booted.kernel, other->address, other->argument);
}

static void spawn_other(struct native_scene *scene, struct other_call *other,
    uint32_t processor, const char *function, uint64_t first)
{
    native_prepare_call(scene, function, first, 0);
    *other = (struct other_call){
        .scene = scene, .address = scene->address, .argument = {first}};
    booted_spawn(&scene->booted, processor, run_other, other);
}

static void *paged_page(struct native_scene *scene)
{
    struct memory *memory = &scene->booted.machine.memory;
    void *page = memory_alloc(memory, MEMORY_PAGE_BYTES, 0);

    assert_non_null(page);
    assert_true(memory_set(memory, page, 1, MEMORY_READ | MEMORY_WRITE, true));
    return page;
}

static void page_open_on_one_processor_is_closed_on_a_raised_one(void **state)
{
    struct native_scene scene = {.size = 0};
    const struct rule_log *log = &scene.booted.kernel.rules;
    struct other_call other;
    uint64_t page;

    (void)state;
    native_init(&scene, "native.sys");
    page = (uintptr_t)paged_page(&scene);
    spawn_other(&scene, &other, 0, "touch_for_long", page);
    native_prepare_call(&scene, "touch_raised_later", page, 0);
    booted_run_to_stop(&scene.booted, 1, native_run, &scene);
    assert_int_equal(log->count, 1);
    assert_int_equal(log->event[0].rule, RULE_MM_PAGED_ACCESS);
    assert_int_equal(log->event[0].processor, 1);
    assert_int_equal(log->event[0].irql, 2);
    assert_string_equal(
        place_function(&scene.booted.kernel, log->event[0].place),
        "touch_raised_later");
    native_release(&scene);
}

static void raise_and_lower(void *argument)
{
    struct native_scene *scene = argument;

    for (unsigned i = 0; i < 2000; i++) {
        KIRQL old = KfRaiseIrql(2);

        cpu_checkpoint(machine_cpu(&scene->booted.machine, 1));
        KeLowerIrql(old);
    }
}

/* Its pages are closed for a moment wherever the other processor is raised. */
static struct paged_row {
    const char *name, *image, *function;
} paged_rows[] = {
    {"pageable_code_reads_the_time", "native.sys", "read_time_paged"},
    {"so_does_an_instruction_on_two_pages", "wild.sys", "read_time_across"},
};

static void paged_row(void **state)
{
    const struct paged_row *row = *state;
    struct native_scene scene = {.size = 0};

    native_init(&scene, row->image);
    booted_spawn(&scene.booted, 1, raise_and_lower, &scene);
    assert_int_equal(native_call(&scene, row->function, 1000, 0), 1);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    native_release(&scene);
}

static void worker_above_a_filter_has_exceptions_of_its_own(void **state)
{
    struct native_scene scene = {.size = 0};
    struct other_call other;

    (void)state;
    native_init(&scene, "native.sys");
    spawn_other(&scene, &other, 1, "try_slow_filter", 0x12345);
    assert_int_equal(native_call(&scene, "try_broadcast", 0x12345, 0), 11);
    assert_int_equal(other.result, 1);
    native_release(&scene);
}

/* Code of an actor, which breaks a rule on every processor. */
static uint64_t NTAPI write_unheld(uint64_t first, uint64_t second,
    uint64_t third, uint64_t fourth, uint64_t fifth, uint64_t sixth)
{
    struct kernel *kernel = kernel_current();

    (void)first, (void)second, (void)third, (void)fourth;
    (void)fifth, (void)sixth;
    rule_warn(
        kernel, kernel_cpu(kernel), RULE_HAL_COUNTER_UNHELD, ROUTINE_COUNT);
    return 7;
}

static void rule_that_other_code_breaks_is_at_no_place_of_the_driver(
    void **state)
{
    struct native_scene scene = {.size = 0};
    const struct rule_log *log = &scene.booted.kernel.rules;

    (void)state;
    native_init(&scene, "native.sys");
    assert_int_equal(
        native_call(&scene, "broadcast", (uintptr_t)write_unheld, 0), 7);
    assert_int_equal(log->count, 2);
    assert_int_equal(log->event[0].place, 0);
    assert_int_equal(log->event[1].place, 0);
    native_release(&scene);
}

static code_function *no_code_at(uint64_t address)
{
    (void)address;
    return NULL;
}

static void handler_that_is_no_code_is_at_the_place_that_gave_it(void **state)
{
    struct native_scene scene = {.size = 0};
    struct kernel *kernel = &scene.booted.kernel;
    const struct rule_log *log = &kernel->rules;
    struct counter_claim claim = {
        .counters = UINT64_C(1) << 33, .affinity = {1}};
    struct counter_set *set;

    (void)state;
    native_init(&scene, "native.sys");
    kernel->code_at = no_code_at;
    claim.handler = (PPHYSICAL_COUNTER_OVERFLOW_HANDLER)(uintptr_t)booted_block(
        &scene.booted, 16, 0);
    set = arbiter_grant(
        kernel->arbiter, &kernel->machine->arena, &claim, &scene.booted.driver);
    assert_non_null(set);
    set->place = (uintptr_t)scene.image->base + 0x1000;
    native_call_to_stop(&scene, "halt_until_interrupt", 0, 0);
    assert_int_equal(log->count, 1);
    assert_int_equal(log->event[0].rule, RULE_HAL_HANDLER_NOT_CODE);
    assert_int_equal(log->event[0].place, set->place);
    native_release(&scene);
}

TEST_FILE(test_native_processors)
{
    test_add(list, "page_open_on_one_processor_is_closed_on_a_raised_one",
        page_open_on_one_processor_is_closed_on_a_raised_one, NULL);
    TEST_ADD_ROWS(list, paged_row, paged_rows);
    test_add(list, "worker_above_a_filter_has_exceptions_of_its_own",
        worker_above_a_filter_has_exceptions_of_its_own, NULL);
    test_add(list, "rule_that_other_code_breaks_is_at_no_place_of_the_driver",
        rule_that_other_code_breaks_is_at_no_place_of_the_driver, NULL);
    test_add(list, "handler_that_is_no_code_is_at_the_place_that_gave_it",
        handler_that_is_no_code_is_at_the_place_that_gave_it, NULL);
}
