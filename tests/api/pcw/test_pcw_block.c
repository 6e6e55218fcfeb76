/* test_pcw_block.c - where the data of an instance lies, and what happens when
 * it goes first (PCW-CRE-07a, PCW-CRE-17, PCW-CRE-18, PCW-CLS-05). */
#include "api/boot/exports.h"
#include "api/ex/pool.h"
#include "api/pcw/instance.h"
#include "api/pcw/pcw.h"
#include "tests/api/pcw/pcw_scene.h"

static const PCW_COUNTER_DESCRIPTOR counter[] = {{.Id = 1, .Size = 8}};

static const struct pcw_set disk = {
    .name = PCW_TEXT_ROW(u"Disk"), .counter = counter, .count = 1};

enum { POOL_BYTES = 64, TAG = 0x31676154 };

enum place {
    NON_PAGED,
    PAGED,
    MIDDLE,
    END,
    STACK,
    USER,
    NOWHERE,
    TOO_SHORT,
    FREED
};

struct scene {
    struct booted_kernel booted;
    struct pcw_consumer consumer;
    uint64_t registration, *instance;
    PUNICODE_STRING name;
    PCW_DATA *data;
    enum place place;
    uint8_t *pool;
    uint32_t status;
};

/* Driver code: allocates, creates; a stack is that of the thread. */
static void create_there(void *argument)
{
    struct scene *scene = argument;
    struct machine *machine = &scene->booted.machine;
    uint8_t *start;

    scene->pool = ExAllocatePool2(
        scene->place == PAGED ? POOL_FLAG_PAGED : POOL_FLAG_NON_PAGED,
        POOL_BYTES, TAG);
    start = scene->place == MIDDLE      ? scene->pool + 24
            : scene->place == END       ? scene->pool + POOL_BYTES - 8
            : scene->place == TOO_SHORT ? scene->pool + POOL_BYTES - 7
            : scene->place == STACK
                ? (uint8_t *)strand_guest_stack(machine) + 1024
            : scene->place == USER    ? (uint8_t *)(uintptr_t)0x10000
            : scene->place == NOWHERE ? (uint8_t *)(uintptr_t)0xFFFF800000001000
                                      : scene->pool;
    if (scene->place <= END) {
        memory_page_in(&machine->memory, start);
    }
    if (scene->place <= STACK) {
        memset(start, 7, 8);
    }
    if (scene->place == FREED) {
        ExFreePool(scene->pool);
    }
    scene->data->Data = start;
    scene->data->Size = 8;
    scene->status =
        (uint32_t)PcwCreateInstance((PPCW_INSTANCE *)(void *)scene->instance,
            (PPCW_REGISTRATION)(uintptr_t)scene->registration, scene->name, 1,
            scene->data);
}

static void free_it(void *argument)
{
    ExFreePool(((struct scene *)argument)->pool);
}

static void scene_init(struct scene *scene, enum place place)
{
    const PCW_DATA data = {0};

    *scene = (struct scene){.place = place};
    booted_init_usual(&scene->booted);
    scene->registration = pcw_register(&scene->booted, &disk);
    scene->instance = booted_block(&scene->booted, 8, 0);
    scene->name = pcw_name(&scene->booted, PCW_TEXT(u"C:"));
    scene->data = booted_copy(&scene->booted, &data, sizeof(data));
    scene->consumer = pcw_consumer_of(&scene->booted, PCW_TEXT(u"Disk"));
}

static struct row {
    const char *name;
    enum place place;
    enum rule want_event; /* at PcwCreateInstance; RULE_COUNT: none */
    bool want_value;      /* else collecting stops the machine */
} rows[] = {
    {"non_paged_pool", NON_PAGED, RULE_COUNT, true},
    {"paged_pool", PAGED, RULE_COUNT, true},
    {"middle_of_a_pool_block", MIDDLE, RULE_COUNT, true},
    {"end_of_a_pool_block", END, RULE_COUNT, true},
    {"stack", STACK, RULE_PCW_BLOCK_PLACE, true},
    {"user_memory_that_is_not_there", USER, RULE_PCW_BLOCK_PLACE, false},
    {"nowhere", NOWHERE, RULE_PCW_BLOCK_PLACE, false},
    {"beyond_the_end_of_a_block", TOO_SHORT, RULE_PCW_BLOCK_SHORT, false},
    {"freed_before", FREED, RULE_PCW_BLOCK_STALE, false},
};

