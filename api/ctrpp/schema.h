/* schema.h - the elements and attributes of a manifest, as tables. */
#ifndef API_CTRPP_SCHEMA_H
#define API_CTRPP_SCHEMA_H

#include "api/ctrpp/limits.h"
#include "api/ctrpp/manifest.h"

/* The namespace of counters and of all that stands in it. */
extern const char schema_space[];

enum { ELEMENTS_MANY = MANIFEST_MOST_ELEMENTS };

enum element_kind {
#define ELEMENT(name, ...) ELEMENT_##name,
#include "api/ctrpp/elements.def"
    ELEMENT_COUNT,
    ELEMENT_NONE = ELEMENT_COUNT
};

enum attribute {
#define ATTRIBUTE(element, name, ...) ATTRIBUTE_##name,
#include "api/ctrpp/attributes.def"
    ATTRIBUTE_COUNT
};

enum presence { PRESENCE_MAY, PRESENCE_MUST, PRESENCE_NOT };

/* How the value of an attribute is read. */
enum value_kind {
    VALUE_GUID,
    VALUE_NUMBER,
    VALUE_NUMBER16,
    VALUE_SCALE,
    VALUE_SYMBOL,     /* of C, or empty */
    VALUE_IDENTIFIER, /* of C */
    VALUE_TEXT,
    VALUE_NAME, /* a shorter text */
    VALUE_TYPE, /* of a counter */
    VALUE_SCHEMA,
    VALUE_MODE,
    VALUE_CALLBACK,
    VALUE_INSTANCES,
    VALUE_DETAIL,
    VALUE_AGGREGATE,
    VALUE_ATTRIBUTE,
};

enum manifest_mode { MANIFEST_USER_MODE, MANIFEST_KERNEL_MODE };

struct element_row {
    const char *word;
    enum element_kind within;
    size_t least, most;
    enum presence text;
};

struct attribute_row {
    enum element_kind element;
    const char *word;
    enum value_kind kind;
    enum presence in_schema[2]; /* by enum manifest_schema */
    enum presence in_mode[2];   /* by enum manifest_mode */
};

struct word_row {
    enum value_kind kind;
    const char *word;
    unsigned value;
};

extern const struct element_row element_rows[ELEMENT_COUNT];
extern const struct attribute_row attribute_rows[ATTRIBUTE_COUNT];
extern const struct word_row word_rows[];
extern const size_t word_row_count;

/* What stands around counters is shared with other tools; its namespace is not
 * asked [C]. */
bool schema_is_shared(enum element_kind kind);

/* The word for a value, which is one of its kind. */
const char *schema_word(enum value_kind kind, unsigned value);

#endif
