/* element.h - an element of a manifest and the values of its attributes, held
 * against the tables of schema.h. */
#ifndef API_CTRPP_ELEMENT_H
#define API_CTRPP_ELEMENT_H

#include "api/ctrpp/reading.h"
#include "api/ctrpp/value.h"

/* Of one element, by enum attribute; those of others are not there. */
struct values {
    struct value of[ATTRIBUTE_COUNT];
    uint64_t meant; /* bits of those that a misspelt one seems to be meant as */
};

_Static_assert(ATTRIBUTE_COUNT <= 64, "an attribute is a bit of `meant`");

/* Reads the element's attributes and adds to the problems all that is wrong
 * with them, with its text and with the elements in it, but not what is within
 * those. The provider's own presences depend on what is read there. */
void element_read(struct reading *reading, const struct xml_element *element,
    enum element_kind kind, struct values *values);

/* Adds that the element has not the attribute, why it should have it, and what
 * could be done instead of adding it. */
void element_misses(struct reading *reading, const struct xml_element *element,
    enum attribute attribute, const char *why, const char *otherwise);

/* The first of a kind at or behind `element` among its siblings; NULL: none. */
const struct xml_element *element_find(
    const struct xml_element *element, enum element_kind kind);

/* How many there are. */
size_t element_count(const struct xml_element *element, enum element_kind kind);

/* Whether it is there, or seems to be meant by one that is misspelt. */
bool values_have(const struct values *values, enum attribute attribute);

/* The value that was read, or what stands for none. */
const char *values_text(const struct values *values, enum attribute attribute);
uint32_t values_number(
    const struct values *values, enum attribute attribute, uint32_t otherwise);
/* Where the value stands; that of the element where there is none. */
struct manifest_place values_place(const struct values *values,
    enum attribute attribute, const struct xml_element *element);
struct manifest_number values_reference(
    const struct values *values, enum attribute attribute);

/* The texts of an element, NULL for none, and where their numbers stand. */
struct text_attributes {
    const char *name, *description;
    enum attribute name_id, description_id;
};

/* Notes the numbers that these texts have in the string table: no other text
 * may have them [C]. A name with a description has the number behind its own,
 * too (CTR-GEN-05b). */
void values_add_text_ids(struct reading *reading, const struct values *values,
    const struct text_attributes *attributes);

#endif
