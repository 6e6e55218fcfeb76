/* interrupt.h - what the kernel does with an interrupt: from the vector to the
 * level and to the service routine. */
#ifndef API_KE_INTERRUPT_H
#define API_KE_INTERRUPT_H

#include <stdint.h>

#include "api/nt/irql_level.h"

struct cpu;
struct kernel;

/* Who services a vector (kernel_hooks): with interrupts on, at the level, on
 * the processor that was interrupted. */
struct interrupt_source {
    enum irql_level level;
    uint8_t (*vector)(const struct kernel *kernel);
    void (*service)(struct kernel *kernel, struct cpu *cpu);
};

/* A device's vector, one of few: `line` is its number. From now on it is
 * serviced at that level by device_interrupt (kernel_hooks), or it is nobody's
 * again. */
void interrupt_connect(
    struct kernel *kernel, unsigned line, uint8_t vector, uint8_t irql);
void interrupt_disconnect(struct kernel *kernel, uint8_t vector);

/* For a service routine that has left its stack (cpu_leave_waiting()): the last
 * thing of its rest. */
void interrupt_end(struct kernel *kernel, struct cpu *cpu);

/* At boot: from here on the kernel takes the machine's interrupts. */
void interrupt_start(struct kernel *kernel);

#endif
