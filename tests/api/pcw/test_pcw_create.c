/* test_pcw_create.c - PcwCreateInstance: statuses, their order, rulings
 * (facts.md 5.4). */
#include "api/pcw/instance.h"
#include "api/pcw/pcw.h"
#include "tests/api/pcw/pcw_scene.h"

/* Two counters in block 0, which needs 16 bytes, one in block 2, which needs
 * 104; none in block 1. */
static const PCW_COUNTER_DESCRIPTOR counters[] = {
    {.Id = 1, .StructIndex = 0, .Offset = 0, .Size = 4},
    {.Id = 2, .StructIndex = 2, .Offset = 100, .Size = 4},
    {.Id = 3, .StructIndex = 0, .Offset = 8, .Size = 8},
};

/* The highest that a descriptor's fields add up to. */
static const PCW_COUNTER_DESCRIPTOR far_counter[] = {
    {.Id = 1, .StructIndex = 0, .Offset = 65535, .Size = 65535},
};

enum pointer { PROVIDED, NOTHING, BROKEN };

enum { BLOCKS = 3 };

/* What one call says. */
static struct row {
    const char *name;
    enum ruled ruled;
    uint64_t number; /* of a ruling that has one */
    enum { THREE, NONE, FAR } set;
    enum pointer instance, registration, string, data;
    ULONG count;
    bool no_block[BLOCKS];
    ULONG size[BLOCKS]; /* 0: 104 bytes */
    uint32_t want;
    bool want_raised, want_write;
    bool want_untouched; /* the handle, else it is NULL */
} rows[] = {
    {.name = "three_blocks", .count = 3},
    {.name = "block_without_counters_may_be_null",
        .count = 3,
        .no_block = {false, true, false}},
    {.name = "block_without_counters_may_have_any_size",
        .count = 3,
        .size = {0, 1, 0}},
    {.name = "blocks_that_are_just_enough", .count = 3, .size = {16, 1, 104}},
    {.name = "first_block_is_a_byte_too_small",
        .count = 3,
        .size = {15, 0, 0},
        .want = 0xC0000206},
    {.name = "last_block_is_a_byte_too_small",
        .count = 3,
        .size = {0, 0, 103},
        .want = 0xC0000206},
    {.name = "block_of_50_bytes_for_offset_100",
        .count = 3,
        .size = {0, 0, 50},
        .want = 0xC0000206},
    {.name = "highest_offset_and_size_just_fit",
        .set = FAR,
        .count = 1,
        .size = {131070}},
    {.name = "highest_offset_and_size_do_not_wrap",
        .set = FAR,
        .count = 1,
        .size = {131069},
        .want = 0xC0000206},
    {.name = "count_below_the_structures", .count = 2, .want = 0xC00000F2},
    {.name = "count_0_for_structures", .data = NOTHING, .want = 0xC00000F2},
    {.name = "no_counters_no_blocks", .set = NONE, .data = NOTHING},
    {.name = "no_counters_any_count", .set = NONE, .count = 3},
    {.name = "no_counters_highest_count", .set = NONE, .count = 0x0FFFFFFF},
    {.name = "no_counters_only_count_0",
        .ruled = RULED_PCW_CRE_04d_zero,
        .set = NONE,
        .count = 1,
        .want = 0xC00000F2},
    {.name = "no_counters_count_0_of_only_0",
        .ruled = RULED_PCW_CRE_04d_zero,
        .set = NONE},
    {.name = "count_is_equal", .ruled = RULED_PCW_CRE_04b_equal, .count = 3},
    {.name = "count_is_not_equal",
        .ruled = RULED_PCW_CRE_04b_equal,
        .count = 4,
        .want = 0xC00000F2},
    {.name = "count_below_is_not_equal",
        .ruled = RULED_PCW_CRE_04b_equal,
        .count = 2,
        .want = 0xC00000F2},
    {.name = "equal_count_is_not_for_no_counters",
        .ruled = RULED_PCW_CRE_04b_equal,
        .set = NONE,
        .count = 3},
    {.name = "count_that_overflows", .count = 0x10000000, .want = 0xC0000095},
    {.name = "highest_count_overflows",
        .count = 0xFFFFFFFF,
        .want = 0xC0000095},
    {.name = "count_that_overflows_without_counters",
        .set = NONE,
        .count = 0x10000000,
        .want = 0xC0000095},
    {.name = "number_is_the_most",
        .ruled = RULED_PCW_CRE_06b_number,
        .number = 3,
        .count = 3},
    {.name = "number_is_exceeded",
        .ruled = RULED_PCW_CRE_06b_number,
        .number = 2,
        .count = 3,
        .want = 0xC0000095},
    {.name = "overflow_before_count",
        .ruled = RULED_PCW_CRE_06b_number,
        .number = 1,
        .count = 2,
        .want = 0xC0000095},
    {.name = "overflow_before_blocks",
        .count = 0x10000000,
        .no_block = {true},
        .want = 0xC0000095},
    {.name = "count_before_blocks",
        .count = 2,
        .no_block = {true},
        .want = 0xC00000F2},
    {.name = "data_null_before_overflow",
        .data = NOTHING,
        .count = 0x10000000,
        .want_raised = true,
        .want_untouched = true},
    {.name = "data_null_before_count",
        .ruled = RULED_PCW_CRE_10a_status,
        .data = NOTHING,
        .count = 2,
        .want = 0xC00000F3},
    {.name = "count_before_data_nowhere",
        .data = BROKEN,
        .count = 2,
        .want = 0xC00000F2},
    {.name = "instance_null_raises",
        .ruled = RULED_PCW_CRE_02b_status,
        .instance = NOTHING,
        .count = 3,
        .want_raised = true,
        .want_write = true},
    {.name = "instance_null_is_parameter_1",
        .ruled = RULED_PCW_CRE_10a_status,
        .instance = NOTHING,
        .count = 3,
        .want = 0xC00000EF},
    {.name = "instance_nowhere_raises",
        .ruled = RULED_PCW_CRE_10a_status,
        .instance = BROKEN,
        .count = 3,
        .want_raised = true,
        .want_write = true},
    {.name = "name_null_raises",
        .ruled = RULED_PCW_CRE_10a_status,
        .string = NOTHING,
        .count = 3,
        .want_raised = true,
        .want_untouched = true},
    {.name = "name_null_is_parameter_3",
        .ruled = RULED_PCW_CRE_02b_status,
        .string = NOTHING,
        .count = 3,
        .want = 0xC00000F1},
    {.name = "name_nowhere_raises",
        .ruled = RULED_PCW_CRE_02b_status,
        .string = BROKEN,
        .count = 3,
        .want_raised = true,
        .want_untouched = true},
    {.name = "data_nowhere_raises",
        .ruled = RULED_PCW_CRE_10a_status,
        .data = BROKEN,
        .count = 3,
        .want_raised = true,
        .want_untouched = true},
    {.name = "block_null_raises",
        .count = 3,
        .no_block = {false, false, true},
        .want_raised = true,
        .want_untouched = true},
    {.name = "block_null_is_parameter_5",
        .ruled = RULED_PCW_CRE_10a_status,
        .count = 3,
        .no_block = {false, false, true},
        .want = 0xC00000F3},
    {.name = "failure_leaves_the_handle",
        .ruled = RULED_PCW_CRE_10b_untouched,
        .count = 2,
        .want = 0xC00000F2,
        .want_untouched = true},
};

