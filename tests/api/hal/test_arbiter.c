/* test_arbiter.c - who may hold what: conflicts by processor and index,
 * handles, and the list of live sets (facts.md 2.2, 2.3). */
#include "api/core/driver.h"
#include "api/hal/arbiter.h"
#include "sim/base/arena.h"
#include "tests/rows.h"

struct sets {
    struct arena arena;
    struct arbiter arbiter;
};

static void init(struct sets *sets)
{
    *sets = (struct sets){.arbiter = {0}};
    assert_true(arena_reserve(&sets->arena, 1 << 20));
    arena_reset(&sets->arena, 1 << 20, 0);
}

static void release(struct sets *sets)
{
    arena_release(&sets->arena);
}

static struct counter_set *grant(
    struct sets *sets, const struct counter_claim *claim)
{
    return arbiter_grant(&sets->arbiter, &sets->arena, claim, NULL);
}

/* Counters on the processors of group 0. */
static struct counter_claim claim(uint64_t counters, uint64_t mask)
{
    return (struct counter_claim){.counters = counters, .affinity = {mask}};
}

static struct counter_set *grant_simple(
    struct sets *sets, uint64_t counters, uint64_t mask)
{
    struct counter_claim made = claim(counters, mask);
    struct counter_set *set = grant(sets, &made);

    assert_non_null(set);
    return set;
}

static struct conflict_row {
    const char *name;
    struct counter_claim held, wanted;
    bool want;
} conflict_rows[] = {
    {"different_indexes_on_one_processor_coexist",
        {.counters = 0x1, .affinity = {0x1}},
        {.counters = 0x2, .affinity = {0x1}}, true},
    {"same_index_on_one_processor_conflicts",
        {.counters = 0x1, .affinity = {0x1}},
        {.counters = 0x1, .affinity = {0x1}}, false},
    {"same_index_on_disjoint_processors_coexists",
        {.counters = 0x1, .affinity = {0x3}},
        {.counters = 0x1, .affinity = {0xC}}, true},
    {"same_index_on_one_common_processor_conflicts",
        {.counters = 0x1, .affinity = {0x3}},
        {.counters = 0x1, .affinity = {0x6}}, false},
    {"same_mask_in_different_groups_coexists",
        {.counters = 0x1, .affinity = {0x1, 0}},
        {.counters = 0x1, .affinity = {0, 0x1}}, true},
    {"second_group_alone_conflicts", {.counters = 0x1, .affinity = {0x1, 0x2}},
        {.counters = 0x1, .affinity = {0x2, 0x2}}, false},
    {"last_processor_of_the_last_group_conflicts",
        {.counters = 0x1, .affinity = {[31] = 0x8000000000000000}},
        {.counters = 0x1, .affinity = {[31] = 0x8000000000000000}}, false},
    {"block_conflicts_with_a_counter_inside",
        {.counters = 0xF, .affinity = {0x1}},
        {.counters = 0x4, .affinity = {0x1}}, false},
    {"block_coexists_with_the_counter_behind_it",
        {.counters = 0xF, .affinity = {0x1}},
        {.counters = 0x10, .affinity = {0x1}}, true},
    {"fixed_counter_0_is_not_gp_counter_0",
        {.counters = 0x1, .affinity = {0x1}},
        {.counters = 0x100000000, .affinity = {0x1}}, true},
    {"fixed_counter_conflicts_with_itself",
        {.counters = 0x100000000, .affinity = {0x1}},
        {.counters = 0x100000000, .affinity = {0x1}}, false},
    {"index_63_conflicts_with_itself",
        {.counters = 0x8000000000000000, .affinity = {0x1}},
        {.counters = 0x8000000000000000, .affinity = {0x1}}, false},
    {"whole_pmu_conflicts_with_a_list", {.exclusive = true, .affinity = {0x3}},
        {.counters = 0x1, .affinity = {0x2}}, false},
    {"list_conflicts_with_the_whole_pmu", {.counters = 0x1, .affinity = {0x2}},
        {.exclusive = true, .affinity = {0x3}}, false},
    {"whole_pmu_conflicts_with_a_set_without_counters",
        {.exclusive = true, .affinity = {0x1}},
        {.counters = 0, .affinity = {0x1}}, false},
    {"whole_pmu_coexists_with_a_list_elsewhere",
        {.exclusive = true, .affinity = {0x1}},
        {.counters = 0x1, .affinity = {0x2}}, true},
    {"whole_pmus_of_different_processors_coexist",
        {.exclusive = true, .affinity = {0x1}},
        {.exclusive = true, .affinity = {0x2}}, true},
    {"whole_pmus_of_one_common_processor_conflict",
        {.exclusive = true, .affinity = {0x3}},
        {.exclusive = true, .affinity = {0x2}}, false},
    {"sets_without_counters_coexist", {.counters = 0, .affinity = {0x1}},
        {.counters = 0, .affinity = {0x1}}, true},
};

