/* armv8_registers.c - PMUv3's registers: what each holds and does, and who may.
 *
 * There is one pipeline for every access: find the row, check who asks and
 * whether the counter is there, then read or write. Reserved bits ignore
 * writes: none is ever stored. */
#include "sim/pmu/armv8_registers.h"

#include <assert.h>
#include <string.h>

#include "sim/base/bits.h"

enum {
    /* PMEVTYPER<n>_EL0: bits 31 to 26 filter; the event has ten bits, or 16
     * since PMUv3p1 */
    TYPE_FILTER_BITS = 6,
    TYPE_FILTER = 26,
    /* ID_AA64DFR0_EL1 */
    DFR0_DEBUG_VERSION = 6, /* Armv8 */
    DFR0_PMU_VERSION = 8,
    /* PMUSERENR_EL0 */
    EN = 1,
    SW = 2,
    CR = 4,
    ER = 8,
    /* columns of armv8.def beside these */
    ALWAYS = ARMV8_USER_ALWAYS,
    NEVER = 0,
};

/* Counters that code at this level sees in PMCNTENSET_EL0 and the like; the
 * bits of others read as zero and ignore writes. */
static uint32_t visible(const struct armv8_pmu *pmu, unsigned el)
{
    return pmu->lower | (el >= 2 ? pmu->upper : 0) | armv8_mask(ARMV8_CYCLES);
}

/* Breakpoints and the other debug features are not modelled [C]. */
static uint64_t read_dfr0(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    (void)access;
    return (uint64_t)pmu->features->pmu_version << DFR0_PMU_VERSION |
           DFR0_DEBUG_VERSION;
}

static uint64_t read_pmcr(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    return pmu->pmcr |
           (uint64_t)armv8_accessible(pmu, access.el) << ARMV8_PMCR_N |
           (uint64_t)pmu->features->id_code << ARMV8_PMCR_IDCODE |
           (uint64_t)pmu->features->implementer << ARMV8_PMCR_IMP;
}

/* Bits that keep what is written. X does not: there is no event bus. */
static uint64_t pmcr_writable(const struct armv8_features *features)
{
    uint64_t mask = bit(ARMV8_PMCR_E) | bit(ARMV8_PMCR_DP);

    if (!features->aarch64_only) {
        mask |= bit(ARMV8_PMCR_D) | bit(ARMV8_PMCR_LC);
    }
    if (features->pmu_version >= ARMV8_PMUV3P5) {
        mask |= bit(ARMV8_PMCR_LP);
    }
    if (features->pmu_version >= ARMV8_PMUV3P7) {
        mask |= bit(ARMV8_PMCR_FZO);
    }
    return mask;
}

/* P resets the event counters that this level has, C the cycle counter, and
 * the divider with it [C]. Neither clears an overflow bit. */
__attribute__((noinline)) static void change_pmcr(struct armv8_pmu *pmu,
    struct armv8_access access, uint64_t pmcr, uint64_t value)
{
    armv8_leave(pmu);
    pmu->pmcr = pmcr;
    if (bit_is_set(value, ARMV8_PMCR_P)) {
        memset(pmu->counter, 0,
            armv8_accessible(pmu, access.el) * sizeof(pmu->counter[0]));
    }
    if (bit_is_set(value, ARMV8_PMCR_C)) {
        pmu->counter[ARMV8_CYCLES] = 0;
        pmu->divided = 0;
    }
    armv8_decode(pmu);
}

/* Nearly always all counters stop or start, and nothing else. */
static void write_pmcr(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    uint64_t writable = pmcr_writable(pmu->features);
    uint64_t pmcr = (pmu->pmcr & ~writable) | (value & writable);

    assert(pmu->features->pmu_version != ARMV8_NO_PMU);
    if (((pmu->pmcr ^ pmcr) & ~bit(ARMV8_PMCR_E)) != 0 ||
        bits_get(value, ARMV8_PMCR_P, 2) != 0) {
        change_pmcr(pmu, access, pmcr, value);
        return;
    }
    pmu->pmcr = pmcr;
    armv8_run(pmu);
}

static void write_enabled_set(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    pmu->enabled |= (uint32_t)value & visible(pmu, access.el);
    armv8_run(pmu);
}

static void write_enabled_clear(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    pmu->enabled &= ~((uint32_t)value & visible(pmu, access.el));
    armv8_run(pmu);
}

