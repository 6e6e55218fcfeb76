/* outline.h - a scenario as its file has it, before it is read for any of its
 * instances: its id and title, and the names and values that make instances
 * differ. */
#ifndef RUNNER_SCENARIO_OUTLINE_H
#define RUNNER_SCENARIO_OUTLINE_H

#include "scenarios/runner/language/resolve.h"
#include "scenarios/runner/library/library.h"
#include "scenarios/runner/scenario/instance.h"

enum {
    OUTLINE_INSTANCES = 10000, /* of cases x matrix, before `requires` */
    OUTLINE_NAMES = 64,
};

/* An axis of the matrix. */
struct axis {
    const struct node *key;
    const struct node *values; /* a list of plain scalars */
    bool is_machine_key;
};

/* What a part of the file defines, and whether any instance used it. */
struct use {
    const struct node *defined;
    const char *what; /* "variable" */
    bool used;
};

struct fragments_found;

struct outline {
    struct library *library;
    const struct source *source;
    const struct node *root;
    size_t errors_before; /* that the library's diagnostics had */
    const char *id, *title;
    const char **tag; /* the defaults' too */
    size_t tag_count;
    const char *suite;          /* the directory that its fragments lie in */
    const struct node *machine; /* with the defaults'; NULL: none */
    struct static_name *name;   /* params, then columns, then axes */
    size_t name_count;
    size_t param_count, column_count;
    const struct node *cases; /* NULL: none */
    struct axis *axis;
    size_t axis_count;
    struct whens *whens;
    struct fragments_found *fragments;
    struct use *use;
    size_t use_count;
    size_t use_next; /* what is likely noted next: every instance has the same
                        order */
    bool unchecked;  /* outline_check() is to be called, for all parts */
    bool checks_nothing; /* some instance does, which was said */
    bool cites;          /* some instance's expectation cites a requirement */
    const struct node *covers_due; /* the default that asks for that; or NULL */
    bool native;       /* some instance runs a driver's machine code */
    bool names_broken; /* errors about them were reported */
    bool broken;       /* errors were found, perhaps in a file that has been
                          reported for another scenario */
    struct instances instances;
    const char **dropped; /* ids that `requires` left out */
    size_t dropped_count;
};

/* Reads what the keys of the whole file say, and makes and checks the instances
 * unless the library leaves as many `unchecked`. Every error is in the
 * library's diagnostics. Child of `context`. */
struct outline *outline_read(
    void *context, struct library *library, const struct node *root);

/* For a part of the instances that are unchecked: an outline that finds out for
 * itself what its instances use, and reads fragments by a library of its own.
 * Child of `context`. */
struct outline *outline_part(
    void *context, const struct outline *outline, struct library *library);

/* Reads the scenario as each of these instances has it. Errors that several
 * have are reported once. */
void outline_check(
    struct outline *part, struct instance *instance, size_t count);

/* Adds what a part has found out; in the order of the parts. */
void outline_join(struct outline *outline, const struct outline *part);

/* What can be said when all instances were checked. */
void outline_conclude(struct outline *outline);

/* Whether a text may be an id: lower-case letters, digits, _ and dots. */
bool outline_is_id(const char *text);

/* Notes that something is defined, and whether this instance used it. */
void outline_note_use(struct outline *outline, const struct node *defined,
    const char *what, bool used);

/* The key of the file that gives an instance this value of its tree: cases,
 * matrix or params; `with` where a step gives it to a fragment. */
const char *outline_section(
    const struct outline *outline, const struct node *value);

#endif
