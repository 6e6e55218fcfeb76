/* test_ipi.c - KeIpiGenericCall: every processor runs the worker at the same
 * time, at IPI_LEVEL, and the caller gets its own worker's value (facts.md
 * 7.6). */
#include "api/boot/exports.h"
#include "api/ke/ipi.h"
#include "sim/machine/msr.h"
#include "tests/api/booted_kernel.h"

enum { PROCESSORS = 4, RUNS = 64 };

/* A run of the worker, as it found things. */
struct worker_run {
    uint32_t processor;
    KIRQL irql;
    uint64_t context, began, ended;
    const void *driver;
};

struct ipi_scene {
    struct booted_kernel booted;
    struct worker_run run[RUNS];
    unsigned runs;
    ULONG_PTR returned[2];
    uint64_t called_at, returned_at, target_ended;
    KIRQL level; /* of the caller */
};

static struct ipi_scene *scene_of_kernel(void)
{
    char *kernel = (char *)kernel_current();

    return (struct ipi_scene *)(void *)(kernel - offsetof(struct ipi_scene,
                                                     booted.kernel));
}

/* 700 cycles, 5,000 on processor 0; returns 1,000 plus the processor's index.
 */
static ULONG_PTR NTAPI worker(ULONG_PTR Argument)
{
    struct ipi_scene *scene = scene_of_kernel();
    struct kernel *kernel = &scene->booted.kernel;
    struct cpu *cpu = kernel_cpu(kernel);
    struct worker_run *run = &scene->run[scene->runs++ % RUNS];

    *run = (struct worker_run){
        .processor = cpu->index,
        .irql = irql_current(kernel, cpu),
        .context = Argument,
        .began = cpu->time,
        .driver = kernel_driver(kernel, cpu),
    };
    cpu_spend(cpu, cpu->index == 0 ? 5000 : 700, 1);
    cpu_checkpoint(cpu);
    run->ended = cpu->time;
    return 1000 + cpu->index;
}

static void call(void *argument)
{
    struct ipi_scene *scene = argument;
    struct cpu *cpu = kernel_cpu(kernel_current());

    scene->called_at = cpu->time;
    scene->returned[0] = KeIpiGenericCall(worker, 0x1234);
    scene->returned_at = cpu->time;
}

static void call_at_level(void *argument)
{
    struct ipi_scene *scene = argument;

    KfRaiseIrql(scene->level);
    call(scene);
}

static void call_second(void *argument)
{
    struct ipi_scene *scene = argument;

    scene->returned[1] = KeIpiGenericCall(worker, 0x5678);
}

static void ipi_scene_init(
    struct ipi_scene *scene, enum arch arch, uint32_t processors)
{
    memset(&scene->run, 0, sizeof(scene->run));
    scene->runs = 0;
    scene->returned[0] = scene->returned[1] = 0;
    scene->level = 0;
    booted_init(&scene->booted, OS_WIN10_1903, arch, processors, 1);
}

static uint8_t level_of(struct ipi_scene *scene, uint32_t processor)
{
    return irql_current(
        &scene->booted.kernel, booted_cpu(&scene->booted, processor));
}

/* The caller's architecture, level and machine. */
static struct call_row {
    const char *name;
    enum arch arch;
    uint32_t processors;
    KIRQL level;
    KIRQL want_worker_irql;
} call_rows[] = {
    {"x64_at_passive_level", ARCH_X64, PROCESSORS, 0, 14},
    {"x64_just_below_ipi_level", ARCH_X64, PROCESSORS, 13, 14},
    {"x86_at_passive_level", ARCH_X86, PROCESSORS, 0, 29},
    {"x86_in_between_profile_and_ipi_level", ARCH_X86, PROCESSORS, 28, 29},
    {"arm64_at_passive_level", ARCH_ARM64, PROCESSORS, 0, 14},
    {"on_the_most_processors_of_a_group", ARCH_X64, 64, 0, 14},
    {"on_one_processor", ARCH_X64, 1, 0, 14},
};

