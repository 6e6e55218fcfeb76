/* pmu_program.h - random programs of register accesses and code, with the
 * interrupt handler that goes with them. Knows no machine. */
#ifndef TESTS_SIM_PMU_PMU_PROGRAM_H
#define TESTS_SIM_PMU_PMU_PROGRAM_H

#include <stdio.h>

#include "tests/sim/pmu/naive_pmu.h"

enum pmu_op_kind {
    PMU_RDMSR,
    PMU_WRMSR,
    PMU_RDPMC,
    PMU_RUN,    /* code runs */
    PMU_ADD,    /* an event happens several times at once */
    PMU_SETTLE, /* the processor halts until no interrupt is on its way */
    PMU_CLI,
    PMU_STI,
    PMU_CR8,
    PMU_STORE, /* a word of the DS area */
};

struct pmu_op {
    enum pmu_op_kind kind;
    uint32_t address; /* RDPMC: ECX; ADD: enum naive_event; STORE: offset */
    uint64_t value;   /* WRMSR, STORE; CR8: the class; ADD: how often */
    bool user, pce;   /* RDPMC; ADD has the first */
    struct naive_segment segment;
};

enum { PMU_OPS_MAX = 64, PMU_AREA_WORDS = 20 };

struct pmu_ops {
    struct pmu_op op[PMU_OPS_MAX];
    unsigned count;
};

struct pmu_program {
    uint64_t seed;
    struct naive_model model;
    uint64_t area[PMU_AREA_WORDS]; /* what the DS area begins with */
    struct pmu_ops body;
    struct pmu_ops handler; /* of every interrupt */
};

/* The seed decides everything. Four of five programs have other figures than
 * the model: counts, widths, times and clocks. */
void pmu_program_make(struct pmu_program *program, uint64_t seed,
    const struct naive_model *model);

enum { PMU_REGISTERS_MAX = 80 };

/* The addresses of the registers that a test looks at on this vendor's
 * processors, some of which no model has. Returns how many there are. */
unsigned pmu_registers(
    enum naive_vendor vendor, uint32_t address[PMU_REGISTERS_MAX]);

/* "IA32_PMC0", or "MSR" for an address that no list has. */
void pmu_register_print(FILE *file, uint32_t address);

/* One line without its end. */
void pmu_op_print(FILE *file, const struct pmu_op *op);
void pmu_model_print(FILE *file, const struct naive_model *model);

#endif
