/* machine.c - making a machine: host memory, processors and their groups. */
#include "sim/machine/machine.h"

#include <assert.h>

#include "sim/base/bits.h"
#include "sim/base/limits.h"
#include "sim/machine/quiet.h"
#include "sim/machine/strand.h"

/* What guests see lies where the host's address space is known to be free, also
 * under sanitizers; the same in every run, so that guest pointers are. */
#define MEMORY_ADDRESS UINT64_C(0x180200000000)
#define GUEST_STACKS_ADDRESS UINT64_C(0x180400000000)

#define MEMORY_BYTES ((size_t)4 << 30)

/* Programs' memory, just below. */
#define USER_BYTES ((size_t)64 << 20)

/* What a guest may hold at once: half of what a sandbox gives, and less than
 * half of the 65,530 mappings of a host, of which a block takes two. */
#define MEMORY_HELD_BYTES ((size_t)1 << 30)
enum { MEMORY_LIVE_BLOCKS = 30000 };

enum {
    ARENA_OWN_BYTES = 2 << 20,       /* whatever the number of processors */
    ARENA_GUEST_BYTES = 22 << 20,    /* of 10,000 profiled threads: 15 */
    ARENA_PROCESSOR_BYTES = 8 << 10, /* for each: itself and its kernel's */
    ARENA_BYTES = ARENA_OWN_BYTES + ARENA_GUEST_BYTES +
                  LIMIT_PROCESSORS * ARENA_PROCESSOR_BYTES,
    /* A guest's, and an interrupt on each processor: below 65,530 mappings with
     * both of a strand's stacks. */
    STACKS = STRAND_GUEST_STRANDS + LIMIT_PROCESSORS,
};

bool machine_reserve(struct machine *machine)
{
    *machine = (struct machine){0};
    if (arena_reserve(&machine->arena, ARENA_BYTES) &&
        stack_pool_reserve(
            &machine->stacks, STACK_POOL_PRIVATE, STACKS, STRAND_STACK_BYTES) &&
        stack_pool_reserve(&machine->guest_stacks, GUEST_STACKS_ADDRESS, STACKS,
            STRAND_GUEST_STACK_BYTES) &&
        memory_reserve(&machine->memory, MEMORY_ADDRESS - USER_BYTES,
            MEMORY_BYTES + USER_BYTES)) {
        memory_give_user(&machine->memory, USER_BYTES / MEMORY_PAGE_BYTES);
        memory_bound(&machine->memory, MEMORY_HELD_BYTES, MEMORY_LIVE_BLOCKS);
        return true;
    }
    machine_release(machine);
    return false;
}

void machine_release(struct machine *machine)
{
    arena_release(&machine->arena);
    stack_pool_release(&machine->stacks);
    stack_pool_release(&machine->guest_stacks);
    memory_release(&machine->memory);
    trace_release(&machine->trace);
}

bool machine_check(const struct machine *machine)
{
    uint32_t processors = machine->config.processors;

    assert(arena_check(&machine->arena));
    assert(stack_pool_check(&machine->stacks));
    assert(stack_pool_check(&machine->guest_stacks));
    assert(memory_check(&machine->memory));
    assert(trace_check(&machine->trace));
    assert(topology_check(&machine->topology));
    assert(topology_check(&machine->all));
    assert(machine->all.processors == processors);
    assert(machine->topology.processors <= processors);
    assert(machine->order.leaves >= processors);
    assert(machine->last_processor < processors);
    assert(
        machine->running == NULL || machine->running->cpu->machine == machine);
    assert(
        (machine->armv8 != NULL) == (machine->config.pmu.vendor == VENDOR_ARM));
    assert((machine->alarm.time == MACHINE_NO_ALARM) ==
           (machine->alarm.first == NULL));
    assert(machine->alarm.first == NULL ||
           machine->alarm.first->time == machine->alarm.time);
    return true;
}

static void machine_group_cpus(struct machine *machine)
{
    const struct machine_config *config = &machine->config;

    if (config->group_size[0] == 0) {
        topology_init(&machine->all, config->processors, config->groups);
    } else {
        topology_init_sizes(&machine->all, config->group_size, config->groups);
    }
    assert(machine->all.processors == config->processors);
    topology_init_first(&machine->topology, &machine->all,
        config->active == 0 ? config->processors : config->active);
}

struct cpu *machine_start_cpu(struct machine *machine)
{
    uint32_t index = machine->topology.processors;

    topology_init_first(&machine->topology, &machine->all, index + 1);
    return machine_cpu(machine, index);
}

/* Which of the kinds a processor is of, from 1; 0: as the others are. */
static size_t kind_of(const struct machine_config *config, uint32_t index)
{
    size_t kind = 0;

    for (size_t i = 0; i < config->kind_count; i++) {
        if (bit_is_set(config->kind[i].processors[index / 64], index % 64)) {
            assert(kind == 0);
            kind = i + 1;
        }
    }
    return kind;
}

const struct pmu_model *machine_model(
    const struct machine_config *config, uint32_t index)
{
    size_t kind = kind_of(config, index);

    return kind == 0 ? &config->pmu : &config->kind[kind - 1].pmu;
}

static void machine_place_cpus(struct machine *machine)
{
    const struct topology *topology = &machine->all;
    uint32_t group = 0;

    for (uint32_t i = 0; i < topology->processors; i++) {
        struct cpu *cpu = &machine->cpu[i];

        if (i == topology->group_first[group] + topology->group_size[group]) {
            group++;
        }
        cpu_init(cpu, machine, i, machine_model(&machine->config, i),
            &machine->msr_map[kind_of(&machine->config, i)]);
        if (machine->armv8 != NULL) {
            cpu->armv8 = &machine->armv8[i];
            cpu->burst = &cpu->armv8->burst;
            armv8_init(cpu->armv8,
                &machine->armv8_features[kind_of(&machine->config, i)]);
        }
        cpu->group = (uint16_t)group;
        cpu->number = (uint8_t)(i - topology->group_first[group]);
    }
}

