/* armv8_registers.h - MRS and MSR of the PMUv3 registers, as code at an
 * exception level executes them, and the table of armv8.def. A refusal is a
 * result, and changes nothing. */
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

/* The same at EL1, of a register that is known to be there, and to be read: any
 * other asserts. */
uint64_t armv8_read_known(const struct armv8_pmu *pmu, uint32_t reg);

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

/* The registers of armv8.def by their encodings, of several with numbers in
 * their names the first: PMEVCNTR_EL0 is PMEVCNTR0_EL0. */
enum armv8_register {
#define ARMV8(name, suffix, op1, crn, crm, op2, ...)                           \
    name##_##suffix = ARMV8_ENCODE(3, op1, crn, crm, op2),
#include "sim/pmu/armv8.def"
};

/* The rows of armv8.def, for whoever explains registers. */
enum armv8_register_row {
#define ARMV8(name, suffix, ...) ARMV8_##name##_##suffix,
#include "sim/pmu/armv8.def"
    ARMV8_ROWS
};

enum armv8_row_access {
    ARMV8_ACCESS_RW,
    ARMV8_ACCESS_RO,
    ARMV8_ACCESS_WO,
};

/* Which counter a register is about. */
enum armv8_which {
    ARMV8_WHICH_NONE,
    ARMV8_WHICH_CYCLES,
    ARMV8_WHICH_NUMBERED,
    ARMV8_WHICH_SELECTED,      /* by PMSELR_EL0 */
    ARMV8_WHICH_SELECTED_TYPE, /* the same, and 31 is the cycle counter */
};

/* Stands beside the bits of PMUSERENR_EL0 for what needs none of them. */
enum { ARMV8_USER_ALWAYS = 16 };

/* The counter that an access is about, and the level that it comes from. */
struct armv8_access {
    unsigned n, el;
};

/* A register reads a field of struct armv8_pmu, of the counter that it is about
 * where it has several, or the counters of a mask that the level sees, or what
 * a function says; with none of these it reads 0. */
struct armv8_row_read {
    size_t field; /* of 64 bits; 0: none */
    size_t seen;  /* a mask of counters, of 32; 0: none */
    uint64_t (*call)(const struct armv8_pmu *pmu, struct armv8_access access);
};

/* A write goes to a field, and to these bits of it only, or to a function; or
 * nowhere. */
struct armv8_row_write {
    size_t field;
    uint64_t bits;
    void (*call)(
        struct armv8_pmu *pmu, struct armv8_access access, uint64_t value);
};

struct armv8_row {
    const char *name, *suffix; /* a number may stand between them */
    uint32_t reg;              /* of the first */
    uint8_t op1;
    uint8_t count;
    uint8_t since; /* enum armv8_version; ARMV8_NO_PMU: not the PMU's */
    enum armv8_row_access access;
    /* Bits of PMUSERENR_EL0, one of which lets EL0; 0: undefined there. */
    uint8_t user_read, user_write;
    enum armv8_which which;
    struct armv8_row_read read;
    struct armv8_row_write write;
};

extern const struct armv8_row armv8_rows[ARMV8_ROWS];

#endif
