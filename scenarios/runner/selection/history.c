/* history.c - how instances ended the last time, read and kept in a file of the
 * user's cache, a line a result: STATUS, a tab, the id. A run appends its
 * results, and of several lines of an id the last one counts; when most of the
 * file has come so, it is written anew with a line for each id. */
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
#include "scenarios/runner/text/key_index.h"
#include "scenarios/runner/yaml/source.h"

static const char first_line[] = "ntpmu last results 2";

/* What may come behind the lines of a file that was written whole, beside as
 * much as these take. */
enum { APPENDED_BYTES = 1 << 16 };

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

/* Leaves one of an id: the worst, or the one that was added last. */
static void settle(struct history *history, bool worst)
{
    struct key_index *ids = key_index_new(history);
    size_t kept = 0;

    for (size_t i = 0; i < history->count; i++) {
        const struct history_entry entry = history->item[i];
        size_t length = strlen(entry.id), at;

        if (!key_index_find(ids, entry.id, length, &at)) {
            key_index_add(ids, entry.id, length, kept);
            history->item[kept++] = entry;
        } else if (!worst || history->item[at].result < entry.result) {
            history->item[at] = entry;
        }
    }
    talloc_free(ids);
    history->count = kept;
}

static int compare_entries(const void *left, const void *right)
{
    const struct history_entry *a = left, *b = right;

    return strcmp(a->id, b->id);
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

/* Whether it is the first line; then *whole are the bytes that the file had
 * when it was written whole. */
static bool read_first(const char *line, uint64_t *whole)
{
    size_t length = strlen(first_line);
    char end;

    return strncmp(line, first_line, length) == 0 &&
           sscanf(line + length, " %" SCNu64 "%c", whole, &end) == 1;
}

/* Reads all lines. False when they are not right, though perhaps the first says
 * *ours; a last one that was cut off is of a program that was ended, and left
 * out. */
static bool read_lines(struct history *history, FILE *in, bool *ours)
{
    char *line = NULL;
    size_t room = 0;
    bool first = true, right = true;
    ssize_t length;
    uint64_t whole;

    *ours = false;
    while (right && (length = getline(&line, &room, in)) > 0 &&
           line[length - 1] == '\n') {
        line[length - 1] = '\0';
        right = first ? read_first(line, &whole) : read_line(history, line);
        *ours |= first && right;
        first = false;
    }
    free(line);
    return right && !first && !ferror(in);
}

static struct history *read_file(
    void *context, const char *path, const char **problem)
{
    struct history *history = history_new(context);
    FILE *in = source_open(path, problem);
    bool right, ours;

    if (in == NULL) {
        talloc_free(history);
        return NULL;
    }
    right = read_lines(history, in, &ours);
    fclose(in);
    if (!right && ours) {
        unlink(path); /* or results would go on being put behind it */
    }
    if (!right) {
        *problem = "it is not a file of last results of this version";
        talloc_free(history);
        return NULL;
    }
    settle(history, false);
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

/* Only one program at a time puts its results into a directory's files, and
 * nobody reads them meanwhile (`how` of flock()). Returns what to close; -1:
 * the directory cannot be opened. */
static int lock_directory(const char *path, int how)
{
    const char *slash = strrchr(path, '/');
    char *directory =
        talloc_strndup(NULL, path, slash == NULL ? 0 : (size_t)(slash - path));
    int lock = open(directory[0] == '\0' ? "." : directory,
        O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    talloc_free(directory);
    if (lock >= 0) {
        flock(lock, how); /* without it, results of others may get lost */
    }
    return lock;
}

struct history *history_read(
    void *context, const char *path, const char **problem)
{
    int lock = lock_directory(path, LOCK_SH);
    struct history *history = read_file(context, path, problem);

    if (lock >= 0) {
        close(lock);
    }
    if (history != NULL && history->count > 0) {
        qsort(history->item, history->count, sizeof(*history->item),
            compare_entries);
    }
    return history;
}

/* The lines of the results; free() frees them. */
static char *lines_of(const struct history *history, size_t *length)
{
    char *text;
    FILE *out = open_memstream(&text, length);

    assert(out != NULL);
    for (size_t i = 0; i < history->count; i++) {
        fprintf(out, "%s\t%s\n", verdict_result_name(history->item[i].result),
            history->item[i].id);
    }
    fclose(out);
    return text;
}

static bool write_file(const char *path, const struct history *history)
{
    FILE *out = fopen(path, "wxe");
    size_t length;
    char *lines;
    bool written;

    if (out == NULL) {
        return false;
    }
    lines = lines_of(history, &length);
    fprintf(out, "%s %zu\n", first_line, length);
    fwrite(lines, 1, length, out);
    free(lines);
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

/* Whether lines can come behind what is there: it is a file of ours that ends
 * with a line, and was not appended to for too long. */
static bool may_append(FILE *file)
{
    char line[64];
    uint64_t whole = 0;
    bool ours =
        fgets(line, sizeof(line), file) != NULL && strchr(line, '\n') != NULL;
    long size;

    if (!ours) {
        return false;
    }
    *strchr(line, '\n') = '\0';
    if (!read_first(line, &whole) || fseek(file, -1, SEEK_END) != 0 ||
        fgetc(file) != '\n') {
        return false;
    }
    size = ftell(file);
    return size >= 0 && (uint64_t)size / 2 < whole + APPENDED_BYTES;
}

/* Whether all results stand behind the others; if not, nothing has changed. */
static bool append(const char *path, const struct history *results)
{
    const char *problem;
    FILE *in = source_open(path, &problem);
    bool done = in != NULL && may_append(in);
    size_t length;
    char *lines;
    int file;

    if (in != NULL) {
        fclose(in);
    }
    file = done ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (file < 0) {
        return false;
    }
    lines = lines_of(results, &length);
    done = write(file, lines, length) == (ssize_t)length;
    free(lines);
    return close(file) == 0 && done; /* a cut line is no end of a file */
}

/* The old results with the new ones, in a new file. */
static bool write_all(const char *path, const struct history *results)
{
    struct history *all = history_new(NULL);
    const char *ignored;
    const struct history *old = read_file(all, path, &ignored);
    bool done;

    for (size_t i = 0; old != NULL && i < old->count; i++) {
        history_add(all, old->item[i].id, old->item[i].result);
    }
    for (size_t i = 0; i < results->count; i++) {
        history_add(all, results->item[i].id, results->item[i].result);
    }
    settle(all, false);
    done = replace(path, all);
    talloc_free(all);
    return done;
}

bool history_update(
    const char *path, struct history *results, const char **problem)
{
    bool done = false;
    int lock;

    if (!may_replace(path)) {
        *problem = "their file is not a regular file";
        return false;
    }
    settle(results, true);
    lock = make_directories(path) ? lock_directory(path, LOCK_EX) : -1;
    if (lock >= 0) {
        done = append(path, results) || write_all(path, results);
    }
    *problem = strerror(errno);
    if (lock >= 0) {
        close(lock);
    }
    return done;
}
