/* constants.h - the names that may stand for a number in a scenario. */
#ifndef RUNNER_LANGUAGE_CONSTANTS_H
#define RUNNER_LANGUAGE_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nt/irql_level.h"
#include "api/nt/type.h"
#include "api/text/suggest.h"
#include "scenarios/runner/language/expression.h"

/* The value of a name as a value of `type` on `arch`. Returns false when no
 * name of that type is spelled so. */
bool constant_find(
    const char *name, enum nt_type type, enum arch arch, uint64_t *value);

extern const char constant_domain_os[], constant_domain_arch[];

/* The value of a name of whatever list has it, Windows versions and
 * architectures too, for an expression. Returns false when none has. */
bool constant_value(
    const char *name, enum arch arch, struct expression_value *value);

/* The name of a list that the type's values are compared in: NULL for plain
 * numbers. */
const char *constant_domain(enum nt_type type);

/* A name that stands for a number: of an enumeration, a flag or a count. */
struct listed_constant {
    const char *name;
    enum nt_type type;
    uint64_t value;
};

/* The n-th of these lists. Returns false when there are not that many. */
bool constant_listed(size_t n, struct listed_constant *constant);

/* The n-th name that a value of the type can have on some architecture; NULL
 * after the last one. */
const char *constant_name(enum nt_type type, size_t n);

/* Offers every name of the type, but those that stand for any number. */
void constant_suggest(struct suggestion *suggestion, enum nt_type type);

/* "did you mean 'STATUS_SUCCESS'?" for a name that no list has, child of
 * `context`; NULL: nothing is near. */
const char *constant_hint(void *context, const char *name);

/* The value as a person would write it: a list's name for one of its values.
 * Child of `context`. */
const char *constant_show(void *context, const struct expression_value *value);

#endif
