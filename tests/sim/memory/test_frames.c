/* test_frames.c - pages that two addresses show: the same bytes, each with what
 * it allows, until one is freed, or the machine is reset. */
#define _POSIX_C_SOURCE 200809L
#include "sim/memory/frames.h"
#include "sim/memory/memory.h"
#include "tests/rows.h"
#include "tests/sim/base/host_byte.h"

#define ADDRESS UINT64_C(0x190000000000)

enum { PAGE = 4096, PAGES = 16 };

/* Two blocks of two pages, the second of which shows the first's. */
struct pair {
    struct memory memory;
    uint8_t *own, *other;
};

static void make_pair(struct pair *pair)
{
    struct memory *memory = &pair->memory;

    assert_true(memory_reserve(memory, ADDRESS, (size_t)PAGES * PAGE));
    pair->own = memory_alloc(memory, 2 * PAGE, 0x11);
    pair->other = memory_alloc(memory, 2 * PAGE, 0x22);
    for (size_t at = 0; at < 2 * PAGE; at += PAGE) {
        assert_true(frames_show(
            memory, pair->other + at, frames_number(memory, pair->own + at)));
    }
}

static void what_is_written_at_one_address_is_at_the_other(void **state)
{
    struct pair pair;

    make_pair(&pair);
    assert_int_equal(pair.other[0], 0x11);
    assert_int_equal(pair.other[2 * PAGE - 1], 0x11);
    pair.own[PAGE] = 5;
    assert_int_equal(pair.other[PAGE], 5);
    pair.other[PAGE - 1] = 6;
    assert_int_equal(pair.own[PAGE - 1], 6);
    memory_release(&pair.memory);
    (void)state;
}

static void numbers_follow_each_other_and_both_addresses_have_them(void **state)
{
    struct pair pair;

    make_pair(&pair);
    assert_int_equal(frames_number(&pair.memory, pair.own), 0x100000);
    assert_int_equal(
        frames_number(&pair.memory, pair.own + PAGE + 7), 0x100001);
    assert_int_equal(frames_number(&pair.memory, pair.other), 0x100000);
    assert_int_equal(frames_number(&pair.memory, pair.other + PAGE), 0x100001);
    memory_release(&pair.memory);
    (void)state;
}

static void each_address_allows_what_it_did(void **state)
{
    struct memory memory;
    uint8_t *own, *other;

    assert_true(memory_reserve(&memory, ADDRESS, (size_t)PAGES * PAGE));
    own = memory_alloc(&memory, PAGE, 0x11);
    other = memory_alloc(&memory, PAGE, 0);
    assert_true(memory_set(&memory, own, 1, MEMORY_READ, false));
    assert_true(frames_show(&memory, other, frames_number(&memory, own)));

    assert_false(host_byte_is_open(own));
    assert_true(host_byte_is_open(other));
    assert_int_equal(*other, 0x11);
    *other = 7;
    assert_int_equal(*own, 7);
    memory_release(&memory);
    (void)state;
}

static void page_that_is_out_is_shown_and_stays_out(void **state)
{
    struct memory memory;
    uint8_t *own, *other;

    assert_true(memory_reserve(&memory, ADDRESS, (size_t)PAGES * PAGE));
    own = memory_alloc(&memory, PAGE, 0x11);
    other = memory_alloc(&memory, PAGE, 0);
    assert_true(memory_set(&memory, own, 1, MEMORY_READ | MEMORY_WRITE, true));
    assert_true(frames_show(&memory, other, frames_number(&memory, own)));

    assert_int_equal(*other, 0x11);
    assert_false(host_byte_is_open(own));
    assert_true(memory_page_in(&memory, own));
    assert_true(host_byte_is_open(own));
    memory_release(&memory);
    (void)state;
}

static void what_is_freed_is_closed_and_the_other_stays(void **state)
{
    struct pair pair;

    make_pair(&pair);
    memory_free(&pair.memory, pair.other);
    assert_false(host_byte_is_open(pair.other));
    pair.own[3] = 9;
    assert_int_equal(pair.own[3], 9);
    memory_release(&pair.memory);

    make_pair(&pair);
    memory_free(&pair.memory, pair.own);
    assert_false(host_byte_is_open(pair.own));
    assert_int_equal(pair.other[3], 0x11);
    memory_release(&pair.memory);
    (void)state;
}

static void page_of_a_freed_block_is_nobody_s(void **state)
{
    struct memory memory;
    uint8_t *first, *second;
    uint64_t number;

    assert_true(memory_reserve(&memory, ADDRESS, (size_t)PAGES * PAGE));
    first = memory_alloc(&memory, PAGE, 0x11);
    number = frames_number(&memory, first);
    memory_free(&memory, first);
    second = memory_alloc(&memory, PAGE, 0x22);

    assert_true(frames_show(&memory, second, number));
    assert_int_equal(*second, 0);
    memory_release(&memory);
    (void)state;
}

