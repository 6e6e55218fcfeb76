/* dispatcher.h - which thread has a processor: the one of the highest priority,
 * of equal ones each for its quantum, as far as its level allows. */
#ifndef API_KE_DISPATCHER_H
#define API_KE_DISPATCHER_H

#include "api/ke/interrupt.h"
#include "api/ke/thread_switch.h"

struct cpu;
struct kernel;
struct strand;

/* At boot: interrupts end with a look at who is next. */
void dispatcher_start(struct kernel *kernel);

/* From within a thread below DISPATCH_LEVEL: leaves its processor until
 * dispatcher_ready(), and goes on when the processor is below DISPATCH_LEVEL,
 * too. */
void dispatcher_park(struct kernel *kernel, enum switch_reason reason);

/* The strand, which is parked, may go on: at once where it outranks what its
 * processor runs. */
void dispatcher_ready(struct kernel *kernel, struct strand *strand);

/* A strand was put into the processor's queue, or ranks have changed: asks for
 * the software interrupt where somebody outranks what runs there, and begins a
 * quantum where somebody is its equal. */
void dispatcher_look(struct kernel *kernel, struct cpu *cpu);

/* From within a thread: gives way to those of its priority or above that are
 * ready here. False: there is none, or it is not below DISPATCH_LEVEL. */
bool dispatcher_yield(struct kernel *kernel);

/* Asks for the software interrupt at DISPATCH_LEVEL on that processor, which
 * runs what is due there (struct dispatch_work). */
void dispatcher_request(struct kernel *kernel, struct cpu *cpu);

/* Where that interrupt is taken. */
extern const struct interrupt_source dispatcher_interrupt;

/* What is done at DISPATCH_LEVEL in that interrupt (kernel_hooks), in order. */
struct dispatch_work {
    void (*run)(struct kernel *kernel, struct cpu *cpu);
};

#endif
