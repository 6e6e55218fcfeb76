/* part_head.h - what a part of a run says of itself: which one it is, and of
 * what. Parts of one run say the same but for their number. */
#ifndef RUNNER_PARTS_PART_HEAD_H
#define RUNNER_PARTS_PART_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PART_PARTS = 1000000,       /* of a run */
    PART_WORDS = 4096,          /* of a command */
    PART_WORD_BYTES = 1 << 16,  /* of each */
    PART_RECORD_BYTES = 1 << 30 /* of whatever is in a file */
};

enum { PART_MAGIC_BYTES = 16 };

/* What a file is of. */
struct part_kind {
    const char *magic; /* its first bytes */
    const char *none;  /* what is said of one that begins otherwise */
    bool is_log;       /* it may end anywhere: its writer was ended */
};

extern const struct part_kind part_of_results, part_of_log;

struct part_head {
    uint64_t program;     /* program_build() */
    uint64_t suite;       /* suite_digest() */
    uint64_t drivers;     /* drivers_digest() */
    uint32_t part, parts; /* from 1; a run that is not split is 1 of 1 */
    /* The command, from the program's name on, without what may differ from
     * one part to another. */
    const char *const *word;
    size_t words;
};

#endif
