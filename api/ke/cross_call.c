/* cross_call.c - the kernel's own work on other processors' registers, by an
 * interrupt that only those take. */
#include "api/ke/cross_call.h"

#include <assert.h>

#include "api/core/kernel.h"
#include "api/ke/apic.h"
#include "api/ke/irql.h"
#include "sim/base/bits.h"
#include "sim/machine/strand.h"

static uint8_t cross_call_vector(const struct kernel *kernel)
{
    uint8_t level = irql_number(kernel, LEVEL_IPI_LEVEL);

    return (uint8_t)(kernel->arch->irql_class(level) << 4);
}

static bool nobody_calls(void *context)
{
    return !((const struct kernel *)context)->cross_call->busy;
}

static bool all_have_done_it(void *context)
{
    return ((const struct kernel *)context)->cross_call->missing == 0;
}

/* Work that was asked of this processor, and only once. */
static void take_part(struct kernel *kernel, struct cpu *cpu)
{
    struct cross_call *call = kernel->cross_call;
    struct processor *processor = kernel_processor(kernel, cpu);

    if (!processor->called) {
        return; /* sent by a driver's own write to the ICR */
    }
    processor->called = false;
    assert(call->busy && call->missing > 0);
    call->work(kernel, cpu, call->context);
    assert(kernel_cpu(kernel) == cpu);
    call->missing--;
}

const struct interrupt_source cross_call_interrupt = {
    LEVEL_IPI_LEVEL, cross_call_vector, take_part};

/* Tells the processors of a group, or only counts them. */
static void call_group(struct kernel *kernel, struct cpu *cpu, unsigned group,
    uint64_t processors, bool send)
{
    uint32_t first = kernel->machine->topology.group_first[group];

    for (uint64_t left = processors; left != 0; left &= left - 1) {
        struct cpu *to =
            machine_cpu(kernel->machine, first + bits_lowest(left));

        if (!send) {
            kernel_processor(kernel, to)->called = true;
            kernel->cross_call->missing++;
        } else if (to != cpu) {
            apic_interrupt(cpu, to->index, cross_call_vector(kernel));
        }
    }
}

static void call_all(struct kernel *kernel, struct cpu *cpu,
    const uint64_t affinity[LIMIT_GROUPS], bool send)
{
    for (unsigned group = 0; group < kernel->machine->topology.groups;
         group++) {
        call_group(kernel, cpu, group, affinity[group], send);
    }
}

void cross_call(struct kernel *kernel, const uint64_t affinity[LIMIT_GROUPS],
    cross_call_work *work, void *context)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct irql_interrupted interrupted;

    assert(irql_current(kernel, cpu) < irql_number(kernel, LEVEL_IPI_LEVEL));
    /* Meanwhile this processor takes part in the other one. */
    strand_wait(kernel->machine, STRAND_SPINNING, nobody_calls, kernel);
    assert(kernel->cross_call->missing == 0 && kernel_cpu(kernel) == cpu);
    *kernel->cross_call =
        (struct cross_call){.busy = true, .work = work, .context = context};
    call_all(kernel, cpu, affinity, false);
    assert(kernel->cross_call->missing > 0);
    irql_enter(kernel, cpu, irql_number(kernel, LEVEL_IPI_LEVEL), &interrupted);
    call_all(kernel, cpu, affinity, true);
    take_part(kernel, cpu);
    strand_wait(kernel->machine, STRAND_SPINNING, all_have_done_it, kernel);
    kernel->cross_call->busy = false;
    irql_leave(kernel, cpu, &interrupted);
}
