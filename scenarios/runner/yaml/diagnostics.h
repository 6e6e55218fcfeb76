/* diagnostics.h - errors of files, collected, then shown all at once. */
#ifndef RUNNER_YAML_DIAGNOSTICS_H
#define RUNNER_YAML_DIAGNOSTICS_H

#include <stddef.h>
#include <stdio.h>

#include "scenarios/runner/yaml/source.h"

enum diagnostic_code {
#define DIAGNOSTIC(name, ...) DIAGNOSTIC_##name,
#include "scenarios/runner/yaml/diagnostics.def"
    DIAGNOSTIC_COUNT,
    DIAGNOSTIC_NOTE = DIAGNOSTIC_COUNT, /* more about the error before it */
};

struct diagnostic {
    enum diagnostic_code code;
    const struct source *source; /* NULL: about `path` as a whole */
    const char *path;
    struct mark mark;
    size_t width;        /* characters to underline */
    const char *message; /* what is wrong */
    const char *hint;    /* what to do instead; NULL: nothing to add */
};

struct key_index;

struct diagnostics {
    struct diagnostic *item;
    size_t count;
    size_t errors;          /* of them; the others are notes */
    struct key_index *said; /* the first `indexed`; NULL: nobody asked */
    size_t indexed;
};

/* An empty list, child of `context`. */
struct diagnostics *diagnostics_new(void *context);

/* Adds an error at a place; `width` 0 underlines one character. The message is
 * made as by printf; diagnostics_hint() then adds what to do instead. */
__attribute__((format(printf, 6, 7))) void diagnostics_add(
    struct diagnostics *diagnostics, enum diagnostic_code code,
    const struct source *source, struct mark mark, size_t width,
    const char *format, ...);

/* Adds an error about a file that has no text. */
__attribute__((format(printf, 4, 5))) void diagnostics_add_file(
    struct diagnostics *diagnostics, enum diagnostic_code code,
    const char *path, const char *format, ...);

/* Gives the error that was added last its hint; notes may have come after it.
 */
__attribute__((format(printf, 2, 3))) void diagnostics_hint(
    struct diagnostics *diagnostics, const char *format, ...);

/* Gives the note that was added last a hint of its own. */
__attribute__((format(printf, 2, 3))) void diagnostics_hint_note(
    struct diagnostics *diagnostics, const char *format, ...);

/* Moves the errors of `from` with their notes, but those that `into` has
 * already: the same text at the same place. */
void diagnostics_merge(struct diagnostics *into, struct diagnostics *from);

/* Errors, without the notes. */
size_t diagnostics_errors(const struct diagnostics *diagnostics);

/* NTP0101 and so on; NULL for a note. */
const char *diagnostics_code(enum diagnostic_code code);

/* A copy in the order in which they are printed, child of `context`; each error
 * has its notes behind it. */
struct diagnostics *diagnostics_in_order(
    void *context, const struct diagnostics *diagnostics);

/* Writes them in order of their place: the GNU-style line, the source line,
 * the caret with the hint. */
void diagnostics_print(const struct diagnostics *diagnostics, FILE *out);

/* The source line of a place and the underline below it, with `hint` behind
 * (NULL: none). */
void diagnostics_print_place(const struct source *source, struct mark mark,
    size_t width, const char *hint, FILE *out);

#endif
