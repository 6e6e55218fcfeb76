/* test_pcw_add.c - PcwAddInstance: statuses, filters, what is reported
 * (facts.md 5.6). */
#include "tests/api/pcw/pcw_scene.h"

/* Counter 1 in block 0, which needs 8 bytes, 2 in block 1, which needs 104. */
static const PCW_COUNTER_DESCRIPTOR counters[] = {
    {.Id = 1, .StructIndex = 0, .Offset = 4, .Size = 4},
    {.Id = 2, .StructIndex = 1, .Offset = 96, .Size = 8},
};

enum pointer { PROVIDED, NOTHING, BROKEN, WRONG };

enum { BLOCKS = 2 };

#define BOTH UINT64_C(6)

/* One call in a CollectData callback. */
static struct row {
    const char *name;
    enum ruled ruled;
    uint64_t mask; /* of the consumer; 0: both counters */
    enum pointer buffer, string, data;
    ULONG id;
    ULONG count; /* 0: 2 */
    bool no_count;
    enum pointer block[BLOCKS];
    ULONG size[BLOCKS]; /* 0: 104 bytes */
    USHORT length;      /* of the name, bytes; 0: 4 */
    uint32_t want;
    bool want_raised;
    unsigned want_values;
    const char *want_rule;
    bool want_stop;
} rows[] = {
    {.name = "both_counters", .want_values = 2},
    {.name = "more_blocks_than_counters_lie_in", .count = 3, .want_values = 2},
    {.name = "blocks_that_are_just_enough", .size = {8, 104}, .want_values = 2},
    {.name = "first_block_is_a_byte_too_small",
        .size = {7, 0},
        .want = 0xC0000206},
    {.name = "last_block_is_a_byte_too_small",
        .size = {0, 103},
        .want = 0xC0000206},
    {.name = "no_blocks", .no_count = true, .want = 0xC0000206},
    {.name = "no_blocks_at_null",
        .no_count = true,
        .data = NOTHING,
        .want = 0xC0000206},
    {.name = "too_few_blocks", .count = 1, .want = 0xC0000206},
    {.name = "data_null", .data = NOTHING, .want = 0xC0000206},
    {.name = "data_nowhere_raises", .data = BROKEN, .want_raised = true},
    {.name = "block_null", .block = {NOTHING}, .want = 0xC0000206},
    {.name = "block_nowhere_raises", .block = {BROKEN}, .want_raised = true},
    {.name = "too_few_blocks_are_parameter_4",
        .ruled = RULED_PCW_ADD_07a_status,
        .count = 1,
        .want = 0xC00000F2},
    {.name = "block_null_is_parameter_4",
        .ruled = RULED_PCW_ADD_07a_status,
        .block = {NOTHING},
        .want = 0xC00000F2},
    {.name = "small_block_is_no_parameter_4",
        .ruled = RULED_PCW_ADD_07a_status,
        .size = {7, 0},
        .want = 0xC0000206},
    {.name = "small_block_outside_the_mask",
        .mask = 4,
        .size = {7, 0},
        .want_values = 1},
    {.name = "block_null_outside_the_mask",
        .mask = 4,
        .block = {NOTHING},
        .want_values = 1},
    {.name = "block_nowhere_outside_the_mask",
        .mask = 4,
        .block = {BROKEN},
        .want_values = 1},
    {.name = "too_few_blocks_outside_the_mask",
        .mask = 2,
        .count = 1,
        .want_values = 1},
    {.name = "no_blocks_for_an_empty_mask",
        .mask = 1,
        .no_count = true,
        .data = NOTHING,
        .want_values = 0},
    {.name = "stored_counter_outside_the_mask", .mask = 4, .want_values = 2},
    {.name = "small_block_outside_the_mask_is_checked",
        .ruled = RULED_PCW_ADD_07b_all,
        .mask = 4,
        .size = {7, 0},
        .want = 0xC0000206},
    {.name = "block_nowhere_outside_the_mask_is_checked",
        .ruled = RULED_PCW_ADD_07b_all,
        .mask = 4,
        .block = {BROKEN},
        .want_raised = true},
    {.name = "name_null_raises", .string = NOTHING, .want_raised = true},
    {.name = "name_null_is_parameter_2",
        .ruled = RULED_PCW_ADD_03b_status,
        .string = NOTHING,
        .want = 0xC00000F0},
    {.name = "name_nowhere_raises",
        .ruled = RULED_PCW_ADD_03b_status,
        .string = BROKEN,
        .want_raised = true},
    {.name = "buffer_null_raises", .buffer = NOTHING, .want_raised = true},
    {.name = "buffer_null_is_parameter_1",
        .ruled = RULED_PCW_ADD_03b_status,
        .buffer = NOTHING,
        .want = 0xC00000EF},
    {.name = "wrong_buffer_stops",
        .buffer = WRONG,
        .want_stop = true,
        .want_rule = "pcw.add.stale"},
    {.name = "wrong_buffer_is_parameter_1",
        .ruled = RULED_PCW_ADD_10a_status,
        .buffer = WRONG,
        .want = 0xC00000EF},
    {.name = "buffer_before_name",
        .ruled = RULED_PCW_ADD_10a_status,
        .buffer = WRONG,
        .string = NOTHING,
        .want = 0xC00000EF},
    {.name = "name_before_data",
        .ruled = RULED_PCW_ADD_03b_status,
        .string = NOTHING,
        .data = NOTHING,
        .want = 0xC00000F0},
    {.name = "odd_name",
        .length = 3,
        .want_values = 2,
        .want_rule = "pcw.instance.odd_name"},
    {.name = "odd_name_is_rejected",
        .ruled = RULED_PCW_ADD_12_reject,
        .length = 3,
        .want = 0xC00000F0},
    {.name = "even_name_is_not_rejected",
        .ruled = RULED_PCW_ADD_12_reject,
        .want_values = 2},
    {.name = "odd_name_is_silent",
        .ruled = RULED_PCW_ADD_12_silent,
        .length = 3,
        .want_values = 2},
    {.name = "highest_id", .id = 0xFFFFFFFD, .want_values = 2},
    {.name = "first_reserved_id",
        .id = 0xFFFFFFFE,
        .want_values = 2,
        .want_rule = "pcw.instance.reserved_id"},
    {.name = "last_reserved_id",
        .id = 0xFFFFFFFF,
        .want_values = 2,
        .want_rule = "pcw.instance.reserved_id"},
    {.name = "reserved_id_is_parameter_3",
        .ruled = RULED_PCW_ADD_04c_status,
        .id = 0xFFFFFFFE,
        .want = 0xC00000F1},
    {.name = "highest_id_is_no_parameter_3",
        .ruled = RULED_PCW_ADD_04c_status,
        .id = 0xFFFFFFFD,
        .want_values = 2},
    {.name = "reserved_id_is_silent",
        .ruled = RULED_PCW_ADD_04c_silent,
        .id = 0xFFFFFFFF,
        .want_values = 2},
};

