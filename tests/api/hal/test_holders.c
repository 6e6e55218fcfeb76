/* test_holders.c - who holds a counter where, asked of the tables, against a
 * plain list of all claims. */
#include "api/hal/arbiter.h"
#include "api/hal/holders.h"
#include "sim/base/arena.h"
#include "sim/base/bits.h"
#include "sim/base/splitmix.h"
#include "tests/rows.h"

enum { ARENA = 8 << 20, SETS = 64 };

struct table {
    struct arena arena;
    struct holders holders;
    struct counter_set set[SETS];
    bool held[SETS];
};

static void init(struct table *table)
{
    *table = (struct table){.holders = {{0}}};
    assert_true(arena_reserve(&table->arena, ARENA));
    arena_reset(&table->arena, ARENA, 0);
}

static void enter(struct table *table, unsigned n, struct counter_claim claim)
{
    table->set[n] = (struct counter_set){.claim = claim, .number = n + 1};
    assert_true(holders_allow(&table->holders, &claim));
    assert_true(holders_prepare(&table->holders, &table->arena, &claim));
    holders_enter(&table->holders, &table->set[n]);
    table->held[n] = true;
}

static void leave(struct table *table, unsigned n)
{
    holders_leave(&table->holders, &table->set[n]);
    table->held[n] = false;
}

static unsigned holder(
    const struct table *table, uint32_t group, uint32_t number, unsigned thing)
{
    const struct counter_set *set =
        holders_find(&table->holders, group, number, thing);

    return set == NULL ? 0 : set->number;
}

static void NTAPI handler(ULONGLONG OverflowBits, HANDLE OwningHandle)
{
    (void)OverflowBits;
    (void)OwningHandle;
}

/* Three sets of counter 5 in group 1, of which the first leaves. */
static void holders_of_one_index_are_told_apart(void **state)
{
    struct table table;

    (void)state;
    init(&table);
    enter(&table, 0,
        (struct counter_claim){.counters = 0x20, .affinity = {0, 0x0F}});
    enter(&table, 1,
        (struct counter_claim){.counters = 0x21, .affinity = {0, 0xF0}});
    enter(&table, 2,
        (struct counter_claim){.counters = 0x20, .affinity = {0x1, 0x100}});
    assert_int_equal(holder(&table, 1, 0, 5), 1);
    assert_int_equal(holder(&table, 1, 3, 5), 1);
    assert_int_equal(holder(&table, 1, 4, 5), 2);
    assert_int_equal(holder(&table, 1, 7, 0), 2);
    assert_int_equal(holder(&table, 1, 8, 5), 3);
    assert_int_equal(holder(&table, 0, 0, 5), 3);
    assert_int_equal(holder(&table, 1, 9, 5), 0);
    assert_int_equal(holder(&table, 2, 0, 5), 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(holders_check(&table.holders, &table.set[i]));
    }
    leave(&table, 0);
    assert_int_equal(holder(&table, 1, 0, 5), 0);
    assert_int_equal(holder(&table, 1, 4, 5), 2);
    assert_int_equal(holder(&table, 1, 8, 5), 3);
    enter(&table, 3,
        (struct counter_claim){.counters = 0x20, .affinity = {0, 0x200}});
    assert_int_equal(holder(&table, 1, 9, 5), 4);
    leave(&table, 2);
    assert_int_equal(holder(&table, 1, 8, 5), 0);
    assert_int_equal(holder(&table, 0, 0, 5), 0);
    arena_release(&table.arena);
}

/* Of an index alone, or the whole PMU of a processor. */
static void any_holder_is_seen_from_anywhere(void **state)
{
    struct table table;

    (void)state;
    init(&table);
    assert_false(holders_any(&table.holders, UINT64_MAX));
    enter(&table, 0,
        (struct counter_claim){
            .counters = 0x100000000, .affinity = {[31] = 0x8}});
    assert_true(holders_any(&table.holders, 0x100000000));
    assert_false(holders_any(&table.holders, 0xFFFFFFFF));
    assert_false(holders_any(&table.holders, 0));
    enter(&table, 1,
        (struct counter_claim){.exclusive = true, .affinity = {0x2}});
    assert_true(holders_any(&table.holders, 0x1));
    assert_true(holders_any(&table.holders, 0));
    leave(&table, 1);
    assert_false(holders_any(&table.holders, 0x1));
    arena_release(&table.arena);
}

static void NTAPI reader(
    void *entries, uint64_t size, uint64_t count, void *set)
{
    (void)entries;
    (void)size;
    (void)count;
    (void)set;
}

