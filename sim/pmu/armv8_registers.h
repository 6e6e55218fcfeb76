/* armv8_registers.h - MRS and MSR of the PMUv3 registers, as code at an
 * exception level executes them. A refusal is a result, and changes nothing. */
#ifndef SIM_PMU_ARMV8_REGISTERS_H
#define SIM_PMU_ARMV8_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/pmu/armv8.h"

enum armv8_result {
    ARMV8_OK,
    ARMV8_UNDEF,    /* undefined at this level */
    ARMV8_TRAP_EL1, /* PMUSERENR_EL0 keeps EL0 out */
    ARMV8_TRAP_EL2, /* MDCR_EL2.TPM or TPMCR keeps EL0 and EL1 out */
};

/* A register by its encoding, packed as ARM64_SYSREG() of winnt.h does it;
 * op0 is 2 or 3. */
#define ARMV8_ENCODE(op0, op1, crn, crm, op2)                                  \
    (UINT32_C(op0) % 2 << 14 | UINT32_C(op1) << 11 | UINT32_C(crn) << 7 |      \
        UINT32_C(crm) << 3 | UINT32_C(op2))

/* What MRS at `el`, 0 to 2, reads. `*value` is written on ARMV8_OK only. */
enum armv8_result armv8_read(
    const struct armv8_pmu *pmu, uint32_t reg, unsigned el, uint64_t *value);

/* What MSR at `el` does. Reserved bits are ignored, none of them faults. */
enum armv8_result armv8_write(
    struct armv8_pmu *pmu, uint32_t reg, unsigned el, uint64_t value);

/* Writes the name of the n-th register of all that a part may have, for lists
 * and suggestions. Returns false when there are not that many. */
bool armv8_register_name(size_t n, char *name, size_t size);

/* Writes what the register is called: the name that it has on some part, else
 * by its encoding, S3_0_C9_C12_0, as assemblers take it. */
void armv8_register_spell(uint32_t reg, char *name, size_t size);

/* The register that a name such as PMEVCNTR0_EL0 stands for, also where a part
 * lacks it. Returns false when there is no such name. */
bool armv8_register_find(const char *name, uint32_t *reg);

#endif
