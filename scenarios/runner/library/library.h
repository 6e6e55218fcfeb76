/* library.h - what the files of one run share: the requirements, where errors
 * go, values from the command line, and the files that scenarios take defaults
 * and fragments from, each read once. */
#ifndef RUNNER_LIBRARY_LIBRARY_H
#define RUNNER_LIBRARY_LIBRARY_H

#include "scenarios/runner/language/requirements.h"
#include "scenarios/runner/language/schema.h"

enum { LIBRARY_DEFAULTS = 32 /* directories */ };

/* -D name=value */
struct given {
    const char *name;
    const struct node *value;
    bool used; /* some scenario has the parameter */
};

struct key_index;
struct kinds;
struct library_directory;
struct library_file;
struct library_header;
struct library_manifest;

struct library {
    struct schema schema;
    const struct kinds *kinds;
    const struct requirements *requirements;
    struct given *given;
    size_t given_count;
    bool no_files;       /* sources are no files: no defaults, no fragments */
    bool found_valid;    /* files were: what only finds errors is left out */
    bool manifests_only; /* but manifests and headers are where they would be */
    size_t checked_at_once; /* instances of a scenario; more of them are left
                               unchecked. 0: however many there are */
    struct library_file *file;
    size_t file_count;
    struct key_index *paths;              /* of the files, resolved */
    struct key_index *roots;              /* the addresses of their trees */
    struct library_directory **directory; /* whose defaults were looked for */
    size_t directory_count;
    struct key_index *directories;     /* resolved */
    struct library_manifest *manifest; /* read_manifests.c */
    size_t manifest_count;
    struct library_header *header; /* header_files.c */
    size_t header_count;
};

/* The defaults that hold for a file, the nearest first. */
struct library_defaults {
    const struct node *item[LIBRARY_DEFAULTS];
    size_t count;
    const char
        *root; /* the suite's directory, resolved; child of the library */
};

struct library *library_new(void *context, const struct kinds *kinds,
    const struct requirements *requirements, struct diagnostics *diagnostics);

/* Adds `name=value`. Returns false when it is not written so. */
bool library_give(struct library *library, const char *text);

/* Gives what was given to the other one, which has to live as long. */
void library_give_again(struct library *library, const struct library *other);

/* Notes what the other one, which was given the same, has used. */
void library_note_given(struct library *library, const struct library *other);

/* The tree of a file, read once. NULL when it cannot be read or is no YAML,
 * which is reported once. */
const struct node *library_tree(struct library *library, const char *path);

/* Checks a file of defaults or fragments when it is asked of for the first
 * time. Returns whether there is nothing wrong with it. */
bool library_check(struct library *library, const struct node *root,
    void (*check)(const struct schema *schema, const struct node *root));

/* A whole file of defaults: its keys. */
void library_check_defaults(
    const struct schema *schema, const struct node *root);

/* The defaults for the file with that tree. Returns false where a defaults.yaml
 * has errors, which were reported. */
bool library_find_defaults(struct library *library, const struct node *root,
    struct library_defaults *defaults);

/* Notes the files that the other one has read and this one has not, when no
 * more are. They live as long as the other one's memory. */
void library_note_files(struct library *library, const struct library *other);

/* The n-th file that was read: its text; NULL: it is no YAML, or behind the
 * last. */
const struct source *library_file_source(
    const struct library *library, size_t n);

/* Whether both have read each file of fragments that they share by one path,
 * so that it does not matter which of them a step is from. */
bool library_agrees(const struct library *library, const struct library *other);

/* A text as a scalar that was written on the command line; child of the
 * library. */
const struct node *library_scalar(
    struct library *library, const char *what, const char *text);

#endif
