/* expression.c - what stands in $( ), read and computed in one go, a function a
 * level of the grammar. A value that is not known yet makes what depends on it
 * unknown, so the same walk checks kinds before a scenario runs and computes
 * then. */
#include "scenarios/runner/language/expression.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/expression_operators.h"

bool expression_fail(struct expression_reader *reader, size_t offset,
    size_t width, const char *message, const char *hint)
{
    if (reader->failed) {
        return false;
    }
    reader->failed = true;
    *reader->problem = (struct expression_problem){.offset = offset,
        .width = width == 0 ? 1 : width,
        .message = message,
        .hint = hint};
    return false;
}

/* The operator of one level that comes next; NULL: none does. */
static const struct expression_operator *take_operator(
    struct expression_reader *reader, enum expression_level level)
{
    const struct expression_operator *found;

    expression_blanks(reader);
    found = expression_operator_at(reader->at);
    if (found == NULL || found->level != level) {
        return NULL;
    }
    reader->at += strlen(found->spelling);
    return found;
}

static bool read_unary(
    struct expression_reader *reader, struct expression_value *value)
{
    size_t start;
    bool minus, invert;

    expression_blanks(reader);
    start = expression_offset(reader);
    minus = expression_symbol(reader, '-');
    invert = !minus && expression_symbol(reader, '~');
    if (!expression_atom(reader, value)) {
        return false;
    }
    return (!minus && !invert) ||
           expression_negate(reader, start, invert, value);
}

typedef bool read_level(
    struct expression_reader *reader, struct expression_value *value);

/* Operators of one level, from left to right. */
static bool read_chain(struct expression_reader *reader,
    enum expression_level level, read_level *operand,
    struct expression_value *value)
{
    const struct expression_operator *op;

    if (!operand(reader, value)) {
        return false;
    }
    while ((op = take_operator(reader, level)) != NULL) {
        size_t at = expression_offset(reader) - strlen(op->spelling);
        struct expression_value right;

        if (!operand(reader, &right) ||
            !expression_apply(reader, at, op, value, &right)) {
            return false;
        }
        if (level == EXPRESSION_COMPARE) {
            break; /* a < b < c is none */
        }
    }
    return true;
}

static bool read_term(
    struct expression_reader *reader, struct expression_value *value)
{
    return read_chain(reader, EXPRESSION_TERM, read_unary, value);
}

static bool read_sum(
    struct expression_reader *reader, struct expression_value *value)
{
    return read_chain(reader, EXPRESSION_SUM, read_term, value);
}

static bool read_not(
    struct expression_reader *reader, struct expression_value *value)
{
    size_t start;
    bool negated;

    expression_blanks(reader);
    start = expression_offset(reader);
    negated = expression_word(reader, "not");
    if (!read_chain(reader, EXPRESSION_COMPARE, read_sum, value)) {
        return false;
    }
    if (!negated) {
        return true;
    }
    if (value->kind != EXPRESSION_BOOL) {
        return expression_fail(
            reader, start, 3, "'not' is for what is true or false", NULL);
    }
    value->number = !value->number;
    return true;
}

/* and, or: the right side does not matter where the left one decides, but its
 * kinds are checked all the same. */
static bool read_logic(struct expression_reader *reader, const char *word,
    bool decides, read_level *operand, struct expression_value *value)
{
    if (!operand(reader, value)) {
        return false;
    }
    for (;;) {
        struct expression_value right;
        size_t at;
        bool decided;
        bool read;

        expression_blanks(reader);
        at = expression_offset(reader);
        if (!expression_word(reader, word)) {
            return true;
        }
        decided = value->known && value->kind == EXPRESSION_BOOL &&
                  (value->number != 0) == decides;
        reader->unneeded += decided;
        read = operand(reader, &right);
        reader->unneeded -= decided;
        if (!read) {
            return false;
        }
        if (value->kind != EXPRESSION_BOOL || right.kind != EXPRESSION_BOOL) {
            return expression_fail(reader, at, strlen(word),
                talloc_asprintf(
                    reader->context, "'%s' is for what is true or false", word),
                NULL);
        }
        if (!decided) {
            bool right_decides = right.known && (right.number != 0) == decides;

            value->number =
                right_decides || !value->known ? decides : right.number;
            value->known = right_decides || (value->known && right.known);
        }
    }
}

static bool read_and(
    struct expression_reader *reader, struct expression_value *value)
{
    return read_logic(reader, "and", false, read_not, value);
}

bool expression_or(
    struct expression_reader *reader, struct expression_value *value)
{
    bool read;

    if (reader->depth == EXPRESSION_DEPTH) {
        return expression_fail(reader, expression_offset(reader), 1,
            "an expression is nested at most 32 deep", NULL);
    }
    reader->depth++;
    read = read_logic(reader, "or", true, read_and, value);
    reader->depth--;
    return read;
}

bool expression_evaluate(void *context, const char *text,
    const struct expression_names *names, struct expression_value *value,
    struct expression_problem *problem)
{
    struct expression_reader reader = {
        .context = context,
        .text = text,
        .at = text,
        .names = names,
        .problem = problem,
    };

    if (strlen(text) > EXPRESSION_BYTES) {
        return expression_fail(&reader, 0, strlen(text),
            "an expression has at most 500 characters", NULL);
    }
    if (!expression_or(&reader, value)) {
        assert(reader.failed);
        return false;
    }
    expression_blanks(&reader);
    if (*reader.at != '\0') {
        return expression_fail(&reader, expression_offset(&reader), 1,
            "the expression should end here",
            expression_operator_hint(reader.at));
    }
    return true;
}
