/* reading.h - a manifest while it is read, and how each of its elements is held
 * against the tables of schema.h. */
#ifndef API_CTRPP_READING_H
#define API_CTRPP_READING_H

#include "api/ctrpp/unique.h"
#include "api/ctrpp/value.h"

struct reading {
    void *context; /* of the manifest */
    const struct rulings *rulings;
    const struct ctrpp_settings *settings; /* of the code; NULL: none */
    struct manifest_problems *problems;
    struct manifest *manifest;
    struct unique *unique;
    size_t providers, sets, counters; /* read so far */
    bool meant_structs;   /* of the element read last: some misspelt one is */
    bool knows_instances; /* of the counterSet read last */
    bool knows_schema, knows_mode; /* their values were good */
};

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

/* The last of that: the elements in it. */
void children_check(struct reading *reading, const struct xml_element *element,
    enum element_kind kind);

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

/* Notes the number of a text in the string table: no other may have it [C]. */
void text_id_add(struct reading *reading, const struct values *values,
    enum attribute attribute, const char *text);

/* A counter's element, and whether these of its values could be read. */
struct read_counter {
    const struct xml_element *element;
    bool has_id, has_type;
    uint64_t meant; /* as in its values */
};

/* The counterset in the element with its counters; it is number `scope`. */
void counter_set_read(struct reading *reading,
    const struct xml_element *element, size_t scope, struct manifest_set *set);

/* One counter of the set, whose structs were read. */
struct read_counter counter_read(struct reading *reading,
    const struct xml_element *element, size_t scope,
    const struct manifest_set *set, struct manifest_counter *counter);

/* What the counters of a set refer to (CTR-MAN-02, CTR-MAN-04); read[i] is of
 * counter i. */
void references_check(struct reading *reading, const struct manifest_set *set,
    const struct read_counter *read);

#endif
