/* msr.h - RDMSR, WRMSR and RDPMC as code on a processor executes them: the one
 * way to its registers, and the table of these. A fault is a result, and
 * changes nothing. */
#ifndef SIM_MACHINE_MSR_H
#define SIM_MACHINE_MSR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/pmu/segment.h"

struct cpu;
struct pmu;

/* A register that the part has in truth and the model has not, with the value
 * that whoever makes the machine gives it. */
struct msr_given {
    uint32_t address;
    bool stored; /* writes change it, each processor's own; else they are
                    MSR_FIXED */
    uint64_t value;
};

enum msr_result {
    MSR_OK,
    MSR_GP_FAULT,
    MSR_NOT_MODELLED, /* the part knows what to do; the model does not */
    MSR_FIXED,        /* a write of one whose given value is fixed */
};

/* Each of these costs the model's msr_cycles and retires one instruction in
 * the kernel ring before it takes effect (pmu.md 2.19), and is a preemption
 * point afterwards. `*value` is written on MSR_OK only. */
enum msr_result msr_read(struct cpu *cpu, uint32_t address, uint64_t *value);
enum msr_result msr_write(struct cpu *cpu, uint32_t address, uint64_t value);

/* RDMSR by code that knows the register to be there, and to be read: any other
 * asserts. */
uint64_t msr_read_known(struct cpu *cpu, uint32_t address);

/* RDPMC with ECX = `selector`, by code in `ring`; `cr4_pce` is CR4.PCE. */
enum msr_result msr_rdpmc(struct cpu *cpu, uint32_t selector, enum ring ring,
    bool cr4_pce, uint64_t *value);

/* What each of them begins with: the cycles of the instruction pass, and every
 * processor with an earlier time goes first, before it takes effect. */
void msr_pay(struct cpu *cpu);

/* The same in an interrupt that may be left (cpu.h), and what comes behind it:
 * a write that cannot fail. */
bool msr_pay_or_leave(
    struct cpu *cpu, void (*rest)(void *context, struct cpu *cpu));
void msr_write_paid(struct cpu *cpu, uint32_t address, uint64_t value);

/* Whether the model has this register; of one that it lacks real_msr.h says
 * whether the part has it. */
bool msr_is_modelled(const struct pmu_model *model, uint32_t address);

/* The register's value without cost or effect, for observers. */
enum msr_result msr_peek(
    const struct cpu *cpu, uint32_t address, uint64_t *value);

/* The address that a name such as IA32_PMC0 stands for, also where this model
 * lacks the register. Returns false when there is no such name. */
bool msr_address(const char *name, uint32_t *address);

/* Whether it goes on by itself: what it reads follows from the time. */
bool msr_is_clock(uint32_t address);

/* Writes the name of the n-th register of all that a model may have, for lists
 * and suggestions. Returns false when there are not that many. */
bool msr_name(size_t n, char *name, size_t size);

/* The table of registers.def, for whoever explains registers. */
enum msr {
#define MSR(name, ...) MSR_##name,
#include "sim/machine/registers.def"
    MSR_COUNT
};

enum msr_access {
    MSR_RW,
    MSR_RO,
    MSR_WO,
    MSR_RWM, /* as RW, but reserved bits are masked out */
    MSR_RWV, /* as RW, but which bits are reserved depends on the value */
    MSR_ROM, /* as RO, but a write is ignored */
    MSR_RWK, /* as RW, but nothing else than what it reads is modelled */
};

/* How a register is read, or what a write does. */
enum msr_how {
    MSR_FIELD,   /* of struct cpu, of 64 bits */
    MSR_COUNTER, /* the PMU's in a slot; is not written so */
    MSR_NOTHING, /* it reads 0 */
    MSR_PMU,     /* by a function of the PMU's */
    MSR_CPU,     /* or the processor's */
    MSR_ASK, /* the row has to be asked, and nothing is written (msr_map.h) */
};

union msr_from {
    size_t field;
    unsigned counter;
    uint64_t (*pmu)(const struct pmu *pmu, unsigned n);
    uint64_t (*cpu)(const struct cpu *cpu);
};

union msr_to {
    size_t field;
    void (*pmu)(struct pmu *pmu, unsigned n, uint64_t value);
    void (*cpu)(struct cpu *cpu, uint64_t value);
};

/* Of the first register of a row. */
struct msr_row_read {
    enum msr_how how;
    union msr_from from;
};

struct msr_row_write {
    enum msr_how how;
    union msr_to to;
};

struct msr_row {
    const char *name; /* without the number where there are several */
    uint32_t address; /* of the first */
    uint8_t stride;   /* from one to the next */
    uint8_t most;     /* that any processor has */
    enum msr_access access;
    bool (*exists)(const struct pmu_model *model, unsigned n);
    uint64_t (*reserved)(const struct pmu_model *model, uint64_t value);
    struct msr_row_read read;
    struct msr_row_write write;
};

extern const struct msr_row msr_rows[MSR_COUNT];

#endif
