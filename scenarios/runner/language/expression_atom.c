/* expression_atom.c - what expressions are made of: numbers, texts, names,
 * functions, brackets. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/language/expression_reader.h"

void expression_blanks(struct expression_reader *reader)
{
    while (*reader->at == ' ') {
        reader->at++;
    }
}

size_t expression_offset(const struct expression_reader *reader)
{
    return (size_t)(reader->at - reader->text);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes a word of letters, if that is what comes next. */
bool expression_word(struct expression_reader *reader, const char *word)
{
    size_t length = strlen(word);

    expression_blanks(reader);
    if (strncmp(reader->at, word, length) != 0 ||
        is_letter(reader->at[length]) || is_digit(reader->at[length])) {
        return false;
    }
    reader->at += length;
    return true;
}

bool expression_symbol(struct expression_reader *reader, char symbol)
{
    expression_blanks(reader);
    if (*reader->at != symbol) {
        return false;
    }
    reader->at++;
    return true;
}

static int digit_value(char c)
{
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

static bool read_number(
    struct expression_reader *reader, struct expression_value *value)
{
    size_t start = expression_offset(reader);
    bool hex = reader->at[0] == '0' && reader->at[1] == 'x';
    int base = hex ? 16 : 10;
    bool padded = !hex && reader->at[0] == '0' && is_digit(reader->at[1]);
    expression_number number = 0;
    const char *first;

    reader->at += hex ? 2 : 0;
    first = reader->at;
    for (; digit_value(*reader->at) < base; reader->at++) {
        number = number * base + digit_value(*reader->at);
        if (number > UINT64_MAX) {
            return expression_fail(reader, start,
                expression_offset(reader) - start + 1,
                "a number has at most 64 bits", NULL);
        }
    }
    if (reader->at == first || padded || is_letter(*reader->at) ||
        is_digit(*reader->at)) {
        while (is_letter(*reader->at) || is_digit(*reader->at)) {
            reader->at++;
        }
        return expression_fail(reader, start, expression_offset(reader) - start,
            "this is not a number",
            "decimal without leading zeros or _, or 0x...");
    }
    *value = (struct expression_value){
        .kind = EXPRESSION_NUMBER, .known = true, .number = number};
    return true;
}

/* How many bytes of a text there are; letters beyond ASCII are letters, too. */
static size_t text_length(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789 _.-*?";
    size_t length = 0;

    while (text[length] != '\0' && ((unsigned char)text[length] >= 0x80 ||
                                       strchr(allowed, text[length]) != NULL)) {
        length++;
    }
    return length;
}

static bool read_text(
    struct expression_reader *reader, struct expression_value *value)
{
    size_t start = expression_offset(reader);
    size_t length = text_length(reader->at + 1);

    if (reader->at[1 + length] != '\'') {
        return expression_fail(reader, start, 1 + length,
            "a text ends with ' and holds letters, digits, blanks, _ . - * ?",
            NULL);
    }
    *value = (struct expression_value){.kind = EXPRESSION_TEXT,
        .known = true,
        .text = talloc_strndup(reader->context, reader->at + 1, length)};
    reader->at += length + 2;
    return true;
}

/* A name, with members and indexes. */
static bool take_path(
    struct expression_reader *reader, char path[EXPRESSION_PATH_BYTES])
{
    size_t start = expression_offset(reader);
    size_t length = 0;

    while (is_letter(reader->at[length]) || is_digit(reader->at[length]) ||
           (reader->at[length] == '.' && length > 0)) {
        length++;
    }
    if (length >= EXPRESSION_PATH_BYTES) {
        return expression_fail(
            reader, start, length, "this name is too long", NULL);
    }
    memcpy(path, reader->at, length);
    path[length] = '\0';
    if (path[length - 1] == '.' || strstr(path, "..") != NULL) {
        return expression_fail(reader, start, length,
            "a name or a number is missing at a dot", NULL);
    }
    reader->at += length;
    return true;
}

/* Words that join values and are none. */
static bool is_operator(const char *word)
{
    return strcmp(word, "and") == 0 || strcmp(word, "or") == 0 ||
           strcmp(word, "not") == 0;
}

static bool read_path(
    struct expression_reader *reader, struct expression_value *value)
{
    char path[EXPRESSION_PATH_BYTES];
    size_t start = expression_offset(reader);
    struct expression_problem problem = {0};

    if (!take_path(reader, path)) {
        return false;
    }
    if (strcmp(path, "true") == 0 || strcmp(path, "false") == 0) {
        *value = (struct expression_value){
            .kind = EXPRESSION_BOOL, .known = true, .number = path[0] == 't'};
        return true;
    }
    if (is_operator(path)) {
        return expression_fail(reader, start, strlen(path),
            "expected a value here", "a number, a name, 'text' or ( )");
    }
    if (!reader->names->path(reader->names->context, path, value, &problem) &&
        !(problem.unset && reader->unneeded > 0)) {
        assert(problem.message != NULL);
        return expression_fail(reader, start, expression_offset(reader) - start,
            problem.message, problem.hint);
    }
    if (reader->unneeded > 0) {
        value->known = false;
    }
    return true;
}

static bool call_tag(struct expression_reader *reader, size_t start,
    struct expression_value *value)
{
    if (reader->names->tag == NULL) {
        return expression_fail(
            reader, start, 3, "tag() is for the command line's -e", NULL);
    }
    /* tag(hal): the name of a tag, not of a variable. */
    size_t length;
    char *tag;

    expression_blanks(reader);
    length = strspn(reader->at, "abcdefghijklmnopqrstuvwxyz0123456789_.-");
    if (length == 0 || length >= EXPRESSION_PATH_BYTES) {
        return expression_fail(reader, expression_offset(reader), 1,
            "expected a tag's name", NULL);
    }
    tag = talloc_strndup(reader->context, reader->at, length);
    reader->at += length;
    *value = (struct expression_value){.kind = EXPRESSION_BOOL,
        .known = true,
        .number = reader->names->tag(reader->names->context, tag)};
    return true;
}

static bool call_len(struct expression_reader *reader, size_t start,
    struct expression_value *value)
{
    struct expression_value list;

    if (!expression_or(reader, &list)) {
        return false;
    }
    if (list.kind != EXPRESSION_LIST) {
        return expression_fail(reader, start, 3, "len() is for lists", NULL);
    }
    *value = (struct expression_value){
        .kind = EXPRESSION_NUMBER, .known = list.known, .number = list.number};
    return true;
}

static bool call_bit(struct expression_reader *reader, size_t start,
    struct expression_value *value)
{
    struct expression_value n;

    if (!expression_or(reader, &n)) {
        return false;
    }
    bool right = n.number >= 0 && n.number <= 63;

    if (n.kind != EXPRESSION_NUMBER || n.domain != NULL ||
        (n.known && !right && reader->unneeded == 0)) {
        return expression_fail(
            reader, start, 3, "bit() takes a number from 0 to 63", NULL);
    }
    *value = n;
    value->known = n.known && right;
    if (value->known) {
        value->number = (expression_number)1 << (unsigned)n.number;
    }
    return true;
}

static const struct {
    const char *name;
    bool (*call)(struct expression_reader *reader, size_t start,
        struct expression_value *value);
} functions[] = {{"len", call_len}, {"bit", call_bit}, {"tag", call_tag}};

static bool close_bracket(struct expression_reader *reader, size_t opened)
{
    if (!expression_symbol(reader, ')')) {
        return expression_fail(reader, opened, 1, "this ( is not closed", NULL);
    }
    return true;
}

bool expression_atom(
    struct expression_reader *reader, struct expression_value *value)
{
    size_t start;

    expression_blanks(reader);
    start = expression_offset(reader);
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        const char *before = reader->at;
        size_t opened;

        if (!expression_word(reader, functions[i].name)) {
            continue;
        }
        opened = expression_offset(reader);
        if (expression_symbol(reader, '(')) {
            return functions[i].call(reader, start, value) &&
                   close_bracket(reader, opened);
        }
        reader->at = before; /* a variable of that name */
    }
    if (expression_symbol(reader, '(')) {
        return expression_or(reader, value) && close_bracket(reader, start);
    }
    if (is_digit(*reader->at)) {
        return read_number(reader, value);
    }
    if (*reader->at == '\'') {
        return read_text(reader, value);
    }
    if (is_letter(*reader->at)) {
        return read_path(reader, value);
    }
    return expression_fail(reader, start, 1,
        *reader->at == '\0' ? "the expression ends where a value is due"
                            : "expected a value here",
        *reader->at == '$'   ? "names have no $ inside of $( )"
        : *reader->at == '"' ? "texts are written 'so'"
                             : "a number, a name, 'text' or ( )");
}