static void call_row(void **state)
{
    const struct call_row *row = *state;
    struct ipi_scene scene;
    uint32_t caller = row->processors - 1;
    uint64_t seen = 0;

    ipi_scene_init(&scene, row->arch, row->processors);
    scene.level = row->level;
    booted_run(&scene.booted, caller, call_at_level, &scene);
    assert_int_equal(scene.returned[0], 1000 + caller);
    assert_int_equal(scene.runs, row->processors);
    for (unsigned i = 0; i < scene.runs; i++) {
        assert_int_equal(scene.run[i].irql, row->want_worker_irql);
        assert_int_equal(scene.run[i].context, 0x1234);
        assert_ptr_equal(scene.run[i].driver, &scene.booted.driver);
        /* Nobody begins before the last one has arrived. */
        assert_int_equal(scene.run[i].began, scene.run[0].began);
        assert_true(scene.run[i].ended <= scene.returned_at);
        seen |= UINT64_C(1) << scene.run[i].processor;
    }
    assert_int_equal(seen, UINT64_MAX >> (64 - row->processors));
    for (uint32_t i = 0; i < row->processors; i++) {
        assert_int_equal(level_of(&scene, i), i == caller ? row->level : 0);
    }
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    booted_release(&scene.booted);
}

static void largest_machine_answers(void **state)
{
    struct ipi_scene scene;

    (void)state;
    memset(&scene, 0, sizeof(scene));
    booted_init(&scene.booted, OS_WIN11, ARCH_X64, 2048, 32);
    booted_run(&scene.booted, 0, call, &scene);
    assert_int_equal(scene.returned[0], 1000);
    assert_int_equal(scene.runs, 2048);
    booted_release(&scene.booted);
}

static ULONG_PTR NTAPI count_only(ULONG_PTR Argument)
{
    scene_of_kernel()->runs++;
    return Argument;
}

static void call_count_only(void *argument)
{
    struct ipi_scene *scene = argument;

    scene->returned[0] = KeIpiGenericCall(count_only, 7);
}

/* One is the caller's, one for one after another of all others: to the barrier,
 * through the worker, and behind the end of the interrupt. The last one that
 * comes keeps a third: those that it lets go on go first. */
static void who_waits_at_the_barrier_needs_no_stack(void **state)
{
    struct ipi_scene scene;

    (void)state;
    ipi_scene_init(&scene, ARCH_X64, 64);
    booted_run(&scene.booted, 0, call_count_only, &scene);
    assert_int_equal(scene.returned[0], 7);
    assert_int_equal(scene.runs, 64);
    assert_int_equal(scene.booted.machine.stacks.made, 3);
    booted_release(&scene.booted);
}

static struct stop_row {
    const char *name;
    enum arch arch;
    KIRQL level;
} stop_rows[] = {
    {"x64_call_at_ipi_level_stops", ARCH_X64, 14},
    {"x64_call_at_profile_level_stops", ARCH_X64, 15},
    {"x86_call_at_ipi_level_stops", ARCH_X86, 29},
};

static void stop_row(void **state)
{
    const struct stop_row *row = *state;
    struct ipi_scene scene;

    ipi_scene_init(&scene, row->arch, PROCESSORS);
    scene.level = row->level;
    booted_run_to_stop(&scene.booted, 0, call_at_level, &scene);
    assert_int_equal(booted_broken(&scene.booted, RULE_IRQL_CONTRACT), 1);
    assert_int_equal(scene.booted.kernel.bugcheck.code, 0x0A);
    assert_int_equal(scene.runs, 0);
    booted_release(&scene.booted);
}

static void run_a_million(void *argument)
{
    struct ipi_scene *scene = argument;
    struct cpu *cpu = booted_cpu(&scene->booted, 0);
    struct segment segment;

    segment_init(
        &segment, cpu->pmu.model, cpu_unhalted(cpu), 1000000, RING_USER);
    cpu_run_segment(cpu, &segment);
    scene->target_ended = cpu->time;
}

