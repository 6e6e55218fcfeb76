/* literal.h - expected values that stand in a scenario's file as they are, and
 * what each would have to be for all comparisons with it to be met. */
#ifndef RUNNER_LANGUAGE_LITERAL_H
#define RUNNER_LANGUAGE_LITERAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/nt/irql_level.h"
#include "api/nt/type.h"

struct actual;
struct node;

enum {
    LITERAL_LIST = 64,         /* elements of a list that is written anew */
    LITERAL_TEXT_BYTES = 4096, /* of such a list */
};

/* An expectation that was compared at least once. */
struct literal {
    const struct node *place;
    bool met;           /* a comparison was met by it */
    bool differs;       /* another one was not */
    bool several;       /* they would have to have different values */
    const char *actual; /* what would have been right, as a scenario writes it;
                           NULL: it is a matcher, or nothing can be written */
};

/* What a run has compared. */
struct literals {
    struct literal *item; /* each place once */
    size_t count;
    size_t failures; /* failures that consist of differences which are here */
};

/* Notes a comparison. `actual` is copied; it is not looked at where it was met.
 * Nothing where `literals` is NULL. */
void literals_note(struct literals *literals, const struct node *place,
    bool met, const char *actual);

/* The same of one value. */
void literals_note_number(struct literals *literals, const struct node *place,
    enum nt_type type, enum arch arch, uint64_t number, bool met);

/* Whether a list is written anew as a whole: one of plain values. */
bool literal_is_list(const struct node *node, const struct actual *actual);

/* The same of such a list. */
void literals_note_list(struct literals *literals, const struct node *place,
    const struct actual *actual, enum arch arch, bool met);

/* A value as a scenario writes it, in hexadecimal where the type or the one
 * that it replaces is. Child of `context`; NULL: the type has values that
 * nobody can write, and it is one. */
char *literal_text(void *context, enum nt_type type, enum arch arch,
    uint64_t number, const struct node *replaced);

/* Whether a text can be one that the functions above have made. */
bool literal_is_text(const char *text);

#endif
