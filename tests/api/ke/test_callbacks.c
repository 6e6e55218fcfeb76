/* test_callbacks.c - callbacks that drivers register, where memory is short:
 * what no scenario can show. */
#include "api/boot/exports.h"
#include "api/boot/processor_start.h"
#include "tests/api/booted_kernel.h"

static unsigned calls;

static BOOLEAN NTAPI on_nmi(PVOID Context, BOOLEAN Handled)
{
    (void)Context;
    (void)Handled;
    return 1;
}

static VOID NTAPI on_change(PVOID CallbackContext,
    PKE_PROCESSOR_CHANGE_NOTIFY_CONTEXT ChangeContext,
    NTSTATUS *OperationStatus)
{
    (void)CallbackContext;
    (void)ChangeContext;
    (void)OperationStatus;
    calls++;
}

struct asked {
    bool nmi;
    ULONG flags;
    PVOID handle;
    NTSTATUS started;
};

static void register_one(void *argument)
{
    struct asked *asked = argument;

    asked->handle = asked->nmi ? KeRegisterNmiCallback(on_nmi, NULL)
                               : KeRegisterProcessorChangeCallback(
                                     on_change, NULL, asked->flags);
}

/* The memory of drivers is all handed out or not. */
static struct short_row {
    const char *name;
    bool nmi, existing, guest_short;
    bool want;
    unsigned calls;
} short_rows[] = {
    {"nmi_callback", true, false, false, true, 0},
    {"processor_change_callback", false, false, false, true, 0},
    {"processor_change_callback_needs_no_guest_memory", false, false, true,
        true, 0},
    {"callback_is_told_of_existing_processors", false, true, false, true, 4},
    {"callback_that_cannot_be_told_of_existing_processors", false, true, true,
        false, 0},
};

static void short_row(void **state)
{
    const struct short_row *row = *state;
    struct booted_kernel booted;
    struct asked asked = {.nmi = row->nmi, .flags = row->existing ? 1 : 0};

    booted_init_usual(&booted);
    calls = 0;
    if (row->guest_short) {
        booted.machine.memory.held_most = booted.machine.memory.held;
    }
    booted_run(&booted, 0, register_one, &asked);
    assert_int_equal(asked.handle != NULL, row->want);
    assert_int_equal(calls, row->calls);
    booted_release(&booted);
}

static void start_one(void *argument)
{
    struct asked *asked = argument;
    struct kernel *kernel = kernel_current();

    register_one(asked);
    kernel->machine->memory.held_most = kernel->machine->memory.held;
    asked->started = processor_start(kernel);
}

/* The second processor has not been started. */
static void boot_with_one_to_come(struct booted_kernel *booted)
{
    const struct machine_config config = {.processors = 2,
        .active = 1,
        .groups = 1,
        .pmu = pmu_models[MODEL_SKYLAKE]};

    calls = 0;
    booted_init_config(booted, &config, OS_WIN11, ARCH_X64);
}

static void processor_of_which_nobody_can_be_told_stays_out(void **state)
{
    struct booted_kernel booted;
    struct asked asked = {.flags = 0};

    (void)state;
    boot_with_one_to_come(&booted);
    booted_run(&booted, 0, start_one, &asked);
    assert_non_null(asked.handle);
    assert_int_equal(asked.started, STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(booted.machine.topology.processors, 1);
    assert_int_equal(calls, 0);
    booted_release(&booted);
}

struct tried {
    struct asked asked;
    struct exception_record record;
    bool caught;
};

static void register_and_raise(void *argument)
{
    register_one(argument);
    ExRaiseStatus(STATUS_UNSUCCESSFUL);
}

static void try_it(void *argument)
{
    struct tried *tried = argument;

    tried->caught =
        booted_catch(register_and_raise, &tried->asked, &tried->record);
}

static void who_was_called_back_catches_as_before(void **state)
{
    struct tried tried = {.asked = {.flags = 1}};
    struct booted_kernel booted;

    (void)state;
    calls = 0;
    booted_init_usual(&booted);
    booted_run(&booted, 0, try_it, &tried);
    assert_int_equal(calls, 4);
    assert_true(tried.caught);
    assert_int_equal(tried.record.code, STATUS_UNSUCCESSFUL);
    booted_release(&booted);
}

/* A processor is added by somebody else than who is told of it. */
struct starting {
    NTSTATUS started;
    const struct driver *behind; /* whose code it is then */
};

static void start_as_other(void *argument)
{
    struct starting *starting = argument;
    struct kernel *kernel = kernel_current();

    starting->started = processor_start(kernel);
    starting->behind = kernel_driver(kernel, kernel_cpu(kernel));
}

static void who_adds_a_processor_goes_on_as_himself(void **state)
{
    static const struct driver other = {.name = "other"};
    struct booted_kernel booted;
    struct asked asked = {.flags = 0};
    struct starting starting = {.behind = NULL};

    (void)state;
    boot_with_one_to_come(&booted);
    booted_run(&booted, 0, register_one, &asked);
    assert_non_null(strand_spawn(
        booted_cpu(&booted, 0), start_as_other, &starting, &other));
    assert_int_equal(machine_run(&booted.machine), MACHINE_IDLE);
    assert_int_equal(starting.started, STATUS_SUCCESS);
    assert_int_equal(calls, 2);
    assert_ptr_equal(starting.behind, &other);
    booted_release(&booted);
}

TEST_FILE(test_callbacks)
{
    TEST_ADD_ROWS(list, short_row, short_rows);
    test_add(list, "processor_of_which_nobody_can_be_told_stays_out",
        processor_of_which_nobody_can_be_told_stays_out, NULL);
    test_add(list, "who_was_called_back_catches_as_before",
        who_was_called_back_catches_as_before, NULL);
    test_add(list, "who_adds_a_processor_goes_on_as_himself",
        who_adds_a_processor_goes_on_as_himself, NULL);
}
