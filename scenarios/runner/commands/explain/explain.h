/* explain.h - what a word of the language, of the kernel or of the machine
 * means, out of the tables that the validator reads too. */
#ifndef RUNNER_COMMANDS_EXPLAIN_EXPLAIN_H
#define RUNNER_COMMANDS_EXPLAIN_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "api/text/suggest.h"
#include "scenarios/runner/language/requirements.h"

struct explain {
    void *context; /* texts are its children */
    FILE *out;
    const struct requirements *requirements;
    /* The first requirement of each family, and behind the last family the
     * number of requirements. */
    const size_t *family;
    size_t family_count;
};

/* A list of things that have names. */
struct explain_kind {
    const char *noun;
    const char *plural; /* the word that lists them */
    const char *also;   /* another such word; NULL: none */
    /* The n-th thing's name; NULL: there are no more. */
    const char *(*name)(const struct explain *explain, size_t n);
    /* In a line, for the list. */
    const char *(*line)(const struct explain *explain, size_t n);
    /* Writes all that is known of it, below its name. */
    void (*show)(const struct explain *explain, size_t n);
    /* Whether a number stands for it, too; NULL: none does. */
    bool (*has_number)(size_t n, uint64_t number);
};

enum explain_list {
#define EXPLAIN(name, ...) EXPLAIN_##name,
#include "scenarios/runner/commands/explain/explain.def"
    EXPLAIN_LISTS
};

extern const struct explain_kind explain_kinds[EXPLAIN_LISTS];

/* Begins with what the program was built with; both lists are the context's. */
struct explain explain_open(void *context, FILE *out);

/* Writes everything that goes by the word, in whatever case it is written.
 * Returns how many there were. */
size_t explain_word(const struct explain *explain, const char *word);

/* The word that is nearest to one that means nothing. */
struct suggestion explain_suggest(
    const struct explain *explain, const char *word);

/* Writes which words give lists. */
void explain_lists(FILE *out);

/* For the kinds: writes "  label: text" in lines that fit a terminal. */
__attribute__((format(printf, 3, 4))) void explain_field(
    const struct explain *explain, const char *label, const char *format, ...);

/* Writes each requirement of ids that are separated by spaces. */
void explain_requirements(
    const struct explain *explain, const char *label, const char *ids);

/* For explain_open(): finds the families of the requirements. */
void explain_families(struct explain *explain);

/* Whether the requirement's text has the word, whole. */
bool explain_mentions(const struct requirement *requirement, const char *word);

/* Writes the ids of the requirements that mention the word. */
void explain_mentioned(const struct explain *explain, const char *word);

/* `list` with another item behind a comma; an empty one is "". */
char *explain_append(char *list, const char *item);

/* Of explain.def, by kind. */
#define EXPLAIN(name, noun, plural, also, function, number)                    \
    const char *name_##function(const struct explain *explain, size_t n);      \
    const char *line_##function(const struct explain *explain, size_t n);      \
    void show_##function(const struct explain *explain, size_t n);
#include "scenarios/runner/commands/explain/explain.def"

bool number_of_status(size_t n, uint64_t number);
bool number_of_bugcheck(size_t n, uint64_t number);
bool number_of_register(size_t n, uint64_t number);
bool number_of_real_msr(size_t n, uint64_t number);

#endif