static uint64_t register_set(
    struct booted_kernel *booted, const struct row *row)
{
    const struct pcw_set set = {
        .name = PCW_TEXT(u"Disk"),
        .counter = row->set == FAR ? far_counter : counters,
        .count = row->set == NONE  ? 0
                 : row->set == FAR ? 1
                                   : 3,
    };

    return pcw_register(booted, &set);
}

static const void *pointer_of(struct booted_kernel *booted, enum pointer kind,
    const void *from, size_t size)
{
    return kind == NOTHING  ? NULL
           : kind == BROKEN ? (const void *)(uintptr_t)0x10000
                            : booted_copy(booted, from, size);
}

static void fill(
    struct booted_kernel *booted, const struct row *row, struct pcw_job *job)
{
    static const uint64_t handle = 0xA5A5A5A5A5A5A5A5;
    PCW_DATA data[BLOCKS + 1];
    PUNICODE_STRING name = pcw_name(booted, PCW_TEXT(u"C:"));

    for (unsigned i = 0; i < BLOCKS; i++) {
        data[i].Size = row->size[i] == 0 ? 104 : row->size[i];
        data[i].Data =
            row->no_block[i] ? NULL : booted_block(booted, data[i].Size, 0);
    }
    data[BLOCKS] = (PCW_DATA){0};
    job->argument[0] =
        pcw_value(pointer_of(booted, row->instance, &handle, sizeof(handle)));
    job->argument[2] =
        pcw_value(pointer_of(booted, row->string, name, sizeof(*name)));
    job->argument[3] = row->count;
    job->argument[4] = pcw_value(pointer_of(booted, row->data, data,
        (row->count < BLOCKS + 1 ? row->count : BLOCKS + 1) * sizeof(*data)));
}

