/* test_copy.c - the driver's memory, touched: what arrives, what raises, and
 * where (GEN-PTR-01). */
#include "api/mm/copy.h"
#include "api/mm/store.h"
#include "tests/api/booted_kernel.h"

enum { BLOCK = 16, NO_BLOCK = -1 };

enum way {
    WAY_IN,
    WAY_OUT,
    WAY_LATER,
    WAY_FROM,
    WAY_TO,
    WAY_PROBE_READ,
    WAY_PROBE_WRITE,
    WAY_STORE
};

/* A range of a block of 16 bytes, or from NULL or the lowest page on. */
static struct range_row {
    const char *name;
    enum way way;
    int offset; /* from the start of the block; NO_BLOCK: see address */
    uintptr_t address;
    size_t size;
    bool want_raised, want_write;
    int want_at; /* offset of what was touched; NO_BLOCK: the address */
} range_rows[] = {
    {"in_of_the_whole_block", WAY_IN, 0, 0, 16, false, false, 0},
    {"in_of_the_last_byte", WAY_IN, 15, 0, 1, false, false, 0},
    {"in_of_one_byte_too_many_raises_at_the_end", WAY_IN, 0, 0, 17, true, false,
        16},
    {"in_of_the_byte_behind_raises_there", WAY_IN, 16, 0, 1, true, false, 16},
    {"in_across_the_end_raises_at_the_end", WAY_IN, 12, 0, 8, true, false, 16},
    {"in_from_null_raises", WAY_IN, NO_BLOCK, 0, 1, true, false, NO_BLOCK},
    {"in_from_the_lowest_page_raises_there", WAY_IN, NO_BLOCK, 0x10, 8, true,
        false, NO_BLOCK},
    {"in_of_nothing_from_null_is_fine", WAY_IN, NO_BLOCK, 0, 0, false, false,
        0},
    {"out_of_the_whole_block", WAY_OUT, 0, 0, 16, false, false, 0},
    {"out_of_one_byte_too_many_raises_at_the_end", WAY_OUT, 0, 0, 17, true,
        true, 16},
    {"out_across_the_end_raises_at_the_end", WAY_OUT, 15, 0, 2, true, true, 16},
    {"out_to_null_raises", WAY_OUT, NO_BLOCK, 0, 4, true, true, NO_BLOCK},
    {"out_of_nothing_to_null_is_fine", WAY_OUT, NO_BLOCK, 0, 0, false, false,
        0},
    {"later_of_one_byte_too_many_raises_at_the_end", WAY_LATER, 0, 0, 17, true,
        true, 16},
    {"later_to_null_raises", WAY_LATER, NO_BLOCK, 0, 4, true, true, NO_BLOCK},
    {"from_one_byte_too_many_raises_at_the_end", WAY_FROM, 0, 0, 17, true,
        false, 16},
    {"to_one_byte_too_many_raises_at_the_end", WAY_TO, 0, 0, 17, true, true,
        16},
    {"probe_for_reading_what_is_there", WAY_PROBE_READ, 0, 0, 16, false, false,
        0},
    {"probe_for_reading_too_much_raises", WAY_PROBE_READ, 0, 0, 17, true, false,
        16},
    {"probe_for_writing_what_is_there", WAY_PROBE_WRITE, 8, 0, 8, false, false,
        0},
    {"probe_for_writing_too_much_raises", WAY_PROBE_WRITE, 8, 0, 9, true, true,
        16},
    {"probe_of_nothing_at_null_is_fine", WAY_PROBE_WRITE, NO_BLOCK, 0, 0, false,
        false, 0},
    {"store_of_the_whole_block", WAY_STORE, 0, 0, 16, false, false, 0},
    {"store_of_1_byte", WAY_STORE, 0, 0, 1, false, false, 0},
    {"store_of_2_bytes", WAY_STORE, 0, 0, 2, false, false, 0},
    {"store_of_4_bytes", WAY_STORE, 0, 0, 4, false, false, 0},
    {"store_of_one_byte_to_null_raises", WAY_STORE, NO_BLOCK, 0, 1, true, true,
        NO_BLOCK},
    {"store_to_the_lowest_page_raises_there", WAY_STORE, NO_BLOCK, 0x10, 8,
        true, true, NO_BLOCK},
};

/* A range that is touched by a routine. */
struct touch {
    enum way way;
    uint8_t *at, *other; /* the latter is large enough */
    size_t size;
    uint8_t buffer[32]; /* the kernel's side */
    bool raised;
    struct exception_record record;
};

