/* rows.h - the tests of a room: one table row, one named cmocka test. */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

/* cmocka.h wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Tests in the order in which they were added. A test is called FILE.ROW. */
struct test_list {
    const char *file; /* to which what comes now belongs; without .c */
    struct CMUnitTest *test;
    size_t count, room; /* how many there are, and how many would do */
    CMFixtureFunction before, after; /* of what comes now; may be NULL */
};

/* A file of tests, and what adds them. */
struct test_file {
    const char *name;
    void (*add)(struct test_list *list);
};

/* The room of this program, and its files; the build writes them. */
extern const char test_room[];
extern const struct test_file test_files[];
extern const size_t test_file_count;

/* Begins the function that adds the tests of the file STEM.c to `list`. */
#define TEST_FILE(stem)                                                        \
    void stem(struct test_list *list);                                         \
    void stem(struct test_list *list)

/* Adds `function` under `name`, which is copied; it gets `row` as its *state.
 */
void test_add(struct test_list *list, const char *name,
    CMUnitTestFunction function, void *row);

/* Adds it once for each of `count` rows of `size` bytes, which begin with
 * `const char *name`. Where `group` is not NULL they are GROUP.NAME. */
void test_add_rows(struct test_list *list, const char *group,
    CMUnitTestFunction function, void *rows, size_t size, size_t count);

/* The rows of a table. */
#define TEST_ADD_ROWS(list, function, rows)                                    \
    test_add_rows((list), NULL, (function), (rows), sizeof((rows)[0]),         \
        sizeof(rows) / sizeof((rows)[0]))

/* The same where another table of the file has rows of the same names. */
#define TEST_ADD_GROUP(list, group, function, rows)                            \
    test_add_rows((list), (group), (function), (rows), sizeof((rows)[0]),      \
        sizeof(rows) / sizeof((rows)[0]))

/* What the file adds from here on begins with `before` and ends with `after`.
 */
void test_fixture(
    struct test_list *list, CMFixtureFunction before, CMFixtureFunction after);

#endif
