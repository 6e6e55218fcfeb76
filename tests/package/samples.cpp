// samples.cpp - records of PEBS, and the interrupt at their threshold, in C++.
#include <cinttypes>
#include <cstdio>

#include "sim/lone_cpu.h"

namespace
{

enum : std::uint32_t {
    PMC0 = 0xC1,
    PERFEVTSEL0 = 0x186,
    GLOBAL_OVF_CTRL = 0x390,
    PEBS_ENABLE = 0x3F1,
    DS_AREA = 0x600,
    X2APIC_EOI = 0x80B,
    X2APIC_LVT_PMI = 0x834,
    USER_INSTRUCTIONS = 0x4100C0,
    RECORD_BYTES = 200,
    RECORDS = 4,
};

struct ds_area {
    std::uint64_t branches[4];
    std::uint64_t base, index, maximum, threshold;
    std::uint64_t reset[12];
};

struct scene {
    lone_cpu *cpu;
    ds_area *area;
};

void full(void *context, std::uint8_t vector)
{
    const scene *at = static_cast<scene *>(context);

    std::printf("cycle %" PRIu64 ": vector %X, %u records\n",
        lone_cpu_time(at->cpu), static_cast<unsigned>(vector),
        static_cast<unsigned>(
            (at->area->index - at->area->base) / RECORD_BYTES));
    at->area->index = at->area->base;
    lone_cpu_wrmsr(at->cpu, GLOBAL_OVF_CTRL, UINT64_C(1) << 62);
    lone_cpu_wrmsr(at->cpu, X2APIC_LVT_PMI, 0xFE);
    lone_cpu_wrmsr(at->cpu, X2APIC_EOI, 0);
}

} // namespace

int main()
{
    lone_model model = *lone_model_find("skylake");
    scene at{};
    lone_work work{};

    model.latency = 0;
    at.cpu = lone_cpu_make(&model);
    if (at.cpu == nullptr) {
        return 1;
    }
    at.area = static_cast<ds_area *>(lone_cpu_memory(at.cpu, sizeof(ds_area)));
    at.area->base = at.area->index = reinterpret_cast<std::uintptr_t>(
        lone_cpu_memory(at.cpu, RECORDS * RECORD_BYTES));
    at.area->maximum = at.area->base + RECORDS * RECORD_BYTES;
    at.area->threshold = at.area->maximum;
    at.area->reset[0] = (UINT64_C(1) << 48) - 99;
    lone_cpu_on_interrupt(at.cpu, full, &at);
    lone_cpu_wrmsr(at.cpu, X2APIC_LVT_PMI, 0xFE);
    lone_cpu_wrmsr(at.cpu, DS_AREA, reinterpret_cast<std::uintptr_t>(at.area));
    lone_cpu_wrmsr(at.cpu, PEBS_ENABLE, 1);
    lone_cpu_wrmsr(at.cpu, PMC0, UINT32_MAX - 98);
    lone_cpu_wrmsr(at.cpu, PERFEVTSEL0, USER_INSTRUCTIONS);
    work.cycles = 10000;
    work.ring = LONE_USER;
    work.total[LONE_INSTRUCTIONS] = 1000;
    lone_cpu_run(at.cpu, &work);
    std::printf("%u records left, %u lost\n",
        static_cast<unsigned>((at.area->index - at.area->base) / RECORD_BYTES),
        lone_cpu_lost_records(at.cpu));
    lone_cpu_free(at.cpu);
}
