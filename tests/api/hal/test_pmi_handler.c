/* test_pmi_handler.c - what a handler may do to the interrupt that called it:
 * overflow again, take long, raise levels and exceptions (facts.md 2.4). */
#include "api/boot/exports.h"
#include "api/hal/arbiter.h"
#include "api/hal/register_access.h"
#include "tests/api/hal/overflow_scene.h"

/* Counter 0 wraps in the handler's own instructions: it counts ring 0, too. */
static void overflow_at_once(struct scene *scene, struct cpu *cpu)
{
    (void)scene;
    msr_write(cpu, 0x0C1, 0xFFFFFFFF);
    msr_write(cpu, 0x186, 0x53003C);
    cpu_spend(cpu, 1, 1);
    msr_write(cpu, 0x186, 0x51003C);
}

static void overflow_once_more(struct scene *scene, struct cpu *cpu)
{
    if (scene->runs == 1) {
        overflow_at_once(scene, cpu);
    }
}

static void overflow_in_the_handler_is_served_at_once(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene.also = overflow_once_more;
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, scene_overflow_0, &scene);
    assert_int_equal(scene.runs, 2);
    assert_int_equal(scene.run[1].bits, 0x1);
    assert_int_equal(scene.run[1].status, 0);
    assert_int_equal(scene_peek(&scene, 0, 0x38E), 0);
    assert_int_equal(scene_peek(&scene, 0, 0x834), 0xFE);
    scene_release(&scene);
}

/* The 100th time is the last; then the interrupt ends all the same. */
static void handler_that_always_overflows_is_not_called_for_ever(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene.also = overflow_at_once;
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, scene_overflow_0, &scene);
    assert_int_equal(scene.runs, 100);
    assert_int_equal(scene_peek(&scene, 0, 0x38E), 0x1);
    assert_int_equal(scene_peek(&scene, 0, 0x834), 0xFE);
    assert_int_equal(
        irql_current(&scene.booted.kernel, booted_cpu(&scene.booted, 0)), 0);
    scene_release(&scene);
}

/* 25 us at 2,500 cycles a microsecond. */
static void spend_62500(struct scene *scene, struct cpu *cpu)
{
    (void)scene;
    cpu_spend(cpu, 62500, 1);
}

static void spend_62501(struct scene *scene, struct cpu *cpu)
{
    (void)scene;
    cpu_spend(cpu, 62501, 1);
}

static struct budget_row {
    const char *name;
    void (*also)(struct scene *scene, struct cpu *cpu);
    unsigned want;
} budget_rows[] = {
    {"handler_of_25_microseconds_is_in_time", spend_62500, 0},
    {"handler_of_a_cycle_more_is_reported", spend_62501, 1},
};

static void budget_row(void **state)
{
    const struct budget_row *row = *state;
    struct scene scene;
    const struct rule_log *log = &scene.booted.kernel.rules;

    scene_init(&scene);
    scene.also = row->also;
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 1, scene_overflow_0, &scene);
    assert_int_equal(log->count, row->want);
    if (row->want > 0) {
        assert_string_equal(
            rule_rows[log->event[0].rule].id, "hal.handler.budget");
        assert_int_equal(log->event[0].routine, ROUTINE_COUNT);
        assert_int_equal(log->event[0].processor, 1);
        assert_int_equal(log->event[0].irql, 15);
    }
    scene_release(&scene);
}

static void handler_runs_on_behalf_of_its_set_s_driver(void **state)
{
    struct driver other = {.name = "other"};
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene_grant(&scene, 0x1, 0x3, true)->owner = &other;
    booted_run(&scene.booted, 0, scene_overflow_0, &scene);
    assert_ptr_equal(scene.run[0].driver, &other);
    scene_release(&scene);
}

/* Driver code: whose it is after an overflow. */
struct identity {
    struct scene *scene;
    const void *after;
};

static void look_after_the_overflow(void *argument)
{
    struct identity *identity = argument;
    struct kernel *kernel = kernel_current();

    scene_overflow_0(identity->scene);
    identity->after = kernel_driver(kernel, kernel_cpu(kernel));
}

static void interrupted_code_is_its_own_driver_s_again(void **state)
{
    struct driver other = {.name = "other"};
    struct scene scene;
    struct identity identity = {.scene = &scene};

    (void)state;
    scene_init(&scene);
    scene_grant(&scene, 0x1, 0x3, true)->owner = &other;
    booted_run(&scene.booted, 0, look_after_the_overflow, &identity);
    assert_ptr_equal(identity.after, &scene.booted.driver);
    scene_release(&scene);
}

static void program_counter_1(struct scene *scene, struct cpu *cpu)
{
    register_write(&scene->booted.kernel, cpu, 0x187, 0x510000);
}

/* The set belongs to another driver than the code that is interrupted. */
static struct program_row {
    const char *name;
    uint64_t counters;
    unsigned want;
} program_rows[] = {
    {"handler_may_program_what_its_driver_holds", 0x3, 0},
    {"handler_that_programs_what_it_lacks_is_reported", 0x1, 1},
};

static void program_row(void **state)
{
    const struct program_row *row = *state;
    struct driver other = {.name = "other"};
    struct scene scene;

    scene_init(&scene);
    scene.also = program_counter_1;
    scene_grant(&scene, row->counters, 0x3, true)->owner = &other;
    booted_run(&scene.booted, 0, scene_overflow_0, &scene);
    assert_int_equal(
        booted_broken(&scene.booted, RULE_HAL_COUNTER_UNHELD), row->want);
    scene_release(&scene);
}

