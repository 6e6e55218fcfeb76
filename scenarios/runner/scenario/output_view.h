/* output_view.h - a typed value at an offset of an output that is bytes:
 * {at: 4, type: ULONG, is: 7} where it is expected, {out: Output, at: 4,
 * type: ULONG} where it is saved. Its type may be a structure of the
 * scenario's, of which a field is saved. */
#ifndef RUNNER_SCENARIO_OUTPUT_VIEW_H
#define RUNNER_SCENARIO_OUTPUT_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "api/nt/type.h"

struct node;
struct parameter;
struct reader;
struct save;
struct scope;
struct step;
struct structure;

struct output_view {
    size_t at, size;             /* bytes */
    const struct structure *own; /* NULL: it is of an NT type */
    enum nt_type type;
};

/* Whether the output is bytes. */
bool output_view_has(const struct parameter *parameter);

/* Whether an expectation of such an output is a view or a list of views. */
bool output_view_expected(
    const struct parameter *parameter, const struct node *node);

/* Where it is and what. Returns false after reporting. */
bool output_view_of(
    struct scope *scope, const struct node *node, struct output_view *view);

/* The same; it must be inside of the step's output. */
bool output_view_read(struct reader *reader, const struct step *step,
    const struct node *node, struct output_view *view);

/* The view that a step saves. Returns false after reporting. */
bool output_view_read_save(struct reader *reader, const struct step *step,
    const struct node *node, struct save *save, enum nt_type *type);

#endif
