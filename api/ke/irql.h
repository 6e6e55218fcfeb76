/* irql.h - raising and lowering the IRQL of a processor: KfRaiseIrql,
 * KeLowerIrql, MOV to CR8, interrupts, threads that move. */
#ifndef API_KE_IRQL_H
#define API_KE_IRQL_H

#include <stdint.h>

#include "api/core/irql_state.h"
#include "api/core/routine.h"

struct cpu;
struct kernel;

/* At boot: which task priority class stands for each level. */
void irql_start(struct kernel *kernel);

/* Sets the level and the task priority; lowering takes what becomes allowed
 * before it returns (IRQL-05). Below DISPATCH_LEVEL the thread goes where its
 * affinity wants it, so it may be on another processor afterwards. Returns the
 * level before. */
uint8_t irql_set(struct kernel *kernel, struct cpu *cpu, uint8_t irql);

/* Whatever a driver's own code touches at DISPATCH_LEVEL or above must be
 * resident (IRQL-04): there, pages that were opened are closed. */
void irql_close_pages(struct kernel *kernel, const struct cpu *cpu);

/* MOV to CR8, which is what the WDK's headers make of KeRaiseIrql and
 * KeLowerIrql on x64: whichever of the two it is, with its rules. */
void irql_write_cr8(struct kernel *kernel, struct cpu *cpu, uint8_t irql);

/* KfRaiseIrql and KeLowerIrql as part of `routine`, which is blamed for a
 * level that is wrong. Raising returns the level before. */
uint8_t irql_raise(
    struct kernel *kernel, struct cpu *cpu, enum routine routine, uint8_t irql);
void irql_lower(
    struct kernel *kernel, struct cpu *cpu, enum routine routine, uint8_t irql);

/* Begins an interrupt: says what it comes upon, and sets the level. What runs
 * from here on lowers what it raised itself (IRQL-02a), and what it forgets
 * irql_leave() undoes. */
void irql_enter(struct kernel *kernel, struct cpu *cpu, uint8_t irql,
    struct irql_interrupted *interrupted);
void irql_leave(struct kernel *kernel, struct cpu *cpu,
    const struct irql_interrupted *interrupted);

/* A thread below DISPATCH_LEVEL takes its level along to another processor;
 * PASSIVE_LEVEL stays behind. */
void irql_take(
    struct kernel *kernel, struct cpu *cpu, struct irql_state *taken);
void irql_bring(
    struct kernel *kernel, struct cpu *cpu, const struct irql_state *state);

#endif