static void block_that_comes_again_is_shown_as_it_is_then(void **state)
{
    struct memory memory;
    uint8_t *first, *alias, *block;
    uint64_t number;

    assert_true(memory_reserve(&memory, ADDRESS, (size_t)PAGES * PAGE));
    first = memory_alloc(&memory, PAGE, 0x11);
    number = frames_number(&memory, first);
    alias = memory_alloc(&memory, PAGE, 0);
    assert_true(frames_show(&memory, alias, number));
    memory_free(&memory, first);
    do {
        block = memory_alloc(&memory, PAGE, 0x33);
        assert_non_null(block);
        if (block != first) {
            memory_free(&memory, block);
        }
    } while (block != first);

    assert_int_equal(*alias, 0x11);
    assert_int_equal(frames_bytes(&memory, number)[5], 0x33);
    memory_release(&memory);
    (void)state;
}

static void nobody_s_page_begins_with_zeroes_and_keeps_what_is_written(
    void **state)
{
    struct memory memory;
    uint8_t *bytes;

    assert_true(memory_reserve(&memory, ADDRESS, (size_t)PAGES * PAGE));
    bytes = frames_bytes(&memory, 0x200);
    assert_non_null(bytes);
    assert_int_equal(bytes[0], 0);
    bytes[17] = 4;
    assert_int_equal(frames_bytes(&memory, 0x201)[17], 0);
    assert_int_equal(frames_bytes(&memory, 0x200)[17], 4);
    memory_release(&memory);
    (void)state;
}

static void reset_forgets_all_of_it(void **state)
{
    struct pair pair;
    uint8_t *own, *other;

    make_pair(&pair);
    frames_bytes(&pair.memory, 0x200)[0] = 8;
    memory_reset(&pair.memory);
    assert_int_equal(pair.memory.frames.used, 0);
    own = memory_alloc(&pair.memory, 2 * PAGE, 0x44);
    other = memory_alloc(&pair.memory, 2 * PAGE, 0x55);
    assert_ptr_equal(own, pair.own);
    own[0] = 1;
    assert_int_equal(other[0], 0x55);
    assert_int_equal(frames_number(&pair.memory, other), 0x100003);
    assert_int_equal(frames_bytes(&pair.memory, 0x200)[0], 0);
    memory_release(&pair.memory);
    (void)state;
}

static void there_are_so_many_and_no_more(void **state)
{
    struct memory memory;
    uint8_t *own, *other;

    assert_true(memory_reserve(&memory, ADDRESS, (size_t)PAGES * PAGE));
    own = memory_alloc(&memory, PAGE, 0x11);
    other = memory_alloc(&memory, PAGE, 0x22);
    assert_non_null(frames_bytes(&memory, 0x200));
    memory.frames.used = FRAMES_MOST;
    assert_null(frames_bytes(&memory, 0x201));
    assert_false(frames_show(&memory, other, frames_number(&memory, own)));
    memory.frames.used = 1;
    memory_release(&memory);
    (void)state;
}

static void process_that_was_forked_has_its_own(void **state)
{
    struct memory memory;
    uint8_t *before;

    assert_true(memory_reserve(&memory, ADDRESS, (size_t)PAGES * PAGE));
    assert_non_null(frames_bytes(&memory, 0x200));
    memory_reset(&memory);
    before = memory.frames.base;
    memory.frames.owner = 0; /* another's */
    assert_non_null(frames_bytes(&memory, 0x200));
    assert_ptr_not_equal(memory.frames.base, before);
    assert_int_equal(memory.frames.owner, getpid());
    memory_release(&memory);
    (void)state;
}

/* Another block's pages each time, of which there are more than frames. */
static void frames_of_freed_blocks_are_used_again(void **state)
{
    enum { TIMES = FRAMES_MOST + 1000 };
    struct memory memory;

    assert_true(memory_reserve(&memory, ADDRESS, (size_t)PAGES * PAGE));
    for (unsigned i = 0; i < TIMES; i++) {
        uint8_t *own = memory_alloc(&memory, PAGE, 0x11);
        uint8_t *other = memory_alloc(&memory, PAGE, 0x22);

        assert_true(frames_show(&memory, other, frames_number(&memory, own)));
        own[7] = (uint8_t)i;
        assert_int_equal(other[7], (uint8_t)i);
        memory_free(&memory, i % 2 == 0 ? own : other);
        memory_free(&memory, i % 2 == 0 ? other : own);
    }
    assert_int_equal(memory.frames.used, 1);
    memory_release(&memory);
    (void)state;
}

static void page_that_shows_another_gives_its_own_back(void **state)
{
    struct memory memory;
    uint8_t *own, *other;

    assert_true(memory_reserve(&memory, ADDRESS, (size_t)PAGES * PAGE));
    own = memory_alloc(&memory, PAGE, 0x11);
    other = memory_alloc(&memory, PAGE, 0x22);
    assert_true(frames_show(&memory, own, frames_number(&memory, own)));
    assert_true(frames_show(&memory, own, frames_number(&memory, own)));
    assert_int_equal(own[9], 0x11);
    assert_true(frames_show(&memory, own, frames_number(&memory, other)));
    assert_int_equal(own[9], 0x22);
    assert_non_null(frames_bytes(&memory, 0x200));
    assert_int_equal(memory.frames.used, 2);
    memory_release(&memory);
    (void)state;
}

