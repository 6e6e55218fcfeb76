/* processor_callback.c - tells the routines of the callback object
 * \Callback\ProcessorAdd that a processor comes, has come or does not, and
 * takes the status that they may write: at the start, over no error (CBK-05a).
 */
#include "api/io/processor_callback.h"

#include "api/core/kernel.h"
#include "api/io/callback_object.h"
#include "api/ke/processor_change.h"

/* In the guest's memory while they run. */
struct told {
    KE_PROCESSOR_CHANGE_NOTIFY_CONTEXT change;
    NTSTATUS status;
};

struct telling {
    struct told *told;
    NTSTATUS before; /* what the routine found */
    bool starts;
};

static void check_status(
    struct kernel *kernel, void *context, uint64_t function)
{
    struct telling *telling = context;
    NTSTATUS *status = &telling->told->status;

    if (*status == telling->before) {
        return;
    }
    if (!telling->starts || !NT_SUCCESS(telling->before)) {
        rule_warn_at(kernel, kernel_cpu(kernel), RULE_PROCESSOR_CHANGE_STATUS,
            ROUTINE_COUNT, function);
        *status = telling->before;
    }
    telling->before = *status;
}

static NTSTATUS tell(struct kernel *kernel, const struct cpu *cpu,
    KE_PROCESSOR_CHANGE_NOTIFY_STATE state, NTSTATUS status)
{
    struct memory *memory = &kernel->machine->memory;
    struct told *told = memory_alloc(memory, sizeof(*told), 0);
    struct telling telling = {.told = told,
        .before = STATUS_SUCCESS,
        .starts = state == KeProcessorAddStartNotify};
    const struct callback_told each = {check_status, &telling};

    if (told == NULL) {
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    *told =
        (struct told){.change = processor_change_context(cpu, state, status),
            .status = STATUS_SUCCESS};
    callback_object_tell(
        kernel, CALLBACK_PROCESSOR_ADD, &told->change, &told->status, &each);
    memory_free(memory, told);
    return telling.before;
}

NTSTATUS processor_callback_begin(struct kernel *kernel, const struct cpu *cpu)
{
    NTSTATUS status =
        tell(kernel, cpu, KeProcessorAddStartNotify, STATUS_SUCCESS);

    if (!NT_SUCCESS(status)) {
        processor_callback_fail(kernel, cpu, status);
    }
    return status;
}

void processor_callback_fail(
    struct kernel *kernel, const struct cpu *cpu, NTSTATUS status)
{
    tell(kernel, cpu, KeProcessorAddFailureNotify, status);
}

void processor_callback_complete(struct kernel *kernel, const struct cpu *cpu)
{
    tell(kernel, cpu, KeProcessorAddCompleteNotify, STATUS_SUCCESS);
}
