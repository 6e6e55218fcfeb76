/* match_accepts.h - whether an expected value can fail at all, however it is
 * written: a matcher that accepts each value of its type expects nothing. */
#ifndef RUNNER_LANGUAGE_MATCH_ACCEPTS_H
#define RUNNER_LANGUAGE_MATCH_ACCEPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "scenarios/runner/language/scope.h"

/* The values that there can be. */
struct match_domain {
    enum nt_type type; /* NT_VOID: texts, or whatever the place is for */
    uint64_t most;     /* of a number, from 0 on */
    bool array;
};

/* All of a type: of a level those of the scope's architecture. */
struct match_domain match_domain_of(
    const struct scope *scope, enum nt_type type, bool array);

/* Whether none of them differs from it: any, {min: 0}, {not: 99} of a level,
 * {one_of: [{max: 7}, {min: 8}]}, {len: any}. What only a run knows is taken
 * for something that can differ, while the scope checks. Of a list of matchers
 * it is certain when it says so; what it does not see through can fail. */
bool match_accepts_all(const struct scope *scope, const struct node *node,
    struct match_domain domain);

/* Reports an expectation that cannot fail. Returns whether it is one. */
bool match_refuse_idle(const struct scope *scope, const struct node *node,
    struct match_domain domain);

/* Reports what is not an expectation of one value of the type, or cannot fail
 * where it is `most` at most; NULL, one that was left out, is right. Memory is
 * the context's. */
void match_check_number(struct scope *scope, void *context,
    const struct node *node, enum nt_type type, uint64_t most);

#endif
