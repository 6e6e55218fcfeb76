/* usage.c - what drivers do with the PMU's registers and leave there, and whose
 * allocation has failed: noted where it happens, for rules. */
#include "api/hal/usage.h"

#include <assert.h>
#include <stdio.h>

#include "api/core/kernel.h"
#include "api/core/place.h"
#include "api/core/thread.h"
#include "api/hal/pmi.h"
#include "api/hal/pmu.h"
#include "api/hal/pmu_registers.h"
#include "sim/machine/lapic.h"
#include "sim/machine/msr.h"

/* Made when something is noted of a processor: few have any. */
struct usage_processor {
    struct usage_by lvtpc, pebs;
    struct usage_by counter[64]; /* by index */
};

struct usage_failed {
    struct usage_by by;
    struct usage_failed *next;
};

void usage_start(struct kernel *kernel)
{
    struct machine *machine = kernel->machine;

    kernel->usage->processor = arena_alloc(&machine->arena,
        machine->config.processors * sizeof(struct usage_processor *));
    assert(kernel->usage->processor != NULL);
}

/* Whoever runs. */
static struct usage_by by_current(
    struct kernel *kernel, struct cpu *cpu, uint64_t value)
{
    return (struct usage_by){
        .driver = kernel_driver(kernel, cpu),
        .place = place_current(kernel),
        .value = value,
        .step = thread_step(kernel),
    };
}

static struct usage_failed *find_failed(
    const struct kernel *kernel, const struct driver *driver)
{
    struct usage_failed *failed = kernel->usage->failed;

    while (failed != NULL && failed->by.driver != driver) {
        failed = failed->next;
    }
    return failed;
}

/* A driver keeps its entry, empty, for the next time. */
void usage_allocated(struct kernel *kernel)
{
    struct usage_failed *failed =
        find_failed(kernel, kernel_driver(kernel, kernel_cpu(kernel)));

    if (failed != NULL) {
        failed->by.step = 0;
        failed->by.place = 0;
        failed->by.value = 0;
    }
}

void usage_refused(struct kernel *kernel)
{
    struct cpu *cpu = kernel_cpu(kernel);
    struct usage_failed *failed =
        find_failed(kernel, kernel_driver(kernel, cpu));

    if (failed == NULL) {
        failed = arena_alloc(&kernel->machine->arena, sizeof(*failed));
        assert(failed != NULL);
        failed->next = kernel->usage->failed;
        kernel->usage->failed = failed;
    }
    failed->by = by_current(kernel, cpu, 1);
}

const struct usage_by *usage_failure(
    const struct kernel *kernel, const struct driver *driver)
{
    const struct usage_failed *failed = find_failed(kernel, driver);

    return failed == NULL || failed->by.value == 0 ? NULL : &failed->by;
}

static struct usage_processor *processor_of(
    struct kernel *kernel, const struct cpu *cpu)
{
    struct usage_processor **at = &kernel->usage->processor[cpu->index];

    assert(cpu->index < kernel->machine->config.processors);
    if (*at == NULL) {
        *at = arena_alloc(&kernel->machine->arena, sizeof(**at));
        assert(*at != NULL);
    }
    return *at;
}

void usage_written(
    struct kernel *kernel, struct cpu *cpu, uint32_t address, uint64_t value)
{
    struct usage_processor *processor;

    if (address != IA32_X2APIC_LVT_PMI && address != IA32_PEBS_ENABLE) {
        return;
    }
    processor = processor_of(kernel, cpu);
    if (address == IA32_X2APIC_LVT_PMI) {
        processor->lvtpc = by_current(kernel, cpu, value);
    } else {
        processor->pebs = by_current(kernel, cpu, value);
    }
}

const struct usage_by *usage_programmed(
    struct kernel *kernel, struct cpu *cpu, unsigned counter)
{
    static struct usage_by before;
    struct usage_processor *processor = processor_of(kernel, cpu);

    assert(counter < 64);
    before = processor->counter[counter];
    processor->counter[counter] = by_current(kernel, cpu, 0);
    return before.driver == NULL ? NULL : &before;
}

