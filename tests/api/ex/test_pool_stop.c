/* test_pool_stop.c - what a driver may not do with a pool: the bug check and
 * its parameters (facts.md 7.4; pages of the bug checks 0xC1 and 0xC2). */
#include "api/boot/exports.h"
#include "api/ex/pool.h"
#include "tests/api/booted_kernel.h"

enum { TAG = 0x31676154 };

/* What the driver does. */
enum deed {
    FREE_NULL,
    FREE_WILD,
    FREE_NO_POOL,
    FREE_TWICE,
    FREE_TWICE_WITH_TAG,
    FREE_MIDDLE,
    FREE_GUARD,
    FREE_WRONG_TAG,
    FREE_RAISED,
    ALLOCATE_RAISED,
    ALLOCATE_TYPE_RAISED,
    ALLOCATE_TOO_HIGH,
    MUST_SUCCEED,
    MUST_SUCCEED_ALIGNED,
    NO_TAG,
    OVERRUN_FREED,
    OVERRUN_PAGED,
    OVERRUN_LAST,
    OVERRUN_EMPTY,
    OVERRUN_CHECKED,
};

static struct stop_row {
    const char *name;
    enum deed deed;
    enum rule want_rule;
    enum routine want_routine;
    int want_code;
    uint64_t want[4];
    const char *want_name[4];
} stop_rows[] = {
    {"freeing_null", FREE_NULL, RULE_POOL_BAD_FREE, ROUTINE_ExFreePool, 0xC2,
        {0x46, 0, 0, 0}, {NULL, "NULL", NULL, NULL}},
    {"freeing_a_wild_address", FREE_WILD, RULE_POOL_BAD_FREE,
        ROUTINE_ExFreePool, 0xC2, {0x42, 0, 0, 0},
        {NULL, "no pool block", NULL, NULL}},
    {"freeing_memory_that_is_no_pool", FREE_NO_POOL, RULE_POOL_BAD_FREE,
        ROUTINE_ExFreePool, 0xC2, {0x42, 0, 0, 0},
        {NULL, "no pool block", NULL, NULL}},
    {"freeing_twice", FREE_TWICE, RULE_POOL_DOUBLE_FREE, ROUTINE_ExFreePool,
        0xC2, {0x07, 0, 0, 0}, {NULL, NULL, NULL, "freed pool block"}},
    {"freeing_twice_with_a_tag", FREE_TWICE_WITH_TAG, RULE_POOL_DOUBLE_FREE,
        ROUTINE_ExFreePoolWithTag, 0xC2, {0x07, 0, 0, 0},
        {NULL, NULL, NULL, "freed pool block"}},
    {"freeing_the_middle", FREE_MIDDLE, RULE_POOL_BAD_FREE, ROUTINE_ExFreePool,
        0xC2, {0x99, 0, 0, 0}, {NULL, "middle of a pool block", NULL, NULL}},
    {"freeing_the_end", FREE_GUARD, RULE_POOL_BAD_FREE, ROUTINE_ExFreePool,
        0xC2, {0x42, 0, 0, 0}, {NULL, "no pool block", NULL, NULL}},
    {"freeing_with_another_tag", FREE_WRONG_TAG, RULE_POOL_WRONG_TAG,
        ROUTINE_ExFreePoolWithTag, 0xC2, {0x0A, 0, 0x31676154, 0x32676154},
        {NULL, "pool block", NULL, NULL}},
    {"freeing_paged_pool_at_dispatch_level", FREE_RAISED, RULE_POOL_IRQL,
        ROUTINE_ExFreePool, 0xC2, {0x09, 2, 1, 0},
        {NULL, NULL, NULL, "pool block"}},
    {"allocating_paged_pool_at_dispatch_level", ALLOCATE_RAISED, RULE_POOL_IRQL,
        ROUTINE_ExAllocatePool2, 0xC2, {0x08, 2, 1, 48},
        {NULL, NULL, NULL, NULL}},
    {"allocating_a_paged_type_at_dispatch_level", ALLOCATE_TYPE_RAISED,
        RULE_POOL_IRQL, ROUTINE_ExAllocatePoolWithTag, 0xC2, {0x08, 2, 1, 48},
        {NULL, NULL, NULL, NULL}},
    {"allocating_above_dispatch_level", ALLOCATE_TOO_HIGH, RULE_IRQL_CONTRACT,
        ROUTINE_ExAllocatePool2, 0x0A, {0, 3, 2, 0},
        {"ExAllocatePool2", NULL, NULL, NULL}},
    {"asking_for_what_must_succeed", MUST_SUCCEED, RULE_POOL_MUST_SUCCEED,
        ROUTINE_ExAllocatePoolWithTag, 0xC2, {0x9A, 2, 48, 0x31676154},
        {NULL, NULL, NULL, NULL}},
    {"asking_for_aligned_memory_that_must_succeed", MUST_SUCCEED_ALIGNED,
        RULE_POOL_MUST_SUCCEED, ROUTINE_ExAllocatePool, 0xC2, {0x9A, 6, 48, 0},
        {NULL, NULL, NULL, NULL}},
    {"allocating_without_a_tag", NO_TAG, RULE_POOL_NO_TAG,
        ROUTINE_ExAllocatePoolWithTag, 0xC2, {0x9B, 512, 48, 0},
        {NULL, NULL, NULL, NULL}},
    {"writing_past_the_end", OVERRUN_FREED, RULE_POOL_OVERRUN_SLACK,
        ROUTINE_ExFreePool, 0xC1, {0, 100, 100, 0x24},
        {"pool block", NULL, NULL, NULL}},
    {"writing_past_the_end_of_paged_pool", OVERRUN_PAGED,
        RULE_POOL_OVERRUN_SLACK, ROUTINE_ExFreePool, 0xC1,
        {0, 5000, 5000, 0x24}, {"pool block", NULL, NULL, NULL}},
    {"writing_the_last_byte_before_the_guard", OVERRUN_LAST,
        RULE_POOL_OVERRUN_SLACK, ROUTINE_ExFreePoolWithTag, 0xC1,
        {0, 111, 100, 0x24}, {"pool block", NULL, NULL, NULL}},
    {"writing_to_a_block_of_no_bytes", OVERRUN_EMPTY, RULE_POOL_OVERRUN_SLACK,
        ROUTINE_ExFreePool, 0xC1, {0, 0, 0, 0x24},
        {"pool block", NULL, NULL, NULL}},
    {"writing_past_the_end_of_a_live_block", OVERRUN_CHECKED,
        RULE_POOL_OVERRUN_SLACK, ROUTINE_COUNT, 0xC1, {0, 105, 100, 0x24},
        {"pool block", NULL, NULL, NULL}},
};

