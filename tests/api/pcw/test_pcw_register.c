/* test_pcw_register.c - PcwRegister: statuses, their order, what is captured
 * (facts.md 5.1, 5.2). */
#include "api/pcw/pcw.h"
#include "api/pcw/registration.h"
#include "tests/api/pcw/pcw_scene.h"

static const PCW_COUNTER_DESCRIPTOR two_counters[] = {
    {.Id = 1, .StructIndex = 0, .Offset = 0, .Size = 4},
    {.Id = 2, .StructIndex = 0, .Offset = 8, .Size = 8},
};

/* A call whose structure ends at a guard page. */
static struct row {
    const char *name;
    enum os os;
    uint32_t version, flags;
    size_t bytes; /* of the structure that are there */
    uint32_t want;
    bool want_raised;
    uint16_t name_length; /* bytes; 0: that of "Disk" */
    bool no_length;       /* it really is 0 */
    bool no_characters;   /* the name's are nowhere */
} version_rows[] = {
    {.name = "version_1_on_windows_7",
        .os = OS_WIN7,
        .version = 0x100,
        .bytes = 48},
    {.name = "version_1_on_windows_8",
        .os = OS_WIN8,
        .version = 0x100,
        .bytes = 48},
    {.name = "version_1_on_windows_10",
        .os = OS_WIN10_PRE1903,
        .version = 0x100,
        .bytes = 48},
    {.name = "version_1_on_windows_10_1903",
        .os = OS_WIN10_1903,
        .version = 0x100,
        .bytes = 48},
    {.name = "version_1_on_fe", .os = OS_WIN_FE, .version = 0x100, .bytes = 48},
    {.name = "version_1_on_windows_11",
        .os = OS_WIN11,
        .version = 0x100,
        .bytes = 48},
    {.name = "version_2_on_windows_7_is_parameter_2",
        .os = OS_WIN7,
        .version = 0x200,
        .bytes = 56,
        .want = 0xC00000F0},
    {.name = "version_2_on_windows_8_is_parameter_2",
        .os = OS_WIN8,
        .version = 0x200,
        .bytes = 56,
        .want = 0xC00000F0},
    {.name = "version_2_on_windows_10_is_parameter_2",
        .os = OS_WIN10_PRE1903,
        .version = 0x200,
        .bytes = 56,
        .want = 0xC00000F0},
    {.name = "version_2_on_windows_10_1903_is_parameter_2",
        .os = OS_WIN10_1903,
        .version = 0x200,
        .bytes = 56,
        .want = 0xC00000F0},
    {.name = "version_2_on_fe", .os = OS_WIN_FE, .version = 0x200, .bytes = 56},
    {.name = "version_2_on_windows_11",
        .os = OS_WIN11,
        .version = 0x200,
        .bytes = 56},
    {.name = "version_0_is_parameter_2",
        .os = OS_WIN11,
        .version = 0,
        .bytes = 56,
        .want = 0xC00000F0},
    {.name = "version_just_below_1_is_parameter_2",
        .os = OS_WIN11,
        .version = 0xFF,
        .bytes = 56,
        .want = 0xC00000F0},
    {.name = "version_just_above_2_is_parameter_2",
        .os = OS_WIN11,
        .version = 0x201,
        .bytes = 56,
        .want = 0xC00000F0},
    {.name = "version_3_is_parameter_2",
        .os = OS_WIN11,
        .version = 0x300,
        .bytes = 56,
        .want = 0xC00000F0},
    {.name = "highest_version_is_parameter_2",
        .os = OS_WIN11,
        .version = 0xFFFFFFFF,
        .bytes = 56,
        .want = 0xC00000F0},
    {.name = "silo_neutral_on_fe",
        .os = OS_WIN_FE,
        .version = 0x200,
        .bytes = 56,
        .flags = 1},
    {.name = "silo_neutral_on_windows_11",
        .os = OS_WIN11,
        .version = 0x200,
        .bytes = 56,
        .flags = 1},
    {.name = "unknown_flag_is_parameter_2",
        .os = OS_WIN11,
        .version = 0x200,
        .bytes = 56,
        .flags = 2,
        .want = 0xC00000F0},
    {.name = "unknown_flag_beside_a_known_one_is_parameter_2",
        .os = OS_WIN11,
        .version = 0x200,
        .bytes = 56,
        .flags = 3,
        .want = 0xC00000F0},
    {.name = "highest_flag_is_parameter_2",
        .os = OS_WIN11,
        .version = 0x200,
        .bytes = 56,
        .flags = 0x80000000,
        .want = 0xC00000F0},
    {.name = "flags_of_version_1_are_ignored",
        .os = OS_WIN11,
        .version = 0x100,
        .bytes = 56,
        .flags = 0xFFFFFFFF},
    {.name = "flags_of_version_1_are_not_even_read",
        .os = OS_WIN11,
        .version = 0x100,
        .bytes = 48},
    {.name = "flags_of_version_2_are_read",
        .os = OS_WIN11,
        .version = 0x200,
        .bytes = 48,
        .want_raised = true},
    {.name = "structure_without_its_last_member_raises",
        .os = OS_WIN11,
        .version = 0x100,
        .bytes = 40,
        .want_raised = true},
    {.name = "name_of_no_bytes_is_parameter_2",
        .os = OS_WIN11,
        .version = 0x100,
        .bytes = 48,
        .want = 0xC00000F0,
        .no_length = true},
    {.name = "name_of_no_bytes_is_not_read",
        .os = OS_WIN11,
        .version = 0x100,
        .bytes = 48,
        .want = 0xC00000F0,
        .no_length = true,
        .no_characters = true},
    {.name = "name_of_1_byte_is_parameter_2",
        .os = OS_WIN11,
        .version = 0x100,
        .bytes = 48,
        .want = 0xC00000F0,
        .name_length = 1},
    {.name = "name_of_7_bytes_is_parameter_2",
        .os = OS_WIN11,
        .version = 0x100,
        .bytes = 48,
        .want = 0xC00000F0,
        .name_length = 7},
    {.name = "odd_name_is_not_read",
        .os = OS_WIN11,
        .version = 0x100,
        .bytes = 48,
        .want = 0xC00000F0,
        .name_length = 7,
        .no_characters = true},
    {.name = "name_of_2_bytes",
        .os = OS_WIN11,
        .version = 0x100,
        .bytes = 48,
        .name_length = 2},
    {.name = "name_that_is_nowhere_raises",
        .os = OS_WIN11,
        .version = 0x100,
        .bytes = 48,
        .want_raised = true,
        .name_length = 2,
        .no_characters = true},
    {.name = "name_that_is_longer_than_its_memory_raises",
        .os = OS_WIN11,
        .version = 0x100,
        .bytes = 48,
        .want_raised = true,
        .name_length = 10},
};

