/* irql.h - the IRQL of a processor, and KfRaiseIrql, KeLowerIrql and
 * KeGetCurrentIrql. */
#ifndef API_KE_IRQL_H
#define API_KE_IRQL_H

#include <stdint.h>

#include "api/ke/irql_level.h"

struct cpu;
struct kernel;

enum { IRQL_SHADOW_DEPTH = 64 };

struct irql_state {
    uint8_t current;
    /* What each raise that is not undone yet returned (IRQL-02c [C]); deeper
     * ones are not checked. */
    uint8_t shadow[IRQL_SHADOW_DEPTH];
    uint32_t depth;
    uint32_t floor; /* raises of the code that was interrupted */
};

uint8_t irql_current(struct kernel *kernel, const struct cpu *cpu);

/* Sets the level and the task priority; lowering takes what becomes allowed
 * before it returns (IRQL-05). Returns the level before. */
uint8_t irql_set(struct kernel *kernel, struct cpu *cpu, uint8_t irql);

/* MOV to CR8, which is what the WDK's headers make of KeRaiseIrql and
 * KeLowerIrql on x64: whichever of the two it is, with its rules. */
void irql_write_cr8(struct kernel *kernel, struct cpu *cpu, uint8_t irql);

/* The number of a level on this kernel's architecture. */
uint8_t irql_number(const struct kernel *kernel, enum irql_level level);

#endif