static void conflict_row(void **state)
{
    const struct conflict_row *row = *state;
    struct sets sets;

    init(&sets);
    assert_true(arbiter_can_grant(&sets.arbiter, &row->held));
    assert_non_null(grant(&sets, &row->held));
    assert_int_equal(arbiter_can_grant(&sets.arbiter, &row->wanted), row->want);
    release(&sets);
}

static struct held_row {
    const char *name;
    struct counter_claim claim;
    uint32_t group, number;
    uint64_t want;
} held_rows[] = {
    {"set_holds_its_counters_on_its_processor",
        {.counters = 0x300000005, .affinity = {0x2}}, 0, 1, 0x300000005},
    {"set_holds_nothing_on_another_processor",
        {.counters = 0x5, .affinity = {0x2}}, 0, 0, 0},
    {"set_holds_nothing_in_another_group", {.counters = 0x5, .affinity = {0x2}},
        1, 1, 0},
    {"set_holds_its_counters_in_the_last_place",
        {.counters = 0x1, .affinity = {[31] = 0x8000000000000000}}, 31, 63,
        0x1},
    {"exclusive_set_holds_every_counter",
        {.exclusive = true, .affinity = {0x1}}, 0, 0, 0xFFFFFFFFFFFFFFFF},
    {"exclusive_set_holds_nothing_elsewhere",
        {.exclusive = true, .affinity = {0x1}}, 0, 1, 0},
};

static void held_row(void **state)
{
    const struct held_row *row = *state;
    struct sets sets;
    struct counter_set *set;

    init(&sets);
    set = grant(&sets, &row->claim);
    assert_int_equal(arbiter_held(set, row->group, row->number), row->want);
    release(&sets);
}

/* Handles of two sets, the first of them freed. */
static struct number_row {
    const char *name;
    unsigned of;     /* which handle: 1 or 2; 0: none, a plain number */
    uint64_t offset; /* added to it */
    unsigned want;
    bool live;
} number_rows[] = {
    {"null_is_no_set", 0, 0, 0, false},
    {"number_of_the_set_itself_is_no_handle", 0, 1, 0, false},
    {"highest_value_is_no_set", 0, 0xFFFFFFFFFFFFFFFF, 0, false},
    {"freed_set_keeps_its_number_and_is_not_found", 1, 0, 1, false},
    {"second_set_is_number_2_and_is_found", 2, 0, 2, true},
    {"handle_that_was_never_issued_has_no_number", 2, 4, 0, false},
    {"value_just_above_a_handle_has_no_number", 2, 1, 0, false},
    {"value_just_below_a_handle_has_no_number", 2, 0xFFFFFFFFFFFFFFFF, 0,
        false},
    {"value_with_high_bits_has_no_number", 2, 0x100000000, 0, false},
};

static void number_row(void **state)
{
    const struct number_row *row = *state;
    struct sets sets;
    struct counter_set *first, *second;
    uint64_t handle[3] = {0}, value;

    init(&sets);
    first = grant_simple(&sets, 0x1, 0x1);
    second = grant_simple(&sets, 0x2, 0x1);
    handle[1] = first->handle;
    handle[2] = second->handle;
    arbiter_end(first);
    value = handle[row->of] + row->offset;

    assert_int_equal(arbiter_number(&sets.arbiter, value), row->want);
    assert_int_equal(arbiter_find(&sets.arbiter, value) != NULL, row->live);
    release(&sets);
}

static void new_set_is_as_it_was_claimed(void **state)
{
    static const struct driver owner = {.name = "drvA"};
    const struct counter_claim wanted = {
        .counters = 0x6, .affinity = {0x3}, .tag = 0xABCD};
    struct sets sets;
    struct counter_set *set;

    (void)state;
    init(&sets);
    set = arbiter_grant(&sets.arbiter, &sets.arena, &wanted, &owner);
    assert_ptr_equal(set->owner, &owner);
    assert_int_equal(set->claim.counters, 0x6);
    assert_int_equal(set->claim.affinity[0], 0x3);
    assert_int_equal(set->claim.tag, 0xABCD);
    assert_int_equal(set->number, 1);
    assert_int_equal(set->handlers, 0);
    assert_false(set->freed);
    assert_ptr_equal(arbiter_find(&sets.arbiter, set->handle), set);
    release(&sets);
}

static void handles_are_not_null_and_multiples_of_4(void **state)
{
    struct sets sets;

    (void)state;
    init(&sets);
    for (unsigned i = 0; i < 64; i++) {
        struct counter_set *set = grant_simple(&sets, UINT64_C(1) << i, 0x1);

        assert_int_not_equal(set->handle, 0);
        assert_int_equal(set->handle & 3, 0);
    }
    release(&sets);
}

