/* failure_log.c - the file of --fail-log: read, checked, and appended to. */
#define _GNU_SOURCE
#include "scenarios/runner/failures/failure_log.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/parts/part_reader.h"
#include "scenarios/runner/parts/part_set.h"
#include "scenarios/runner/parts/part_writer.h"
#include "scenarios/runner/text/visible_text.h"

struct failure_log {
    FILE *file;
    struct part *part; /* what was there; NULL: nothing */
    struct part_writer writer;
};

/* Why what was there cannot be gone on from; NULL: it can. */
static const char *why_not(
    const struct part_head *there, const struct part_head *here)
{
    if (there->program != here->program) {
        return "it is of another version of ntpmu";
    }
    if (!part_set_same_words(there, here)) {
        return "it is of another command";
    }
    if (there->suite != here->suite) {
        return "the scenarios are others than those that it is of";
    }
    if (there->drivers != here->drivers) {
        return "the drivers are others than those that it is of";
    }
    return NULL;
}

static int close_file(struct failure_log *log)
{
    if (log->file != NULL) {
        fclose(log->file);
    }
    return 0;
}

/* Reads what is there. NULL, or what is wrong with it. */
static const char *read_log(
    struct failure_log *log, const char *path, const struct part_head *head)
{
    const char *problem = NULL;
    size_t length = 0;
    uint8_t *bytes = part_set_bytes(log, path, &length, &problem);

    if (bytes == NULL || length == 0) {
        return problem;
    }
    log->part = part_read(log, path, &part_of_log, bytes, length, &problem);
    return log->part == NULL ? problem : why_not(&log->part->head, head);
}

/* Behind what is there, or behind a head of its own. False: errno says why. */
static bool begin(struct failure_log *log, const struct part_head *head)
{
    size_t whole = log->part == NULL ? 0 : log->part->whole;

    if (ftruncate(fileno(log->file), (off_t)whole) != 0 ||
        fseeko(log->file, (off_t)whole, SEEK_SET) != 0) {
        return false;
    }
    if (log->part == NULL) {
        log->writer = part_writer_begin(log->file, &part_of_log, head);
    } else {
        log->writer = (struct part_writer){.out = log->file};
    }
    return fflush(log->file) == 0;
}

static struct failure_log *refuse(struct failure_log *log, const char *path,
    const char *problem, FILE *errors)
{
    fprintf(errors,
        "ntpmu: --fail-log cannot go on from '%s': %s\n"
        "       name another file, or remove it to begin anew\n",
        visible_name(path), problem);
    talloc_free(log);
    return NULL;
}

struct failure_log *failure_log_open(
    void *context, const char *path, const struct part_head *head, FILE *errors)
{
    struct failure_log *log = talloc_zero(context, struct failure_log);
    const char *problem;

    assert(log != NULL);
    talloc_set_destructor(log, close_file);
    log->file = fopen(path, "a+e");
    if (log->file == NULL) {
        return refuse(log, path, strerror(errno), errors);
    }
    if (flock(fileno(log->file), LOCK_EX | LOCK_NB) != 0) {
        return refuse(log, path,
            errno == EWOULDBLOCK ? "another run writes to it" : strerror(errno),
            errors);
    }
    problem = read_log(log, path, head);
    if (problem == NULL && !begin(log, head)) {
        problem = strerror(errno);
    }
    return problem == NULL ? log : refuse(log, path, problem, errors);
}

const uint8_t *failure_log_find(
    const struct failure_log *log, const char *key, size_t *length)
{
    const struct part_result *found =
        log->part == NULL ? NULL : part_find(log->part, key);

    if (found == NULL) {
        return NULL;
    }
    *length = found->length;
    return found->verdict;
}

bool failure_log_add(
    struct failure_log *log, const char *key, const void *bytes, size_t length)
{
    part_writer_add_bytes(&log->writer, key, bytes, length);
    return fflush(log->file) == 0 && !ferror(log->file);
}