struct scene {
    struct booted_kernel booted;
    struct pcw_provider provider;
    struct pcw_consumer consumer;
    uint64_t registration;
};

/* The usual buffer is filled in by the callback, so others replace it there. */
static void replace_buffer(struct pcw_provider *provider, uint64_t type)
{
    struct pcw_noted *noted = &provider->noted[provider->calls - 1];

    if (type == PcwCallbackCollectData) {
        noted->info.CollectData.Buffer = (PPCW_BUFFER)provider->argument;
    }
}

static void scene_init(struct scene *scene)
{
    const struct pcw_set set = {.name = PCW_TEXT(u"Disk"),
        .counter = counters,
        .count = 2,
        .callback = pcw_callback_of_scene,
        .context = &scene->provider};

    *scene = (struct scene){.registration = 0};
    booted_init_usual(&scene->booted);
    scene->consumer = pcw_consumer_of(&scene->booted, PCW_TEXT(u"Disk"));
    scene->registration = pcw_register(&scene->booted, &set);
}

static const PCW_DATA *data_of(
    struct booted_kernel *booted, const struct row *row)
{
    PCW_DATA data[BLOCKS + 1] = {{0}};
    ULONG count = row->no_count ? 0 : row->count == 0 ? BLOCKS : row->count;

    for (unsigned i = 0; i < BLOCKS; i++) {
        data[i].Size = row->size[i] == 0 ? 104 : row->size[i];
        data[i].Data = row->block[i] == NOTHING ? NULL
                       : row->block[i] == BROKEN
                           ? (PVOID)(uintptr_t)0x10000
                           : booted_block(booted, data[i].Size, 7);
    }
    return row->data == NOTHING ? NULL
           : row->data == BROKEN
               ? (const PCW_DATA *)(uintptr_t)0x10000
               : booted_copy(booted, data, count * sizeof(*data));
}

