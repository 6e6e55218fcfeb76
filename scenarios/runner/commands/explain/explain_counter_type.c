/* explain_counter_type.c - explains the types of counters in a manifest: what
 * they need, and the figure that a consumer makes of their values. */
#include <talloc.h>

#include "api/pcw/counter_format.h"
#include "scenarios/runner/commands/explain/explain.h"

const char *name_counter_type(const struct explain *explain, size_t n)
{
    (void)explain;
    return n < COUNTER_TYPE_COUNT ? counter_type_rows[n].word : NULL;
}

static const char *formula_of(const struct explain *explain, size_t n)
{
    char text[COUNTER_FORMULA_BYTES];
    const char *unit = counter_unit((enum counter_type)n);

    counter_formula((enum counter_type)n, text, sizeof(text));
    return text[0] == '\0' ? "no figure"
                           : talloc_asprintf(explain->context, "%s%s%s", text,
                                 unit[0] == '\0' ? "" : ", in ", unit);
}

const char *line_counter_type(const struct explain *explain, size_t n)
{
    const struct counter_type_row *row = &counter_type_rows[n];

    return row->bytes == 0 ? "of any size, for user mode alone"
                           : talloc_asprintf(explain->context, "%u bytes: %s",
                                 (unsigned)row->bytes, formula_of(explain, n));
}

/* The attributes that a manifest has to give it (CTR-MAN-04). */
static const char *needs_in_words(
    const struct explain *explain, const struct counter_type_row *row)
{
    const char *type = row->needed == COUNTER_TYPE_NONE
                           ? ""
                           : counter_type_rows[row->needed].word;

    switch (row->needs) {
    case COUNTER_NEEDS_NOTHING:
        return NULL;
    case COUNTER_NEEDS_BASE:
        return talloc_asprintf(explain->context, "baseID of a %s", type);
    case COUNTER_NEEDS_TIME:
        return talloc_asprintf(
            explain->context, "perfTimeID and perfFreqID, each of a %s", type);
    case COUNTER_NEEDS_MULTI:
        return talloc_asprintf(
            explain->context, "multiCounterID of a %s", type);
    case COUNTER_NEEDS_MULTI_BASE:
        return talloc_asprintf(explain->context,
            "baseID of a %s, multiCounterID of a %s", type,
            counter_type_rows[COUNTER_TYPE_RAWCOUNT].word);
    }
    return NULL;
}

void show_counter_type(const struct explain *explain, size_t n)
{
    const struct counter_type_row *row = &counter_type_rows[n];
    const char *needs = needs_in_words(explain, row);

    if (row->bytes == 0) {
        explain_field(explain, "bytes", "any, for user mode alone");
        return;
    }
    explain_field(explain, "bytes", "%u", (unsigned)row->bytes);
    if (needs != NULL) {
        explain_field(explain, "needs", "%s", needs);
    }
    explain_field(explain, "figure", "%s", formula_of(explain, n));
    explain_field(explain, "written", "<counter type=\"%s\" .../>", row->word);
}
