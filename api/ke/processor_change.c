/* processor_change.c - KeRegisterProcessorChangeCallback: drivers are told of
 * processors before they are added and when they have been (CPU-01). */
#include "api/ke/processor_change.h"

#include <assert.h>
#include <string.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/routine_bodies.h"
#include "api/ke/code.h"
#include "sim/machine/strand.h"

/* Handles look like kernel pointers and are not used again [C]. */
#define HANDLE_BASE UINT64_C(0xFFFFA00000001000)

enum { HANDLE_STEP = 16, KE_PROCESSOR_CHANGE_ADD_EXISTING = 1 };

struct processor_callback {
    uint64_t function, context, handle;
    const struct driver *driver;
    struct processor_callback *next;
};

/* In the guest's memory while a callback runs. */
struct told {
    KE_PROCESSOR_CHANGE_NOTIFY_CONTEXT change;
    NTSTATUS operation;
};

static void check_irql(struct kernel *kernel, uint64_t function, uint8_t irql)
{
    struct cpu *cpu = kernel_cpu(kernel);
    const struct bugcheck_parameter parameter[4] = {
        {.name = "processor change callback"},
        {.value = irql_current(kernel, cpu)}};

    if (irql_current(kernel, cpu) != irql) {
        rule_stop_at(kernel, cpu, RULE_PROCESSOR_CHANGE_IRQL, ROUTINE_COUNT,
            function, parameter);
    }
}

/* As the driver's code, on the thread that runs. */
static void call(struct kernel *kernel,
    const struct processor_callback *callback, struct told *told)
{
    struct strand *strand = strand_current(kernel->machine);
    const void *owner = strand->owner;
    const uint64_t function = callback->function;
    uint8_t irql = irql_current(kernel, kernel_cpu(kernel));
    const uint64_t argument[CODE_ARGUMENTS] = {callback->context,
        (uint64_t)(uintptr_t)&told->change,
        (uint64_t)(uintptr_t)&told->operation};
    struct exception_frame *hidden = exception_hide(kernel);

    if (!code_is_at(kernel, function)) {
        const struct bugcheck_parameter parameter[4] = {
            {.name = "no code"}, {.value = irql}};

        rule_stop(kernel, kernel_cpu(kernel), RULE_CODE_NOT_CODE, ROUTINE_COUNT,
            parameter);
    }
    strand->owner = callback->driver;
    code_call(kernel, function, argument);
    check_irql(kernel, function, irql);
    strand->owner = owner;
    exception_show(kernel, hidden);
}

KE_PROCESSOR_CHANGE_NOTIFY_CONTEXT processor_change_context(
    const struct cpu *cpu, KE_PROCESSOR_CHANGE_NOTIFY_STATE state,
    NTSTATUS status)
{
    return (KE_PROCESSOR_CHANGE_NOTIFY_CONTEXT){.State = state,
        .NtNumber = cpu->index,
        .Status = status,
        .ProcNumber = {.Group = cpu->group, .Number = cpu->number}};
}

/* Returns what the callback has put into its OperationStatus, or that there was
 * no memory to tell it. */
