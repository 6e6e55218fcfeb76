/* xml_tree.c - an XML text made a tree of elements and attributes with their
 * places. libxml2 says what is well-formed, what values and namespaces are; the
 * scan says where. The n-th element of one is the n-th of the other. */
#include "api/ctrpp/xml_tree.h"

#include <assert.h>
#include <string.h>
#include <talloc.h>

#include "api/ctrpp/manifest_text.h"
#include "api/ctrpp/xml_error.h"
#include "api/ctrpp/xml_library.h"
#include "api/text/utf8.h"

#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_error;
#else
typedef xmlError *xml_error;
#endif

enum { TEXT_BLOCK = 32768 };

struct open_element {
    struct xml_element *element, *last; /* last: its youngest child */
};

struct building {
    void *context;
    const struct xml_scan *scan;
    struct manifest_problems *problems;
    size_t elements; /* begun so far */
    char *block;     /* for texts, and what is left of it */
    size_t left;
    struct xml_element *root;
    struct open_element open[MANIFEST_MOST_DEPTH];
    size_t depth;
    bool failed; /* what comes then follows from the first error */
};

/* Nothing is ever loaded. */
static xmlParserInputPtr refuse_to_load(
    const char *url, const char *id, xmlParserCtxtPtr parser)
{
    (void)url;
    (void)id;
    (void)parser;
    return NULL;
}

static size_t error_offset(const struct xml_scan *scan, xml_error error)
{
    const xmlParserCtxt *parser = error->ctxt;
    size_t at = parser == NULL || parser->input == NULL
                    ? 0
                    : (size_t)(parser->input->cur - parser->input->base) +
                          parser->input->consumed;

    at = at > scan->length ? scan->length : at;
    while (at > 0 && ((unsigned char)scan->text[at] & 0xC0) == 0x80) {
        at--;
    }
    return at;
}

static void on_error(void *data, xml_error error)
{
    struct building *building = data;
    struct xml_found found;

    if (building->failed || error->level < XML_ERR_ERROR) {
        return;
    }
    building->failed = true;
    found = (struct xml_found){.code = error->code,
        .at = error_offset(building->scan, error),
        .first = error->str1,
        .third = error->str3};
    xml_error_add(
        building->problems, building->scan, building->elements, &found);
}

/* Texts are kept in blocks: there are many, and most are short. */
static const char *copy(
    struct building *building, const xmlChar *text, size_t length)
{
    char *to;

    if (length + 1 > building->left) {
        building->left = length < TEXT_BLOCK ? TEXT_BLOCK : length + 1;
        building->block =
            talloc_array(building->context, char, (unsigned)building->left);
        assert(building->block != NULL);
    }
    to = building->block;
    memcpy(to, text, length);
    to[length] = '\0';
    building->block += length + 1;
    building->left -= length + 1;
    return to;
}

static const char *copy_name(struct building *building, const xmlChar *name)
{
    return name == NULL ? NULL
                        : copy(building, name, strlen((const char *)name));
}

static struct manifest_place place_within(const struct xml_scan *scan,
    const struct xml_tag *tag, size_t offset, size_t length)
{
    struct manifest_place place =
        manifest_place_forward(tag->place, scan->text, tag->offset + 1, offset);

    place.width = (uint32_t)utf8_characters(scan->text + offset, length);
    return place;
}

/* The next attribute of the tag that names no namespace. */
static bool next_written(const struct xml_scan *scan, const struct xml_tag *tag,
    size_t *at, struct xml_written *written)
{
    while (xml_scan_attribute(scan, tag, at, written)) {
        const char *name = scan->text + written->name;

        if (written->name_length < 5 || memcmp(name, "xmlns", 5) != 0 ||
            (written->name_length > 5 && name[5] != ':')) {
            return true;
        }
    }
    return false;
}

/* SAX2 gives five pointers an attribute: name, prefix, namespace, and where
 * the value begins and ends. */
