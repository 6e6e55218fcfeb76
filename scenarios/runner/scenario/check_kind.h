/* check_kind.h - what a kind of expectation is: a row of checks.def with its
 * code. The room of checks has them; who reads scenarios is given them
 * (kinds.h). */
#ifndef RUNNER_SCENARIO_CHECK_KIND_H
#define RUNNER_SCENARIO_CHECK_KIND_H

#include <stdbool.h>
#include <stddef.h>

struct evaluation;
struct node;
struct outcome;
struct reader;
struct run;
struct step;

/* What of a step it compares. */
enum check_compares {
    COMPARES_RESULT,
    COMPARES_OUTPUTS,
    COMPARES_ROWS,
    COMPARES_EXCEPTION,
    COMPARES_MACHINE, /* or the kernel: whatever the step is */
};

/* What may not happen unless a step is asked about it. */
enum check_about {
    ABOUT_NOTHING,
    ABOUT_STATUS,       /* that a call fails */
    ABOUT_EXCEPTION,    /* that it raises one */
    ABOUT_UNHANDLED,    /* that a program ends by one */
    ABOUT_CANCELLATION, /* that one which was asked for does not come */
    ABOUT_RULES,        /* that a rule is broken */
    ABOUT_BUGCHECK,     /* that the machine stops */
};

/* How it is written where a step asserts something always or at its end. */
enum check_asserted { ASSERTED_NEVER, ASSERTED_MAPPING, ASSERTED_CONDITION };

struct check_code {
    /* Reports a step that cannot have the expectation, and a wrong form. */
    void (*read)(struct reader *reader, const struct step *step,
        const struct node *key, const struct node *value);

    /* Compares; a difference is reported with evaluate_fail(). */
    void (*evaluate)(const struct evaluation *evaluation);

    /* Notes what it needs to know of the moment before the step; NULL:
     * nothing. */
    void (*begin)(const struct run *run, struct outcome *outcome);

    /* It is not asked, so what it is about may happen; NULL: it is about
     * nothing. */
    void (*leave_out)(struct run *run, const struct outcome *outcome);

    /* Whether one of its entries cites for itself. NULL: none can; else each
     * is asked, or not, and counted by itself. */
    bool (*entries_cite)(const struct node *value);
};

struct check_kind {
    const char *key;
    const struct check_code *code;
    enum check_compares compares;
    enum check_about about;
    enum check_asserted asserted;
};

struct check_kinds {
    const struct check_kind *item;
    size_t count;
};

#endif
