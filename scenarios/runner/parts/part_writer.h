/* part_writer.h - the results of a part of a run, written as they come. A file
 * is a list of records: a kind, a length, a sum of both, so that a wrong length
 * is not taken for an end that is missing, bytes, and a sum of them. The first
 * is the part's head, the last one says how many results there were; a log,
 * which is written to as long as there are results, has no last one. */
#ifndef RUNNER_PARTS_PART_WRITER_H
#define RUNNER_PARTS_PART_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct instance;
struct part_head;
struct verdict;

struct part_kind;

enum part_record {
    PART_HEAD = 1,
    PART_RESULT,
    PART_END,
};

/* The sum of a record's kind and length. */
uint32_t part_record_sum(uint32_t kind, uint64_t length);

struct part_writer {
    FILE *out;
    size_t results;
};

/* What went wrong is up to ferror() of the stream, always. */
struct part_writer part_writer_begin(
    FILE *out, const struct part_kind *kind, const struct part_head *head);

/* The verdict as it was come to, before anything is made of it. */
void part_writer_add(struct part_writer *writer,
    const struct instance *instance, const struct verdict *verdict);

/* Any bytes with a key. */
void part_writer_add_bytes(struct part_writer *writer, const char *key,
    const void *bytes, size_t length);

void part_writer_end(struct part_writer *writer);

#endif
