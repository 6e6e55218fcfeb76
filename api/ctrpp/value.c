/* value.c - the values of attributes read: GUIDs, numbers, symbols, words,
 * texts, a reader for each kind. A value is read as it is written: blanks
 * around it are part of it. */
#include "api/ctrpp/value.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/choices.h"
#include "api/ctrpp/manifest_text.h"
#include "api/text/utf8.h"

enum { SCALE_MOST = 10, VALUE_SHOWN = 80 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The value of a hex digit; 16: it is none. */
static unsigned hex_digit(char c)
{
    if (is_digit(c)) {
        return (unsigned)(c - '0');
    }
    if (c >= 'a' && c <= 'f') {
        return (unsigned)(c - 'a') + 10;
    }
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

/* Shows the value, or the beginning of a long one. */
static void refuse(const struct xml_attribute *written,
    struct manifest_problems *problems, enum manifest_problem_code code,
    const char *wanted)
{
    size_t shown =
        utf8_cut(written->value, strlen(written->value), VALUE_SHOWN);

    manifest_problem_add(problems, code, written->place, "%s '%.*s%s' %s",
        written->name, (int)shown, written->value,
        written->value[shown] == '\0' ? "" : "...", wanted);
}

/* CTR-MAN-01: {8-4-4-4-12}; the digits become a number of 128 bits. */
static bool read_guid(struct value *value, const char *text)
{
    static const char pattern[] = "{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}";
    uint8_t digit[32];
    size_t digits = 0;

    if (strlen(text) != sizeof(pattern) - 1) {
        return false;
    }
    for (size_t i = 0; pattern[i] != '\0'; i++) {
        if (pattern[i] != 'x' ? text[i] != pattern[i]
                              : hex_digit(text[i]) > 15) {
            return false;
        }
        if (pattern[i] == 'x') {
            digit[digits++] = (uint8_t)hex_digit(text[i]);
        }
    }
    value->guid = (struct manifest_guid){0};
    for (size_t i = 0; i < 8; i++) {
        value->guid.data1 = value->guid.data1 << 4 | digit[i];
        value->guid.data4[i] =
            (uint8_t)(digit[16 + 2 * i] << 4 | digit[17 + 2 * i]);
    }
    for (size_t i = 0; i < 4; i++) {
        value->guid.data2 = (uint16_t)(value->guid.data2 << 4 | digit[8 + i]);
        value->guid.data3 = (uint16_t)(value->guid.data3 << 4 | digit[12 + i]);
    }
    return true;
}

/* CTR-MAN-01: decimal without a sign, or 0x and one to eight hex digits. */
static bool read_number(struct value *value, const char *text)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? text + 2 : text;
    unsigned base = hex ? 16 : 10;
    uint64_t number = 0;

    if (digits[0] == '\0' || (hex && strlen(digits) > 8)) {
        return false;
    }
    for (size_t i = 0; digits[i] != '\0'; i++) {
        unsigned digit = hex_digit(digits[i]);

        if (digit >= base) {
            return false;
        }
        number = number * base + digit;
        if (number > UINT32_MAX) {
            return false;
        }
    }
    value->number = (uint32_t)number;
    return true;
}

static bool value_number(
    struct value *value, struct manifest_problems *problems)
{
    if (read_number(value, value->text)) {
        return true;
    }
    refuse(value->written, problems, MANIFEST_PROBLEM_BAD_NUMBER,
        "is no number from 0 to 4294967295");
    manifest_problem_hint(problems,
        "write it decimal without a sign, or as 0x and up to 8 hex digits");
    return false;
}

static bool value_number16(
    struct value *value, struct manifest_problems *problems)
{
    if (!value_number(value, problems)) {
        return false;
    }
    if (value->number <= UINT16_MAX) {
        return true;
    }
    refuse(value->written, problems, MANIFEST_PROBLEM_OUT_OF_RANGE,
        "is above 65535");
    manifest_problem_hint(
        problems, "strings of a string table have numbers of 16 bits");
    return false;
}

/* A23: from -10 to 10. */
static bool value_scale(struct value *value, struct manifest_problems *problems)
{
    const char *text = value->text;
    bool negative = text[0] == '-';
    struct value digits = {0};

    if (text[0] == '-' || text[0] == '+') {
        text++;
    }
    if (!is_digit(text[0]) || text[1] == 'x' || text[1] == 'X' ||
        !read_number(&digits, text) || digits.number > SCALE_MOST) {
        refuse(value->written, problems, MANIFEST_PROBLEM_OUT_OF_RANGE,
            "is no number from -10 to 10");
        manifest_problem_hint(
            problems, "a value is shown multiplied by 10 to that power");
        return false;
    }
    value->scale = negative ? -(int)digits.number : (int)digits.number;
    return true;
}

static bool is_identifier(const char *text)
{
    if (!is_letter(text[0])) {
        return false;
    }
    for (size_t i = 1; text[i] != '\0'; i++) {
        if (!is_letter(text[i]) && !is_digit(text[i])) {
            return false;
        }
    }
    return true;
}

/* CTR-MAN-01. A symbol may be empty; what becomes a name in C may not [C]. */
static bool value_symbol(
    struct value *value, bool empty, struct manifest_problems *problems)
{
    if ((empty && value->text[0] == '\0') || is_identifier(value->text)) {
        return true;
    }
    refuse(value->written, problems, MANIFEST_PROBLEM_BAD_SYMBOL,
        "is no identifier of C");
    manifest_problem_hint(problems,
        "write ASCII letters, digits and underscores, no digit first");
    return false;
}

/* It is published as it stands. Microsoft's page of the schema: texts are those
 * of the attributes, and the manifest's string table is not for them. */
static void warn_of_reference(
    const struct value *value, struct manifest_problems *problems)
{
    if (strstr(value->text, "$(string.") != NULL) {
        refuse(value->written, problems, MANIFEST_PROBLEM_STRING_REFERENCE,
            "is no reference: the string table is not looked at");
        manifest_problem_hint(problems, "write the text itself");
    }
}

static bool value_text(struct value *value, enum manifest_limit limit,
    struct manifest_problems *problems)
{
    const char *text = value->text;
    size_t most = manifest_limit_rows[limit].most;
    size_t length = strlen(text);

    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7F) {
            manifest_problem_add(problems, MANIFEST_PROBLEM_BAD_TEXT,
                value->written->place,
                "%s has the control character 0x%02X in it",
                value->written->name, (unsigned)text[i]);
            manifest_problem_hint(problems, "leave it out: texts are one line");
            return false;
        }
    }
    if (length == 0) {
        manifest_problem_add(problems, MANIFEST_PROBLEM_BAD_TEXT,
            value->written->name_place, "%s is empty", value->written->name);
        manifest_problem_hint(problems, "write a text between the quotes");
        return false;
    }
    if (utf8_characters(text, length) > most) {
        manifest_problem_add(problems, MANIFEST_PROBLEM_BAD_TEXT,
            value->written->place, "%s has %zu characters, more than %zu",
            value->written->name, utf8_characters(text, length), most);
        manifest_problem_hint(problems, "%s", manifest_limit_rows[limit].hint);
        return false;
    }
    warn_of_reference(value, problems);
    return true;
}

