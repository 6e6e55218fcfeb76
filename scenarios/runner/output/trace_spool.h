/* trace_spool.h - where workers leave traces that are too long for an answer: a
 * file without a name, of which each takes a part after another. What was read
 * is given back to the host, so that neither memory nor the disk fills. */
#ifndef RUNNER_OUTPUT_TRACE_SPOOL_H
#define RUNNER_OUTPUT_TRACE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct trace_spool;

/* A part of the file. */
struct trace_extent {
    uint64_t offset, length;
};

/* Whoever is forked later shares it. NULL with errno set: the host gives none.
 * Child of `context`. */
struct trace_spool *trace_spool_new(void *context);

/* Processes that are forked from now on have nothing of it: what native code
 * could spoil. */
void trace_spool_hide(const struct trace_spool *spool);

/* A text on its way: its beginning to `head`, the rest to the spool. */
struct trace_writer;

/* Child of `context`. */
struct trace_writer *trace_writer_new(
    void *context, struct trace_spool *spool, FILE *head);

/* What is written there; not to be closed. */
FILE *trace_writer_stream(const struct trace_writer *writer);

/* The end of the text: the parts of the spool that it has taken, in order,
 * memory of the writer's. False with errno set: it is not whole. */
bool trace_writer_end(struct trace_writer *writer,
    const struct trace_extent **extent, size_t *count);

/* Copies a part, and gives it back. False with errno set: it cannot be read. */
bool trace_spool_take(
    struct trace_spool *spool, const struct trace_extent *extent, FILE *out);

/* Gives it back unread. */
void trace_spool_drop(
    struct trace_spool *spool, const struct trace_extent *extent);

#endif
