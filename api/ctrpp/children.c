/* children.c - the elements within one against the tables. */
#include <string.h>

#include "api/ctrpp/choices.h"
#include "api/ctrpp/reading.h"
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

void children_check(struct reading *reading, const struct xml_element *element,
    enum element_kind kind)
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
