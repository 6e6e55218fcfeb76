/* text_file.h - a file of a few lines that is in memory, and the errors that
 * were found in it, as they are printed. Who includes it defines
 * _POSIX_C_SOURCE. */
#ifndef TESTS_RUNNER_TEXT_FILE_H
#define TESTS_RUNNER_TEXT_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "scenarios/runner/yaml/diagnostics.h"
#include "scenarios/runner/yaml/yaml_tree.h"
#include "tests/rows.h"

struct text_file {
    void *memory; /* everything is its child */
    struct source *source;
    struct diagnostics *diagnostics;
};

/* A file called t.yaml; the text outlives it. */
static inline void text_file_init_bytes(
    struct text_file *file, const char *text, size_t length)
{
    file->memory = talloc_new(NULL);
    assert_non_null(file->memory);
    file->source = source_from_text(file->memory, "t.yaml", text, length);
    file->diagnostics = diagnostics_new(file->memory);
}

static inline void text_file_init(struct text_file *file, const char *text)
{
    text_file_init_bytes(file, text, strlen(text));
}

static inline void text_file_release(struct text_file *file)
{
    talloc_free(file->memory);
}

/* What print(argument, out) prints, child of `memory`. */
static inline char *text_of(void *memory,
    void (*print)(const void *argument, FILE *out), const void *argument)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    char *copy;

    assert_non_null(out);
    print(argument, out);
    fclose(out);
    copy = talloc_strdup(memory, text);
    free(text);
    return copy;
}

static inline void text_file_print_errors(const void *argument, FILE *out)
{
    diagnostics_print(argument, out);
}

/* The errors, in the order and form in which they are printed. */
static inline char *text_file_errors(struct text_file *file)
{
    return text_of(file->memory, text_file_print_errors, file->diagnostics);
}

static inline bool text_begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* The errors begin so: "t.yaml:2:5: error[NTP0104]: ...". An empty text means
 * that there are none. */
static inline void text_file_assert_errors(
    struct text_file *file, const char *beginning)
{
    char *errors = text_file_errors(file);

    if (beginning[0] == '\0') {
        assert_string_equal(errors, "");
    } else if (!text_begins(errors, beginning)) {
        assert_string_equal(errors, beginning); /* shows both */
    }
}

/* The tree of a text without errors. */
static inline struct node *text_file_tree(struct text_file *file)
{
    struct node *root =
        yaml_tree_read(file->memory, file->source, file->diagnostics);

    text_file_assert_errors(file, "");
    assert_non_null(root);
    return root;
}

#endif
