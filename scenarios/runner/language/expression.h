/* expression.h - the one notation for what is computed: the inside of $( ).
 * Reads a text and gives its value; what the names in it mean is the caller's.
 *
 * expr = and { "or" and }         and  = not { "and" not }
 * not  = [ "not" ] cmp            cmp  = sum [ ("=="|"!="|"<"|"<="|">"|">=")
 * sum ] sum  = term { ("+"|"-") term }  term = unary {
 * ("*"|"/"|"%"|"&"|"|"|"<<"|">>") unary } unary = [ "-" | "~" ] atom      path
 * = name { "." ( name | decimal ) } atom = number | path | "'" text "'" |
 * ("len"|"bit"|"tag") "(" expr ")" | "(" expr ")" */
#ifndef RUNNER_LANGUAGE_EXPRESSION_H
#define RUNNER_LANGUAGE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    EXPRESSION_BYTES = 500,
    EXPRESSION_DEPTH = 32,
    EXPRESSION_PATH_BYTES = 128
};

__extension__ typedef __int128 expression_number;

enum expression_kind {
    EXPRESSION_NUMBER, /* from -2^63 to 2^64 - 1 */
    EXPRESSION_BOOL,
    EXPRESSION_TEXT,
    EXPRESSION_LIST, /* only its length can be asked */
};

struct expression_value {
    enum expression_kind kind;
    const char *domain;       /* of a number that is one of a list: "NTSTATUS",
                                 "Windows version"; NULL: any number. Those of
                                 different domains cannot be compared */
    bool ordered;             /* values of the domain can be less or more */
    bool named;               /* values of the domain are no plain numbers */
    bool known;               /* false while checking: only the kind is */
    expression_number number; /* of a list: its length */
    const char *text;
};

/* What is wrong, and where: bytes from the expression's start. */
struct expression_problem {
    size_t offset, width;
    const char *message; /* child of the context */
    const char *hint;    /* NULL: none */
    bool unset;          /* of a name that has its kind, and no value now:
                            *value has the kind. Where and, or have decided it
                            does not matter */
};

/* What the names mean. Each gives false after filling message (and hint) of
 * *problem, which are children of `context`. */
struct expression_names {
    void *context; /* handed to the functions */
    bool (*path)(void *context, const char *path,
        struct expression_value *value, struct expression_problem *problem);
    /* tag(name): NULL where there are no tags. */
    bool (*tag)(void *context, const char *tag);
};

/* The value of the text. Returns false when it has none; *problem says why.
 * Texts are children of `context`. */
bool expression_evaluate(void *context, const char *text,
    const struct expression_names *names, struct expression_value *value,
    struct expression_problem *problem);

/* What the value is, for a message: "a number", "a NTSTATUS", "true or false".
 */
const char *expression_kind_name(const struct expression_value *value);

/* Number as decimal text, child of `context`. */
char *expression_show_number(void *context, expression_number number);

#endif
