/* xml_tree.h - an XML text as elements and attributes with their places.
 * Knows nothing of manifests but their limits. */
#ifndef API_CTRPP_XML_TREE_H
#define API_CTRPP_XML_TREE_H

#include "api/ctrpp/problems.h"

struct xml_attribute {
    const char *space; /* its namespace; NULL: none */
    const char *name;
    const char *value;
    struct manifest_place name_place, place; /* of the name, of the value */
};

struct xml_element {
    const char *space; /* NULL: none */
    const char *name;
    struct manifest_place place;      /* of its name */
    bool has_text;                    /* more than blanks between its tags */
    struct manifest_place text_place; /* of that text */
    const struct xml_attribute *attribute; /* without xmlns */
    size_t attribute_count;
    const struct xml_element *first; /* child */
    const struct xml_element *next;  /* sibling */
};

/* The root; all of it is a child of `context`. `text` is UTF-8 with a NUL
 * behind it. NULL after adding to `problems` what is wrong. No file is read, no
 * entity but XML's own five is known. */
const struct xml_element *xml_tree_read(void *context, const char *text,
    size_t length, struct manifest_problems *problems);

/* The element's attribute of that name in no namespace; NULL: none. */
const struct xml_attribute *xml_tree_attribute(
    const struct xml_element *element, const char *name);

#endif