static void add_attributes(struct building *building,
    struct xml_element *element, const struct xml_tag *tag,
    const xmlChar **given, size_t count)
{
    struct xml_attribute *attribute = talloc_zero_array(
        building->context, struct xml_attribute, (unsigned)count);
    size_t at = tag->offset;
    struct xml_written written;

    assert(attribute != NULL);
    for (size_t i = 0; i < count; i++) {
        const xmlChar **one = given + 5 * i;

        attribute[i].name = copy_name(building, one[0]);
        attribute[i].space = copy_name(building, one[2]);
        attribute[i].value = copy(building, one[3], (size_t)(one[4] - one[3]));
        attribute[i].name_place = attribute[i].place = tag->place;
        if (next_written(building->scan, tag, &at, &written)) {
            attribute[i].name_place = place_within(
                building->scan, tag, written.name, written.name_length);
            attribute[i].place = place_within(
                building->scan, tag, written.value, written.value_length);
        }
    }
    element->attribute = attribute;
    element->attribute_count = count;
}

static void hang_in(struct building *building, struct xml_element *element)
{
    struct open_element *parent = &building->open[building->depth - 1];

    if (parent->last == NULL) {
        parent->element->first = element;
    } else {
        parent->last->next = element;
    }
    parent->last = element;
}

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix,
    const xmlChar *space, int namespaces, const xmlChar **declared,
    int attributes, int defaulted, const xmlChar **given)
{
    struct building *building = data;
    const struct xml_scan *scan = building->scan;
    struct xml_element *element;
    const struct xml_tag *tag;

    (void)prefix;
    (void)namespaces;
    (void)declared;
    (void)defaulted;
    if (building->elements == scan->count) {
        return; /* a tag without its >, which is the next that is said */
    }
    assert(building->depth < MANIFEST_MOST_DEPTH);
    element = talloc_zero(building->context, struct xml_element);
    assert(element != NULL);
    tag = &scan->tag[building->elements++];
    element->name = copy_name(building, name);
    element->space = copy_name(building, space);
    element->place = tag->place;
    element->place.width = (uint32_t)utf8_characters(
        scan->text + tag->offset + 1, xml_scan_name(scan, tag->offset + 1));
    element->has_text = tag->text != 0;
    if (element->has_text) {
        element->text_place = place_within(scan, tag, tag->text, 1);
    }
    add_attributes(building, element, tag, given, (size_t)attributes);
    if (building->depth == 0) {
        building->root = element;
    } else {
        hang_in(building, element);
    }
    building->open[building->depth++] =
        (struct open_element){.element = element};
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix,
    const xmlChar *space)
{
    struct building *building = data;

    (void)name;
    (void)prefix;
    (void)space;
    assert(building->depth > 0);
    building->depth--;
}

static bool parse(struct building *building)
{
    const struct xml_scan *scan = building->scan;
    xmlParserCtxtPtr parser =
        xml_library()->xmlCreateMemoryParserCtxt(scan->text, (int)scan->length);
    bool whole;

    if (parser == NULL) { /* it makes none for an empty text */
        xmlError empty = {
            .code = XML_ERR_DOCUMENT_EMPTY, .level = XML_ERR_FATAL};

        on_error(building, &empty);
        return false;
    }
    /* NOENT makes &amp; an ampersand; there is no document type that could
     * define more. */
    xml_library()->xmlCtxtUseOptions(
        parser, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC);
    *parser->sax = (xmlSAXHandler){
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = on_start,
        .endElementNs = on_end,
        .serror = on_error,
    };
    parser->userData = building;
    whole = xml_library()->xmlParseDocument(parser) == 0 && parser->wellFormed;
    assert(whole || building->failed);
    xml_library()->xmlFreeParserCtxt(parser);
    return whole && !building->failed;
}

const struct xml_element *xml_tree_read(void *context, const char *text,
    size_t length, struct manifest_problems *problems)
{
    struct building building = {.context = context, .problems = problems};
    struct xml_scan *scan = xml_scan_new(context, text, length, problems);

    if (scan == NULL) {
        return NULL;
    }
    xml_library()->xmlSetExternalEntityLoader(refuse_to_load);
    building.scan = scan;
    if (!parse(&building)) {
        building.root = NULL;
    }
    talloc_free(scan);
    return building.root;
}

const struct xml_attribute *xml_tree_attribute(
    const struct xml_element *element, const char *name)
{
    for (size_t i = 0; i < element->attribute_count; i++) {
        if (element->attribute[i].space == NULL &&
            strcmp(element->attribute[i].name, name) == 0) {
            return &element->attribute[i];
        }
    }
    return NULL;
}
