/* test_pmi.c - from the interrupt to the handlers: who is called with what, at
 * which level, and how the interrupt is left (facts.md 2.4). */
#include "api/boot/exports.h"
#include "api/hal/arbiter.h"
#include "api/hal/pmi.h"
#include "tests/api/hal/overflow_scene.h"

enum { SETS = 3 };

/* Sets in order of allocation, and what wraps on processor 0. */
static struct call_row {
    const char *name;
    struct {
        uint64_t counters, processors;
        bool handler;
    } set[SETS];
    uint64_t overflow, interrupting;
    const char *want; /* handle's number and bits of each run, in order */
    uint64_t want_status;
} call_rows[] = {
    {"handler_gets_its_counter", {{0x1, 0x3, true}}, 0x1, 0x1, "1:0x1", 0},
    {"bit_n_is_counter_n", {{0x80, 0x3, true}}, 0x80, 0x80, "1:0x80", 0},
    {"fixed_counter_1_is_bit_33", {{0x200000000, 0x3, true}}, 0x200000000,
        0x200000000, "1:0x200000000", 0},
    {"counters_of_one_set_are_one_call", {{0x7, 0x3, true}}, 0x5, 0x5, "1:0x5",
        0},
    {"each_set_gets_its_own_bits", {{0x3, 0x3, true}, {0xC, 0x3, true}}, 0x6,
        0x6, "1:0x2 2:0x4", 0},
    {"set_without_an_overflow_is_not_called",
        {{0x1, 0x3, true}, {0x2, 0x3, true}}, 0x2, 0x2, "2:0x2", 0},
    {"sets_are_called_in_order_of_allocation",
        {{0x4, 0x3, true}, {0x2, 0x3, true}, {0x1, 0x3, true}}, 0x7, 0x7,
        "1:0x4 2:0x2 3:0x1", 0},
    {"set_without_handler_is_cleared_silently", {{0x1, 0x3, false}}, 0x1, 0x1,
        "", 0},
    {"set_without_handler_leaves_the_others_theirs",
        {{0x1, 0x3, false}, {0x2, 0x3, true}}, 0x3, 0x3, "2:0x2", 0},
    {"counter_of_no_set_is_cleared_silently", {{0x2, 0x3, true}}, 0x1, 0x1, "",
        0},
    {"counter_of_no_set_is_not_passed_on", {{0x1, 0x3, true}}, 0x3, 0x3,
        "1:0x1", 0},
    {"set_of_another_processor_is_not_called", {{0x1, 0x2, true}}, 0x1, 0x1, "",
        0},
    {"set_of_this_processor_alone_is_called",
        {{0x1, 0x2, true}, {0x1, 0x1, true}}, 0x1, 0x1, "2:0x1", 0},
    {"overflow_without_interrupt_is_left_to_its_owner", {{0x1, 0x3, true}}, 0x1,
        0x0, "", 0x1},
    {"only_what_interrupts_is_passed_and_cleared", {{0x3, 0x3, true}}, 0x3, 0x1,
        "1:0x1", 0x2},
};

/* Driver code: what the row says. */
struct wrap {
    struct scene *scene;
    const struct call_row *row;
};

static void wrap(void *argument)
{
    const struct wrap *made = argument;

    scene_overflow(kernel_cpu(&made->scene->booted.kernel), made->row->overflow,
        made->row->interrupting);
}

static void call_row(void **state)
{
    const struct call_row *row = *state;
    struct scene scene;
    struct wrap made = {&scene, row};
    char journal[200] = "";

    scene_init(&scene);
    for (unsigned i = 0; i < SETS && row->set[i].processors != 0; i++) {
        scene_grant(&scene, row->set[i].counters, row->set[i].processors,
            row->set[i].handler);
    }
    booted_run(&scene.booted, 0, wrap, &made);
    for (unsigned i = 0; i < scene.runs; i++) {
        size_t used = strlen(journal);

        snprintf(journal + used, sizeof(journal) - used, "%s%u:0x%llx",
            used == 0 ? "" : " ",
            arbiter_number(scene.booted.kernel.arbiter, scene.run[i].handle),
            (unsigned long long)scene.run[i].bits);
    }
    assert_string_equal(journal, row->want);
    assert_int_equal(scene_peek(&scene, 0, 0x38E), row->want_status);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    scene_release(&scene);
}