static void busy_processor_is_interrupted(void **state)
{
    struct ipi_scene scene;

    (void)state;
    ipi_scene_init(&scene, ARCH_X64, PROCESSORS);
    booted_spawn(&scene.booted, 0, run_a_million, &scene);
    booted_spawn(&scene.booted, 2, call, &scene);
    assert_int_equal(machine_run(&scene.booted.machine), MACHINE_IDLE);
    assert_int_equal(scene.runs, PROCESSORS);
    assert_in_range(scene.returned_at, 1, 10000);
    assert_in_range(scene.target_ended, 1000000, 1010000);
    booted_release(&scene.booted);
}

static void two_broadcasts_take_turns(void **state)
{
    struct ipi_scene scene;

    (void)state;
    ipi_scene_init(&scene, ARCH_X64, PROCESSORS);
    booted_spawn(&scene.booted, 1, call, &scene);
    booted_spawn(&scene.booted, 3, call_second, &scene);
    assert_int_equal(machine_run(&scene.booted.machine), MACHINE_IDLE);
    assert_int_equal(scene.returned[0], 1001);
    assert_int_equal(scene.returned[1], 1003);
    assert_int_equal(scene.runs, 2 * PROCESSORS);
    for (unsigned i = 0; i < PROCESSORS; i++) {
        assert_int_equal(scene.run[i].context, 0x1234);
        assert_int_equal(scene.run[PROCESSORS + i].context, 0x5678);
        for (unsigned k = 0; k < PROCESSORS; k++) {
            assert_true(scene.run[i].ended <= scene.run[PROCESSORS + k].began);
        }
    }
    booted_release(&scene.booted);
}

static void raise_to_high(void *argument)
{
    (void)argument;
    KfRaiseIrql(15);
}

static void processor_at_high_level_holds_everybody_up(void **state)
{
    struct ipi_scene scene;

    (void)state;
    ipi_scene_init(&scene, ARCH_X64, PROCESSORS);
    booted_run(&scene.booted, 1, raise_to_high, NULL);
    booted_spawn(&scene.booted, 0, call, &scene);
    assert_int_equal(machine_run(&scene.booted.machine), MACHINE_DEADLOCK);
    assert_int_equal(scene.runs, 0);
    booted_release(&scene.booted);
}

static void raise_and_lower_late(void *argument)
{
    struct ipi_scene *scene = argument;
    struct cpu *cpu = booted_cpu(&scene->booted, 1);

    KfRaiseIrql(15);
    cpu_spend(cpu, 20000, 1);
    cpu_checkpoint(cpu);
    KeLowerIrql(0);
}

static void processor_that_lowers_its_level_lets_all_go_on(void **state)
{
    struct ipi_scene scene;

    (void)state;
    ipi_scene_init(&scene, ARCH_X64, PROCESSORS);
    booted_spawn(&scene.booted, 1, raise_and_lower_late, &scene);
    booted_spawn(&scene.booted, 0, call, &scene);
    assert_int_equal(machine_run(&scene.booted.machine), MACHINE_IDLE);
    assert_int_equal(scene.runs, PROCESSORS);
    assert_in_range(scene.run[0].began, 20000, 22000);
    booted_release(&scene.booted);
}

static code_function *no_code(uint64_t address)
{
    (void)address;
    return NULL;
}

static void worker_that_is_no_code_stops(void **state)
{
    struct ipi_scene scene;

    (void)state;
    ipi_scene_init(&scene, ARCH_X64, PROCESSORS);
    scene.booted.kernel.code_at = no_code;
    booted_run_to_stop(&scene.booted, 0, call, &scene);
    assert_int_equal(booted_broken(&scene.booted, RULE_CODE_NOT_CODE), 1);
    assert_int_equal(scene.booted.kernel.bugcheck.code, 0xD1);
    booted_release(&scene.booted);
}

