/* expression_operators.c - the operators of expressions, a row each. Numbers
 * are exact from -2^63 to 2^64 - 1; what leaves that range is an error, never
 * cut off. */
#include "scenarios/runner/language/expression_operators.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#define NUMBER_LOW ((expression_number)INT64_MIN)
#define NUMBER_HIGH ((expression_number)UINT64_MAX)

static bool in_range(expression_number number, const char **why)
{
    if (number >= NUMBER_LOW && number <= NUMBER_HIGH) {
        return true;
    }
    *why = "the result leaves 64 bits";
    return false;
}

static bool both_unsigned(
    expression_number a, expression_number b, const char **why)
{
    if (a >= 0 && b >= 0) {
        return true;
    }
    *why = "bits of a negative number mean nothing here";
    return false;
}

static bool op_add(expression_number a, expression_number b,
    expression_number *result, const char **why)
{
    *result = a + b;
    return in_range(*result, why);
}

static bool op_subtract(expression_number a, expression_number b,
    expression_number *result, const char **why)
{
    *result = a - b;
    return in_range(*result, why);
}

static bool op_multiply(expression_number a, expression_number b,
    expression_number *result, const char **why)
{
    if (__builtin_mul_overflow(a, b, result)) {
        *why = "the result leaves 64 bits";
        return false;
    }
    return in_range(*result, why);
}

static bool op_divide(expression_number a, expression_number b,
    expression_number *result, const char **why)
{
    if (b == 0) {
        *why = "division by zero";
        return false;
    }
    *result = a / b;
    return in_range(*result, why);
}

static bool op_modulo(expression_number a, expression_number b,
    expression_number *result, const char **why)
{
    if (b == 0) {
        *why = "division by zero";
        return false;
    }
    *result = a % b;
    return true;
}

static bool op_and(expression_number a, expression_number b,
    expression_number *result, const char **why)
{
    *result = a & b;
    return both_unsigned(a, b, why);
}

static bool op_or(expression_number a, expression_number b,
    expression_number *result, const char **why)
{
    *result = a | b;
    return both_unsigned(a, b, why);
}

static bool check_shift(
    expression_number a, expression_number b, const char **why)
{
    if (b > 63) {
        *why = "a shift is by 0 to 63 bits";
        return false;
    }
    return both_unsigned(a, b, why);
}

static bool op_left(expression_number a, expression_number b,
    expression_number *result, const char **why)
{
    if (!check_shift(a, b, why)) {
        return false;
    }
    return op_multiply(a, (expression_number)1 << (unsigned)b, result, why);
}

static bool op_right(expression_number a, expression_number b,
    expression_number *result, const char **why)
{
    if (!check_shift(a, b, why)) {
        return false;
    }
    *result = a >> (unsigned)b;
    return true;
}

#define COMPARISON(name, operator)                                             \
    static bool op_##name(expression_number a, expression_number b,            \
        expression_number *result, const char **why)                           \
    {                                                                          \
        (void)why;                                                             \
        *result = a operator b;                                                \
        return true;                                                           \
    }
COMPARISON(equal, ==)
COMPARISON(unequal, !=)
COMPARISON(below, <)
COMPARISON(at_most, <=)
COMPARISON(above, >)
COMPARISON(at_least, >=)

/* The longer of two that begin alike comes first. */
static const struct expression_operator operators[] = {
    {"==", EXPRESSION_COMPARE, op_equal, true},
    {"!=", EXPRESSION_COMPARE, op_unequal, true},
    {"<<", EXPRESSION_TERM, op_left, false},
    {">>", EXPRESSION_TERM, op_right, false},
    {"<=", EXPRESSION_COMPARE, op_at_most, false},
    {">=", EXPRESSION_COMPARE, op_at_least, false},
    {"<", EXPRESSION_COMPARE, op_below, false},
    {">", EXPRESSION_COMPARE, op_above, false},
    {"+", EXPRESSION_SUM, op_add, false},
    {"-", EXPRESSION_SUM, op_subtract, false},
    {"*", EXPRESSION_TERM, op_multiply, false},
    {"/", EXPRESSION_TERM, op_divide, false},
    {"%", EXPRESSION_TERM, op_modulo, false},
    {"&", EXPRESSION_TERM, op_and, false},
    {"|", EXPRESSION_TERM, op_or, false},
};

const struct expression_operator *expression_operator_at(const char *text)
{
    /* && and || are not & and |. */
    if (strncmp(text, "&&", 2) == 0 || strncmp(text, "||", 2) == 0) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        if (strncmp(operators[i].spelling, text,
                strlen(operators[i].spelling)) == 0) {
            return &operators[i];
        }
    }
    return NULL;
}

const char *expression_operator_hint(const char *text)
{
    static const struct {
        const char *written, *hint;
    } hints[] = {
        {"&&", "write 'and'"},
        {"||", "write 'or'"},
        {"==", "one comparison only; join two with 'and'"},
        {"!=", "one comparison only; join two with 'and'"},
        {"=", "write == to compare"},
        {"!", "write 'not', or != to compare"},
        {"<", "one comparison only; join two with 'and'"},
        {">", "one comparison only; join two with 'and'"},
    };

    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
        if (strncmp(hints[i].written, text, strlen(hints[i].written)) == 0) {
            return hints[i].hint;
        }
    }
    return NULL;
}

