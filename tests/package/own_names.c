/* own_names.c - a program whose own names are those of the model's insides. */
#include <inttypes.h>
#include <stdio.h>

#define EVENT 1
#define FIELD 2
#define VENDOR 3
#include "sim/lone_cpu.h"

struct pmu {
    uint64_t counts[EVENT + FIELD + VENDOR];
};
enum event { EVENT_INSTRUCTIONS };
enum ring { RING_KERNEL, RING_USER };

void pmu_init(struct pmu *pmu);
void cpu_init(struct pmu *pmu, enum event event, enum ring ring);
const char *model_find(const char *name);
int trace_add(int a, int b);

void pmu_init(struct pmu *pmu)
{
    *pmu = (struct pmu){{0}};
}

void cpu_init(struct pmu *pmu, enum event event, enum ring ring)
{
    pmu->counts[event] = ring;
}

const char *model_find(const char *name)
{
    return name;
}

int trace_add(int a, int b)
{
    return a + b;
}

int main(void)
{
    struct lone_cpu *cpu = lone_cpu_make(lone_model_find(model_find("zen4")));
    struct lone_work work = {.cycles = 1000, .ring = LONE_USER};
    struct pmu own;
    uint64_t count = 0;

    pmu_init(&own);
    cpu_init(&own, EVENT_INSTRUCTIONS, RING_USER);
    work.total[LONE_INSTRUCTIONS] = 42;
    if (cpu == NULL || !lone_cpu_wrmsr(cpu, 0xC0010200, 0x4100C0) ||
        !lone_cpu_run(cpu, &work) || !lone_cpu_rdmsr(cpu, 0xC0010201, &count)) {
        return 1;
    }
    printf("%" PRIu64 " and %d of its own, %s\n", count,
        trace_add((int)own.counts[0], 0), lone_model_problem(NULL));
    lone_cpu_free(cpu);
}
