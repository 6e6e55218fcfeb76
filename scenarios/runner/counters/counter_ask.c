/* counter_ask.c - masks (PCW-TYPE-06a, b) and types of counters (facts.md
 * 6.2). */
#include "scenarios/runner/counters/counter_ask.h"

#include "api/pcw/counter_format.h"
#include "scenarios/runner/counters/counter_names.h"
#include "scenarios/runner/counters/counter_parts.h"

enum { MASK_BITS = 64 }; /* PCW-TYPE-06a */

/* What is asked of a set that a manifest describes; NULL: nobody knows. */
static const struct asked *asked_of(const struct step *step)
{
    const struct asked *asked = step->u.collect.of;

    return asked != NULL && asked->manifest != NULL ? asked : NULL;
}

static bool asks_for(
    const struct reader *reader, const struct asked *asked, uint32_t id)
{
    if (id >= MASK_BITS) {
        return asked->counters == UINT64_MAX ||
               rulings_have(
                   &reader->scenario->rulings, RULED_PCW_TYPE_06b_always);
    }
    return (asked->counters & (UINT64_C(1) << id)) != 0;
}

static void report_not_asked(
    struct reader *reader, const struct node *key, uint32_t id)
{
    const struct schema *schema = &reader->scope.schema;

    schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
        "'%s' is not asked for, so it is never there", key->text);
    if (id < MASK_BITS) {
        diagnostics_hint(
            schema->diagnostics, "'counters' lists what is asked for");
    } else {
        diagnostics_hint(schema->diagnostics,
            "ids from 64 on need counters: all (PCW-TYPE-06b)");
    }
}

void counter_ask_value(struct reader *reader, const struct step *step,
    const struct node *key, const struct node *value, uint32_t id)
{
    const struct asked *asked = asked_of(step);
    const struct schema *schema = &reader->scope.schema;

    if (asked == NULL) {
        return;
    }
    if (!asks_for(reader, asked, id)) {
        report_not_asked(reader, key, id);
    } else if (value != NULL && node_is_word(value, "none") &&
               manifest_counter_by_id(asked->manifest, id) == NULL) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
            "'%s' has no counter %s, so this cannot fail", asked->set,
            key->text);
    }
}

/* Reports a counter that the figure is made of and nobody asks for; NULL: it
 * needs none. */
static bool check_part(struct reader *reader, const struct asked *asked,
    const struct node *key, const struct manifest_number *part)
{
    const struct schema *schema = &reader->scope.schema;
    const char *name;

    if (part == NULL || asks_for(reader, asked, part->value)) {
        return true;
    }
    name = counter_names_of(asked->manifest, part->value);
    schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
        "'%s' never has a figure here: that needs %s%s%u%s, too", key->text,
        name == NULL ? "counter " : name, name == NULL ? "" : " (",
        (unsigned)part->value, name == NULL ? "" : ")");
    diagnostics_hint(schema->diagnostics, "ask for it in 'counters'");
    return false;
}

static bool check_parts(struct reader *reader, const struct asked *asked,
    const struct node *key, const struct manifest_counter *counter)
{
    const struct counter_parts parts = counter_parts_of(counter);
    const struct manifest_number *const part[] = {
        parts.base, parts.multi, parts.time, parts.frequency};
    bool right = true;

    for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
        right &= check_part(reader, asked, key, part[i]);
    }
    return right;
}

/* What the type says, of a counter with all that it needs. */
static void check_type(struct reader *reader, const struct step *step,
    const struct node *key, enum counter_type type)
{
    const struct schema *schema = &reader->scope.schema;
    const struct counter_sample sample = {0};
    struct counter_figure figure;
    enum counter_figure_state state =
        counter_format(type, NULL, &sample, &figure);

    if (state == COUNTER_NO_FIGURE) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
            "'%s' never has a figure: it is a %s", key->text,
            counter_type_rows[type].word);
    } else if (state == COUNTER_NEEDS_SECOND && step->u.collect.query == NULL) {
        schema_error(schema, DIAGNOSTIC_NO_EFFECT, key,
            "'%s' never has a figure here: a %s needs two collections",
            key->text, counter_type_rows[type].word);
        diagnostics_hint(schema->diagnostics,
            "open a query and collect twice: query, collect: {query: $q}");
    }
}

void counter_ask_figure(struct reader *reader, const struct step *step,
    const struct node *key, uint32_t id)
{
    const struct asked *asked = asked_of(step);
    const struct manifest_counter *counter =
        asked == NULL ? NULL : manifest_counter_by_id(asked->manifest, id);

    if (asked == NULL) {
        return;
    }
    if (!asks_for(reader, asked, id)) {
        report_not_asked(reader, key, id);
    } else if (counter == NULL) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_NO_EFFECT, key,
            "'%s' has no counter %s, so no figure of it", asked->set,
            key->text);
    } else if (check_parts(reader, asked, key, counter)) {
        check_type(reader, step, key, counter->type);
    }
}
