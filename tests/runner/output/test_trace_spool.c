/* test_trace_spool.c - texts that go to an answer, and those that are too long
 * for one. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "scenarios/runner/output/trace_spool.h"
#include "tests/rows.h"

/* A text that was written, put together again. */
struct text {
    char *head, *rest;
    size_t head_length, rest_length, parts;
};

/* `lines` lines of 16 bytes, which say what they are. */
static void write_lines(FILE *out, size_t lines, char mark)
{
    for (size_t i = 0; i < lines; i++) {
        fprintf(out, "%c line %08zu\n", mark, i);
    }
}

static struct text write_and_take(
    struct trace_spool *spool, size_t lines, char mark)
{
    struct text text = {.head = NULL};
    FILE *head = open_memstream(&text.head, &text.head_length);
    FILE *rest = open_memstream(&text.rest, &text.rest_length);
    struct trace_writer *writer = trace_writer_new(NULL, spool, head);
    const struct trace_extent *extent;

    write_lines(trace_writer_stream(writer), lines, mark);
    assert_true(trace_writer_end(writer, &extent, &text.parts));
    for (size_t i = 0; i < text.parts; i++) {
        assert_true(trace_spool_take(spool, &extent[i], rest));
    }
    talloc_free(writer);
    fclose(head);
    fclose(rest);
    return text;
}

static void release(struct text *text)
{
    free(text->head);
    free(text->rest);
}

static struct length_row {
    const char *name;
    size_t lines;
    bool spooled;
} length_rows[] = {
    {"no_text_is_none", 0, false},
    {"short_text_is_the_answers", 100, false},
    {"text_of_64_kib_is_the_answers", 4096, false},
    {"text_of_more_goes_on_in_the_spool", 5000, true},
    {"text_of_16_mib_is_whole", 1000000, true},
};

static void length_row(void **state)
{
    const struct length_row *row = *state;
    struct trace_spool *spool = trace_spool_new(NULL);
    struct text text;
    char *want = NULL;
    size_t length;
    FILE *out = open_memstream(&want, &length);

    assert_non_null(spool);
    write_lines(out, row->lines, 'a');
    fclose(out);
    text = write_and_take(spool, row->lines, 'a');
    assert_int_equal(text.parts > 0, row->spooled);
    assert_true(text.head_length <= 64 * 1024);
    assert_int_equal(text.head_length + text.rest_length, length);
    assert_memory_equal(text.head, want, text.head_length);
    assert_memory_equal(text.rest, want + text.head_length, text.rest_length);
    release(&text);
    free(want);
    talloc_free(spool);
}

/* What two processes write at a time does not get mixed up. */
static void writers_in_two_processes_take_parts_of_their_own(void **state)
{
    struct trace_spool *spool = trace_spool_new(NULL);
    struct text text;
    int status;
    pid_t pid;

    (void)state;
    assert_non_null(spool);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        text = write_and_take(spool, 200000, 'b');
        _exit(text.rest[0] == 'b' &&
                      memchr(text.rest, 'a', text.rest_length) == NULL
                  ? 0
                  : 1);
    }
    text = write_and_take(spool, 200000, 'a');
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_null(memchr(text.rest, 'b', text.rest_length));
    assert_int_equal(text.head_length + text.rest_length, 200000 * 16);
    release(&text);
    talloc_free(spool);
}

static void directory_that_is_none_gives_no_spool(void **state)
{
    (void)state;
    setenv("TMPDIR", "/nowhere", 1);
    assert_null(trace_spool_new(NULL));
    unsetenv("TMPDIR");
}

TEST_FILE(test_trace_spool)
{
    TEST_ADD_ROWS(list, length_row, length_rows);
    test_add(list, "writers_in_two_processes_take_parts_of_their_own",
        writers_in_two_processes_take_parts_of_their_own, NULL);
    test_add(list, "directory_that_is_none_gives_no_spool",
        directory_that_is_none_gives_no_spool, NULL);
}