static void place_row(void **state)
{
    const struct row *row = *state;
    struct scene scene;

    scene_init(&scene, row->place);
    booted_run(&scene.booted, 0, create_there, &scene);
    assert_int_equal(scene.status, 0x00000000);
    assert_int_equal(
        scene.booted.kernel.rules.count, row->want_event != RULE_COUNT);
    if (row->want_event != RULE_COUNT) {
        assert_int_equal(
            scene.booted.kernel.rules.event[0].rule, row->want_event);
    }
    memory_page_out(&scene.booted.machine.memory);
    booted_run(&scene.booted, 0, pcw_consumer_open, &scene.consumer);
    if (row->want_value) {
        booted_run(&scene.booted, 0, pcw_consumer_collect, &scene.consumer);
        assert_int_equal(scene.consumer.result->row_count, 1);
        assert_int_equal(
            scene.consumer.result->row[0].value[0], 0x0707070707070707);
    } else {
        booted_run_to_stop(
            &scene.booted, 0, pcw_consumer_collect, &scene.consumer);
        assert_int_equal(booted_broken(&scene.booted, RULE_PCW_BLOCK_GONE), 1);
        assert_int_equal(scene.booted.kernel.bugcheck.code, 0xD5);
    }
    booted_release(&scene.booted);
}

static struct flipped_row {
    const char *name;
    enum ruled ruled;
    bool want_stop, want_event;
} flipped_rows[] = {
    {"stack_is_fatal", RULED_PCW_CRE_18_fatal, true, true},
    {"stack_is_silent", RULED_PCW_CRE_18_silent, false, false},
};

static void flipped_row(void **state)
{
    const struct flipped_row *row = *state;
    struct scene scene;

    scene_init(&scene, STACK);
    pcw_flip(&scene.booted, row->ruled);
    if (row->want_stop) {
        booted_run_to_stop(&scene.booted, 0, create_there, &scene);
        assert_int_equal(scene.booted.kernel.bugcheck.code, 0xC4);
        assert_int_equal(*scene.instance, 0);
    } else {
        booted_run(&scene.booted, 0, create_there, &scene);
        assert_int_equal(scene.status, 0x00000000);
    }
    assert_int_equal(
        booted_broken(&scene.booted, RULE_PCW_BLOCK_PLACE), row->want_event);
    booted_release(&scene.booted);
}

/* The block is freed with the instance open. */
static struct free_row {
    const char *name;
    enum ruled ruled;
    enum place place;
    bool closed; /* the instance is, before */
    bool twin;   /* another instance has the same block, and is open */
    bool want_stop;
    unsigned want;
} free_rows[] = {
    {"freed_block_of_an_open_instance", PCW_USUAL, NON_PAGED, false, false,
        false, 1},
    {"freed_paged_block_of_an_open_instance", PCW_USUAL, PAGED, false, false,
        false, 1},
    {"freed_block_with_data_in_its_middle", PCW_USUAL, MIDDLE, false, false,
        false, 1},
    {"freed_block_with_data_at_its_end", PCW_USUAL, END, false, false, false,
        1},
    {"freed_block_of_a_closed_instance", PCW_USUAL, MIDDLE, true, false, false,
        0},
    {"freed_block_of_two_instances", PCW_USUAL, NON_PAGED, false, true, false,
        1},
    {"freed_block_of_the_other_instance", PCW_USUAL, NON_PAGED, true, true,
        false, 1},
    {"freed_block_without_data", PCW_USUAL, STACK, false, false, false, 0},
    {"freed_block_stops", RULED_PCW_CLS_05_fatal, MIDDLE, false, false, true,
        1},
    {"freed_block_of_a_closed_instance_does_not_stop", RULED_PCW_CLS_05_fatal,
        MIDDLE, true, false, false, 0},
};

