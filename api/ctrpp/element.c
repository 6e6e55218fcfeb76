/* element.c - one element and its attributes against the tables. */
#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/choices.h"
#include "api/ctrpp/reading.h"
#include "api/text/suggest.h"

/* Attributes for whoever checks XML against a schema, and XML's own. */
static bool is_everywhere(const char *space)
{
    return strcmp(space, "http://www.w3.org/2001/XMLSchema-instance") == 0 ||
           strcmp(space, "http://www.w3.org/XML/1998/namespace") == 0;
}

static void refuse_attribute(struct reading *reading,
    const struct xml_attribute *written, enum element_kind kind,
    struct values *values)
{
    struct suggestion suggestion = suggest_for(written->name);

    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        if (attribute_rows[i].element == kind) {
            suggest_offer(&suggestion, attribute_rows[i].word);
        }
    }
    for (size_t i = 0; i < ATTRIBUTE_COUNT; i++) {
        if (attribute_rows[i].element == kind &&
            attribute_rows[i].word == suggestion.nearest) {
            values->meant |= (uint64_t)1 << i;
        }
    }
    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_UNKNOWN_ATTRIBUTE,
        written->name_place, "%s has no attribute '%s'",
        element_rows[kind].word, written->name);
    choices_hint(reading->problems, &suggestion, "it has none; leave it out");
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
    if (written->space != NULL || schema_is_shared(kind)) {
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
    refuse_attribute(reading, written, kind, values);
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

void element_misses(struct reading *reading, const struct xml_element *element,
    enum attribute attribute, const char *why, const char *otherwise)
{
    const struct attribute_row *row = &attribute_rows[attribute];
    char *choices = choices_of(NULL, row->kind);

    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_MISSING_ATTRIBUTE,
        element->place, "%s has no %s%s", element->name, row->word, why);
    manifest_problem_hint(reading->problems, "add %s=%s%s%s", row->word,
        choices,
        row->kind == VALUE_TYPE ? "; docs/ctrpp.md lists the types" : "",
        otherwise);
    talloc_free(choices);
}

static void miss(struct reading *reading, const struct xml_element *element,
    enum attribute attribute, enum manifest_mode mode)
{
    static const char *const because[] = {
        [MANIFEST_USER_MODE] = ": providerType is userMode",
        [MANIFEST_KERNEL_MODE] = ": providerType is kernelMode",
    };
    bool by_mode = attribute_rows[attribute].in_mode[mode] == PRESENCE_MUST;

    element_misses(
        reading, element, attribute, "", by_mode ? because[mode] : "");
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
        } else if (!values_have(values, (enum attribute)i) &&
                   (in_schema == PRESENCE_MUST || in_mode == PRESENCE_MUST)) {
            miss(reading, element, (enum attribute)i, mode);
        }
    }
}

/* The provider says itself which mode it has (A20). One that does not and of
 * which code is wanted is refused, and judged as neither: it may be meant to be
 * of kernel mode. */
static void take_mode(struct reading *reading, const struct values *values)
{
    const struct value *type = &values->of[ATTRIBUTE_PROVIDER_TYPE];

    reading->knows_mode =
        type->good || (!values_have(values, ATTRIBUTE_PROVIDER_TYPE) &&
                          reading->settings == NULL);
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
    } else if (kind == ELEMENT_SET) {
        reading->knows_instances = values->of[ATTRIBUTE_INSTANCES].good ||
                                   !values_have(values, ATTRIBUTE_INSTANCES);
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
    children_check(reading, element, kind);
}