static void write_overflowed_set(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    armv8_latch(pmu, (uint32_t)value & visible(pmu, access.el));
}

static void write_overflowed_clear(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    armv8_clear(pmu, (uint32_t)value & visible(pmu, access.el));
}

static void write_interrupts_set(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    pmu->interrupts |= (uint32_t)value & visible(pmu, access.el);
}

static void write_interrupts_clear(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    pmu->interrupts &= ~((uint32_t)value & visible(pmu, access.el));
}

static void write_increment(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    armv8_increment(pmu, (uint32_t)value & visible(pmu, access.el), access.el);
}

/* The high halves are for events 4000 and up; none of those is there. */
static uint64_t read_ceid0(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    (void)access;
    return bits_get(armv8_common_events(pmu->features), 0, 32);
}

static uint64_t read_ceid1(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    (void)access;
    return bits_get(armv8_common_events(pmu->features), 32, 32);
}

static uint64_t read_counter(
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    return armv8_value(pmu, access.n);
}

/* A write of the cycle counter starts the divider anew, so that a preset comes
 * to its end after a whole number of periods [C]. */
static void write_counter(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    if (pmu->features->inert) {
        return;
    }
    armv8_set_value(pmu, access.n,
        access.n == ARMV8_CYCLES || armv8_has_long_counters(pmu->features)
            ? value
            : bits_get(value, 0, 32));
}

static void write_type(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    unsigned number_bits =
        pmu->features->pmu_version >= ARMV8_PMUV3P1 ? 16 : 10;

    uint64_t type = bits_get(value, TYPE_FILTER, TYPE_FILTER_BITS)
                    << TYPE_FILTER;

    if (access.n != ARMV8_CYCLES) {
        type |= bits_get(value, 0, number_bits);
    }
    armv8_set_type(pmu, access.n, type);
}

/* Traps of debug registers are not modelled; their bits read as zero [C]. */
static uint64_t mdcr_writable(const struct armv8_features *features)
{
    uint64_t mask = 0;

    if (features->pmu_version >= ARMV8_PMUV3) {
        mask |= bits_low(ARMV8_MDCR_HPMN_BITS) | bit(ARMV8_MDCR_TPMCR) |
                bit(ARMV8_MDCR_TPM) | bit(ARMV8_MDCR_HPME);
    }
    if (features->pmu_version >= ARMV8_PMUV3P1) {
        mask |= bit(ARMV8_MDCR_HPMD);
    }
    if (features->pmu_version >= ARMV8_PMUV3P5) {
        mask |= bit(ARMV8_MDCR_HCCD) | bit(ARMV8_MDCR_HLP);
    }
    if (features->pmu_version >= ARMV8_PMUV3P7) {
        mask |= bit(ARMV8_MDCR_HPMFZO);
    }
    return mask;
}

static void write_mdcr(
    struct armv8_pmu *pmu, struct armv8_access access, uint64_t value)
{
    (void)access;
    armv8_set_mdcr(pmu, value & mdcr_writable(pmu->features));
}

/* What stands in the columns of armv8.def for reading and writing. */
#define ARMV8_READ_FIELD(member)                                               \
    {                                                                          \
        .field = offsetof(struct armv8_pmu, member)                            \
    }
#define ARMV8_READ_SEEN(member)                                                \
    {                                                                          \
        .seen = offsetof(struct armv8_pmu, member)                             \
    }
#define ARMV8_READ_CALL(name)                                                  \
    {                                                                          \
        .call = read_##name                                                    \
    }
#define ARMV8_READ_ZERO                                                        \
    {                                                                          \
        .call = NULL                                                           \
    }
#define ARMV8_WRITE_FIELD(member, bits_)                                       \
    {                                                                          \
        .field = offsetof(struct armv8_pmu, member), .bits = (bits_)           \
    }
#define ARMV8_WRITE_CALL(name)                                                 \
    {                                                                          \
        .call = write_##name                                                   \
    }
#define ARMV8_WRITE_NOTHING                                                    \
    {                                                                          \
        .call = NULL                                                           \
    }

const struct armv8_row armv8_rows[ARMV8_ROWS] = {
#define ARMV8(name, suffix, op1, crn, crm, op2, count, since, access, reads,   \
    writes, which, read, write)                                                \
    [ARMV8_##name##_##suffix] = {#name, "_" #suffix,                           \
        ARMV8_ENCODE(3, op1, crn, crm, op2), op1, count, since,                \
        ARMV8_ACCESS_##access, reads, writes, ARMV8_WHICH_##which,             \
        ARMV8_READ_##read, ARMV8_WRITE_##write},
#include "sim/pmu/armv8.def"
};

