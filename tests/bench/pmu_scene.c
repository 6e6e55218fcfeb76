/* pmu_scene.c - the machine of the family pmu. */
#include "tests/bench/pmu_scene.h"

#include <assert.h>

#include "sim/machine/msr.h"
#include "sim/machine/strand.h"
#include "tests/bench/stopwatch.h"

enum {
    IA32_PMC0 = 0x0C1,
    IA32_PERFEVTSEL0 = 0x186,
    IA32_FIXED_CTR_CTRL = 0x38D,
    IA32_PERF_GLOBAL_CTRL = 0x38F,
    IA32_PERF_GLOBAL_OVF_CTRL = 0x390,
    IA32_X2APIC_EOI = 0x80B,
    IA32_X2APIC_LVT_PMI = 0x834,
    USER_BRANCHES_INT = 0x5100C4, /* EN, INT, USR */
    USER_CYCLES = 0x41003C,
    CYCLES = 0x43003C, /* EN, OS, USR */
    INSTRUCTIONS = 0x4300C0,
    VECTOR = 0xFE,
    PERIOD = 1000,
    LOADS = 64,
    CALLS = 16,
    FIXED_WORK_RUNS = 20000,
};

static void write_msr(struct cpu *cpu, uint32_t address, uint64_t value)
{
    enum msr_result result = msr_write(cpu, address, value);

    assert(result == MSR_OK);
    (void)result;
}

static void handle(void *context, struct cpu *cpu, uint8_t vector)
{
    (void)context;
    (void)vector;
    write_msr(cpu, IA32_PMC0, UINT64_C(0x100000000) - PERIOD);
    write_msr(cpu, IA32_PERF_GLOBAL_OVF_CTRL, 1);
    write_msr(cpu, IA32_X2APIC_LVT_PMI, VECTOR);
    write_msr(cpu, IA32_X2APIC_EOI, 0);
}

static void scene_init(struct machine *machine, uint32_t processors)
{
    struct machine_config config = {.processors = processors,
        .groups =
            (processors + LIMIT_GROUP_PROCESSORS - 1) / LIMIT_GROUP_PROCESSORS,
        .pmu = pmu_models[MODEL_INTEL_V4]};
    bool ready = machine_reserve(machine);

    config.pmu.latency = 0; /* so that no event is lost behind a wrap */
    config.pmu.skid = 0;
    assert(ready);
    (void)ready;
    machine_reset(machine, &config);
    machine->trace.off = true;
    machine->budget = UINT64_MAX;
    machine_on_interrupt(machine, handle, NULL);
}

static void scene_go(struct machine *machine)
{
    enum machine_end end = machine_run(machine);

    assert(end == MACHINE_IDLE);
    (void)end;
}

/* What one processor is to do. */
struct share {
    const struct pmu_load *load;
    struct cpu *cpu;
    unsigned overflows;
};

static void program(const struct pmu_load *load, struct cpu *cpu)
{
    write_msr(cpu, IA32_X2APIC_LVT_PMI, VECTOR);
    write_msr(cpu, IA32_PMC0, UINT64_C(0x100000000) - PERIOD);
    write_msr(cpu, IA32_PERFEVTSEL0, USER_BRANCHES_INT);
    for (unsigned n = 1; n < load->counters; n++) {
        write_msr(cpu, IA32_PERFEVTSEL0 + n, USER_CYCLES);
    }
}

/* Half a period is left at the end, so that skid does not matter. */
static void run_share(void *argument)
{
    const struct share *share = argument;
    const struct pmu_load *load = share->load;
    uint64_t each = load->cycles / load->segments;

    if (load->stagger > 0 && share->cpu->index > 0) {
        struct segment wait;

        segment_init(&wait, share->cpu->pmu.model, cpu_unhalted(share->cpu),
            load->stagger * share->cpu->index, RING_KERNEL);
        wait.halted = true;
        cpu_run_segment(share->cpu, &wait);
    }
    program(load, share->cpu);
    for (unsigned i = 0; i < load->segments; i++) {
        struct segment segment;

        segment_init(&segment, share->cpu->pmu.model, cpu_unhalted(share->cpu),
            each, RING_USER);
        segment.rate[EVENT_BRANCHES] = (struct rate){
            .p = 2 * share->overflows + 1, .q = load->cycles / (PERIOD / 2)};
        cpu_run_segment(share->cpu, &segment);
        cpu_settle(share->cpu);
    }
}

static double run_load(const struct pmu_load *load, struct machine *machine)
{
    struct share share[LIMIT_PROCESSORS];
    unsigned taken = 0;
    double start;

    scene_init(machine, load->processors);
    for (uint32_t i = 0; i < load->processors; i++) {
        struct strand *strand;

        share[i] = (struct share){.load = load,
            .cpu = machine_cpu(machine, i),
            .overflows = load->overflows / load->processors +
                         (i < load->overflows % load->processors)};
        strand = strand_spawn(share[i].cpu, run_share, &share[i], NULL);
        assert(strand != NULL);
        (void)strand;
    }
    start = stopwatch_ns();
    scene_go(machine);
    start = stopwatch_ns() - start;
    for (uint32_t i = 0; i < load->processors; i++) {
        taken += (unsigned)machine_cpu(machine, i)->taken;
    }
    assert(taken == load->overflows);
    return start;
}

double pmu_scene_time(const struct pmu_load *load)
{
    struct machine machine;
    double ns = run_load(load, &machine);

    machine_release(&machine);
    return ns;
}

void pmu_scene_run(const struct pmu_load *load)
{
    static struct machine machine; /* stays, so that it can be looked at */

    run_load(load, &machine);
}

struct link {
    struct link *volatile next;
};

static void (*volatile call)(void);

static void nothing(void)
{
}

double pmu_scene_fixed_work(void)
{
    struct link ring[LOADS];
    const struct link *at = ring;
    double start;

    for (unsigned i = 0; i < LOADS; i++) {
        ring[i].next = &ring[(i + 1) % LOADS];
    }
    call = nothing;
    start = stopwatch_ns();
    for (unsigned run = 0; run < FIXED_WORK_RUNS; run++) {
        for (unsigned i = 0; i < LOADS; i++) {
            at = at->next;
        }
        for (unsigned i = 0; i < CALLS; i++) {
            call();
        }
    }
    start = stopwatch_ns() - start;
    assert(at == ring);
    return start / FIXED_WORK_RUNS;
}
