/* test_code.c - where a workload's events come from: the shares of functions,
 * their instructions and branches, and that no period falls in step. */
#include "sim/pmu/code.h"
#include "tests/rows.h"

/* Half of everything, three tenths and a fifth: 32, 4 and 1 instructions. */
static const struct code_function functions[] = {
    {.ip = 0x1000,
        .instructions = 32,
        .share = 5,
        .branch_to = 0x1000,
        .step = 4},
    {.ip = 0x2001,
        .instructions = 4,
        .share = 3,
        .branch_to = 0x9999,
        .step = 7},
    {.ip = 0x3000,
        .instructions = 1,
        .share = 2,
        .branch_to = 0x3000,
        .step = 1},
};

static const struct code code = {functions, 3, 10};

/* Which function an address is in; 3: none. */
static unsigned function_of(uint64_t ip)
{
    return ip >= 0x1000 && ip < 0x1080   ? 0
           : ip >= 0x2001 && ip < 0x201D ? 1
           : ip == 0x3000                ? 2
                                         : 3;
}

static struct kind_row {
    const char *name;
    enum event event;
} event_list[] = {
    {"instructions", EVENT_INSTRUCTIONS},
    {"core_cycles", EVENT_CORE_CYCLES},
    {"llc_misses", EVENT_LLC_MISSES},
    {"branches", EVENT_BRANCHES},
    {"branch_misses", EVENT_BRANCH_MISSES},
};

static void every_round_has_its_shares(void **state)
{
    const struct kind_row *row = *state;

    for (uint64_t round = 0; round < 1000; round++) {
        unsigned count[4] = {0, 0, 0, 0};

        for (uint64_t n = 0; n < 10; n++) {
            count[function_of(
                code_place(&code, row->event, round * 10 + n).ip)]++;
        }
        assert_int_equal(count[0], 5);
        assert_int_equal(count[1], 3);
        assert_int_equal(count[2], 2);
    }
}

/* 10,000 samples, one every so many events: within three standard deviations
 * of an even draw, 0.015, 0.01375 and 0.012. Also periods that the round
 * divides, which would always meet the same function of a plain loop. */
static struct period_row {
    const char *name;
    uint64_t period;
} periods[] = {
    {"of_7", 7},
    {"of_a_round", 10},
    {"of_997", 997},
    {"of_1000", 1000},
    {"of_1010", 1010},
    {"of_65536", 65536},
    {"of_1000003", 1000003},
    {"of_10_billion", UINT64_C(10000000000)},
};

static void shares_are_sampled(void **state)
{
    const struct period_row *row = *state;
    unsigned count[4] = {0, 0, 0, 0};

    for (uint64_t n = 1; n <= 10000; n++) {
        count[function_of(
            code_place(&code, EVENT_INSTRUCTIONS, n * row->period).ip)]++;
    }
    assert_in_range(count[0], 4850, 5150);
    assert_in_range(count[1], 2863, 3137);
    assert_in_range(count[2], 1880, 2120);
    assert_int_equal(count[3], 0);
}

/* All 32 of them, each about 312 times of 10,000; the one behind is 4 bytes on,
 * but that behind the branch. */
static void instructions_of_a_function_are_met_alike(void **state)
{
    const struct code one = {functions, 1, 5};
    unsigned count[32] = {0};

    (void)state;
    for (uint64_t n = 1; n <= 10000; n++) {
        struct code_place place =
            code_place(&one, EVENT_INSTRUCTIONS, n * 1009);
        uint64_t index = (place.ip - 0x1000) / 4;

        assert_int_equal(place.ip % 4, 0);
        assert_in_range(index, 0, 31);
        assert_int_equal(place.next_ip, index == 31 ? 0x1000 : place.ip + 4);
        count[index]++;
    }
    for (unsigned i = 0; i < 32; i++) {
        assert_in_range(count[i], 240, 390);
    }
}

static struct branch_row {
    const char *name;
    enum event event;
    bool branches_alone;
} branch_rows[] = {
    {"branches_are_the_last_instructions", EVENT_BRANCHES, true},
    {"branch_misses_are_the_last_instructions", EVENT_BRANCH_MISSES, true},
    {"instructions_are_others_too", EVENT_INSTRUCTIONS, false},
};

static void branch_row(void **state)
{
    const struct branch_row *row = *state;
    bool others = false;

    for (uint64_t n = 0; n < 1000; n++) {
        struct code_place place = code_place(&code, row->event, n);
        bool last =
            place.ip == 0x107C || place.ip == 0x2016 || place.ip == 0x3000;

        others |= !last;
        assert_true(last || !row->branches_alone);
        if (place.ip == 0x2016) {
            assert_int_equal(place.next_ip, 0x9999);
        } else if (place.ip >= 0x2001 && place.ip < 0x2016) {
            assert_int_equal(place.next_ip, place.ip + 7);
        } else if (place.ip == 0x3000) {
            assert_int_equal(place.next_ip, 0x3000);
        }
    }
    assert_true(others != row->branches_alone);
}

/* Of 2^20 instructions, a byte each: the low bits of splitmix64's output for
 * its output for the number and, in the highest byte, the event. */
static struct place_row {
    const char *name;
    enum event event;
    uint64_t n;
    uint32_t offset;
} place_rows[] = {
    {"first_cycle", EVENT_CORE_CYCLES, 0, 0x97E6F},
    {"second_cycle", EVENT_CORE_CYCLES, 1, 0x9611E},
    {"later_cycle", EVENT_CORE_CYCLES, 12345, 0xFBD3F},
    {"first_instruction", EVENT_INSTRUCTIONS, 0, 0x61DC1},
    {"second_instruction", EVENT_INSTRUCTIONS, 1, 0x98A91},
    {"later_instruction", EVENT_INSTRUCTIONS, 12345, 0x86A89},
};

static void place_row(void **state)
{
    const struct place_row *row = *state;
    const struct code_function large = {.ip = 0x100000,
        .instructions = 0x100000,
        .share = 1,
        .branch_to = 0x100000,
        .step = 1};
    const struct code one = {&large, 1, 1};

    assert_int_equal(
        code_place(&one, row->event, row->n).ip, 0x100000 + row->offset);
}

/* A code of 64-bit addresses and event numbers has no edge in the middle. */
static void last_event_has_a_place(void **state)
{
    const struct code_function top = {.ip = 0xFFFFFFFFFFFFFFF0,
        .instructions = 4,
        .share = 1000000,
        .branch_to = 0x10,
        .step = 4};
    const struct code high = {&top, 1, 1000000};
    struct code_place place =
        code_place(&high, EVENT_BRANCHES, 0xFFFFFFFFFFFFFFFF);

    (void)state;
    assert_true(place.ip == 0xFFFFFFFFFFFFFFFC);
    assert_int_equal(place.next_ip, 0x10);
}

TEST_FILE(test_code)
{
    TEST_ADD_GROUP(list, "every_round_has_its_shares_of",
        every_round_has_its_shares, event_list);
    TEST_ADD_GROUP(
        list, "shares_are_sampled_with_a_period", shares_are_sampled, periods);
    test_add(list, "instructions_of_a_function_are_met_alike",
        instructions_of_a_function_are_met_alike, NULL);
    TEST_ADD_ROWS(list, branch_row, branch_rows);
    TEST_ADD_GROUP(list, "place_of", place_row, place_rows);
    test_add(list, "last_event_has_a_place", last_event_has_a_place, NULL);
}
