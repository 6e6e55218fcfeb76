/* element.c - one element against the tables. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/reading.h"
#include "api/suggest.h"

/* Attributes for whoever checks XML against a schema, and XML's own. */
static bool is_everywhere(const char *space)
{
    return strcmp(space, "http://www.w3.org/2001/XMLSchema-instance") == 0 ||
           strcmp(space, "http://www.w3.org/XML/1998/namespace") == 0;
}

/* What stands around counters is shared with other tools; its namespace is not
 * asked [C]. */
static bool is_shared(enum element_kind kind)
{
    return kind == ELEMENT_MANIFEST || kind == ELEMENT_INSTRUMENTATION;
}

static bool is_ours(const struct xml_element *element)
{
    return element->space != NULL && strcmp(element->space, schema_space) == 0;
}

const struct xml_element *element_find(
    const struct xml_element *element, enum element_kind kind)
{
    while (element != NULL &&
           (strcmp(element->name, element_rows[kind].word) != 0 ||
               (!is_shared(kind) && !is_ours(element)))) {
        element = element->next;
    }
    return element;
}

size_t element_count(const struct xml_element *element, enum element_kind kind)
{
    size_t count = 0;

    for (element = element_find(element, kind); element != NULL;
         element = element_find(element->next, kind)) {
        count++;
    }
    return count;
}

static void hint_nearest(struct reading *reading,
    const struct suggestion *suggestion, const char *none)
{
    char *list;

    if (suggestion->nearest != NULL || suggestion->count == 0) {
        manifest_problem_hint(reading->problems,
            suggestion->count == 0 ? "%s" : "did you mean '%s'?",
            suggestion->count == 0 ? none : suggestion->nearest);
        return;
    }
    list = talloc_strdup(NULL, "");
    for (size_t i = 0; i < suggestion->count && i < (size_t)SUGGEST_LISTED;
         i++) {
        list = talloc_asprintf_append_buffer(
            list, "%s%s", i == 0 ? "" : ", ", suggestion->offered[i]);
    }
    manifest_problem_hint(reading->problems, "there are %s%s", list,
        suggestion->count > SUGGEST_LISTED ? " and others" : "");
    talloc_free(list);
}

static void refuse_attribute(struct reading *reading,
    const struct xml_attribute *written, enum element_kind kind)
{
    struct suggestion suggestion = suggest_for(written->name);

    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        if (attribute_rows[i].element == kind) {
            suggest_offer(&suggestion, attribute_rows[i].word);
        }
    }
    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_UNKNOWN_ATTRIBUTE,
        written->name_place, "%s has no attribute '%s'",
        element_rows[kind].word, written->name);
    hint_nearest(reading, &suggestion, "it has none; leave it out");
}

static void warn_of_attribute(
    struct reading *reading, const struct xml_attribute *written)
{
    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_NOT_READ,
        written->name_place, "the attribute '%s' is not read", written->name);
    manifest_problem_hint(
        reading->problems, "it is none of performance counters");
}

static void read_attribute(struct reading *reading,
    const struct xml_attribute *written, enum element_kind kind,
    struct values *values)
{
    if (written->space != NULL || is_shared(kind)) {
        if (written->space == NULL || !is_everywhere(written->space)) {
            warn_of_attribute(reading, written);
        }
        return;
    }
    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        if (attribute_rows[i].element == kind &&
            strcmp(attribute_rows[i].word, written->name) == 0) {
            values->of[i] =
                value_read(written, attribute_rows[i].kind, reading->problems);
            return;
        }
    }
    refuse_attribute(reading, written, kind);
}

/* A value that is wrong under this schema is right under the other, and so it
 * is with modes: no row of the table is NOT under both. */