/* A field has 64 bits, for one register or for each counter; a mask has 32. */
#define ARMV8_BYTES_FIELD(member) sizeof(((struct armv8_pmu *)NULL)->member)
#define ARMV8_BYTES_SEEN(member)                                               \
    (2 * sizeof(((struct armv8_pmu *)NULL)->member))
#define ARMV8_BYTES_CALL(name) sizeof(uint64_t)
#define ARMV8_BYTES_ZERO sizeof(uint64_t)
#define ARMV8(name, suffix, op1, crn, crm, op2, count, since, access, reads,   \
    writes, which, read, write)                                                \
    _Static_assert(                                                            \
        ARMV8_BYTES_##read == sizeof(uint64_t) ||                              \
            ARMV8_BYTES_##read == ARMV8_COUNTERS * sizeof(uint64_t),           \
        #name);
#include "sim/pmu/armv8.def"

/* The counters of a mask of struct armv8_pmu that code at this level sees. */
static inline uint64_t seen(
    const struct armv8_pmu *pmu, size_t mask, unsigned el)
{
    uint32_t counters;

    memcpy(&counters, (const char *)pmu + mask, sizeof(counters));
    return counters & visible(pmu, el);
}

/* The value of a register that its row knows a field of, or calls for. */
static uint64_t row_read(const struct armv8_row *row,
    const struct armv8_pmu *pmu, struct armv8_access access)
{
    uint64_t value = 0;

    assert(access.n < ARMV8_COUNTERS);
    if (row->read.call != NULL) {
        return row->read.call(pmu, access);
    }
    if (row->read.seen != 0) {
        return seen(pmu, row->read.seen, access.el);
    }
    if (row->read.field != 0) {
        memcpy(&value,
            (const char *)pmu + row->read.field + access.n * sizeof(value),
            sizeof(value));
    }
    return value;
}

static void row_write(const struct armv8_row *row, struct armv8_pmu *pmu,
    struct armv8_access access, uint64_t value)
{
    assert(access.n < ARMV8_COUNTERS);
    if (row->write.call != NULL) {
        row->write.call(pmu, access, value);
    } else if (row->write.field != 0) {
        value &= row->write.bits;
        memcpy((char *)pmu + row->write.field + access.n * sizeof(value),
            &value, sizeof(value));
    }
}

enum direction { DIRECTION_READ, DIRECTION_WRITE };

/* Of each register, by its low 11 bits, the row and 1: op1 tells no two of them
 * apart. */
#define ROW_BITS 11
#define ROW_AT(reg) ((reg) % (1 << ROW_BITS))
#define ROWS_1(at, row) [at] = (row)
#define ROWS_4(at, row)                                                        \
    ROWS_1(at, row), ROWS_1((at) + 1, row), ROWS_1((at) + 2, row),             \
        ROWS_1((at) + 3, row)
#define ROWS_31(at, row)                                                       \
    ROWS_4(at, row), ROWS_4((at) + 4, row), ROWS_4((at) + 8, row),             \
        ROWS_4((at) + 12, row), ROWS_4((at) + 16, row),                        \
        ROWS_4((at) + 20, row), ROWS_4((at) + 24, row),                        \
        ROWS_1((at) + 28, row), ROWS_1((at) + 29, row), ROWS_1((at) + 30, row)
static const uint8_t row_of[1 << ROW_BITS] = {
#define ARMV8(name, suffix, op1, crn, crm, op2, count, ...)                    \
    ROWS_##count(ROW_AT(ARMV8_ENCODE(3, op1, crn, crm, op2)),                  \
        ARMV8_##name##_##suffix + 1),
#include "sim/pmu/armv8.def"
};

/* The row that holds the register on this part, and which of its registers
 * that is; NULL when the part has none there. */
static const struct armv8_row *row_find(
    const struct armv8_pmu *pmu, uint32_t reg, unsigned *n)
{
    unsigned i = row_of[ROW_AT(reg)];
    const struct armv8_row *row;

    if (i == 0) {
        return NULL;
    }
    row = &armv8_rows[i - 1];
    *n = reg - row->reg;
    return *n < row->count && pmu->features->pmu_version >= row->since ? row
                                                                       : NULL;
}

static unsigned lowest_el(const struct armv8_row *row)
{
    switch (row->op1) {
    case 3:
        return 0;
    case 0:
        return 1;
    default:
        return 2;
    }
}

static inline bool row_has(
    const struct armv8_row *row, enum direction direction)
{
    return row->access == ARMV8_ACCESS_RW ||
           row->access == (direction == DIRECTION_READ ? ARMV8_ACCESS_RO
                                                       : ARMV8_ACCESS_WO);
}

/* What MDCR_EL2 takes from EL0 and EL1: all registers of the PMU, or one. */
static bool el2_traps(const struct armv8_pmu *pmu, const struct armv8_row *row)
{
    return row->since != ARMV8_NO_PMU &&
           (bit_is_set(pmu->mdcr, ARMV8_MDCR_TPM) ||
               (bit_is_set(pmu->mdcr, ARMV8_MDCR_TPMCR) &&
                   row == &armv8_rows[ARMV8_PMCR_EL0]));
}

/* Whether code at this level may. */
static enum armv8_result check_level(const struct armv8_pmu *pmu,
    const struct armv8_row *row, unsigned el, enum direction direction)
{
    unsigned user =
        direction == DIRECTION_READ ? row->user_read : row->user_write;

    if (el < lowest_el(row) || (el == 0 && user == 0)) {
        return ARMV8_UNDEF;
    }
    if (el == 0 && (user & (pmu->user_enable | ARMV8_USER_ALWAYS)) == 0) {
        return ARMV8_TRAP_EL1;
    }
    if (el < 2 && el2_traps(pmu, row)) {
        return ARMV8_TRAP_EL2;
    }
    return ARMV8_OK;
}

/* The counter that the n-th register of the row is about; ARMV8_COUNTERS when
 * this level has no such counter. */
static unsigned counter_of(const struct armv8_pmu *pmu,
    const struct armv8_row *row, unsigned n, unsigned el)
{
    enum armv8_which which = row->which;
    unsigned counter =
        which == ARMV8_WHICH_NUMBERED ? n : (unsigned)pmu->select;

    assert(n < row->count);
    if (which == ARMV8_WHICH_NONE) {
        return 0;
    }
    if (which == ARMV8_WHICH_CYCLES ||
        (which == ARMV8_WHICH_SELECTED_TYPE && counter == ARMV8_CYCLES)) {
        return ARMV8_CYCLES;
    }
    return counter < armv8_accessible(pmu, el) ? counter : ARMV8_COUNTERS;
}

/* Checks the whole access. On ARMV8_OK `*row` is its row, or NULL where there
 * is nothing to read or write. */
__attribute__((noinline)) static enum armv8_result decode(
    const struct armv8_pmu *pmu, uint32_t reg, enum direction direction,
    const struct armv8_row **row, struct armv8_access *access)
{
    enum armv8_result result;
    unsigned n;

    assert(access->el < ARMV8_ELS);
    *row = row_find(pmu, reg, &n);
    if (*row == NULL || !row_has(*row, direction)) {
        return ARMV8_UNDEF;
    }
    result = check_level(pmu, *row, access->el, direction);
    if (result != ARMV8_OK) {
        return result;
    }
    access->n = counter_of(pmu, *row, n, access->el);
    if (access->n < ARMV8_COUNTERS) {
        return ARMV8_OK;
    }
    *row = NULL;
    return pmu->features->missing_read_zero ? ARMV8_OK : ARMV8_UNDEF;
}

__attribute__((noinline)) static enum armv8_result read_asking(
    const struct armv8_pmu *pmu, uint32_t reg, unsigned el, uint64_t *value)
{
    struct armv8_access access = {.el = el};
    const struct armv8_row *row;
    enum armv8_result result = decode(pmu, reg, DIRECTION_READ, &row, &access);

    if (result == ARMV8_OK) {
        *value = row == NULL ? 0 : row_read(row, pmu, access);
    }
    return result;
}

__attribute__((noinline)) static enum armv8_result write_asking(
    struct armv8_pmu *pmu, uint32_t reg, unsigned el, uint64_t value)
{
    struct armv8_access access = {.el = el};
    const struct armv8_row *row;
    enum armv8_result result = decode(pmu, reg, DIRECTION_WRITE, &row, &access);

    if (result == ARMV8_OK && row != NULL) {
        row_write(row, pmu, access, value);
    }
    return result;
}

/* What nearly every access comes to: code at EL1 asks for a register that reads
 * a mask or calls a function, and that says itself which counter it is about.
 */
struct plain {
    uint32_t reg;  /* of the first */
    uint8_t count; /* 0: more is to be asked */
    int8_t since;  /* as the row's */
    uint8_t n;     /* the counter */
    bool numbered; /* it is that of the register's number instead */
    uint16_t seen; /* the mask that is read; 0: the function does it */
    uint64_t (*read)(const struct armv8_pmu *pmu, struct armv8_access access);
    void (*write)(
        struct armv8_pmu *pmu, struct armv8_access access, uint64_t value);
};

#define PLAIN_READ_FIELD(member) .read = NULL
#define PLAIN_READ_SEEN(member) .seen = offsetof(struct armv8_pmu, member)
#define PLAIN_READ_CALL(name) .read = read_##name
#define PLAIN_READ_ZERO .read = NULL
#define PLAIN_WRITE_FIELD(member, bits) .write = NULL
#define PLAIN_WRITE_CALL(name) .write = write_##name
#define PLAIN_WRITE_NOTHING .write = NULL
/* As row_of says: the first is no register's. */
static const struct plain plain_rows[ARMV8_ROWS + 1] = {
#define ARMV8(name, suffix, op1, crn, crm, op2, count, since, access, reads,   \
    writes, which, read, write)                                                \
    [ARMV8_##name##_##suffix + 1] = {ARMV8_ENCODE(3, op1, crn, crm, op2),      \
        ARMV8_WHICH_##which <= ARMV8_WHICH_NUMBERED && (op1) <= 3 ? (count)    \
                                                                  : 0,         \
        since, ARMV8_WHICH_##which == ARMV8_WHICH_CYCLES ? ARMV8_CYCLES : 0,   \
        ARMV8_WHICH_##which == ARMV8_WHICH_NUMBERED, PLAIN_READ_##read,        \
        PLAIN_WRITE_##write},
#include "sim/pmu/armv8.def"
};

static inline const struct plain *plain_at(uint32_t reg)
{
    return &plain_rows[row_of[ROW_AT(reg)]];
}

/* Whether the access comes to no more. */
static inline bool is_plain(const struct armv8_pmu *pmu,
    const struct plain *plain, uint32_t reg, struct armv8_access *access)
{
    unsigned n = reg - plain->reg;

    if (access->el != 1 || n >= plain->count || plain->since > pmu->plain) {
        return false;
    }
    access->n = plain->numbered ? n : plain->n;
    return !plain->numbered || n < pmu->lower_count;
}

enum armv8_result armv8_read(
    const struct armv8_pmu *pmu, uint32_t reg, unsigned el, uint64_t *value)
{
    const struct plain *plain = plain_at(reg);
    struct armv8_access access = {.el = el};

    if ((plain->read == NULL && plain->seen == 0) ||
        !is_plain(pmu, plain, reg, &access)) {
        return read_asking(pmu, reg, el, value);
    }
    *value =
        plain->seen != 0 ? seen(pmu, plain->seen, 1) : plain->read(pmu, access);
    return ARMV8_OK;
}

/* Apart, as nearly always it is a mask. */
__attribute__((noinline)) static uint64_t read_known_asking(
    const struct armv8_pmu *pmu, uint32_t reg)
{
    uint64_t value = 0;
    enum armv8_result result = armv8_read(pmu, reg, 1, &value);

    assert(result == ARMV8_OK);
    (void)result;
    return value;
}

uint64_t armv8_read_known(const struct armv8_pmu *pmu, uint32_t reg)
{
    const struct plain *plain = plain_at(reg);

    return plain->seen != 0 && plain->reg == reg && plain->since <= pmu->plain
               ? seen(pmu, plain->seen, 1)
               : read_known_asking(pmu, reg);
}

enum armv8_result armv8_write(
    struct armv8_pmu *pmu, uint32_t reg, unsigned el, uint64_t value)
{
    const struct plain *plain = plain_at(reg);
    struct armv8_access access = {.el = el};

    if (plain->write == NULL || !is_plain(pmu, plain, reg, &access)) {
        return write_asking(pmu, reg, el, value);
    }
    plain->write(pmu, access, value);
    return ARMV8_OK;
}
