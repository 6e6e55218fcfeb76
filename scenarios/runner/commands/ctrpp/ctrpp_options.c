/* ctrpp_options.c - the options of ntpmu ctrpp read, checked against each other
 * and explained, by the table of ctrpp_options.def; what -ruling can flip. */
#include "scenarios/runner/commands/ctrpp/ctrpp_options.h"

#include <string.h>
#include <strings.h>

#include "api/text/suggest.h"
#include "scenarios/runner/text/visible_text.h"

static const struct {
    const char *spelling;
    const char *value; /* NULL: takes none */
    const char *help;
    const char *refused; /* why; NULL: it is taken */
    enum ruled unless;   /* RULED_COUNT: always */
} rows[CTRPP_OPTIONS] = {
#define CTRPP_OPTION(name, spelling, value, help, refused, unless)             \
    [CTRPP_##name] = {spelling, value, help, refused, unless},
#include "scenarios/runner/commands/ctrpp/ctrpp_options.def"
};

bool ctrpp_option_is_file(enum ctrpp_option option)
{
    return rows[option].value != NULL &&
           strcmp(rows[option].value, "FILE") == 0;
}

struct option_words {
    char *const *word;
    size_t count, at;
    FILE *errors;
    size_t wrong;
    bool has_unknown;  /* so that a word may be the value of one */
    bool is_migration; /* as far as can be guessed */
};

static void complain(struct option_words *words, const char *what,
    const char *which, const char *hint)
{
    fprintf(words->errors, "ntpmu ctrpp: %s '%s'\n       %s\n", what,
        visible_name(which), hint);
    words->wrong++;
}

/* In whatever case, as tools of Windows take theirs [C]. */
static enum ctrpp_option find_option(const char *word)
{
    enum ctrpp_option option = 0;

    while (option < CTRPP_OPTIONS &&
           strcasecmp(rows[option].spelling, word) != 0) {
        option++;
    }
    return option;
}

static void complain_unknown(struct option_words *words, const char *word)
{
    struct suggestion suggestion = suggest_for(word);

    for (unsigned i = 0; i < CTRPP_OPTIONS; i++) {
        suggest_offer(&suggestion, rows[i].spelling);
    }
    fprintf(words->errors, "ntpmu ctrpp: unknown option '%s'\n",
        visible_name(word));
    if (suggestion.nearest != NULL) {
        fprintf(
            words->errors, "       did you mean '%s'?\n", suggestion.nearest);
        words->is_migration |= find_option(suggestion.nearest) == CTRPP_MIGRATE;
    }
    fprintf(words->errors, "       see: ntpmu ctrpp --help\n");
    words->wrong++;
    words->has_unknown = true;
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0';
}

/* Whether the next word can be a value: what begins as options do is none. */
static bool has_value(const struct option_words *words)
{
    return words->at + 1 < words->count &&
           !is_option(words->word[words->at + 1]);
}

static void complain_of_no_value(
    struct option_words *words, enum ctrpp_option option)
{
    const char *next =
        words->at + 1 < words->count ? words->word[words->at + 1] : NULL;

    complain(words, "missing value for", words->word[words->at],
        next != NULL && find_option(next) == CTRPP_OPTIONS
            ? "what begins with - is none: a file called so is written ./-NAME"
            : rows[option].help);
}

/* One of several, each about something else. */
/* Whether it is a value of a ruling that the command asks. */
static bool is_of_ctrpp(enum ruled value)
{
    return ruling_rows[ruled_rows[value].ruling].state == RULING_OF_CTRPP;
}

static bool is_usual(enum ruled value)
{
    return ruling_rows[ruled_rows[value].ruling].usual == value;
}

static bool is_spelled(enum ruled value, const char *word)
{
    const char *id = ruling_rows[ruled_rows[value].ruling].id;
    size_t length = strlen(id);

    return strncmp(word, id, length) == 0 && word[length] == '=' &&
           strcmp(word + length + 1, ruled_rows[value].name) == 0;
}

/* Flips what ID=VALUE says. Returns NULL, or what is wrong with the word. */
static const char *flip_ruling(struct rulings *rulings, const char *word)
{
    for (enum ruled value = 0; value < RULED_COUNT; value++) {
        if (!is_of_ctrpp(value) || !is_spelled(value, word)) {
            continue;
        }
        if (is_usual(value)) {
            return "this is what holds without it:";
        }
        if (rulings_have(rulings, value)) {
            return "given twice:";
        }
        rulings->value[ruled_rows[value].ruling] = (uint16_t)value;
        return NULL;
    }
    return "no ruling of manifests and their compiler:";
}

/* All that such a word can be, for people. */
static void list_rulings(char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (enum ruled value = 0; value < RULED_COUNT && used < size; value++) {
        if (is_of_ctrpp(value) && !is_usual(value)) {
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s",
                used == 0 ? "write " : " or ",
                ruling_rows[ruled_rows[value].ruling].id,
                ruled_rows[value].name);
        }
    }
}

static void read_ruling(
    struct option_words *words, struct ctrpp_options *options, const char *word)
{
    const char *wrong = flip_ruling(&options->rulings, word);
    char choices[200];

    if (wrong != NULL) {
        list_rulings(choices, sizeof(choices));
        complain(words, wrong, word, choices);
    }
}

/* A file that is called like an option is written ./-o. */
static void read_option(
    struct option_words *words, struct ctrpp_options *options)
{
    const char *word = words->word[words->at];
    enum ctrpp_option option = find_option(word);
    const char *value = "";

