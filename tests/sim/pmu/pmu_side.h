/* pmu_side.h - a random program executed on either of two machines, with a log
 * of everything that can be observed. */
#ifndef TESTS_SIM_PMU_PMU_SIDE_H
#define TESTS_SIM_PMU_PMU_SIDE_H

#include "tests/sim/pmu/pmu_program.h"

/* A machine under test. The functions are those of naive_pmu.h; `machine` is
 * their first argument. */
struct pmu_side {
    void *machine;
    bool (*read)(void *machine, uint32_t address, uint64_t *value);
    bool (*write)(void *machine, uint32_t address, uint64_t value);
    bool (*rdpmc)(
        void *machine, uint32_t selector, bool user, bool pce, uint64_t *value);
    void (*run)(void *machine, const struct naive_segment *segment);
    void (*add)(
        void *machine, enum naive_event event, unsigned count, bool user);
    void (*settle)(void *machine);
    void (*set_interrupts)(void *machine, bool on);
    void (*set_priority)(void *machine, unsigned class);
    bool (*peek)(void *machine, uint32_t address, uint64_t *value);
    uint64_t (*time)(void *machine);
    uint8_t *memory; /* NAIVE_MEMORY bytes of the machine; NULL: no PEBS */
};

enum {
    PMU_LOG_MAX = 512,
    PMU_HANDLER_RUNS = 12, /* handlers after that do nothing: no storms */
};

/* An operation, or an interrupt, and how things were when it had ended (an
 * interrupt: when it began). */
struct pmu_entry {
    const struct pmu_op *op; /* NULL: an interrupt */
    unsigned depth;          /* handlers that are running */
    unsigned vector;
    bool ok; /* no #GP */
    uint64_t value, time;
    uint64_t memory;               /* a digest of it */
    bool known[PMU_REGISTERS_MAX]; /* the register exists and can be read */
    uint64_t reg[PMU_REGISTERS_MAX];
};

struct pmu_log {
    struct pmu_entry entry[PMU_LOG_MAX]; /* as they began */
    unsigned count;
    unsigned ended[PMU_LOG_MAX]; /* indices, as they ended */
    unsigned ended_count;
};

struct pmu_run {
    const struct pmu_program *program;
    const struct pmu_side *side;
    struct pmu_log *log;
    unsigned depth, handler_runs;
    uint32_t address[PMU_REGISTERS_MAX]; /* of entries' registers */
    unsigned address_count;
};

/* Executes the program. The machine calls pmu_run_interrupt() with `run` for
 * each interrupt that it takes. */
void pmu_run(struct pmu_run *run);

void pmu_run_interrupt(void *run, unsigned vector);

/* Whether both saw the same. If not, *at is the index in `ended` of the first
 * entry that differs. */
bool pmu_log_same(
    const struct pmu_log *a, const struct pmu_log *b, unsigned *at);

/* Everything up to there, and then what differs. */
void pmu_log_print(FILE *file, const struct pmu_program *program,
    const struct pmu_log *model, const struct pmu_log *naive, unsigned at);

#endif
