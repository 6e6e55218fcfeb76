/* xml_error.c - errors of libxml2 as problems of a manifest, in our words and
 * at the right place. libxml2 says where it found something wrong, which is
 * behind what is wrong: that is looked for in the tag. */
#include "api/ctrpp/xml_error.h"

#include <libxml/xmlerror.h>
#include <string.h>

#include "api/ctrpp/manifest_text.h"
#include "api/text/utf8.h"

enum { NAME_SHOWN = 80 };

enum xml_where {
    WHERE_AT,
    WHERE_AMPERSAND,
    WHERE_TAG,
    WHERE_ATTRIBUTE,
    WHERE_QUOTE,
    WHERE_TWICE,
    WHERE_PREFIX,
};

struct xml_problem {
    int code;
    enum xml_where where;
    const char *message, *hint;
};

static const struct xml_problem xml_problems[] = {
#define XML_PROBLEM(code, where, message, hint)                                \
    {code, WHERE_##where, message, hint},
#include "api/ctrpp/xml_problems.def"
};

static const struct xml_problem other_problem = {
    .message = "it is no well-formed XML from there on",
    .hint = "look at the tag before: its <, its > and its quotes",
};

/* Bytes of the text. */
struct span {
    size_t at, length;
};

struct fault {
    const struct xml_scan *scan;
    const struct xml_found *found;
    struct xml_tag tag;           /* that is being read there; end 0: none */
    struct xml_written attribute; /* of the tag, the last before the place;
                                   * name_length 0: none */
    struct span place, name; /* what is shown and named; length 0: nothing */
};

static const struct xml_problem *problem_find(int code)
{
    for (size_t i = 0; i < sizeof(xml_problems) / sizeof(xml_problems[0]);
         i++) {
        if (xml_problems[i].code == code) {
            return &xml_problems[i];
        }
    }
    return &other_problem;
}

static void find_tag(struct fault *fault, size_t elements)
{
    const struct xml_scan *scan = fault->scan;

    if (elements < scan->count) {
        fault->tag = scan->tag[elements];
    } else if (scan->end < scan->length && scan->text[scan->end] == '<') {
        fault->tag = (struct xml_tag){.offset = scan->end, .end = scan->length};
    }
    if (fault->tag.offset >= fault->found->at) {
        fault->tag.end = 0;
    }
}

/* The next of the tag's attributes, also one that has no value in quotes. */
static bool next_attribute(
    const struct fault *fault, size_t *at, struct xml_written *written)
{
    bool whole = fault->tag.end != 0 && *at < fault->found->at &&
                 xml_scan_attribute(fault->scan, &fault->tag, at, written);

    if (!whole) {
        bool has_name = fault->tag.end != 0 && *at < fault->found->at &&
                        written->name_length > 0 &&
                        written->name < fault->found->at;

        *at = fault->found->at;
        return has_name;
    }
    return written->name_length > 0 && written->name < fault->found->at;
}

static void find_attribute(struct fault *fault)
{
    struct xml_written written = {0};
    size_t at = fault->tag.offset;

    while (next_attribute(fault, &at, &written)) {
        fault->attribute = written;
    }
}

/* Where the attribute's value should begin. */
static size_t value_of(const struct fault *fault)
{
    const struct xml_scan *scan = fault->scan;
    size_t at = fault->attribute.name + fault->attribute.name_length;

    while (at < scan->length && strchr(" \t\r\n=", scan->text[at]) != NULL) {
        at++;
    }
    return at;
}

/* A value that goes on behind its line or tag, or ends where another begins, is
 * one whose quotes were not closed: those that close it open another. */
static bool is_unclosed(const struct fault *fault)
{
    const char *text = fault->scan->text;
    size_t from = value_of(fault);
    size_t to = fault->found->at;

    if (fault->attribute.name_length == 0 || from >= to ||
        (text[from] != '"' && text[from] != '\'')) {
        return false;
    }
    if (fault->found->code == XML_ERR_LT_IN_ATTRIBUTE) {
        return memchr(text + from, '\n', to - from) != NULL ||
               memchr(text + from, '>', to - from) != NULL;
    }
    return to - from > 2 && text[to - 1] == text[from] &&
           (memchr(text + from, '\n', to - from) != NULL ||
               text[to - 2] == '=');
}

static bool ends_there(const struct fault *fault)
{
    const char *rest = fault->scan->text + fault->found->at;

    return rest[strspn(rest, " \t\r\n")] == '\0';
}

/* What libxml2 calls it is what followed from it. */
static const struct xml_problem *problem_of(const struct fault *fault)
{
    int code = fault->found->code;

    switch (code) {
    case XML_ERR_NAME_REQUIRED:
        if (fault->found->at > 0 &&
            fault->scan->text[fault->found->at - 1] == '&') {
            return problem_find(XML_ERR_ENTITYREF_NO_NAME);
        }
        break;
    case XML_ERR_LT_IN_ATTRIBUTE:
    case XML_ERR_SPACE_REQUIRED:
        if (is_unclosed(fault)) {
            return problem_find(XML_ERR_ATTRIBUTE_NOT_FINISHED);
        }
        break;
    case XML_ERR_GT_REQUIRED:
    case XML_ERR_ATTRIBUTE_WITHOUT_VALUE:
    case XML_ERR_ATTRIBUTE_NOT_STARTED:
        break;
    default:
        return problem_find(code);
    }
    return ends_there(fault) && code != XML_ERR_LT_IN_ATTRIBUTE
               ? problem_find(XML_ERR_TAG_NOT_FINISHED)
               : problem_find(code);
}

static size_t back_to(const struct fault *fault, char character)
{
    size_t at = fault->found->at;

    while (at > 0 && fault->scan->text[at] != character) {
        at--;
    }
    return at;
}

/* A name without its prefix, if prefixes make no difference. */
static struct span part_of(
    const struct fault *fault, const struct xml_written *written)
{
    struct span name = {written->name, written->name_length};
    const char *colon =
        fault->found->code == XML_NS_ERR_ATTRIBUTE_REDEFINED
            ? memchr(fault->scan->text + name.at, ':', name.length)
            : NULL;

    if (colon != NULL) {
        size_t at = (size_t)(colon - fault->scan->text) + 1;

        name = (struct span){at, name.at + name.length - at};
    }
    return name;
}

static bool same_part(const struct fault *fault, const struct xml_written *a,
    const struct xml_written *b)
{
    struct span one = part_of(fault, a), other = part_of(fault, b);

    return one.length == other.length &&
           memcmp(fault->scan->text + one.at, fault->scan->text + other.at,
               one.length) == 0;
}

static void place_twice(struct fault *fault)
{
    struct xml_written seen[MANIFEST_MOST_ATTRIBUTES], written = {0};
    size_t at = fault->tag.offset, count = 0;

    while (count < (size_t)MANIFEST_MOST_ATTRIBUTES &&
           next_attribute(fault, &at, &written)) {
        for (size_t i = 0; i < count; i++) {
            if (same_part(fault, &seen[i], &written)) {
                fault->name = fault->place =
                    (struct span){written.name, written.name_length};
                return;
            }
        }
        seen[count++] = written;
    }
}

static bool has_prefix(const struct fault *fault, size_t name)
{
    const char *prefix = fault->found->first;
    size_t length = strlen(prefix);

    return strncmp(fault->scan->text + name, prefix, length) == 0 &&
           fault->scan->text[name + length] == ':';
}

/* libxml2 names the prefix; a third name is that of the element, where the
 * second is an attribute's. */
static void place_prefix(struct fault *fault)
{
    struct xml_written written = {0};
    size_t at = fault->tag.offset;
    size_t name = at + 1;

    if (fault->found->first == NULL || fault->tag.end == 0) {
        return;
    }
    if (fault->found->third != NULL || !has_prefix(fault, name)) {
        name = 0;
        while (name == 0 && next_attribute(fault, &at, &written)) {
            name = has_prefix(fault, written.name) ? written.name : 0;
        }
    }
    if (name != 0) {
        fault->name = (struct span){name, strlen(fault->found->first)};
        fault->place = (struct span){name, xml_scan_name(fault->scan, name)};
    }
}

static void find_place(struct fault *fault, enum xml_where where)
{
    struct span name = {fault->attribute.name, fault->attribute.name_length};

    fault->place = (struct span){fault->found->at, 1};
    switch (where) {
    case WHERE_AT:
        break;
    case WHERE_AMPERSAND:
        fault->place.at = back_to(fault, '&');
        break;
    case WHERE_TAG:
        fault->place.at = back_to(fault, '<');
        break;
    case WHERE_ATTRIBUTE:
        fault->name = name;
        fault->place = name.length > 0 ? name : fault->place;
        break;
    case WHERE_QUOTE:
        fault->name = name;
        fault->place.at = name.length > 0 ? value_of(fault) : fault->found->at;
        break;
    case WHERE_TWICE:
        place_twice(fault);
        break;
    case WHERE_PREFIX:
        place_prefix(fault);
        break;
    }
}

void xml_error_add(struct manifest_problems *problems,
    const struct xml_scan *scan, size_t elements, const struct xml_found *found)
{
    struct fault fault = {.scan = scan, .found = found};
    const char *text = scan->text;
    const struct xml_problem *problem;
    struct manifest_place place = {.line = 1, .column = 1};
    size_t shown;

    find_tag(&fault, elements);
    find_attribute(&fault);
    problem = problem_of(&fault);
    find_place(&fault, problem->where);
    place = manifest_place_forward(place, text, 0, fault.place.at);
    if (fault.place.length > 1) {
        place.width = (uint32_t)utf8_characters(
            text + fault.place.at, fault.place.length);
    }
    shown = utf8_cut(text + fault.name.at, fault.name.length, NAME_SHOWN);
    if (shown > 0) {
        manifest_problem_add(problems, MANIFEST_PROBLEM_XML, place,
            "%s: '%.*s%s'", problem->message, (int)shown, text + fault.name.at,
            shown < fault.name.length ? "..." : "");
    } else {
        manifest_problem_add(
            problems, MANIFEST_PROBLEM_XML, place, "%s", problem->message);
    }
    manifest_problem_hint(problems, "%s", problem->hint);
}