static ULONG_PTR NTAPI faulting_worker(ULONG_PTR Argument)
{
    return KeQueryActiveProcessorCount((PKAFFINITY)(uintptr_t)Argument);
}

static void call_faulting_worker(void *argument)
{
    (void)argument;
    KeIpiGenericCall(faulting_worker, 0x10);
}

static void call_in_a_try(void *argument)
{
    booted_catch(call_faulting_worker, NULL, argument);
}

static void workers_exception_is_not_for_the_caller_to_catch(void **state)
{
    struct ipi_scene scene;
    struct exception_record record;

    (void)state;
    ipi_scene_init(&scene, ARCH_X64, 1);
    booted_run_to_stop(&scene.booted, 0, call_in_a_try, &record);
    assert_int_equal(booted_broken(&scene.booted, RULE_POINTER_FAULT), 1);
    booted_release(&scene.booted);
}

static void allocate_in_worker(void *argument)
{
    (void)argument;
    KeIpiGenericCall(
        (PKIPI_BROADCAST_WORKER)(uintptr_t)HalFreeHardwareCounters, 0);
}

static void worker_is_bound_by_the_contracts_of_ipi_level(void **state)
{
    struct ipi_scene scene;

    (void)state;
    ipi_scene_init(&scene, ARCH_X64, 2);
    booted_run_to_stop(&scene.booted, 0, allocate_in_worker, NULL);
    assert_int_equal(booted_broken(&scene.booted, RULE_IRQL_CONTRACT), 1);
    assert_int_equal(scene.booted.kernel.rules.event[0].irql, 14);
    booted_release(&scene.booted);
}

/* A driver writes the ICR itself, with the kernel's vector. */
static void send_by_hand(void *argument)
{
    struct ipi_scene *scene = argument;

    msr_write(booted_cpu(&scene->booted, 0), 0x830, 0xC00E1);
}

static void vector_without_a_broadcast_does_nothing(void **state)
{
    struct ipi_scene scene;

    (void)state;
    ipi_scene_init(&scene, ARCH_X64, PROCESSORS);
    assert_int_equal(ipi_interrupt.vector(&scene.booted.kernel), 0xE1);
    booted_run(&scene.booted, 0, send_by_hand, &scene);
    assert_int_equal(scene.runs, 0);
    booted_run(&scene.booted, 0, call, &scene);
    assert_int_equal(scene.runs, PROCESSORS);
    assert_int_equal(scene.booted.kernel.rules.count, 0);
    booted_release(&scene.booted);
}

TEST_FILE(test_ipi)
{
    TEST_ADD_ROWS(list, call_row, call_rows);
    test_add(list, "who_waits_at_the_barrier_needs_no_stack",
        who_waits_at_the_barrier_needs_no_stack, NULL);
    test_add(list, "largest_machine_answers", largest_machine_answers, NULL);
    TEST_ADD_ROWS(list, stop_row, stop_rows);
    test_add(list, "busy_processor_is_interrupted",
        busy_processor_is_interrupted, NULL);
    test_add(
        list, "two_broadcasts_take_turns", two_broadcasts_take_turns, NULL);
    test_add(list, "processor_at_high_level_holds_everybody_up",
        processor_at_high_level_holds_everybody_up, NULL);
    test_add(list, "processor_that_lowers_its_level_lets_all_go_on",
        processor_that_lowers_its_level_lets_all_go_on, NULL);
    test_add(list, "worker_that_is_no_code_stops", worker_that_is_no_code_stops,
        NULL);
    test_add(list, "workers_exception_is_not_for_the_caller_to_catch",
        workers_exception_is_not_for_the_caller_to_catch, NULL);
    test_add(list, "worker_is_bound_by_the_contracts_of_ipi_level",
        worker_is_bound_by_the_contracts_of_ipi_level, NULL);
    test_add(list, "vector_without_a_broadcast_does_nothing",
        vector_without_a_broadcast_does_nothing, NULL);
}
