/* booted_kernel.h - Windows on a machine, and a driver whose functions run on
 * its processors. Assertions belong outside of them: a driver's function notes
 * what it sees, the test looks at the notes. */
#ifndef TESTS_API_BOOTED_KERNEL_H
#define TESTS_API_BOOTED_KERNEL_H

#include <string.h>

#include "api/boot/kernel_boot.h"
#include "api/core/exception.h"
#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "sim/machine/strand.h"
#include "tests/rows.h"

struct booted_kernel {
    struct machine machine;
    struct kernel kernel;
    struct driver driver; /* who makes the calls */
};

static inline void booted_init_config(struct booted_kernel *booted,
    const struct machine_config *config, enum os os, enum arch arch)
{
    *booted = (struct booted_kernel){.driver = {.name = "sampler"}};
    assert_true(machine_reserve(&booted->machine));
    machine_reset(&booted->machine, config);
    kernel_boot(&booted->kernel, &booted->machine, os, arch);
}

/* Processors as the architecture has them (arch.def): on x86 and x64 a PMU of
 * version 2 (8 GP and 3 fixed counters, 2,500 cycles a microsecond). */
static inline void booted_init(struct booted_kernel *booted, enum os os,
    enum arch arch, uint32_t processors, uint32_t groups)
{
    enum model model = arch_rows[arch].model;
    const struct machine_config config = {
        .processors = processors, .groups = groups, .pmu = pmu_models[model]};

    booted_init_config(booted, &config, os, arch);
}

/* Windows 11 on x64, two processors like this. */
static inline void booted_init_model(
    struct booted_kernel *booted, const struct pmu_model *model)
{
    const struct machine_config config = {
        .processors = 2, .groups = 1, .pmu = *model};

    booted_init_config(booted, &config, OS_WIN11, ARCH_X64);
}

/* Windows 11 on x64, two processors. */
static inline void booted_init_usual(struct booted_kernel *booted)
{
    booted_init(booted, OS_WIN11, ARCH_X64, 2, 1);
}

static inline void booted_release(struct booted_kernel *booted)
{
    kernel_release(&booted->kernel);
    machine_release(&booted->machine);
}

static inline struct cpu *booted_cpu(
    struct booted_kernel *booted, uint32_t processor)
{
    return machine_cpu(&booted->machine, processor);
}

/* Makes function(argument) a thread of the driver; booted_run() runs it. */
static inline void booted_spawn(struct booted_kernel *booted,
    uint32_t processor, void (*function)(void *argument), void *argument)
{
    assert_non_null(strand_spawn(
        booted_cpu(booted, processor), function, argument, &booted->driver));
}

/* Runs function(argument) as the driver's code, to its end. */
static inline void booted_run(struct booted_kernel *booted, uint32_t processor,
    void (*function)(void *argument), void *argument)
{
    booted_spawn(booted, processor, function, argument);
    assert_int_equal(machine_run(&booted->machine), MACHINE_IDLE);
}

/* The same for code that breaks a fatal rule. */
static inline void booted_run_to_stop(struct booted_kernel *booted,
    uint32_t processor, void (*function)(void *argument), void *argument)
{
    booted_spawn(booted, processor, function, argument);
    assert_int_equal(machine_run(&booted->machine), MACHINE_STOPPED);
}

/* The driver's own memory, with a copy of `size` bytes from `from`. */
static inline void *booted_copy(
    struct booted_kernel *booted, const void *from, size_t size)
{
    void *block = memory_alloc(&booted->machine.memory, size, 0);

    assert_non_null(block);
    memcpy(block, from, size);
    return block;
}

/* The driver's own memory, every byte of it `fill`. */
static inline void *booted_block(
    struct booted_kernel *booted, size_t size, uint8_t fill)
{
    void *block = memory_alloc(&booted->machine.memory, size, fill);

    assert_non_null(block);
    return block;
}

/* Driver code: __try code(argument) __except. Returns whether an exception was
 * caught, and which. */
static inline bool booted_catch(void (*code)(void *argument), void *argument,
    struct exception_record *record)
{
    struct kernel *kernel = kernel_current();
    struct exception_frame frame = {.deliver = NULL};
    volatile bool caught = false;

    exception_push(kernel, &frame);
    if (setjmp(frame.caught) == 0) {
        code(argument);
    } else {
        caught = true;
        *record = frame.record;
    }
    exception_pop(kernel, &frame);
    return caught;
}

/* How often the driver broke the rule. */
static inline unsigned booted_broken(
    const struct booted_kernel *booted, enum rule rule)
{
    unsigned count = 0;

    for (size_t i = 0; i < booted->kernel.rules.count; i++) {
        count += booted->kernel.rules.event[i].rule == rule;
    }
    return count;
}

#endif