static void refuse_presence(struct reading *reading, enum element_kind kind,
    const struct attribute_row *row, const struct value *value)
{
    enum manifest_schema schema = reading->manifest->schema;
    const char *version = schema_word(VALUE_SCHEMA, schema);
    const char *other = schema_word(VALUE_SCHEMA, schema == MANIFEST_SCHEMA_1_1
                                                      ? MANIFEST_SCHEMA_2_0
                                                      : MANIFEST_SCHEMA_1_1);

    if (reading->knows_schema && row->in_schema[schema] == PRESENCE_NOT) {
        manifest_problem_add(reading->problems, MANIFEST_PROBLEM_NOT_ALLOWED,
            value->written->name_place, "%s has no %s in schema %s",
            element_rows[kind].word, row->word, version);
        manifest_problem_hint(reading->problems,
            "leave it out, or write %s=\"%s\"",
            attribute_rows[ATTRIBUTE_SCHEMA].word, other);
    } else {
        manifest_problem_add(reading->problems, MANIFEST_PROBLEM_NOT_ALLOWED,
            value->written->name_place,
            "%s has no %s in a provider of user "
            "mode",
            element_rows[kind].word, row->word);
        manifest_problem_hint(reading->problems,
            "leave it out, or write %s=\"%s\"",
            attribute_rows[ATTRIBUTE_PROVIDER_TYPE].word,
            schema_word(VALUE_MODE, MANIFEST_KERNEL_MODE));
    }
}

static void miss(struct reading *reading, const struct xml_element *element,
    const struct attribute_row *row, enum manifest_mode mode)
{
    bool by_mode = row->in_mode[mode] == PRESENCE_MUST;

    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_MISSING_ATTRIBUTE,
        element->place, "%s has no %s", element->name, row->word);
    if (by_mode) {
        manifest_problem_hint(reading->problems,
            "add %s=\"...\": providerType is %s", row->word,
            schema_word(VALUE_MODE, mode));
    } else {
        manifest_problem_hint(reading->problems, "add %s=\"...\"", row->word);
    }
}

/* Where it is not known which of the two counts, only what both say. */
static enum presence presence_in(
    const enum presence in[2], bool is_known, unsigned which)
{
    return is_known ? in[which] : in[0] == in[1] ? in[0] : PRESENCE_MAY;
}

/* CTR-MAN-03a, A18: what has to be there, and what may not. */
static void check_presence(struct reading *reading,
    const struct xml_element *element, enum element_kind kind,
    const struct values *values)
{
    enum manifest_mode mode = reading->manifest->kernel_mode
                                  ? MANIFEST_KERNEL_MODE
                                  : MANIFEST_USER_MODE;

    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        const struct attribute_row *row = &attribute_rows[i];
        enum presence in_schema = presence_in(
            row->in_schema, reading->knows_schema, reading->manifest->schema);
        enum presence in_mode =
            presence_in(row->in_mode, reading->knows_mode, mode);
        bool given = values->of[i].written != NULL;

        if (row->element != kind) {
            continue;
        }
        if (given && (in_schema == PRESENCE_NOT || in_mode == PRESENCE_NOT)) {
            refuse_presence(reading, kind, row, &values->of[i]);
        } else if (!given &&
                   (in_schema == PRESENCE_MUST || in_mode == PRESENCE_MUST)) {
            miss(reading, element, row, mode);
        }
    }
}

/* The provider says itself which mode it has (A20). */
static void take_mode(struct reading *reading, const struct values *values)
{
    const struct value *type = &values->of[ATTRIBUTE_PROVIDER_TYPE];

    reading->knows_mode = type->written == NULL || type->good;
    reading->manifest->kernel_mode =
        type->good && type->number == MANIFEST_KERNEL_MODE;
}

static void take_schema(struct reading *reading, const struct values *values)
{
    const struct value *schema = &values->of[ATTRIBUTE_SCHEMA];

    reading->knows_schema = schema->good;
    if (schema->good) {
        reading->manifest->schema = (enum manifest_schema)schema->number;
    }
}

static void refuse_child(struct reading *reading,
    const struct xml_element *child, enum element_kind within)
{
    struct suggestion suggestion = suggest_for(child->name);

    if (is_shared(within)) {
        manifest_problem_add(reading->problems, MANIFEST_PROBLEM_NOT_READ,
            child->place, "%s is not read: ctrpp takes counters alone",
            child->name);
        manifest_problem_hint(
            reading->problems, "leave it to the message compiler");
        return;
    }
    for (size_t i = 0; i < ELEMENT_COUNT; i++) {
        if (element_rows[i].within == within) {
            suggest_offer(&suggestion, element_rows[i].word);
        }
    }
    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_UNKNOWN_ELEMENT,
        child->place, "there is no %s%s in %s", child->name,
        is_ours(child) ? "" : " of that namespace", element_rows[within].word);
    hint_nearest(reading, &suggestion, "nothing stands in it; leave it out");
}

