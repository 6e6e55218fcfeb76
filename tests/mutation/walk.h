/* walk.h - a seeded order over all mutants of many files. */
#ifndef MUTATION_WALK_H
#define MUTATION_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/mutation/mutants.h"

struct walk_file {
    const char *path;
    char *text;
    uint64_t sum; /* of the text; another one is another file */
    struct mutants *mutants;
    bool *equivalent; /* by mutant: it is none (equivalents.h) */
};

struct walk_site {
    size_t file, mutant;
    uint64_t rank;
};

struct walk {
    struct walk_file *file;
    size_t file_count;
    struct walk_site *site; /* in the order of the files until it is ordered */
    size_t site_count;
};

/* Child of `context`. NULL with errno where a file cannot be read, and its
 * path in *unreadable. */
struct walk *walk_read(
    void *context, char *const *path, size_t count, const char **unreadable);

/* Every mutant is as likely as every other, so large files come more often. Its
 * place follows from the seed, its file's name and its number there: another
 * file that changes, comes or goes moves none of them before another. */
void walk_order(struct walk *walk, uint64_t seed);

/* The whole file as a string, child of `context`; NULL with errno. */
char *walk_read_file(void *context, const char *path);

#endif
