/* overflow_scene.h - counters that overflow on a booted kernel, and a handler
 * that notes each of its runs. Counters count the cycles of ring 3, so that the
 * interrupt's own time does not move them. */
#ifndef TESTS_API_HAL_OVERFLOW_SCENE_H
#define TESTS_API_HAL_OVERFLOW_SCENE_H

#include <stdio.h>

#include "api/hal/arbiter.h"
#include "api/hal/pmu.h"
#include "sim/machine/msr.h"
#include "tests/api/booted_kernel.h"

enum { SCENE_RUNS = 128 };

/* A run of the handler, as it found things. */
struct scene_run {
    uint32_t processor;
    KIRQL irql;
    uint64_t bits, handle;
    uint64_t status;    /* IA32_PERF_GLOBAL_STATUS */
    uint64_t lvtpc;     /* IA32_X2APIC_LVT_PMI */
    const void *driver; /* on whose behalf it runs */
};

struct scene {
    struct booted_kernel booted;
    struct scene_run run[SCENE_RUNS];
    unsigned runs;
    void (*also)(struct scene *scene, struct cpu *cpu); /* what it does then */
};

/* The scene whose kernel runs: a handler is told nothing else. */
static inline struct scene *scene_current(void)
{
    char *kernel = (char *)kernel_current();

    return (
        struct scene *)(void *)(kernel - offsetof(struct scene, booted.kernel));
}

static inline void NTAPI scene_handler(
    ULONGLONG OverflowBits, HANDLE OwningHandle)
{
    struct scene *scene = scene_current();
    struct kernel *kernel = &scene->booted.kernel;
    struct cpu *cpu = kernel_cpu(kernel);

    if (scene->runs < SCENE_RUNS) {
        scene->run[scene->runs] = (struct scene_run){
            .processor = cpu->index,
            .irql = irql_current(kernel, cpu),
            .bits = OverflowBits,
            .handle = (uint64_t)(uintptr_t)OwningHandle,
            .status = cpu->pmu.global_status,
            .lvtpc = cpu->lapic.lvtpc,
            .driver = kernel_driver(kernel, cpu),
        };
    }
    scene->runs++;
    if (scene->also != NULL) {
        scene->also(scene, cpu);
    }
}

static inline void scene_init_on(
    struct scene *scene, enum os os, enum arch arch)
{
    scene->runs = 0;
    scene->also = NULL;
    booted_init(&scene->booted, os, arch, 2, 1);
}

static inline void scene_init_model(
    struct scene *scene, const struct pmu_model *model)
{
    scene->runs = 0;
    scene->also = NULL;
    booted_init_model(&scene->booted, model);
}

static inline void scene_init(struct scene *scene)
{
    scene_init_on(scene, OS_WIN11, ARCH_X64);
}

static inline void scene_release(struct scene *scene)
{
    booted_release(&scene->booted);
}

/* A set of the driver's, as if it had been allocated. */
static inline struct counter_set *scene_grant(
    struct scene *scene, uint64_t counters, uint64_t processors, bool handler)
{
    struct kernel *kernel = &scene->booted.kernel;
    const struct counter_claim claim = {
        .counters = counters,
        .affinity = {processors},
        .handler = handler ? scene_handler : NULL,
    };
    struct counter_set *set = arbiter_grant(kernel->arbiter,
        &kernel->machine->arena, &claim, &scene->booted.driver);

    assert_non_null(set);
    return set;
}

/* The processor's cycles of ring 3. */
static inline void scene_run_cycles(struct cpu *cpu, uint64_t cycles)
{
    struct segment segment;

    segment_init(
        &segment, cpu->pmu.model, cpu_unhalted(cpu), cycles, RING_USER);
    cpu_run_segment(cpu, &segment);
}

/* Counters, bit by index (GP ones and 33), that all wrap 1,000 cycles after
 * they start; those of `interrupting` ask for a PMI. */
static inline void scene_overflow(
    struct cpu *cpu, uint64_t counters, uint64_t interrupting)
{
    const uint64_t fixed_1 = 0x200000000;

    msr_write(cpu, 0x38F, 0);
    for (uint32_t n = 0; n < 8; n++) {
        if ((counters & 1u << n) != 0) {
            msr_write(cpu, 0x0C1 + n, 0xFFFFFC18);
            msr_write(cpu, 0x186 + n,
                (interrupting & 1u << n) != 0 ? 0x51003C : 0x41003C);
        }
    }
    if ((counters & fixed_1) != 0) {
        msr_write(cpu, 0x30A, 0xFFFFFFFFFC18);
        msr_write(cpu, 0x38D, (interrupting & fixed_1) != 0 ? 0xA0 : 0x20);
    }
    msr_write(cpu, 0x38F, counters);
    scene_run_cycles(cpu, 2000);
}

/* Driver code: counter 0 overflows here. */
static inline void scene_overflow_0(void *argument)
{
    struct scene *scene = argument;

    scene_overflow(kernel_cpu(&scene->booted.kernel), 0x1, 0x1);
}

static inline uint64_t scene_peek(
    struct scene *scene, uint32_t processor, uint32_t address)
{
    uint64_t value = 0;

    assert_int_equal(
        msr_peek(booted_cpu(&scene->booted, processor), address, &value),
        MSR_OK);
    return value;
}

/* Which counters a write programs in the HAL's eyes, on a processor of the
 * model. */
struct programs_row {
    const char *name;
    enum model model;
    uint32_t address;
    uint64_t value, want;
};

static inline void programs_row(void **state)
{
    const struct programs_row *row = *state;
    struct scene scene;

    scene_init_model(&scene, &pmu_models[row->model]);
    assert_int_equal(
        hal_pmu_programs(scene.booted.kernel.pmu, booted_cpu(&scene.booted, 0),
            row->address, row->value),
        row->want);
    scene_release(&scene);
}

#endif