/* Those of overflows and of event buffers do not meet. */
static void handlers_are_in_the_way_while_there_is_one(void **state)
{
    const struct counter_claim none = {.affinity = {0x2}};
    const struct counter_claim with = {.handler = handler, .affinity = {0x3}};
    const struct counter_claim read = {.events = reader, .affinity = {0x3}};
    struct table table;

    (void)state;
    init(&table);
    enter(&table, 0, none);
    assert_false(holders_handler(&table.holders, &with));
    enter(&table, 1, with);
    enter(&table, 2, with);
    leave(&table, 1);
    assert_true(holders_handler(&table.holders, &with));
    assert_false(holders_handler(&table.holders, &none));
    assert_false(holders_handler(&table.holders, &read));
    enter(&table, 1, read);
    leave(&table, 2);
    assert_true(holders_handler(&table.holders, &read));
    assert_false(holders_handler(&table.holders, &with));
    leave(&table, 1);
    assert_false(holders_handler(&table.holders, &read));
    arena_release(&table.arena);
}

static void claim_for_which_there_is_no_memory_is_not_entered(void **state)
{
    const struct counter_claim first = {.counters = 1, .affinity = {0x1}};
    const struct counter_claim second = {.counters = 1, .affinity = {0xE}};
    struct table table;

    (void)state;
    init(&table);
    arena_reset(&table.arena, 64, 0);
    assert_false(holders_prepare(&table.holders, &table.arena, &first));
    arena_reset(&table.arena, sizeof(struct group_holders) + 16, 0);
    enter(&table, 0, first);
    assert_false(holders_prepare(&table.holders, &table.arena, &second));
    assert_true(holders_allow(&table.holders, &second));
    assert_int_equal(holder(&table, 0, 0, 0), 1);
    assert_int_equal(holder(&table, 0, 1, 0), 0);
    arena_release(&table.arena);
}

/* What the list of all claims says. */
static bool list_allows(
    const struct table *table, const struct counter_claim *claim)
{
    for (unsigned n = 0; n < SETS; n++) {
        const struct counter_claim *other = &table->set[n].claim;

        for (unsigned group = 0; table->held[n] && group < 3; group++) {
            if ((other->affinity[group] & claim->affinity[group]) != 0 &&
                (other->exclusive || claim->exclusive ||
                    (other->counters & claim->counters) != 0)) {
                return false;
            }
        }
    }
    return true;
}

static unsigned list_holder(
    const struct table *table, uint32_t group, uint32_t number, unsigned thing)
{
    for (unsigned n = 0; n < SETS; n++) {
        const struct counter_claim *claim = &table->set[n].claim;

        if (table->held[n] && bit_is_set(claim->affinity[group], number) &&
            (thing == HOLDERS_WHOLE_PMU ? claim->exclusive
                                        : bit_is_set(claim->counters, thing))) {
            return n + 1;
        }
    }
    return 0;
}

/* Few processors and counters, so that claims meet. */
static struct counter_claim random_claim(struct splitmix *seed)
{
    uint64_t kind = splitmix_next(seed);
    struct counter_claim claim = {.exclusive = kind % 8 == 0,
        .counters = kind % 8 == 0 ? 0
                                  : splitmix_next(seed) & splitmix_next(seed) &
                                        0x8000000000000007};

    for (unsigned group = 0; group < 3; group++) {
        claim.affinity[group] =
            splitmix_next(seed) & splitmix_next(seed) & 0xC000000000000003;
    }
    return claim;
}

static void tables_say_what_a_list_would(void **state)
{
    static const unsigned numbers[] = {0, 1, 62, 63};
    static const unsigned things[] = {0, 1, 2, 62, 63, HOLDERS_WHOLE_PMU};
    struct splitmix seed = {15};
    struct table table;

    (void)state;
    init(&table);
    for (unsigned step = 0; step < 20000; step++) {
        struct counter_claim claim = random_claim(&seed);
        unsigned n = (unsigned)(splitmix_next(&seed) % SETS);

        if (table.held[n]) {
            leave(&table, n);
            continue;
        }
        assert_int_equal(
            holders_allow(&table.holders, &claim), list_allows(&table, &claim));
        if (list_allows(&table, &claim)) {
            enter(&table, n, claim);
        }
        for (unsigned i = 0; i < 3 * 4 * 6; i++) {
            unsigned group = i / 24, number = numbers[i / 6 % 4];

            assert_int_equal(holder(&table, group, number, things[i % 6]),
                list_holder(&table, group, number, things[i % 6]));
        }
    }
    arena_release(&table.arena);
}

TEST_FILE(test_holders)
{
    test_add(list, "holders_of_one_index_are_told_apart",
        holders_of_one_index_are_told_apart, NULL);
    test_add(list, "any_holder_is_seen_from_anywhere",
        any_holder_is_seen_from_anywhere, NULL);
    test_add(list, "handlers_are_in_the_way_while_there_is_one",
        handlers_are_in_the_way_while_there_is_one, NULL);
    test_add(list, "claim_for_which_there_is_no_memory_is_not_entered",
        claim_for_which_there_is_no_memory_is_not_entered, NULL);
    test_add(list, "tables_say_what_a_list_would", tables_say_what_a_list_would,
        NULL);
}