static NTSTATUS tell(struct kernel *kernel,
    const struct processor_callback *callback, const struct cpu *cpu,
    KE_PROCESSOR_CHANGE_NOTIFY_STATE state, NTSTATUS status)
{
    struct memory *memory = &kernel->machine->memory;
    struct told *told = memory_alloc(memory, sizeof(*told), 0);
    NTSTATUS operation;

    if (told == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    *told = (struct told){
        .change = processor_change_context(cpu, state, status),
        .operation = STATUS_SUCCESS,
    };
    call(kernel, callback, told);
    operation = told->operation;
    memory_free(memory, told);
    return operation;
}

/* Tells those before `until` that the processor does not come. */
static void tell_failure(struct kernel *kernel,
    const struct processor_callback *until, const struct cpu *cpu,
    NTSTATUS status)
{
    for (struct processor_callback *told = kernel->processor_change->first;
         told != until; told = told->next) {
        tell(kernel, told, cpu, KeProcessorAddFailureNotify, status);
    }
}

NTSTATUS processor_change_begin(struct kernel *kernel, const struct cpu *cpu)
{
    for (struct processor_callback *told = kernel->processor_change->first;
         told != NULL; told = told->next) {
        NTSTATUS status =
            tell(kernel, told, cpu, KeProcessorAddStartNotify, STATUS_SUCCESS);

        if (!NT_SUCCESS(status)) {
            tell_failure(kernel, told, cpu, status);
            return status;
        }
    }
    return STATUS_SUCCESS;
}

void processor_change_fail(
    struct kernel *kernel, const struct cpu *cpu, NTSTATUS status)
{
    tell_failure(kernel, NULL, cpu, status);
}

void processor_change_complete(struct kernel *kernel, const struct cpu *cpu)
{
    for (struct processor_callback *told = kernel->processor_change->first;
         told != NULL; told = told->next) {
        tell(kernel, told, cpu, KeProcessorAddCompleteNotify, STATUS_SUCCESS);
    }
}

/* KE_PROCESSOR_CHANGE_ADD_EXISTING: as if each that is active were added now
 * (CPU-02). */
static NTSTATUS tell_existing(
    struct kernel *kernel, const struct processor_callback *callback)
{
    struct machine *machine = kernel->machine;
    uint32_t count = machine->topology.processors;
    uint32_t told = 0;
    NTSTATUS status = STATUS_SUCCESS;

    while (told < count && NT_SUCCESS(status)) {
        status = tell(kernel, callback, machine_cpu(machine, told),
            KeProcessorAddStartNotify, STATUS_SUCCESS);
        told += NT_SUCCESS(status);
    }
    for (uint32_t i = 0; i < told; i++) {
        tell(kernel, callback, machine_cpu(machine, i),
            NT_SUCCESS(status) ? KeProcessorAddCompleteNotify
                               : KeProcessorAddFailureNotify,
            status);
    }
    return status;
}

PVOID KeRegisterProcessorChangeCallback_body(
    PPROCESSOR_CALLBACK_FUNCTION CallbackFunction, PVOID CallbackContext,
    ULONG Flags)
{
    struct kernel *kernel = kernel_current();
    struct processor_change *change = kernel->processor_change;
    struct processor_callback *callback =
        run_needs_memory(kernel, sizeof(*callback), "processor callbacks");
    struct processor_callback **link = &change->first;

    *callback = (struct processor_callback){
        .function = (uint64_t)(uintptr_t)CallbackFunction,
        .context = (uint64_t)(uintptr_t)CallbackContext,
        .handle = HANDLE_BASE + (uint64_t)HANDLE_STEP * change->registered,
        .driver = kernel_driver(kernel, kernel_cpu(kernel)),
    };
    if ((Flags & KE_PROCESSOR_CHANGE_ADD_EXISTING) != 0 &&
        !NT_SUCCESS(tell_existing(kernel, callback)) &&
        !ruling_is(kernel, RULED_CPU_03_handle)) {
        return NULL; /* CPU-03 [C] */
    }
    change->registered++;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = callback;
    return (PVOID)(uintptr_t)callback->handle;
}

VOID KeDeregisterProcessorChangeCallback_body(PVOID CallbackHandle)
{
    struct kernel *kernel = kernel_current();
    struct processor_callback **link = &kernel->processor_change->first;

    while (*link != NULL &&
           (*link)->handle != (uint64_t)(uintptr_t)CallbackHandle) {
        link = &(*link)->next;
    }
    if (*link == NULL) {
        rule_warn(kernel, kernel_cpu(kernel), RULE_PROCESSOR_CHANGE_STALE,
            ROUTINE_KeDeregisterProcessorChangeCallback);
        return;
    }
    *link = (*link)->next;
}
