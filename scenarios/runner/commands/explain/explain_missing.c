/* explain_missing.c - explains routines and variables that drivers import and
 * nobody models: what comes of them, and what can be done. */
#include <string.h>
#include <talloc.h>

#include "api/core/missing.h"
#include "scenarios/runner/commands/explain/explain.h"
#include "scenarios/runner/language/routine_name.h"

static const struct {
    const char *name;
    unsigned lists; /* of imports that were counted, and have it */
} missing_rows[] = {
#define MISSING(name, lists) {#name, lists},
#include "scenarios/runner/commands/explain/missing_routines.def"
};

enum {
    MISSING_ROWS = sizeof(missing_rows) / sizeof(missing_rows[0]),
    LISTS_COUNTED = 420,
};

const char *name_missing(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < MISSING_ROWS ? missing_rows[n].name : NULL;
}

const char *line_missing(const struct explain *explain, size_t n)
{
    const char *name = name_missing(explain, n);
    const char *why = routine_name_why_not(name);
    unsigned lists = missing_rows[n].lists;

    if (why != NULL) {
        return why;
    }
    return talloc_asprintf(explain->context,
        "%u of %u published lists of imports have it", lists,
        (unsigned)LISTS_COUNTED);
}

/* Of routines and variables alike. */
static void show_remedy(const struct explain *explain)
{
    explain_field(explain, "loaded",
        "all the same, and listed: ntpmu drive, events import_missing; with "
        "--strict-imports the image is refused");
    explain_field(explain, "read on", "docs/drivers.md, What is missing");
}

void show_missing(const struct explain *explain, size_t n)
{
    const char *name = name_missing(explain, n);
    const char *why = routine_name_why_not(name);
    unsigned lists = missing_rows[n].lists;

    if (why != NULL) {
        explain_field(explain, "because", "%s", why);
    }
    if (lists > 0) {
        explain_field(explain, "imported by",
            "%u of %u published lists of imports of x64 drivers", lists,
            (unsigned)LISTS_COUNTED);
    }
    explain_field(explain, "called",
        "it ends the run as ERROR, which names the place and the function "
        "that called it; no __except of the driver's catches that");
    show_remedy(explain);
    explain_mentioned(explain, name);
}

static const struct {
    const char *name;
    bool modelled;
} variable_rows[] = {
#define DATA(name, ...) {#name, true},
#include "api/core/data_exports.def"
#define VARIABLE(name) {#name, false},
#include "api/core/missing_variables.def"
};

const char *name_variable(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < sizeof(variable_rows) / sizeof(variable_rows[0])
               ? variable_rows[n].name
               : NULL;
}

const char *line_variable(const struct explain *explain, size_t n)
{
    (void)explain;
    return variable_rows[n].modelled ? "modelled" : "not modelled";
}

void show_variable(const struct explain *explain, size_t n)
{
    if (variable_rows[n].modelled) {
        explain_field(
            explain, "is", "modelled: drivers that import it read it");
    } else {
        explain_field(explain, "touched",
            "by the driver or by a routine for it, it ends the run as ERROR, "
            "which names the place and the function; no __except of the "
            "driver's catches that");
        show_remedy(explain);
    }
    explain_mentioned(explain, variable_rows[n].name);
}
