/* out_views.h - typed values in an output that is bytes, as an expectation has
 * them: {at: 4, type: ULONG, is: 7}, or a list of these; of a structure that
 * the scenario describes, {at: 0, type: PMU_COUNTS, is: {hits: 7}}. */
#ifndef RUNNER_CHECKS_OUT_VIEWS_H
#define RUNNER_CHECKS_OUT_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct evaluation;
struct node;
struct reader;
struct step;

/* A block that the call was given: what is there, and what was before. */
struct written {
    const uint8_t *at, *before; /* NULL: none was given */
    size_t size;
    bool array;
};

/* Checks them; reports what is wrong. */
void out_views_read(
    struct reader *reader, const struct step *step, const struct node *node);

/* Asks each; `what` is the output's name for a failure. */
void out_views_evaluate(const struct evaluation *evaluation,
    const struct node *node, const struct written *block, const char *what);

#endif
