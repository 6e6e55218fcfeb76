/* test_processor.c - groups, counts and names of processors (facts.md 7.5).
 * Seven processors in three groups: 0 to 2, 3 and 4, 5 and 6. */
#include "api/boot/exports.h"
#include "tests/api/booted_kernel.h"

enum { UNTOUCHED = 0xA5 };

/* What a driver asks on processor `on`, and what it is told. */
struct question {
    USHORT group;
    ULONG index;
    PROCESSOR_NUMBER number;
    bool null;
    void *block; /* the driver's memory for the answer */
    NTSTATUS status;
    uint64_t answer;
};

static void three_groups(struct booted_kernel *booted)
{
    booted_init(booted, OS_WIN11, ARCH_X64, 7, 3);
}

static void ask_groups(void *argument)
{
    ((struct question *)argument)->answer = KeQueryActiveGroupCount();
}

static void ask_count(void *argument)
{
    struct question *question = argument;

    question->answer = KeQueryActiveProcessorCountEx(question->group);
}

static void ask_count_of_group_0(void *argument)
{
    struct question *question = argument;

    question->answer =
        KeQueryActiveProcessorCount(question->null ? NULL : question->block);
}

static void ask_affinity(void *argument)
{
    struct question *question = argument;

    question->answer = KeQueryGroupAffinity(question->group);
}

static void ask_current(void *argument)
{
    struct question *question = argument;

    question->answer =
        KeGetCurrentProcessorNumberEx(question->null ? NULL : question->block);
}

static void ask_number(void *argument)
{
    struct question *question = argument;

    question->status =
        KeGetProcessorNumberFromIndex(question->index, question->block);
}

static void ask_index(void *argument)
{
    struct question *question = argument;

    question->answer = KeGetProcessorIndexFromNumber(question->block);
}

/* Questions about a group. */
static struct group_row {
    const char *name;
    void (*ask)(void *argument);
    USHORT group;
    uint64_t want;
} group_rows[] = {
    {"there_are_three_groups", ask_groups, 0, 3},
    {"group_0_has_three_processors", ask_count, 0, 3},
    {"group_2_has_two_processors", ask_count, 2, 2},
    {"all_groups_have_seven_processors", ask_count, 0xFFFF, 7},
    {"group_3_has_no_processors", ask_count, 3, 0},
    {"group_fffe_has_no_processors", ask_count, 0xFFFE, 0},
    {"mask_of_group_0", ask_affinity, 0, 0x7},
    {"mask_of_group_1", ask_affinity, 1, 0x3},
    {"mask_of_a_group_that_is_not_there", ask_affinity, 3, 0x0},
    {"all_groups_have_no_mask", ask_affinity, 0xFFFF, 0x0},
};

static void group_row(void **state)
{
    const struct group_row *row = *state;
    struct booted_kernel booted;
    struct question question = {.group = row->group};

    three_groups(&booted);
    booted_run(&booted, 5, row->ask, &question);
    assert_int_equal(question.answer, row->want);
    booted_release(&booted);
}

static void full_group_has_64_processors(void **state)
{
    struct booted_kernel booted;
    struct question question = {.group = 0};

    (void)state;
    booted_init(&booted, OS_WIN11, ARCH_X64, 128, 2);
    booted_run(&booted, 100, ask_affinity, &question);
    assert_int_equal(question.answer, UINT64_MAX);
    booted_run(&booted, 100, ask_count, &question);
    assert_int_equal(question.answer, 64);
    booted_release(&booted);
}

static struct count_row {
    const char *name;
    bool null;
    uint64_t want_mask;
} count_rows[] = {
    {"count_of_group_0_with_its_mask", false, 0x7},
    {"count_of_group_0_alone", true, 0xA5A5A5A5A5A5A5A5},
};

static void count_row(void **state)
{
    const struct count_row *row = *state;
    struct booted_kernel booted;
    struct question question = {.null = row->null};
    KAFFINITY mask;

    three_groups(&booted);
    question.block = booted_block(&booted, sizeof(mask), UNTOUCHED);
    booted_run(&booted, 5, ask_count_of_group_0, &question);
    memcpy(&mask, question.block, sizeof(mask));
    assert_int_equal(question.answer, 3);
    assert_int_equal(mask, row->want_mask);
    booted_release(&booted);
}

/* Both ways, for each processor. */
static struct name_row {
    const char *name;
    uint32_t index;
    USHORT group;
    UCHAR number;
} name_rows[] = {
    {"first_processor", 0, 0, 0},
    {"last_of_group_0", 2, 0, 2},
    {"first_of_group_1", 3, 1, 0},
    {"last_processor", 6, 2, 1},
};

static void name_row(void **state)
{
    const struct name_row *row = *state;
    const PROCESSOR_NUMBER want = {.Group = row->group, .Number = row->number};
    struct booted_kernel booted;
    struct question question = {.index = row->index};

    three_groups(&booted);
    question.block = booted_block(&booted, sizeof(want), UNTOUCHED);
    booted_run(&booted, 0, ask_number, &question);
    assert_int_equal(question.status, 0x00000000);
    assert_memory_equal(question.block, &want, sizeof(want));
    booted_run(&booted, 0, ask_index, &question);
    assert_int_equal(question.answer, row->index);

    memset(question.block, UNTOUCHED, sizeof(want));
    booted_run(&booted, row->index, ask_current, &question);
    assert_int_equal(question.answer, row->index);
    assert_memory_equal(question.block, &want, sizeof(want));
    booted_release(&booted);
}

