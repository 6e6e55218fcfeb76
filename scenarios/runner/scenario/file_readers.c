/* file_readers.c - the files of a suite read by several threads: first each
 * file, then the instances of scenarios that have many, in parts. */
#include "scenarios/runner/scenario/file_readers.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <talloc.h>

enum { PART = 64 /* instances */ };

/* Some instances of a scenario that has many. */
struct part {
    struct outline *outline;
    size_t first, count;
    struct outline *found;
};

struct readers;

struct reader_thread {
    pthread_t id; /* of all but the first */
    struct readers *readers;
    void *memory;
    struct requirements requirements;
    struct diagnostics *diagnostics;
    struct library *library;
};

struct readers {
    struct reader_thread *thread;
    unsigned threads;
    struct file_read *file;
    size_t files;
    struct part *part;
    size_t parts;
    atomic_size_t next; /* file, then part, that nobody has begun */
    atomic_bool failed; /* something is wrong, so that nobody needs to go on */
};

static void open_reader(struct readers *readers, struct reader_thread *reader,
    const struct library *library)
{
    reader->readers = readers;
    reader->memory = talloc_new(NULL);
    reader->diagnostics = diagnostics_new(reader->memory);
    reader->requirements = *library->requirements;
    reader->requirements.files =
        talloc_zero(reader->memory, struct requirements);
    reader->library = library_new(reader->memory, library->kinds,
        &reader->requirements, reader->diagnostics);
    reader->library->checked_at_once = PART;
    library_give_again(reader->library, library);
}

static void note_failure(struct reader_thread *reader)
{
    if (reader->diagnostics->count > 0) {
        atomic_store(&reader->readers->failed, true);
    }
}

static void *read_files(void *data)
{
    struct reader_thread *reader = data;
    struct readers *readers = reader->readers;
    size_t i = atomic_fetch_add(&readers->next, 1);

    while (i < readers->files && !atomic_load(&readers->failed)) {
        struct file_read *file = &readers->file[i];

        file->kind = scenario_file_read(
            reader->memory, file->path, reader->library, &file->outline);
        note_failure(reader);
        i = atomic_fetch_add(&readers->next, 1);
    }
    return NULL;
}

static void *check_parts(void *data)
{
    struct reader_thread *reader = data;
    struct readers *readers = reader->readers;
    size_t i = atomic_fetch_add(&readers->next, 1);

    while (i < readers->parts && !atomic_load(&readers->failed)) {
        struct part *part = &readers->part[i];

        part->found =
            outline_part(reader->memory, part->outline, reader->library);
        outline_check(part->found, &part->outline->instances.item[part->first],
            part->count);
        note_failure(reader);
        i = atomic_fetch_add(&readers->next, 1);
    }
    return NULL;
}

/* By all threads, of which this one is the first; where the host gives fewer,
 * by fewer. */
static void work(struct readers *readers, void *what(void *reader))
{
    unsigned begun = 1;

    atomic_store(&readers->next, 0);
    while (begun < readers->threads &&
           pthread_create(&readers->thread[begun].id, NULL, what,
               &readers->thread[begun]) == 0) {
        begun++;
    }
    what(&readers->thread[0]);
    while (begun > 1) {
        pthread_join(readers->thread[--begun].id, NULL);
    }
}

/* Of every scenario that was left unchecked. */
static void divide(struct readers *readers, void *context)
{
    size_t most = 0;

    for (size_t i = 0; i < readers->files; i++) {
        const struct outline *outline = readers->file[i].outline;

        if (outline != NULL && outline->unchecked) {
            most += outline->instances.count / PART + 1;
        }
    }
    readers->part = talloc_zero_array(context, struct part, (unsigned)most + 1);
    assert(readers->part != NULL);
    for (size_t i = 0; i < readers->files; i++) {
        struct outline *outline = readers->file[i].outline;
        size_t count = outline != NULL && outline->unchecked
                           ? outline->instances.count
                           : 0;

        for (size_t first = 0; first < count; first += PART) {
            size_t left = count - first;

            readers->part[readers->parts++] = (struct part){.outline = outline,
                .first = first,
                .count = left < PART ? left : PART};
        }
    }
}

/* What the parts have found out, in their order. */
static void conclude(struct readers *readers)
{
    for (size_t i = 0; i < readers->parts; i++) {
        struct outline *outline = readers->part[i].outline;

        outline_join(outline, readers->part[i].found);
        if (i + 1 == readers->parts ||
            readers->part[i + 1].outline != outline) {
            outline->unchecked = false;
            outline_conclude(outline);
        }
    }
    for (unsigned i = 0; i < readers->threads; i++) {
        note_failure(&readers->thread[i]);
    }
}

/* Whether they have no id of a requirement in common, which only one of them
 * would have seen, and call fragments the same. */
static bool agree(
    const struct reader_thread *one, const struct reader_thread *other)
{
    const struct requirements *files = other->requirements.files;

    for (size_t i = 0; i < files->count; i++) {
        if (requirements_find(one->requirements.files, files->item[i].id) !=
            NULL) {
            return false;
        }
    }
    return library_agrees(one->library, other->library);
}

static bool all_agree(const struct readers *readers)
{
    bool all = true;

    for (unsigned i = 0; i < readers->threads; i++) {
        for (unsigned k = 0; k < i && all; k++) {
            all = agree(&readers->thread[k], &readers->thread[i]);
        }
    }
    return all;
}

bool file_readers_read(void *context, struct library *library,
    struct file_read *file, size_t count, unsigned threads)
{
    void *memory = talloc_new(context);
    struct readers readers = {.threads = threads, .file = file, .files = count};
    bool right;

    readers.thread = talloc_zero_array(memory, struct reader_thread, threads);
    assert(readers.thread != NULL);
    for (unsigned i = 0; i < threads; i++) {
        open_reader(&readers, &readers.thread[i], library);
    }
    work(&readers, read_files);
    if (!atomic_load(&readers.failed)) {
        divide(&readers, memory);
        work(&readers, check_parts);
    }
    if (!atomic_load(&readers.failed)) {
        conclude(&readers);
    }
    right = !atomic_load(&readers.failed) && all_agree(&readers);
    for (unsigned i = 0; i < threads; i++) {
        if (right) {
            library_note_given(library, readers.thread[i].library);
            library_note_files(library, readers.thread[i].library);
            talloc_reparent(NULL, memory, readers.thread[i].memory);
        } else {
            talloc_free(readers.thread[i].memory);
        }
    }
    if (!right) {
        talloc_free(memory);
    }
    return right;
}
