/* writer.h - an instance while it is written as a scenario of its own. */
#ifndef RUNNER_COMMANDS_EXPAND_WRITER_H
#define RUNNER_COMMANDS_EXPAND_WRITER_H

#include "scenarios/runner/scenario/scenario.h"
#include "scenarios/runner/yaml/yaml_out.h"

/* A variable of a fragment, which has another name where the fragment's steps
 * are written out. */
struct renamed {
    unsigned frame;
    const char *name;
    const char *to; /* in an expression: a name, or (expression) */
};

struct writer {
    void *context;
    FILE *out;
    const struct scenario *scenario;
    struct renamed *renamed;
    size_t renamed_count;
    unsigned frame;   /* whose names values have */
    const char *when; /* condition of the uses around; NULL: none */
    const char *as;   /* their actor; NULL: each step's own */
    char *origins;    /* of the line's values, for a comment; "" */
    const bool *kept; /* of scenario->structures, in their order */
};

/* writer.c: ends a line, with the origins of its values. */
void writer_end_line(struct writer *writer);

/* writer.c: `node` in flow style, names as they are called now. */
void writer_flow(struct writer *writer, const struct node *node);

/* writer.c: notes that a value comes from there. */
void writer_note_origin(
    struct writer *writer, const char *value, const struct node *from);

/* writer_names.c: the name that a variable of a frame is written with. */
const char *writer_name(
    const struct writer *writer, unsigned frame, const char *name);

/* writer_names.c: a plain scalar with the names that its variables have now. */
const char *writer_rename(const struct writer *writer, const struct node *node);

/* writer_names.c: what is inside of $( ), or behind $, for an expression. */
const char *writer_expression(
    const struct writer *writer, const struct node *node);

/* writer_names.c: gives the variables of a use's frame names of their own, or
 * those that its `save` has for them. */
void writer_enter_use(struct writer *writer, const struct step *use);

/* writer_names.c: whether `name` stands in the text, alone. */
bool writer_has_name(const char *text, const char *name);

/* writer_names.c: whether a variable that the actor sets is read by anything;
 * NULL: whoever sets it. */
bool writer_is_used(const struct writer *writer, unsigned frame,
    const char *name, const char *actor);

/* writer_steps.c: whether this instance has any of them. */
bool writer_has_steps(const struct step_list *steps);

/* writer_steps.c: a list of steps, `indent` blanks from the left. */
void writer_steps(
    struct writer *writer, const struct step_list *steps, int indent);

#endif
