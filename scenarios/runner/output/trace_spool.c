/* trace_spool.c - where workers leave traces that are too long for an answer: a
 * file without a name, and how far it is taken. */
#define _GNU_SOURCE
#include "scenarios/runner/output/trace_spool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <talloc.h>
#include <unistd.h>

enum {
    SPOOL_HEAD_BYTES = 64 * 1024, /* of a text that an answer takes itself */
    SPOOL_PART_BYTES = 256 * 1024,
};

struct trace_spool {
    int file;
    void *taken; /* bytes, atomic; shared with those that were forked */
};

static int close_spool(struct trace_spool *spool)
{
    close(spool->file);
    munmap(spool->taken, sizeof(_Atomic uint64_t));
    return 0;
}

/* A file that has no name any more; -1 with errno set. */
static int open_file(void)
{
    const char *directory = getenv("TMPDIR");
    char *name = talloc_asprintf(NULL, "%s/ntpmu_trace_XXXXXX",
        directory == NULL ? P_tmpdir : directory);
    int file = mkostemp(name, O_CLOEXEC);
    int problem = errno;

    if (file >= 0) {
        unlink(name);
    }
    talloc_free(name);
    errno = problem;
    return file;
}

struct trace_spool *trace_spool_new(void *context)
{
    struct trace_spool *spool;
    int file = open_file();
    void *shared;

    if (file < 0) {
        return NULL;
    }
    shared = mmap(NULL, sizeof(_Atomic uint64_t), PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        close(file);
        errno = ENOMEM;
        return NULL;
    }
    spool = talloc(context, struct trace_spool);
    assert(spool != NULL);
    *spool = (struct trace_spool){file, shared};
    talloc_set_destructor(spool, close_spool);
    return spool;
}

void trace_spool_hide(const struct trace_spool *spool)
{
    int status = madvise(spool->taken, sizeof(_Atomic uint64_t), MADV_DONTFORK);

    assert(status == 0);
    (void)status;
}

struct trace_writer {
    struct trace_spool *spool;
    FILE *head, *stream;
    size_t head_length;
    char *part; /* that is not in the file yet */
    size_t length;
    struct trace_extent *extent;
    size_t count;
    int problem; /* errno of the first write that failed; 0: none has */
};

static int end_writer(struct trace_writer *writer)
{
    fclose(writer->stream);
    return 0;
}

/* The part goes to the file, behind what others have taken. */
static void put_part(struct trace_writer *writer)
{
    struct trace_extent extent = {
        .offset = atomic_fetch_add(
            (_Atomic uint64_t *)writer->spool->taken, writer->length),
        .length = writer->length};
    size_t written = 0;

    while (written < writer->length && writer->problem == 0) {
        ssize_t more = TEMP_FAILURE_RETRY(
            pwrite(writer->spool->file, writer->part + written,
                writer->length - written, (off_t)(extent.offset + written)));

        writer->problem = more < 0 ? errno : 0;
        written += more < 0 ? 0 : (size_t)more;
    }
    writer->length = 0;
    if (writer->count % 64 == 0) {
        writer->extent = talloc_realloc(writer, writer->extent,
            struct trace_extent, (unsigned)writer->count + 64);
        assert(writer->extent != NULL);
    }
    writer->extent[writer->count++] = extent;
}

static ssize_t write_text(void *cookie, const char *text, size_t length)
{
    struct trace_writer *writer = cookie;
    size_t left = length;

    if (writer->head_length + left <= SPOOL_HEAD_BYTES) {
        writer->head_length += left;
        return (ssize_t)fwrite(text, 1, left, writer->head);
    }
    writer->head_length = SPOOL_HEAD_BYTES; /* nothing more fits */
    while (left > 0) {
        size_t room = SPOOL_PART_BYTES - writer->length;
        size_t now = left < room ? left : room;

        memcpy(writer->part + writer->length, text + (length - left), now);
        writer->length += now;
        left -= now;
        if (writer->length == SPOOL_PART_BYTES) {
            put_part(writer);
        }
    }
    return (ssize_t)length;
}

struct trace_writer *trace_writer_new(
    void *context, struct trace_spool *spool, FILE *head)
{
    struct trace_writer *writer = talloc_zero(context, struct trace_writer);

    assert(writer != NULL);
    writer->spool = spool;
    writer->head = head;
    writer->part = talloc_array(writer, char, SPOOL_PART_BYTES);
    writer->stream =
        fopencookie(writer, "w", (cookie_io_functions_t){.write = write_text});
    assert(writer->part != NULL && writer->stream != NULL);
    talloc_set_destructor(writer, end_writer);
    return writer;
}

FILE *trace_writer_stream(const struct trace_writer *writer)
{
    return writer->stream;
}

bool trace_writer_end(struct trace_writer *writer,
    const struct trace_extent **extent, size_t *count)
{
    fflush(writer->stream);
    if (writer->length > 0) {
        put_part(writer);
    }
    *extent = writer->extent;
    *count = writer->count;
    errno = writer->problem;
    return writer->problem == 0;
}

void trace_spool_drop(
    struct trace_spool *spool, const struct trace_extent *extent)
{
    /* A host that cannot keeps it until the end. */
    (void)!fallocate(spool->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
        (off_t)extent->offset, (off_t)extent->length);
}

bool trace_spool_take(
    struct trace_spool *spool, const struct trace_extent *extent, FILE *out)
{
    char *text = malloc(SPOOL_PART_BYTES);
    size_t got = 0;

    assert(text != NULL && extent->length <= SPOOL_PART_BYTES);
    while (got < extent->length) {
        ssize_t more = TEMP_FAILURE_RETRY(pread(spool->file, text + got,
            extent->length - got, (off_t)(extent->offset + got)));

        if (more <= 0) {
            errno = more < 0 ? errno : EIO;
            free(text);
            return false;
        }
        got += (size_t)more;
    }
    fwrite(text, 1, got, out);
    free(text);
    trace_spool_drop(spool, extent);
    return true;
}
