/* mutants.h - the small defects that can be planted in a C file. Whether the
 * result compiles, and whether it does anything else, is for the compiler. */
#ifndef MUTATION_MUTANTS_H
#define MUTATION_MUTANTS_H

#include <stddef.h>

enum mutant_kind {
#define MUTANT_KIND(name, spelling) MUTANT_##name,
#include "tests/mutation/mutant_kinds.def"
    MUTANT_KINDS
};

/* `length` bytes at `at` give way to `after`, which has as many lines. */
struct mutant {
    enum mutant_kind kind;
    size_t at, length;
    const char *after;
    unsigned line, column;
};

struct mutants {
    struct mutant *item; /* by place */
    size_t count;
};

const char *mutant_kind_name(enum mutant_kind kind);

/* All of a file. Child of `context`. */
struct mutants *mutants_find(void *context, const char *text);

/* The number of the line that the byte at `at` stands in. */
unsigned mutant_line(const char *text, size_t at);

/* The text with that defect, and nothing else changed. */
char *mutant_apply(
    void *context, const char *text, const struct mutant *mutant);

#endif