static struct level_row {
    const char *name;
    enum arch arch;
    KIRQL interrupted, want;
    uint64_t want_vector;
} level_rows[] = {
    {"x64_handler_runs_at_15", ARCH_X64, 0, 15, 0xFE},
    {"x64_handler_interrupts_dispatch_level", ARCH_X64, 2, 15, 0xFE},
    {"x64_handler_interrupts_ipi_level", ARCH_X64, 14, 15, 0xFE},
    {"x86_handler_runs_at_27", ARCH_X86, 0, 27, 0xBE},
    {"x86_handler_interrupts_dispatch_level", ARCH_X86, 2, 27, 0xBE},
};

/* Driver code: an overflow above PASSIVE_LEVEL. */
struct raised {
    struct scene *scene;
    KIRQL level, after;
};

static void overflow_raised(void *argument)
{
    struct raised *raised = argument;
    KIRQL old = KfRaiseIrql(raised->level);

    scene_overflow_0(raised->scene);
    raised->after = KeGetCurrentIrql();
    KeLowerIrql(old);
}

static void level_row(void **state)
{
    const struct level_row *row = *state;
    struct scene scene;
    struct raised raised = {&scene, row->interrupted, 99};

    scene_init_on(&scene, OS_WIN10_1903, row->arch);
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, overflow_raised, &raised);
    assert_int_equal(scene.runs, 1);
    assert_int_equal(scene.run[0].irql, row->want);
    assert_int_equal(raised.after, row->interrupted);
    assert_int_equal(
        irql_current(&scene.booted.kernel, booted_cpu(&scene.booted, 0)), 0);
    assert_int_equal(scene_peek(&scene, 0, 0x834), row->want_vector);
    scene_release(&scene);
}

static void status_is_clear_before_the_handler_runs(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, scene_overflow_0, &scene);
    assert_int_equal(scene.runs, 1);
    assert_int_equal(scene.run[0].status, 0);
    scene_release(&scene);
}

/* LVTPC masks itself when it delivers; the HAL opens it at the end. */
static void interrupt_is_armed_after_the_handler(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, scene_overflow_0, &scene);
    assert_int_equal(scene.run[0].lvtpc, 0x100FE);
    assert_int_equal(scene_peek(&scene, 0, 0x834), 0xFE);
    scene_release(&scene);
}

static void interrupt_is_ended_after_the_handler(void **state)
{
    struct scene scene;
    const struct lapic *lapic;

    (void)state;
    scene_init(&scene);
    lapic = &booted_cpu(&scene.booted, 0)->lapic;
    booted_run(&scene.booted, 0, scene_overflow_0, &scene);
    assert_int_equal(lapic->in_service.word[3], 0);
    assert_int_equal(lapic->requested.word[3], 0);
    assert_int_equal(lapic->task_priority, 0);
    scene_release(&scene);
}

static void second_overflow_calls_the_handler_again(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, scene_overflow_0, &scene);
    booted_run(&scene.booted, 0, scene_overflow_0, &scene);
    assert_int_equal(scene.runs, 2);
    scene_release(&scene);
}

/* The counter keeps its value, select and enables as the handler left them. */
static void hal_leaves_the_counter_alone(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, scene_overflow_0, &scene);
    assert_int_equal(scene_peek(&scene, 0, 0x0C1), 1000);
    assert_int_equal(scene_peek(&scene, 0, 0x186), 0x51003C);
    assert_int_equal(scene_peek(&scene, 0, 0x38F), 0x1);
    scene_release(&scene);
}

