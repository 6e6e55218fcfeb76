/* tokens.c - a scanner of C. */
#include "tests/mutation/tokens.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <talloc.h>

/* Longer ones first: the longest that fits is the operator. */
static const char *const marks[] = {"<<=", ">>=", "...", "->", "++", "--", "<<",
    ">>", "<=", ">=", "==", "!=", "&&", "||",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};

/* What follows these in brackets is not the program's behaviour: what asserts,
 * and what only a sanitizer or the host's caches are told. */
static const char *const keepers[] = {"assert", "_Static_assert",
    "static_assert", "__attribute__", "__asm__", "asm", "asan_fiber_clean",
    "asan_fiber_enter", "asan_fiber_leave", "__builtin_prefetch", NULL};

struct scanner {
    const char *text;
    size_t at;
    unsigned line;
    size_t line_at; /* where the line begins */
    bool line_is_empty;
};

static bool scanner_sees(const struct scanner *scanner, const char *text)
{
    return strncmp(scanner->text + scanner->at, text, strlen(text)) == 0;
}

static void scanner_step(struct scanner *scanner)
{
    if (scanner->text[scanner->at] == '\n') {
        scanner->line++;
        scanner->line_at = scanner->at + 1;
        scanner->line_is_empty = true;
    }
    scanner->at++;
}

static void skip(struct scanner *scanner, size_t bytes)
{
    while (bytes-- > 0 && scanner->text[scanner->at] != '\0') {
        scanner_step(scanner);
    }
}

static void skip_comment(struct scanner *scanner)
{
    const char *end = scanner_sees(scanner, "//") ? "\n" : "*/";

    skip(scanner, 2);
    while (scanner->text[scanner->at] != '\0' && !scanner_sees(scanner, end)) {
        scanner_step(scanner);
    }
    skip(scanner, *end == '*' ? 2 : 0);
}

static bool sees_comment(const struct scanner *scanner)
{
    return scanner_sees(scanner, "/*") || scanner_sees(scanner, "//");
}

