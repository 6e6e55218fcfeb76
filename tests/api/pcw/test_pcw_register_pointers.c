/* test_pcw_register_pointers.c - PcwRegister: pointers that are not there, and
 * how many counters there may be (facts.md 5.2, GEN-PTR-01). */
#include "api/pcw/pcw.h"
#include "tests/api/pcw/pcw_scene.h"

static const PCW_COUNTER_DESCRIPTOR two_counters[] = {
    {.Id = 1, .StructIndex = 0, .Offset = 0, .Size = 4},
    {.Id = 2, .StructIndex = 0, .Offset = 8, .Size = 8},
};

enum pointer { PROVIDED, NOTHING, BROKEN };

/* Pointers, counts and rulings. */
static struct argument_row {
    const char *name;
    enum ruled ruled;
    uint64_t number; /* of a ruling that has one */
    enum pointer registration, info, string, counters;
    ULONG count;
    uint32_t want;
    bool want_raised, want_write;
    uint64_t want_handle; /* of a call that fails */
} argument_rows[] = {
    {.name = "two_counters", .count = 2},
    {.name = "registration_null_raises",
        .registration = NOTHING,
        .count = 2,
        .want_raised = true,
        .want_write = true},
    {.name = "registration_null_is_parameter_1",
        .ruled = RULED_PCW_REG_12a_status,
        .registration = NOTHING,
        .count = 2,
        .want = 0xC00000EF},
    {.name = "registration_nowhere_raises",
        .ruled = RULED_PCW_REG_12a_status,
        .registration = BROKEN,
        .count = 2,
        .want_raised = true,
        .want_write = true},
    {.name = "info_null_raises",
        .info = NOTHING,
        .string = NOTHING,
        .counters = NOTHING,
        .count = 0,
        .want_raised = true,
        .want_handle = 0xA5A5A5A5A5A5A5A5},
    {.name = "info_null_is_parameter_2",
        .ruled = RULED_PCW_REG_12a_status,
        .info = NOTHING,
        .string = NOTHING,
        .counters = NOTHING,
        .count = 0,
        .want = 0xC00000F0},
    {.name = "info_nowhere_raises",
        .ruled = RULED_PCW_REG_12a_status,
        .info = BROKEN,
        .string = NOTHING,
        .counters = NOTHING,
        .count = 0,
        .want_raised = true,
        .want_handle = 0xA5A5A5A5A5A5A5A5},
    {.name = "name_null_raises",
        .ruled = RULED_PCW_REG_12a_status,
        .string = NOTHING,
        .count = 2,
        .want_raised = true,
        .want_handle = 0xA5A5A5A5A5A5A5A5},
    {.name = "name_null_is_parameter_2",
        .ruled = RULED_PCW_REG_08b_status,
        .string = NOTHING,
        .count = 2,
        .want = 0xC00000F0},
    {.name = "name_nowhere_raises",
        .ruled = RULED_PCW_REG_08b_status,
        .string = BROKEN,
        .count = 2,
        .want_raised = true,
        .want_handle = 0xA5A5A5A5A5A5A5A5},
    {.name = "counters_null_raises",
        .ruled = RULED_PCW_REG_08b_status,
        .counters = NOTHING,
        .count = 2,
        .want_raised = true,
        .want_handle = 0xA5A5A5A5A5A5A5A5},
    {.name = "counters_null_is_parameter_2",
        .ruled = RULED_PCW_REG_12a_status,
        .counters = NOTHING,
        .count = 2,
        .want = 0xC00000F0},
    {.name = "counters_nowhere_raises",
        .ruled = RULED_PCW_REG_12a_status,
        .counters = BROKEN,
        .count = 2,
        .want_raised = true,
        .want_handle = 0xA5A5A5A5A5A5A5A5},
    {.name = "no_counters_at_null", .counters = NOTHING, .count = 0},
    {.name = "no_counters_are_not_read", .counters = BROKEN, .count = 0},
    {.name = "no_counters_are_rejected",
        .ruled = RULED_PCW_REG_12b_reject,
        .counters = NOTHING,
        .count = 0,
        .want = 0xC00000F0},
    {.name = "one_counter_is_not_rejected",
        .ruled = RULED_PCW_REG_12b_reject,
        .count = 1},
    /* (0xFFFFFFFF - 56 - 8) / 8 descriptors: they are nowhere. */
    {.name = "most_counters_are_looked_for",
        .ruled = RULED_PCW_REG_12a_status,
        .counters = BROKEN,
        .count = 0x1FFFFFF7,
        .want_raised = true,
        .want_handle = 0xA5A5A5A5A5A5A5A5},
    {.name = "one_counter_more_overflows",
        .counters = BROKEN,
        .count = 0x1FFFFFF8,
        .want = 0xC0000095},
    {.name = "highest_count_overflows",
        .counters = NOTHING,
        .count = 0xFFFFFFFF,
        .want = 0xC0000095},
    {.name = "number_of_counters_is_the_most",
        .ruled = RULED_PCW_REG_06b_number,
        .number = 2,
        .count = 2},
    {.name = "number_of_counters_is_exceeded",
        .ruled = RULED_PCW_REG_06b_number,
        .number = 1,
        .count = 2,
        .want = 0xC0000095},
    {.name = "failure_leaves_the_handle",
        .ruled = RULED_PCW_REG_14_untouched,
        .counters = NOTHING,
        .count = 0xFFFFFFFF,
        .want = 0xC0000095,
        .want_handle = 0xA5A5A5A5A5A5A5A5},
};

