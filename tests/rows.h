/* rows.h - one table row, one named cmocka test. */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

/* cmocka.h wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROWS_MAX = 400 };

/* The tests of one program, in the order in which they were added. */
struct test_list {
    struct CMUnitTest test[ROWS_MAX];
    size_t count;
};

/* Adds `function` under `name`; it gets `row` as its *state. */
static inline void test_add(struct test_list *list, const char *name,
    CMUnitTestFunction function, void *row)
{
    assert_true(list->count < ROWS_MAX);
    list->test[list->count++] = (struct CMUnitTest){
        .name = name, .test_func = function, .initial_state = row};
}

/* Adds `function` once for each row of a table whose rows begin with
 * `const char *name`. */
#define TEST_ADD_ROWS(list, function, rows)                                    \
    for (size_t row_ = 0; row_ < sizeof(rows) / sizeof((rows)[0]); row_++)     \
    test_add((list), (rows)[row_].name, (function), &(rows)[row_])

/* Runs them; the program's exit status. */
static inline int test_run(const char *group, struct test_list *list)
{
    return _cmocka_run_group_tests(group, list->test, list->count, NULL, NULL);
}

#endif