static void handle_of_a_freed_set_is_not_used_again(void **state)
{
    struct sets sets;
    struct counter_set *set;
    uint64_t first, second;

    (void)state;
    init(&sets);
    set = grant_simple(&sets, 0x1, 0x1);
    first = set->handle;
    arbiter_end(set);
    arbiter_reclaim(&sets.arbiter, set);
    set = grant_simple(&sets, 0x1, 0x1);
    second = set->handle;
    arbiter_end(set);
    arbiter_reclaim(&sets.arbiter, set);
    set = grant_simple(&sets, 0x1, 0x1);

    assert_int_not_equal(second, first);
    assert_int_not_equal(set->handle, first);
    assert_int_not_equal(set->handle, second);
    assert_int_equal(set->number, 3);
    release(&sets);
}

static void memory_of_a_freed_set_is_used_again(void **state)
{
    struct sets sets;
    struct counter_set *set;
    size_t used;

    (void)state;
    init(&sets);
    set = grant_simple(&sets, 0x1, 0x1);
    used = sets.arena.used;
    arbiter_end(set);
    arbiter_reclaim(&sets.arbiter, set);
    assert_ptr_equal(grant_simple(&sets, 0x2, 0x2), set);
    assert_int_equal(sets.arena.used, used);
    assert_int_equal(set->claim.counters, 0x2);
    assert_false(set->freed);
    release(&sets);
}

static void set_whose_handler_runs_keeps_its_memory(void **state)
{
    struct sets sets;
    struct counter_set *set;

    (void)state;
    init(&sets);
    set = grant_simple(&sets, 0x1, 0x1);
    set->handlers = 1;
    arbiter_end(set);
    assert_ptr_not_equal(grant_simple(&sets, 0x2, 0x1), set);
    assert_int_equal(set->handlers, 1);
    assert_true(set->freed);
    release(&sets);
}

static void ended_set_holds_its_counters_until_it_is_reclaimed(void **state)
{
    const struct counter_claim wanted = claim(0x1, 0x1);
    struct sets sets;
    struct counter_set *set;

    (void)state;
    init(&sets);
    set = grant_simple(&sets, 0x1, 0x1);
    assert_false(arbiter_can_grant(&sets.arbiter, &wanted));
    arbiter_end(set);
    assert_false(arbiter_can_grant(&sets.arbiter, &wanted));
    arbiter_reclaim(&sets.arbiter, set);
    assert_true(arbiter_can_grant(&sets.arbiter, &wanted));
    release(&sets);
}

static void live_sets_are_in_order_of_allocation(void **state)
{
    struct sets sets;
    struct counter_set *set[4];

    (void)state;
    init(&sets);
    for (unsigned i = 0; i < 3; i++) {
        set[i] = grant_simple(&sets, UINT64_C(4) >> i, 0x1);
    }
    arbiter_end(set[1]);
    arbiter_reclaim(&sets.arbiter, set[1]);
    set[3] = grant_simple(&sets, 0x2, 0x1);

    assert_ptr_equal(sets.arbiter.first, set[0]);
    assert_ptr_equal(set[0]->next, set[2]);
    assert_ptr_equal(set[2]->next, set[3]);
    assert_null(set[3]->next);
    release(&sets);
}

static void claim_is_checked_against_every_live_set(void **state)
{
    const struct counter_claim third = claim(0x4, 0x1);
    const struct counter_claim other = claim(0x8, 0x1);
    struct sets sets;

    (void)state;
    init(&sets);
    grant_simple(&sets, 0x1, 0x1);
    grant_simple(&sets, 0x2, 0x1);
    grant_simple(&sets, 0x4, 0x1);
    assert_false(arbiter_can_grant(&sets.arbiter, &third));
    assert_true(arbiter_can_grant(&sets.arbiter, &other));
    release(&sets);
}

/* 500 sets without counters, of which every third goes. */
static void sets_are_found_among_many(void **state)
{
    struct sets sets;
    struct counter_set *set[500];

    (void)state;
    init(&sets);
    for (unsigned i = 0; i < 500; i++) {
        set[i] = grant_simple(&sets, 0, 0x1);
    }
    for (unsigned i = 0; i < 500; i += 3) {
        arbiter_end(set[i]);
        arbiter_reclaim(&sets.arbiter, set[i]);
    }
    for (unsigned i = 0; i < 500; i++) {
        assert_ptr_equal(arbiter_find(&sets.arbiter, 0x1000 + 4 * i),
            i % 3 == 0 ? NULL : set[i]);
    }
    assert_int_equal(sets.arbiter.live, 333);
    assert_true(arbiter_check(&sets.arbiter));
    release(&sets);
}