static void create_row(void **state)
{
    const struct row *row = *state;
    struct booted_kernel booted;
    struct pcw_job job = {.routine = ROUTINE_PcwCreateInstance};
    bool succeeds = row->want == 0 && !row->want_raised;

    booted_init_usual(&booted);
    job.argument[1] = register_set(&booted, row);
    fill(&booted, row, &job);
    pcw_flip(&booted, row->ruled);
    booted.kernel.rulings.number[ruled_rows[row->ruled].ruling] = row->number;
    pcw_run(&booted, &job);

    assert_int_equal(job.raised, row->want_raised);
    if (row->want_raised) {
        assert_int_equal((uint32_t)job.record.code, 0xC0000005);
        assert_int_equal(job.record.write, row->want_write);
        assert_int_equal(job.record.routine, ROUTINE_PcwCreateInstance);
    } else {
        assert_int_equal(job.status, row->want);
    }
    if (row->instance == PROVIDED) {
        uint64_t handle = *(const uint64_t *)(uintptr_t)job.argument[0];

        if (succeeds) {
            assert_int_equal(handle, 0xFFFFE80200000040);
        } else {
            assert_int_equal(
                handle, row->want_untouched ? 0xA5A5A5A5A5A5A5A5 : 0);
        }
    }
    assert_int_equal(booted.kernel.pcw->first->by_name.count, succeeds);
    assert_int_equal(booted_broken(&booted, RULE_PCW_CREATE_MORE), 0);
    booted_release(&booted);
}

/* Things that are reported, or not. */
static struct oddity_row {
    const char *name;
    enum ruled ruled;
    struct pcw_text text;
    USHORT length; /* bytes; 0: of the text */
    ULONG count;
    uint32_t want;
    const char *want_rule;
} oddity_rows[] = {
    {"usual_name", PCW_USUAL, PCW_TEXT_ROW(u"C:"), 0, 3, 0, NULL},
    {"odd_name", PCW_USUAL, PCW_TEXT_ROW(u"C:"), 3, 3, 0,
        "pcw.instance.odd_name"},
    {"odd_name_is_rejected", RULED_PCW_CRE_02c_reject, PCW_TEXT_ROW(u"C:"), 3,
        3, 0xC00000F1, NULL},
    {"even_name_is_not_rejected", RULED_PCW_CRE_02c_reject, PCW_TEXT_ROW(u"C:"),
        0, 3, 0, NULL},
    {"odd_name_is_silent", RULED_PCW_CRE_02c_silent, PCW_TEXT_ROW(u"C:"), 3, 3,
        0, NULL},
    {"empty_name_is_silent", PCW_USUAL, PCW_TEXT_ROW(u""), 0, 3, 0, NULL},
    {"empty_name", RULED_PCW_CRE_03b_event, PCW_TEXT_ROW(u""), 0, 3, 0,
        "pcw.instance.no_name"},
    {"name_that_is_not_empty", RULED_PCW_CRE_03b_event, PCW_TEXT_ROW(u"C"), 0,
        3, 0, NULL},
    {"larger_count", PCW_USUAL, PCW_TEXT_ROW(u"C:"), 0, 4, 0,
        "pcw.create.more"},
    {"larger_count_is_silent", RULED_PCW_CRE_04c_silent, PCW_TEXT_ROW(u"C:"), 0,
        4, 0, NULL},
    {"equal_name", PCW_USUAL, PCW_TEXT_ROW(u"d:"), 0, 3, 0,
        "pcw.instance.same_name"},
    {"equal_name_is_silent", RULED_PCW_CRE_15_silent, PCW_TEXT_ROW(u"d:"), 0, 3,
        0, NULL},
    {"longer_name_is_not_equal", PCW_USUAL, PCW_TEXT_ROW(u"D:\\"), 0, 3, 0,
        NULL},
};

