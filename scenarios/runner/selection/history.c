/* history.c - how instances ended the last time, read and kept in a file of the
 * user's cache, a line a result: STATUS, a tab, the id. */
#define _GNU_SOURCE
#include "scenarios/runner/selection/history.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <talloc.h>
#include <unistd.h>

#include "api/text/fnv.h"
#include "scenarios/runner/output/unfinished.h"
#include "scenarios/runner/report/report.h"
#include "scenarios/runner/run/verdict.h"
#include "scenarios/runner/yaml/source.h"

static const char first_line[] = "ntpmu last results 1";

char *history_path(void *context)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    char *directory = get_current_dir_name();
    char *path = NULL;

    if (directory == NULL) {
        return NULL;
    }
    /* A path that is not absolute is to be ignored (XDG Base Directory). */
    if (cache != NULL && cache[0] == '/') {
        path = talloc_asprintf(
            context, "%s/ntpmu/%016" PRIx64, cache, fnv1a(directory));
    } else if (home != NULL && home[0] == '/') {
        path = talloc_asprintf(
            context, "%s/.cache/ntpmu/%016" PRIx64, home, fnv1a(directory));
    }
    free(directory);
    return path;
}

struct history *history_new(void *context)
{
    struct history *history = talloc_zero(context, struct history);

    assert(history != NULL);
    return history;
}

void history_add(struct history *history, const char *id, enum result result)
{
    size_t room = talloc_array_length(history->item);

    if (history->count == room) {
        history->item = talloc_realloc(history, history->item,
            struct history_entry, (unsigned)(room == 0 ? 64 : 2 * room));
        assert(history->item != NULL);
    }
    history->item[history->count++] = (struct history_entry){id, result};
}

static int compare_entries(const void *left, const void *right)
{
    const struct history_entry *a = left, *b = right;

    return strcmp(a->id, b->id);
}

/* Sorts, and leaves one of an id. */
static void settle(struct history *history)
{
    size_t kept = 0;

    if (history->count > 0) {
        qsort(history->item, history->count, sizeof(*history->item),
            compare_entries);
    }
    for (size_t i = 0; i < history->count; i++) {
        struct history_entry *last = &history->item[kept == 0 ? 0 : kept - 1];

        if (kept == 0 || strcmp(last->id, history->item[i].id) != 0) {
            history->item[kept++] = history->item[i];
        } else if (last->result < history->item[i].result) {
            last->result = history->item[i].result;
        }
    }
    history->count = kept;
}

const struct history_entry *history_find(
    const struct history *history, const char *id)
{
    const struct history_entry wanted = {.id = id};

    if (history->count == 0) {
        return NULL;
    }
    return bsearch(&wanted, history->item, history->count,
        sizeof(*history->item), compare_entries);
}

/* Reads STATUS, a tab, the id. False when it is not that. */
static bool read_line(struct history *history, char *line)
{
    char *tab = strchr(line, '\t');

    if (tab == NULL) {
        return false;
    }
    *tab = '\0';
    for (unsigned i = 0; i < RESULT_COUNT; i++) {
        if (strcmp(verdict_result_name(i), line) == 0) {
            history_add(history, talloc_strdup(history, tab + 1), i);
            return true;
        }
    }
    return false;
}

/* Reads all lines. False when they are not ours. */
static bool read_lines(struct history *history, FILE *in)
{
    char *line = NULL;
    size_t room = 0;
    bool first = true, right = true;
    ssize_t length;

    while (right && (length = getline(&line, &room, in)) > 0) {
        right = line[--length] == '\n'; /* else it was cut off */
        line[length] = '\0';
        right = right && (first ? strcmp(line, first_line) == 0
                                : read_line(history, line));
        first = false;
    }
    free(line);
    return right && !first && !ferror(in);
}

struct history *history_read(
    void *context, const char *path, const char **problem)
{
    struct history *history = history_new(context);
    FILE *in = source_open(path, problem);
    bool right;

    if (in == NULL) {
        talloc_free(history);
        return NULL;
    }
    right = read_lines(history, in);
    fclose(in);
    if (!right) {
        *problem = "it is not a file of last results of this version";
        talloc_free(history);
        return NULL;
    }
    settle(history);
    return history;
}

/* Makes the directories above a path. */
static bool make_directories(const char *path)
{
    char *at = talloc_strdup(NULL, path);
    bool made = true;

    assert(at != NULL);
    for (char *slash = strchr(at + 1, '/'); slash != NULL && made;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        made = mkdir(at, 0700) == 0 || errno == EEXIST;
        *slash = '/';
    }
    talloc_free(at);
    return made;
}

/* Only one program at a time puts its results into a directory's files.
 * Returns what to close; -1: the directory cannot be opened. */
static int lock_directory(const char *path)
{
    char *directory =
        talloc_strndup(NULL, path, (size_t)(strrchr(path, '/') - path));
    int lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    talloc_free(directory);
    if (lock >= 0) {
        flock(lock, LOCK_EX); /* without it, results of others may get lost */
    }
    return lock;
}

static bool write_file(const char *path, const struct history *history)
{
    FILE *out = fopen(path, "wxe");
    bool written;

    if (out == NULL) {
        return false;
    }
    fprintf(out, "%s\n", first_line);
    for (size_t i = 0; i < history->count; i++) {
        fprintf(out, "%s\t%s\n", verdict_result_name(history->item[i].result),
            history->item[i].id);
    }
    written = !ferror(out);
    return fclose(out) == 0 && written;
}

/* Whether the new file took the old one's place. */
static bool replace(const char *path, const struct history *history)
{
    char *made = talloc_asprintf(NULL, "%s.%ld", path, (long)getpid());
    bool done;

    assert(made != NULL);
    unlink(made); /* of a program that had this number, and was ended */
    unfinished_add(made);
    done = write_file(made, history) && rename(made, path) == 0;
    if (!done) {
        int error = errno;

        unlink(made);
        errno = error;
    }
    unfinished_remove(made);
    talloc_free(made);
    return done;
}

/* What is there and is no file of ours is nobody's to replace. */
static bool may_replace(const char *path)
{
    struct stat status;

    return lstat(path, &status) != 0 || S_ISREG(status.st_mode);
}

bool history_update(
    const char *path, struct history *results, const char **problem)
{
    struct history *old;
    const char *ignored;
    bool done = false;
    int lock;

    if (!may_replace(path)) {
        *problem = "their file is not a regular file";
        return false;
    }
    settle(results);
    lock = make_directories(path) ? lock_directory(path) : -1;
    if (lock >= 0) {
        struct history *all = history_new(NULL);

        old = history_read(all, path, &ignored);
        for (size_t i = 0; i < results->count; i++) {
            history_add(all, results->item[i].id, results->item[i].result);
        }
        for (size_t i = 0; old != NULL && i < old->count; i++) {
            if (history_find(results, old->item[i].id) == NULL) {
                history_add(all, old->item[i].id, old->item[i].result);
            }
        }
        settle(all);
        done = replace(path, all);
        talloc_free(all);
    }
    *problem = strerror(errno);
    if (lock >= 0) {
        close(lock);
    }
    return done;
}
