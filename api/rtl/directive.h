/* directive.h - one % of a format, as DbgPrint and printf have it, parsed. */
#ifndef API_RTL_DIRECTIVE_H
#define API_RTL_DIRECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DIRECTIVE_BOUND = 65536 }; /* of width and precision [C] */

enum directive_kind {
    DIRECTIVE_SIGNED,
    DIRECTIVE_UNSIGNED,
    DIRECTIVE_CHARACTER,
    DIRECTIVE_STRING,  /* ends with a NUL */
    DIRECTIVE_COUNTED, /* ANSI_STRING, UNICODE_STRING */
    DIRECTIVE_PERCENT,
    DIRECTIVE_SKIPPED, /* floating point, %n: not supported */
    DIRECTIVE_NONE,    /* nothing that there is */
};

struct directive {
    enum directive_kind kind;
    const char *text; /* as it stands in the format */
    size_t length;
    size_t width, precision; /* at most DIRECTIVE_BOUND */
    bool width_is_argument, has_precision, precision_is_argument;
    bool left, plus, space, zero, alternate;
    bool upper, wide;
    bool sized;          /* h, l or w says how wide, not the conversion */
    bool pointer;        /* %p: 16 digits whatever precision is given */
    unsigned base, bits; /* of a number */
};

/* Parses what begins with the % at `text`, of which `length` bytes are there.
 * Returns how many belong to it, at least 1. */
size_t directive_parse(
    struct directive *directive, const char *text, size_t length);

/* A width or precision, bounded. */
size_t directive_bound(int64_t value);

#endif