static void what_is_forgotten_stays_while_it_is_shown(void **state)
{
    struct memory memory;
    uint8_t *block, *bytes;

    assert_true(memory_reserve(&memory, ADDRESS, (size_t)PAGES * PAGE));
    frames_forget(&memory, 0x200); /* nobody has it */
    block = memory_alloc(&memory, PAGE, 0);
    assert_true(frames_show(&memory, block, 0x200));
    frames_forget(&memory, 0x201);
    frames_forget(&memory, 0x200);
    block[3] = 4;
    bytes = frames_bytes(&memory, 0x201);
    assert_int_equal(bytes[3], 0);
    assert_int_equal(block[3], 4);
    memory_free(&memory, block);
    assert_int_equal(frames_bytes(&memory, 0x200)[3], 0);
    assert_int_equal(frames_bytes(&memory, 0x202)[3], 0);
    assert_int_equal(memory.frames.used, 3);
    memory_release(&memory);
    (void)state;
}

static void what_is_asked_for_again_is_not_forgotten(void **state)
{
    struct memory memory;
    uint8_t *block;

    assert_true(memory_reserve(&memory, ADDRESS, (size_t)PAGES * PAGE));
    block = memory_alloc(&memory, PAGE, 0);
    assert_true(frames_show(&memory, block, 0x200));
    frames_forget(&memory, 0x200);
    block[3] = 4;
    assert_int_equal(frames_bytes(&memory, 0x200)[3], 4);
    memory_free(&memory, block);
    assert_int_equal(frames_bytes(&memory, 0x200)[3], 4);
    memory_release(&memory);
    (void)state;
}

/* As many as half of the slots, of which searches go past others'. */
static void each_is_found_when_others_are_forgotten(void **state)
{
    enum { FIRST = 0x100, COUNT = FRAMES_MOST };
    struct memory memory;

    assert_true(memory_reserve(&memory, ADDRESS, (size_t)PAGES * PAGE));
    for (uint64_t i = 0; i < COUNT; i++) {
        *(uint64_t *)(void *)frames_bytes(&memory, FIRST + i) = i;
    }
    assert_null(frames_bytes(&memory, FIRST + COUNT));
    for (uint64_t i = 0; i < COUNT; i += 3) {
        frames_forget(&memory, FIRST + i);
    }
    for (uint64_t i = 0; i < COUNT; i++) {
        assert_int_equal(*(uint64_t *)(void *)frames_bytes(&memory, FIRST + i),
            i % 3 == 0 ? 0 : i);
    }
    assert_null(frames_bytes(&memory, FIRST + COUNT));
    memory_release(&memory);
    (void)state;
}

TEST_FILE(test_frames)
{
    test_add(list, "frames_of_freed_blocks_are_used_again",
        frames_of_freed_blocks_are_used_again, NULL);
    test_add(list, "page_that_shows_another_gives_its_own_back",
        page_that_shows_another_gives_its_own_back, NULL);
    test_add(list, "what_is_forgotten_stays_while_it_is_shown",
        what_is_forgotten_stays_while_it_is_shown, NULL);
    test_add(list, "what_is_asked_for_again_is_not_forgotten",
        what_is_asked_for_again_is_not_forgotten, NULL);
    test_add(list, "each_is_found_when_others_are_forgotten",
        each_is_found_when_others_are_forgotten, NULL);
    test_add(list, "what_is_written_at_one_address_is_at_the_other",
        what_is_written_at_one_address_is_at_the_other, NULL);
    test_add(list, "numbers_follow_each_other_and_both_addresses_have_them",
        numbers_follow_each_other_and_both_addresses_have_them, NULL);
    test_add(list, "each_address_allows_what_it_did",
        each_address_allows_what_it_did, NULL);
    test_add(list, "page_that_is_out_is_shown_and_stays_out",
        page_that_is_out_is_shown_and_stays_out, NULL);
    test_add(list, "what_is_freed_is_closed_and_the_other_stays",
        what_is_freed_is_closed_and_the_other_stays, NULL);
    test_add(list, "page_of_a_freed_block_is_nobody_s",
        page_of_a_freed_block_is_nobody_s, NULL);
    test_add(list, "block_that_comes_again_is_shown_as_it_is_then",
        block_that_comes_again_is_shown_as_it_is_then, NULL);
    test_add(list, "nobody_s_page_begins_with_zeroes_and_keeps_what_is_written",
        nobody_s_page_begins_with_zeroes_and_keeps_what_is_written, NULL);
    test_add(list, "reset_forgets_all_of_it", reset_forgets_all_of_it, NULL);
    test_add(list, "there_are_so_many_and_no_more",
        there_are_so_many_and_no_more, NULL);
    test_add(list, "process_that_was_forked_has_its_own",
        process_that_was_forked_has_its_own, NULL);
}
