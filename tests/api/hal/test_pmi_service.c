/* test_pmi_service.c - overflows that come or change while the HAL services an
 * interrupt, handlers that are no code, and interrupts in the middle of another
 * (facts.md 2.4). */
#include "api/boot/exports.h"
#include "api/hal/arbiter.h"
#include "tests/api/hal/overflow_scene.h"

/* Where the scene's handler lies, and what a driver gave as its address. */
static uint64_t asked;

static code_function *refuse_code(uint64_t address)
{
    asked = address;
    return NULL;
}

static code_function *give_code(uint64_t address)
{
    asked = address;
    return (code_function *)(uintptr_t)scene_handler;
}

static void handler_that_is_no_code_stops_the_machine(void **state)
{
    struct scene scene;
    const struct rule_log *log = &scene.booted.kernel.rules;

    (void)state;
    scene_init(&scene);
    scene.booted.kernel.code_at = refuse_code;
    scene_grant(&scene, 0x1, 0x3, true)->claim.handler =
        (PPHYSICAL_COUNTER_OVERFLOW_HANDLER)(uintptr_t)0x1234;
    booted_run_to_stop(&scene.booted, 0, scene_overflow_0, &scene);
    assert_int_equal(asked, 0x1234);
    assert_int_equal(scene.runs, 0);
    assert_int_equal(scene.booted.kernel.bugcheck.code, 0xD1);
    assert_int_equal(log->count, 1);
    assert_string_equal(
        rule_rows[log->event[0].rule].id, "hal.handler.not_code");
    assert_int_equal(log->event[0].irql, 15);
    scene_release(&scene);
}

static void handler_is_the_code_behind_its_address(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene.booted.kernel.code_at = give_code;
    scene_grant(&scene, 0x1, 0x3, true)->claim.handler =
        (PPHYSICAL_COUNTER_OVERFLOW_HANDLER)(uintptr_t)0x1234;
    booted_run(&scene.booted, 0, scene_overflow_0, &scene);
    assert_int_equal(asked, 0x1234);
    assert_int_equal(scene.runs, 1);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    scene_release(&scene);
}

/* The first run of the handler ends its interrupt, opens LVTPC, lowers the task
 * priority and lets counter 0 wrap: the interrupt comes on top of itself. */
static void reenter(struct scene *scene, struct cpu *cpu)
{
    if (scene->runs != 1) {
        return;
    }
    msr_write(cpu, 0x80B, 0);
    msr_write(cpu, 0x834, 0xFE);
    msr_write(cpu, 0x808, 0);
    msr_write(cpu, 0x0C1, 0xFFFFFFFF);
    msr_write(cpu, 0x186, 0x53003C);
    cpu_spend(cpu, 1000, 1);
    msr_write(cpu, 0x186, 0x51003C);
}

static void nested_interrupt_is_ended_and_reported(void **state)
{
    struct scene scene;
    const struct rule_log *log = &scene.booted.kernel.rules;
    const struct cpu *cpu;

    (void)state;
    scene_init(&scene);
    scene.also = reenter;
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, scene_overflow_0, &scene);
    cpu = booted_cpu(&scene.booted, 0);
    assert_int_equal(log->count, 1);
    assert_string_equal(
        rule_rows[log->event[0].rule].id, "hal.handler.reentered");
    assert_int_equal(log->event[0].processor, 0);
    assert_int_equal(scene.runs, 2); /* the one under way serves it */
    assert_int_equal(scene.run[1].bits, 0x1);
    assert_int_equal(cpu->lapic.in_service.word[3], 0);
    assert_int_equal(cpu->lapic.requested.word[3], 0);
    assert_int_equal(scene_peek(&scene, 0, 0x38E), 0);
    assert_int_equal(scene_peek(&scene, 0, 0x834), 0xFE);
    assert_int_equal(irql_current(&scene.booted.kernel, cpu), 0);
    assert_false(cpu->interrupts_off);
    scene_release(&scene);
}

/* Counter 0 wraps so many cycles of ring 0 after the handler's last access. The
 * HAL reads the status 100 cycles after that and arms 100 later; a request
 * arrives 40 cycles after its overflow. */
struct gap {
    struct scene scene; /* the first, so that the handler finds the rest */
    uint64_t cycles;
};

static void wrap_in_the_gap(struct scene *scene, struct cpu *cpu)
{
    const struct gap *gap = (const struct gap *)(const void *)scene;

    if (scene->runs == 1) {
        msr_write(cpu, 0x0C1, 0x100000000 - gap->cycles);
        msr_write(cpu, 0x186, 0x52003C);
    } else {
        msr_write(cpu, 0x186, 0);
    }
}

static struct gap_row {
    const char *name;
    uint64_t cycles;
} gap_rows[] = {
    {"overflow_before_the_last_look_is_served", 99},
    {"overflow_at_the_last_look_is_served", 100},
    {"overflow_behind_the_last_look_is_served", 101},
    {"overflow_whose_request_comes_before_arming_is_served", 159},
    {"overflow_whose_request_comes_with_arming_is_served", 160},
    {"overflow_whose_request_comes_after_arming_is_served", 161},
    {"overflow_with_arming_is_served", 200},
    {"overflow_after_arming_is_served", 201},
    {"overflow_after_the_look_that_follows_arming_is_served", 301},
    {"overflow_with_the_end_of_the_interrupt_is_served", 400},
};

