/* facts.h - what a judge reads of a run that is not in the scenario, told by
 * the process that ran it to the one that judges it. Both call the same
 * functions in the same order: whoever tells passes what there is, whoever
 * hears is given what was told instead, and nothing that it passed is looked
 * at. Without facts (NULL) everything is as it is. Both are one program on one
 * host. */
#ifndef RUNNER_LANGUAGE_FACTS_H
#define RUNNER_LANGUAGE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FACTS_TEXT_BYTES = 1 << 20 }; /* a text that is told is cut there */

struct facts {
    FILE *out;           /* where they are told; NULL: they are heard */
    const uint8_t *at;   /* of those that are heard, the next */
    size_t left;         /* bytes of them */
    const char *problem; /* with what was heard, the first; NULL: none */
    void *context;       /* of texts that are heard */
};

/* Whether values come from another process. */
bool facts_heard(const struct facts *facts);

/* What was heard cannot be. From then on numbers are 0, texts are empty. */
void facts_refuse(struct facts *facts, const char *problem);

uint64_t facts_number(struct facts *facts, uint64_t number);
bool facts_flag(struct facts *facts, bool flag);

/* A number below `end`; a larger one that is heard is refused. */
uint64_t facts_below(struct facts *facts, uint64_t number, uint64_t end);

/* How many facts or bytes follow: as many as could still be heard. */
size_t facts_count(struct facts *facts, size_t count);

/* What is heard is a child of the facts' context. Of the second, NULL is one,
 * too. */
const char *facts_text(struct facts *facts, const char *text);
const char *facts_text_or_none(struct facts *facts, const char *text);

/* A text that is right UTF-8; another one that is heard is refused. */
const char *facts_utf8(struct facts *facts, const char *text);

/* That many bytes, likewise. */
const uint8_t *facts_bytes(
    struct facts *facts, const uint8_t *bytes, size_t count);

#endif