static void handler_runs_on_the_processor_that_overflowed(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 1, scene_overflow_0, &scene);
    assert_int_equal(scene.runs, 1);
    assert_int_equal(scene.run[0].processor, 1);
    scene_release(&scene);
}

static void handlers_of_two_processors_both_run(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene_grant(&scene, 0x1, 0x3, true);
    booted_spawn(&scene.booted, 0, scene_overflow_0, &scene);
    booted_spawn(&scene.booted, 1, scene_overflow_0, &scene);
    assert_int_equal(machine_run(&scene.booted.machine), MACHINE_IDLE);
    assert_int_equal(scene.runs, 2);
    assert_int_equal(scene.run[0].processor + scene.run[1].processor, 1);
    scene_release(&scene);
}

/* LVTPC as the owner of the whole PMU sets it up. */
static struct vector_row {
    const char *name;
    uint64_t lvtpc;
    unsigned want_runs;
    uint64_t want_status, want_lvtpc;
} vector_rows[] = {
    {"vector_of_the_hal_is_served", 0xFE, 1, 0x0, 0xFE},
    {"own_vector_is_none_of_the_hal_s_business", 0x31, 0, 0x1, 0x10031},
};

struct own_vector {
    struct scene *scene;
    uint64_t lvtpc;
};

static void overflow_on_own_vector(void *argument)
{
    const struct own_vector *own = argument;

    msr_write(kernel_cpu(&own->scene->booted.kernel), 0x834, own->lvtpc);
    scene_overflow_0(own->scene);
}

static void vector_row(void **state)
{
    const struct vector_row *row = *state;
    struct scene scene;
    struct own_vector own = {&scene, row->lvtpc};
    const struct lapic *lapic;

    scene_init(&scene);
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, overflow_on_own_vector, &own);
    lapic = &booted_cpu(&scene.booted, 0)->lapic;
    assert_int_equal(scene.runs, row->want_runs);
    assert_int_equal(scene_peek(&scene, 0, 0x38E), row->want_status);
    assert_int_equal(scene_peek(&scene, 0, 0x834), row->want_lvtpc);
    assert_int_equal(lapic->in_service.word[0], 0);
    assert_int_equal(lapic->in_service.word[3], 0);
    scene_release(&scene);
}

/* At boot every processor's interrupt is directed to the HAL. */
static void boot_arms_every_processor(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    assert_int_equal(scene_peek(&scene, 0, 0x834), 0xFE);
    assert_int_equal(scene_peek(&scene, 1, 0x834), 0xFE);
    assert_int_equal(pmi_interrupt.vector(&scene.booted.kernel), 0xFE);
    scene_release(&scene);
}

TEST_FILE(test_pmi)
{
    TEST_ADD_ROWS(list, call_row, call_rows);
    TEST_ADD_ROWS(list, level_row, level_rows);
    TEST_ADD_ROWS(list, vector_row, vector_rows);
    test_add(list, "status_is_clear_before_the_handler_runs",
        status_is_clear_before_the_handler_runs, NULL);
    test_add(list, "interrupt_is_armed_after_the_handler",
        interrupt_is_armed_after_the_handler, NULL);
    test_add(list, "interrupt_is_ended_after_the_handler",
        interrupt_is_ended_after_the_handler, NULL);
    test_add(list, "second_overflow_calls_the_handler_again",
        second_overflow_calls_the_handler_again, NULL);
    test_add(list, "hal_leaves_the_counter_alone", hal_leaves_the_counter_alone,
        NULL);
    test_add(list, "handler_runs_on_the_processor_that_overflowed",
        handler_runs_on_the_processor_that_overflowed, NULL);
    test_add(list, "handlers_of_two_processors_both_run",
        handlers_of_two_processors_both_run, NULL);
    test_add(
        list, "boot_arms_every_processor", boot_arms_every_processor, NULL);
}
