/* probe.c - the probes of state, of probes.def: what each reads of the kernel
 * or the machine. */
#include "scenarios/runner/run/probe.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ex/pool.h"
#include "api/hal/arbiter.h"
#include "api/hal/pci.h"
#include "api/ke/kthread.h"
#include "api/mm/given_memory.h"
#include "api/pcw/query.h"
#include "api/ps/counter_config.h"
#include "api/ps/profiling.h"
#include "scenarios/runner/language/facts.h"
#include "scenarios/runner/scenario/read_pci.h"
#include "scenarios/runner/scenario/read_ranges.h"
#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/text/wide_text.h"
#include "scenarios/runner/yaml/plain_word.h"
#include "sim/base/bits.h"
#include "sim/machine/msr.h"
#include "sim/machine/sysreg.h"

static void probe_add(struct probed *probed, uint64_t value)
{
    if (probed->count == probed->capacity) {
        probed->capacity = probed->capacity == 0 ? 16 : 2 * probed->capacity;
        probed->value = talloc_realloc(probed->context, probed->value, uint64_t,
            (unsigned)probed->capacity);
        assert(probed->value != NULL);
    }
    probed->value[probed->count++] = value;
}

/* The counters that the named actor, or nobody, holds on the processor. */
static void probe_counters(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    const struct node *owner = node_get(node, "owner");
    struct kernel *kernel = &run->session->kernel;
    uint64_t map = model_counters(cpu_model(cpu));
    uint64_t held = 0, taken = 0;

    for (const struct counter_set *set = kernel->arbiter->first; set != NULL;
         set = set->next) {
        uint64_t own = arbiter_held(set, cpu->group, cpu->number) & map;

        taken |= own;
        if (node_is_word(owner, set->owner->name)) {
            held |= own;
        }
    }
    if (node_is_word(owner, "nobody")) {
        held = map & ~taken;
    }
    for (; held != 0; held &= held - 1) {
        probe_add(probed, bits_lowest(held));
    }
}

/* The actors that hold something there, by their number in `actors`. */
static void probe_owners(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    const struct scenario *scenario = run->scenario;
    struct kernel *kernel = &run->session->kernel;

    (void)node;
    for (size_t actor = 0; actor < scenario->actor_count; actor++) {
        bool holds = false;

        for (const struct counter_set *set = kernel->arbiter->first;
             set != NULL; set = set->next) {
            holds |= set->owner == &scenario->actor[actor].driver &&
                     arbiter_held(set, cpu->group, cpu->number) != 0;
        }
        if (holds) {
            probe_add(probed, actor);
        }
    }
}

static void probe_configured(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    const struct counter_config *config = run->session->kernel.config;

    (void)node;
    (void)cpu;
    memcpy(probed->configured, config->counter, sizeof(config->counter));
    probed->count = config->count;
}

static void probe_msr(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    const struct node *index = node_get(node, "index");
    uint32_t address = 0;
    uint64_t value;
    bool known = msr_address(index->text, &address);

    (void)run;
    assert(known);
    (void)known;
    if (msr_peek(cpu, address, &value) == MSR_OK) {
        probe_add(probed, value);
    }
}

static void probe_sysreg(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    uint32_t reg = 0;
    uint64_t value;
    bool known = armv8_register_find(node_get(node, "register")->text, &reg);

    (void)run;
    assert(known);
    (void)known;
    if (sysreg_peek(cpu, reg, 1, &value) == ARMV8_OK) {
        probe_add(probed, value);
    }
}

static void probe_irql(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    (void)node;
    probe_add(probed, irql_current(&run->session->kernel, cpu));
}

/* Cycles of the processor since the machine began. */
static void probe_time(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    (void)run;
    (void)node;
    probe_add(probed, cpu->time);
}

/* The vectors that its APIC has accepted and it has not taken; an NMI is 2. */
static void probe_pending(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    const struct lapic *lapic = &cpu->lapic;

    (void)run;
    (void)node;
    if (lapic_has_nmi(lapic)) {
        probe_add(probed, VECTOR_NMI);
    }
    for (unsigned i = 0; i < VECTOR_WORDS; i++) {
        for (uint64_t left = lapic->requested.word[i]; left != 0;
             left &= left - 1) {
            probe_add(probed, 64 * i + bits_lowest(left));
        }
    }
}

/* The sizes of its live blocks, in order of allocation. */
static void probe_pool(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    const struct node *owner = node_get(node, "owner");

    (void)cpu;
    for (const struct pool_block *block = pool_first(&run->session->kernel);
         block != NULL; block = pool_next(block)) {
        if (block->owner != NULL && node_is_word(owner, block->owner->name)) {
            probe_add(probed, block->size);
        }
    }
}

/* NULL: nothing is counted for that thread. */
static const struct thread_profile *profile_of(
    const struct run *run, const struct node *thread)
{
    const struct scenario *scenario = run->scenario;

    for (size_t i = 0; i < scenario->actor_count; i++) {
        const struct kthread *object = run->actor[i].thread.object;

        if (node_is_word(thread, scenario->actor[i].driver.name)) {
            return object == NULL ? NULL : object->profile;
        }
    }
    return NULL;
}

/* One value of each counter, or one of all. */
static void probe_profiling(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    const struct thread_profile *profile =
        profile_of(run, node_get(node, "thread"));
    const struct node *what = node_get(node, "what");

    (void)cpu;
    if (profile == NULL) {
        return;
    }
    if (what != NULL && node_is_word(what, "flags")) {
        probe_add(probed, profile->flags);
        return;
    }
    if (what != NULL && node_is_word(what, "switches")) {
        probe_add(probed, profile->switches);
        return;
    }
    for (uint64_t left = profile->mask; left != 0; left &= left - 1) {
        unsigned n = bits_lowest(left);

        probe_add(probed, what != NULL && node_is_word(what, "counts")
                              ? profile->total[n]
                              : n);
    }
}

