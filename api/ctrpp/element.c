/* element.c - one element of a manifest read against the tables of schema.h:
 * the elements in it, its attributes, and what was read of these. */
#include "api/ctrpp/element.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/choices.h"
#include "api/text/suggest.h"

/* The children of an element while they are checked, by kind: how many there
 * are, and whether a misspelt one seems to be meant as it. */
struct children {
    struct reading *reading;
    enum element_kind within;
    size_t count[ELEMENT_COUNT];
    bool meant[ELEMENT_COUNT];
};

static bool is_ours(const struct xml_element *element)
{
    return element->space != NULL && strcmp(element->space, schema_space) == 0;
}

const struct xml_element *element_find(
    const struct xml_element *element, enum element_kind kind)
{
    while (element != NULL &&
           (strcmp(element->name, element_rows[kind].word) != 0 ||
               (!schema_is_shared(kind) && !is_ours(element)))) {
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

/* Which element of the tables it is; ELEMENT_NONE: it is none. */
static enum element_kind kind_of(
    const struct xml_element *child, enum element_kind within)
{
    for (size_t i = 0; i < ELEMENT_COUNT; i++) {
        if (element_rows[i].within == within &&
            strcmp(element_rows[i].word, child->name) == 0 &&
            (schema_is_shared((enum element_kind)i) || is_ours(child))) {
            return (enum element_kind)i;
        }
    }
    return ELEMENT_NONE;
}

static bool is_counters(const struct xml_element *child)
{
    return strcmp(child->name, element_rows[ELEMENT_COUNTERS].word) == 0;
}

/* What could stand there, and which of it the child seems to be meant as. */
static struct suggestion suggest_child(
    const struct children *children, const struct xml_element *child)
{
    struct suggestion suggestion = suggest_for(child->name);

    for (size_t i = 0; i < ELEMENT_COUNT; i++) {
        if (element_rows[i].within == children->within) {
            suggest_offer(&suggestion, element_rows[i].word);
        }
    }
    return suggestion;
}

/* It is not missing, too, when it is spelled as it should be. */
static void note_meant(struct children *children, const char *word)
{
    for (size_t i = 0; i < ELEMENT_COUNT; i++) {
        if (element_rows[i].within == children->within && word != NULL &&
            strcmp(element_rows[i].word, word) == 0) {
            children->meant[i] = true;
        }
    }
}

static void refuse_namespace(
    struct children *children, const struct xml_element *child)
{
    manifest_problem_add(children->reading->problems,
        MANIFEST_PROBLEM_NAMESPACE, child->place, "counters is in %s%s",
        child->space == NULL ? "no namespace" : "the namespace ",
        child->space == NULL ? "" : child->space);
    manifest_problem_hint(
        children->reading->problems, "write xmlns=\"%s\" there", schema_space);
    children->meant[ELEMENT_COUNTERS] = true;
}

static void refuse_unknown(
    struct children *children, const struct xml_element *child)
{
    struct suggestion suggestion = suggest_child(children, child);
    struct manifest_problems *problems = children->reading->problems;
    bool foreign = !schema_is_shared(children->within) && !is_ours(child);

    manifest_problem_add(problems, MANIFEST_PROBLEM_UNKNOWN_ELEMENT,
        child->place, "there is no %s%s in %s", child->name,
        foreign ? " of that namespace" : "",
        element_rows[children->within].word);
    if (foreign && suggestion.nearest != NULL &&
        strcmp(suggestion.nearest, child->name) == 0) {
        manifest_problem_hint(problems,
            "leave its prefix out, or write xmlns=\"%s\"", schema_space);
    } else {
        choices_hint(
            problems, &suggestion, "nothing stands in it; leave it out");
    }
    note_meant(children, suggestion.nearest);
}

/* counters belongs into instrumentation; it is read all the same. */
static void refuse_place(
    struct children *children, const struct xml_element *child, bool can_move)
{
    manifest_problem_add(children->reading->problems,
        MANIFEST_PROBLEM_UNKNOWN_ELEMENT, child->place,
        "counters stands in %s, not in %s", element_rows[children->within].word,
        element_rows[ELEMENT_INSTRUMENTATION].word);
    manifest_problem_hint(children->reading->problems, "%s",
        can_move ? "move it into instrumentation"
                 : "write <instrumentation> before it and </instrumentation> "
                   "behind it");
    children->meant[ELEMENT_INSTRUMENTATION] = true;
}

/* Microsoft's page of the schema wants texts written where they belong: no
 * string table of the manifest is looked at. */
static bool has_strings(const struct xml_element *child)
{
    return strcmp(child->name, "localization") == 0 ||
           strcmp(child->name, "stringTable") == 0;
}

static void warn_of_child(
    struct children *children, const struct xml_element *child)
{
    manifest_problem_add(children->reading->problems, MANIFEST_PROBLEM_NOT_READ,
        child->place, "%s is not read: ctrpp takes counters alone",
        child->name);
    manifest_problem_hint(children->reading->problems, "%s",
        has_strings(child) ? "leave it to the message compiler; counters have "
                             "their texts in name and description themselves"
                           : "leave it to the message compiler");
}

static bool stands_there(const struct xml_element *siblings, const char *name)
{
    while (siblings != NULL && strcmp(siblings->name, name) != 0) {
        siblings = siblings->next;
    }
    return siblings != NULL;
}

/* Other tools have elements of their own around counters; one is misspelt where
 * what it seems to be meant as is not there. */
static void refuse_shared(struct children *children,
    const struct xml_element *child, const struct xml_element *siblings)
{
    struct suggestion suggestion = suggest_child(children, child);

    if (children->within == ELEMENT_MANIFEST && is_counters(child)) {
        refuse_place(children, child,
            stands_there(siblings, element_rows[ELEMENT_INSTRUMENTATION].word));
    } else if (suggestion.nearest != NULL &&
               !stands_there(siblings, suggestion.nearest)) {
        refuse_unknown(children, child);
    } else {
        warn_of_child(children, child);
    }
}

static void refuse_repeated(
    struct children *children, const struct xml_element *child)
{
    enum element_kind kind = kind_of(child, children->within);
    const struct element_row *row = &element_rows[kind];
    struct manifest_problems *problems = children->reading->problems;

    manifest_problem_add(problems, MANIFEST_PROBLEM_REPEATED_ELEMENT,
        child->place, "%s stands there more than %zu time%s", row->word,
        row->most, row->most == 1 ? "" : "s");
    manifest_problem_hint(problems, "leave it out%s",
        kind == ELEMENT_PROVIDER ? ", or make a manifest for each" : "");
}

static void check_child(struct children *children,
    const struct xml_element *child, const struct xml_element *siblings)
{
    enum element_kind within = children->within;
    enum element_kind kind = kind_of(child, within);

    if (within == ELEMENT_INSTRUMENTATION && !is_ours(child) &&
        is_counters(child)) {
        refuse_namespace(children, child);
    } else if (kind == ELEMENT_NONE && schema_is_shared(within)) {
        refuse_shared(children, child, siblings);
    } else if (kind == ELEMENT_NONE) {
        refuse_unknown(children, child);
    } else if (++children->count[kind] == element_rows[kind].most + 1) {
        refuse_repeated(children, child);
    } else if (kind == ELEMENT_STRUCTS &&
               children->count[ELEMENT_COUNTER] > 0) {
        manifest_problem_add(children->reading->problems,
            MANIFEST_PROBLEM_REPEATED_ELEMENT, child->place,
            "structs stands behind a counter");
        manifest_problem_hint(
            children->reading->problems, "move it before the counters");
    }
}

static void check_children(struct reading *reading,
    const struct xml_element *element, enum element_kind kind)
{
    struct children children = {.reading = reading, .within = kind};

    for (const struct xml_element *child = element->first; child != NULL;
         child = child->next) {
        check_child(&children, child, element->first);
    }
    for (size_t i = 0; i < ELEMENT_COUNT; i++) {
        if (element_rows[i].within == kind && !children.meant[i] &&
            children.count[i] < element_rows[i].least) {
            manifest_problem_add(reading->problems,
                MANIFEST_PROBLEM_MISSING_ELEMENT, element->place,
                "%s has no %s", element->name, element_rows[i].word);
            manifest_problem_hint(
                reading->problems, "add <%s> within it", element_rows[i].word);
        }
    }
    reading->meant_structs = children.meant[ELEMENT_STRUCTS];
}

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
    check_children(reading, element, kind);
}

bool values_have(const struct values *values, enum attribute attribute)
{
    return values->of[attribute].written != NULL ||
           (values->meant >> attribute & 1) != 0;
}

const char *values_text(const struct values *values, enum attribute attribute)
{
    const struct value *value = &values->of[attribute];

    return value->good ? value->text : NULL;
}

uint32_t values_number(
    const struct values *values, enum attribute attribute, uint32_t otherwise)
{
    const struct value *value = &values->of[attribute];

    return value->good ? value->number : otherwise;
}

struct manifest_place values_place(const struct values *values,
    enum attribute attribute, const struct xml_element *element)
{
    const struct xml_attribute *written = values->of[attribute].written;

    return written == NULL ? element->place : written->place;
}

struct manifest_number values_reference(
    const struct values *values, enum attribute attribute)
{
    const struct value *value = &values->of[attribute];

    return (struct manifest_number){
        .given = value->good, .value = value->good ? value->number : 0};
}

static void add_text_id(struct reading *reading, uint32_t id, const char *text,
    struct manifest_place place)
{
    unique_add(reading->unique, UNIQUE_TEXT_ID, reading->providers,
        talloc_asprintf(reading->unique, "%u", (unsigned)id), text, place);
}

/* The name's own number, and the one behind it. */
static void add_name_ids(
    struct reading *reading, const struct value *id, const char *name)
{
    add_text_id(reading, id->number, name, id->written->place);
    if (id->number < UINT16_MAX) {
        add_text_id(reading, id->number + 1, name, id->written->place);
        return;
    }
    manifest_problem_add(reading->problems, MANIFEST_PROBLEM_OUT_OF_RANGE,
        id->written->place,
        "the name's second string would have the number 65536");
    manifest_problem_hint(reading->problems,
        "strings of a string table have numbers of 16 bits; write one below "
        "65535");
}

void values_add_text_ids(struct reading *reading, const struct values *values,
    const struct text_attributes *attributes)
{
    const struct value *name = &values->of[attributes->name_id];
    const struct value *description = &values->of[attributes->description_id];
    bool described = attributes->description != NULL;

    if (name->good && attributes->name != NULL && described) {
        add_name_ids(reading, name, attributes->name);
    } else if (name->good && attributes->name != NULL) {
        add_text_id(
            reading, name->number, attributes->name, name->written->place);
    }
    if (description->good && described) {
        add_text_id(reading, description->number, attributes->description,
            description->written->place);
    }
}
