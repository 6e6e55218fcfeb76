/* checks.c - the kinds of expectations that there are: the rows of checks.def,
 * each with its code. */
#include "scenarios/runner/checks/checks.h"

#include "scenarios/runner/scenario/check_kind.h"

static const struct check_kind rows[] = {
#define CHECK(key, name, form, compares, about, asserted, help)                \
    {key, &check_##name, COMPARES_##compares, ABOUT_##about,                   \
        ASSERTED_##asserted},
#include "scenarios/runner/language/checks.def"
};

const struct check_kinds check_kinds = {rows, sizeof(rows) / sizeof(rows[0])};
