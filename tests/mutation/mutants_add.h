/* mutants_add.h - between the searches that mutants_find is made of. */
#ifndef MUTATION_MUTANTS_ADD_H
#define MUTATION_MUTANTS_ADD_H

#include "tests/mutation/mutants.h"
#include "tests/mutation/tokens.h"

/* Tokens first..last give way to `after`, to which the line breaks between
 * them are added, as far as it has none of its own. */
void mutants_add(struct mutants *mutants, const struct tokens *tokens,
    size_t first, size_t last, enum mutant_kind kind, const char *after);

/* Comparisons, masks, sums, constants and statuses. */
void mutants_add_operators(
    struct mutants *mutants, const struct tokens *tokens);

/* Conditions, statements and results of functions. */
void mutants_add_statements(
    struct mutants *mutants, const struct tokens *tokens);

#endif