static const void *pointer_of(struct booted_kernel *booted, enum pointer kind,
    const void *from, size_t size)
{
    return kind == NOTHING  ? NULL
           : kind == BROKEN ? (const void *)(uintptr_t)0x10000
                            : booted_copy(booted, from, size);
}

static void argument_row(void **state)
{
    static const uint64_t fill = 0xA5A5A5A5A5A5A5A5;
    const struct argument_row *row = *state;
    struct booted_kernel booted;
    PCW_REGISTRATION_INFORMATION info = {
        .Version = PCW_VERSION_1, .CounterCount = row->count};
    struct pcw_job job = {.routine = ROUTINE_PcwRegister};
    const uint64_t *handle;

    booted_init_usual(&booted);
    pcw_flip(&booted, row->ruled);
    booted.kernel.rulings.number[ruled_rows[row->ruled].ruling] = row->number;
    handle = pointer_of(&booted, row->registration, &fill, sizeof(fill));
    info.Name = (PUNICODE_STRING)(uintptr_t)pointer_of(&booted, row->string,
        pcw_name(&booted, PCW_TEXT(u"Disk")), sizeof(UNICODE_STRING));
    info.Counters = (PPCW_COUNTER_DESCRIPTOR)(uintptr_t)pointer_of(
        &booted, row->counters, two_counters, 8 * (size_t)row->count);
    job.argument[0] = pcw_value(handle);
    job.argument[1] = pcw_value(pointer_of(&booted, row->info, &info, 48));
    pcw_run(&booted, &job);

    assert_int_equal(job.raised, row->want_raised);
    if (row->want_raised) {
        assert_int_equal((uint32_t)job.record.code, 0xC0000005);
        assert_int_equal(job.record.write, row->want_write);
        assert_int_equal(job.record.routine, ROUTINE_PcwRegister);
    } else {
        assert_int_equal(job.status, row->want);
    }
    if (row->registration == PROVIDED) {
        if (row->want != 0 || row->want_raised) {
            assert_int_equal(*handle, row->want_handle);
        } else {
            assert_int_not_equal(*handle, 0);
        }
    }
    assert_int_equal(
        booted.kernel.pcw->first != NULL, row->want == 0 && !row->want_raised);
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

TEST_FILE(test_pcw_register_pointers)
{
    TEST_ADD_ROWS(list, argument_row, argument_rows);
}