/* Their numbers have the lowest bits in common: 1, 17 and 33. */
static void few_sets_with_far_numbers_are_found(void **state)
{
    struct sets sets;
    struct counter_set *far[3];

    (void)state;
    init(&sets);
    for (unsigned i = 0; i < 48; i++) {
        struct counter_set *set = grant_simple(&sets, 0, 0x1);

        if (i % 16 == 0) {
            far[i / 16] = set;
        } else {
            arbiter_end(set);
            arbiter_reclaim(&sets.arbiter, set);
        }
    }
    assert_ptr_equal(arbiter_find(&sets.arbiter, 0x1000), far[0]);
    assert_ptr_equal(arbiter_find(&sets.arbiter, 0x1040), far[1]);
    assert_ptr_equal(arbiter_find(&sets.arbiter, 0x1080), far[2]);
    arbiter_end(far[0]);
    arbiter_reclaim(&sets.arbiter, far[0]);
    assert_null(arbiter_find(&sets.arbiter, 0x1000));
    assert_ptr_equal(arbiter_find(&sets.arbiter, 0x1040), far[1]);
    assert_ptr_equal(arbiter_find(&sets.arbiter, 0x1080), far[2]);
    release(&sets);
}

/* Of sets 1 to 4 on processor 1, the third is elsewhere. */
static struct next_row {
    const char *name;
    uint32_t number;
    uint64_t counters;
    unsigned after, want; /* 0: none */
} next_rows[] = {
    {"first_set_of_several", 1, 0xFF, 0, 1},
    {"set_behind_another", 1, 0xFF, 1, 2},
    {"set_of_another_processor_is_passed_over", 1, 0xFF, 2, 4},
    {"no_set_behind_the_last", 1, 0xFF, 4, 0},
    {"set_of_another_counter_is_passed_over", 1, 0x9, 1, 4},
    {"counters_need_not_ascend_with_sets", 1, 0x82, 0, 1},
    {"no_holder_of_a_free_counter", 1, 0x40, 0, 0},
    {"no_holder_without_counters", 1, 0, 0, 0},
    {"holder_on_the_other_processor", 2, 0xFF, 0, 3},
};

static void next_row(void **state)
{
    const struct next_row *row = *state;
    const struct counter_set *next;
    struct sets sets;

    init(&sets);
    grant_simple(&sets, 0x80, 0x2);
    grant_simple(&sets, 0x02, 0x2);
    grant_simple(&sets, 0x04, 0x4);
    grant_simple(&sets, 0x09, 0x2);
    next = arbiter_next_holder(
        &sets.arbiter, 0, row->number, row->counters, row->after);
    assert_int_equal(next == NULL ? 0 : next->number, row->want);
    release(&sets);
}

static void kernel_without_memory_gives_no_set(void **state)
{
    const struct counter_claim wanted = claim(0x1, 0x1);
    struct sets sets;

    (void)state;
    init(&sets);
    arena_reset(&sets.arena, 16, 0);
    assert_null(grant(&sets, &wanted));
    assert_null(sets.arbiter.first);
    assert_true(arbiter_can_grant(&sets.arbiter, &wanted));
    release(&sets);
}

TEST_FILE(test_arbiter)
{
    TEST_ADD_ROWS(list, conflict_row, conflict_rows);
    TEST_ADD_ROWS(list, held_row, held_rows);
    TEST_ADD_ROWS(list, number_row, number_rows);
    test_add(list, "new_set_is_as_it_was_claimed", new_set_is_as_it_was_claimed,
        NULL);
    test_add(list, "handles_are_not_null_and_multiples_of_4",
        handles_are_not_null_and_multiples_of_4, NULL);
    test_add(list, "handle_of_a_freed_set_is_not_used_again",
        handle_of_a_freed_set_is_not_used_again, NULL);
    test_add(list, "memory_of_a_freed_set_is_used_again",
        memory_of_a_freed_set_is_used_again, NULL);
    test_add(list, "set_whose_handler_runs_keeps_its_memory",
        set_whose_handler_runs_keeps_its_memory, NULL);
    test_add(list, "ended_set_holds_its_counters_until_it_is_reclaimed",
        ended_set_holds_its_counters_until_it_is_reclaimed, NULL);
    test_add(list, "live_sets_are_in_order_of_allocation",
        live_sets_are_in_order_of_allocation, NULL);
    test_add(list, "claim_is_checked_against_every_live_set",
        claim_is_checked_against_every_live_set, NULL);
    TEST_ADD_ROWS(list, next_row, next_rows);
    test_add(
        list, "sets_are_found_among_many", sets_are_found_among_many, NULL);
    test_add(list, "few_sets_with_far_numbers_are_found",
        few_sets_with_far_numbers_are_found, NULL);
    test_add(list, "kernel_without_memory_gives_no_set",
        kernel_without_memory_gives_no_set, NULL);
}
