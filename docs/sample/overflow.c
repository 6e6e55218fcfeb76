/* overflow.c - counts instructions until the counter overflows, three times. */
#include <inttypes.h>
#include <stdio.h>

#include "sim/lone_cpu.h"

enum { PMC0 = 0xC1, PERFEVTSEL0 = 0x186, GLOBAL_STATUS = 0x38E };
enum { GLOBAL_OVF_CTRL = 0x390, X2APIC_EOI = 0x80B, X2APIC_LVT_PMI = 0x834 };
enum { INSTRUCTIONS = 0x5300C0, VECTOR = 0xFE, PERIOD = 1000 };

static void on_pmi(void *context, uint8_t vector)
{
    struct lone_cpu *cpu = context;
    uint64_t status = 0, count = 0;

    lone_cpu_rdmsr(cpu, GLOBAL_STATUS, &status);
    lone_cpu_rdmsr(cpu, PMC0, &count);
    printf("cycle %" PRIu64 ": vector %X, status %" PRIX64 ", count %" PRIu64
           "\n",
        lone_cpu_time(cpu), vector, status, count);
    lone_cpu_wrmsr(cpu, PMC0, (uint32_t)-PERIOD);
    lone_cpu_wrmsr(cpu, GLOBAL_OVF_CTRL, status);
    lone_cpu_wrmsr(cpu, X2APIC_LVT_PMI, VECTOR);
    lone_cpu_wrmsr(cpu, X2APIC_EOI, 0);
}

int main(void)
{
    struct lone_work work = {.cycles = 10000, .ring = LONE_USER};
    struct lone_cpu *cpu = lone_cpu_make(lone_model_find("skylake"));

    work.total[LONE_INSTRUCTIONS] = 3500;
    lone_cpu_on_interrupt(cpu, on_pmi, cpu);
    lone_cpu_wrmsr(cpu, X2APIC_LVT_PMI, VECTOR);
    lone_cpu_wrmsr(cpu, PMC0, (uint32_t)-PERIOD);
    lone_cpu_wrmsr(cpu, PERFEVTSEL0, INSTRUCTIONS);
    lone_cpu_run(cpu, &work);
    lone_cpu_free(cpu);
}
