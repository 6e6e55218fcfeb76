/* equivalents_file.c - reads equivalents.txt, for a walk or for itself. */
#include "tests/mutation/equivalents_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "tests/mutation/equivalents.h"
#include "tests/mutation/walk.h"

static const char list_path[] = "tests/mutation/equivalents.txt";

static void say_unreadable(const char *path)
{
    fprintf(stderr, "mutate: %s: %s\n", path, strerror(errno));
}

/* NULL after saying why. */
static const struct equivalents *read_list(void *memory)
{
    char *text = walk_read_file(memory, list_path);
    const struct equivalents *list;
    const char *problem;

    if (text == NULL) {
        say_unreadable(list_path);
        return NULL;
    }
    list = equivalents_read(memory, list_path, text, &problem);
    if (list == NULL) {
        fprintf(stderr, "%s\n", problem);
    }
    return list;
}

static bool mark(const struct equivalents *list, struct walk *walk)
{
    const char *problem;

    if (equivalents_mark(list, list_path, walk, &problem)) {
        return true;
    }
    fprintf(stderr, "%s\n", problem);
    return false;
}

bool equivalents_file_mark(void *memory, struct walk *walk)
{
    const struct equivalents *list = read_list(memory);

    return list != NULL && mark(list, walk);
}

/* All files that it names, once each. NULL after saying which is not there. */
static struct walk *read_files(void *memory, const struct equivalents *list)
{
    char **path = talloc_array(memory, char *, (unsigned)list->count + 1);
    const char *unreadable = NULL;
    struct walk *walk;
    size_t paths = 0;

    for (size_t i = 0; i < list->count; i++) {
        size_t n = 0;

        while (n < paths && strcmp(path[n], list->item[i].file) != 0) {
            n++;
        }
        if (n == paths) {
            path[paths++] = talloc_strdup(memory, list->item[i].file);
        }
    }
    walk = walk_read(memory, path, paths, &unreadable);
    if (walk == NULL) {
        say_unreadable(unreadable);
    }
    return walk;
}

bool equivalents_file_check(void *memory)
{
    const struct equivalents *list = read_list(memory);
    struct walk *walk = list == NULL ? NULL : read_files(memory, list);
    bool right = walk != NULL;

    for (size_t i = 0; walk != NULL && i < list->count; i++) {
        const struct equivalents one = {.item = &list->item[i], .count = 1};

        right &= mark(&one, walk);
    }
    return right;
}
