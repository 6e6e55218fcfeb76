/* requirements.h - the requirements that expectations cite: id, evidence tag,
 * source and our own words, from scenarios/requirements/. */
#ifndef RUNNER_LANGUAGE_REQUIREMENTS_H
#define RUNNER_LANGUAGE_REQUIREMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "scenarios/runner/language/scenario_limits.h"
#include "scenarios/runner/language/schema.h"

struct requirement {
    const char *id;         /* HAL-ALLOC-35a: family, two digits, letter */
    char tag;               /* D documented, H header, O observed, C ruling */
    const char *source;     /* where it is from */
    const char *text;       /* in our own words */
    const char *choices;    /* of [C]: the values of its switch; NULL: none */
    const char *untestable; /* why no scenario can; NULL: one can */
    const char *awaits;     /* what has to be modelled first; NULL: nothing */
    const char *unit;       /* sim.test_pmc: the unit test; NULL: none */
    /* Those that state the same, together, and are cited in its place, and
     * NULL behind the last; none: it is one of its own. */
    const char *same[REQUIREMENT_SAME + 1];
    /* A defect is on record that an expectation notices, or a unit test. */
    bool proven, proven_by_unit;
    /* Where it stands; NULL of one that the program was built with. */
    const struct source *file;
    const struct node *key;
};

struct requirements {
    /* In order of their ids; not those that the program was built with, which
     * requirement_at() makes when somebody asks for them. */
    const struct requirement *item;
    size_t count;
    struct requirement *read; /* what `item` is of those that were read */
    /* Those of the files that are validated, so that no two of them have one
     * id; NULL: each file is looked at alone. */
    struct requirements *files;
};

/* Those that this program was built with, child of `context`. */
struct requirements *requirements_built_in(void *context);

/* Adds those of one file's tree; both outlive `requirements`. */
void requirements_read(struct requirements *requirements,
    const struct schema *schema, const struct node *root);

/* Validates one file's tree; its entries are not found afterwards. */
void requirements_check(const struct requirements *requirements,
    const struct schema *schema, const struct node *root);

/* The one of that number in order of their ids, below the count. */
const struct requirement *requirement_at(
    const struct requirements *requirements, size_t number);

/* The number of one of them. */
size_t requirement_number(const struct requirements *requirements,
    const struct requirement *requirement);

/* NULL when there is none with this id. */
const struct requirement *requirements_find(
    const struct requirements *requirements, const char *id);

/* The id without its last part: HAL-ALLOC of HAL-ALLOC-11; child of
 * `context`. */
char *requirement_family(void *context, const char *id);

/* Whether two ids are of one family. */
bool requirement_is_kin(const char *id, const char *other);

#endif
