/* test_ctrpp_options.c - the words behind ntpmu ctrpp: what is read out of
 * them, and what is said about wrong ones, all of it at once. */
#define _POSIX_C_SOURCE 200809L
#include "scenarios/runner/commands/ctrpp/ctrpp_options.h"

#include <stdlib.h>
#include <string.h>

#include "tests/rows.h"

enum { WORDS = 16 };

#define FIFTY_ONE "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

static struct options_row {
    const char *name;
    const char *words[WORDS];
    const char *want; /* what was read */
    const char *said; /* a part of what is said; NULL: it is right */
} options_rows[] = {
    /* CTR-CLI-01 */
    {"code_and_resources", {"-o", "a.h", "-rc", "a.rc", "a.man"},
        "-o=a.h -rc=a.rc a.man", NULL},
    {"manifest_before_the_options", {"a.man", "-rc", "a.rc", "-o", "a.h"},
        "-o=a.h -rc=a.rc a.man", NULL},
    {"all_that_is_taken",
        {"-o", "a.h", "-rc", "a.rc", "-ch", "s.h", "-prefix", "Kcs", "a.man"},
        "-o=a.h -rc=a.rc -ch=s.h -prefix=Kcs a.man", NULL},
    {"code_alone", {"-o", "a.h", "a.man"}, NULL, "missing option '-rc'"},
    {"resources_alone", {"-rc", "a.rc", "a.man"}, NULL, "missing option '-o'"},
    {"no_manifest", {"-o", "a.h", "-rc", "a.rc"}, NULL, "no manifest"},
    {"manifest_without_a_name", {"-o", "a.h", "-rc", "a.rc", ""}, NULL,
        "no manifest"},
    {"two_manifests", {"-o", "a.h", "-rc", "a.rc", "a.man", "b.man"}, NULL,
        "more than one manifest: 'b.man'"},
    {"value_that_is_an_option", {"-o", "-rc", "a.rc", "a.man"}, NULL,
        "missing value for '-o'"},
    {"value_left_out", {"a.man", "-o"}, NULL, "missing value for '-o'"},
    {"option_twice", {"-o", "a.h", "-rc", "a.rc", "-rc", "b.rc", "a.man"}, NULL,
        "given twice: '-rc'"},
    {"unknown_option", {"-oo", "a.h", "-rc", "a.rc", "a.man"}, NULL,
        "did you mean '-o'?"},
    {"in_another_case", {"-O", "a.h", "-RC", "a.rc", "-Prefix", "P", "a.man"},
        "-o=a.h -rc=a.rc -prefix=P a.man", NULL},
    {"as_on_the_page", {"-o", "a.h", "-rc", "a.rc", "-BackCompat", "a.man"},
        "-o=a.h -rc=a.rc -backcompat= a.man", NULL},
    {"in_both_cases", {"-o", "a.h", "-rc", "a.rc", "-O", "b.h", "a.man"}, NULL,
        "given twice: '-O'"},
    {"value_that_is_an_option_in_another_case", {"-o", "-Rc", "a.rc", "a.man"},
        NULL, "missing value for '-o'"},
    {"missing_beside_a_refused_option", {"-legacy", "-o", "a.h", "a.man"}, NULL,
        "missing option '-rc'"},
    {"missing_beside_one_given_twice", {"-o", "a", "-o", "b", "a.man"}, NULL,
        "missing option '-rc'"},
    {"migrate_to_standard_output", {"-migrate", "-", "a.man"}, NULL,
        "'-' is no file for '-migrate'"},
    {"files_that_are_called_so", {"-o", "./-", "-rc", "a.rc", "d/-"},
        "-o=./- -rc=a.rc d/-", NULL},
    {"value_that_begins_as_an_option", {"-o", "-rcc", "x.rc", "a.man"}, NULL,
        "ntpmu ctrpp: missing value for '-o'\n"
        "       what begins with - is none: a file called so is written "
        "./-NAME\n"
        "ntpmu ctrpp: unknown option '-rcc'\n"
        "       did you mean '-rc'?\n"
        "       see: ntpmu ctrpp --help\n"},
    {"prefix_that_begins_as_an_option",
        {"-o", "a.h", "-rc", "a.rc", "-prefix", "-P", "a.man"}, NULL,
        "missing value for '-prefix'"},
    {"empty_prefix", {"-o", "a.h", "-rc", "a.rc", "-prefix", "", "a.man"},
        "-o=a.h -rc=a.rc -prefix= a.man", NULL},
    {"prefix_of_no_name", {"-o", "a", "-rc", "b", "-prefix", "a-", "a.man"},
        NULL, "begins no name of C: 'a-'"},
    {"prefix_of_255",
        {"-o", "a", "-rc", "b", "-prefix",
            FIFTY_ONE FIFTY_ONE FIFTY_ONE FIFTY_ONE FIFTY_ONE, "a.man"},
        "-o=a -rc=b -prefix=" FIFTY_ONE FIFTY_ONE FIFTY_ONE FIFTY_ONE FIFTY_ONE
        " a.man",
        NULL},
    {"prefix_of_256",
        {"-o", "a", "-rc", "b", "-prefix",
            FIFTY_ONE FIFTY_ONE FIFTY_ONE FIFTY_ONE FIFTY_ONE "x", "a.man"},
        NULL, "longer than 255 characters: 'xxx"},
    {"file_that_is_called_like_an_option",
        {"-o", "./-rc", "-rc", "a.rc", "a.man"}, "-o=./-rc -rc=a.rc a.man",
        NULL},

    /* CTR-CLI-05 */
    {"migrate", {"-migrate", "b.man", "a.man"}, "-migrate=b.man a.man", NULL},
    {"migrate_with_others",
        {"-migrate", "b.man", "-o", "a.h", "-rc", "a.rc", "a.man"}, NULL,
        "-migrate goes without '-rc'"},

    {"of_user_mode", {"-NotificationCallback", "a.man"}, NULL,
        "is not taken: '-NotificationCallback'"},
    {"of_memory", {"-MemoryRoutines", "a.man"}, NULL,
        "is not taken: '-MemoryRoutines'"},
    {"of_vista", {"-legacy", "a.man"}, NULL, "is not taken: '-legacy'"},
    /* CTR-CLI-07 */
    {"of_older_systems", {"-backcompat", "-o", "a.h", "-rc", "a.rc", "a.man"},
        "-o=a.h -rc=a.rc -backcompat= a.man", NULL},
    {"of_older_systems_twice",
        {"-backcompat", "-o", "a.h", "-rc", "a.rc", "-backcompat", "a.man"},
        NULL, "given twice: '-backcompat'"},
    {"migrate_for_older_systems", {"-migrate", "b.man", "-backcompat", "a.man"},
        NULL, "-migrate goes without '-backcompat'"},
    /* CTR-CLI-08a, CTR-CLI-08b: known, and refused */
    {"summary", {"-summary", "a", "a.man"}, NULL, "is not taken: '-summary'"},
    {"summary_path", {"-sumPath", "a", "a.man"}, NULL,
        "is not taken: '-sumPath'"},
};