static void touch_now(void *argument)
{
    struct touch *touch = argument;
    struct kernel *kernel = kernel_current();
    enum routine routine = ROUTINE_KeSetHardwareCounterConfiguration;

    switch (touch->way) {
    case WAY_IN:
        copy_in(kernel, routine, touch->buffer, touch->at, touch->size);
        break;
    case WAY_OUT:
        copy_out(kernel, routine, touch->at, touch->buffer, touch->size);
        break;
    case WAY_LATER:
        copy_out_later(kernel, routine, touch->at, touch->buffer, touch->size);
        break;
    case WAY_FROM:
        copy_move(kernel, routine, touch->other, touch->at, touch->size);
        break;
    case WAY_TO:
        copy_move(kernel, routine, touch->at, touch->other, touch->size);
        break;
    case WAY_PROBE_READ:
        copy_probe(kernel, routine, touch->at, touch->size, false);
        break;
    case WAY_PROBE_WRITE:
        copy_probe(kernel, routine, touch->at, touch->size, true);
        break;
    case WAY_STORE:
        store_bytes(kernel, (uintptr_t)touch->at, touch->buffer, touch->size);
        break;
    }
}

static void touch_main(void *argument)
{
    struct touch *touch = argument;

    touch->raised = booted_catch(touch_now, touch, &touch->record);
}

static void range_row(void **state)
{
    const struct range_row *row = *state;
    struct booted_kernel booted;
    struct touch touch = {.way = row->way, .size = row->size};
    uint8_t *block;

    booted_init_usual(&booted);
    block = booted_block(&booted, BLOCK, 0x11);
    touch.other = booted_block(&booted, 2 * (size_t)BLOCK, 0x22);
    touch.at =
        row->offset == NO_BLOCK ? (uint8_t *)row->address : block + row->offset;
    booted_run(&booted, 0, touch_main, &touch);

    assert_int_equal(touch.raised, row->want_raised);
    if (row->want_raised) {
        const uint8_t *want = row->want_at == NO_BLOCK
                                  ? (const uint8_t *)row->address
                                  : block + row->want_at;

        assert_int_equal((uint32_t)touch.record.code, 0xC0000005);
        assert_int_equal(touch.record.routine,
            row->way == WAY_STORE ? ROUTINE_COUNT
                                  : ROUTINE_KeSetHardwareCounterConfiguration);
        assert_int_equal(touch.record.write, row->want_write);
        assert_ptr_equal(touch.record.address, want);
    }
    booted_release(&booted);
}

static void bytes_arrive_in_the_kernel(void **state)
{
    struct booted_kernel booted;
    struct touch touch = {.way = WAY_IN, .size = 5};

    (void)state;
    booted_init_usual(&booted);
    touch.at = booted_copy(&booted, "sample", 6);
    booted_run(&booted, 0, touch_main, &touch);
    assert_memory_equal(touch.buffer, "sampl\0", 6);
    booted_release(&booted);
}

static void bytes_arrive_at_the_driver(void **state)
{
    struct booted_kernel booted;
    struct touch touch = {.way = WAY_OUT, .size = 3, .buffer = "abcdef"};

    (void)state;
    booted_init_usual(&booted);
    touch.at = booted_copy(&booted, "......", 6);
    booted_run(&booted, 0, touch_main, &touch);
    assert_memory_equal(touch.at, "abc...", 6);
    booted_release(&booted);
}

static void out_that_raises_has_written_nothing(void **state)
{
    struct booted_kernel booted;
    struct touch touch = {.way = WAY_OUT, .size = 7, .buffer = "abcdefg"};

    (void)state;
    booted_init_usual(&booted);
    touch.at = booted_copy(&booted, "......", 6);
    booted_run(&booted, 0, touch_main, &touch);
    assert_true(touch.raised);
    assert_memory_equal(touch.at, "......", 6);
    booted_release(&booted);
}

static void probe_for_writing_writes_nothing(void **state)
{
    struct booted_kernel booted;
    struct touch touch = {.way = WAY_PROBE_WRITE, .size = 6};

    (void)state;
    booted_init_usual(&booted);
    touch.at = booted_copy(&booted, "......", 6);
    booted_run(&booted, 0, touch_main, &touch);
    assert_memory_equal(touch.at, "......", 6);
    booted_release(&booted);
}

/* Two blocks, the second behind the first one's guard page. */
static void range_across_two_blocks_raises(void **state)
{
    struct booted_kernel booted;
    struct touch touch = {.way = WAY_PROBE_READ};
    uint8_t *first, *second;

    (void)state;
    booted_init_usual(&booted);
    first = booted_block(&booted, 16, 0);
    second = booted_block(&booted, 16, 0);
    touch.at = first;
    touch.size = (size_t)(second + 16 - first);
    booted_run(&booted, 0, touch_main, &touch);
    assert_true(touch.raised);
    assert_ptr_equal(touch.record.address, first + 16);
    booted_release(&booted);
}

