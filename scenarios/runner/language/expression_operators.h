/* expression_operators.h - what the operators of expressions do; inside of
 * expression.c and expression_operators.c only. */
#ifndef RUNNER_LANGUAGE_EXPRESSION_OPERATORS_H
#define RUNNER_LANGUAGE_EXPRESSION_OPERATORS_H

#include "scenarios/runner/language/expression_reader.h"

enum expression_level { EXPRESSION_COMPARE, EXPRESSION_SUM, EXPRESSION_TERM };

struct expression_operator {
    const char *spelling;
    enum expression_level level;
    /* Of two known numbers; false: has no value, *why says why. */
    bool (*apply)(expression_number a, expression_number b,
        expression_number *result, const char **why);
    bool equality; /* also of texts and truths */
};

/* The operator that a text begins with; NULL: none. */
const struct expression_operator *expression_operator_at(const char *text);

/* What is likely meant by a character that no operator begins with; NULL: no
 * idea. */
const char *expression_operator_hint(const char *text);

/* *value = *value op *right. */
bool expression_apply(struct expression_reader *reader, size_t at,
    const struct expression_operator *op, struct expression_value *value,
    const struct expression_value *right);

/* -value, or ~value. */
bool expression_negate(struct expression_reader *reader, size_t at, bool invert,
    struct expression_value *value);

#endif