static struct options_row ruling_rows_of_words[] = {
    /* CTR-CLI-08b [C], flipped: before what it is about, or behind it */
    {"summary_is_ignored",
        {"-ruling", "CTR-CLI-08b=ignore", "-o", "a.h", "-rc", "a.rc",
            "-summary", "b", "-sumPath", "c", "a.man"},
        "-o=a.h -rc=a.rc -ruling=CTR-CLI-08b=ignore -summary=b -sumPath=c "
        "a.man",
        NULL},
    {"summary_is_ignored_by_what_follows",
        {"-summary", "b", "-o", "a.h", "-rc", "a.rc", "a.man", "-ruling",
            "CTR-CLI-08b=ignore"},
        "-o=a.h -rc=a.rc -ruling=CTR-CLI-08b=ignore -summary=b a.man", NULL},
    {"nothing_else_is_ignored",
        {"-ruling", "CTR-CLI-08b=ignore", "-o", "a", "-rc", "b", "-legacy",
            "a.man"},
        NULL, "is not taken: '-legacy'"},
    {"not_ignored_beside_migrate",
        {"-migrate", "b.man", "-summary", "x", "-ruling", "CTR-CLI-08b=ignore",
            "a.man"},
        NULL, "-migrate goes without '-summary'"},
    {"ignored_and_without_a_value",
        {"-ruling", "CTR-CLI-08b=ignore", "-o", "a", "-rc", "b", "a.man",
            "-summary"},
        NULL, "missing value for '-summary'"},
    {"two_rulings",
        {"-ruling", "CTR-MAN-03c=require", "-ruling", "CTR-CLI-08b=ignore",
            "-o", "a.h", "-rc", "a.rc", "a.man"},
        "-o=a.h -rc=a.rc -ruling=CTR-CLI-08b=ignore a.man", NULL},
    {"ruling_beside_migrate",
        {"-migrate", "b.man", "-ruling", "CTR-MAN-03c=require", "a.man"},
        "-migrate=b.man -ruling=CTR-MAN-03c=require a.man", NULL},
    {"ruling_of_a_machine",
        {"-ruling", "GEN-PTR-01=status", "-migrate", "b.man", "a.man"}, NULL,
        "'GEN-PTR-01=status'\n       write CTR-CLI-08b=ignore or "
        "CTR-MAN-03c=require\n"},
    {"ruling_without_its_value",
        {"-ruling", "CTR-MAN-03c", "-migrate", "b.man", "a.man"}, NULL,
        "no ruling of manifests and their compiler: 'CTR-MAN-03c'"},
    {"ruling_of_another_value",
        {"-ruling", "CTR-MAN-03c=ignore", "-migrate", "b.man", "a.man"}, NULL,
        "no ruling of manifests and their compiler: 'CTR-MAN-03c=ignore'"},
    {"ruling_that_holds",
        {"-ruling", "CTR-MAN-03c=default_struct", "-migrate", "b", "a.man"},
        NULL, "what holds without it: 'CTR-MAN-03c=default_struct'"},
    {"ruling_twice",
        {"-ruling", "CTR-MAN-03c=require", "-ruling", "CTR-MAN-03c=require",
            "-migrate", "b", "a.man"},
        NULL, "given twice: 'CTR-MAN-03c=require'"},
};