struct scene {
    enum deed deed;
    uint8_t *no_pool; /* memory of another kind */
    bool after;       /* the driver went on */
};

static uint8_t *block_of(uint64_t flags, size_t size)
{
    return ExAllocatePool2(flags, size, TAG);
}

static void bad_free(const struct scene *scene)
{
    uint8_t *block = block_of(POOL_FLAG_NON_PAGED, 100);

    if (scene->deed == FREE_NULL) {
        ExFreePool(NULL);
    } else if (scene->deed == FREE_WILD) {
        ExFreePool((void *)(uintptr_t)0x1230);
    } else if (scene->deed == FREE_NO_POOL) {
        ExFreePool(scene->no_pool);
    } else if (scene->deed == FREE_TWICE) {
        ExFreePool(block);
        ExFreePool(block);
    } else if (scene->deed == FREE_TWICE_WITH_TAG) {
        ExFreePoolWithTag(block, TAG);
        ExFreePoolWithTag(block, TAG);
    } else if (scene->deed == FREE_MIDDLE) {
        ExFreePool(block + 16);
    } else if (scene->deed == FREE_GUARD) {
        ExFreePool(block + 112);
    } else {
        ExFreePoolWithTag(block, 0x32676154);
    }
}

static void bad_level(enum deed deed)
{
    void *block = block_of(POOL_FLAG_PAGED, 48);

    KfRaiseIrql(deed == ALLOCATE_TOO_HIGH ? 3 : 2);
    if (deed == FREE_RAISED) {
        ExFreePool(block);
    } else if (deed == ALLOCATE_TYPE_RAISED) {
        ExAllocatePoolWithTag(PagedPool, 48, TAG);
    } else if (deed == ALLOCATE_RAISED) {
        block_of(POOL_FLAG_PAGED, 48);
    } else {
        block_of(POOL_FLAG_NON_PAGED, 48);
    }
}

static void overrun(enum deed deed)
{
    struct kernel *kernel = kernel_current();
    uint8_t *block = block_of(POOL_FLAG_NON_PAGED, 100);

    if (deed == OVERRUN_FREED) {
        block[100] = 0;
        ExFreePool(block);
    } else if (deed == OVERRUN_PAGED) {
        block = block_of(POOL_FLAG_PAGED, 5000);
        memory_page_in(&kernel->machine->memory, block + 5000);
        block[5000] = 1;
        KfRaiseIrql(2);
        KeLowerIrql(0);
        ExFreePool(block);
    } else if (deed == OVERRUN_LAST) {
        block[111] = 7;
        ExFreePoolWithTag(block, TAG);
    } else if (deed == OVERRUN_EMPTY) {
        block = block_of(POOL_FLAG_NON_PAGED, 0);
        block[0] = 1;
        ExFreePool(block);
    } else {
        block[105] = 1;
        pool_leaks.check(kernel, kernel_cpu(kernel));
    }
}