static uint64_t peek(const struct cpu *cpu, uint32_t address)
{
    uint64_t value = 0;

    msr_peek(cpu, address, &value);
    return value;
}

/* A PMI masks LVTPC by itself, so a mask counts where it was written. */
static bool lvtpc_is_left(const struct kernel *kernel, const struct cpu *cpu,
    const struct usage_by *by)
{
    uint64_t now = peek(cpu, IA32_X2APIC_LVT_PMI);
    uint64_t masked = now & by->value & LVTPC_MASKED;

    if (hal_pmu_of(kernel, cpu)->counters == 0) {
        return now != LVTPC_MASKED; /* as after RESET: nobody has armed it */
    }
    return (now & ~(uint64_t)LVTPC_MASKED) != pmi_vector(kernel) || masked != 0;
}

static bool pebs_is_left(const struct kernel *kernel, const struct cpu *cpu,
    const struct usage_by *by)
{
    (void)kernel;
    return by->value != 0 && peek(cpu, IA32_PEBS_ENABLE) != 0;
}

/* What a driver has left of one register, processor by processor. */
struct left {
    struct kernel *kernel;
    const struct driver *driver;
    uint32_t next; /* the processor to begin with */
};

/* Who left it on the next processor; NULL: there is none more. */
static struct usage_by *next_left(struct left *left, enum leak leak)
{
    struct kernel *kernel = left->kernel;

    assert(left->driver != NULL);
    while (left->next < kernel->machine->config.processors) {
        const struct cpu *cpu = machine_cpu(kernel->machine, left->next);
        struct usage_processor *at = kernel->usage->processor[left->next];
        struct usage_by *by = NULL;

        left->next++;
        if (at != NULL) {
            by = leak == LEAK_LVTPC ? &at->lvtpc : &at->pebs;
        }
        if (by != NULL && by->driver == left->driver &&
            (leak == LEAK_LVTPC ? lvtpc_is_left : pebs_is_left)(
                kernel, cpu, by)) {
            return by;
        }
    }
    return NULL;
}

static void list_left(
    struct kernel *kernel, const struct leak_listing *listing, enum leak leak)
{
    struct left left = {kernel, listing->driver, 0};
    const struct usage_by *by;
    char text[24];

    while ((by = next_left(&left, leak)) != NULL) {
        snprintf(text, sizeof(text), "processor %u", (unsigned)left.next - 1);
        leaks_found(listing, leak, text, by->step);
    }
}

static void report_left(struct kernel *kernel, struct cpu *cpu,
    const struct driver *driver, enum leak leak)
{
    struct left left = {kernel, driver, 0};
    struct usage_by *by;
    char text[24];

    while ((by = next_left(&left, leak)) != NULL) {
        if (!leaks_is_news(&by->reported)) {
            continue;
        }
        snprintf(text, sizeof(text), "processor %u", (unsigned)left.next - 1);
        rule_warn_of(kernel, cpu,
            leak == LEAK_LVTPC ? RULE_LEAK_LVTPC : RULE_LEAK_PEBS,
            ROUTINE_COUNT, by->place, text);
    }
}

static void list_lvtpc(
    struct kernel *kernel, const struct leak_listing *listing)
{
    list_left(kernel, listing, LEAK_LVTPC);
}

static void list_pebs(struct kernel *kernel, const struct leak_listing *listing)
{
    list_left(kernel, listing, LEAK_PEBS);
}

static void report_lvtpc(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    report_left(kernel, cpu, driver, LEAK_LVTPC);
}

static void report_pebs(
    struct kernel *kernel, struct cpu *cpu, const struct driver *driver)
{
    report_left(kernel, cpu, driver, LEAK_PEBS);
}

const struct leak_source usage_lvtpc_leaks = {
    LEAK_LVTPC, list_lvtpc, report_lvtpc, NULL};
const struct leak_source usage_pebs_leaks = {
    LEAK_PEBS, list_pebs, report_pebs, NULL};
