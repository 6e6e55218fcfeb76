/* rows.c - the program of a room's tests: lists its rows, and runs those that
 * are named, or all of them in one process.
 *
 *     test_ROOM [--list | NAME...]
 *
 * A NAME is FILE.ROW, or a pattern of the shell that such names match. */
#define _POSIX_C_SOURCE 200809L
#include "tests/rows.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocated(void *block)
{
    if (block == NULL) {
        abort();
    }
    return block;
}

/* FILE.NAME or FILE.GROUP.NAME. */
static char *full_name(const char *file, const char *group, const char *name)
{
    const char *between = group == NULL ? "" : ".";
    char *full;
    size_t size;

    group = group == NULL ? "" : group;
    size = strlen(file) + 1 + strlen(group) + 1 + strlen(name) + 1;
    full = allocated(malloc(size));
    snprintf(full, size, "%s.%s%s%s", file, group, between, name);
    return full;
}

static void add(
    struct test_list *list, char *name, CMUnitTestFunction function, void *row)
{
    if (list->count == list->room) {
        list->room = list->room == 0 ? 1024 : 2 * list->room;
        list->test =
            allocated(realloc(list->test, list->room * sizeof(list->test[0])));
    }
    list->test[list->count++] = (struct CMUnitTest){.name = name,
        .test_func = function,
        .setup_func = list->before,
        .teardown_func = list->after,
        .initial_state = row};
}

void test_add(struct test_list *list, const char *name,
    CMUnitTestFunction function, void *row)
{
    add(list, full_name(list->file, NULL, name), function, row);
}

void test_add_rows(struct test_list *list, const char *group,
    CMUnitTestFunction function, void *rows, size_t size, size_t count)
{
    char *row = rows;

    for (size_t i = 0; i < count; i++, row += size) {
        const char *name;

        memcpy(&name, row, sizeof(name));
        add(list, full_name(list->file, group, name), function, row);
    }
}

void test_fixture(
    struct test_list *list, CMFixtureFunction before, CMFixtureFunction after)
{
    list->before = before;
    list->after = after;
}

static int by_name(const void *left, const void *right)
{
    const struct CMUnitTest *one = left, *other = right;

    return strcmp(one->name, other->name);
}

/* Each once: whoever asks for a test by its name gets that test. */
static bool names_are_unique(const struct test_list *list)
{
    size_t size = list->count * sizeof(list->test[0]);
    struct CMUnitTest *sorted = allocated(malloc(size + 1));
    bool unique = true;

    memcpy(sorted, list->test, size);
    qsort(sorted, list->count, sizeof(sorted[0]), by_name);
    for (size_t i = 1; i < list->count; i++) {
        if (strcmp(sorted[i - 1].name, sorted[i].name) == 0) {
            fprintf(stderr, "%s: there are two tests %s\n", test_room,
                sorted[i].name);
            unique = false;
        }
    }
    free(sorted);
    return unique;
}

static bool is_asked_for(const char *name, char **asked, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, asked[i]) == 0 || fnmatch(asked[i], name, 0) == 0) {
            return true;
        }
    }
    return false;
}

/* Only those that are asked for stay. */
static void select_tests(struct test_list *list, char **asked, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (is_asked_for(list->test[i].name, asked, count)) {
            list->test[kept++] = list->test[i];
        } else {
            free((void *)(uintptr_t)list->test[i].name);
        }
    }
    list->count = kept;
}

static int run(struct test_list *list)
{
    if (list->count == 0) {
        fprintf(stderr, "%s has no such test\n", test_room);
        return EXIT_FAILURE;
    }
    return _cmocka_run_group_tests(
               test_room, list->test, list->count, NULL, NULL) == 0
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}

static int print(const struct test_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        puts(list->test[i].name);
    }
    return names_are_unique(list) ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct test_list list = {.count = 0};
    int result;

    for (size_t i = 0; i < test_file_count; i++) {
        list.file = test_files[i].name;
        test_fixture(&list, NULL, NULL);
        test_files[i].add(&list);
    }
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        result = print(&list);
    } else {
        if (argc > 1) {
            select_tests(&list, argv + 1, (size_t)argc - 1);
        }
        result = run(&list);
    }
    for (size_t i = 0; i < list.count; i++) {
        free((void *)(uintptr_t)list.test[i].name);
    }
    free(list.test);
    return result;
}
