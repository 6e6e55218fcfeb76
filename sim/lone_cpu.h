/* lone_cpu.h - one processor and its PMU, for programs that want nothing else
 * of this project: registers, work that is counted, and the interrupt.
 * README.md beside this file shows how to link it, docs/sample how to use it.
 *
 * Time is the processor's own cycles and passes in what is called here only. */
#ifndef SIM_LONE_CPU_H
#define SIM_LONE_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/model.h"
#include "sim/pmu/segment.h"

struct lone_cpu;

/* A stretch of code. At least 1 cycle and at most 2^48; an event's total is
 * spread evenly over it, and is at most 64 a cycle. Totals of clocks
 * (events.def) are not asked for: they follow from the cycles. */
struct lone_work {
    uint64_t cycles;
    enum ring ring;
    uint64_t total[EVENT_COUNT];
};

/* A processor in the state after RESET, which the caller gives back with
 * lone_cpu_free(). `model` is copied: a row of pmu_models (model_find() finds
 * one by its name), or one with other figures. NULL when model_problem() has
 * something to say about it, when it is no x86 one, or when the host has no
 * address space: there is one at a time in a process. */
struct lone_cpu *lone_cpu_make(const struct pmu_model *model);

/* NULL is nothing. */
void lone_cpu_free(struct lone_cpu *lone);

/* Who is called for every interrupt that the processor takes, with its vector
 * (2: an NMI); without anybody it stays pending. The handler runs as code of
 * the processor: it may do everything here but run, make and free. A fixed
 * interrupt must be ended by a write to x2APIC MSR 80BH. */
void lone_cpu_on_interrupt(struct lone_cpu *lone,
    void (*handler)(void *context, uint8_t vector), void *context);

/* RDMSR and WRMSR by the manual's addresses. False: #GP, and nothing has
 * changed but the time. Each costs the model's msr_cycles and retires an
 * instruction. */
bool lone_cpu_rdmsr(struct lone_cpu *lone, uint32_t address, uint64_t *value);
bool lone_cpu_wrmsr(struct lone_cpu *lone, uint32_t address, uint64_t value);

/* RDPMC in the kernel ring, ECX = `selector`. */
bool lone_cpu_rdpmc(struct lone_cpu *lone, uint32_t selector, uint64_t *value);

/* EAX, EBX, ECX, EDX. */
void lone_cpu_cpuid(struct lone_cpu *lone, uint32_t leaf, uint32_t out[4]);

/* Runs the work, with every overflow at its cycle, and the interrupts in
 * between as they come; then idles until no interrupt is on its way. False: the
 * work is none that can be (see above), and nothing has happened. */
bool lone_cpu_run(struct lone_cpu *lone, const struct lone_work *work);

/* Cycles since RESET. */
uint64_t lone_cpu_time(const struct lone_cpu *lone);

#endif