static void current_processor_needs_no_memory(void **state)
{
    struct booted_kernel booted;
    struct question question = {.null = true};

    (void)state;
    three_groups(&booted);
    booted_run(&booted, 4, ask_current, &question);
    assert_int_equal(question.answer, 4);
    booted_release(&booted);
}

static void index_beyond_the_last_is_an_invalid_parameter(void **state)
{
    static const uint8_t untouched[4] = {0xA5, 0xA5, 0xA5, 0xA5};
    struct booted_kernel booted;
    struct question question = {.index = 7};

    (void)state;
    three_groups(&booted);
    question.block = booted_copy(&booted, untouched, sizeof(untouched));
    booted_run(&booted, 0, ask_number, &question);
    assert_int_equal((uint32_t)question.status, 0xC000000D);
    assert_memory_equal(question.block, untouched, sizeof(untouched));
    booted_release(&booted);
}

static struct bad_number_row {
    const char *name;
    PROCESSOR_NUMBER number;
    uint64_t want;
} bad_number_rows[] = {
    {"number_beyond_its_group", {.Group = 1, .Number = 2}, 0xFFFFFFFF},
    {"number_64", {.Group = 0, .Number = 64}, 0xFFFFFFFF},
    {"group_beyond_the_last", {.Group = 3, .Number = 0}, 0xFFFFFFFF},
    {"all_groups_is_no_group", {.Group = 0xFFFF, .Number = 0}, 0xFFFFFFFF},
    {"reserved_is_not_looked_at", {.Group = 1, .Number = 1, .Reserved = 9}, 4},
};

static void bad_number_row(void **state)
{
    const struct bad_number_row *row = *state;
    struct booted_kernel booted;
    struct question question = {.answer = 0};

    three_groups(&booted);
    question.block = booted_copy(&booted, &row->number, sizeof(row->number));
    booted_run(&booted, 0, ask_index, &question);
    assert_int_equal(question.answer, row->want);
    booted_release(&booted);
}

/* Driver code that stalls for some microseconds of 2,500 cycles. */
struct stall {
    ULONG microseconds;
    uint64_t began, ended;
};

static void stall(void *argument)
{
    struct stall *stall = argument;
    struct cpu *cpu = kernel_cpu(kernel_current());

    stall->began = cpu->time;
    KeStallExecutionProcessor(stall->microseconds);
    stall->ended = cpu->time;
}

static struct stall_row {
    const char *name;
    ULONG microseconds;
    uint64_t want; /* with 10 cycles for the call */
} stall_rows[] = {
    {"stall_of_nothing", 0, 10},
    {"stall_of_a_microsecond", 1, 2510},
    {"longest_stall", 4294967295, 10737418237510},
};

static void stall_row(void **state)
{
    const struct stall_row *row = *state;
    struct booted_kernel booted;
    struct stall made = {.microseconds = row->microseconds};

    booted_init_usual(&booted);
    booted_run(&booted, 1, stall, &made);
    assert_int_equal(made.ended - made.began, row->want);
    booted_release(&booted);
}

/* Driver code that waits and asks for the time; 2,500 cycles are 10 ticks. */
struct ticks {
    ULONG microseconds;
    LONGLONG ticks;
};

static void ask_ticks(void *argument)
{
    struct ticks *ticks = argument;

    KeStallExecutionProcessor(ticks->microseconds);
    ticks->ticks = KeQueryPerformanceCounter(NULL);
}

/* QPC-03 [C]; with 10 cycles for the stall's call and 30 for this one. */
static struct ticks_row {
    const char *name;
    ULONG microseconds;
    LONGLONG want;
} ticks_rows[] = {
    {"ticks_of_less_than_one", 0, 0},
    {"ticks_of_a_second", 1000000, 10000000},
    {"ticks_of_the_longest_stall", 4294967295, 42949672950},
};

static void ticks_row(void **state)
{
    const struct ticks_row *row = *state;
    struct booted_kernel booted;
    struct ticks asked = {.microseconds = row->microseconds};

    booted_init_usual(&booted);
    booted_run(&booted, 1, ask_ticks, &asked);
    assert_int_equal(asked.ticks, row->want);
    booted_release(&booted);
}

TEST_FILE(test_processor)
{
    TEST_ADD_ROWS(list, group_row, group_rows);
    test_add(list, "full_group_has_64_processors", full_group_has_64_processors,
        NULL);
    TEST_ADD_ROWS(list, count_row, count_rows);
    TEST_ADD_ROWS(list, name_row, name_rows);
    test_add(list, "current_processor_needs_no_memory",
        current_processor_needs_no_memory, NULL);
    test_add(list, "index_beyond_the_last_is_an_invalid_parameter",
        index_beyond_the_last_is_an_invalid_parameter, NULL);
    TEST_ADD_ROWS(list, bad_number_row, bad_number_rows);
    TEST_ADD_ROWS(list, stall_row, stall_rows);
    TEST_ADD_ROWS(list, ticks_row, ticks_rows);
}
