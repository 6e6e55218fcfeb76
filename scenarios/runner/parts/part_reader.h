/* part_reader.h - the results of a part of a run, as part_writer.h wrote them.
 * A file that is cut, damaged, or of something else is refused. */
#ifndef RUNNER_PARTS_PART_READER_H
#define RUNNER_PARTS_PART_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/parts/part_head.h"

struct instance;
struct key_index;
struct requirements;
struct verdict;

/* A result's bytes, in those of the file. */
struct part_result {
    const char *id; /* not ended by a NUL */
    size_t id_length;
    const uint8_t *verdict;
    size_t length;
};

struct part {
    const char *path; /* for people */
    struct part_head head;
    struct part_result *result;
    size_t count;
    struct key_index *ids; /* of the results */
    size_t whole;          /* bytes up to the end of the last record */
};

/* Reads what was written. The part, a child of `context`, points into the
 * bytes. NULL: *problem says why not. */
struct part *part_read(void *context, const char *path,
    const struct part_kind *kind, const uint8_t *bytes, size_t length,
    const char **problem);

/* The result with the key; NULL: there is none. */
const struct part_result *part_find(const struct part *part, const char *key);

/* Whether the part has a result of the instance. */
bool part_has(const struct part *part, const struct instance *instance);

/* That result, which is there; child of `context`. NULL: *problem says what is
 * wrong with it. */
struct verdict *part_verdict(void *context, const struct part *part,
    const struct instance *instance, const struct requirements *requirements,
    const char **problem);

#endif