/* An instance "D:" is there. */
static void oddity_row(void **state)
{
    const struct oddity_row *row = *state;
    const struct row plain = {.count = row->count};
    struct booted_kernel booted;
    struct pcw_job job = {.routine = ROUTINE_PcwCreateInstance};
    const struct rule_log *log = &booted.kernel.rules;
    PUNICODE_STRING name;

    booted_init_usual(&booted);
    job.argument[1] = register_set(&booted, &plain);
    fill(&booted, &(struct row){.count = 3}, &job);
    job.argument[2] = pcw_value(pcw_name(&booted, PCW_TEXT(u"D:")));
    pcw_run(&booted, &job);
    fill(&booted, &plain, &job);
    name = pcw_name(&booted, row->text);
    name->Length = row->length == 0 ? name->Length : row->length;
    job.argument[2] = pcw_value(name);
    pcw_flip(&booted, row->ruled);
    pcw_run(&booted, &job);

    assert_false(job.raised);
    assert_int_equal(job.status, row->want);
    assert_int_equal(log->count, row->want_rule == NULL ? 0 : 1);
    if (row->want_rule != NULL) {
        assert_string_equal(rule_rows[log->event[0].rule].id, row->want_rule);
        assert_int_equal(log->event[0].routine, ROUTINE_PcwCreateInstance);
    }
    booted_release(&booted);
}

static void the_name_and_the_array_are_copied(void **state)
{
    struct booted_kernel booted;
    struct pcw_job job = {.routine = ROUTINE_PcwCreateInstance};
    const struct pcw_instance *instance;
    const UNICODE_STRING *name;
    uint64_t first, unused, last;
    PCW_DATA *data;

    (void)state;
    booted_init_usual(&booted);
    job.argument[1] = register_set(&booted, &rows[0]);
    fill(&booted, &rows[0], &job);
    pcw_run(&booted, &job);
    name = (const UNICODE_STRING *)(uintptr_t)job.argument[2];
    data = (PCW_DATA *)(uintptr_t)job.argument[4];
    first = pcw_value(data[0].Data);
    unused = pcw_value(data[1].Data);
    last = pcw_value(data[2].Data);
    memset(data, 0xFF, 3 * sizeof(*data));
    memory_free(&booted.machine.memory, name->Buffer);

    instance = booted.kernel.pcw->first->first_instance;
    pcw_assert_text(instance->named.name, PCW_TEXT(u"C:"));
    assert_int_equal(instance->block[0].address, first);
    assert_int_equal(instance->block[0].size, 104);
    assert_int_equal(instance->block[1].address, unused);
    assert_int_equal(instance->block[2].address, last);
    booted_release(&booted);
}

TEST_FILE(test_pcw_create)
{
    TEST_ADD_ROWS(list, create_row, rows);
    TEST_ADD_ROWS(list, oddity_row, oddity_rows);
    test_add(list, "the_name_and_the_array_are_copied",
        the_name_and_the_array_are_copied, NULL);
}
