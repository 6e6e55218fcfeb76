/* proofs.h - the record of proofs, scenarios/requirements/proofs.txt: defects
 * planted by hand, each with the requirements whose expectations it makes
 * fail. */
#ifndef MUTATION_PROOFS_H
#define MUTATION_PROOFS_H

#include <stdbool.h>
#include <stddef.h>

enum { PROOF_REQUIREMENTS = 3 };

/* `before` stands exactly once in the file, wherever that is and however its
 * lines are broken. */
struct proof {
    const char *file, *before, *after;
    const char *by;                         /* the scenario that fails */
    const char *proves[PROOF_REQUIREMENTS]; /* ids; NULL after the last */
    unsigned line;                          /* of the record, for messages */
};

struct proofs {
    struct proof *item;
    size_t count;
};

/* Reads paragraphs of the lines `file:`, `before:`, `after:`, `by:` and
 * `proves:`. Child of `context`. NULL and *problem, where and what, on error.
 */
struct proofs *proofs_read(
    void *context, const char *name, const char *text, const char **problem);

/* Where `before` stands in the text, and how many bytes of it that is; false
 * and *problem unless it is there exactly once. */
bool proof_locate(void *context, const struct proof *proof, const char *name,
    const char *text, size_t *at, size_t *length, const char **problem);

/* Whether the text, that of the scenario, cites all that it is to prove; false
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