static bool value_type(struct value *value, struct manifest_problems *problems)
{
    struct suggestion suggestion = suggest_for(value->text);
    enum counter_type type;

    if (counter_type_find(value->text, &type)) {
        value->number = type;
        return true;
    }
    for (size_t i = 0; i < COUNTER_TYPE_COUNT; i++) {
        suggest_offer(&suggestion, counter_type_rows[i].word);
    }
    refuse(value->written, problems, MANIFEST_PROBLEM_BAD_WORD,
        "is no type of a counter");
    if (suggestion.nearest != NULL) {
        choices_hint(problems, &suggestion, "");
    } else {
        manifest_problem_hint(problems,
            "write one of the %d types that docs/ctrpp.md lists",
            COUNTER_TYPE_COUNT);
    }
    return false;
}

static bool value_word(struct value *value, enum value_kind kind,
    struct manifest_problems *problems)
{
    struct suggestion suggestion = suggest_for(value->text);

    for (size_t i = 0; i < word_row_count; i++) {
        if (word_rows[i].kind != kind) {
            continue;
        }
        if (strcmp(word_rows[i].word, value->text) == 0) {
            value->number = word_rows[i].value;
            return true;
        }
        suggest_offer(&suggestion, word_rows[i].word);
    }
    refuse(value->written, problems, MANIFEST_PROBLEM_BAD_WORD,
        "is none of its words");
    if (kind == VALUE_SCHEMA) {
        suggestion.nearest = NULL; /* 2.1 is as near to one as to the other */
    }
    choices_hint(problems, &suggestion, "");
    return false;
}

static bool value_guid(struct value *value, struct manifest_problems *problems)
{
    if (read_guid(value, value->text)) {
        return true;
    }
    refuse(value->written, problems, MANIFEST_PROBLEM_BAD_GUID, "is no GUID");
    manifest_problem_hint(
        problems, "write hex digits in groups of 8-4-4-4-12 within { and }");
    return false;
}

static bool read_kind(struct value *value, enum value_kind kind,
    struct manifest_problems *problems)
{
    switch (kind) {
    case VALUE_GUID:
        return value_guid(value, problems);
    case VALUE_NUMBER:
        return value_number(value, problems);
    case VALUE_NUMBER16:
        return value_number16(value, problems);
    case VALUE_SCALE:
        return value_scale(value, problems);
    case VALUE_SYMBOL:
        return value_symbol(value, true, problems);
    case VALUE_IDENTIFIER:
        return value_symbol(value, false, problems);
    case VALUE_TEXT:
        return value_text(value, MANIFEST_LIMIT_TEXT, problems);
    case VALUE_NAME:
        return value_text(value, MANIFEST_LIMIT_NAME, problems);
    case VALUE_TYPE:
        return value_type(value, problems);
    case VALUE_SCHEMA:
    case VALUE_MODE:
    case VALUE_CALLBACK:
    case VALUE_INSTANCES:
    case VALUE_DETAIL:
    case VALUE_AGGREGATE:
    case VALUE_ATTRIBUTE:
        break;
    }
    return value_word(value, kind, problems);
}

struct value value_read(const struct xml_attribute *written,
    enum value_kind kind, struct manifest_problems *problems)
{
    struct value value = {.written = written, .text = written->value};

    value.good = read_kind(&value, kind, problems);
    return value;
}
