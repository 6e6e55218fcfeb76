/* system_registers.h - the registers of system.def: which a part has, which
 * bits each refuses, what it reads and what a write does. Knows neither
 * addresses nor accesses, which are msr.h's. */
#ifndef SIM_MACHINE_SYSTEM_REGISTERS_H
#define SIM_MACHINE_SYSTEM_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/pmu/model.h"

struct cpu;

/* What software sees at the addresses, apart from time. */
struct system_registers {
    uint64_t tsc_ahead; /* of the count since RESET, modulo 2^64 */
    uint64_t mperf_ahead;
    uint64_t aperf_ahead;
    uint64_t bios_sign; /* IA32_BIOS_SIGN_ID */
    uint64_t efer;
};

/* After RESET and what firmware does: the microcode update is loaded, and EFER
 * is 0 until machine_set_efer(). */
void system_registers_init(
    struct system_registers *system, const struct pmu_model *model);

/* What RDTSC reads: the model's `tsc` for every cycle, halted or not. */
uint64_t system_tsc(const struct cpu *cpu);

/* CPUID.1 shows Intel's microcode revision in IA32_BIOS_SIGN_ID. */
void system_on_cpuid(struct cpu *cpu, uint32_t leaf);

/* The functions that system.def names, as in x86_registers.h. */
#define MSR_READ_SYSTEM_CALL(name)                                             \
    uint64_t msr_read_##name(const struct cpu *cpu);
#define MSR_READ_SYSTEM_FIELD(member)
#define MSR_WRITE_SYSTEM_CALL(name)                                            \
    void msr_write_##name(struct cpu *cpu, uint64_t value);
#define MSR_WRITE_SYSTEM_FIELD(member)
#define MSR_WRITE_NOTHING
#define MSR(                                                                   \
    name, address, stride, most, exists_, access, reserved_, read, write)      \
    bool msr_exists_##exists_(const struct pmu_model *model, unsigned n);      \
    uint64_t msr_reserved_##reserved_(                                         \
        const struct pmu_model *model, uint64_t value);                        \
    MSR_READ_##read MSR_WRITE_##write
#include "sim/machine/system.def"
#undef MSR
#undef MSR_READ_SYSTEM_CALL
#undef MSR_READ_SYSTEM_FIELD
#undef MSR_WRITE_SYSTEM_CALL
#undef MSR_WRITE_SYSTEM_FIELD
#undef MSR_WRITE_NOTHING

#endif
