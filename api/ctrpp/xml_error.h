/* xml_error.h - what libxml2 finds wrong with a text, as a problem of ours. */
#ifndef API_CTRPP_XML_ERROR_H
#define API_CTRPP_XML_ERROR_H

#include "api/ctrpp/problems.h"
#include "api/ctrpp/xml_scan.h"

/* An error as libxml2 tells it. */
struct xml_found {
    int code;
    size_t at; /* offset in the text */
    /* Of a prefix that stands for nothing: itself, and the name of the element
     * where it is an attribute's. NULL: not told. */
    const char *first, *third;
};

/* Adds it, where it is in the text of the scan. So many elements have begun
 * before; the next of the scan is where the parser is, if it is in a tag. */
void xml_error_add(struct manifest_problems *problems,
    const struct xml_scan *scan, size_t elements,
    const struct xml_found *found);

#endif
