/* proofs.h - the record of proofs, scenarios/requirements/proofs.txt: defects
 * planted by hand, each with the requirements whose expectations it makes
 * fail. */
#ifndef MUTATION_PROOFS_H
#define MUTATION_PROOFS_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/mutation/mutants.h"

enum { PROOF_REQUIREMENTS = 3, PROOF_PLACES = 2 };

/* `before` stands exactly once in the file, wherever that is and however its
 * lines are broken. */
struct proof_place {
    const char *file, *before, *after;
};

struct proof {
    /* A second one where what the first keeps is used; else its file is NULL.
     */
    struct proof_place place[PROOF_PLACES];
    /* What fails: a scenario's path, or the unit test room.test_file.row. */
    const char *by;
    const char *proves[PROOF_REQUIREMENTS]; /* ids; NULL after the last */
    unsigned line;                          /* of the record, for messages */
};

struct proofs {
    struct proof *item;
    size_t count;
};

/* Reads paragraphs of the lines `file:`, `before:`, `after:`, `by:` and
 * `proves:`, where another `before:` and `after:` may follow the first. Child
 * of `context`. NULL and *problem, where and what, on error. */
struct proofs *proofs_read(
    void *context, const char *name, const char *text, const char **problem);

/* The change of that file's text that it plants, all from its first place there
 * to its last; false and *problem unless each of them is there exactly once,
 * and apart from the other. */
bool proof_locate(void *context, const struct proof *proof, const char *file,
    const char *name, const char *text, struct mutant *mutant,
    const char **problem);

/* The n-th file that it plants something in, each of them once; NULL: there are
 * fewer. */
const char *proof_file(const struct proof *proof, size_t n);

/* Whether `by` is a unit test. */
bool proof_is_by_unit(const struct proof *proof);

/* The file of what fails: the scenario, or tests/ROOM/test_file.c. Child of
 * `context`. */
char *proof_source(void *context, const struct proof *proof);

/* Whether the text, that of proof_source, cites all that it is to prove; false
 * and *problem, which names the first that it does not. */
bool proof_is_cited(void *context, const struct proof *proof, const char *name,
    const char *text, const char **problem);

/* Whether it is among those with these ids; of none that are named, each is. */
bool proof_is_asked_for(
    const struct proof *proof, char *const *id, size_t count);

/* Whether no entry before the n-th is of its family: that of the first
 * requirement that it proves. */
bool proofs_is_first(const struct proofs *proofs, size_t n);

#endif
