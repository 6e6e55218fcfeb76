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
#define REAL(address, parts, name) {address, 1, 1, parts, name},
#define REALS(address, stride, count, parts, name)                             \
    {address, stride, count, parts, name},
#include "sim/machine/real_msrs.def"
};

enum {
    ROWS = sizeof(rows) / sizeof(rows[0]),
    REACH = 0x200, /* from the first to the last register of a row, at most */
};

bool real_msr_check(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        assert(rows[i].stride * (rows[i].count - 1u) < REACH);
        assert(i == 0 || rows[i - 1].address <= rows[i].address);
    }
    return true;
}

/* How many rows begin at the address or before it. */
static size_t rows_up_to(uint32_t address)
{
    size_t low = 0, high = ROWS;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (rows[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

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

bool real_msr_nth(
    size_t n, struct real_msr_place *place, char name[REAL_MSR_NAME_BYTES])
{
    const struct real_msr *row = rows;

    while (row < rows + ROWS && n >= row->count) {
        n -= row->count;
        row++;
    }
    if (row == rows + ROWS) {
        return false;
    }
    place->address = row->address + row->stride * (uint32_t)n;
    place->parts = row->parts;
    write_name(row, (unsigned)n, name);
    return true;
}

bool real_msr_find(const struct pmu_model *model, uint32_t address,
    char name[REAL_MSR_NAME_BYTES])
{
    uint64_t part = bit(part_number(model));

    for (size_t i = rows_up_to(address);
         i > 0 && address - rows[i - 1].address < REACH; i--) {
        const struct real_msr *row = &rows[i - 1];
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