/* Which element of the tables it is; ELEMENT_NONE: it is none. */
static enum element_kind kind_of(
    const struct xml_element *child, enum element_kind within)
{
    for (size_t i = 0; i < ELEMENT_COUNT; i++) {
        if (element_rows[i].within == within &&
            strcmp(element_rows[i].word, child->name) == 0 &&
            (is_shared((enum element_kind)i) || is_ours(child))) {
            return (enum element_kind)i;
        }
    }
    return ELEMENT_NONE;
}

static bool is_counters_of_others(
    const struct xml_element *child, enum element_kind within)
{
    return within == ELEMENT_INSTRUMENTATION && !is_ours(child) &&
           strcmp(child->name, element_rows[ELEMENT_COUNTERS].word) == 0;
}

static void refuse_namespace(
    struct reading *reading, const struct xml_element *child)
{
    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_NAMESPACE,
        child->place, "counters is in %s%s",
        child->space == NULL ? "no namespace" : "the namespace ",
        child->space == NULL ? "" : child->space);
    manifest_problem_hint(
        reading->problems, "write xmlns=\"%s\" there", schema_space);
}

static void refuse_repeated(struct reading *reading,
    const struct xml_element *child, enum element_kind kind)
{
    const struct element_row *row = &element_rows[kind];

    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_REPEATED_ELEMENT,
        child->place, "%s stands there more than %zu time%s", row->word,
        row->most, row->most == 1 ? "" : "s");
    manifest_problem_hint(reading->problems, "leave it out%s",
        kind == ELEMENT_PROVIDER ? ", or make a manifest for each" : "");
}

static void check_children(struct reading *reading,
    const struct xml_element *element, enum element_kind within)
{
    size_t count[ELEMENT_COUNT] = {0};
    bool refused = false;

    for (const struct xml_element *child = element->first; child != NULL;
         child = child->next) {
        enum element_kind kind = kind_of(child, within);

        if (is_counters_of_others(child, within)) {
            refuse_namespace(reading, child);
            refused = true;
        } else if (kind == ELEMENT_NONE) {
            refuse_child(reading, child, within);
        } else if (++count[kind] == element_rows[kind].most + 1) {
            refuse_repeated(reading, child, kind);
        } else if (kind == ELEMENT_STRUCTS && count[ELEMENT_COUNTER] > 0) {
            manifest_problem_add(reading->problems,
                MANIFEST_PROBLEM_REPEATED_ELEMENT, child->place,
                "structs stands behind a counter");
            manifest_problem_hint(
                reading->problems, "move it before the counters");
        }
    }
    for (size_t i = 0; i < ELEMENT_COUNT; i++) {
        if (element_rows[i].within == within && !refused &&
            count[i] < element_rows[i].least) {
            manifest_problem_add(reading->problems,
                MANIFEST_PROBLEM_MISSING_ELEMENT, element->place,
                "%s has no %s", element->name, element_rows[i].word);
            manifest_problem_hint(
                reading->problems, "add <%s> within it", element_rows[i].word);
        }
    }
}

void element_read(struct reading *reading, const struct xml_element *element,
    enum element_kind kind, struct values *values)
{
    memset(values, 0, sizeof(*values));
    for (size_t i = 0; i < element->attribute_count; i++) {
        read_attribute(reading, &element->attribute[i], kind, values);
    }
    if (kind == ELEMENT_COUNTERS) {
        take_schema(reading, values);
    } else if (kind == ELEMENT_PROVIDER) {
        take_mode(reading, values);
    }
    check_presence(reading, element, kind, values);
    if (element->has_text && element_rows[kind].text == PRESENCE_NOT) {
        manifest_problem_add(reading->problems, MANIFEST_PROBLEM_STRAY_TEXT,
            element->text_place, "%s has text in it", element->name);
        manifest_problem_hint(
            reading->problems, "leave it out; a comment is <!-- so -->");
    } else if (element->has_text) {
        manifest_problem_add(reading->problems, MANIFEST_PROBLEM_NOT_READ,
            element->text_place, "the text of %s is not read", element->name);
        manifest_problem_hint(
            reading->problems, "leave it out, or make it a comment");
    }
    check_children(reading, element, kind);
}
