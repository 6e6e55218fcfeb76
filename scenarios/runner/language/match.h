/* match.h - expected values: a value, or a matcher such as any, unchanged,
 * {not: x}, {one_of: [..]}, {min: a, max: b}, {bits: ..}, {len: n}. */
#ifndef RUNNER_LANGUAGE_MATCH_H
#define RUNNER_LANGUAGE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/runner/language/scope.h"

/* What is there: `count` values of `type` one after another. */
struct actual {
    enum nt_type type;
    const uint8_t *at; /* NULL while checking */
    size_t count;
    bool array;            /* a list, also when it has one element */
    bool block;            /* an output block, which may be unchanged */
    size_t block_size;     /* bytes of it */
    const uint8_t *before; /* what it held before the call */
    const char *bits_of;   /* the register that it was in; NULL: none */
};

struct match {
    struct scope *scope;
    void *context;            /* of the report */
    const char *report;       /* the first difference; NULL: none */
    const struct node *place; /* where the difference was expected */
    const char *path; /* of the part compared now: [1].Index; NULL: all of it */
    const char *where;         /* that of the difference; NULL: all of it */
    struct literals *literals; /* where comparisons are noted; NULL: nowhere */
    bool can_fail; /* something was compared that could have differed */
};

/* Whether the values are as expected. While the scope checks, whether `node`
 * is a matcher for such values; errors are reported. */
bool match_values(
    struct match *match, const struct node *node, const struct actual *actual);

/* The same for one number. */
bool match_number(struct match *match, const struct node *node,
    enum nt_type type, uint64_t number);

/* Reports what is not an expectation of one value of the type; NULL, one that
 * was left out, is. Memory is the context's. */
void match_check(struct scope *scope, void *context, const struct node *node,
    enum nt_type type);

#endif
