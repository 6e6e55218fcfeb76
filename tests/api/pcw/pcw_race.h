/* pcw_race.h - providers and consumers of counter sets that work on several
 * processors at the same time. */
#ifndef TESTS_API_PCW_PCW_RACE_H
#define TESTS_API_PCW_PCW_RACE_H

#include "api/boot/exports.h"
#include "api/ex/pool.h"
#include "api/pcw/pcw.h"
#include "tests/api/pcw/pcw_scene.h"

enum { COUNTERS = 100 };

/* One in the first block, the others in the second: others may run between the
 * two. */
static PCW_COUNTER_DESCRIPTOR counters[COUNTERS];

enum {
    MEETING = 1000000, /* when it gets interesting */
    COLLECTING = 2000, /* cycles later */
    LONG_CYCLES = 100000,
    SHORT_CYCLES = 10000,
    PROCESSORS = 4
};

struct pcw_race {
    struct booted_kernel booted;
    struct pcw_provider provider;
    struct pcw_consumer consumer[PROCESSORS];
    struct pcw_set set;
    uint64_t registration, instance;
    uint8_t *block[2];
    uint64_t delay;       /* cycles, before it is ended */
    uint64_t ended_at;    /* machine time at which PcwUnregister returned */
    uint64_t callback_at; /* at which the callback was done */
    unsigned inside, most_inside;
    bool let_go; /* who waits in the callback */
    KIRQL level; /* behind PcwUnregister */
};

static inline void race_init(struct pcw_race *race)
{
    *race = (struct pcw_race){.registration = 0};
    for (USHORT i = 0; i < COUNTERS; i++) {
        counters[i] =
            (PCW_COUNTER_DESCRIPTOR){.Id = i, .StructIndex = i > 0, .Size = 8};
    }
    race->set = (struct pcw_set){.name = PCW_TEXT(u"Disk"),
        .counter = counters,
        .count = COUNTERS,
        .callback = pcw_callback_of_scene,
        .context = &race->provider};
    race->provider.argument = race;
    booted_init(&race->booted, OS_WIN11, ARCH_X64, PROCESSORS, 1);
    for (unsigned i = 0; i < PROCESSORS; i++) {
        race->consumer[i] = pcw_consumer_of(&race->booted, PCW_TEXT(u"Disk"));
    }
}

static inline void spend(uint64_t cycles)
{
    struct cpu *cpu = kernel_cpu(kernel_current());

    cpu_spend(cpu, cycles, 0);
    cpu_checkpoint(cpu);
}

/* Processors are together from here on. */
static inline void meet(void)
{
    spend(MEETING - kernel_cpu(kernel_current())->time);
}

static inline void meet_and_collect(void *argument)
{
    meet();
    spend(COLLECTING);
    pcw_consumer_collect(argument);
}

static inline void take_long(struct pcw_provider *provider, uint64_t type)
{
    struct pcw_race *race = provider->argument;

    (void)type;
    race->inside++;
    race->most_inside =
        race->inside > race->most_inside ? race->inside : race->most_inside;
    spend(LONG_CYCLES);
    race->inside--;
    race->callback_at = kernel_cpu(&race->booted.kernel)->time;
}

static inline void unregister_later(void *argument)
{
    struct pcw_race *race = argument;

    spend(1 + race->delay);
    PcwUnregister((PPCW_REGISTRATION)(uintptr_t)race->registration);
    race->ended_at = kernel_cpu(&race->booted.kernel)->time;
}

static inline void meet_and_unregister(void *argument)
{
    meet();
    unregister_later(argument);
}

static inline void create_in_pool(void *argument)
{
    struct pcw_race *race = argument;

    for (unsigned i = 0; i < 2; i++) {
        race->block[i] = ExAllocatePool2(POOL_FLAG_NON_PAGED, 8, 0x31676154);
    }
}

static inline void create_two_blocks(struct pcw_race *race)
{
    uint64_t *handle = booted_block(&race->booted, 8, 0);
    struct pcw_job job = {.routine = ROUTINE_PcwCreateInstance,
        .argument = {pcw_value(handle), race->registration,
            pcw_value(pcw_name(&race->booted, PCW_TEXT(u"C:"))), 2}};
    PCW_DATA data[2];

    booted_run(&race->booted, 0, create_in_pool, race);
    for (unsigned i = 0; i < 2; i++) {
        data[i] = (PCW_DATA){.Data = race->block[i], .Size = 8};
    }
    job.argument[4] = pcw_value(booted_copy(&race->booted, data, sizeof(data)));
    pcw_run(&race->booted, &job);
    assert_int_equal(job.status, 0x00000000);
    race->instance = *handle;
}

#endif
