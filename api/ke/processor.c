/* processor.c - processors counted, named and found: by index, by group and
 * number (facts.md 7.5). Those that are active stay so (GRP-10). */
#include "api/ke/processor.h"

#include <assert.h>
#include <stddef.h>

#include "api/core/kernel.h"
#include "api/core/routine.h"
#include "api/core/routine_bodies.h"
#include "api/mm/copy.h"

enum { ALL_PROCESSOR_GROUPS = 0xFFFF }; /* GRP-01 */

#define INVALID_PROCESSOR_INDEX UINT32_MAX

struct cpu *processor_find(
    struct kernel *kernel, uint32_t group, uint32_t number)
{
    const struct topology *topology = &kernel->machine->topology;
    struct cpu *cpu;

    if (group >= topology->groups || number >= topology->group_size[group]) {
        return NULL;
    }
    cpu = machine_cpu(kernel->machine, topology->group_first[group] + number);
    assert(cpu->group == group && cpu->number == number);
    return cpu;
}

static PROCESSOR_NUMBER number_of(const struct cpu *cpu)
{
    return (PROCESSOR_NUMBER){.Group = cpu->group, .Number = cpu->number};
}

USHORT KeQueryActiveGroupCount_body(void)
{
    return kernel_current()->machine->topology.groups;
}

ULONG KeQueryActiveProcessorCountEx_body(USHORT GroupNumber)
{
    const struct topology *topology = &kernel_current()->machine->topology;

    if (GroupNumber == ALL_PROCESSOR_GROUPS) {
        return topology->processors;
    }
    return GroupNumber < topology->groups ? topology->group_size[GroupNumber]
                                          : 0;
}

ULONG KeQueryMaximumProcessorCountEx_body(USHORT GroupNumber)
{
    const struct topology *all = &kernel_current()->machine->all;

    if (GroupNumber == ALL_PROCESSOR_GROUPS) {
        return all->processors;
    }
    return GroupNumber < all->groups ? all->group_size[GroupNumber] : 0;
}

USHORT KeQueryMaximumGroupCount_body(void)
{
    return kernel_current()->machine->all.groups;
}

/* From before there were groups: it knows group 0 only (reference page of
 * KeQueryActiveProcessorCountEx). */
ULONG KeQueryActiveProcessorCount_body(PKAFFINITY ActiveProcessors)
{
    struct kernel *kernel = kernel_current();
    const struct topology *topology = &kernel->machine->topology;
    const KAFFINITY mask = topology_mask(topology, 0);

    if (ActiveProcessors != NULL) {
        copy_out(kernel, ROUTINE_KeQueryActiveProcessorCount, ActiveProcessors,
            &mask, sizeof(mask));
    }
    return topology->group_size[0];
}

KAFFINITY KeQueryActiveProcessors_body(void)
{
    return topology_mask(&kernel_current()->machine->topology, 0);
}

ULONG KeQueryMaximumProcessorCount_body(void)
{
    return kernel_current()->machine->all.group_size[0];
}

/* In another group it is that group's number, where group 0 has one, or else
 * its last (AFF-04). */
ULONG KeGetCurrentProcessorNumber_body(void)
{
    struct kernel *kernel = kernel_current();
    const struct cpu *cpu = kernel_cpu(kernel);
    ULONG last = kernel->machine->topology.group_size[0] - 1U;

    assert(cpu->group != 0 || cpu->number <= last);
    return cpu->number < last ? cpu->number : last;
}

KAFFINITY KeQueryGroupAffinity_body(USHORT GroupNumber)
{
    return topology_mask(&kernel_current()->machine->topology, GroupNumber);
}

ULONG KeGetCurrentProcessorNumberEx_body(PPROCESSOR_NUMBER ProcNumber)
{
    struct kernel *kernel = kernel_current();
    const struct cpu *cpu = kernel_cpu(kernel);
    const PROCESSOR_NUMBER number = number_of(cpu);

    if (ProcNumber != NULL) {
        copy_out(kernel, ROUTINE_KeGetCurrentProcessorNumberEx, ProcNumber,
            &number, sizeof(number));
    }
    return cpu->index;
}

NTSTATUS KeGetProcessorNumberFromIndex_body(
    ULONG ProcIndex, PPROCESSOR_NUMBER ProcNumber)
{
    struct kernel *kernel = kernel_current();
    PROCESSOR_NUMBER number;

    if (ProcIndex >= kernel->machine->topology.processors) {
        return STATUS_INVALID_PARAMETER; /* GRP-06 */
    }
    number = number_of(machine_cpu(kernel->machine, ProcIndex));
    copy_out(kernel, ROUTINE_KeGetProcessorNumberFromIndex, ProcNumber, &number,
        sizeof(number));
    return STATUS_SUCCESS;
}

/* Interrupts are taken meanwhile, so it may last longer (STALL-01). */
VOID KeStallExecutionProcessor_body(ULONG MicroSeconds)
{
    struct kernel *kernel = kernel_current();

    cpu_stall(kernel_cpu(kernel),
        (uint64_t)MicroSeconds * kernel->machine->config.pmu.mhz);
}

/* What Reserved holds is not looked at: no source says that it matters. */
ULONG KeGetProcessorIndexFromNumber_body(PPROCESSOR_NUMBER ProcNumber)
{
    struct kernel *kernel = kernel_current();
    PROCESSOR_NUMBER number;
    const struct cpu *cpu;

    copy_in(kernel, ROUTINE_KeGetProcessorIndexFromNumber, &number, ProcNumber,
        sizeof(number));
    cpu = processor_find(kernel, number.Group, number.Number);
    return cpu == NULL ? INVALID_PROCESSOR_INDEX : cpu->index;
}
