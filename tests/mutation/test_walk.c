/* test_walk.c - the order of the walk. The files are of the source tree. */
#include <stdbool.h>
#include <string.h>
#include <talloc.h>

#include "tests/mutation/walk.h"
#include "tests/rows.h"

static char *paths[] = {REPOSITORY "/sim/machine/lapic.c",
    REPOSITORY "/sim/machine/msr.c", REPOSITORY "/sim/pmu/pmc.c",
    REPOSITORY "/sim/base/topology.c"};

enum { PATHS = sizeof(paths) / sizeof(paths[0]) };

static struct walk *walk_of_seed(void *memory, uint64_t seed)
{
    const char *unreadable = NULL;
    struct walk *walk = walk_read(memory, paths, PATHS, &unreadable);

    assert_non_null(walk);
    assert_true(walk->site_count > 100);
    walk_shuffle(walk, seed);
    return walk;
}

static bool same_order(const struct walk *left, const struct walk *right)
{
    assert_int_equal(left->site_count, right->site_count);
    return memcmp(left->site, right->site,
               left->site_count * sizeof(*left->site)) == 0;
}

static void seed_is_the_order(void **state)
{
    void *memory = talloc_new(NULL);

    (void)state;
    assert_true(same_order(walk_of_seed(memory, 1), walk_of_seed(memory, 1)));
    assert_false(same_order(walk_of_seed(memory, 1), walk_of_seed(memory, 2)));
    talloc_free(memory);
}

static void every_mutant_comes_once(void **state)
{
    void *memory = talloc_new(NULL);
    const struct walk *walk = walk_of_seed(memory, 7);
    bool *seen = talloc_zero_array(memory, bool, (unsigned)walk->site_count);

    (void)state;
    for (size_t i = 0; i < walk->site_count; i++) {
        size_t number = walk->site[i].mutant;

        for (size_t file = 0; file < walk->site[i].file; file++) {
            number += walk->file[file].mutants->count;
        }
        assert_true(number < walk->site_count);
        assert_false(seen[number]);
        seen[number] = true;
    }
    talloc_free(memory);
}

/* Only in the first half: at its end only one file may be left. */
static void no_file_comes_three_times_in_a_row(void **state)
{
    void *memory = talloc_new(NULL);
    const struct walk *walk = walk_of_seed(memory, 3);

    (void)state;
    for (size_t i = 2; i < walk->site_count / 2; i++) {
        assert_false(walk->site[i].file == walk->site[i - 1].file &&
                     walk->site[i].file == walk->site[i - 2].file);
    }
    talloc_free(memory);
}

static void file_that_is_not_there_is_named(void **state)
{
    void *memory = talloc_new(NULL);
    char *missing[] = {paths[0], REPOSITORY "/sim/none.c"};
    const char *unreadable = NULL;

    (void)state;
    assert_null(walk_read(memory, missing, 2, &unreadable));
    assert_ptr_equal(unreadable, missing[1]);
    talloc_free(memory);
}

TEST_FILE(test_walk)
{
    test_add(list, "seed_is_the_order", seed_is_the_order, NULL);
    test_add(list, "every_mutant_comes_once", every_mutant_comes_once, NULL);
    test_add(list, "no_file_comes_three_times_in_a_row",
        no_file_comes_three_times_in_a_row, NULL);
    test_add(list, "file_that_is_not_there_is_named",
        file_that_is_not_there_is_named, NULL);
}
