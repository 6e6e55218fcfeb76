/* walk.h - a seeded order over all mutants of many files. */
#ifndef MUTATION_WALK_H
#define MUTATION_WALK_H

#include <stddef.h>
#include <stdint.h>

#include "tests/mutation/mutants.h"

struct walk_file {
    const char *path;
    char *text;
    struct mutants *mutants;
};

struct walk_site {
    size_t file, mutant;
};

struct walk {
    struct walk_file *file;
    size_t file_count;
    struct walk_site *site; /* in the order of the files until it is shuffled */
    size_t site_count;
};

/* How many mutants of one file may follow each other. */
enum { WALK_RUN = 2 };

/* Child of `context`. NULL with errno where a file cannot be read, and its
 * path in *unreadable. */
struct walk *walk_read(
    void *context, char *const *path, size_t count, const char **unreadable);

/* Every mutant is as likely as every other, so large files come more often;
 * after WALK_RUN of one file comes one of another as long as there is any. */
void walk_shuffle(struct walk *walk, uint64_t seed);

/* The whole file as a string, child of `context`; NULL with errno. */
char *walk_read_file(void *context, const char *path);

#endif