const char *expression_kind_name(const struct expression_value *value)
{
    switch (value->kind) {
    case EXPRESSION_NUMBER:
        return value->domain == NULL ? "number" : value->domain;
    case EXPRESSION_BOOL:
        return "truth value";
    case EXPRESSION_TEXT:
        return "text";
    case EXPRESSION_LIST:
        return "list";
    }
    return "value";
}

char *expression_show_number(void *context, expression_number number)
{
    bool negative = number < 0;

    return talloc_asprintf(context, "%s%llu", negative ? "-" : "",
        (unsigned long long)(negative ? -number : number));
}

/* Windows versions and other constants are no texts. */
static const char *hint_text(
    const struct expression_value *left, const struct expression_value *right)
{
    bool texts = (left->kind == EXPRESSION_TEXT && right->domain != NULL) ||
                 (right->kind == EXPRESSION_TEXT && left->domain != NULL);

    return texts ? "constants stand without quotes: os == WIN11" : NULL;
}

static bool refuse_kinds(struct expression_reader *reader, size_t at,
    const struct expression_operator *op, const struct expression_value *left,
    const struct expression_value *right)
{
    return expression_fail(reader, at, strlen(op->spelling),
        talloc_asprintf(reader->context, "'%s' does not take %s and %s",
            op->spelling, expression_kind_name(left),
            expression_kind_name(right)),
        op->level == EXPRESSION_COMPARE ? hint_text(left, right) : NULL);
}

/* 'cpu' + n */
static bool join(struct expression_reader *reader,
    struct expression_value *value, const struct expression_value *right)
{
    value->known = value->known && right->known;
    if (value->known) {
        value->text = talloc_asprintf(reader->context, "%s%s", value->text,
            right->kind == EXPRESSION_TEXT
                ? right->text
                : expression_show_number(reader->context, right->number));
    }
    return true;
}

static bool compare_texts(const struct expression_operator *op,
    struct expression_value *value, const struct expression_value *right)
{
    bool known = value->known && right->known;
    bool same = known && strcmp(value->text, right->text) == 0;

    *value = (struct expression_value){.kind = EXPRESSION_BOOL,
        .known = known,
        .number = (op->apply == op_equal) == same};
    return true;
}

/* Numbers of lists can be compared with their like, and with plain numbers
 * where they are numbers after all; what has no order is only equal or not. */
static bool domains_fit(const struct expression_operator *op,
    const struct expression_value *left, const struct expression_value *right)
{
    if (op->level != EXPRESSION_COMPARE) {
        return left->domain == NULL && right->domain == NULL;
    }
    if (left->domain != NULL && right->domain != NULL &&
        strcmp(left->domain, right->domain) != 0) {
        return false;
    }
    if (left->domain != right->domain &&
        ((left->domain == NULL && right->named) ||
            (right->domain == NULL && left->named))) {
        return false;
    }
    return op->equality || ((left->domain == NULL || left->ordered) &&
                               (right->domain == NULL || right->ordered));
}

bool expression_apply(struct expression_reader *reader, size_t at,
    const struct expression_operator *op, struct expression_value *value,
    const struct expression_value *right)
{
    bool compares = op->level == EXPRESSION_COMPARE;
    const char *why = NULL;
    expression_number result = 0;
    bool known;

    if (op->apply == op_add && value->kind == EXPRESSION_TEXT &&
        (right->kind == EXPRESSION_TEXT ||
            (right->kind == EXPRESSION_NUMBER && right->domain == NULL))) {
        return join(reader, value, right);
    }
    if (value->kind != right->kind || value->kind == EXPRESSION_LIST ||
        (value->kind != EXPRESSION_NUMBER && !op->equality) ||
        (value->kind == EXPRESSION_NUMBER && !domains_fit(op, value, right))) {
        return refuse_kinds(reader, at, op, value, right);
    }
    if (value->kind == EXPRESSION_TEXT) {
        return compare_texts(op, value, right);
    }
    known = value->known && right->known;
    if (known && !op->apply(value->number, right->number, &result, &why)) {
        if (reader->unneeded == 0) {
            return expression_fail(reader, at, strlen(op->spelling), why, NULL);
        }
        known = false;
    }
    *value = (struct expression_value){
        .kind = compares ? EXPRESSION_BOOL : EXPRESSION_NUMBER,
        .known = known,
        .number = known ? result : 0};
    return true;
}

bool expression_negate(struct expression_reader *reader, size_t at, bool invert,
    struct expression_value *value)
{
    const char *why = NULL;

    if (value->kind != EXPRESSION_NUMBER || value->domain != NULL) {
        return expression_fail(reader, at, 1,
            invert ? "'~' is for numbers" : "'-' is for numbers", NULL);
    }
    if (!value->known) {
        return true;
    }
    if (invert && value->number < 0) {
        why = "bits of a negative number mean nothing here";
    }
    value->number = invert ? NUMBER_HIGH - value->number : -value->number;
    value->known = why == NULL && in_range(value->number, &why);
    return value->known || reader->unneeded > 0 ||
           expression_fail(reader, at, 1, why, NULL);
}
