/* program.h - the register accesses by which a driver sets a counter
 * up. */
#ifndef RUNNER_STEPS_PROGRAM_H
#define RUNNER_STEPS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/model.h"
#include "sim/pmu/segment.h"

struct cpu;
struct kernel;

struct program {
    unsigned counter; /* the HAL's index */
    enum event event;
    bool in_ring[RING_COUNT];
    bool pmi;        /* an overflow asks for an interrupt */
    uint64_t period; /* events up to the wrap; 0: it counts from 0 */
};

/* The largest period that a write to the counter's register can preset: for GP
 * counters of Intel without full-width writes it has 32 bits, the last of which
 * is repeated; and where no status tells of an overflow, the top bit must be
 * set (pmu.md 1.2, 1.6). */
uint64_t program_period(const struct pmu_model *model, unsigned counter);

/* Each of these is code on `cpu`, which pays for every access, and for which
 * the rules hold that hold for a driver. Presets the counter `period` events
 * below its wrap. */
void program_preset(
    struct kernel *kernel, struct cpu *cpu, unsigned counter, uint64_t period);

/* The same for several, while they stand still: by the global control register,
 * so that they begin in one cycle, or one after the other where there is none.
 * They were enabled. */
void program_preset_stopped(
    struct kernel *kernel, struct cpu *cpu, uint64_t counters, uint64_t period);

/* Select off, preset, select on, global enable last if there is one. */
void program_counter(
    struct kernel *kernel, struct cpu *cpu, const struct program *program);

#endif
