/* expression_reader.h - where the reading of an expression is; inside of
 * expression*.c only. */
#ifndef RUNNER_LANGUAGE_EXPRESSION_READER_H
#define RUNNER_LANGUAGE_EXPRESSION_READER_H

#include "scenarios/runner/language/expression.h"

struct expression_reader {
    void *context;
    const char *text, *at;
    const struct expression_names *names;
    struct expression_problem *problem;
    unsigned depth;
    unsigned unneeded; /* and, or have decided: values do not matter */
    bool failed;
};

/* The first problem counts. Returns false. */
bool expression_fail(struct expression_reader *reader, size_t offset,
    size_t width, const char *message, const char *hint);

void expression_blanks(struct expression_reader *reader);

/* Bytes from the expression's start. */
size_t expression_offset(const struct expression_reader *reader);

/* Take a word of letters, or one character, if that is what comes next. */
bool expression_word(struct expression_reader *reader, const char *word);
bool expression_symbol(struct expression_reader *reader, char symbol);

/* expression.c: a whole expression; expression_atom.c: the smallest one. */
bool expression_or(
    struct expression_reader *reader, struct expression_value *value);
bool expression_atom(
    struct expression_reader *reader, struct expression_value *value);

#endif