static void stop_main(void *argument)
{
    struct scene *scene = argument;

    if (scene->deed < FREE_RAISED) {
        bad_free(scene);
    } else if (scene->deed <= ALLOCATE_TOO_HIGH) {
        bad_level(scene->deed);
    } else if (scene->deed == MUST_SUCCEED) {
        ExAllocatePoolWithTag(NonPagedPoolMustSucceed, 48, TAG);
    } else if (scene->deed == MUST_SUCCEED_ALIGNED) {
        ExAllocatePool(NonPagedPoolCacheAlignedMustS, 48);
    } else if (scene->deed == NO_TAG) {
        ExAllocatePoolWithTag(NonPagedPoolNx, 48, 0);
    } else {
        overrun(scene->deed);
    }
    scene->after = true;
}

static void stop_row(void **state)
{
    const struct stop_row *row = *state;
    struct booted_kernel booted;
    struct scene scene = {.deed = row->deed};
    const struct bugcheck *bugcheck = &booted.kernel.bugcheck;
    const struct rule_event *event;

    booted_init_usual(&booted);
    scene.no_pool = booted_block(&booted, 64, 0);
    booted_run_to_stop(&booted, 1, stop_main, &scene);

    assert_false(scene.after);
    assert_true(booted.kernel.rules.count > 0);
    event = &booted.kernel.rules.event[booted.kernel.rules.count - 1];
    assert_int_equal(event->rule, row->want_rule);
    assert_int_equal(event->routine, row->want_routine);
    assert_int_equal(bugcheck->code, row->want_code);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(bugcheck->parameter[i].value, row->want[i]);
        if (row->want_name[i] == NULL) {
            assert_null(bugcheck->parameter[i].name);
        } else {
            assert_string_equal(bugcheck->parameter[i].name, row->want_name[i]);
        }
    }
    booted_release(&booted);
}

/* What looks like a mistake and is none. */
static void fine_main(void *argument)
{
    bool *after = argument;
    struct kernel *kernel = kernel_current();
    uint8_t *block = ExAllocatePoolWithTag(NonPagedPoolNx, 100, TAG);

    memset(block, 0xFF, 100);
    pool_leaks.check(kernel, kernel_cpu(kernel));
    ExFreePoolWithTag(block, 0); /* what ExFreePool is in the WDK */
    ExFreePoolWithTag(ExAllocatePool(PagedPool, 9), TAG);
    ExFreePoolWithTag(ExAllocatePool(PagedPool, 9000), 0x32676154);
    block = block_of(POOL_FLAG_PAGED, 12000);
    pool_leaks.check(kernel, kernel_cpu(kernel));
    KfRaiseIrql(1);
    ExFreePool(block);
    block = block_of(POOL_FLAG_NON_PAGED, 4096);
    KfRaiseIrql(2);
    ExFreePool(block);
    *after = true;
}

static void correct_calls_break_no_rule(void **state)
{
    struct booted_kernel booted;
    bool after = false;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, fine_main, &after);
    assert_true(after);
    assert_int_equal(booted.kernel.rules.count, 0);
    assert_null(pool_first(&booted.kernel));
    booted_release(&booted);
}

/* A check of all blocks opens none for a driver at DISPATCH_LEVEL. */
static void check_raised_main(void *argument)
{
    uint8_t **block = argument;
    struct kernel *kernel = kernel_current();

    *block = block_of(POOL_FLAG_PAGED, 100);
    KfRaiseIrql(2);
    pool_leaks.check(kernel, kernel_cpu(kernel));
}

static void check_of_all_leaves_paged_blocks_closed(void **state)
{
    struct booted_kernel booted;
    uint8_t *block;

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, check_raised_main, &block);
    assert_non_null(block);
    assert_false(memory_is_resident(&booted.machine.memory, block, 1));
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

/* Nobody catches what POOL_FLAG_RAISE_ON_FAILURE raises. */
static void raise_main(void *argument)
{
    (void)argument;
    ExAllocatePool2(POOL_FLAG_RAISE_ON_FAILURE, 16, TAG);
}

static void failure_that_nobody_catches_is_0x1e(void **state)
{
    struct booted_kernel booted;
    const struct bugcheck *bugcheck = &booted.kernel.bugcheck;

    (void)state;
    booted_init_usual(&booted);
    booted_run_to_stop(&booted, 0, raise_main, NULL);
    assert_int_equal(
        booted.kernel.rules.event[0].rule, RULE_EXCEPTION_UNHANDLED);
    assert_int_equal(bugcheck->code, 0x1E);
    assert_int_equal(bugcheck->parameter[0].value, 0xC000000D);
    assert_string_equal(bugcheck->parameter[1].name, "ExAllocatePool2");
    assert_null(bugcheck->parameter[3].name);
    booted_release(&booted);
}

TEST_FILE(test_pool_stop)
{
    TEST_ADD_ROWS(list, stop_row, stop_rows);
    test_add(
        list, "correct_calls_break_no_rule", correct_calls_break_no_rule, NULL);
    test_add(list, "check_of_all_leaves_paged_blocks_closed",
        check_of_all_leaves_paged_blocks_closed, NULL);
    test_add(list, "failure_that_nobody_catches_is_0x1e",
        failure_that_nobody_catches_is_0x1e, NULL);
}
