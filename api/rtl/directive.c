/* directive.c - a directive of a format string parsed: flags, width,
 * precision, size, conversion, in that order (page Format specification
 * syntax). */
#include "api/rtl/directive.h"

#include <assert.h>
#include <string.h>

/* Sizes before a conversion; of two that fit the first. `wide`: 1 means
 * Unicode, -1 means not, 0 whatever the conversion means. */
static const struct {
    const char *spelling;
    unsigned bits;
    int wide;
} sizes[] = {
    {"I64", 64, 0},
    {"I32", 32, 0},
    {"I", 64, 0},
    {"hh", 8, -1},
    {"h", 16, -1},
    {"ll", 64, 0},
    {"l", 32, 1}, /* a Windows long */
    {"w", 32, 1},
    {"z", 64, 0},
    {"t", 64, 0},
    {"j", 64, 0},
};

enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static const struct {
    char letter;
    enum directive_kind kind;
    unsigned base;
    bool upper, wide;
} conversions[] = {
    {'d', DIRECTIVE_SIGNED, 10, false, false},
    {'i', DIRECTIVE_SIGNED, 10, false, false},
    {'u', DIRECTIVE_UNSIGNED, 10, false, false},
    {'o', DIRECTIVE_UNSIGNED, 8, false, false},
    {'x', DIRECTIVE_UNSIGNED, 16, false, false},
    {'X', DIRECTIVE_UNSIGNED, 16, true, false},
    {'p', DIRECTIVE_UNSIGNED, 16, true, false},
    {'c', DIRECTIVE_CHARACTER, 0, false, false},
    {'C', DIRECTIVE_CHARACTER, 0, false, true},
    {'s', DIRECTIVE_STRING, 0, false, false},
    {'S', DIRECTIVE_STRING, 0, false, true},
    {'Z', DIRECTIVE_COUNTED, 0, false, false},
    {'%', DIRECTIVE_PERCENT, 0, false, false},
    {'n', DIRECTIVE_SKIPPED, 0, false, false},
    {'f', DIRECTIVE_SKIPPED, 0, false, false},
    {'F', DIRECTIVE_SKIPPED, 0, false, false},
    {'e', DIRECTIVE_SKIPPED, 0, false, false},
    {'E', DIRECTIVE_SKIPPED, 0, false, false},
    {'g', DIRECTIVE_SKIPPED, 0, false, false},
    {'G', DIRECTIVE_SKIPPED, 0, false, false},
    {'a', DIRECTIVE_SKIPPED, 0, false, false},
    {'A', DIRECTIVE_SKIPPED, 0, false, false},
};

enum { CONVERSIONS = sizeof(conversions) / sizeof(conversions[0]) };

size_t directive_bound(int64_t value)
{
    assert(value >= 0);
    return value < DIRECTIVE_BOUND ? (size_t)value : DIRECTIVE_BOUND;
}

/* The rest of a directive's text. */
struct rest {
    const char *text;
    size_t length;
};

static bool take(struct rest *rest, const char *spelling)
{
    size_t length = strlen(spelling);

    if (rest->length < length || memcmp(rest->text, spelling, length) != 0) {
        return false;
    }
    rest->text += length;
    rest->length -= length;
    return true;
}

static void take_flags(struct rest *rest, struct directive *directive)
{
    const struct {
        const char *spelling;
        bool *set;
    } flags[] = {
        {"-", &directive->left},
        {"+", &directive->plus},
        {" ", &directive->space},
        {"0", &directive->zero},
        {"#", &directive->alternate},
    };
    size_t i = 0;

    while (i < sizeof(flags) / sizeof(flags[0])) {
        if (take(rest, flags[i].spelling)) {
            *flags[i].set = true;
            i = 0;
        } else {
            i++;
        }
    }
}

/* Decimal digits, none is 0; or a *. */
static size_t take_number(struct rest *rest, bool *is_argument)
{
    size_t number = 0;

    *is_argument = take(rest, "*");
    while (!*is_argument && rest->length > 0 && rest->text[0] >= '0' &&
           rest->text[0] <= '9') {
        number =
            directive_bound((int64_t)(number * 10) + (rest->text[0] - '0'));
        rest->text++;
        rest->length--;
    }
    return number;
}

static int take_size(struct rest *rest, struct directive *directive)
{
    for (unsigned i = 0; i < SIZES; i++) {
        if (take(rest, sizes[i].spelling)) {
            directive->bits = sizes[i].bits;
            return sizes[i].wide;
        }
    }
    return 0;
}

static void take_conversion(
    struct rest *rest, struct directive *directive, int wide)
{
    for (unsigned i = 0; i < CONVERSIONS; i++) {
        const char spelling[] = {conversions[i].letter, '\0'};

        if (take(rest, spelling)) {
            directive->kind = conversions[i].kind;
            directive->base = conversions[i].base;
            directive->upper = conversions[i].upper;
            directive->wide = wide > 0 || (wide == 0 && conversions[i].wide);
            directive->sized = wide != 0;
            return;
        }
    }
}

/* What the conversion itself decides. */
static void settle(struct directive *directive, char letter)
{
    if (letter == 'p') {
        directive->bits = 64;
        directive->pointer = true;
    }
    if (directive->kind != DIRECTIVE_CHARACTER &&
        directive->kind != DIRECTIVE_STRING &&
        directive->kind != DIRECTIVE_COUNTED) {
        directive->wide = false;
    }
}

/* What format.c writes a value by. */
static bool directive_check(const struct directive *directive, size_t length)
{
    bool number = directive->kind == DIRECTIVE_SIGNED ||
                  directive->kind == DIRECTIVE_UNSIGNED;

    assert(directive->length >= 1 && directive->length <= length);
    assert(directive->width <= DIRECTIVE_BOUND);
    assert(directive->precision <= DIRECTIVE_BOUND);
    assert(number == (directive->base != 0)); /* it is divided by */
    assert(directive->bits >= 8 && directive->bits <= 64);
    assert(!directive->pointer || directive->kind == DIRECTIVE_UNSIGNED);
    return true;
}

size_t directive_parse(
    struct directive *directive, const char *text, size_t length)
{
    struct rest rest = {text + 1, length - 1};
    int wide;

    assert(length > 0 && text[0] == '%');
    *directive =
        (struct directive){.kind = DIRECTIVE_NONE, .text = text, .bits = 32};
    take_flags(&rest, directive);
    directive->width = take_number(&rest, &directive->width_is_argument);
    if (take(&rest, ".")) {
        directive->has_precision = true;
        directive->precision =
            take_number(&rest, &directive->precision_is_argument);
    }
    wide = take_size(&rest, directive);
    take_conversion(&rest, directive, wide);
    directive->length = (size_t)(rest.text - text);
    settle(directive, rest.text[-1]);
    assert(directive_check(directive, length));
    return directive->length;
}
