/* xml_scan.h - where the tags of an XML text stand. Exact for as much of a text
 * as is well-formed and has no document type; whether it is, another part asks.
 */
#ifndef API_CTRPP_XML_SCAN_H
#define API_CTRPP_XML_SCAN_H

#include "api/ctrpp/limits.h"
#include "api/ctrpp/problems.h"

/* Offsets are bytes of the text. */
struct xml_tag {
    size_t offset, end;          /* from its < to behind its > */
    size_t depth;                /* elements around it */
    struct manifest_place place; /* of its name */
    size_t text;                 /* text within the element; 0: only blanks */
};

struct xml_scan {
    const char *text;
    size_t length;
    struct xml_tag *tag; /* of elements, in the order of the text */
    size_t count;
    size_t end; /* where it stops: at what does not end, or behind all */
};

/* One attribute of a tag as it is written; names of namespaces are, too. */
struct xml_written {
    size_t name, name_length;
    size_t value, value_length; /* within its quotes */
};

/* The scan is a child of `context`. NULL after adding to `problems` that there
 * is a document type, or more of something than limits.def allows. */
struct xml_scan *xml_scan_new(void *context, const char *text, size_t length,
    struct manifest_problems *problems);

/* The attribute at or behind *at, which begins as the tag's offset and is moved
 * behind it. False: there are no more. */
bool xml_scan_attribute(const struct xml_scan *scan, const struct xml_tag *tag,
    size_t *at, struct xml_written *written);

/* Bytes of the name at an offset. */
size_t xml_scan_name(const struct xml_scan *scan, size_t offset);

#endif