#define NO_CODE                                                                \
    "ntpmu ctrpp: missing option '-o'\n"                                       \
    "       write the header with the code (CTR-CLI-01)\n"
#define NO_RESOURCES                                                           \
    "ntpmu ctrpp: missing option '-rc'\n"                                      \
    "       write the resource file with the strings (CTR-CLI-01)\n"
#define NO_STANDARD_OUTPUT                                                     \
    "       standard output is not written to: name a file; one that is "      \
    "called - is written ./-\n"

/* All that is wrong is said in one pass, and nothing else. */
static struct options_row said_rows[] = {
    {"missing_beside_a_missing_value", {"-o"}, NULL,
        "ntpmu ctrpp: missing value for '-o'\n"
        "       write the header with the code (CTR-CLI-01)\n" NO_RESOURCES
        "ntpmu ctrpp: no manifest\n"
        "       name a file, MANIFEST.man\n"},
    {"missing_beside_an_unknown_option", {"-foo", "a.man"}, NULL,
        "ntpmu ctrpp: unknown option '-foo'\n"
        "       did you mean '-o'?\n"
        "       see: ntpmu ctrpp --help\n" NO_CODE NO_RESOURCES},
    /* It would be none with -migrate. */
    {"migrate_misspelt", {"-migrat", "b.man", "a.man"}, NULL,
        "ntpmu ctrpp: unknown option '-migrat'\n"
        "       did you mean '-migrate'?\n"
        "       see: ntpmu ctrpp --help\n"},
    {"standard_output", {"-o", "-", "-rc", "-", "-ch", "-", "a.man"}, NULL,
        "ntpmu ctrpp: '-' is no file for '-o'\n" NO_STANDARD_OUTPUT
        "ntpmu ctrpp: '-' is no file for '-rc'\n" NO_STANDARD_OUTPUT
        "ntpmu ctrpp: '-' is no file for '-ch'\n" NO_STANDARD_OUTPUT},
    {"standard_input", {"-o", "a.h", "-"}, NULL,
        NO_RESOURCES
        "ntpmu ctrpp: standard input is not read: '-'\n"
        "       name a file; one that is called - is written ./-\n"},
};

static char *show(const struct ctrpp_options *options)
{
    static const char *const spellings[] = {
#define CTRPP_OPTION(name, spelling, ...) [CTRPP_##name] = spelling,
#include "scenarios/runner/commands/ctrpp/ctrpp_options.def"
    };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    for (size_t i = 0; i < CTRPP_OPTIONS; i++) {
        if (options->value[i] != NULL) {
            fprintf(out, "%s=%s ", spellings[i], options->value[i]);
        }
    }
    fputs(options->input, out);
    fclose(out);
    return text;
}

/* Whether the words are taken, and what is said of them. */
static bool read_words(const struct options_row *row,
    struct ctrpp_options *options, char **word, char **said)
{
    size_t count = 0, size = 0;
    FILE *errors = open_memstream(said, &size);
    bool right;

    assert_non_null(errors);
    for (; row->words[count] != NULL; count++) {
        word[count] = strdup(row->words[count]);
    }
    word[count] = NULL;
    right = ctrpp_options_read(options, word, count, errors);
    fclose(errors);
    return right;
}

static void release(char **word, char *said)
{
    free(said);
    for (; *word != NULL; word++) {
        free(*word);
    }
}

static void options_row(void **state)
{
    const struct options_row *row = *state;
    struct ctrpp_options options;
    char *word[WORDS + 1], *said = NULL, *shown;

    assert_int_equal(read_words(row, &options, word, &said), row->said == NULL);
    if (row->said == NULL) {
        shown = show(&options);
        assert_string_equal(shown, row->want);
        assert_string_equal(said, "");
        free(shown);
    } else {
        assert_non_null(strstr(said, row->said));
    }
    release(word, said);
}

static void said_row(void **state)
{
    const struct options_row *row = *state;
    struct ctrpp_options options;
    char *word[WORDS + 1], *said = NULL;

    assert_false(read_words(row, &options, word, &said));
    assert_string_equal(said, row->said);
    release(word, said);
}

TEST_FILE(test_ctrpp_options)
{
    TEST_ADD_ROWS(list, options_row, options_rows);
    TEST_ADD_ROWS(list, options_row, ruling_rows_of_words);
    TEST_ADD_ROWS(list, said_row, said_rows);
}
