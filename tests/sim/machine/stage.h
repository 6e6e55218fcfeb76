/* stage.h - strands on four processors, written as programs of one letter and a
 * number a step, see act_once(). What they note reads "a1@300": strand a, on
 * processor 1, at 300. */
#ifndef TESTS_SIM_MACHINE_STAGE_H
#define TESTS_SIM_MACHINE_STAGE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/machine/machine.h"
#include "sim/machine/strand.h"
#include "tests/rows.h"

enum { PROCESSORS = 4, STRANDS = 4 };

struct actor {
    struct stage *stage;
    struct cpu *cpu;
    char name;
    const char *program;
};

struct stage {
    struct machine machine;
    struct actor actor[STRANDS]; /* a, b, c, d */
    bool flag[2];
    char journal[256];
};

static inline void note(struct stage *stage, char name, const struct cpu *cpu)
{
    size_t used = strlen(stage->journal);

    snprintf(stage->journal + used, sizeof(stage->journal) - used,
        "%s%c%u@%llu", used == 0 ? "" : " ", name, cpu->index,
        (unsigned long long)cpu->time);
}

static inline bool flag_is_set(void *context)
{
    return *(const bool *)context;
}

static inline void run(struct cpu *cpu, uint64_t cycles)
{
    struct segment segment;

    segment_init(
        &segment, cpu->pmu.model, cpu_unhalted(cpu), cycles, RING_USER);
    cpu_run_segment(cpu, &segment);
}

/* A call on another processor notes that it is there. */
struct visit {
    struct actor *actor;
    struct cpu *cpu;
};

static inline void visit(void *argument)
{
    struct visit *there = argument;

    note(there->actor->stage, there->actor->name, there->cpu);
}

static inline void act_once(struct actor *actor, char step, uint64_t n)
{
    struct machine *machine = &actor->stage->machine;
    struct visit there = {.actor = actor};

    switch (step) {
    case 'r': /* run a segment of n cycles */
        run(actor->cpu, n);
        break;
    case 'k': /* spend n cycles in the kernel, which is no preemption point */
        cpu_spend(actor->cpu, n, 1);
        break;
    case 'p': /* a preemption point */
        cpu_checkpoint(actor->cpu);
        break;
    case 'n':
        note(actor->stage, actor->name, actor->cpu);
        break;
    case 'f': /* set flag n */
        actor->stage->flag[n] = true;
        break;
    case 's': /* wait for flag n, spinning */
        strand_wait(
            machine, STRAND_SPINNING, flag_is_set, &actor->stage->flag[n]);
        break;
    case 'b': /* wait for flag n, blocked */
        strand_wait(
            machine, STRAND_BLOCKED, flag_is_set, &actor->stage->flag[n]);
        break;
    case 'c': /* call on processor n */
        there.cpu = machine_cpu(machine, (uint32_t)n);
        strand_call_on(there.cpu, visit, &there, NULL);
        break;
    case 'm': /* move to processor n */
        actor->cpu = machine_cpu(machine, (uint32_t)n);
        strand_move(machine, actor->cpu);
        break;
    case 'x':
        machine_stop(machine);
        break;
    default:
        abort();
    }
}

static inline void act(void *argument)
{
    struct actor *actor = argument;
    const char *at = actor->program;

    while (*at != '\0') {
        char step = *at++;
        char *end;
        uint64_t n = strtoull(at, &end, 10);

        at = end;
        act_once(actor, step, n);
    }
}

static inline void stage_init(struct stage *stage)
{
    struct machine_config config = {.processors = PROCESSORS,
        .groups = 1,
        .pmu = pmu_models[MODEL_INTEL_V2]};

    memset(stage, 0, sizeof(*stage));
    assert_true(machine_reserve(&stage->machine));
    machine_reset(&stage->machine, &config);
}

static inline struct strand *enter(
    struct stage *stage, unsigned i, uint32_t processor, const char *program)
{
    struct actor *actor = &stage->actor[i];
    struct strand *strand;

    *actor = (struct actor){.stage = stage,
        .cpu = machine_cpu(&stage->machine, processor),
        .name = (char)('a' + i),
        .program = program};
    strand = strand_spawn(actor->cpu, act, actor, NULL);
    assert_non_null(strand);
    return strand;
}

/* Strands in the order in which they are made, and what becomes of them. */
struct play_row {
    const char *name;
    struct {
        uint32_t processor;
        const char *program;
    } strand[STRANDS];
    enum machine_end want_end;
    const char *want_journal;
};

static inline void play_row(void **state)
{
    const struct play_row *row = *state;
    struct stage stage;

    stage_init(&stage);
    for (unsigned i = 0; i < STRANDS && row->strand[i].program != NULL; i++) {
        enter(&stage, i, row->strand[i].processor, row->strand[i].program);
    }

    assert_int_equal(machine_run(&stage.machine), row->want_end);
    assert_string_equal(stage.journal, row->want_journal);
    machine_release(&stage.machine);
}

#endif