/* What an answer stores where it may not, and nobody catches. */
static struct answer_row {
    const char *name;
    struct answer_store store;
    const char *want, *want_subject;
} answer_rows[] = {
    {"answer_to_null", {"NtpmuRoutine", 2, 0, 4}, "pointer.fault",
        "4 bytes stored at Argument2 of NtpmuRoutine, NULL"},
    {"answer_to_a_program_s_address", {"NtpmuOther", 10, 0x12340000, 1},
        "pointer.fault",
        "1 byte stored at Argument10 of NtpmuOther, 0x12340000"},
    {"answer_to_nobody_s_address_of_the_kernel",
        {"NtpmuRoutine", 1, UINT64_C(0xFFFF9000DEAD0000), 8}, "mm.bad_address",
        "8 bytes stored at Argument1 of NtpmuRoutine, 0xFFFF9000DEAD0000"},
};

static void answer_main(void *argument)
{
    static const uint8_t bytes[8];
    const struct answer_row *row = argument;

    store_answer(kernel_current(), &row->store, bytes);
}

static void answer_row(void **state)
{
    struct answer_row *row = *state;
    struct booted_kernel booted;
    const struct rule_event *event;

    booted_init_usual(&booted);
    booted_run_to_stop(&booted, 0, answer_main, row);
    assert_int_equal(booted.kernel.rules.count, 1);
    event = &booted.kernel.rules.event[0];
    assert_string_equal(rule_rows[event->rule].id, row->want);
    assert_string_equal(event->subject, row->want_subject);
    assert_int_equal(event->routine, ROUTINE_COUNT);
    booted_release(&booted);
}

static void what_an_answer_stores_arrives(void **state)
{
    struct booted_kernel booted;
    struct answer_row row = {.store = {"NtpmuRoutine", 1, 0, 4}};
    const uint8_t *block;

    (void)state;
    booted_init_usual(&booted);
    block = booted_block(&booted, BLOCK, 0x11);
    row.store.at = (uintptr_t)block;
    booted_run(&booted, 0, answer_main, &row);
    assert_memory_equal(block, "\0\0\0\0\x11", 5);
    booted_release(&booted);
}

static void store_on_the_stack(void *argument)
{
    struct touch *touch = argument;

    touch->at = strand_guest_stack(kernel_current()->machine);
    touch_main(touch);
    memcpy(touch->buffer + 16, touch->at, 8);
}

static void store_to_the_threads_own_stack_arrives(void **state)
{
    struct booted_kernel booted;
    struct touch touch = {.way = WAY_STORE, .size = 8, .buffer = "abcdefgh"};

    (void)state;
    booted_init_usual(&booted);
    booted_run(&booted, 0, store_on_the_stack, &touch);
    assert_false(touch.raised);
    assert_memory_equal(touch.buffer + 16, "abcdefgh", 8);
    booted_release(&booted);
}

/* The entries of an event buffer, of which a routine is given too many. */
static void entries_are_open_to_their_end_and_no_further(void **state)
{
    struct booted_kernel booted;
    struct memory *memory = &booted.machine.memory;
    struct touch touch = {.way = WAY_IN, .size = 16};
    uint8_t *entries;

    (void)state;
    booted_init_usual(&booted);
    entries = booted_block(&booted, MEMORY_PAGE_BYTES, 0x11);
    memory_attach(
        memory, entries, booted.kernel.event_buffers, MEMORY_PAGE_BYTES);
    touch.at = entries + MEMORY_PAGE_BYTES - 16;
    booted_run(&booted, 0, touch_main, &touch);
    assert_false(touch.raised);
    touch.size = 17;
    booted_run(&booted, 0, touch_main, &touch);
    assert_true(touch.raised);
    assert_ptr_equal(touch.record.address, entries + MEMORY_PAGE_BYTES);
    assert_int_equal(booted.kernel.rules.count, 0);
    booted_release(&booted);
}

TEST_FILE(test_copy)
{
    TEST_ADD_ROWS(list, range_row, range_rows);
    TEST_ADD_ROWS(list, answer_row, answer_rows);
    test_add(list, "what_an_answer_stores_arrives",
        what_an_answer_stores_arrives, NULL);
    test_add(
        list, "bytes_arrive_in_the_kernel", bytes_arrive_in_the_kernel, NULL);
    test_add(
        list, "bytes_arrive_at_the_driver", bytes_arrive_at_the_driver, NULL);
    test_add(list, "out_that_raises_has_written_nothing",
        out_that_raises_has_written_nothing, NULL);
    test_add(list, "probe_for_writing_writes_nothing",
        probe_for_writing_writes_nothing, NULL);
    test_add(list, "range_across_two_blocks_raises",
        range_across_two_blocks_raises, NULL);
    test_add(list, "store_to_the_threads_own_stack_arrives",
        store_to_the_threads_own_stack_arrives, NULL);
    test_add(list, "entries_are_open_to_their_end_and_no_further",
        entries_are_open_to_their_end_and_no_further, NULL);
}
