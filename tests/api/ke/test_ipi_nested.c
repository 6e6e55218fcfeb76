/* test_ipi_nested.c - broadcasts among other interrupts: overflow handlers, of
 * which the higher level goes first (facts.md 1.3), and the kernel's vector
 * sent by somebody else. */
#include "api/boot/exports.h"
#include "tests/api/hal/overflow_scene.h"

/* What ran on processor 0, in order: h and H a handler's begin and end, w and W
 * a worker's. */
static char journal[32];

static const void *driver_in_worker, *driver_after_worker;

static void note(char what)
{
    size_t used = strlen(journal);

    if (kernel_cpu(kernel_current())->index == 0 &&
        used < sizeof(journal) - 1) {
        journal[used] = what;
        journal[used + 1] = '\0';
    }
}

/* 20,000 cycles with preemption points. */
static void take_long(struct cpu *cpu)
{
    for (unsigned i = 0; i < 20; i++) {
        cpu_spend(cpu, 1000, 1);
        cpu_checkpoint(cpu);
    }
}

static const struct driver *driver_here(void)
{
    struct kernel *kernel = kernel_current();

    return kernel_driver(kernel, kernel_cpu(kernel));
}

static void long_handler(struct scene *scene, struct cpu *cpu)
{
    (void)scene;
    note('h');
    take_long(cpu);
    driver_after_worker = driver_here();
    note('H');
}

static ULONG_PTR NTAPI short_worker(ULONG_PTR Argument)
{
    note('w');
    if (kernel_cpu(kernel_current())->index == 0) {
        driver_in_worker = driver_here();
    }
    note('W');
    return Argument;
}

/* Processor 0's counter 0 overflows at 1,000 cycles or so; all else is kernel
 * code, which it does not count. */
static ULONG_PTR NTAPI overflowing_worker(ULONG_PTR Argument)
{
    struct scene *scene = scene_current();

    note('w');
    if (kernel_cpu(kernel_current())->index == 0) {
        scene_overflow_0(scene);
        driver_in_worker = driver_here();
    }
    note('W');
    return Argument;
}

static void broadcast_at_8000(void *argument)
{
    struct cpu *cpu = kernel_cpu(kernel_current());

    (void)argument;
    cpu_spend(cpu, 8000, 1);
    cpu_checkpoint(cpu);
    KeIpiGenericCall(short_worker, 0);
}

static void broadcast_overflow(void *argument)
{
    (void)argument;
    KeIpiGenericCall(overflowing_worker, 0);
}

static struct order_row {
    const char *name;
    enum arch arch;
    const char *want;
} handler_rows[] = {
    {"x86_handler_is_interrupted_by_a_broadcast", ARCH_X86, "hwWH"},
    {"x64_handler_holds_a_broadcast_back", ARCH_X64, "hHwW"},
};

/* The one who broadcasts, and the one whose code the handler interrupts. */
static const struct driver other = {.name = "other"};
static const struct driver third = {.name = "third"};

static void handler_row(void **state)
{
    const struct order_row *row = *state;
    struct scene scene;

    journal[0] = '\0';
    scene_init_on(&scene, OS_WIN10_1903, row->arch);
    scene_grant(&scene, 0x1, 0x1, true);
    scene.also = long_handler;
    assert_non_null(strand_spawn(
        booted_cpu(&scene.booted, 0), scene_overflow_0, &scene, &third));
    assert_non_null(strand_spawn(
        booted_cpu(&scene.booted, 1), broadcast_at_8000, NULL, &other));
    assert_int_equal(machine_run(&scene.booted.machine), MACHINE_IDLE);
    assert_string_equal(journal, row->want);
    assert_ptr_equal(driver_in_worker, &other);
    assert_ptr_equal(driver_after_worker, &scene.booted.driver);
    assert_int_equal(scene.run[0].irql, row->arch == ARCH_X86 ? 27 : 15);
    scene_release(&scene);
}

static struct order_row worker_rows[] = {
    {"x64_worker_is_interrupted_by_an_overflow", ARCH_X64, "whHW"},
    {"x86_worker_holds_an_overflow_back", ARCH_X86, "wWhH"},
};

static void worker_row(void **state)
{
    const struct order_row *row = *state;
    struct scene scene;

    journal[0] = '\0';
    scene_init_on(&scene, OS_WIN10_1903, row->arch);
    scene_grant(&scene, 0x1, 0x1, true);
    scene.also = long_handler;
    booted_run(&scene.booted, 1, broadcast_overflow, NULL);
    assert_string_equal(journal, row->want);
    assert_ptr_equal(driver_in_worker, &scene.booted.driver);
    for (uint32_t i = 0; i < 2; i++) {
        struct cpu *cpu = booted_cpu(&scene.booted, i);

        assert_int_equal(irql_current(&scene.booted.kernel, cpu), 0);
        assert_int_equal(lapic_priority(&cpu->lapic), 0);
    }
    scene_release(&scene);
}

/* The worker sends the vector of the broadcast again, from the processor that
 * ends last. */
static ULONG_PTR NTAPI sending_worker(ULONG_PTR Argument)
{
    struct cpu *cpu = kernel_cpu(kernel_current());

    (*(unsigned *)(uintptr_t)Argument)++;
    if (cpu->index == 0) {
        msr_write(cpu, 0x830, 0xC00E1);
        take_long(cpu);
    }
    return 7;
}

struct sending {
    unsigned runs;
    ULONG_PTR returned;
};

static void broadcast_sending(void *argument)
{
    struct sending *sending = argument;

    sending->returned =
        KeIpiGenericCall(sending_worker, (uint64_t)(uintptr_t)&sending->runs);
}

static void vector_sent_again_does_not_run_the_worker_again(void **state)
{
    struct booted_kernel booted;
    struct sending sending = {.runs = 0};

    (void)state;
    booted_init(&booted, OS_WIN11, ARCH_X64, 3, 1);
    booted_run(&booted, 1, broadcast_sending, &sending);
    assert_int_equal(sending.runs, 3);
    assert_int_equal(sending.returned, 7);
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

/* Driver code that is interrupted inside of its __try. */
static void run_and_fault(void *argument)
{
    (void)argument;
    scene_run_cycles(kernel_cpu(kernel_current()), 20000);
    KeQueryActiveProcessorCount((PKAFFINITY)0x10);
}

static void try_to_run(void *argument)
{
    struct exception_record record;

    *(bool *)argument = booted_catch(run_and_fault, NULL, &record);
}

static void interrupted_code_catches_its_own_exceptions(void **state)
{
    struct scene scene;
    bool caught = false;

    (void)state;
    journal[0] = '\0';
    scene_init(&scene);
    booted_spawn(&scene.booted, 0, try_to_run, &caught);
    booted_spawn(&scene.booted, 1, broadcast_at_8000, NULL);
    assert_int_equal(machine_run(&scene.booted.machine), MACHINE_IDLE);
    assert_string_equal(journal, "wW");
    assert_true(caught);
    scene_release(&scene);
}

TEST_FILE(test_ipi_nested)
{
    TEST_ADD_ROWS(list, handler_row, handler_rows);
    TEST_ADD_ROWS(list, worker_row, worker_rows);
    test_add(list, "vector_sent_again_does_not_run_the_worker_again",
        vector_sent_again_does_not_run_the_worker_again, NULL);
    test_add(list, "interrupted_code_catches_its_own_exceptions",
        interrupted_code_catches_its_own_exceptions, NULL);
}