static PUNICODE_STRING name_of(
    struct booted_kernel *booted, const struct row *row)
{
    PUNICODE_STRING name = pcw_name(booted, PCW_TEXT(u"Disk"));

    if (row->name_length > 0 || row->no_length) {
        name->Length = row->name_length;
    }
    if (row->no_characters) {
        name->Buffer = NULL;
    }
    return name;
}

static void version_row(void **state)
{
    const struct row *row = *state;
    struct booted_kernel booted;
    PCW_REGISTRATION_INFORMATION info = {.Version = (PCW_VERSION)row->version,
        .Flags = (PCW_REGISTRATION_FLAGS)row->flags};
    struct pcw_job job = {.routine = ROUTINE_PcwRegister};
    uint64_t *handle;

    booted_init(&booted, row->os, ARCH_X64, 1, 1);
    info.Name = name_of(&booted, row);
    handle = booted_block(&booted, 8, 0xA5);
    job.argument[0] = pcw_value(handle);
    job.argument[1] = pcw_value(booted_copy(&booted, &info, row->bytes));
    pcw_run(&booted, &job);
    assert_int_equal(job.raised, row->want_raised);
    if (row->want_raised) {
        assert_int_equal((uint32_t)job.record.code, 0xC0000005);
        assert_int_equal(*handle, 0xA5A5A5A5A5A5A5A5);
    } else {
        assert_int_equal(job.status, row->want);
        assert_int_equal(*handle != 0, row->want == 0);
    }
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

static struct descriptor_row {
    const char *name;
    PCW_COUNTER_DESCRIPTOR counter[2];
    bool want_id, want_size;
} descriptor_rows[] = {
    {"four_and_eight_bytes", {{1, 0, 0, 4}, {2, 0, 8, 8}}, false, false},
    {"highest_fields", {{65535, 65535, 65535, 8}, {65534, 0, 8, 4}}, false,
        false},
    {"same_id", {{7, 0, 0, 4}, {7, 0, 8, 8}}, true, false},
    {"highest_id_twice", {{65535, 0, 0, 4}, {65535, 1, 8, 8}}, true, false},
    {"ids_of_one_octet", {{8, 0, 0, 4}, {15, 0, 8, 8}}, false, false},
    {"ids_with_the_same_lower_bits", {{1, 0, 0, 4}, {9, 0, 8, 8}}, false,
        false},
    {"size_of_no_bytes", {{1, 0, 0, 0}, {2, 0, 8, 8}}, false, true},
    {"size_of_2_bytes", {{1, 0, 0, 4}, {2, 0, 8, 2}}, false, true},
    {"size_of_5_bytes", {{1, 0, 0, 5}, {2, 0, 8, 8}}, false, true},
    {"size_of_16_bytes", {{1, 0, 0, 16}, {2, 0, 8, 8}}, false, true},
    {"same_id_and_size_of_1_byte", {{1, 0, 0, 1}, {1, 0, 8, 8}}, true, true},
};

static uint32_t register_two(struct booted_kernel *booted,
    const PCW_COUNTER_DESCRIPTOR *counter, uint64_t **handle)
{
    const struct pcw_set set = {
        .name = PCW_TEXT(u"Disk"), .counter = counter, .count = 2};
    struct pcw_job job = {.routine = ROUTINE_PcwRegister};

    *handle = booted_block(booted, 8, 0xA5);
    job.argument[0] = pcw_value(*handle);
    job.argument[1] = pcw_value(pcw_information(booted, &set));
    pcw_run(booted, &job);
    assert_false(job.raised);
    return job.status;
}

/* By default an event; then rejected, then silent. */
static void descriptor_row(void **state)
{
    const struct descriptor_row *row = *state;
    bool odd = row->want_id || row->want_size;
    struct booted_kernel booted;
    uint64_t *handle;

    booted_init_usual(&booted);
    assert_int_equal(register_two(&booted, row->counter, &handle), 0x00000000);
    assert_int_equal(
        booted_broken(&booted, RULE_PCW_REGISTER_SAME_ID), row->want_id);
    assert_int_equal(
        booted_broken(&booted, RULE_PCW_REGISTER_SIZE), row->want_size);
    assert_int_equal(booted.kernel.rules.count, row->want_id + row->want_size);
    pcw_flip(&booted, RULED_PCW_REG_13_reject);
    assert_int_equal(register_two(&booted, row->counter, &handle),
        odd ? 0xC00000F0 : 0x00000000);
    assert_int_equal(*handle == 0, odd);
    pcw_flip(&booted, RULED_PCW_REG_13_silent);
    assert_int_equal(register_two(&booted, row->counter, &handle), 0x00000000);
    assert_int_equal(booted.kernel.rules.count, row->want_id + row->want_size);
    booted_release(&booted);
}

static void everything_is_captured(void **state)
{
    const struct pcw_set set = {.name = PCW_TEXT(u"Disk"),
        .counter = two_counters,
        .count = 2,
        .context = (void *)(uintptr_t)0x1234};
    struct booted_kernel booted;
    uint64_t *handle;
    PPCW_REGISTRATION_INFORMATION info;
    struct pcw_job job = {.routine = ROUTINE_PcwRegister};
    const struct pcw_description *kept;
    const UNICODE_STRING *name;

    (void)state;
    booted_init_usual(&booted);
    handle = booted_block(&booted, 8, 0);
    info = pcw_information(&booted, &set);
    job.argument[0] = pcw_value(handle);
    job.argument[1] = pcw_value(info);
    pcw_run(&booted, &job);
    assert_int_equal(job.status, 0x00000000);
    name = info->Name;
    memory_free(&booted.machine.memory, name->Buffer);
    memory_free(&booted.machine.memory, info->Name);
    memory_free(&booted.machine.memory, info->Counters);
    memory_free(&booted.machine.memory, info);

    kept = &booted.kernel.pcw->first->description;
    pcw_assert_text(kept->name, PCW_TEXT(u"Disk"));
    assert_int_equal(kept->counter_count, 2);
    assert_memory_equal(kept->counter, two_counters, 16);
    assert_int_equal(kept->callback, 0);
    assert_int_equal(kept->context, 0x1234);
    assert_false(kept->silo_neutral);
    booted_release(&booted);
}

static void too_early_in_the_boot_there_is_no_registration(void **state)
{
    struct booted_kernel booted;
    uint64_t *handle;

    (void)state;
    booted_init_usual(&booted);
    booted.kernel.pcw->not_ready = true;
    assert_int_equal(register_two(&booted, two_counters, &handle), 0x00000000);
    assert_int_equal(*handle, 0);
    assert_null(booted.kernel.pcw->first);
    booted.kernel.pcw->not_ready = false;
    assert_int_equal(register_two(&booted, two_counters, &handle), 0x00000000);
    assert_int_not_equal(*handle, 0);
    booted_release(&booted);
}

static void a_name_may_be_registered_again(void **state)
{
    struct booted_kernel booted;
    uint64_t *first, *second;

    (void)state;
    booted_init_usual(&booted);
    assert_int_equal(register_two(&booted, two_counters, &first), 0x00000000);
    assert_int_equal(register_two(&booted, two_counters, &second), 0x00000000);
    assert_int_not_equal(*first, *second);
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

TEST_FILE(test_pcw_register)
{
    TEST_ADD_ROWS(list, version_row, version_rows);
    TEST_ADD_ROWS(list, descriptor_row, descriptor_rows);
    test_add(list, "everything_is_captured", everything_is_captured, NULL);
    test_add(list, "too_early_in_the_boot_there_is_no_registration",
        too_early_in_the_boot_there_is_no_registration, NULL);
    test_add(list, "a_name_may_be_registered_again",
        a_name_may_be_registered_again, NULL);
}