/* Driver code: what a routine may only do below PROFILE_LEVEL. */
static void call_set(struct scene *scene, struct cpu *cpu)
{
    (void)scene;
    (void)cpu;
    KeSetHardwareCounterConfiguration(NULL, 0);
}

static void call_free(struct scene *scene, struct cpu *cpu)
{
    (void)scene;
    (void)cpu;
    HalFreeHardwareCounters(NULL);
}

static void lower_to_passive(struct scene *scene, struct cpu *cpu)
{
    (void)scene;
    (void)cpu;
    KeLowerIrql(0);
}

static void read_missing_register(struct scene *scene, struct cpu *cpu)
{
    register_read(&scene->booted.kernel, cpu, 0x0C9);
}

/* The interrupted code has raised to DISPATCH_LEVEL, and would catch. */
static struct stop_row {
    const char *name;
    void (*also)(struct scene *scene, struct cpu *cpu);
    uint32_t want_code;
    const char *want_rule;
} stop_rows[] = {
    {"handler_that_calls_an_apc_level_routine_stops", call_set, 0x0A,
        "irql.contract"},
    {"handler_that_calls_a_passive_level_routine_stops", call_free, 0x0A,
        "irql.contract"},
    {"handler_that_lowers_what_others_raised_stops", lower_to_passive, 0xC8,
        "irql.lower_mismatch"},
    {"exception_in_a_handler_is_not_the_interrupted_code_s",
        read_missing_register, 0x1E, "msr.fault"},
};

static void overflow_in_a_frame(void *argument)
{
    struct exception_record record;

    KfRaiseIrql(2);
    booted_catch(scene_overflow_0, argument, &record);
}

static void stop_row(void **state)
{
    const struct stop_row *row = *state;
    struct scene scene;
    const struct rule_log *log = &scene.booted.kernel.rules;

    scene_init(&scene);
    scene.also = row->also;
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run_to_stop(&scene.booted, 0, overflow_in_a_frame, &scene);
    assert_int_equal(scene.runs, 1);
    assert_int_equal(scene.booted.kernel.bugcheck.code, row->want_code);
    assert_int_equal(log->count, 1);
    assert_string_equal(rule_rows[log->event[0].rule].id, row->want_rule);
    assert_int_equal(log->event[0].irql, 15);
    scene_release(&scene);
}

static void read_for_nothing(void *argument)
{
    struct scene *scene = argument;

    read_missing_register(scene, kernel_cpu(&scene->booted.kernel));
}

static void catch_missing_register(struct scene *scene, struct cpu *cpu)
{
    struct exception_record record;

    (void)cpu;
    booted_catch(read_for_nothing, scene, &record);
}

static void raise_and_forget(struct scene *scene, struct cpu *cpu)
{
    (void)scene;
    (void)cpu;
    KfRaiseIrql(15);
}

/* Nothing of what these do is left when the interrupt ends. */
static struct clean_row {
    const char *name;
    void (*also)(struct scene *scene, struct cpu *cpu);
} clean_rows[] = {
    {"handler_may_catch_its_own_exception", catch_missing_register},
    {"level_that_a_handler_forgot_ends_with_the_interrupt", raise_and_forget},
};

static void raise_overflow_and_lower(void *argument)
{
    struct exception_record record;
    KIRQL old = KfRaiseIrql(2);

    booted_catch(scene_overflow_0, argument, &record);
    KeLowerIrql(old);
}

static void clean_row(void **state)
{
    const struct clean_row *row = *state;
    struct scene scene;

    scene_init(&scene);
    scene.also = row->also;
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, raise_overflow_and_lower, &scene);
    assert_int_equal(scene.runs, 1);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    assert_int_equal(
        irql_current(&scene.booted.kernel, booted_cpu(&scene.booted, 0)), 0);
    scene_release(&scene);
}

/* Driver code that ends before the interrupt of its last overflow arrives. */
static void end_before_the_interrupt(void *argument)
{
    struct scene *scene = argument;
    struct cpu *cpu = kernel_cpu(&scene->booted.kernel);

    msr_write(cpu, 0x0C1, 0xFFFFFC18);
    msr_write(cpu, 0x186, 0x51003C);
    scene_run_cycles(cpu, 1000);
}

static void handler_runs_on_an_idle_processor(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene);
    scene_grant(&scene, 0x1, 0x3, true);
    booted_run(&scene.booted, 0, end_before_the_interrupt, &scene);
    assert_int_equal(scene.runs, 1);
    assert_int_equal(scene.run[0].irql, 15);
    scene_release(&scene);
}

TEST_FILE(test_pmi_handler)
{
    TEST_ADD_ROWS(list, budget_row, budget_rows);
    TEST_ADD_ROWS(list, program_row, program_rows);
    TEST_ADD_ROWS(list, stop_row, stop_rows);
    TEST_ADD_ROWS(list, clean_row, clean_rows);
    test_add(list, "overflow_in_the_handler_is_served_at_once",
        overflow_in_the_handler_is_served_at_once, NULL);
    test_add(list, "handler_that_always_overflows_is_not_called_for_ever",
        handler_that_always_overflows_is_not_called_for_ever, NULL);
    test_add(list, "handler_runs_on_behalf_of_its_set_s_driver",
        handler_runs_on_behalf_of_its_set_s_driver, NULL);
    test_add(list, "interrupted_code_is_its_own_driver_s_again",
        interrupted_code_is_its_own_driver_s_again, NULL);
    test_add(list, "handler_runs_on_an_idle_processor",
        handler_runs_on_an_idle_processor, NULL);
}
