/* pebs_record.c - the bytes of a PEBS record in each format.
 *
 * Formats up to 3 have records of a fixed shape, format 4 has groups. */
#include "sim/pmu/pebs_record.h"

#include <assert.h>
#include <string.h>

#include "sim/base/bits.h"

enum {
    FORMAT_ADAPTIVE = 4,
    /* Offsets in fixed records. */
    FIXED_IP = 0x08,
    FIXED_STATUS = 0x90, /* since format 1 */
    FIXED_EVENT_IP = 0xB0,
    FIXED_TSC = 0xC0,
    /* In the basic group. */
    BASIC_FORMAT = 0x00,
    BASIC_IP = 0x08,
    BASIC_COUNTERS = 0x10,
    BASIC_TSC = 0x18,
    BASIC_SIZE = 48, /* the bit from which the size stands */
    /* In the group of general registers. */
    GENERAL_IP = 0x08,
    /* Bits of MSR_PEBS_DATA_CFG. */
    CFG_MEMORY = 0,
    CFG_GENERAL = 1,
    CFG_XMM = 2,
    CFG_BRANCHES = 3,
    CFG_BRANCH_COUNT = 24, /* one less than there are */
    BASIC_BYTES = 32,
    MEMORY_BYTES = 32,
    GENERAL_BYTES = 144,
    XMM_BYTES = 256,
    BRANCH_BYTES = 24,
};

static const size_t fixed_bytes[FORMAT_ADAPTIVE] = {144, 176, 192, 200};

/* Bytes of the group that this bit asks for; 0: it does not. */
static size_t group(uint32_t data_cfg, unsigned bit, size_t bytes)
{
    return bit_is_set(data_cfg, bit) ? bytes : 0;
}

size_t pebs_record_size(const struct pebs_layout *layout)
{
    uint32_t cfg = layout->data_cfg;
    size_t branches = (size_t)bits_get(cfg, CFG_BRANCH_COUNT, 8) + 1;

    assert(layout->format <= FORMAT_ADAPTIVE);
    if (layout->format < FORMAT_ADAPTIVE) {
        return fixed_bytes[layout->format];
    }
    return BASIC_BYTES + group(cfg, CFG_MEMORY, MEMORY_BYTES) +
           group(cfg, CFG_GENERAL, GENERAL_BYTES) +
           group(cfg, CFG_XMM, XMM_BYTES) +
           group(cfg, CFG_BRANCHES, branches * BRANCH_BYTES);
}

static void store(uint8_t *record, size_t offset, uint64_t value)
{
    assert(offset % sizeof(value) == 0);
    assert(offset + sizeof(value) <= PEBS_RECORD_BYTES);
    memcpy(record + offset, &value, sizeof(value));
}

/* Formats 0 and 1 are written at the end of the instruction and have the next
 * one's IP; format 2 has the instruction's own besides. Format 3 has the bits
 * of the counters where those before it have the status. */
static void write_fixed(
    unsigned format, const struct pebs_sample *sample, uint8_t *record)
{
    memset(record, 0, fixed_bytes[format]);
    store(record, FIXED_IP, sample->place.next_ip);
    if (format >= 1) {
        store(record, FIXED_STATUS,
            format < 3 ? sample->status : sample->counters);
    }
    if (format >= 2) {
        store(record, FIXED_EVENT_IP, sample->place.ip);
    }
    if (format >= 3) {
        store(record, FIXED_TSC, sample->tsc);
    }
}

/* The basic group has the instruction's own IP, the general registers the one
 * that they hold behind it [C]. */
static void write_adaptive(uint32_t data_cfg, size_t size,
    const struct pebs_sample *sample, uint8_t *record)
{
    size_t general = BASIC_BYTES + group(data_cfg, CFG_MEMORY, MEMORY_BYTES);

    store(record, BASIC_FORMAT, data_cfg | (uint64_t)size << BASIC_SIZE);
    store(record, BASIC_IP, sample->place.ip);
    store(record, BASIC_COUNTERS, sample->counters);
    store(record, BASIC_TSC, sample->tsc);
    if (size == BASIC_BYTES) {
        return;
    }
    memset(record + BASIC_BYTES, 0, size - BASIC_BYTES);
    if (bit_is_set(data_cfg, CFG_GENERAL)) {
        store(record, general + GENERAL_IP, sample->place.next_ip);
    }
}

void pebs_record_write(const struct pebs_layout *layout, size_t size,
    const struct pebs_sample *sample, uint8_t *record)
{
    assert(size <= PEBS_RECORD_BYTES);
    if (layout->format < FORMAT_ADAPTIVE) {
        write_fixed(layout->format, sample, record);
    } else {
        write_adaptive(layout->data_cfg, size, sample, record);
    }
}
