/* test_walk.c - the order of the walk. The files are of the source tree. */
#include <stdbool.h>
#include <string.h>
#include <talloc.h>

#include "tests/mutation/walk.h"
#include "tests/rows.h"

static char *paths[] = {REPOSITORY "/sim/machine/lapic.c",
    REPOSITORY "/sim/machine/msr.c", REPOSITORY "/sim/pmu/rate.c",
    REPOSITORY "/sim/base/topology.c"};

enum { PATHS = sizeof(paths) / sizeof(paths[0]) };

static struct walk *walk_of_seed(void *memory, uint64_t seed)
{
    const char *unreadable = NULL;
    struct walk *walk = walk_read(memory, paths, PATHS, &unreadable);

    assert_non_null(walk);
    assert_true(walk->site_count > 100);
    walk_order(walk, seed);
    return walk;
}

static bool same_order(const struct walk *left, const struct walk *right)
{
    assert_int_equal(left->site_count, right->site_count);
    for (size_t i = 0; i < left->site_count; i++) {
        if (left->site[i].file != right->site[i].file ||
            left->site[i].mutant != right->site[i].mutant) {
            return false;
        }
    }
    return true;
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

/* Without the first file the others come as they did. */
static void another_file_moves_nothing(void **state)
{
    void *memory = talloc_new(NULL);
    const char *unreadable = NULL;
    const struct walk *all = walk_of_seed(memory, 3);
    struct walk *rest = walk_read(memory, paths + 1, PATHS - 1, &unreadable);
    size_t next = 0;

    (void)state;
    walk_order(rest, 3);
    for (size_t i = 0; i < all->site_count; i++) {
        if (all->site[i].file == 0) {
            continue;
        }
        assert_int_equal(rest->site[next].file + 1, all->site[i].file);
        assert_int_equal(rest->site[next].mutant, all->site[i].mutant);
        next++;
    }
    assert_int_equal(next, rest->site_count);
    talloc_free(memory);
}

/* Of the first hundred of four files no file has all. */
static void files_come_mixed(void **state)
{
    void *memory = talloc_new(NULL);
    const struct walk *walk = walk_of_seed(memory, 3);
    size_t of_file[PATHS] = {0};

    (void)state;
    for (size_t i = 0; i < 100; i++) {
        of_file[walk->site[i].file]++;
    }
    for (size_t file = 0; file < PATHS; file++) {
        assert_in_range(of_file[file], 1, 80);
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
    test_add(
        list, "another_file_moves_nothing", another_file_moves_nothing, NULL);
    test_add(list, "files_come_mixed", files_come_mixed, NULL);
    test_add(list, "file_that_is_not_there_is_named",
        file_that_is_not_there_is_named, NULL);
}
