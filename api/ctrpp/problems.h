/* problems.h - what is wrong with a manifest, and where. */
#ifndef API_CTRPP_PROBLEMS_H
#define API_CTRPP_PROBLEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum manifest_problem_code {
#define PROBLEM(name, ...) MANIFEST_PROBLEM_##name,
#include "api/ctrpp/problems.def"
    MANIFEST_PROBLEM_COUNT
};

enum manifest_severity {
    MANIFEST_WARNING,
    MANIFEST_ERROR,
    MANIFEST_REFUSAL, /* an error, of the manifest as a whole: no change of some
                         place mends it */
};

struct manifest_problem_row {
    const char *code; /* stable: CTR101 */
    enum manifest_severity severity;
    const char *requirements; /* ids, separated by spaces */
    const char *text;         /* what it means */
    const char *help;         /* what to do */
};

extern const struct manifest_problem_row
    manifest_problem_rows[MANIFEST_PROBLEM_COUNT];

/* From 1; a column is a character of the file. */
struct manifest_place {
    uint32_t line, column;
    uint32_t width; /* characters to underline; 0 is 1 */
};

struct manifest_problem {
    enum manifest_problem_code code;
    struct manifest_place place;
    const char *message; /* what is wrong */
    const char *hint;    /* what to do instead; NULL: nothing to add */
};

struct manifest_problems {
    /* In the order of their places, refusals first, whatever is wrong
     * besides. */
    struct manifest_problem *item;
    size_t count;
    size_t errors;  /* those that are no warnings */
    size_t dropped; /* more than the list holds (limits.def) */
    struct manifest_problem *last;
};

/* An empty list, child of `context`. */
struct manifest_problems *manifest_problems_new(void *context);

/* Adds one behind those that are at the same place; the message is made as by
 * printf. Where the list is full, a refusal takes the place of the last. */
__attribute__((format(printf, 4, 5))) void manifest_problem_add(
    struct manifest_problems *problems, enum manifest_problem_code code,
    struct manifest_place place, const char *format, ...);

/* Gives the one that was added last its hint. */
__attribute__((format(printf, 2, 3))) void manifest_problem_hint(
    struct manifest_problems *problems, const char *format, ...);

#endif
