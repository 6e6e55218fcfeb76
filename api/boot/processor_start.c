/* processor_start.c - a processor is added to the Windows that runs: drivers
 * are told, sets hold counters on it, and the HAL's first steps there. */
#include "api/boot/processor_start.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/core/trace_events.h"
#include "api/hal/arbiter.h"
#include "api/hal/event_buffer.h"
#include "api/hal/pmi.h"
#include "api/image/imports.h"
#include "api/io/processor_callback.h"
#include "api/ke/ipi.h"
#include "api/ke/processor_change.h"
#include "sim/machine/strand.h"

struct start {
    struct kernel *kernel;
    struct event_reader *readers; /* of the sets with event buffers */
};

/* As code of the processor. */
static void start_main(void *argument)
{
    struct start *start = argument;
    struct cpu *cpu = kernel_cpu(start->kernel);

    if (start->kernel->arch->model != MODEL_NONE) {
        pmi_start_on(start->kernel, cpu);
    }
    event_buffers_join_later(start->kernel, cpu, start->readers);
}

/* Those that are registered first, then the callback object's [C]. */
static NTSTATUS begin(struct kernel *kernel, const struct cpu *cpu)
{
    NTSTATUS status = processor_change_begin(kernel, cpu);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    status = processor_callback_begin(kernel, cpu);
    if (!NT_SUCCESS(status)) {
        processor_change_fail(kernel, cpu, status);
    }
    return status;
}

NTSTATUS processor_start(struct kernel *kernel)
{
    uint32_t index = kernel->machine->topology.processors;
    struct cpu *cpu = machine_cpu(kernel->machine, index);
    struct start start = {.kernel = kernel};
    NTSTATUS status = begin(kernel, cpu);

    if (!NT_SUCCESS(status)) {
        return status;
    }
    ipi_wait(kernel);
    assert(kernel->machine->topology.processors == index);
    if (!event_buffers_reserve_later(kernel, cpu, &start.readers)) {
        processor_change_fail(kernel, cpu, STATUS_INSUFFICIENT_RESOURCES);
        processor_callback_fail(kernel, cpu, STATUS_INSUFFICIENT_RESOURCES);
        return STATUS_INSUFFICIENT_RESOURCES;
    }
    machine_start_cpu(kernel->machine);
    arbiter_add_processor(kernel->arbiter, cpu->group, cpu->number);
    imports_processor_added(kernel);
    cpu_trace(
        cpu, &api_events[API_EVENT_PROCESSOR_STARTED], cpu->group, cpu->number);
    strand_call_on(cpu, start_main, &start, NULL);
    processor_change_complete(kernel, cpu);
    processor_callback_complete(kernel, cpu);
    return STATUS_SUCCESS;
}
