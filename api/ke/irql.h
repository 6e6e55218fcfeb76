/* irql.h - the IRQL of a processor, and KfRaiseIrql, KeLowerIrql and
 * KeGetCurrentIrql. */
#ifndef API_KE_IRQL_H
#define API_KE_IRQL_H

#include <stdint.h>

#include "api/core/exports.h"
#include "api/nt/irql_level.h"

struct cpu;
struct kernel;

enum { IRQL_SHADOW_DEPTH = 64 };

struct irql_state {
    uint8_t current;
    /* What each raise that is not undone yet returned (IRQL-02c [C]); deeper
     * ones are not checked. */
    uint8_t shadow[IRQL_SHADOW_DEPTH];
    /* A bit each: a write to CR8 that changed nothing may have undone it. */
    uint64_t maybe_undone;
    uint32_t depth;
    uint32_t floor; /* raises of the code that was interrupted */
};

uint8_t irql_current(struct kernel *kernel, const struct cpu *cpu);

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

/* What code was like that the kernel comes between, on one processor. */
struct irql_interrupted {
    uint8_t current;
    uint32_t depth, floor;
};

/* Begins an interrupt: sets the level. What runs from here on lowers what it
 * raised itself (IRQL-02a), and what it forgets irql_leave() undoes. */
struct irql_interrupted irql_enter(
    struct kernel *kernel, struct cpu *cpu, uint8_t irql);
void irql_leave(struct kernel *kernel, struct cpu *cpu,
    struct irql_interrupted interrupted);

/* A thread below DISPATCH_LEVEL takes its level along to another processor;
 * PASSIVE_LEVEL stays behind. */
struct irql_state irql_take(struct kernel *kernel, struct cpu *cpu);
void irql_bring(
    struct kernel *kernel, struct cpu *cpu, const struct irql_state *state);

/* The number of a level on this kernel's architecture. */
uint8_t irql_number(const struct kernel *kernel, enum irql_level level);

#endif