/* A backslash goes on in the next line, and so does a comment. */
static void skip_directive(struct scanner *scanner)
{
    while (!strchr("\n", scanner->text[scanner->at])) {
        if (sees_comment(scanner)) {
            skip_comment(scanner);
        } else {
            skip(scanner, scanner_sees(scanner, "\\\n") ? 2 : 1);
        }
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t text_length(const char *text)
{
    size_t length = 1;

    while (text[length] != '\0' && text[length] != text[0]) {
        length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
    }
    return length + (text[length] != '\0');
}

static size_t number_length(const char *text)
{
    bool hexadecimal = text[0] == '0' && strchr("xX", text[1]) != NULL;
    const char *exponents = hexadecimal ? "pP" : "eE";
    size_t length = 1;

    while (is_word(text[length]) || text[length] == '.' ||
           (text[length] != '\0' && strchr("+-", text[length]) != NULL &&
               strchr(exponents, text[length - 1]) != NULL)) {
        length++;
    }
    return length;
}

static size_t mark_length(const char *text)
{
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (strncmp(text, marks[i], strlen(marks[i])) == 0) {
            return strlen(marks[i]);
        }
    }
    return 1;
}

static struct token next_token(const char *text)
{
    struct token token = {.kind = TOKEN_MARK};

    if (isdigit((unsigned char)text[0])) {
        token.kind = TOKEN_NUMBER;
        token.length = number_length(text);
    } else if (is_word(text[0])) {
        token.kind = TOKEN_NAME;
        while (is_word(text[token.length])) {
            token.length++;
        }
    } else if (text[0] == '"' || text[0] == '\'') {
        token.kind = TOKEN_TEXT;
        token.length = text_length(text);
    } else {
        token.length = mark_length(text);
    }
    return token;
}

static void tokens_add(
    struct tokens *tokens, struct scanner *scanner, struct token token)
{
    token.at = scanner->at;
    token.line = scanner->line;
    token.column = (unsigned)(scanner->at - scanner->line_at) + 1;
    if ((tokens->count & (tokens->count - 1)) == 0) { /* full: a power of 2 */
        tokens->item = talloc_realloc(tokens, tokens->item, struct token,
            tokens->count == 0 ? 1 : 2 * (unsigned)tokens->count);
        assert(tokens->item != NULL);
    }
    tokens->item[tokens->count++] = token;
    scanner->line_is_empty = false;
    skip(scanner, token.length);
}

static bool ends_in_check(const struct tokens *tokens, size_t i)
{
    static const char suffix[] = "_check";
    const struct token *token = &tokens->item[i];
    size_t length = sizeof(suffix) - 1;

    return token->kind == TOKEN_NAME && token->length > length &&
           memcmp(tokens->text + token->at + token->length - length, suffix,
               length) == 0;
}

/* Whether at `i` stands x_check of bool x_check(const struct x *x) {. */
static bool begins_check(const struct tokens *tokens, size_t i)
{
    return i > 0 && tokens_is(tokens, i - 1, "bool") &&
           ends_in_check(tokens, i) && tokens_is(tokens, i + 1, "(") &&
           tokens_is(tokens, i + 2, "const") &&
           tokens_is(tokens, i + 3, "struct") &&
           tokens_is(tokens, tokens_close(tokens, i + 1) + 1, "{");
}

/* The end of the function at `i`, its brace, where that is one that asserts
 * what is always so of a structure, and says true; else `i`. */
static size_t end_of_check(const struct tokens *tokens, size_t i)
{
    unsigned results = 0;
    size_t end;

    if (!begins_check(tokens, i)) {
        return i;
    }
    end = tokens_close(tokens, tokens_close(tokens, i + 1) + 1);
    for (size_t at = i; at < end; at++) {
        results += tokens_is(tokens, at, "return");
    }
    return results == 1 && tokens_is(tokens, end - 3, "return") &&
                   tokens_is(tokens, end - 2, "true")
               ? end
               : i;
}

/* The token behind what is kept from `i` on; `i` where nothing is. */
static size_t behind_kept(const struct tokens *tokens, size_t i)
{
    size_t last = end_of_check(tokens, i);

    if (last == i) {
        if (!tokens_is_any(tokens, i, keepers) ||
            !tokens_is(tokens, i + 1, "(")) {
            return i;
        }
        last = tokens_close(tokens, i + 1);
    }
    return last < tokens->count ? last + 1 : tokens->count;
}

static void keep(struct tokens *tokens)
{
    size_t i = 0;

    while (i < tokens->count) {
        size_t behind = behind_kept(tokens, i);

        if (behind == i) {
            i++;
        }
        while (i < behind) {
            tokens->item[i++].kept = true;
        }
    }
}

struct tokens *tokens_read(void *context, const char *text)
{
    struct tokens *tokens = talloc_zero(context, struct tokens);
    struct scanner scanner = {.text = text, .line = 1, .line_is_empty = true};

    assert(tokens != NULL);
    tokens->text = text;
    while (text[scanner.at] != '\0') {
        if (isspace((unsigned char)text[scanner.at])) {
            scanner_step(&scanner);
        } else if (sees_comment(&scanner)) {
            skip_comment(&scanner);
        } else if (text[scanner.at] == '#' && scanner.line_is_empty) {
            skip_directive(&scanner);
        } else {
            tokens_add(tokens, &scanner, next_token(text + scanner.at));
        }
    }
    keep(tokens);
    return tokens;
}

bool tokens_is(const struct tokens *tokens, size_t i, const char *spelling)
{
    return i < tokens->count && tokens->item[i].length == strlen(spelling) &&
           memcmp(tokens->text + tokens->item[i].at, spelling,
               strlen(spelling)) == 0;
}

bool tokens_is_any(
    const struct tokens *tokens, size_t i, const char *const *spellings)
{
    for (; *spellings != NULL; spellings++) {
        if (tokens_is(tokens, i, *spellings)) {
            return true;
        }
    }
    return false;
}

size_t tokens_close(const struct tokens *tokens, size_t i)
{
    static const char *const open[] = {"(", "[", "{", NULL};
    static const char *const shut[] = {")", "]", "}", NULL};
    size_t depth = 0;

    for (; i < tokens->count; i++) {
        if (tokens_is_any(tokens, i, open)) {
            depth++;
        } else if (tokens_is_any(tokens, i, shut) && --depth == 0) {
            return i;
        }
    }
    return tokens->count;
}
