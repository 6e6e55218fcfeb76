/* x86_registers.h - the PMU's registers of Intel and AMD: which a model has,
 * which bits it refuses, what each reads and does (pmu.md 1.2, 1.5, 1.6). Knows
 * neither addresses nor accesses, which are msr.h's. */
#ifndef SIM_PMU_X86_REGISTERS_H
#define SIM_PMU_X86_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/limits.h"
#include "sim/pmu/pmu.h"

/* The bits of an AMD event select: 19, 21, 39:36 and 63:42 are reserved; 40 and
 * 41 choose between a host and its guests, of which the model has none. What is
 * written to the others is left out (pmu.md 1.6). */
#define AMD_SELECT_BITS UINT64_C(0x0000030FFFD7FFFF)

/* In a guest, which has no guests, 40 and 41 are reserved as well. */
#define AMD_SELECT_BITS_OF_GUEST UINT64_C(0x0000000FFFD7FFFF)

/* IA32_PERF_CAPABILITIES; 0 when there is none. With PEBS bits 6 (records are
 * written at the end of the instruction) and 7 (they hold registers) are set.
 */
uint64_t intel_capabilities(const struct pmu_model *model);

/* The functions that intel.def and amd.def name: whether the model has the n-th
 * register of the row; which of the bits of `value` it refuses; what the
 * n-th reads, without effect; what a write does, of a value without such bits.
 * FIELD, COUNTER, ZERO and NOTHING have none. */
#define MSR_READ_CALL(name)                                                    \
    uint64_t msr_read_##name(const struct pmu *pmu, unsigned n);
#define MSR_READ_FIELD(member)
#define MSR_READ_COUNTER(slot)
#define MSR_READ_ZERO
#define MSR_WRITE_CALL(name)                                                   \
    void msr_write_##name(struct pmu *pmu, unsigned n, uint64_t value);
#define MSR_WRITE_FIELD(member)
#define MSR_WRITE_NOTHING
#define MSR(                                                                   \
    name, address, stride, most, exists_, access, reserved_, read, write)      \
    bool msr_exists_##exists_(const struct pmu_model *model, unsigned n);      \
    uint64_t msr_reserved_##reserved_(                                         \
        const struct pmu_model *model, uint64_t value);                        \
    MSR_READ_##read MSR_WRITE_##write
#include "sim/pmu/amd.def"
#include "sim/pmu/intel.def"
#undef MSR
#undef MSR_READ_CALL
#undef MSR_READ_FIELD
#undef MSR_READ_COUNTER
#undef MSR_READ_ZERO
#undef MSR_WRITE_CALL
#undef MSR_WRITE_FIELD
#undef MSR_WRITE_NOTHING

#endif
