/* text_edit.h - changes to a text, as a list of places and replacements. */
#ifndef RUNNER_TEXT_TEXT_EDIT_H
#define RUNNER_TEXT_TEXT_EDIT_H

#include <stddef.h>

struct text_edit {
    size_t offset, length; /* bytes of the text that go */
    const char *with;      /* what comes there */
};

struct text_edits {
    const char *text; /* the text that is changed; not owned */
    size_t length;
    struct text_edit *item; /* in order of their places, apart */
    size_t count;
    size_t capacity;
};

/* An empty list, child of `context`. */
struct text_edits *text_edits_new(
    void *context, const char *text, size_t length);

/* Adds a change behind those that are there; none when the text reads so
 * already. `with` is copied. */
void text_edits_add(
    struct text_edits *edits, size_t offset, size_t length, const char *with);

/* The changed text with a NUL behind it, child of `context`. */
char *text_edits_apply(
    void *context, const struct text_edits *edits, size_t *length);

#endif
