/* real_msr.c - registers that parts have in truth and the model has not: looked
 * up when an access has found nothing else. */
#include "sim/machine/real_msr.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/bits.h"
#include "sim/machine/part.h"

static const struct real_msr {
    uint32_t address;
    uint8_t stride, count;
    uint64_t parts; /* bits by enum model */
    const char *name;
} rows[] = {
#define REAL(address, stride, count, parts, name)                              \
    {address, stride, count, parts, name},
#include "sim/machine/real_msrs.def"
};

static void write_name(
    const struct real_msr *row, unsigned n, char name[REAL_MSR_NAME_BYTES])
{
    const char *number = strchr(row->name, '#');
    int length;

    assert((number != NULL) == (row->count > 1));
    length = number == NULL
                 ? snprintf(name, REAL_MSR_NAME_BYTES, "%s", row->name)
                 : snprintf(name, REAL_MSR_NAME_BYTES, "%.*s%u%s",
                       (int)(number - row->name), row->name, n, number + 1);
    assert(length < REAL_MSR_NAME_BYTES);
    (void)length;
}

bool real_msr_find(const struct pmu_model *model, uint32_t address,
    char name[REAL_MSR_NAME_BYTES])
{
    uint64_t part = bit(part_number(model));

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct real_msr *row = &rows[i];
        uint32_t distance = address - row->address;

        if ((row->parts & part) == 0 || distance % row->stride != 0 ||
            distance / row->stride >= row->count) {
            continue;
        }
        if (name != NULL) {
            write_name(row, distance / row->stride, name);
        }
        return true;
    }
    return false;
}