static void machine_map_msrs(struct machine *machine)
{
    const struct machine_config *config = &machine->config;

    machine->msr_map = arena_alloc(
        &machine->arena, (config->kind_count + 1) * sizeof(*machine->msr_map));
    assert(machine->msr_map != NULL);
    msr_map_init(machine->msr_map, &config->pmu);
    for (size_t i = 0; i < config->kind_count; i++) {
        msr_map_init(&machine->msr_map[i + 1], &config->kind[i].pmu);
    }
}

/* Their memory is apart, so that other processors stay small. */
static void machine_make_armv8(struct machine *machine)
{
    uint32_t processors = machine->config.processors;

    if (machine->config.pmu.vendor != VENDOR_ARM) {
        return;
    }
    machine->armv8_features[0] = armv8_features_of(&machine->config.pmu);
    for (size_t i = 0; i < machine->config.kind_count; i++) {
        machine->armv8_features[i + 1] =
            armv8_features_of(&machine->config.kind[i].pmu);
    }
    machine->armv8 =
        arena_alloc(&machine->arena, processors * sizeof(*machine->armv8));
    assert(machine->armv8 != NULL);
}

/* Each processor has registers of its own. */
static void machine_give_msrs(struct machine *machine)
{
    size_t count = machine->config.given_count;
    uint32_t processors = machine->config.processors;

    if (count == 0) {
        return;
    }
    machine->given = arena_alloc(
        &machine->arena, processors * count * sizeof(*machine->given));
    assert(machine->given != NULL);
    for (size_t i = 0; i < processors * count; i++) {
        machine->given[i] = machine->config.given[i % count].value;
    }
}

static bool kinds_check(const struct machine_config *config)
{
    assert(config->kind_count <= LIMIT_KINDS);
    for (size_t i = 0; i < config->kind_count; i++) {
        assert(model_problem(&config->kind[i].pmu) == NULL);
        assert(model_pair_problem(&config->pmu, &config->kind[i].pmu) == NULL);
    }
    return true;
}

void machine_reset(struct machine *machine, const struct machine_config *config)
{
    uint32_t processors = config->processors;
    size_t each = (size_t)processors * ARENA_PROCESSOR_BYTES;

    assert(topology_is_possible(processors, config->groups));
    assert(config->given_count <= LIMIT_GIVEN_MSRS);
    assert(model_problem(&config->pmu) == NULL);
    assert(kinds_check(config));
    arena_reset(&machine->arena, ARENA_OWN_BYTES + ARENA_GUEST_BYTES + each,
        ARENA_OWN_BYTES + each / 2);
    stack_pool_reset(&machine->stacks);
    stack_pool_reset(&machine->guest_stacks);
    memory_reset(&machine->memory);
    trace_reset(&machine->trace);
    *machine = (struct machine){
        .arena = machine->arena,
        .stacks = machine->stacks,
        .guest_stacks = machine->guest_stacks,
        .memory = machine->memory,
        .trace = machine->trace,
        .config = *config,
        .budget = UINT64_MAX,
        .alarm = {.time = MACHINE_NO_ALARM},
    };
    machine->config.pmu = model_virtualized(&config->pmu, config->virtualized);
    machine_map_msrs(machine);
    machine_group_cpus(machine);
    machine->cpu =
        arena_alloc(&machine->arena, processors * sizeof(*machine->cpu));
    assert(machine->cpu != NULL);
    machine_make_armv8(machine);
    machine_give_msrs(machine);
    order_init(&machine->order, &machine->arena, processors);
    machine->prefetch =
        arena_alloc(&machine->arena, processors * sizeof(*machine->prefetch));
    assert(machine->prefetch != NULL);
    machine_place_cpus(machine);
    assert(machine_check(machine));
}

void machine_on_interrupt(struct machine *machine,
    void (*interrupt)(void *context, struct cpu *cpu, uint8_t vector),
    void *context)
{
    machine->interrupt = interrupt;
    machine->interrupt_context = context;
}

void machine_on_return(struct machine *machine,
    void (*returned)(void *context, struct cpu *cpu), void *context)
{
    machine->returned = returned;
    machine->returned_context = context;
}

/* It may not be among them. */
static void take_out(struct machine *machine, struct machine_alarm *alarm)
{
    struct machine_alarm **link = &machine->alarm.first;

    while (*link != NULL && *link != alarm) {
        link = &(*link)->next;
    }
    if (*link != NULL) {
        *link = alarm->next;
    }
}

void machine_set_alarm(
    struct machine *machine, struct machine_alarm *alarm, uint64_t time)
{
    struct machine_alarm **link = &machine->alarm.first;

    assert(time == MACHINE_NO_ALARM || alarm->action != NULL);
    quiet_end_running(machine);
    take_out(machine, alarm);
    if (time != MACHINE_NO_ALARM) {
        while (*link != NULL && (*link)->time <= time) {
            link = &(*link)->next;
        }
        alarm->time = time;
        alarm->next = *link;
        *link = alarm;
    }
    machine->alarm.time = machine->alarm.first == NULL
                              ? MACHINE_NO_ALARM
                              : machine->alarm.first->time;
}

void machine_set_efer(struct machine *machine, uint64_t value)
{
    for (uint32_t i = 0; i < machine->config.processors; i++) {
        machine->cpu[i].system.efer = value;
    }
}