static void free_row(void **state)
{
    const struct free_row *row = *state;
    struct scene scene;
    const struct rule_log *log = &scene.booted.kernel.rules;
    size_t before;

    scene_init(&scene, row->place);
    pcw_flip(&scene.booted, row->ruled);
    booted_run(&scene.booted, 0, create_there, &scene);
    if (row->twin) {
        pcw_create(&scene.booted, scene.registration, PCW_TEXT(u"D:"),
            scene.pool, POOL_BYTES);
    }
    if (row->closed) {
        pcw_close(&scene.booted, *scene.instance);
    }
    before = log->count;
    if (row->want_stop) {
        booted_run_to_stop(&scene.booted, 0, free_it, &scene);
        assert_int_equal(scene.booted.kernel.bugcheck.code, 0xC4);
        assert_int_equal(log->event[before].rule, RULE_PCW_BLOCK_FREED);
        booted_release(&scene.booted);
        return;
    }
    booted_run(&scene.booted, 0, free_it, &scene);
    assert_int_equal(log->count - before, row->want);
    assert_int_equal(
        booted_broken(&scene.booted, RULE_PCW_BLOCK_FREED), row->want);
    if (row->want > 0) {
        assert_int_equal(log->event[before].routine, ROUTINE_ExFreePool);
    }
    booted_run(&scene.booted, 0, pcw_consumer_open, &scene.consumer);
    if (row->want > 0) {
        booted_run_to_stop(
            &scene.booted, 0, pcw_consumer_collect, &scene.consumer);
        assert_int_equal(booted_broken(&scene.booted, RULE_PCW_BLOCK_GONE), 1);
    } else {
        booted_run(&scene.booted, 0, pcw_consumer_collect, &scene.consumer);
        assert_int_equal(scene.consumer.result->row_count, !row->closed);
    }
    booted_release(&scene.booted);
}

/* It can be closed all the same, and enumerated. */
static void instance_without_its_data_is_still_there(void **state)
{
    struct scene scene;

    (void)state;
    scene_init(&scene, MIDDLE);
    booted_run(&scene.booted, 0, create_there, &scene);
    booted_run(&scene.booted, 0, free_it, &scene);
    scene.consumer.filter.counters = 0;
    pcw_collect_once(&scene.booted, &scene.consumer);
    assert_int_equal(scene.consumer.result->row_count, 1);
    booted_run(&scene.booted, 0, pcw_consumer_enumerate, &scene.consumer);
    assert_int_equal(scene.consumer.result->row_count, 1);
    pcw_close(&scene.booted, *scene.instance);
    assert_int_equal(scene.booted.kernel.rules.count, 1);
    booted_release(&scene.booted);
}

static void origin_is_where_the_instance_was_created(void **state)
{
    struct scene scene;
    struct pcw_instance *instance;

    (void)state;
    scene_init(&scene, MIDDLE);
    pcw_create(&scene.booted, scene.registration, PCW_TEXT(u"D:"),
        booted_block(&scene.booted, 8, 0), 8); /* another's */
    booted_run(&scene.booted, 0, create_there, &scene);
    instance = scene.booted.kernel.pcw->first->last_instance;
    instance->place = 0x1234; /* driver code here has no place */
    booted_run(&scene.booted, 0, free_it, &scene);
    assert_int_equal(scene.booted.kernel.rules.event[0].origin, 0x1234);
    booted_release(&scene.booted);
}

TEST_FILE(test_pcw_block)
{
    TEST_ADD_ROWS(list, place_row, rows);
    TEST_ADD_ROWS(list, flipped_row, flipped_rows);
    TEST_ADD_ROWS(list, free_row, free_rows);
    test_add(list, "instance_without_its_data_is_still_there",
        instance_without_its_data_is_still_there, NULL);
    test_add(list, "origin_is_where_the_instance_was_created",
        origin_is_where_the_instance_was_created, NULL);
}