    if (option == CTRPP_OPTIONS) {
        complain_unknown(words, word);
        return;
    }
    if (rows[option].value != NULL && has_value(words)) {
        value = words->word[++words->at];
    } else if (rows[option].value != NULL) {
        complain_of_no_value(words, option);
    }
    if (option == CTRPP_RULING) {
        read_ruling(words, options, value);
    } else if (options->value[option] != NULL) {
        complain(words, "given twice:", word, "keep one of the two");
    }
    options->value[option] = value;
}

static void read_words(
    struct option_words *words, struct ctrpp_options *options)
{
    for (; words->at < words->count; words->at++) {
        const char *word = words->word[words->at];

        if (is_option(word)) {
            read_option(words, options);
        } else if (options->input == NULL) {
            options->input = word;
        } else if (!words->has_unknown) {
            complain(words, "more than one manifest:", word,
                "compile one at a time");
        }
    }
}

/* CTR-CLI-08b [C] among them. */
static bool is_refused(const struct ctrpp_options *options, unsigned option)
{
    return rows[option].refused != NULL &&
           (rows[option].unless == RULED_COUNT ||
               !rulings_have(&options->rulings, rows[option].unless));
}

static void check_refused(
    struct option_words *words, const struct ctrpp_options *options)
{
    for (unsigned i = 0; i < CTRPP_OPTIONS; i++) {
        if (options->value[i] != NULL && is_refused(options, i)) {
            complain(words, "this option is not taken:", rows[i].spelling,
                rows[i].refused);
        }
    }
}

/* CTR-CLI-05: -migrate goes alone, without what a ruling takes, too; but for
 * how the manifest is read. */
static void check_migrate(
    struct option_words *words, const struct ctrpp_options *options)
{
    for (unsigned i = 0; i < CTRPP_OPTIONS; i++) {
        if (i != CTRPP_MIGRATE && i != CTRPP_RULING &&
            options->value[i] != NULL && !is_refused(options, i)) {
            complain(words, "-migrate goes without", rows[i].spelling,
                "leave one of the two out: -migrate generates no code");
        }
    }
}

/* CTR-CLI-01. */
static void check_outputs(
    struct option_words *words, const struct ctrpp_options *options)
{
    static const enum ctrpp_option needed[] = {CTRPP_CODE, CTRPP_RESOURCES};

    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        if (options->value[needed[i]] == NULL) {
            complain(words, "missing option", rows[needed[i]].spelling,
                rows[needed[i]].help);
        }
    }
}

/* Other commands call standard output so; a file that was called so would be
 * no help to who expects that [C]. */
static bool is_standard(const char *file)
{
    return file != NULL && strcmp(file, "-") == 0;
}

static void check_standard(
    struct option_words *words, const struct ctrpp_options *options)
{
    for (unsigned i = 0; i < CTRPP_OPTIONS; i++) {
        if (ctrpp_option_is_file(i) && is_standard(options->value[i])) {
            complain(words, "'-' is no file for", rows[i].spelling,
                "standard output is not written to: name a file; one that is "
                "called - is written ./-");
        }
    }
    if (is_standard(options->input)) {
        complain(words, "standard input is not read:", options->input,
            "name a file; one that is called - is written ./-");
    }
}

enum { PREFIX_MOST = 255 };

/* What stands before every generated name [C]. */
static void check_prefix(
    struct option_words *words, const struct ctrpp_options *options)
{
    const char *prefix = options->value[CTRPP_PREFIX];
    static const char letters[] =
        "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

    if (prefix != NULL && (strspn(prefix, letters) != strlen(prefix) ||
                              (prefix[0] >= '0' && prefix[0] <= '9'))) {
        complain(words, "this prefix begins no name of C:", prefix,
            "write ASCII letters, digits and underscores, no digit first");
    }
    if (prefix != NULL && strlen(prefix) > PREFIX_MOST) {
        complain(words, "this prefix is longer than 255 characters:", prefix,
            "shorten it: each generated name begins with it");
    }
}

bool ctrpp_options_read(struct ctrpp_options *options, char *const *word,
    size_t count, FILE *errors)
{
    struct option_words words = {
        .word = word, .count = count, .errors = errors};

    *options = (struct ctrpp_options){.rulings = rulings_default()};
    read_words(&words, options);
    check_refused(&words, options);
    if (options->value[CTRPP_MIGRATE] != NULL) {
        check_migrate(&words, options);
    } else if (!words.is_migration) {
        check_outputs(&words, options);
    }
    check_prefix(&words, options);
    check_standard(&words, options);
    if (options->input == NULL || options->input[0] == '\0') {
        fprintf(errors, "ntpmu ctrpp: no manifest\n"
                        "       name a file, MANIFEST.man\n");
        words.wrong++;
    }
    return words.wrong == 0;
}

void ctrpp_options_help(FILE *out)
{
    fprintf(out, "\noptions:\n");
    for (unsigned i = 0; i < CTRPP_OPTIONS; i++) {
        const char *value = rows[i].value == NULL ? "" : rows[i].value;
        int left = 22 - (int)strlen(rows[i].spelling) -
                   (value[0] == '\0' ? 0 : 1 + (int)strlen(value));

        fprintf(out, "  %s%s%s%*s %s\n", rows[i].spelling,
            value[0] == '\0' ? "" : " ", value, left > 0 ? left : 0, "",
            rows[i].help);
    }
    fprintf(out, "  --help                 this text\n"
                 "\nNothing is written unless all of it can be: docs/ctrpp.md "
                 "says what is checked.\n");
}