static void plan(struct scene *scene, const struct row *row)
{
    PUNICODE_STRING name = pcw_name(&scene->booted, PCW_TEXT(u"C:"));
    ULONG count = row->no_count ? 0 : row->count == 0 ? BLOCKS : row->count;

    name->Length = row->length == 0 ? name->Length : row->length;
    if (row->string != PROVIDED) {
        name =
            row->string == NOTHING ? NULL : (PUNICODE_STRING)(uintptr_t)0x10000;
    }
    pcw_provider_add(
        &scene->provider, name, row->id, count, data_of(&scene->booted, row));
    if (row->buffer != PROVIDED) {
        scene->provider.during = replace_buffer;
        scene->provider.argument =
            row->buffer == NOTHING ? NULL : (void *)(uintptr_t)0x1234;
    }
}

static void add_row(void **state)
{
    const struct row *row = *state;
    struct scene scene;
    const struct pcw_job *job = &scene.provider.add[0];
    const struct rule_log *log = &scene.booted.kernel.rules;
    bool succeeds = row->want == 0 && !row->want_raised;

    scene_init(&scene);
    plan(&scene, row);
    pcw_flip(&scene.booted, row->ruled);
    scene.consumer.filter.counters = row->mask == 0 ? BOTH : row->mask;
    booted_run(&scene.booted, 0, pcw_consumer_open, &scene.consumer);
    if (row->want_stop) {
        booted_run_to_stop(
            &scene.booted, 0, pcw_consumer_collect, &scene.consumer);
        assert_int_equal(scene.booted.kernel.bugcheck.code, 0x50);
    } else {
        pcw_collect_once(&scene.booted, &scene.consumer);
        assert_int_equal(job->raised, row->want_raised);
        assert_int_equal(job->status, row->want);
        assert_int_equal(scene.consumer.result->row_count, succeeds);
    }
    if (job->raised) {
        assert_int_equal((uint32_t)job->record.code, 0xC0000005);
        assert_int_equal(job->record.routine, ROUTINE_PcwAddInstance);
        assert_false(job->record.write);
    }
    if (succeeds && !row->want_stop) {
        assert_int_equal(scene.consumer.result->row[0].id, row->id);
        assert_int_equal(
            scene.consumer.result->row[0].value_count, row->want_values);
    }
    assert_int_equal(log->count, row->want_rule != NULL);
    if (row->want_rule != NULL) {
        assert_string_equal(rule_rows[log->event[0].rule].id, row->want_rule);
        assert_int_equal(log->event[0].routine, ROUTINE_PcwAddInstance);
    }
    booted_release(&scene.booted);
}

TEST_FILE(test_pcw_add)
{
    TEST_ADD_ROWS(list, add_row, rows);
}