static void gap_row(void **state)
{
    const struct gap_row *row = *state;
    struct gap gap = {.cycles = row->cycles};
    struct scene *scene = &gap.scene;

    scene_init(scene);
    scene->also = wrap_in_the_gap;
    scene_grant(scene, 0x1, 0x3, true);
    booted_run(&scene->booted, 0, scene_overflow_0, scene);
    assert_int_equal(scene->runs, 2);
    assert_int_equal(scene->run[1].bits, 0x1);
    assert_int_equal(scene_peek(scene, 0, 0x38E), 0);
    assert_int_equal(scene_peek(scene, 0, 0x834), 0xFE);
    assert_int_equal(scene->booted.kernel.rules.count, 0);
    scene_release(scene);
}

/* Counters that overflow while the interrupt has to wait, and a register that
 * is written before it comes. */
static struct late_row {
    const char *name;
    uint64_t counter;
    uint32_t address;
    uint64_t value;
    unsigned want_runs;
    uint64_t want_status;
} late_rows[] = {
    {"counter_that_runs_on_is_served", 0x1, 0x186, 0x51003C, 1, 0x0},
    {"counter_that_was_cleared_is_served", 0x1, 0x186, 0x0, 1, 0x0},
    {"counter_that_was_disabled_is_served", 0x1, 0x186, 0x11003C, 1, 0x0},
    {"counter_that_was_disabled_without_int_is_served", 0x1, 0x186, 0x01003C, 1,
        0x0},
    {"counter_that_was_disabled_everywhere_is_served", 0x1, 0x38F, 0x0, 1, 0x0},
    {"running_counter_without_int_is_left", 0x1, 0x186, 0x41003C, 0, 0x1},
    {"fixed_counter_that_was_cleared_is_served", 0x200000000, 0x38D, 0x0, 1,
        0x0},
    {"fixed_counter_for_no_ring_is_served", 0x200000000, 0x38D, 0x80, 1, 0x0},
    {"running_fixed_counter_without_pmi_is_left", 0x200000000, 0x38D, 0x20, 0,
        0x200000000},
};

struct late {
    struct scene *scene;
    const struct late_row *row;
};

static void overflow_and_write(void *argument)
{
    const struct late *late = argument;
    struct cpu *cpu = kernel_cpu(&late->scene->booted.kernel);
    KIRQL old = KfRaiseIrql(15);

    scene_overflow(cpu, late->row->counter, late->row->counter);
    msr_write(cpu, late->row->address, late->row->value);
    KeLowerIrql(old);
}

static void late_row(void **state)
{
    const struct late_row *row = *state;
    struct scene scene;
    struct late late = {&scene, row};

    scene_init(&scene);
    scene_grant(&scene, row->counter, 0x3, true);
    booted_run(&scene.booted, 0, overflow_and_write, &late);
    assert_int_equal(scene.runs, row->want_runs);
    assert_int_equal(scene_peek(&scene, 0, 0x38E), row->want_status);
    assert_int_equal(scene_peek(&scene, 0, 0x834), 0xFE);
    scene_release(&scene);
}

/* Counter 1, which wrapped too, gets an owner while the handler of counter 0
 * runs. */
static void grant_counter_1(struct scene *scene, struct cpu *cpu)
{
    struct kernel *kernel = &scene->booted.kernel;
    const struct counter_claim claim = {
        .counters = 0x2, .affinity = {0x3}, .handler = scene_handler};

    (void)cpu;
    if (scene->runs == 1) {
        arbiter_grant(kernel->arbiter, &kernel->machine->arena, &claim,
            &scene->booted.driver);
    }
}

static void overflow_0_and_1(void *argument)
{
    struct scene *scene = argument;

    scene_overflow(kernel_cpu(&scene->booted.kernel), 0x3, 0x3);
}

static void set_of_a_later_time_has_nothing_to_do_with_it(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene.also = grant_counter_1;
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, overflow_0_and_1, &scene);
    assert_int_equal(scene.runs, 1);
    assert_int_equal(scene.run[0].bits, 0x1);
    assert_int_equal(scene.booted.kernel.arbiter->granted, 2);
    assert_int_equal(scene_peek(&scene, 0, 0x38E), 0);

    booted_run(&scene.booted, 0, overflow_0_and_1, &scene); /* the next time */
    assert_int_equal(scene.runs, 3);
    assert_int_equal(scene.run[2].bits, 0x2);
    scene_release(&scene);
}

TEST_FILE(test_pmi_service)
{
    TEST_ADD_ROWS(list, gap_row, gap_rows);
    TEST_ADD_ROWS(list, late_row, late_rows);
    test_add(list, "handler_that_is_no_code_stops_the_machine",
        handler_that_is_no_code_stops_the_machine, NULL);
    test_add(list, "handler_is_the_code_behind_its_address",
        handler_is_the_code_behind_its_address, NULL);
    test_add(list, "nested_interrupt_is_ended_and_reported",
        nested_interrupt_is_ended_and_reported, NULL);
    test_add(list, "set_of_a_later_time_has_nothing_to_do_with_it",
        set_of_a_later_time_has_nothing_to_do_with_it, NULL);
}
