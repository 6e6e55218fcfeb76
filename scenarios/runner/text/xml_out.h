/* xml_out.h - text in XML 1.0. What XML forbids is dropped, a byte that is no
 * UTF-8 becomes U+FFFD. */
#ifndef RUNNER_TEXT_XML_OUT_H
#define RUNNER_TEXT_XML_OUT_H

#include <stdio.h>

/* ` name="text"`, with everything escaped that a parser would change. */
void xml_attribute(const char *name, const char *text, FILE *out);

/* The text of an element in CDATA sections, which it cannot end. */
void xml_cdata(const char *text, FILE *out);

#endif
