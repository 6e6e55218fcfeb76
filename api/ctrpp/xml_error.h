/* xml_error.h - what libxml2 finds wrong with a text, as a problem of ours. */
#ifndef API_CTRPP_XML_ERROR_H
#define API_CTRPP_XML_ERROR_H

#include <libxml/parser.h>

#include "api/ctrpp/problems.h"
#include "api/ctrpp/xml_scan.h"

#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_error;
#else
typedef xmlError *xml_error;
#endif

/* Adds it, where it is in the text of the scan. So many elements have begun
 * before; the next of the scan is where the parser is, if it is in a tag. */
void xml_error_add(struct manifest_problems *problems,
    const struct xml_scan *scan, size_t elements, xml_error error);

#endif
