/* ipi.c - KeIpiGenericCall: the one who calls interrupts all others; when all
 * have arrived, all run the worker, and when all have, it returns (IPI-01). */
#include "api/ke/ipi.h"

#include <assert.h>

#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/core/trace_events.h"
#include "api/ke/apic.h"
#include "api/ke/code.h"
#include "api/ke/irql.h"
#include "sim/machine/strand.h"

/* All arrive before the first one finishes, and none of them twice. */
static bool ipi_check(const struct kernel *kernel)
{
    const struct ipi *ipi = kernel->ipi;

    assert(ipi->processors <= kernel->machine->topology.processors);
    assert(ipi->arrived <= ipi->processors);
    assert(ipi->finished <= ipi->arrived);
    assert(ipi->finished == 0 || ipi->arrived == ipi->processors);
    assert(ipi->busy || ipi->finished == ipi->arrived);
    return true;
}

static uint8_t ipi_vector(const struct kernel *kernel)
{
    uint8_t level = irql_number(kernel, LEVEL_IPI_LEVEL);

    return (uint8_t)(kernel->arch->irql_class(level) << 4 | 0x1);
}

static bool nobody_broadcasts(void *context)
{
    return !((const struct kernel *)context)->ipi->busy;
}

static bool all_have_arrived(void *context)
{
    const struct kernel *kernel = context;

    return kernel->ipi->arrived == kernel->ipi->processors;
}

static bool all_have_finished(void *context)
{
    const struct kernel *kernel = context;

    return kernel->ipi->finished == kernel->ipi->processors;
}

/* The worker's exceptions are not for the code around it to catch: it may be
 * anybody's that was interrupted, and the other processors wait. */
static uint64_t run_worker(struct kernel *kernel, struct cpu *cpu)
{
    const uint64_t argument[CODE_ARGUMENTS] = {kernel->ipi->context};
    struct processor *processor = kernel_processor(kernel, cpu);
    const struct driver *interrupted = processor->handler_of;
    struct exception_frame *hidden = exception_hide(kernel);
    uint64_t value;

    cpu_trace(cpu, &api_events[API_EVENT_WORKER_ENTER], kernel->ipi->number);
    assert(kernel->ipi->busy);
    processor->handler_of = kernel->ipi->driver;
    value = code_call(kernel, kernel->ipi->worker, argument);
    assert(processor->handler_of == kernel->ipi->driver);
    processor->handler_of = interrupted;
    cpu_trace(cpu, &api_events[API_EVENT_WORKER_LEAVE], kernel->ipi->number);
    exception_show(kernel, hidden);
    return value;
}

static void arrive(struct kernel *kernel, struct cpu *cpu)
{
    assert(kernel_processor(kernel, cpu)->broadcast != kernel->ipi->number);
    kernel_processor(kernel, cpu)->broadcast = kernel->ipi->number;
    kernel->ipi->arrived++;
    assert(ipi_check(kernel));
}

static uint64_t finish(struct kernel *kernel, struct cpu *cpu)
{
    uint64_t value = run_worker(kernel, cpu);

    kernel->ipi->finished++;
    assert(ipi_check(kernel));
    return value;
}

static uint64_t take_part(struct kernel *kernel, struct cpu *cpu)
{
    arrive(kernel, cpu);
    strand_wait(kernel->machine, STRAND_SPINNING, all_have_arrived, kernel);
    return finish(kernel, cpu);
}

/* All have arrived, and this processor has left its stack meanwhile. */
static void go_on(void *context, struct cpu *cpu)
{
    struct kernel *kernel = context;

    strand_come_back(kernel->machine);
    finish(kernel, cpu);
    interrupt_end(kernel, cpu);
}

static void ipi_service(struct kernel *kernel, struct cpu *cpu)
{
    if (!kernel->ipi->busy ||
        kernel_processor(kernel, cpu)->broadcast == kernel->ipi->number) {
        return; /* sent by a driver's own write to the ICR */
    }
    if (!cpu_may_leave(cpu)) {
        take_part(kernel, cpu);
        return;
    }
    arrive(kernel, cpu);
    if (!cpu_leave_waiting(cpu, all_have_arrived, kernel, go_on)) {
        finish(kernel, cpu);
    }
}

const struct interrupt_source ipi_interrupt = {
    LEVEL_IPI_LEVEL, ipi_vector, ipi_service};

/* Nothing but code can be called; better said here than on all processors. */
static void check_worker(
    struct kernel *kernel, struct cpu *cpu, uint64_t worker)
{
    const struct bugcheck_parameter parameter[4] = {
        {.name = "no code"}, {.value = irql_current(kernel, cpu)}};

    if (!code_is_at(kernel, worker)) {
        rule_stop(kernel, cpu, RULE_CODE_NOT_CODE, ROUTINE_KeIpiGenericCall,
            parameter);
    }
}

void ipi_wait(struct kernel *kernel)
{
    strand_wait(kernel->machine, STRAND_SPINNING, nobody_broadcasts, kernel);
}

ULONG_PTR KeIpiGenericCall_body(
    PKIPI_BROADCAST_WORKER BroadcastFunction, ULONG_PTR Context)
{
    struct kernel *kernel = kernel_current();
    struct cpu *cpu = kernel_cpu(kernel);
    uint64_t worker = (uint64_t)(uintptr_t)BroadcastFunction;
    struct irql_interrupted interrupted;
    uint64_t value;

    check_worker(kernel, cpu, worker);
    /* Below IPI_LEVEL: meanwhile this processor takes part in the other one. */
    ipi_wait(kernel);
    assert(ipi_check(kernel));
    assert(!kernel->ipi->busy && kernel_cpu(kernel) == cpu);
    *kernel->ipi = (struct ipi){.busy = true,
        .number = kernel->ipi->number + 1,
        .worker = worker,
        .context = Context,
        .driver = kernel_driver(kernel, cpu),
        .processors = kernel->machine->topology.processors};
    irql_enter(kernel, cpu, irql_number(kernel, LEVEL_IPI_LEVEL), &interrupted);
    apic_interrupt_others(cpu, ipi_vector(kernel));
    value = take_part(kernel, cpu);
    strand_wait(kernel->machine, STRAND_SPINNING, all_have_finished, kernel);
    kernel->ipi->busy = false;
    assert(ipi_check(kernel));
    irql_leave(kernel, cpu, &interrupted);
    return value;
}
