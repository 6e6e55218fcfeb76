/* interrupt.c - how the kernel takes an interrupt: its level, its service
 * routine, its end. */
#include "api/ke/interrupt.h"

#include <assert.h>
#include <stdint.h>

#include "api/core/kernel.h"
#include "api/core/trace_events.h"
#include "api/ke/apic.h"
#include "api/ke/irql.h"
#include "api/ke/nmi.h"
#include "sim/base/bits.h"

/* An exclusive owner's own vector is not the kernel's business (HAL-OVF-16
 * [C]). Apart, as what follows: it has no part in nearly any interrupt.
 */
__attribute__((noinline)) static void leave_unclaimed(
    struct cpu *cpu, uint8_t vector)
{
    cpu_trace(cpu, &api_events[API_EVENT_UNCLAIMED], vector);
    apic_eoi(cpu);
}

/* The interrupt again, while this processor services it: somebody has written
 * the APIC's registers. The one that is under way sees what there is to do. */
__attribute__((noinline)) static void refuse_nested(
    struct kernel *kernel, struct cpu *cpu)
{
    rule_warn(kernel, cpu, RULE_HAL_HANDLER_REENTERED, ROUTINE_COUNT);
    apic_eoi(cpu);
}

/* Behind what an end of interrupt is paid with, where others went first. */
static void end_paid(void *context, struct cpu *cpu)
{
    struct kernel *kernel = context;

    apic_eoi_paid(cpu);
    irql_leave(kernel, cpu, &kernel_processor(kernel, cpu)->interrupted);
}

static void end_service(struct kernel *kernel, struct cpu *cpu, unsigned n,
    const struct irql_interrupted *interrupted)
{
    struct processor *processor = kernel_processor(kernel, cpu);

    /* At such a level no thread leaves its processor, and what came on top of
     * this interrupt has ended before it. */
    assert(kernel_cpu(kernel) == cpu);
    assert((processor->servicing & 1u << n) != 0);
    cpu_disable_interrupts(cpu);
    /* What is pending by now is taken after the return, not on top of it. */
    processor->servicing &= ~(1u << n);
    if (!cpu_may_leave(cpu)) {
        apic_eoi(cpu);
        irql_leave(kernel, cpu, interrupted);
        return;
    }
    processor->interrupted = *interrupted;
    if (!apic_eoi_leaves(cpu, end_paid)) {
        end_paid(kernel, cpu);
    }
}

void interrupt_end(struct kernel *kernel, struct cpu *cpu)
{
    const struct processor *processor = kernel_processor(kernel, cpu);

    end_service(kernel, cpu, bits_lowest(processor->servicing),
        &processor->interrupted);
}

static void service(struct kernel *kernel, struct cpu *cpu, unsigned n)
{
    struct processor *processor = kernel_processor(kernel, cpu);
    struct irql_interrupted interrupted;

    assert(n < INTERRUPT_SOURCES);
    if ((processor->servicing & 1u << n) != 0) {
        refuse_nested(kernel, cpu);
        return;
    }
    processor->servicing |= 1u << n;
    assert(kernel->source_irql[n] != 0); /* it is connected */
    irql_enter(kernel, cpu, kernel->source_irql[n], &interrupted);
    cpu_enable_interrupts(cpu);
    if (n < kernel->sources) {
        kernel->hooks->interrupts[n]->service(kernel, cpu);
    } else {
        kernel->hooks->device_interrupt(kernel, cpu, n - kernel->sources);
    }
    if (cpu_has_left(cpu)) {
        processor->interrupted = interrupted;
        return;
    }
    end_service(kernel, cpu, n, &interrupted);
}

static void take(struct kernel *kernel, struct cpu *cpu, uint8_t vector)
{
    unsigned source = kernel->source_of[vector];

    if (vector == VECTOR_NMI) {
        nmi_service(kernel, cpu); /* no end of interrupt */
    } else if (source != 0) {
        service(kernel, cpu, source - 1);
    } else {
        leave_unclaimed(cpu, vector);
    }
}

/* What sim/ calls on the processor that takes an interrupt. What it takes is
 * nobody's time that was interrupted. */
static void interrupt(void *context, struct cpu *cpu, uint8_t vector)
{
    struct kernel *kernel = context;
    bool outermost = cpu->interrupts == 1;
    uint64_t begun = cpu->time;

    assert(kernel_cpu(kernel) == cpu);
    take(kernel, cpu, vector);
    if (outermost) {
        kernel_processor(kernel, cpu)->interrupt_cycles += cpu->time - begun;
    }
}

/* A vector is one source's, and its level one at which no thread moves. */
static void enter_sources(struct kernel *kernel)
{
    const struct interrupt_source *const *sources = kernel->hooks->interrupts;

    for (unsigned n = 0; sources[n] != NULL; n++) {
        uint8_t vector = sources[n]->vector(kernel);

        assert(n < INTERRUPT_SOURCES && vector >= 16 && vector != VECTOR_NMI);
        assert(irql_number(kernel, sources[n]->level) >=
               irql_number(kernel, LEVEL_DISPATCH_LEVEL));
        assert(kernel->source_of[vector] == 0);
        kernel->source_of[vector] = (uint8_t)(n + 1);
        kernel->source_irql[n] = irql_number(kernel, sources[n]->level);
        kernel->sources = n + 1;
    }
}

void interrupt_connect(
    struct kernel *kernel, unsigned line, uint8_t vector, uint8_t irql)
{
    unsigned n = kernel->sources + line;

    assert(n < INTERRUPT_SOURCES && kernel->source_of[vector] == 0);
    assert(irql > irql_number(kernel, LEVEL_DISPATCH_LEVEL));
    kernel->source_of[vector] = (uint8_t)(n + 1);
    kernel->source_irql[n] = irql;
}

void interrupt_disconnect(struct kernel *kernel, uint8_t vector)
{
    assert(kernel->source_of[vector] > kernel->sources);
    kernel->source_of[vector] = 0;
}

void interrupt_start(struct kernel *kernel)
{
    enter_sources(kernel);
    machine_on_interrupt(kernel->machine, interrupt, kernel);
}