/* The one that the probe names, which there is. */
static const struct given_range *range_of(
    const struct run *run, const struct node *node)
{
    return read_ranges_find(run->scenario, node_get(node, "memory"));
}

static void probe_device(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    const struct given_range *range = range_of(run, node);
    const struct given_register *reg =
        read_ranges_register(range, node_get(node, "register"));
    const struct register_state *state =
        &given_memory_state(&run->session->kernel, range)
             ->reg[reg - range->reg];
    const struct node *what = node_get(node, "what");

    (void)cpu;
    probe_add(probed, what == NULL || node_is_word(what, "value") ? state->value
                      : node_is_word(what, "reads")               ? state->reads
                                                    : state->writes);
}

static void probe_physical(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    const struct given_range *range = range_of(run, node);
    uint64_t at, bytes;

    (void)cpu;
    read_ranges_part(node, &at, &bytes);
    for (uint64_t i = at; i < at + bytes; i++) {
        const uint8_t *page = given_memory_bytes(&run->session->kernel, range,
            (range->base + i) / MEMORY_PAGE_BYTES);

        assert(page != NULL); /* the host has as many as a scenario gives */
        probe_add(probed, page[i % MEMORY_PAGE_BYTES]);
    }
}

static void probe_pci(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    const struct given_function *given =
        read_pci_find(run->scenario, node_get(node, "name"));
    const struct pci_function *function = pci_find(&run->session->kernel,
        given->bus, given->device | given->function << 5);
    uint64_t at, bytes;

    (void)cpu;
    read_pci_part(node, &at, &bytes);
    probe_add(probed, nt_load(function->config + at, (size_t)bytes));
}

struct listing {
    struct pcw_text name;
    uint64_t found;
};

static void note_listed(void *context, struct pcw_text name)
{
    struct listing *listing = context;

    listing->found += pcw_text_equal(name, listing->name);
}

/* As the consumer's list has them: each name once. */
static void probe_listed(const struct run *run, const struct node *node,
    const struct cpu *cpu, struct probed *probed)
{
    const struct node *silo = node_get(node, "silo");
    struct listing listing = {
        .name = wide_text(probed->context, node_get(node, "counterset")->text)};
    uint64_t number = 0;

    (void)cpu;
    if (silo != NULL) {
        plain_word_number(silo->text, &number);
    }
    pcw_sets_list(
        &run->session->kernel, (uint32_t)number, note_listed, &listing);
    probe_add(probed, listing.found);
}

static const struct probe probes[] = {
#define PROBE(name, spelling, mapping, type, list, pmu, cycles, function, ...) \
    {spelling, MAPPING_##mapping, NT_##type, list, pmu, cycles,                \
        probe_##function},
#include "scenarios/runner/language/probes.def"
};

const struct probe *probe_find(const struct node *node)
{
    for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++) {
        if (node_get(node, probes[i].key) != NULL) {
            return &probes[i];
        }
    }
    return NULL;
}

const struct probe *probe_named(const char *key)
{
    size_t i = 0;

    while (strcmp(probes[i].key, key) != 0) {
        i++;
        assert(i < sizeof(probes) / sizeof(probes[0]));
    }
    return &probes[i];
}

/* Of counters that are configured there are a few, and no numbers. */
static void exchange_configured(struct facts *facts, struct probed *probed)
{
    probed->count =
        (size_t)facts_below(facts, probed->count, MAX_HW_COUNTERS + 1);
    for (size_t i = 0; i < probed->count; i++) {
        HARDWARE_COUNTER *counter = &probed->configured[i];

        memcpy(counter,
            facts_bytes(facts, (const uint8_t *)counter, sizeof(*counter)),
            sizeof(*counter));
    }
}

void probe_ask(const struct run *run, const struct probe *probe,
    const struct node *node, const struct cpu *cpu, struct probed *probed)
{
    struct facts *facts = run->scope.facts;
    /* What actors are told by is their number. */
    uint64_t end = probe->mapping == MAPPING_OWNERS ? run->scenario->actor_count
                                                    : UINT64_MAX;
    size_t count;

    if (!facts_heard(facts)) {
        probe->read(run, node, cpu, probed);
    }
    if (facts == NULL) {
        return;
    }
    if (probe->type == NT_HARDWARE_COUNTER) {
        exchange_configured(facts, probed);
        return;
    }
    count = facts_count(facts, probed->count);
    for (size_t i = 0; i < count; i++) {
        if (facts_heard(facts)) {
            probe_add(probed, 0);
        }
        probed->value[i] = end == UINT64_MAX
                               ? facts_number(facts, probed->value[i])
                               : facts_below(facts, probed->value[i], end);
    }
}

bool probe_is_per_cpu(const struct probe *probe)
{
    return probe->mapping != MAPPING_STATE &&
           probe->mapping != MAPPING_DEVICE_PROBE &&
           probe->mapping != MAPPING_PHYSICAL_PROBE &&
           probe->mapping != MAPPING_PCI_PROBE &&
           probe->mapping != MAPPING_LISTED_PROBE &&
           probe->mapping != MAPPING_POOL_PROBE &&
           probe->mapping != MAPPING_PROFILING_PROBE;
}
