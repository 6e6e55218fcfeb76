/* plain_word.c - plain values that YAML 1.1 takes for something else than this
 * language does, and what to write instead: booleans, octal and sexagesimal
 * numbers, and others. */
#include "scenarios/runner/yaml/plain_word.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <talloc.h>

bool plain_word_is_boolean(const char *text)
{
    static const char *const words[] = {"y", "yes", "on", "n", "no", "off"};

    if (strchr("ynoYNO", text[0]) == NULL) {
        return false; /* as nearly every key is one */
    }
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcasecmp(words[i], text) == 0) {
            return true;
        }
    }
    return false;
}

bool plain_word_is_no_text(const char *text)
{
    return plain_word_is_boolean(text) || strcasecmp(text, "true") == 0 ||
           strcasecmp(text, "false") == 0 || strcasecmp(text, "null") == 0;
}

const char *plain_word_truth(const struct node *node)
{
    bool word = node->kind == NODE_SCALAR && !node->quoted;

    if (word && plain_word_is_boolean(node->text)) {
        return strcasecmp(node->text, "y") == 0 ||
                       strcasecmp(node->text, "yes") == 0 ||
                       strcasecmp(node->text, "on") == 0
                   ? "write true"
                   : "write false";
    }
    return "plain words in small letters";
}

/* True, FALSE: words of the language, but in small letters. */
static bool is_loud_boolean(const char *text)
{
    return (strcasecmp(text, "true") == 0 && strcmp(text, "true") != 0) ||
           (strcasecmp(text, "false") == 0 && strcmp(text, "false") != 0);
}

static bool consists_of(const char *text, const char *characters)
{
    return text[0] != '\0' && strspn(text, characters) == strlen(text);
}

bool plain_word_number(const char *text, uint64_t *number)
{
    const char *digits = "0123456789";
    const char *at = text;
    unsigned base = 10;
    uint64_t value = 0;

    if (text[0] == '0' && text[1] == 'x') {
        digits = "0123456789abcdef";
        at += 2;
        base = 16;
    } else if (text[0] == '0' && text[1] != '\0') {
        return false;
    }
    if (*at == '\0') {
        return false;
    }
    for (; *at != '\0'; at++) {
        char folded = *at >= 'A' && *at <= 'F' ? (char)(*at - 'A' + 'a') : *at;
        const char *digit = strchr(digits, folded);

        if (digit == NULL || __builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, (uint64_t)(digit - digits), &value)) {
            return false;
        }
    }
    *number = value;
    return true;
}

/* 0755: octal for some, decimal for others. */
static char *hint_leading_zero(void *context, const char *text)
{
    const char *decimal = text + strspn(text, "0");

    if (strlen(text) > 16) {
        return talloc_strdup(context, "leave out the leading 0");
    }
    if (!consists_of(text, "01234567")) {
        return talloc_asprintf(
            context, "leave out the leading 0: write %s", decimal);
    }
    return talloc_asprintf(context,
        "write %s, or 0x%" PRIX64 " if it was meant to be octal",
        decimal[0] == '\0' ? "0" : decimal, (uint64_t)strtoull(text, NULL, 8));
}

static char *hint_underscore(void *context, const char *text)
{
    char *without = talloc_strdup(context, text);
    char *to = without;

    for (const char *at = text; *at != '\0'; at++) {
        if (*at != '_') {
            *to++ = *at;
        }
    }
    *to = '\0';
    return talloc_asprintf(context, "a number has no '_': write %s", without);
}

/* 10us, 5ms: digits and letters behind them. */
static bool has_unit(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    const char *unit = text + digits;

    return digits > 0 && *unit != '\0' && unit[0] != 'x' &&
           strcspn(unit, "0123456789+-._:/") == strlen(unit);
}

/* What begins like a number and is none of ours. */
static char *hint_number(void *context, const char *text)
{
    if (has_unit(text)) {
        return talloc_asprintf(context,
            "numbers are written without a unit, which their key has: write "
            "%.*s if that is how many it means",
            (int)strspn(text, "0123456789"), text);
    }
    if (consists_of(text, "0123456789") && text[0] != '0') {
        return talloc_asprintf(
            context, "at most 64 bits: %" PRIu64, UINT64_MAX);
    }
    if (text[0] == '0' && consists_of(text, "0123456789")) {
        return hint_leading_zero(context, text);
    }
    if (consists_of(text, "0123456789_") ||
        (text[0] == '0' && text[1] == 'x' &&
            consists_of(text + 2, "0123456789abcdefABCDEF_") &&
            strchr(text, '_') != NULL)) {
        return strchr(text, '_') == NULL ? NULL
                                         : hint_underscore(context, text);
    }
    if (consists_of(text, "0123456789:")) {
        return talloc_strdup(context, "a number has no ':'; there is no other "
                                      "base than 10 and 16");
    }
    if (consists_of(text, "0123456789+-.eE") &&
        strpbrk(text, "+-.eE") != NULL) {
        return talloc_strdup(context,
            strpbrk(text, "eE.") != NULL
                ? "numbers are whole: no point and no exponent, 1000000 for 1e6"
                : "numbers have no sign; all ones are 0xFFFFFFFF in 32 bits");
    }
    return NULL;
}

char *plain_word_hint(void *context, const struct node *node)
{
    uint64_t number;

    if (node->kind != NODE_SCALAR) {
        return NULL;
    }
    if (node->quoted && node_quotes_computed(node)) {
        return talloc_asprintf(
            context, "write %s without the quotes", node->text);
    }
    if (node->quoted) {
        return plain_word_number(node->text, &number)
                   ? talloc_strdup(context, "a text in quotes is never a "
                                            "number; leave them out")
                   : NULL;
    }
    if (plain_word_is_boolean(node->text) || is_loud_boolean(node->text)) {
        return talloc_asprintf(context,
            "'%s' is a text here; the booleans are true and false", node->text);
    }
    if (strcmp(node->text, "~") == 0) {
        return talloc_strdup(context, "write null where nothing is allowed");
    }
    return hint_number(context, node->text);
}
