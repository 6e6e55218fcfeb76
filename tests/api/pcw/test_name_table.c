/* test_name_table.c - things found by their names: those with the same hash,
 * with the same name, and how few share a bucket. */
#include "api/pcw/name_table.h"

#include <string.h>

#include "tests/rows.h"

enum { MANY = 100, LETTERS = 26 };

/* Entries with the names Aa, Ba, .., Za, Ab, .. */
struct many {
    uint16_t unit[MANY][2];
    struct name_entry entry[MANY];
    struct name_table table;
};

static struct pcw_text text_of(const struct many *many, size_t n)
{
    return (struct pcw_text){many->unit[n], 2};
}

static void insert(struct many *many, size_t n)
{
    many->unit[n][0] = (uint16_t)('A' + n % LETTERS);
    many->unit[n][1] = (uint16_t)('a' + n / LETTERS);
    many->entry[n] = (struct name_entry){
        .name = text_of(many, n), .hash = pcw_text_hash(text_of(many, n))};
    name_table_insert(&many->table, &many->entry[n]);
}

static struct name_entry *find(const struct many *many, size_t n)
{
    struct pcw_text name = text_of(many, n);

    return name_table_find(&many->table, name, pcw_text_hash(name));
}

static struct count_row {
    const char *name;
    size_t count, want_buckets;
} count_rows[] = {
    {"none_has_no_buckets", 0, 0},
    {"one_is_found", 1, 16},
    {"sixteen_have_a_bucket_each", 16, 16},
    {"the_seventeenth_makes_four_times_as_many", 17, 64},
    {"a_hundred_are_found", 100, 256},
};

static void count_row(void **state)
{
    const struct count_row *row = *state;
    struct many many = {.table = {.bucket = NULL}};

    for (size_t i = 0; i < row->count; i++) {
        insert(&many, i);
    }
    assert_int_equal(many.table.count, row->count);
    assert_int_equal(many.table.bucket_count, row->want_buckets);
    for (size_t i = 0; i < row->count; i++) {
        assert_ptr_equal(find(&many, i), &many.entry[i]);
        assert_null(name_entry_next(&many.entry[i]));
    }
    assert_null(name_table_find(
        &many.table, (struct pcw_text){(const uint16_t *)u"zebra", 5}, 1));
    name_table_free(&many.table);
}

/* The second half goes, and the first is still found. */
static void removed_ones_are_not_found(void **state)
{
    struct many many = {.table = {.bucket = NULL}};

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        insert(&many, i);
    }
    for (size_t i = MANY / 2; i < MANY; i++) {
        name_table_remove(&many.table, &many.entry[i]);
    }
    assert_int_equal(many.table.count, 50);
    for (size_t i = 0; i < MANY; i++) {
        assert_ptr_equal(find(&many, i), i < MANY / 2 ? &many.entry[i] : NULL);
    }
    name_table_free(&many.table);
}

static struct same_row {
    const char *name;
    struct pcw_text left, right;
    uint32_t left_hash, right_hash;
    bool want;
} same_rows[] = {
    {"same_name", {(const uint16_t *)u"lake", 4},
        {(const uint16_t *)u"LAKE", 4}, 5, 5, true},
    {"another_name_of_the_same_hash", {(const uint16_t *)u"lake", 4},
        {(const uint16_t *)u"pond", 4}, 5, 5, false},
    {"another_hash_in_the_same_bucket", {(const uint16_t *)u"lake", 4},
        {(const uint16_t *)u"lake", 4}, 5, 21, false},
};

/* Hashes that are not those of the names: nothing is checked of them here. */
static void same_row(void **state)
{
    const struct same_row *row = *state;
    struct name_entry first = {.name = row->left, .hash = row->left_hash};
    struct name_entry second = {.name = row->right, .hash = row->right_hash};

    first.next = &second;
    assert_ptr_equal(name_entry_next(&first), row->want ? &second : NULL);
}

TEST_FILE(test_name_table)
{
    TEST_ADD_ROWS(list, count_row, count_rows);
    test_add(
        list, "removed_ones_are_not_found", removed_ones_are_not_found, NULL);
    TEST_ADD_ROWS(list, same_row, same_rows);
}
