/* explain_sysreg.c - the system registers of arm64 that the model knows. */
#include <talloc.h>

#include "scenarios/runner/commands/explain/explain.h"
#include "scenarios/runner/language/names.h"
#include "sim/pmu/armv8_registers.h"

const char *name_sysreg(const struct explain *explain, size_t n)
{
    (void)explain;
    return name_of_sysreg(n, NULL);
}

static uint32_t encoding_of(size_t n)
{
    uint32_t reg = 0;

    armv8_register_find(name_of_sysreg(n, NULL), &reg);
    return reg;
}

static const struct armv8_row *row_of(size_t n)
{
    uint32_t reg = encoding_of(n);
    const struct armv8_row *row = armv8_rows;

    while (reg < row->reg || reg - row->reg >= row->count) {
        row++;
    }
    return row;
}

static const char *access_in_words(enum armv8_row_access access)
{
    switch (access) {
    case ARMV8_ACCESS_RW:
        return "read and written";
    case ARMV8_ACCESS_RO:
        return "read; a write is undefined";
    case ARMV8_ACCESS_WO:
        return "written; a read is undefined";
    }
    return "";
}

/* S3_3_C9_C12_0, as assemblers take it. */
static const char *encoding_text(const struct explain *explain, size_t n)
{
    uint32_t reg = encoding_of(n);

    return talloc_asprintf(explain->context, "S3_%u_C%u_C%u_%u",
        (unsigned)(reg >> 11 & 7), (unsigned)(reg >> 7 & 15),
        (unsigned)(reg >> 3 & 15), (unsigned)(reg & 7));
}

const char *line_sysreg(const struct explain *explain, size_t n)
{
    return talloc_asprintf(explain->context, "%s, %s",
        encoding_text(explain, n), access_in_words(row_of(n)->access));
}

void show_sysreg(const struct explain *explain, size_t n)
{
    const struct armv8_row *row = row_of(n);

    explain_field(explain, "encoding", "%s", encoding_text(explain, n));
    explain_field(explain, "is", "%s", access_in_words(row->access));
    explain_field(explain, "from", "EL%u on",
        row->op1 == 4                                 ? 2u
        : row->user_read == 0 && row->user_write == 0 ? 1u
                                                      : 0u);
    explain_mentioned(explain, name_sysreg(explain, n));
}
