/* test_reserved_words.c - the words that a generated header has are those of
 * the table, or are made of the manifest's names. That no parameter is called
 * as one of them is for ctrpp.header.reserved to say. */
#include "tests/rows.h"

#include <ctype.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/reserved_words.h"
#include "tests/api/ctrpp/scenes.h"

static const char *const words[] = {
#define RESERVED_WORD(kind, word) word,
#include "api/ctrpp/reserved_words.def"
};

enum { WORDS = sizeof(words) / sizeof(words[0]) };

static struct word_row {
    const char *name, *word;
    enum reserved_word want;
} word_rows[] = {
    {"first", "AMD64", RESERVED_MACRO},
    {"last", "xor_eq", RESERVED_CPP},
    {"keyword", "int", RESERVED_C},
    {"function", "PcwAddInstance", RESERVED_NAME},
    {"annotation", "_Outptr_", RESERVED_MACRO},
    {"linkage", "FORCEINLINE", RESERVED_MACRO},
    {"own_linkage", "CTRPP_LINKAGE", RESERVED_MACRO},
    {"member", "CallbackContext", RESERVED_INNER},
    {"part_of_one", "in", RESERVED_NOT},
    {"longer_than_one", "inta", RESERVED_NOT},
    {"empty", "", RESERVED_NOT},
};

static void word_row(void **state)
{
    const struct word_row *row = *state;

    assert_int_equal(reserved_word_find(row->word), row->want);
}

static void the_table_is_sorted(void **state)
{
    (void)state;
    for (size_t i = 1; i < WORDS; i++) {
        assert_true(strcmp(words[i - 1], words[i]) < 0);
    }
}

/* A name of the manifest's with underscores behind it, as parameters have. */
static bool is_but_for_underscores(const char *word, const char *name)
{
    size_t length = strlen(name);

    return strncmp(word, name, length) == 0 &&
           strspn(word + length, "_") == strlen(word + length);
}

static bool is_local(const char *word)
{
    static const char *const locals[] = {"Buffer", "Callback", "Context",
        "Counters", "Data", "Id", "Information", "Instance", "Name",
        "NameText"};

    for (size_t i = 0; i < sizeof(locals) / sizeof(locals[0]); i++) {
        if (is_but_for_underscores(word, locals[i])) {
            return true;
        }
    }
    return false;
}

static bool is_function(
    const struct scene *scene, const struct manifest_set *set, const char *word)
{
    static const char *const verbs[] = {"", "InitRegistrationInformation",
        "Register", "Unregister", "Create", "Close", "Add"};
    char name[200];

    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
        snprintf(
            name, sizeof(name), "%s%s%s", scene->prefix, verbs[i], set->symbol);
        if (strcmp(name, word) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_of_set(
    const struct scene *scene, const struct manifest_set *set, const char *word)
{
    for (size_t i = 0; i < set->structure_count; i++) {
        if (strcmp(set->structure[i].type, word) == 0 ||
            is_but_for_underscores(word, set->structure[i].name)) {
            return true;
        }
    }
    for (size_t i = 0; i < set->counter_count; i++) {
        if (strstr(set->counter[i].field, word) != NULL) {
            return true;
        }
    }
    return is_function(scene, set, word);
}

static bool is_known(const struct scene *scene, const char *word)
{
    if (reserved_word_find(word) != RESERVED_NOT || is_local(word) ||
        strncmp(word, "CTRPP_HEADER_", strlen("CTRPP_HEADER_")) == 0) {
        return true;
    }
    for (size_t i = 0; i < scene->manifest.set_count; i++) {
        if (is_of_set(scene, &scene->manifest.set[i], word)) {
            return true;
        }
    }
    return false;
}

static bool begins_word(char character)
{
    return isalpha((unsigned char)character) || character == '_';
}

static size_t length_of_word(const char *at)
{
    size_t length = 0;

    while (begins_word(at[length]) || isdigit((unsigned char)at[length])) {
        length++;
    }
    return length;
}

/* Behind a comment, a literal, a number, or the name of a directive with what
 * is between < and >; NULL: there is none of them. */
static const char *behind_what_is_no_word(const char *at)
{
    if (strncmp(at, "/*", 2) == 0) {
        return strstr(at, "*/") + 2;
    }
    if (at[0] == '"' || strncmp(at, "L\"", 2) == 0) {
        at += at[0] == 'L' ? 2 : 1;
        while (*at != '"') {
            at += *at == '\\' ? 2 : 1;
        }
        return at + 1;
    }
    if (strncmp(at, "#include", 8) == 0) {
        return strchr(at, '>');
    }
    if (at[0] == '#' || isdigit((unsigned char)at[0])) {
        return at + 1 + length_of_word(at + 1);
    }
    return NULL;
}

static void check_words(const struct scene *scene, const char *text)
{
    char word[300];
    size_t known = 0;

    for (const char *at = text; *at != '\0';) {
        const char *behind = behind_what_is_no_word(at);

        if (behind != NULL) {
            at = behind;
        } else if (begins_word(*at)) {
            snprintf(word, sizeof(word), "%.*s", (int)length_of_word(at), at);
            if (!is_known(scene, word)) {
                fail_msg("%s: neither reserved nor of the manifest: %s",
                    scene->name, word);
            }
            known++;
            at += length_of_word(at);
        } else {
            at++;
        }
    }
    assert_true(known > 10); /* the scene without sets has some, too */
}

static void words_of_headers_are_known(void **state)
{
    void *context = talloc_new(NULL);
    size_t count;
    const struct scene *scenes = scenes_all(context, &count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        const struct ctrpp_settings settings = {.prefix = scenes[i].prefix,
            .source = "name.man",
            .backcompat = scenes[i].backcompat};

        check_words(
            &scenes[i], ctrpp_header(context, &scenes[i].manifest, &settings));
    }
    talloc_free(context);
}

TEST_FILE(test_reserved_words)
{
    TEST_ADD_ROWS(list, word_row, word_rows);
    test_add(list, "the_table_is_sorted", the_table_is_sorted, NULL);
    test_add(
        list, "words_of_headers_are_known", words_of_headers_are_known, NULL);
}
