/* test_pebs_record.c - every byte of a record, in each format. */
#include <string.h>

#include "sim/pmu/pebs_record.h"
#include "tests/rows.h"

enum { WORDS_MAX = 8 };

/* A word of 64 bits that is not 0, in a record. */
struct word {
    size_t offset;
    uint64_t value;
};

/* Of general counters 0 and 2, which is at 1111H, with 2222H behind it; the
 * status has fixed counter 1 besides. At 7777H.
 * PMU-PEBS-04a, PMU-PEBS-04b, PMU-PEBS-04c, PMU-PEBS-04d, PMU-PEBS-05a,
 * PMU-PEBS-05b, PMU-PEBS-05c, PMU-PEBS-05d, PMU-PEBS-05e, PMU-PEBS-05f,
 * PMU-PEBS-06a, PMU-PEBS-06b */
static struct record_row {
    const char *name;
    unsigned format;
    uint32_t data_cfg;
    size_t want_size;
    struct word want[WORDS_MAX]; /* every other byte is 0 */
} record_rows[] = {
    {"format_0_has_the_next_ip", 0, 0, 144, {{0x08, 0x2222}}},
    {"format_1_adds_the_status", 1, 0, 176,
        {{0x08, 0x2222}, {0x90, 0x200000005}}},
    {"format_2_adds_the_eventing_ip", 2, 0, 192,
        {{0x08, 0x2222}, {0x90, 0x200000005}, {0xB0, 0x1111}}},
    {"format_3_adds_the_tsc_and_has_its_own_counters_only", 3, 0, 200,
        {{0x08, 0x2222}, {0x90, 0x5}, {0xB0, 0x1111}, {0xC0, 0x7777}}},
    {"fixed_formats_know_no_groups", 3, 0xFF00000F, 200,
        {{0x08, 0x2222}, {0x90, 0x5}, {0xB0, 0x1111}, {0xC0, 0x7777}}},
    {"format_4_without_groups_is_basic", 4, 0, 32,
        {{0x00, 0x0020000000000000}, {0x08, 0x1111}, {0x10, 0x5},
            {0x18, 0x7777}}},
    {"memory_information_is_32_bytes", 4, 0x1, 64,
        {{0x00, 0x0040000000000001}, {0x08, 0x1111}, {0x10, 0x5},
            {0x18, 0x7777}}},
    {"general_registers_are_144_bytes", 4, 0x2, 176,
        {{0x00, 0x00B0000000000002}, {0x08, 0x1111}, {0x10, 0x5},
            {0x18, 0x7777}, {0x28, 0x2222}}},
    {"general_registers_stand_behind_memory_information", 4, 0x3, 208,
        {{0x00, 0x00D0000000000003}, {0x08, 0x1111}, {0x10, 0x5},
            {0x18, 0x7777}, {0x48, 0x2222}}},
    {"xmm_registers_are_256_bytes", 4, 0x4, 288,
        {{0x00, 0x0120000000000004}, {0x08, 0x1111}, {0x10, 0x5},
            {0x18, 0x7777}}},
    {"one_last_branch_is_24_bytes", 4, 0x8, 56,
        {{0x00, 0x0038000000000008}, {0x08, 0x1111}, {0x10, 0x5},
            {0x18, 0x7777}}},
    {"32_last_branches_are_768_bytes", 4, 0x1F000008, 800,
        {{0x00, 0x032000001F000008}, {0x08, 0x1111}, {0x10, 0x5},
            {0x18, 0x7777}}},
    {"number_of_last_branches_alone_asks_for_none", 4, 0x1F000000, 32,
        {{0x00, 0x002000001F000000}, {0x08, 0x1111}, {0x10, 0x5},
            {0x18, 0x7777}}},
    {"all_groups_and_256_last_branches", 4, 0xFF00000F, 6608,
        {{0x00, 0x19D00000FF00000F}, {0x08, 0x1111}, {0x10, 0x5},
            {0x18, 0x7777}, {0x48, 0x2222}}},
};

static void record_row(void **state)
{
    const struct record_row *row = *state;
    const struct pebs_layout layout = {
        .format = row->format, .data_cfg = row->data_cfg};
    const struct pebs_sample sample = {.place = {0x1111, 0x2222},
        .counters = 0x5,
        .status = 0x200000005,
        .tsc = 0x7777};
    uint8_t record[PEBS_RECORD_BYTES + 8], want[PEBS_RECORD_BYTES + 8];

    memset(record, 0xA5, sizeof(record));
    memset(want, 0xA5, sizeof(want));
    memset(want, 0, row->want_size);
    for (const struct word *word = row->want; word->value != 0; word++) {
        memcpy(want + word->offset, &word->value, sizeof(word->value));
    }

    assert_int_equal(pebs_record_size(&layout), row->want_size);
    pebs_record_write(&layout, pebs_record_size(&layout), &sample, record);
    assert_memory_equal(record, want, sizeof(want));
}

TEST_FILE(test_pebs_record)
{
    TEST_ADD_ROWS(list, record_row, record_rows);
}
