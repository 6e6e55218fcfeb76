/* read_rates.c - how often events happen. */
#include <inttypes.h>
#include <string.h>

#include "scenarios/runner/scenario/reader.h"
#include "scenarios/runner/yaml/plain_word.h"

bool read_rate(struct reader *reader, const struct node *node,
    const char *cycle, struct rate *rate)
{
    const struct schema *schema = &reader->scope.schema;
    const char *slash =
        node->kind == NODE_SCALAR ? strchr(node->text, '/') : NULL;
    char first[24] = "";

    rate->q = 1;
    rate->phase = 0;
    if (slash != NULL && (size_t)(slash - node->text) < sizeof(first)) {
        memcpy(first, node->text, (size_t)(slash - node->text));
    }
    if (node->kind != NODE_SCALAR || node->quoted ||
        !plain_word_number(slash != NULL ? first : node->text, &rate->p) ||
        (slash != NULL && !plain_word_number(slash + 1, &rate->q))) {
        schema_error(schema, DIAGNOSTIC_WRONG_TYPE, node,
            "expected how many in a %s, as p or p/q", cycle);
        return false;
    }
    if (!rate_is_possible(rate->p, rate->q)) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, node,
            "a rate is at most 64 in a %s, as p/q with q from 1 to 2^48",
            cycle);
        return false;
    }
    return true;
}

/* What stands behind an event's name. */
typedef void read_event(struct reader *reader, const struct node *value,
    enum event event, struct run_part *part);

/* An event that a workload decides about: no clock. */
static bool find_event(
    struct reader *reader, const struct node *key, enum event *event)
{
    const struct schema *schema = &reader->scope.schema;
    struct suggestion suggestion = suggest_for(key->text);

    for (enum event i = 0; i < EVENT_COUNT; i++) {
        if (event_rows[i].clock) {
            continue;
        }
        if (strcmp(event_rows[i].name, key->text) == 0) {
            *event = i;
            return true;
        }
        suggest_offer(&suggestion, event_rows[i].name);
    }
    schema_error(schema, DIAGNOSTIC_UNKNOWN_NAME, key,
        "no event '%s' that a workload can give a rate", key->text);
    schema_suggest(schema, &suggestion);
    return false;
}

static void read_events(struct reader *reader, const struct node *table,
    const char *form, read_event *read, struct run_part *part)
{
    enum event event;

    if (table->kind != NODE_MAPPING) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, table,
            "expected {event: %s}", form);
        return;
    }
    for (size_t i = 0; i < table->count; i++) {
        if (find_event(reader, table->entry[i].key, &event)) {
            read(reader, table->entry[i].value, event, part);
        }
    }
}

static void read_some_events(struct reader *reader, const struct node *table,
    const char *form, read_event *read, struct run_part *part)
{
    if (table->kind == NODE_MAPPING && table->count == 0) {
        schema_error(&reader->scope.schema, DIAGNOSTIC_WRONG_TYPE, table,
            "expected at least one {event: %s}", form);
        return;
    }
    read_events(reader, table, form, read, part);
}

static void read_event_rate(struct reader *reader, const struct node *value,
    enum event event, struct run_part *part)
{
    read_rate(reader, value, "cycle", &part->segment.rate[event]);
}

void read_rates(
    struct reader *reader, const struct node *rates, struct run_part *part)
{
    /* None at all say that nothing happens. */
    read_events(reader, rates, "events per cycle", read_event_rate, part);
}

static void read_event_total(struct reader *reader, const struct node *value,
    enum event event, struct run_part *part)
{
    const struct schema *schema = &reader->scope.schema;
    struct rate rate = {.q = part->segment.cycles};

    if (!schema_number(schema, value, 0, LIMIT_SEGMENT_EVENTS, &rate.p)) {
        return;
    }
    if (!rate_is_possible(rate.p, rate.q)) {
        schema_error(schema, DIAGNOSTIC_OUT_OF_RANGE, value,
            "%s events do not fit in %" PRIu64 " cycles", value->text, rate.q);
        diagnostics_hint(schema->diagnostics,
            "at most 64 happen in a cycle; burst: {%s: n} lets them happen at "
            "once",
            event_rows[event].name);
        return;
    }
    part->segment.rate[event] = rate;
}

void read_totals(struct reader *reader, const struct node *totals,
    const struct node *rates, struct run_part *part)
{
    const struct schema *schema = &reader->scope.schema;

    read_some_events(reader, totals, "events in all", read_event_total, part);
    if (totals->kind != NODE_MAPPING || rates == NULL ||
        rates->kind != NODE_MAPPING) {
        return;
    }
    for (size_t i = 0; i < totals->count; i++) {
        const struct node *key = totals->entry[i].key;

        if (node_get(rates, key->text) != NULL) {
            schema_error(schema, DIAGNOSTIC_CONFLICT, key,
                "rates and events both say how often %s happen", key->text);
            diagnostics_hint(schema->diagnostics, "leave one of them out");
        }
    }
}

static void read_event_burst(struct reader *reader, const struct node *value,
    enum event event, struct run_part *part)
{
    schema_number(&reader->scope.schema, value, 1, LIMIT_SEGMENT_EVENTS,
        &part->burst[event]);
}

void read_burst(
    struct reader *reader, const struct node *burst, struct run_part *part)
{
    read_some_events(reader, burst, "events at once", read_event_burst, part);
}
