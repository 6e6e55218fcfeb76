/* xml_out.h - elements of XML 1.0 in UTF-8, an element a line, whose values may
 * be any text: what XML forbids is dropped, a byte that is no UTF-8 becomes
 * U+FFFD. Knows nothing of what they mean. */
#ifndef RUNNER_TEXT_XML_OUT_H
#define RUNNER_TEXT_XML_OUT_H

#include <stddef.h>
#include <stdio.h>

struct xml_out;

/* A document without elements. To be ended. */
struct xml_out *xml_out_new(void);

/* Begins an element within the one that is open. */
void xml_out_element(struct xml_out *xml, const char *name);

/* Of the element that was begun last, before anything is in it. */
void xml_out_attribute(struct xml_out *xml, const char *name, const char *text);
void xml_out_number(struct xml_out *xml, const char *name, size_t number);

/* The text of the element in CDATA sections, which it cannot end. */
void xml_out_cdata(struct xml_out *xml, const char *text);

void xml_out_element_end(struct xml_out *xml);

/* Writes the document, whose elements have all ended, and frees it. */
void xml_out_end(struct xml_out *xml, FILE *out);

#endif
