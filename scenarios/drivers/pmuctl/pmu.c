/* pmu.c - each access goes to its processor with the thread, and comes back. */
#include "scenarios/drivers/pmuctl/pmu.h"

#include <intrin.h>

#include "scenarios/drivers/pmuctl/defects.h"

enum {
    CPUID_PMU = 0x0A,
    IA32_PMC0 = 0x0C1,
    IA32_PERFEVTSEL0 = 0x186,
    IA32_PERF_GLOBAL_STATUS = 0x38E,
    IA32_PERF_GLOBAL_CTRL = 0x38F,
    IA32_PEBS_ENABLE = 0x3F1,
    IA32_X2APIC_LVT_PMI = 0x834,
    LVTPC_MASKED = 1 << 16,
    SELECT_INT = 1 << 20,
};

/* How many counters the current processor has: processors may differ. */
static ULONG counters_here(VOID)
{
    int leaf[4];

    __cpuid(leaf, 0);
    if (leaf[0] < CPUID_PMU) {
        return 0;
    }
    __cpuid(leaf, CPUID_PMU);
    return (leaf[0] & 0xFF) < 2 ? 0 : (leaf[0] >> 8) & 0xFF;
}

/* Takes the thread to a processor; *before brings it back. */
static BOOLEAN go_to(ULONG processor, PGROUP_AFFINITY before)
{
    GROUP_AFFINITY there = {0};
    PROCESSOR_NUMBER number;

    if (!NT_SUCCESS(KeGetProcessorNumberFromIndex(processor, &number))) {
        return FALSE;
    }
    there.Group = number.Group;
    there.Mask = (KAFFINITY)1 << number.Number;
    KeSetSystemGroupAffinityThread(&there, before);
    return TRUE;
}

/* Off, preset, on: in between it counts for nobody. */
static VOID start_here(ULONG n, ULONG64 select, ULONG64 initial)
{
    __writemsr(IA32_PERFEVTSEL0 + n, 0);
    __writemsr(IA32_PMC0 + n, initial);
    if (DEFECT == DEFECT_LVTPC_LEFT) {
        __writemsr(IA32_X2APIC_LVT_PMI, LVTPC_MASKED);
    }
    if (DEFECT == DEFECT_PEBS_LEFT) {
        __writemsr(IA32_PEBS_ENABLE, 1ULL << n);
    }
    __writemsr(
        IA32_PERF_GLOBAL_CTRL, __readmsr(IA32_PERF_GLOBAL_CTRL) | 1ULL << n);
    __writemsr(IA32_PERFEVTSEL0 + n, select);
}

/* The bits that are reserved in a select differ from model to model, so the
 * processor judges them. */
static NTSTATUS program_here(const struct pmuctl_program *program)
{
    if (program->Counter >= counters_here()) {
        return STATUS_INVALID_PARAMETER;
    }
    __try {
        start_here(
            program->Counter, program->Select, (ULONG64)program->Initial);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return GetExceptionCode();
    }
    return STATUS_SUCCESS;
}

NTSTATUS pmu_program(const struct pmuctl_program *program)
{
    GROUP_AFFINITY before;
    NTSTATUS status;

    /* A write to a counter extends the sign of 32 bits. There is nobody here
     * to handle an overflow's interrupt. */
    if (program->Initial != (LONG)program->Initial ||
        (program->Select & SELECT_INT) != 0 ||
        !go_to(program->Processor, &before)) {
        return STATUS_INVALID_PARAMETER;
    }
    status = program_here(program);
    KeRevertToUserGroupAffinityThread(&before);
    return status;
}

/* At DISPATCH_LEVEL, so that no other thread counts between the reads. */
static NTSTATUS read_here(ULONG n, struct pmuctl_count *count)
{
    KIRQL irql;

    KeRaiseIrql(DISPATCH_LEVEL, &irql);
    if (n >= counters_here()) {
        if (DEFECT != DEFECT_IRQL_KEPT) {
            KeLowerIrql(irql);
        }
        return STATUS_INVALID_PARAMETER;
    }
    count->Value = __readpmc(n);
    count->Select = __readmsr(IA32_PERFEVTSEL0 + n);
    count->Overflowed = __readmsr(IA32_PERF_GLOBAL_STATUS) >> n & 1;
    KeLowerIrql(irql);
    return STATUS_SUCCESS;
}

NTSTATUS pmu_read(
    const struct pmuctl_counter *counter, struct pmuctl_count *count)
{
    GROUP_AFFINITY before;
    NTSTATUS status;

    if (!go_to(counter->Processor, &before)) {
        return STATUS_INVALID_PARAMETER;
    }
    status = read_here(counter->Counter, count);
    KeRevertToUserGroupAffinityThread(&before);
    return status;
}

static NTSTATUS read_register_here(ULONG index, ULONG64 *value)
{
    if (DEFECT == DEFECT_NO_SEH) {
        *value = __readmsr(index);
        return STATUS_SUCCESS;
    }
    __try {
        *value = __readmsr(index);
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        return GetExceptionCode();
    }
    return STATUS_SUCCESS;
}

NTSTATUS pmu_read_register(
    const struct pmuctl_register *request, ULONG64 *value)
{
    GROUP_AFFINITY before;
    NTSTATUS status;

    if (!go_to(request->Processor, &before)) {
        return STATUS_INVALID_PARAMETER;
    }
    status = read_register_here(request->Index, value);
    if (DEFECT == DEFECT_AFFINITY_KEPT && !NT_SUCCESS(status)) {
        return status;
    }
    KeRevertToUserGroupAffinityThread(&before);
    return status;
}

VOID pmu_stop(VOID)
{
    ULONG processors = KeQueryActiveProcessorCountEx(ALL_PROCESSOR_GROUPS);
    GROUP_AFFINITY before;

    for (ULONG i = 0; i < processors && go_to(i, &before); i++) {
        for (ULONG n = 0; n < counters_here(); n++) {
            __writemsr(IA32_PERFEVTSEL0 + n, 0);
            __writemsr(IA32_PMC0 + n, 0);
        }
        KeRevertToUserGroupAffinityThread(&before);
    }
}
